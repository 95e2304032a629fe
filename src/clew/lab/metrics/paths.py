"""Measures of the paths on which a crawl found its pages: link distances, and the gaps that it crossed."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from clew.lab.link_graph import LinkGraph

Places = NDArray[np.int64]


def sources(graph: LinkGraph, visits: ArrayLike) -> Places:
    """For each visit, the place of the first earlier visit whose page links to it; -1 for a start page.

    A crawl counts the link distance on this path, which is often longer than the shortest one.

    >>> sources(LinkGraph.of([(0, 1), (1, 2), (0, 2)], 3), [0, 1, 2]).tolist()
    [-1, 0, 0]
    """
    pages = np.asarray(visits, np.int64)
    found: dict[int, int] = {}
    for place, page in enumerate(pages.tolist()):
        if page >= 0:
            for target in graph.targets[graph.offsets[page] : graph.offsets[page + 1]].tolist():
                found.setdefault(target, place)
    places = [found.get(page, -1) for page in pages.tolist()]
    # A start page may be linked from a page that is visited later.
    return np.array([source if source < place else -1 for place, source in enumerate(places)], np.int64)


def path_distances(places: ArrayLike) -> Places:
    """The number of links from a start page to each visit, on the path that led there.

    >>> path_distances([-1, 0, 1, 0]).tolist()
    [0, 1, 2, 1]
    """
    distances: list[int] = []
    for source in np.asarray(places).tolist():
        distances.append(0 if source < 0 else distances[source] + 1)
    return np.array(distances, np.int64)


def gaps(places: ArrayLike, relevant: ArrayLike) -> Places:
    """For each visit: the longest run of irrelevant pages on the path from a start page to it, itself not included.

    >>> gaps([-1, 0, 1, 2, 3], [1, 0, 0, 1, 0]).tolist()
    [0, 0, 1, 2, 2]
    """
    hits = np.asarray(relevant, bool)
    longest: list[int] = []
    running: list[int] = []  # irrelevant pages in a row that end at this visit
    for place, source in enumerate(np.asarray(places).tolist()):
        before = running[source] if source >= 0 else 0
        longest.append(max(longest[source], before) if source >= 0 else 0)
        running.append(0 if hits[place] else before + 1)
    return np.array(longest, np.int64)
