"""A guide that knows the truth of a world: what a strategy could do if its judge never erred."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from clew.interests import Interest
from clew.lab.worlds import World
from clew.maths.text import terms
from clew.types import Doc, Judgement


@dataclass(frozen=True, eq=False)
class TruthInterest:
    """Judges pages by their labels, and short texts by the words in the topic's name.

    A page that nobody has labelled counts as irrelevant here; whoever evaluates a crawl leaves it out.
    """

    world: World
    topic: str
    threshold: float = 0.5

    def __str__(self) -> str:
        return self.topic

    @cached_property
    def _relevant(self) -> bytes:
        return bytes(self.world.truth(self.topic) == 1)

    @cached_property
    def _words(self) -> frozenset[str]:
        return frozenset(terms(self.world.title(self.topic).replace("_", " ")))

    def judge(self, doc: Doc) -> Judgement:
        """As labelled."""
        page = self.world.id_of(doc.url)
        relevance = 0.0 if page is None else float(self._relevant[page])
        return Judgement(relevance, relevance >= self.threshold, {self.topic: relevance})

    def rate(self, text: str) -> float:
        """The share of the words in the topic's name that occur in the text."""
        return len(self._words.intersection(terms(text))) / (len(self._words) or 1)

    def value(self, topics: Mapping[str, float]) -> float:
        """Of stored memberships."""
        return topics.get(self.topic, 0.0)

    def guide(self) -> Interest:
        """It has no negated parts."""
        return self

    def wider(self, method: str = "taxonomy", counts: Mapping[str, int] | None = None) -> Interest | None:
        """The truth of one topic says nothing about wider ones."""
        return None

    def starting_from(self, relevances: Iterable[float]) -> Interest:
        """The threshold is given: start pages may be links away from the topic."""
        return self

    def at(self, threshold: float) -> Interest:
        """With another threshold."""
        return replace(self, threshold=threshold)
