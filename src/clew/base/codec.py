"""Encodes plain values and NumPy arrays as bytes, without pickle: a file from anywhere is safe to load.

Small values are JSON. Arrays, and long lists of numbers, stand behind it as they are in memory: a state of many
megabytes is written about as fast as it is copied.
"""

from __future__ import annotations

import base64
import io
import json
import math
from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from clew.base import bulk
from clew.errors import StoreError


def same_tags(owner: str, found: Iterable[str], expected: Iterable[str]) -> None:
    """Refuse a saved state with missing or unknown tags: ignoring either would silently lose what was learnt.

    >>> same_tags("a strategy", {"seen": 1}, ["seen", "paid"])
    Traceback (most recent call last):
    clew.errors.StoreError: the saved state of a strategy has no 'paid'; it was written by another version of clew
    """
    there = set(found)
    wanted = set(expected)
    if missing := sorted(wanted - there):
        raise StoreError(f"the saved state of {owner} has no {missing[0]!r}; it was written by another version of clew")
    if unknown := sorted(there - wanted):
        raise StoreError(
            f"the saved state of {owner} has an unknown part {unknown[0]!r}; it was written by another version of clew"
        )


MAGIC: Final = b"\0arrays\n"
"""Begins a value with arrays behind its JSON; JSON never begins so."""
SIZE_BYTES: Final = 8  # of the numbers that say how long the JSON is, and the short arrays
PIECE: Final = 1 << 16  # bytes; where a value is kept in pieces, a long array begins with one, wherever it stands


