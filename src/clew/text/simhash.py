"""A fingerprint of a text that changes little when the text does, and the search for its near neighbours."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

NEAR: Final = 3
"""Bits in which the fingerprints of near-duplicates differ at most (Manku and others, 2007)."""
FAR: Final = 8
"""Bits in which they may differ where something else speaks for it, too; most such pairs are found, not all."""
SHINGLE: Final = 3  # words
MAX_TEXT_BYTES: Final = 15_000  # bytes of a text that count: more of them cost time and seldom change the verdict
_BLOCKS: Final = (0, 16, 32, 48)  # of two words within three bits of each other, one block in four is equal

_LOWER: Final = bytes(byte if byte > 127 or chr(byte).isalnum() else 32 for byte in bytes(range(256)).lower())
_BASE: Final = 0x9E3779B97F4A7C15
_POWERS: Final[NDArray[np.uint64]] = np.cumprod(np.full(MAX_TEXT_BYTES + 1, _BASE, np.uint64), dtype=np.uint64)
_BACK: Final = pow(_BASE, -1, 1 << 64)
_INVERSES: Final[NDArray[np.uint64]] = np.cumprod(np.full(MAX_TEXT_BYTES + 1, _BACK, np.uint64), dtype=np.uint64)
_LANES: Final = np.arange(0, 8 * 256, 256, dtype=np.intp)
_BITS: Final = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1, bitorder="little").astype(np.intp)
_PLACES: Final = np.array([0x2545F4914F6CDD1D, 0xD1342543DE82EF95, 0xAF251AF3B0F025B5], np.uint64)


def simhash(text: str) -> int:
    """The 64-bit fingerprint of a text by its shingles of three words; 0 when there is no word.

    >>> one, two = simhash("the boats lie in the harbour of the island"), simhash("the sun shines over the hills")
    >>> hamming(one, simhash("The boats lie in the harbour, of the island!")), hamming(one, two) > 3
    (0, True)

    Charikar, Similarity estimation techniques from rounding algorithms, 2002.
    """
    words = _words(text)
    if not len(words):
        return 0
    if len(words) < SHINGLE:
        words = np.concatenate([words, np.zeros(SHINGLE - len(words), np.uint64)])
    count = len(words) - SHINGLE + 1
    shingles = _mixed(np.sum([words[i : i + count] * _PLACES[i] for i in range(SHINGLE)], axis=0, dtype=np.uint64))
    # How often each value of each byte occurs says how often each bit is set, without looking at single bits.
    values = shingles.view(np.uint8).reshape(count, 8) + _LANES
    ones = np.bincount(values.ravel(), minlength=8 * 256).reshape(8, 256) @ _BITS
    return int(np.packbits(ones.ravel() * 2 > count, bitorder="little").view(np.uint64)[0])


def hamming(one: int, other: int) -> int:
    """In how many bits two fingerprints differ.

    >>> hamming(0b1011, 0b0010)
    2
    """
    return (one ^ other).bit_count()


@dataclass(slots=True)
class Neighbours:
    """Fingerprints with a number and a mark each; finds one within three bits in a time that hardly grows.

    >>> known = Neighbours()
    >>> known.add(0b1011, 7)
    >>> known.find(0b0010), known.find(0b0100)
    (7, None)
    """

    most: int = 500_000  # then the older half is forgotten
    fingerprints: array[int] = field(default_factory=lambda: array("Q"))
    numbers: array[int] = field(default_factory=lambda: array("i"))
    marks: array[int] = field(default_factory=lambda: array("Q"))
    _buckets: dict[int, array[int]] = field(default_factory=dict)

    def add(self, bits: int, number: int, mark: int = 0) -> None:
        """Keep a fingerprint."""
        if len(self.fingerprints) >= self.most:
            half = self.most // 2
            self.load(self.fingerprints[half:], self.numbers[half:], self.marks[half:])
        for key in _keys(bits):
            self._buckets.setdefault(key, array("I")).append(len(self.fingerprints))
        self.fingerprints.append(bits)
        self.numbers.append(number)
        self.marks.append(mark)

    def find(self, bits: int, akin: Callable[[int], bool] = lambda mark: False) -> int | None:
        """The number of the nearest within three bits, or eight if its mark is akin; the oldest of equals."""
        best = (FAR + 1, -1)
        for key in _keys(bits):
            for index in self._buckets.get(key, ()):
                found = (bits ^ self.fingerprints[index]).bit_count(), index
                if found < best and (found[0] <= NEAR or akin(self.marks[index])):
                    best = found
        return None if best[1] < 0 else self.numbers[best[1]]

    def load(self, fingerprints: Iterable[int], numbers: Iterable[int], marks: Iterable[int]) -> None:
        """Hold exactly these."""
        self.fingerprints, self.numbers, self.marks, self._buckets = array("Q"), array("i"), array("Q"), {}
        for bits, number, mark in zip(fingerprints, numbers, marks, strict=True):
            self.add(bits, number, mark)


def _keys(bits: int) -> list[int]:
    return [place << 16 | bits >> place & 0xFFFF for place in _BLOCKS]


def _words(text: str) -> NDArray[np.uint64]:
    """A number for each word, all at once: differences of the running sum of byte times power of its place."""
    raw: NDArray[np.uint8] = np.frombuffer(
        text[:MAX_TEXT_BYTES].encode("utf-8", "replace")[:MAX_TEXT_BYTES].translate(_LOWER), np.uint8
    )
    inside = np.concatenate(([False], raw != 32, [False]))
    edges = np.flatnonzero(inside[1:] != inside[:-1])
    starts, ends = edges[::2], edges[1::2]
    sums = np.concatenate((np.zeros(1, np.uint64), np.cumsum(raw * _POWERS[: len(raw)], dtype=np.uint64)))
    differences: NDArray[np.uint64] = sums[ends] - sums[starts]
    return _mixed(differences * _INVERSES[starts])


def _mixed(numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Every bit of the input moves half of the output's (the finaliser of splitmix64)."""
    numbers = (numbers ^ (numbers >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    numbers = (numbers ^ (numbers >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return numbers ^ (numbers >> np.uint64(31))
