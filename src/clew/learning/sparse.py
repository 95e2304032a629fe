"""Sparse rows of a matrix with the few operations that linear models need: NumPy alone is fast enough for them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class SparseRows:
    """The values of a matrix that are not zero, row by row.

    >>> rows = SparseRows.of([np.array([0, 2]), np.array([1])], [np.array([1.0, 2.0]), np.array([3.0])], width=3)
    >>> rows.times(np.array([10.0, 1.0, 1.0])), rows.transposed_times(np.array([1.0, 2.0]))
    (array([12.,  3.]), array([1., 6., 2.]))
    """

    columns: Integers  # of each value
    values: Floats
    sizes: Integers  # of each row
    width: int  # number of columns
    _row: Integers = field(init=False, repr=False)  # of each value

    def __post_init__(self) -> None:
        # The dataclass is frozen, so a derived field is set behind its back.
        object.__setattr__(self, "_row", np.repeat(np.arange(len(self.sizes)), self.sizes))

    @classmethod
    def of(
        cls, columns: Sequence[NDArray[np.integer]], values: Sequence[NDArray[np.floating]], width: int
    ) -> SparseRows:
        """Rows from the columns and values of each."""
        sizes = np.array([len(row) for row in columns], np.int64)
        if not sizes.sum():
            return cls(np.zeros(0, np.int64), np.zeros(0), sizes, width)
        return cls(np.concatenate(columns).astype(np.int64), np.concatenate(values).astype(np.float64), sizes, width)

    def __len__(self) -> int:
        return len(self.sizes)

    def times(self, weights: Floats) -> Floats:
        """The sum of each row, its values weighted by column."""
        return np.bincount(self._row, self.values * weights[self.columns], minlength=len(self)).astype(np.float64)

    def transposed_times(self, factors: Floats) -> Floats:
        """The sum of each column, its values weighted by row."""
        return np.bincount(self.columns, self.values * factors[self._row], minlength=self.width).astype(np.float64)

    def taken(self, rows: Integers) -> SparseRows:
        """Some of the rows, in this order."""
        ends = np.cumsum(self.sizes)
        starts = ends - self.sizes
        sizes = self.sizes[rows]
        first = np.repeat(starts[rows] - np.cumsum(sizes) + sizes, sizes)
        places = first + np.arange(int(sizes.sum()))
        return SparseRows(self.columns[places], self.values[places], sizes, self.width)

    def compact(self) -> tuple[SparseRows, Integers]:
        """The same rows without empty columns, and the columns that are left."""
        # By a table of all columns: to sort the columns of all values would take most of the time of a fit.
        is_left = np.zeros(self.width, np.bool_)
        is_left[self.columns] = True
        left = np.flatnonzero(is_left)
        places = np.cumsum(is_left) - 1
        return SparseRows(places[self.columns], self.values, self.sizes, len(left)), left

    def normalised(self) -> SparseRows:
        """Rows of length 1; empty ones stay empty."""
        lengths = np.sqrt(np.bincount(self._row, self.values**2, minlength=len(self)))
        lengths[lengths == 0.0] = 1.0
        return SparseRows(self.columns, self.values / lengths[self._row], self.sizes, self.width)
