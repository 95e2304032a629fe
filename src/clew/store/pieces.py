"""Long parts of a checkpoint in pieces, named by what they hold: a piece that is there already is not written again.

The state of strategy, judge and filters is long, and most of it is the same as at the last checkpoint: lists have grown
at their end, some counts have changed. The codec lets long arrays begin where a piece begins, so that pieces are the
same again wherever an array has moved to.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from hashlib import blake2b
from typing import Final

from clew.base.codec import MAGIC, PIECE

LIST: Final = b"\0pieces\n"
"""Begins a part that was cut; the names of its pieces follow, a line each."""
MARK: Final = "#"  # between the name of a part and what names a piece
DIGEST_BYTES: Final = 16


def in_pieces(parts: Mapping[str, bytes | None], there: Collection[str]) -> dict[str, bytes | None]:
    """What to write, long parts in pieces; None for what is there already and stays as it is."""
    held = {name for name, data in parts.items() if data is None}
    found: dict[str, bytes | None] = {name: None for name in there if MARK in name and name.split(MARK)[0] in held}
    for name, data in parts.items():
        if data is None or len(data) <= PIECE or not data.startswith(MAGIC):
            found[name] = data
            continue
        pieces = _cut(name, data)
        found[name] = LIST + "\n".join(piece for piece, _ in pieces).encode()
        found |= {piece: None if piece in there else content for piece, content in pieces}
    return found


def in_one(parts: Mapping[str, bytes]) -> dict[str, bytes]:
    """The parts as they were before they were cut.

    >>> from clew.base.codec import dumps
    >>> long = dumps([*range(20_000)])
    >>> written = in_pieces({"state": b"one", "strategy": long}, there=())
    >>> len(written), in_one(written) == {"state": b"one", "strategy": long}
    (6, True)
    """
    return {name: _whole(data, parts) for name, data in parts.items() if MARK not in name}


def _cut(name: str, data: bytes) -> list[tuple[str, bytes]]:
    """Pieces, in their order, with their names."""
    pieces = [data[start : start + PIECE] for start in range(0, len(data), PIECE)]
    return [(f"{name}{MARK}{blake2b(piece, digest_size=DIGEST_BYTES).hexdigest()}", piece) for piece in pieces]


def _whole(data: bytes, parts: Mapping[str, bytes]) -> bytes:
    if not data.startswith(LIST):
        return data
    return b"".join(parts[piece] for piece in data.removeprefix(LIST).decode().split("\n"))
