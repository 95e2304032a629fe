"""Boosted trees small enough for a crawl to grow while it runs, and to ship as a readable file.

The trees are oblivious: each level asks one question of every input. Scoring is then a few comparisons of whole
columns, a tree is a handful of numbers, and growing one needs no recursion. Unlike the forests of the usual libraries,
one can be grown on top of another's margins, and it is plain arrays: no pickle.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float32]
Vector = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Forest:
    """The sum of its trees, as log odds.

    >>> x = np.array([[0.0], [1.0], [2.0], [3.0]] * 50, np.float32)
    >>> forest = grow(x, (x[:, 0] > 1.5).astype(float), trees=20, depth=1)
    >>> (forest.margin(x) > 0)[:4].tolist()
    [False, False, True, True]
    """

    asks: NDArray[np.int16]  # tree x level: which column
    cuts: NDArray[np.float32]  # tree x level: whether it is above this
    leaves: NDArray[np.float32]  # tree x answers
    bias: float = 0.0

    def margin(self, x: Matrix) -> Vector:
        """The log odds of each row."""
        if not len(self.asks):
            return np.full(len(x), self.bias)
        places = np.zeros((len(x), len(self.asks)), np.intp)
        for asks, cuts in zip(self.asks.T, self.cuts.T, strict=True):
            places *= 2
            places += x[:, asks] > cuts
        places += np.arange(len(self.asks)) * self.leaves.shape[1]
        total: Vector = self.leaves.ravel()[places].sum(axis=1, dtype=np.float64)
        return total + self.bias

    def plain(self, digits: int = 4) -> dict[str, Any]:
        """As lists, for a file."""
        return {
            "asks": self.asks.tolist(),
            "cuts": [[_short(cut, digits) for cut in row] for row in self.cuts.tolist()],
            "leaves": [[_short(leaf, digits) for leaf in row] for row in self.leaves.tolist()],
            "bias": _short(self.bias, digits),
        }

    @classmethod
    def of(cls, plain: dict[str, Any]) -> Forest:
        """From lists."""
        depth = len(plain["asks"][0]) if plain["asks"] else 1
        return cls(
            np.array(plain["asks"], np.int16).reshape(-1, depth),
            np.array(plain["cuts"], np.float32).reshape(-1, depth),
            np.array(plain["leaves"], np.float32).reshape(-1, 2**depth),
            plain["bias"],
        )


def grow(
    x: Matrix,
    y: Vector,
    weights: Vector | None = None,
    base: Vector | None = None,
    *,
    trees: int = 30,
    depth: int = 3,
    rate: float = 0.15,
    ridge: float = 10.0,
    bins: int = 24,
    sample: float = 1.0,
    seed: int = 0,
) -> Forest:
    """A forest for labels from 0 to 1; `base` are margins that it only has to correct."""
    chances = np.random.default_rng(seed)
    weights = np.ones(len(x)) if weights is None else weights
    margin = np.zeros(len(x)) if base is None else base.astype(np.float64)
    cuts = _cuts(x, bins)
    binned = np.stack([np.searchsorted(cut, column) for cut, column in zip(cuts, x.T, strict=True)]).astype(np.intp)
    grown: list[tuple[list[int], list[float], NDArray[np.float32]]] = []
    for _ in range(trees):
        rows = slice(None) if sample >= 1 else np.flatnonzero(chances.random(len(x)) < sample)
        chance = 1 / (1 + np.exp(-margin[rows]))
        pull, stiffness = weights[rows] * (y[rows] - chance), weights[rows] * chance * (1 - chance)
        asks, splits, leaf = _tree(binned[:, rows], pull, stiffness, depth, ridge, bins)
        sums = np.bincount(leaf, pull, 2**depth) / (np.bincount(leaf, stiffness, 2**depth) + ridge)
        values = (rate * sums).astype(np.float32)
        margin += values[_places(binned, asks, splits)]
        grown.append((asks, [float(cuts[ask][split]) for ask, split in zip(asks, splits, strict=True)], values))
    return Forest(
        np.array([tree[0] for tree in grown], np.int16).reshape(-1, depth),
        np.array([tree[1] for tree in grown], np.float32).reshape(-1, depth),
        np.array([tree[2] for tree in grown], np.float32).reshape(-1, 2**depth),
    )


def _tree(
    binned: NDArray[np.intp], pull: Vector, stiffness: Vector, depth: int, ridge: float, bins: int
) -> tuple[list[int], list[int], NDArray[np.intp]]:
    """The questions of one tree, the best first, and the leaf of each row."""
    columns, asks, splits = len(binned), list[int](), list[int]()
    leaf = np.zeros(binned.shape[1], np.intp)
    for level in range(depth):
        cells = (np.arange(columns)[:, None] * 2**level + leaf) * bins + binned
        shape = columns, 2**level, bins
        sums = [
            np.bincount(cells.ravel(), np.tile(part, columns), np.prod(shape)).reshape(shape).cumsum(axis=2)
            for part in (pull, stiffness)
        ]
        gain = _gain(sums[0], sums[1], ridge)
        ask, split = divmod(int(gain.argmax()), bins)
        asks.append(ask)
        splits.append(split)
        leaf = leaf * 2 + (binned[ask] > split)
    return asks, splits, leaf


def _gain(pull: Vector, stiffness: Vector, ridge: float) -> Vector:
    """What a question would explain, for every column and cut; the last cut parts nothing."""
    left, right = pull, pull[:, :, -1:] - pull
    soft_left, soft_right = stiffness + ridge, stiffness[:, :, -1:] - stiffness + ridge
    gain: Vector = (left**2 / soft_left + right**2 / soft_right).sum(axis=1)
    gain[:, -1] = -np.inf
    return gain


def _places(binned: NDArray[np.intp], asks: list[int], splits: list[int]) -> NDArray[np.intp]:
    leaf = np.zeros(binned.shape[1], np.intp)
    for ask, split in zip(asks, splits, strict=True):
        leaf = leaf * 2 + (binned[ask] > split)
    return leaf


def _cuts(x: Matrix, bins: int) -> NDArray[np.float32]:
    """For each column the values between which it is cut: quantiles of what is there, and nothing beyond."""
    inner = np.linspace(0, 1, bins + 1)[1:-1]
    table = np.full((x.shape[1], bins - 1), np.inf, np.float32)
    for row, column in zip(table, x.T, strict=True):
        values = np.unique(np.quantile(column, inner, method="lower"))
        row[: len(values)] = values
    return np.hstack((table, np.full((x.shape[1], 1), np.inf, np.float32)))


def _short(number: float, digits: int) -> float:
    return float(f"{number:.{digits}g}")
