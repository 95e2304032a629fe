"""WHERE to go next: one file for each strategy; this folder is their registry."""

from clew.strategies._base import ALL, HOLD, Crawl, Outside, Stale, Strategy
from clew.strategies._registry import find, make, name_of, names
from clew.strategies._shared.rule_learners import Learnt, Ruled

__all__ = [
    "ALL",
    "HOLD",
    "Crawl",
    "Learnt",
    "Outside",
    "Ruled",
    "Stale",
    "Strategy",
    "find",
    "make",
    "name_of",
    "names",
]
