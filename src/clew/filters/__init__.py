"""What a crawl learns about the sameness of pages and the endlessness of sites, from its visits alone."""

from clew.filters.budgets import Budgets
from clew.filters.duplicates import Duplicates
from clew.filters.filters import Finding, Hygiene
from clew.filters.fingerprints import fingerprint
from clew.filters.soft404 import Errors
from clew.filters.subdomains import Names
from clew.filters.traps import Traps
from clew.filters.url_rules import Learnt

__all__ = ["Budgets", "Duplicates", "Errors", "Finding", "Hygiene", "Learnt", "Names", "Traps", "fingerprint"]
