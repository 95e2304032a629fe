"""Where a crawl begins: so many links from the topic, or at a kind of page that papers start from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from clew.base.chance import chance
from clew.config import unknown
from clew.errors import ConfigError
from clew.lab.worlds import World

HUB: Final = "hub"
PORTAL: Final = "portal"
FAR: Final = "far"
PLACES: Final = (HUB, PORTAL, FAR)

Floats = NDArray[np.float64]


def check(place: str) -> None:
    """Raise ConfigError if there is no such place to start from."""
    if place not in PLACES:
        raise ConfigError(unknown("start", place, list(PLACES)) + "; or give a number of links from the topic")


def drawn(world: World, topic: str, n: int, where: int | str = 0, number: int = 0) -> list[str]:
    """Up to n start pages; `number` tells several sets of the same kind apart.

    A `hub` has many links to the topic and few others, like the results of a search engine for it. A `portal` links to
    more topics than other pages, and is not on the topic itself. Pages `far` away are as many links from the topic as
    there are. A number is that of the links between start pages and topic.
    """
    if isinstance(where, int):
        return world.seeds(topic, n, where, number)
    check(where)
    relevant = world.truth(topic) == 1
    if where == FAR:
        return _farthest(world, topic, relevant, n, number)
    value = _hub_value(world, relevant) if where == HUB else _portal_value(world, relevant)
    best = np.argsort(-value, kind="stable")
    # Each set is the next best: the same pages in another order would be no other start.
    chosen = best[value[best] > 0][number * n : (number + 1) * n]
    return [world.urls[page] for page in chosen.tolist()]


def described(where: int | str) -> str:
    """The start of a crawl in words.

    >>> described(0), described(1), described(2), described("hub")
    ('on the topic', '1 link away', '2 links away', 'hub')
    """
    if isinstance(where, str):
        return where
    if where == 0:
        return "on the topic"
    return "1 link away" if where == 1 else f"{where} links away"


def absent(topic: str, where: int | str) -> str:
    """That there are no such start pages, as a message.

    >>> absent("boats", 3), absent("boats", "hub")
    ("no page lies 3 links from 'boats'", "there is no hub to start from for 'boats'")
    """
    if isinstance(where, int):
        return f"no page lies {where} links from {topic!r}"
    return f"there is no {where} to start from for {topic!r}"


def _hub_value(world: World, relevant: NDArray[np.bool_]) -> Floats:
    """Links to the topic, times their share of all links of the page."""
    graph = world.graph
    hits = np.bincount(graph.sources(), relevant[graph.targets], graph.pages)
    return np.asarray(hits**2 / np.maximum(np.diff(graph.offsets), 1))


def _portal_value(world: World, relevant: NDArray[np.bool_]) -> Floats:
    """Topics that a page links to; among equals, more links come first. Pages on the topic are no portals for it."""
    graph = world.graph
    sources = graph.sources()
    value = np.diff(graph.offsets) / (graph.links + 1.0)
    for topic in world.topics:
        members = (world.truth(topic) == 1)[graph.targets]
        value[np.unique(sources[members])] += 1.0
    value[relevant] = 0.0
    # From an island nothing can be found.
    value[~graph.reverse().reach(np.flatnonzero(relevant))] = 0.0
    return np.asarray(value)


def _farthest(world: World, topic: str, relevant: NDArray[np.bool_], n: int, number: int) -> list[str]:
    distances = world.graph.reverse().distances(np.flatnonzero(relevant))
    pages: Sequence[int] = np.flatnonzero(distances > 0).tolist()
    draws = {page: chance(number, "far", topic, world.urls[page]) for page in pages}
    ordered = sorted(pages, key=lambda page: (-distances[page], draws[page]))
    return [world.urls[page] for page in ordered[:n]]
