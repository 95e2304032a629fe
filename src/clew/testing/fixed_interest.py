"""An interest whose answers are given, not worked out: the common part of the laboratory's guides."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Self

from clew.types import Doc, Judgement


@dataclass(frozen=True, eq=False)
class FixedInterest:
    """One topic with a fixed threshold; who derives from it says how relevant a page is and rates texts."""

    threshold: float = field(default=0.5, kw_only=True)

    def relevance(self, url: str) -> float:
        """Of a page."""
        raise TypeError(f"{type(self).__name__} must define relevance()")

    def judge(self, doc: Doc) -> Judgement:
        """As given."""
        relevance = self.relevance(doc.url)
        return Judgement(relevance, relevance >= self.threshold, {"given": relevance})

    def value(self, topics: Mapping[str, float]) -> float:
        """Of stored memberships."""
        return topics.get("given", 0.0)

    def guide(self) -> Self:
        """There are no negated parts."""
        return self

    def wider(self, method: str = "taxonomy", counts: Mapping[str, int] | None = None) -> None:
        """What is given for one topic says nothing about wider ones."""

    def starting_from(self, relevances: Iterable[float]) -> Self:
        """The threshold is given too: start pages may be links away from the topic."""
        return self

    def at(self, threshold: float) -> Self:
        """With another threshold."""
        return replace(self, threshold=threshold)
