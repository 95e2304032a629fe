"""An interest whose verdicts are learned while the crawl runs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from clew.interests._base import Interest
from clew.interests.formula import Formula
from clew.interests.guidance import guided
from clew.interests.syntax import ANY, And, Node, Or, Topic
from clew.types import Doc, Judgement

LEARNED: Final = "learned"
"""The name under which the learned relevance of a page stands among its topics."""


@dataclass(frozen=True)
class LearningInterest:
    """A formula whose verdicts a `CrawlJudge` learns during the crawl; before it has learned, the formula decides.

    A learned relevance is calibrated: a page counts from 0.5 on.
    """

    formula: Formula
    threshold: float = 0.5
    calibrated: bool = True  # relevances are chances, moved so that 0.5 is where a page begins to count

    def __str__(self) -> str:
        return str(self.formula)

    def judge(self, doc: Doc) -> Judgement:
        """The relevance by the formula alone."""
        judgement = self.formula.judge(doc)
        return judgement._replace(relevant=judgement.relevance >= self.threshold)

    def rate(self, text: str) -> float:
        """How promising a short text is."""
        return self.formula.rate(text)

    def value(self, topics: Mapping[str, float]) -> float:
        """The learned relevance if there is one, and else the value of the formula."""
        return topics[LEARNED] if LEARNED in topics else self.formula.value(topics)

    def guide(self) -> Interest:
        """What strategies follow: the same verdicts."""
        return replace(self, formula=self.formula.guide())

    def in_language(self, language: str) -> LearningInterest:
        """The same for links in this language."""
        return replace(self, formula=self.formula.in_language(language))

    def rarest(self, counts: Mapping[str, float]) -> Interest:
        """The same interest, but short texts are rated by the rarest topic alone."""
        return replace(self, formula=self.formula.rarest(counts))

    def wider(self, method: str = "taxonomy", counts: Mapping[str, int] | None = None) -> Interest | None:
        """The next more general formula; it has no learned verdicts."""
        return self.formula.wider(method, counts)

    def refocused(self, text: str) -> Interest:
        """Another formula over the same topics; it has no learned verdicts."""
        return self.formula.refocused(text)

    def starting_from(self, relevances: Iterable[float]) -> Interest:
        """The judge finds the threshold itself."""
        return self

    def at(self, threshold: float) -> Interest:
        """The same with another threshold."""
        return replace(self, threshold=threshold)


def positive_topics(node: Node) -> list[str]:
    """The topics for which a page can be relevant; not those that are negated, or compared with a number.

    >>> from clew.interests.parser import parse
    >>> positive_topics(parse('sailing AND (ruegen OR host("a.example")) AND NOT golf AND ads > 0.3'))
    ['sailing', 'ruegen']
    """
    match guided(node):
        case Topic(name) if name != ANY:
            return [name]
        case And(parts) | Or(parts):
            found: list[str] = []
            for part in parts:
                found += positive_topics(part)
            return found
        case _:
            return []


def is_choice(node: Node) -> bool:
    """Whether every page on one of the topics is relevant."""
    match node:
        case Topic():
            return True
        case Or(parts):
            return all(map(is_choice, parts))
        case _:
            return False
