"""Which topic of an interest is the rarer one, by the pages that were visited: the Ariadne paper's two notions."""

from __future__ import annotations

from collections.abc import Mapping

from clew.strategies._base import Rating

Frequencies = dict[str, float]


def lowering(interest: Rating, topics: Mapping[str, float]) -> list[str]:
    """The topics that lower the score of a page: it would be worth more if it were all about one of them."""
    relevance = interest.value(topics)
    return [name for name in topics if interest.value({**topics, name: 1.0}) > relevance]


def frequencies(hits: Mapping[str, int], lowered: Mapping[str, int], visited: int, by: str) -> Frequencies:
    """A number for each topic, the smaller the rarer: (i) by pages relevant to it, (ii) by scores that it lowers.

    Of equals by one notion the other one decides.

    >>> frequencies({"sailing": 4, "ruegen": 4}, {"sailing": 9, "ruegen": 1}, visited=19, by="pages")
    {'sailing': 3.55, 'ruegen': 3.95}
    """
    small = 1.0 / (visited + 1)  # less than one page, however often it counts
    weights = (1.0, small) if by == "pages" else (small, 1.0)
    return {name: weights[0] * hits[name] - weights[1] * lowered.get(name, 0) for name in hits}
