"""WHAT is wanted: formulas over topics and predicates, keywords, examples."""

from clew.interests._base import Interest
from clew.interests.compiler import build
from clew.interests.crawl_judge import CrawlJudge
from clew.interests.formula import Formula
from clew.interests.judge import BUILT_IN_JUDGES, Judge, Judging, as_interest, judge_name
from clew.interests.learning_interest import LEARNED, LearningInterest
from clew.interests.lessons import lessons
from clew.interests.parser import parse
from clew.interests.quality import Quality, cross_validate
from clew.interests.taxonomy import Taxonomy
from clew.interests.topic_models import TOPIC_MODELS
from clew.interests.topic_words import TopicWords

__all__ = [
    "BUILT_IN_JUDGES",
    "LEARNED",
    "TOPIC_MODELS",
    "CrawlJudge",
    "Formula",
    "Interest",
    "Judge",
    "Judging",
    "LearningInterest",
    "Quality",
    "Taxonomy",
    "TopicWords",
    "as_interest",
    "build",
    "cross_validate",
    "judge_name",
    "lessons",
    "parse",
]
