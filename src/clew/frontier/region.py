"""Room for a column of numbers, apart from the heap.

What grows on the heap is moved there, and what it leaves behind stays a hole as long as nothing fits into it: up to a
quarter of what a frontier took. A region is mapped by itself. It grows without being copied where the system can do
so, and pages of it that nobody has written to take no memory.
"""

from __future__ import annotations

import mmap
from array import array
from typing import Any, Final

# Numbers of a process of its own: a child that is forked must not write into its parent's.
_PRIVATE: Final[dict[str, int]] = (
    {"flags": mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS} if hasattr(mmap, "MAP_ANONYMOUS") else {}
)


class Region:
    """Zeros to begin with; `numbers` is the place for them until the next `extend`.

    >>> region = Region("d", 2)
    >>> region.numbers[1] = 0.5
    >>> region.extend(4)
    >>> region.numbers.tolist()
    [0.0, 0.5, 0.0, 0.0]
    """

    __slots__ = ("_code", "_map", "numbers")

    def __init__(self, code: str, size: int) -> None:
        self._code = code
        self._map = mmap.mmap(-1, size * array(code).itemsize, **_PRIVATE)
        self.numbers: memoryview[Any] = self._view()

    def extend(self, size: int) -> None:
        """Make room for so many numbers; `numbers` of before can no longer be used."""
        n_bytes = size * self.numbers.itemsize
        self.numbers.release()
        try:
            self._map.resize(n_bytes)
        except SystemError:
            # Not every system can extend a mapping.
            longer = mmap.mmap(-1, n_bytes, **_PRIVATE)
            longer[: len(self._map)] = self._map[:]
            self._map.close()
            self._map = longer
        self.numbers = self._view()

    def _view(self) -> memoryview[Any]:
        with memoryview(self._map) as whole:
            return whole.cast(self._code)  # type: ignore[call-overload,no-any-return]
