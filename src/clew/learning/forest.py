"""Gradient-boosted trees that are small enough to grow during a crawl and to ship as a readable file.

The trees are oblivious: each level asks the same question of every input. Scoring is then a few comparisons of whole
columns, a tree is a handful of numbers, and growing one needs no recursion. Unlike the forests of the usual libraries,
one can be grown on top of the margins of another model, and it is plain arrays: no pickle.
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
    cuts: NDArray[np.float32]  # tree x level: the threshold that the column is compared with
    leaves: NDArray[np.float32]  # tree x answers: what is added to the log odds
    bias: float = 0.0

    def margin(self, x: Matrix) -> Vector:
        """The log odds of each row."""
        if not len(self.asks):
            return np.full(len(x), self.bias)
        places = np.zeros((len(x), len(self.asks)), np.intp)
        # The answers of the levels, as bits, are the number of the leaf.
        for asks, cuts in zip(self.asks.T, self.cuts.T, strict=True):
            places *= 2
            places += x[:, asks] > cuts
        places += np.arange(len(self.asks)) * self.leaves.shape[1]
        total: Vector = self.leaves.ravel()[places].sum(axis=1, dtype=np.float64)
        return total + self.bias

    def plain(self, digits: int = 4) -> dict[str, Any]:
        """The forest as lists with rounded numbers, for a file."""
        return {
            "asks": self.asks.tolist(),
            "cuts": [_short_row(row, digits) for row in self.cuts],
            "leaves": [_short_row(row, digits) for row in self.leaves],
            "bias": _short(self.bias, digits),
        }

    @classmethod
    def of(cls, plain: dict[str, Any]) -> Forest:
        """A forest from lists, as `plain` returns them."""
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
    """Grow a forest for labels from 0 to 1; `base` holds margins that it only has to correct."""
    chances = np.random.default_rng(seed)
    weights = np.ones(len(x)) if weights is None else weights
    margin = np.zeros(len(x)) if base is None else base.astype(np.float64)
    cuts = _cuts(x, bins)
    binned = np.stack([np.searchsorted(cut, column) for cut, column in zip(cuts, x.T, strict=True)]).astype(np.intp)
    columns: list[list[int]] = []
    thresholds: list[list[float]] = []
    leaves: list[NDArray[np.float32]] = []
    for _ in range(trees):
        rows = slice(None) if sample >= 1 else np.flatnonzero(chances.random(len(x)) < sample)
        chance = 1 / (1 + np.exp(-margin[rows]))
        # The first and second derivatives of the log loss: a leaf takes one Newton step.
        gradient = weights[rows] * (y[rows] - chance)
        hessian = weights[rows] * chance * (1 - chance)
        asks, splits, leaf = _tree(binned[:, rows], gradient, hessian, depth, ridge, bins)
        steps = np.bincount(leaf, gradient, 2**depth) / (np.bincount(leaf, hessian, 2**depth) + ridge)
        values = (rate * steps).astype(np.float32)
        margin += values[_places(binned, asks, splits)]
        columns.append(asks)
        thresholds.append([float(cuts[ask][split]) for ask, split in zip(asks, splits, strict=True)])
        leaves.append(values)
    return Forest(
        np.array(columns, np.int16).reshape(-1, depth),
        np.array(thresholds, np.float32).reshape(-1, depth),
        np.array(leaves, np.float32).reshape(-1, 2**depth),
    )


def _tree(
    binned: NDArray[np.intp], gradient: Vector, hessian: Vector, depth: int, ridge: float, bins: int
) -> tuple[list[int], list[int], NDArray[np.intp]]:
    """The questions of one tree, the best first, and the leaf of each row."""
    columns = len(binned)
    asks: list[int] = []
    splits: list[int] = []
    leaf = np.zeros(binned.shape[1], np.intp)
    for level in range(depth):
        # A cell for each column, leaf and bin; one bincount then fills the histograms of all of them.
        shape = (columns, 2**level, bins)
        cells = ((np.arange(columns)[:, None] * 2**level + leaf) * bins + binned).ravel()
        gain = _gain(_sums(cells, gradient, shape), _sums(cells, hessian, shape), ridge)
        ask, split = divmod(int(gain.argmax()), bins)
        asks.append(ask)
        splits.append(split)
        leaf = leaf * 2 + (binned[ask] > split)
    return asks, splits, leaf


def _sums(cells: NDArray[np.intp], values: Vector, shape: tuple[int, int, int]) -> Vector:
    """The sum of the values in each bin and in all bins before it."""
    columns = shape[0]
    return np.bincount(cells, np.tile(values, columns), np.prod(shape)).reshape(shape).cumsum(axis=2)


def _gain(gradient: Vector, hessian: Vector, ridge: float) -> Vector:
    """By how much a question would lower the loss, for every column and cut."""
    right = gradient[:, :, -1:] - gradient
    left_curve = hessian + ridge
    right_curve = hessian[:, :, -1:] - hessian + ridge
    gain: Vector = (gradient**2 / left_curve + right**2 / right_curve).sum(axis=1)
    # The last cut has everything on its left.
    gain[:, -1] = -np.inf
    return gain


def _places(binned: NDArray[np.intp], asks: list[int], splits: list[int]) -> NDArray[np.intp]:
    leaf = np.zeros(binned.shape[1], np.intp)
    for ask, split in zip(asks, splits, strict=True):
        leaf = leaf * 2 + (binned[ask] > split)
    return leaf


def _cuts(x: Matrix, bins: int) -> NDArray[np.float32]:
    """For each column the values at which it may be cut: its distinct quantiles, padded with infinity."""
    inner = np.linspace(0, 1, bins + 1)[1:-1]
    table = np.full((x.shape[1], bins - 1), np.inf, np.float32)
    for row, column in zip(table, x.T, strict=True):
        values = np.unique(np.quantile(column, inner, method="lower"))
        row[: len(values)] = values
    return np.hstack((table, np.full((x.shape[1], 1), np.inf, np.float32)))


def _short_row(row: NDArray[np.float32], digits: int) -> list[float]:
    return [_short(number, digits) for number in row.tolist()]


def _short(number: float, digits: int) -> float:
    return float(f"{number:.{digits}g}")
