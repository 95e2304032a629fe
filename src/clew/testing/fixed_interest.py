"""A base class for interests that know the relevance of each page instead of judging its text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Self

from clew.types import Doc, Judgement


@dataclass(frozen=True, eq=False)
class FixedInterest:
    """One topic with a fixed threshold; subclasses define `relevance` for pages and `rate` for texts."""

    threshold: float = field(default=0.5, kw_only=True)

    def relevance(self, url: str) -> float:
        """The relevance of a page, from 0 to 1."""
        raise TypeError(f"{type(self).__name__} must define relevance()")

    def judge(self, doc: Doc) -> Judgement:
        """The judgement of a page by its URL alone."""
        relevance = self.relevance(doc.url)
        return Judgement(relevance, relevance >= self.threshold, {"given": relevance})

    def value(self, topics: Mapping[str, float]) -> float:
        """The relevance in stored topic memberships."""
        return topics.get("given", 0.0)

    def guide(self) -> Self:
        """The interest that guides the crawl: this one, for it has no negated parts to leave out."""
        return self

    def wider(self, method: str = "taxonomy", counts: Mapping[str, int] | None = None) -> None:
        """None: the relevance to one topic says nothing about wider topics."""

    def starting_from(self, relevances: Iterable[float]) -> Self:
        """The same interest: the threshold is fixed, and start pages may lie several links from the topic."""
        return self

    def at(self, threshold: float) -> Self:
        """The same interest with another threshold."""
        return replace(self, threshold=threshold)
