"""Gradient-boosted trees that are small enough to grow during a crawl and to ship as a readable file.

The trees are oblivious: each level asks the same question of every input. Scoring is then a few comparisons of whole
columns, a tree is a handful of numbers, and growing one needs no recursion. Unlike the forests of the usual libraries,
one can be grown on top of the margins of another model, and it is plain arrays: no pickle.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float32]
Vector = NDArray[np.float64]
Bins = NDArray[np.intp]  # for each row the bin of each column, or its leaf

ROUNDING: Final = 1e-9  # gains that differ by a smaller share may differ by rounding only


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
    binned = np.column_stack([np.searchsorted(cut, column) for cut, column in zip(cuts, x.T, strict=True)])
    columns: list[list[int]] = []
    thresholds: list[list[float]] = []
    leaves: list[NDArray[np.float32]] = []
    for _ in range(trees):
        rows = slice(None) if sample >= 1 else np.flatnonzero(chances.random(len(x)) < sample)
        chance = 1 / (1 + np.exp(-margin[rows]))
        # The first and second derivatives of the log loss: a leaf takes one Newton step.
        gradient = weights[rows] * (y[rows] - chance)
        hessian = weights[rows] * chance * (1 - chance)
        asks, splits, leaf = _tree(binned[rows], gradient, hessian, depth, ridge, bins)
        steps = np.bincount(leaf, gradient, 2**depth) / (np.bincount(leaf, hessian, 2**depth) + ridge)
        values = (rate * steps).astype(np.float32)
        margin += values[leaf if sample >= 1 else _places(binned, asks, splits)]
        columns.append(asks)
        thresholds.append([float(cuts[ask][split]) for ask, split in zip(asks, splits, strict=True)])
        leaves.append(values)
    return Forest(
        np.array(columns, np.int16).reshape(-1, depth),
        np.array(thresholds, np.float32).reshape(-1, depth),
        np.array(leaves, np.float32).reshape(-1, 2**depth),
    )


def _tree(
    binned: Bins, gradient: Vector, hessian: Vector, depth: int, ridge: float, bins: int
) -> tuple[list[int], list[int], Bins]:
    """The questions of one tree, the best first, and the leaf of each row."""
    asks: list[int] = []
    splits: list[int] = []
    leaf = np.zeros(len(binned), np.intp)
    slopes = gradient, hessian
    cells = binned + np.arange(binned.shape[1]) * bins
    sums = _sums(cells, slopes, (1, binned.shape[1], bins))
    for level in range(depth):
        if level:
            sums = _children(sums, cells, leaf, slopes)
        ask, split = _best(_gain(sums, ridge), binned, leaf, slopes, ridge)
        asks.append(ask)
        splits.append(split)
        leaf = leaf * 2 + (binned[:, ask] > split)
    return asks, splits, leaf


def _best(gain: Vector, binned: Bins, leaf: Bins, slopes: tuple[Vector, Vector], ridge: float) -> tuple[int, int]:
    """The column and the cut that gain most; the first of several that gain the same."""
    bins = gain.shape[1]
    most = gain.max()
    close = np.flatnonzero(gain.max(axis=1) >= most - ROUNDING * abs(most))
    # Sums that were found by subtraction are rounded otherwise: among the best, those over the rows decide.
    shape = (int(leaf.max()) + 1, len(close), bins)
    cells = binned[:, close] + np.arange(len(close)) * bins + (leaf * (len(close) * bins))[:, None]
    exact = _gain(_sums(cells, slopes, shape), ridge)
    place, split = divmod(int(exact.argmax()), bins)
    return int(close[place]), split


def _sums(cells: Bins, slopes: tuple[Vector, Vector], shape: tuple[int, int, int]) -> Vector:
    """Both derivatives, summed over the rows in each cell; there is one for each leaf, column and bin."""
    _, columns, _ = shape
    # Row by row, so that neighbours fall into different cells: a processor waits for a sum that it has just written.
    flat = cells.ravel()
    sums = [np.bincount(flat, np.repeat(values, columns), np.prod(shape)) for values in slopes]
    return np.array(sums, np.float64).reshape(2, *shape)


def _children(parents: Vector, cells: Bins, leaf: Bins, slopes: tuple[Vector, Vector]) -> Vector:
    """The sums one level below: over the smaller child of each leaf; its sibling has what remains."""
    _, leaves, columns, bins = parents.shape
    sizes = np.bincount(leaf, minlength=2 * leaves).reshape(leaves, 2)
    smaller = sizes.argmin(axis=1)
    rows = np.flatnonzero(smaller[leaf >> 1] == leaf & 1)
    in_parents = cells[rows] + ((leaf[rows] >> 1) * (columns * bins))[:, None]
    gradient, hessian = slopes
    counted = _sums(in_parents, (gradient[rows], hessian[rows]), (leaves, columns, bins))
    children = np.empty((2, leaves, 2, columns, bins))
    every = np.arange(leaves)
    children[:, every, smaller] = counted
    children[:, every, 1 - smaller] = parents - counted
    return children.reshape(2, 2 * leaves, columns, bins)


def _gain(sums: Vector, ridge: float) -> Vector:
    """By how much a question would lower the loss, for every column and cut."""
    # In each bin and in all bins before it.
    gradient, hessian = sums.cumsum(axis=3)
    right = gradient[:, :, -1:] - gradient
    left_curve = hessian + ridge
    right_curve = hessian[:, :, -1:] - hessian + ridge
    gain: Vector = (gradient**2 / left_curve + right**2 / right_curve).sum(axis=0)
    # The last cut has everything on its left.
    gain[:, -1] = -np.inf
    return gain


def _places(binned: Bins, asks: list[int], splits: list[int]) -> Bins:
    leaf = np.zeros(len(binned), np.intp)
    for ask, split in zip(asks, splits, strict=True):
        leaf = leaf * 2 + (binned[:, ask] > split)
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
