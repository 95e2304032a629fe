"""What a crawl learns about the sameness of pages and the endlessness of sites, from its visits alone."""

from clew.hygiene.budgets import Budgets
from clew.hygiene.duplicates import Duplicates
from clew.hygiene.hygiene import Finding, Hygiene
from clew.hygiene.learnt import Learnt
from clew.hygiene.names import Names
from clew.hygiene.prints import fingerprint
from clew.hygiene.soft404 import Errors
from clew.hygiene.traps import Traps

__all__ = ["Budgets", "Duplicates", "Errors", "Finding", "Hygiene", "Learnt", "Names", "Traps", "fingerprint"]
