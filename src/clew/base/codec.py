"""Encodes plain values and NumPy arrays as bytes, without pickle: a file from anywhere is safe to load."""

from __future__ import annotations

import base64
import io
import json
from collections.abc import Iterable
from typing import Any, Final

import numpy as np

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


def dumps(value: Any) -> bytes:
    """Encode numbers, strings, lists, tuples, sets, dicts with plain keys, and arrays.

    >>> loads(dumps({"a": (1, 2.5), 3: {"x"}}))
    {'a': (1, 2.5), 3: {'x'}}
    """
    return json.dumps(_encode(value), separators=(",", ":")).encode()


def loads(data: bytes) -> Any:
    """Decode what `dumps` wrote."""
    return _decode(json.loads(data))


_PLAIN: Final = frozenset((str, int, float, bool, type(None)))
"""Most values by far; they are passed over before anything else is asked."""


def _encode(value: Any) -> Any:
    if type(value) in _PLAIN:
        return value
    match value:
        case np.ndarray():
            out = io.BytesIO()
            np.save(out, value, allow_pickle=False)
            return {"~b": base64.b64encode(out.getbuffer()).decode()}
        case np.generic():
            return value.item()
        case tuple():
            return {"~t": _encode_all(value)}
        case set() | frozenset():
            # Sorted, because the bytes must not depend on the hash seed of the process.
            return {"~s": sorted(map(_encode, value), key=json.dumps)}
        case list():
            return _encode_all(value)
        case dict() if all(isinstance(key, str) and not key.startswith("~") for key in value):
            return dict(zip(value, _encode_all(value.values()), strict=True))
        # JSON has only strings as keys, and "~" marks the types above: such a dict becomes a list of pairs.
        case dict():
            return {"~d": [[_encode(key), _encode(item)] for key, item in value.items()]}
        case None | bool() | int() | float() | str():
            return value
    raise TypeError(f"cannot save a {type(value).__name__}; use plain values or NumPy arrays")


def _encode_all(values: Iterable[Any]) -> list[Any]:
    return [value if type(value) in _PLAIN else _encode(value) for value in values]


def _decode(value: Any) -> Any:
    if isinstance(value, list):
        return [_decode(item) for item in value]
    if not isinstance(value, dict):
        return value
    match list(value.items()):
        case [("~b", text)]:
            return np.load(io.BytesIO(base64.b64decode(text)), allow_pickle=False)
        # Older folders: base85 is a little shorter, but pure Python and a hundred times slower.
        case [("~a", text)]:
            return np.load(io.BytesIO(base64.b85decode(text)), allow_pickle=False)
        case [("~t", items)]:
            return tuple(_decode(item) for item in items)
        case [("~s", items)]:
            return {_decode(item) for item in items}
        case [("~d", pairs)]:
            return {_decode(key): _decode(item) for key, item in pairs}
    return {key: _decode(item) for key, item in value.items()}
