"""The reward that lies behind each page of a crawl tree, discounted by the steps to it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, Literal

import numpy as np

STEPS: Final = 10  # after which nothing counts: half to the power of 10 is below a thousandth


def returns(
    parents: Sequence[int], rewards: Sequence[float], gamma: float, backup: Literal["greedy", "max"] = "greedy"
) -> list[float]:
    """For each page the reward of going there: its own, and what can be had behind it.

    A page's parent comes before it; -1 for a root. "greedy" counts the nearest relevant pages one after the other,
    as a crawler would visit them; "max" only the best single way, which is a lower bound.

    >>> returns([-1, 0, 1], [0, 1, 1], 0.5), returns([-1, 0, 0], [0, 1, 1], 0.5, "max")
    ([0.75, 1.5, 1.0], [0.5, 1.0, 1.0])
    """
    if backup == "max":
        return _best_way(parents, rewards, gamma)
    children: list[list[int]] = [[] for _ in parents]
    for page, parent in enumerate(parents):
        if parent >= 0:
            children[parent].append(page)
    return [
        sum(gamma**step * rewards[at] for step, at in enumerate(_tour(page, parents, children, rewards)))
        for page in range(len(parents))
    ]


def bins(values: Sequence[float]) -> tuple[list[int], list[float]]:
    """Nothing, up to the median of what is above nothing, and more: the bin of each value, and the means of bins.

    >>> bins([0, 0, 0.5, 1.0, 1.5])
    ([0, 0, 1, 1, 2], [0.0, 0.75, 1.5])
    """
    column = np.asarray(values, dtype=float)
    median = np.median(column[column > 0]) if (column > 0).any() else 0.0
    places = (column > 0).astype(int) + (column > median)
    totals = np.bincount(places, weights=column, minlength=3)
    return places.tolist(), (totals / np.maximum(np.bincount(places, minlength=3), 1)).tolist()


def _best_way(parents: Sequence[int], rewards: Sequence[float], gamma: float) -> list[float]:
    behind = [0.0] * len(parents)
    for page in range(len(parents) - 1, -1, -1):
        if parents[page] >= 0:
            behind[parents[page]] = max(behind[parents[page]], rewards[page] + gamma * behind[page])
    return [reward + gamma * more for reward, more in zip(rewards, behind, strict=True)]


def _tour(page: int, parents: Sequence[int], children: list[list[int]], rewards: Sequence[float]) -> list[int]:
    """The pages in the order of a greedy visit: on the way to the nearest relevant one that is left."""
    tour = {page: None}
    for goal in _relevant_below(page, children, rewards):
        way = []
        while goal not in tour:
            way.append(goal)
            goal = parents[goal]
        tour.update(dict.fromkeys(reversed(way)))
        if len(tour) > STEPS:
            break
    return list(tour)[:STEPS]


def _relevant_below(page: int, children: list[list[int]], rewards: Sequence[float]) -> Iterator[int]:
    level = children[page]
    for _ in range(STEPS - 1):
        yield from (child for child in level if rewards[child] > 0)
        level = [grandchild for child in level for grandchild in children[child]]
