"""How similar pages are that one page links to, by the distance of the two links on it.

Davison, Topical locality in the web, SIGIR 2000.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, islice
from typing import Final

import numpy as np

from clew.base.chance import chance
from clew.lab.snapshot import Snapshot
from clew.learning.profile import likeness, unit

SOURCES: Final = 200  # pages whose links are looked at
PAIRS_PER_DISTANCE: Final = 2  # siblings on each of them whose texts are compared
DISTANCES: Final = {1: "next to each other", 4: "2 to 4 links apart", 9: "5 to 9 links apart"}
FAR: Final = "10 links apart or more"
MANY: Final = 10  # links that a page must have more than


def sibling_texts(world: Snapshot, seed: int = 0) -> dict[str, float]:
    """The mean similarity of the texts of siblings, by the distance of their links."""
    found: dict[str, list[float]] = {kind: [] for kind in (*DISTANCES.values(), FAR)}
    for source, siblings in islice(_lists(world, seed), SOURCES):
        for kind, one, other in _pairs(siblings, source, seed):
            found[kind].append(likeness(unit(world.doc(one).terms), unit(world.doc(other).terms)))
    return {kind: float(np.mean(values)) for kind, values in found.items() if values}


def _lists(world: Snapshot, seed: int) -> Iterator[tuple[int, list[int]]]:
    """Pages with their links, in random order: long lists only, so that all distances are of the same pages."""
    for source in sorted(range(len(world)), key=lambda page: chance(seed, "siblings", page)):
        siblings = targets(world, source)
        if len(siblings) > MANY:
            yield source, siblings


def targets(world: Snapshot, source: int) -> list[int]:
    """The pages that a page links to, in the order of its links, each once."""
    pages = (world.id_of(link.url) for link in world.doc(source).links)
    return list(dict.fromkeys(page for page in pages if page is not None and page != source))


def _pairs(siblings: Sequence[int], source: int, seed: int) -> Iterator[tuple[str, int, int]]:
    """Some pairs of each distance, drawn by chance."""
    places: dict[str, list[tuple[int, int]]] = {}
    for one, other in combinations(range(len(siblings)), 2):
        places.setdefault(distance(other - one), []).append((one, other))
    for kind, pairs in places.items():
        drawn = sorted(pairs, key=lambda pair: chance(seed, "pair", source, *pair))
        for one, other in drawn[:PAIRS_PER_DISTANCE]:
            yield kind, siblings[one], siblings[other]


def distance(links: int) -> str:
    """
    >>> distance(1), distance(3), distance(40)
    ('next to each other', '2 to 4 links apart', '10 links apart or more')
    """
    return next((kind for most, kind in DISTANCES.items() if links <= most), FAR)
