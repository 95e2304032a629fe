"""Long lists and dictionaries of plain numbers as arrays: as text they would take ten times as long to write.

Each function gives None where values are not of one kind; then they are written one by one.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

MIN_VALUES: Final = 32
"""A shorter list is written as text: anybody can read it there, and it costs nothing."""


def numbers(values: Sequence[Any]) -> NDArray[Any] | None:
    """Whole numbers of at most 64 bits, or floats, or truth values.

    >>> numbers([1, 2.5]), numbers([True, False])
    (None, array([ True, False]))
    """
    kinds = set(map(type, values))
    if kinds == {int}:
        return _integers(values)
    if kinds == {float}:
        return np.array(values, np.float64)
    if kinds == {bool}:
        return np.array(values, np.bool_)
    return None


def lines(values: Sequence[Any]) -> NDArray[np.uint8] | None:
    """Texts of one line each, such as URLs, as the bytes of all lines.

    >>> (lines(["ab", "c"]) == np.array([97, 98, 10, 99])).all(), lines(["a\\n", "b"])
    (np.True_, None)
    """
    if set(map(type, values)) != {str}:
        return None
    text = "\n".join(values)
    return None if text.count("\n") >= len(values) else np.frombuffer(text.encode("utf-8", "surrogatepass"), np.uint8)


def from_lines(text: NDArray[np.uint8]) -> list[str]:
    """The texts that `lines` was given."""
    return text.tobytes().decode("utf-8", "surrogatepass").split("\n")


def runs(values: Sequence[Any]) -> tuple[NDArray[Any], NDArray[Any]] | None:
    """Lists of numbers of one kind: how long each is, and all of them one after the other.

    >>> [each.tolist() for each in runs([[5, 6], [], [7]]) or ()]
    [[2, 0, 1], [5, 6, 7]]
    """
    if set(map(type, values)) != {list}:
        return None
    joined = numbers([*chain.from_iterable(values)])
    return None if joined is None else (np.array([*map(len, values)], np.int64), joined)


def from_runs(sizes: NDArray[Any], joined: NDArray[Any]) -> list[list[Any]]:
    """The lists that `runs` was given."""
    flat = joined.tolist()
    ends = np.cumsum(sizes).tolist()
    return [flat[end - size : end] for end, size in zip(ends, sizes.tolist(), strict=True)]


def transposed(values: Sequence[Any]) -> list[list[Any]] | None:
    """The columns of tuples of one length.

    >>> transposed([(1, "a"), (2, "b")])
    [[1, 2], ['a', 'b']]
    """
    if set(map(type, values)) != {tuple} or len(sizes := set(map(len, values))) > 1 or sizes == {0}:
        return None
    return [[*column] for column in zip(*values, strict=True)]


def fields(values: Sequence[Any]) -> dict[str, list[Any]] | None:
    """The columns of dictionaries that have the same names in the same order.

    >>> fields([{"a": 1, "b": 2}, {"a": 3, "b": 4}])
    {'a': [1, 3], 'b': [2, 4]}
    """
    if set(map(type, values)) != {dict}:
        return None
    names = tuple(values[0])
    if not names or any(tuple(value) != names for value in values) or not all(type(name) is str for name in names):
        return None
    return {name: [value[name] for value in values] for name in names}


def from_fields(columns: Mapping[str, Iterable[Any]]) -> list[dict[str, Any]]:
    """The dictionaries that `fields` was given."""
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def _integers(values: Sequence[int]) -> NDArray[Any] | None:
    for code in "qQ":
        try:
            return np.frombuffer(array(code, values), code)
        except OverflowError:
            continue
    return None
