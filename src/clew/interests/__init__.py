"""WHAT is wanted: formulas over topics and predicates, keywords, examples."""

from clew.interests._base import Interest
from clew.interests.compiler import build
from clew.interests.formula import Formula
from clew.interests.judge import CLASSIFIERS, Judge, Judging, as_interest, judge_name
from clew.interests.lessons import lessons
from clew.interests.parser import parse
from clew.interests.quality import Quality, cross_validate
from clew.interests.taxonomy import Taxonomy

__all__ = [
    "CLASSIFIERS",
    "Formula",
    "Interest",
    "Judge",
    "Judging",
    "Quality",
    "Taxonomy",
    "as_interest",
    "build",
    "cross_validate",
    "judge_name",
    "lessons",
    "parse",
]
