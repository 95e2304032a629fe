"""Good hubs of a crawl: pages that link to many relevant pages, and are worth starting from again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np

from clew.learning.link_analysis import between_hosts, gathered

ROUNDS: Final = 20


class HubPage(NamedTuple):
    """A visited page, as far as its links are concerned."""

    url: str
    host: str
    relevance: float
    targets: Sequence[str]


def best_hubs(pages: Iterable[HubPage], most: int) -> list[str]:
    """The best hubs, the best first, by HITS: a(v) = R(v) * the sum of h(u), h(u) = the sum of a(v).

    Only authorities are weighted by relevance: a hub may have little text of its own. Links between hosts count, each
    of the k links from one host to another as 1/k; where there are none, as on a web of one host, all links do.

    >>> pages = [HubPage("h", "a", 0.5, ["x", "y"]), HubPage("x", "b", 1.0, []), HubPage("y", "c", 1.0, ["x"])]
    >>> best_hubs(pages, 2)
    ['h', 'y']
    """
    known = list(pages)
    numbers = {page.url: number for number, page in enumerate(known)}
    sources, targets = _edges(known, numbers)
    relevance = np.array([page.relevance for page in known])
    hosts = {name: number for number, name in enumerate(dict.fromkeys(page.host for page in known))}
    homes = np.array([hosts[page.host] for page in known], np.int64)
    weight = between_hosts(sources, targets, homes) if len(sources) else np.zeros(0)
    if not weight.any():
        weight = np.ones(len(sources))
    scores = np.ones(len(known))
    for _ in range(ROUNDS):
        authorities = gathered(targets, scores[sources] * weight * relevance[targets], len(known))
        scores = gathered(sources, authorities[targets] * weight, len(known))
    ranked = np.argsort(-scores, kind="stable")[:most]
    return [known[number].url for number in ranked.tolist() if scores[number] > 0]


def _edges(
    pages: Sequence[HubPage], numbers: Mapping[str, int]
) -> tuple[np.ndarray[tuple[int], np.dtype[np.int64]], np.ndarray[tuple[int], np.dtype[np.int64]]]:
    """Sources and targets of all links between different pages, each once."""
    edges: dict[tuple[int, int], None] = {}
    for page in pages:
        source = numbers[page.url]
        for url in page.targets:
            target = numbers.get(url, source)
            if target != source:
                edges[source, target] = None
    return np.array([source for source, _ in edges], np.int64), np.array([target for _, target in edges], np.int64)
