"""A growing list of names in checkpoints: blocks that are full are written once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Final

from clew.base.codec import same_tags

BLOCK: Final = 4096  # names
COUNT: Final = "hosts"  # the part that says how many there are


@dataclass
class NameBlocks:
    """Knows how many blocks the last checkpoint has in full.

    >>> blocks = NameBlocks()
    >>> blocks.save({"a.example": 0, "b.example": 1})
    {'hosts': b'2', 'hosts.0': b'a.example\\nb.example'}
    """

    full: int = 0
    _pending: int = 0

    def save(self, names: dict[str, int]) -> dict[str, bytes | None]:
        """The parts of a checkpoint; None where the last one has it already."""
        # Names come in the order of their numbers, and none is ever taken away.
        fresh = list(islice(reversed(names), len(names) - self.full * BLOCK))[::-1]
        parts: dict[str, bytes | None] = {COUNT: str(len(names)).encode()}
        parts |= {_name(number): None for number in range(self.full)}
        for start in range(0, len(fresh), BLOCK):
            parts[_name(self.full + start // BLOCK)] = "\n".join(fresh[start : start + BLOCK]).encode()
        self._pending = len(names) // BLOCK
        return parts

    def saved(self) -> None:
        """A checkpoint has what `save` gave last."""
        self.full = self._pending

    def load(self, parts: Mapping[str, bytes]) -> Iterable[str]:
        """The names of a checkpoint, which is the last one from now on."""
        count = int(parts[COUNT])
        blocks = range(-(-count // BLOCK))
        same_tags("the hosts of the frontier", parts, [COUNT, *map(_name, blocks)])
        names = [name for number in blocks for name in parts[_name(number)].decode().split("\n")]
        self.full = self._pending = len(names) // BLOCK
        return names


def _name(number: int) -> str:
    return f"{COUNT}.{number}"
