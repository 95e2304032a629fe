"""Checksums of the parts of a checkpoint: a part that was damaged on the disk is noticed before it is loaded."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final

from isal import isal_zlib

from clew.errors import StoreError

CHECKSUMS: Final = "checksums"
"""The name of the part that holds the checksums of the others."""
REMEDY: Final = "`clew check FOLDER --repair` makes a new one from the visits"


def with_checksums(parts: Mapping[str, bytes]) -> dict[str, bytes]:
    """The parts, and one more with their checksums."""
    sums = {name: isal_zlib.crc32(data) for name, data in parts.items()}
    return {**parts, CHECKSUMS: json.dumps(sums).encode()}


def verified(parts: Mapping[str, bytes]) -> dict[str, bytes]:
    """The parts without the checksums; checkpoints of earlier versions have none.

    >>> verified(with_checksums({"state": b"one"}))
    {'state': b'one'}
    >>> verified({**with_checksums({"state": b"one"}), "state": b"two"})  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    clew.errors.StoreError: the checkpoint is damaged (part 'state'): ...
    """
    found = dict(parts)
    if CHECKSUMS not in found:
        return found
    saved = found.pop(CHECKSUMS)
    try:
        sums = json.loads(saved)
    except ValueError:
        raise StoreError(f"the checkpoint is damaged (its checksums cannot be read): {REMEDY}") from None
    for name in sorted({*sums, *found}):
        if name not in found or sums.get(name) != isal_zlib.crc32(found[name]):
            raise StoreError(f"the checkpoint is damaged (part {name!r}): {REMEDY}")
    return found