class _Arrays:
    """Those that stand behind the JSON: first the short ones, then the long ones, each at the beginning of a piece."""

    def __init__(self) -> None:
        self.short: list[bytes] = []
        self.long: list[bytes] = []
        self.at_short = 0  # bytes, of the next short one
        self.at_long = 0  # pieces, of the next long one

    def add(self, value: NDArray[Any]) -> list[int]:
        """Take one in; among which it stands, and where it begins there."""
        data = value.tobytes()
        if len(data) < PIECE:
            self.short.append(data)
            self.at_short += len(data)
            return [0, self.at_short - len(data)]
        n_pieces = -(-len(data) // PIECE)
        self.long += [data, bytes(n_pieces * PIECE - len(data))]
        self.at_long += n_pieces
        return [1, (self.at_long - n_pieces) * PIECE]


class _Behind(NamedTuple):
    """The same when they are read."""

    short: memoryview
    long: memoryview

    def array(self, dtype: str, shape: Sequence[int], where: int, start: int) -> NDArray[Any]:
        """A copy, which can be changed."""
        return np.frombuffer(self[where], np.dtype(dtype), math.prod(shape), start).reshape(shape).copy()


def dumps(value: Any) -> bytes:
    """Encode numbers, strings, lists, tuples, sets, dicts with plain keys, and arrays.

    >>> loads(dumps({"a": (1, 2.5), 3: {"x"}}))
    {'a': (1, 2.5), 3: {'x'}}
    """
    arrays = _Arrays()
    text = json.dumps(_encode(value, arrays), separators=(",", ":")).encode()
    if not arrays.short and not arrays.long:
        return text
    lengths = (len(text), arrays.at_short)
    head = b"".join((MAGIC, *(size.to_bytes(SIZE_BYTES, "little") for size in lengths), text, *arrays.short))
    return b"".join((head, bytes(-len(head) % PIECE if arrays.long else 0), *arrays.long))


def dumps_text(value: Any) -> str:
    """The same as text alone, for where bytes have no place."""
    return json.dumps(_encode(value, None), separators=(",", ":"))


def loads(data: bytes | str) -> Any:
    """Decode what `dumps` or `dumps_text` wrote."""
    if isinstance(data, str) or not data.startswith(MAGIC):
        return _decode(json.loads(data), _Behind(memoryview(b""), memoryview(b"")))
    begin = len(MAGIC) + 2 * SIZE_BYTES
    sizes = [int.from_bytes(data[at : at + SIZE_BYTES], "little") for at in (len(MAGIC), len(MAGIC) + SIZE_BYTES)]
    end = begin + sizes[0]
    after = end + sizes[1]
    view = memoryview(data)
    return _decode(json.loads(data[begin:end]), _Behind(view[end:after], view[after + -after % PIECE :]))


_PLAIN: Final = frozenset((str, int, float, bool, type(None)))
"""Most values by far; they are passed over before anything else is asked."""


def _encode(value: Any, arrays: _Arrays | None) -> Any:
    if type(value) in _PLAIN:
        return value
    match value:
        case np.ndarray():
            return _encode_array(value, arrays)
        case np.generic():
            return value.item()
        case tuple():
            return {"~t": _encode_all(value, arrays)}
        case set() | frozenset():
            # Sorted, because the bytes must not depend on the hash seed of the process.
            return {"~s": sorted((_encode(item, None) for item in value), key=json.dumps)}
        case list():
            return _encode_list(value, arrays)
        case dict() if all(isinstance(key, str) and not key.startswith("~") for key in value):
            return dict(zip(value, _encode_all(value.values(), arrays), strict=True))
        case dict() if arrays is not None and len(value) >= bulk.MIN_VALUES:
            return {"~k": [_encode_list([*value], arrays), _encode_list([*value.values()], arrays)]}
        # JSON has only strings as keys, and "~" marks the types above: such a dict becomes a list of pairs.
        case dict():
            return {"~d": [[_encode(key, arrays), _encode(item, arrays)] for key, item in value.items()]}
        case None | bool() | int() | float() | str():
            return value
    raise TypeError(f"cannot save a {type(value).__name__}; use plain values or NumPy arrays")


def _encode_all(values: Iterable[Any], arrays: _Arrays | None) -> list[Any]:
    return [value if type(value) in _PLAIN else _encode(value, arrays) for value in values]


def _encode_list(values: Sequence[Any], arrays: _Arrays | None) -> Any:
    if arrays is None or len(values) < bulk.MIN_VALUES:
        return _encode_all(values, arrays)
    if (found := bulk.numbers(values)) is not None:
        return {"~l": _encode_array(found, arrays)}
    if (lines := bulk.lines(values)) is not None:
        return {"~u": _encode_array(lines, arrays)}
    if (runs := bulk.runs(values)) is not None:
        return {"~r": [_encode_array(each, arrays) for each in runs]}
    if (columns := bulk.transposed(values)) is not None:
        return {"~c": [_encode_list(column, arrays) for column in columns]}
    if (fields := bulk.fields(values)) is not None:
        return {"~f": [[name, _encode_list(column, arrays)] for name, column in fields.items()]}
    return _encode_all(values, arrays)


def _encode_array(value: NDArray[Any], arrays: _Arrays | None) -> Any:
    if value.dtype.hasobject:
        raise ValueError("cannot save an array of objects; use plain values or arrays of numbers")
    # The name of a type of rows with fields does not say which fields.
    if arrays is None or value.dtype.names:
        out = io.BytesIO()
        np.save(out, value, allow_pickle=False)
        return {"~b": base64.b64encode(out.getbuffer()).decode()}
    return {"~n": [value.dtype.str, list(value.shape), *arrays.add(value)]}


def _decode(value: Any, behind: _Behind) -> Any:
    if isinstance(value, list):
        return [_decode(item, behind) for item in value]
    if not isinstance(value, dict):
        return value
    match list(value.items()):
        case [("~n", [dtype, shape, where, start])]:
            return behind.array(dtype, shape, where, start)
        case [("~u", lines)]:
            return bulk.from_lines(_decode(lines, behind))
        case [("~l", numbers)]:
            return _decode(numbers, behind).tolist()
        case [("~r", [sizes, joined])]:
            return bulk.from_runs(_decode(sizes, behind), _decode(joined, behind))
        case [("~c", columns)]:
            return [*zip(*_decode(columns, behind), strict=True)]
        case [("~f", columns)]:
            return bulk.from_fields({name: _decode(column, behind) for name, column in columns})
        case [("~k", [keys, items])]:
            return dict(zip(_decode(keys, behind), _decode(items, behind), strict=True))
        case [("~b", text)]:
            return np.load(io.BytesIO(base64.b64decode(text)), allow_pickle=False)
        # Older folders: base85 is a little shorter, but pure Python and a hundred times slower.
        case [("~a", text)]:
            return np.load(io.BytesIO(base64.b85decode(text)), allow_pickle=False)
        case [("~t", items)]:
            return tuple(_decode(item, behind) for item in items)
        case [("~s", items)]:
            return {_decode(item, behind) for item in items}
        case [("~d", pairs)]:
            return {_decode(key, behind): _decode(item, behind) for key, item in pairs}
    return {key: _decode(item, behind) for key, item in value.items()}
