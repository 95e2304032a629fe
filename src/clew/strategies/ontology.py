"""Ontology-focused crawling: rank a link by its page and by the concepts in and around its anchor."""

from __future__ import annotations

from dataclasses import dataclass

from clew.strategies._base import Strategy
from clew.strategies._shared.context import in_context
from clew.types import Candidate, Link


@dataclass
class Ontology(Strategy):
    """Visits first the links with the most concepts of an ontology on their page and in the words around them.

    The score of a link is (1 - `share`) times the relevance of its page plus `share` times the rating of its anchor
    with the text around it.

    The concepts come from the interest: give a topic an `ontology`, and its concepts are counted in pages and in the
    texts of links. With any other interest the same formula uses that interest's ratings.

    >>> from clew.testing.tiny_web import order
    >>> order("ontology", "s .8 -> a [about us] b [.6 hotels]; a .1 -> c (.9 rooms); b .2 -> d")
    ['s', 'b', 'a', 'c', 'd']

    Ehrig and Maedche, Ontology-focused crawling of web documents, SAC 2003.
    """

    shards = True
    inlinks_only = True

    share: float = 0.5

    def value(self, candidate: Candidate) -> float:
        """Return the score of the best link; a start page has no links and comes first."""
        return max(map(self._relevance, candidate.links), default=1.0)

    def deciding_link(self, candidate: Candidate) -> Link:
        """Return the best link to the candidate."""
        return max(candidate.links, key=self._relevance)

    def explain(self, candidate: Candidate) -> dict[str, float]:
        """Return the two parts of the best link's score."""
        if not candidate.links:
            return {"score": 1.0}
        link = max(candidate.links, key=self._relevance)
        page, context = self._halves(link)
        return {"score": self._relevance(link), "page": page, "anchor and context": context}

    def _relevance(self, link: Link) -> float:
        page, context = self._halves(link)
        return (1.0 - self.share) * page + self.share * context

    def _halves(self, link: Link) -> tuple[float, float]:
        return self._crawl.relevance(link.source), self._crawl.interest.rate(in_context(link))
