"""WHERE to go next: one file for each strategy; this folder is their registry."""

from clew.strategies._base import ALL, HOLD, Crawl, SearchSource, Stale, Strategy, TextSource
from clew.strategies._optional import (
    EstimatesChances,
    Explains,
    FollowsInterest,
    Inherits,
    LearnsLabels,
    LearnsManyLabels,
    MovesFocus,
    NeedsInput,
)
from clew.strategies._registry import find, make, name_of, names
from clew.strategies._shared.rule_learners import LearnedRule, Ruled

__all__ = [
    "ALL",
    "HOLD",
    "Crawl",
    "EstimatesChances",
    "Explains",
    "FollowsInterest",
    "Inherits",
    "LearnedRule",
    "LearnsLabels",
    "LearnsManyLabels",
    "MovesFocus",
    "NeedsInput",
    "Ruled",
    "SearchSource",
    "Stale",
    "Strategy",
    "TextSource",
    "find",
    "make",
    "name_of",
    "names",
]
