"""WHERE to go next: one file for each strategy; this folder is their registry."""

from clew.strategies._base import ALL, HOLD, Crawl, LinkSource, Stale, Strategy
from clew.strategies._registry import find, make, name_of, names
from clew.strategies._shared.rule_learners import LearnedRule, Ruled

__all__ = [
    "ALL",
    "HOLD",
    "Crawl",
    "LearnedRule",
    "LinkSource",
    "Ruled",
    "Stale",
    "Strategy",
    "find",
    "make",
    "name_of",
    "names",
]
