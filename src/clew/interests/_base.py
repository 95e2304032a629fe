"""What an interest is: it judges pages, rates short texts, and knows its next more general form."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Protocol

from clew.types import Doc, Judgement


class Interest(Protocol):
    """WHAT is wanted. Immutable: every change gives a new interest."""

    @property
    def threshold(self) -> float:
        """Relevance from which a page is relevant."""
        ...

    def judge(self, doc: Doc) -> Judgement:
        """The relevance of a page with the membership in every topic."""
        ...

    def rate(self, text: str) -> float:
        """0 to 1 for an anchor, a URL or another short text; the formula is relaxed for it."""
        ...

    def value(self, topics: Mapping[str, float]) -> float:
        """The formula evaluated on stored memberships."""
        ...

    def guide(self) -> Interest:
        """What strategies follow: the same without its negated parts (Ariadne's advice on AND NOT)."""
        ...

    def wider(self, method: str = "taxonomy", counts: Mapping[str, int] | None = None) -> Interest | None:
        """The next more general interest, or None at the ceiling; counts: relevant pages of each topic."""
        ...

    def starting_from(self, relevances: Iterable[float]) -> Interest:
        """The same interest with the threshold of the start pages (Ariadne); StartError if all are 0."""
        ...

    def at(self, threshold: float) -> Interest:
        """The same interest with this threshold."""
        ...
