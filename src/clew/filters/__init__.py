"""Which URLs and pages count: scope, duplicates, error pages, traps and budgets, learned from visits alone."""

from clew.filters.budgets import Budgets
from clew.filters.duplicates import Duplicates
from clew.filters.filters import Filters, Finding
from clew.filters.fingerprints import fingerprint
from clew.filters.soft404 import SoftErrors
from clew.filters.subdomains import Subdomains
from clew.filters.traps import Traps
from clew.filters.url_rules import UrlRules

__all__ = [
    "Budgets",
    "Duplicates",
    "Filters",
    "Finding",
    "SoftErrors",
    "Subdomains",
    "Traps",
    "UrlRules",
    "fingerprint",
]
