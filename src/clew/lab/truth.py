"""A guide that knows the truth of a world: what a strategy could do if its judge never erred."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from clew.lab.given import Given
from clew.lab.worlds import World
from clew.maths.text import terms


@dataclass(frozen=True, eq=False)
class TruthInterest(Given):
    """Judges pages by their labels, and short texts by the words in the topic's name.

    A page that nobody has labelled counts as irrelevant here; whoever evaluates a crawl leaves it out.
    """

    world: World
    topic: str

    def __str__(self) -> str:
        return self.topic

    @cached_property
    def _relevant(self) -> bytes:
        return bytes(self.world.truth(self.topic) == 1)

    @cached_property
    def _words(self) -> frozenset[str]:
        return frozenset(terms(self.world.title(self.topic).replace("_", " ")))

    def relevance(self, url: str) -> float:
        """As labelled."""
        page = self.world.id_of(url)
        return 0.0 if page is None else float(self._relevant[page])

    def rate(self, text: str) -> float:
        """The share of the words in the topic's name that occur in the text."""
        return len(self._words.intersection(terms(text))) / (len(self._words) or 1)
