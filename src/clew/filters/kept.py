"""Dictionaries in checkpoints: what has changed since the last one, and now and then the whole."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar

from clew.base import codec

K = TypeVar("K")
V = TypeVar("V")

MAX_LOGS: Final = 64
LOG: Final = "+"  # between the tag of a dictionary and the number of a log


class Kept(dict[K, V]):
    """A dictionary that knows what has changed since the last checkpoint.

    A checkpoint writes the changed entries as a log. When the logs hold as many entries as the dictionary, it is
    written as a whole, and the logs go. Values must be set to be noticed: one that changes in place is not.

    >>> known = Kept({7: "a", 8: "b"})
    >>> [*known.save("names")]
    ['names']
    >>> known.saved()
    >>> known[9] = "c"
    >>> parts = known.save("names")
    >>> [*parts], parts["names"]
    (['names', 'names+0'], None)
    """

    def __init__(
        self,
        entries: Mapping[K, V] | None = None,
        dumps: Callable[[dict[K, V]], bytes] = codec.dumps,
        loads: Callable[[bytes], dict[K, V]] = codec.loads,
    ) -> None:
        super().__init__(entries or {})
        self._dumps = dumps
        self._loads = loads
        self._changed: dict[K, None] = {}  # in the order in which new entries came
        self._gone: set[K] = set()
        self._is_written = False
        self._logs = 0  # that the last checkpoint has
        self._logged = 0  # entries in them
        self._pending = (0, 0)  # the same of the one that is being written

    def __setitem__(self, key: K, value: V) -> None:
        super().__setitem__(key, value)
        self._changed[key] = None

    def __delitem__(self, key: K) -> None:
        super().__delitem__(key)
        self._changed.pop(key, None)
        self._gone.add(key)

    def pop(self, key: K, default: Any = None) -> Any:
        """The value, which is taken out; the default if there is none."""
        if key not in self:
            return default
        value = self[key]
        del self[key]
        return value

    def save(self, tag: str) -> dict[str, bytes | None]:
        """The parts of a checkpoint; None where the last one has it already."""
        fresh = len(self._changed) + len(self._gone)
        if not self._is_written or self._logs >= MAX_LOGS or self._logged + fresh > len(self):
            self._pending = (0, 0)
            return {tag: self._dumps(dict(self))}
        parts: dict[str, bytes | None] = {tag: None}
        parts |= {_log_tag(tag, number): None for number in range(self._logs)}
        if fresh:
            changed = {key: self[key] for key in self._changed}
            parts[_log_tag(tag, self._logs)] = _log(self._gone, self._dumps(changed))
        self._pending = (len(parts) - 1, self._logged + fresh)
        return parts

    def saved(self) -> None:
        """A checkpoint has what `save` gave last."""
        self._logs, self._logged = self._pending
        self._is_written = True
        self._changed = {}
        self._gone = set()

    def write_whole(self) -> None:
        """The next checkpoint does not build on what the last one has."""
        self._is_written = False

    def load(self, tag: str, parts: Mapping[str, bytes]) -> None:
        """Take over a checkpoint, which is the last one from now on."""
        self.clear()
        self.update(self._loads(parts[tag]))
        logs = len(tags_of(tag, parts)) - 1
        logged = 0
        for number in range(logs):
            gone, changed = _read(parts[_log_tag(tag, number)])
            entries = self._loads(changed)
            for key in gone:
                super().pop(key, None)
            self.update(entries)
            logged += len(gone) + len(entries)
        self._pending = (logs, logged)
        self.saved()


def tags_of(tag: str, parts: Mapping[str, bytes]) -> list[str]:
    """The tags under which a dictionary is saved: its own, and those of its logs.

    >>> tags_of("names", {"names": b"", "names+0": b"", "numbers": b""})
    ['names', 'names+0']
    """
    return [tag, *(name for name in parts if name.startswith(f"{tag}{LOG}"))]


def _log_tag(tag: str, number: int) -> str:
    return f"{tag}{LOG}{number}"


def _log(gone: set[K], changed: bytes) -> bytes:
    """First the keys that have gone, for one of them may have come again, at the end."""
    keys = codec.dumps(sorted(gone, key=repr))
    return len(keys).to_bytes(codec.SIZE_BYTES, "little") + keys + changed


def _read(log: bytes) -> tuple[list[Any], bytes]:
    end = codec.SIZE_BYTES + int.from_bytes(log[: codec.SIZE_BYTES], "little")
    return codec.loads(log[codec.SIZE_BYTES : end]), log[end:]
