"""Returns in a crawl tree: the discounted reward that can be had from each page on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Final, Literal

import numpy as np

MAX_STEPS: Final = 10  # later rewards do not count: with gamma = 0.5 they are below a thousandth


def returns(
    parents: Sequence[int], rewards: Sequence[float], gamma: float, backup: Literal["greedy", "max"] = "greedy"
) -> list[float]:
    """For each page the return of visiting it: its own reward, and the discounted rewards behind it.

    The parent of a page comes before it; -1 for a root. "greedy" counts the nearest relevant pages one after the other,
    as a crawler would visit them; "max" counts only the best single path, which is a lower bound.

    >>> returns([-1, 0, 1], [0, 1, 1], 0.5), returns([-1, 0, 0], [0, 1, 1], 0.5, "max")
    ([0.75, 1.5, 1.0], [0.5, 1.0, 1.0])
    """
    if backup == "max":
        return _best_path(parents, rewards, gamma)
    children: list[list[int]] = [[] for _ in parents]
    for page, parent in enumerate(parents):
        if parent >= 0:
            children[parent].append(page)
    found: list[float] = []
    for page in range(len(parents)):
        tour = _tour(page, parents, children, rewards)
        found.append(sum(gamma**step * rewards[at] for step, at in enumerate(tour)))
    return found


def bins(values: Sequence[float]) -> tuple[list[int], list[float]]:
    """Three bins: zero, up to the median of the positive values, and above it. The bin of each value, and their means.

    >>> bins([0, 0, 0.5, 1.0, 1.5])
    ([0, 0, 1, 1, 2], [0.0, 0.75, 1.5])
    """
    column = np.asarray(values, dtype=float)
    median = np.median(column[column > 0]) if (column > 0).any() else 0.0
    places = (column > 0).astype(int) + (column > median)
    totals = np.bincount(places, weights=column, minlength=3)
    sizes = np.bincount(places, minlength=3)
    return places.tolist(), (totals / np.maximum(sizes, 1)).tolist()


def _best_path(parents: Sequence[int], rewards: Sequence[float], gamma: float) -> list[float]:
    behind = [0.0] * len(parents)
    # Backwards, as a parent comes before its children.
    for page in range(len(parents) - 1, -1, -1):
        if parents[page] >= 0:
            behind[parents[page]] = max(behind[parents[page]], rewards[page] + gamma * behind[page])
    return [reward + gamma * more for reward, more in zip(rewards, behind, strict=True)]


def _tour(page: int, parents: Sequence[int], children: list[list[int]], rewards: Sequence[float]) -> list[int]:
    """The pages in the order of a greedy visit: always on the way to the nearest relevant page that is left."""
    tour = {page: None}
    for goal in _relevant_below(page, children, rewards):
        path = []
        while goal not in tour:
            path.append(goal)
            goal = parents[goal]
        tour.update(dict.fromkeys(reversed(path)))
        if len(tour) > MAX_STEPS:
            break
    return list(tour)[:MAX_STEPS]


def _relevant_below(page: int, children: list[list[int]], rewards: Sequence[float]) -> Iterator[int]:
    """The relevant pages below a page, level by level."""
    level = children[page]
    for _ in range(MAX_STEPS - 1):
        yield from (child for child in level if rewards[child] > 0)
        level = list(chain.from_iterable(children[child] for child in level))
