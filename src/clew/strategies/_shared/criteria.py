"""Criteria for a link before it is followed, each from 0 to 1, and two ways to combine them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from clew.parse.url import depth, host, tokens
from clew.types import Candidate, Link

LETTERS: Final = {
    "source": "a",
    "meta": "a",
    "url": "b",
    "anchor": "c",
    "host": "d",
    "path": "d",
    "distance": "e",
    "level": "f",
    "transversal": "g",
    "hub": "h",
}
"""The criteria and their letters in the Ariadne paper."""

OF_FOCUS: Final = ("source", "meta", "url", "anchor")
"""The criteria that depend on the focus; the others are the same under every focus."""

LEVELS: Final = 20  # of a criterion in the lexicographic order; smaller differences leave it to the next criterion
HUB_LINKS: Final = 100  # a page with so many links is a hub beyond doubt

Column = NDArray[np.float64]
Pairs = Sequence[tuple[Candidate, Link]]


def best_of_each(candidates: Sequence[Candidate], score: Callable[[Pairs], Column]) -> list[float]:
    """The score of the best link to each candidate; 1 for a start page, which has no links."""
    scores = np.ones(len(candidates))
    pairs: list[tuple[Candidate, Link]] = []
    linked: list[int] = []  # the candidates that have links
    starts: list[int] = []  # where the links of each begin in `pairs`
    for number, candidate in enumerate(candidates):
        if candidate.links:
            linked.append(number)
            starts.append(len(pairs))
            pairs += [(candidate, link) for link in candidate.links]
    if pairs:
        # All links at once: the criteria are arrays, and the maximum is taken over each candidate's slice.
        scores[linked] = np.maximum.reduceat(score(pairs), starts)
    return scores.tolist()


def mean(columns: Mapping[str, Column], weights: Mapping[str, float], eps: float) -> Column:
    """The weighted geometric mean; no factor counts as less than `eps`.

    >>> mean({"x": np.array([0.0, 0.25]), "y": np.array([1.0, 1.0])}, {"x": 1, "y": 1}, eps=0.01).round(4).tolist()
    [0.1, 0.5]
    """
    # A single factor of 0 would wipe out all others.
    logs = [weights[name] * np.log(np.maximum(column, eps)) for name, column in columns.items()]
    total: Column = np.exp(sum(logs[1:], logs[0]) / sum(weights[name] for name in columns))
    return total


def lexicographic(columns: Mapping[str, Column], weights: Mapping[str, float]) -> Column:
    """Numbers in the lexicographic order of the criteria: the one with the largest weight comes first.

    Criteria are rounded to twentieths. Only links that are equal in the first criterion are told apart by the second.

    >>> columns = {"x": np.array([0.5, 0.5, 0.4]), "y": np.array([0.2, 0.3, 1.0])}
    >>> lexicographic(columns, {"x": 2, "y": 1}).argsort().tolist()
    [2, 0, 1]
    """
    order = sorted(columns, key=lambda name: -weights[name])
    total: Column = np.zeros(len(columns[order[0]]))
    for place, name in enumerate(order):
        # Like the digits of a number: all later ones together are less than one step of this one.
        total += np.rint(LEVELS * columns[name]) / (LEVELS + 1.0) ** (place + 1)
    return total


@dataclass(frozen=True, slots=True)
class Sight:
    """Functions for the criteria that depend on the crawl; the others follow from the link itself."""

    relevance: Callable[[str], float]  # of a visited page for the current focus
    rate: Callable[[str], float]  # of a short text by the interest
    fame: Callable[[str], float]  # of a host, from 0 to 1
    links: Callable[[str], float]  # number of links on a visited page
    meta: Callable[[str], str]  # title, description and keywords of a visited page
    kin: Callable[[str], float]  # of a URL: the precision on pages of its host with the same folder or a like name

    def column(self, name: str, pairs: Pairs) -> list[float]:
        """One criterion for many links."""
        match name:
            case "source":
                # Many links share a source: ask once for each.
                sources = dict.fromkeys(link.source for _, link in pairs)
                relevances = {url: self.relevance(url) for url in sources}
                return [relevances[link.source] for _, link in pairs]
            case "meta":
                sources = dict.fromkeys(link.source for _, link in pairs)
                rates = {url: self.rate(self.meta(url)) for url in sources}
                return [rates[link.source] for _, link in pairs]
            case "url":
                return [self.rate(" ".join(tokens(candidate.url))) for candidate, _ in pairs]
            case "anchor":
                return [self.rate(words(link)) for _, link in pairs]
            case "host":
                return [self.fame(host(candidate.url)) for candidate, _ in pairs]
            case "path":
                return [self.kin(candidate.url) for candidate, _ in pairs]
            case "distance":
                return [1 / (1 + candidate.depth) for candidate, _ in pairs]
            case "level":
                return [1 / (1 + depth(candidate.url)) for candidate, _ in pairs]
            case "transversal":
                return [0.5 if host(link.source) == host(link.url) else 1.0 for _, link in pairs]
            case "hub":
                return [min(1.0, math.log1p(self.links(link.source)) / math.log1p(HUB_LINKS)) for _, link in pairs]
        raise ValueError(name)


def words(link: Link) -> str:
    """The anchor in the middle of the text around it."""
    return link.around.replace("\t", f" {link.anchor} ") or link.anchor
