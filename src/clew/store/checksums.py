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


def with_checksums(parts: Mapping[str, bytes | None], earlier: Mapping[str, int] | None = None) -> dict[str, bytes]:
    """The parts, and one more with their checksums; of a part that is None, the earlier one holds."""
    found = {name: data for name, data in parts.items() if data is not None}
    sums = {name: isal_zlib.crc32(data) for name, data in found.items()}
    try:
        sums |= {name: (earlier or {})[name] for name, data in parts.items() if data is None}
    except KeyError as error:
        raise StoreError(f"the checkpoint has no part {error.args[0]!r} that could hold on: {REMEDY}") from None
    return {**found, CHECKSUMS: json.dumps(sums).encode()}


def read_checksums(saved: bytes | None) -> dict[str, int]:
    """The checksums of the parts of a checkpoint; empty where there are none, or none that can be read."""
    try:
        return dict(json.loads(saved)) if saved else {}
    except ValueError:
        return {}


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
