"""Which topic of an interest is the rarest, judged by the visited pages: two notions of the Ariadne paper."""

from __future__ import annotations

from collections.abc import Mapping

from clew.strategies._base import Rating

Frequencies = dict[str, float]


def lowering(interest: Rating, topics: Mapping[str, float]) -> list[str]:
    """The topics that lower the score of a page: with full relevance to such a topic the score would be higher."""
    relevance = interest.value(topics)
    return [name for name in topics if interest.value({**topics, name: 1.0}) > relevance]


def frequencies(hits: Mapping[str, int], lowered: Mapping[str, int], visited: int, by: str) -> Frequencies:
    """A number for each topic, smaller for rarer ones: (i) by pages relevant to it, (ii) by scores that it lowers.

    `by` says which notion comes first; the other one breaks ties.

    >>> frequencies({"sailing": 4, "ruegen": 4}, {"sailing": 9, "ruegen": 1}, visited=19, by="pages")
    {'sailing': 3.55, 'ruegen': 3.95}
    """
    # However often a topic lowers a score, all of it together stays below one page.
    small = 1.0 / (visited + 1)
    of_hits, of_lowered = (1.0, small) if by == "pages" else (small, 1.0)
    return {name: of_hits * hits[name] - of_lowered * lowered.get(name, 0) for name in hits}


def with_known(estimated: Frequencies, known: Mapping[str, float], visited: int) -> Frequencies:
    """Estimated frequencies, but for the topics whose share of all pages the user knows.

    >>> with_known({"sailing": 4.0, "ruegen": 3.0}, {"sailing": 0.01}, visited=100)
    {'sailing': 1.0, 'ruegen': 3.0}
    """
    return estimated | {name: share * max(1, visited) for name, share in known.items()}
