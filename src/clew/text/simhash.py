"""SimHash: a fingerprint that changes little when the text does, and the search for near-duplicates."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

NEAR: Final = 3
"""Largest number of bits in which fingerprints of near-duplicates differ (Manku et al., 2007)."""
FAR: Final = 8
"""Largest number of such bits if there is other evidence of a duplicate; most such pairs are found, not all."""
SHINGLE_WORDS: Final = 3
MAX_TEXT_BYTES: Final = 15_000  # more bytes of a text cost time and seldom change the verdict
# Two fingerprints within three bits of each other agree in at least one of four blocks.
_BLOCKS: Final = (0, 16, 32, 48)

_LOWER: Final = bytes(byte if byte > 127 or chr(byte).isalnum() else 32 for byte in bytes(range(256)).lower())
# A word is hashed as a polynomial in an odd base modulo 2**64. The inverse powers make the hash independent of
# where in the text the word stands.
_BASE: Final = 0x9E3779B97F4A7C15
_INVERSE_BASE: Final = pow(_BASE, -1, 1 << 64)


def _powers(base: int) -> NDArray[np.uint64]:
    """base, base**2, base**3, ... modulo 2**64."""
    return np.cumprod(np.full(MAX_TEXT_BYTES + 1, base, np.uint64), dtype=np.uint64)


_POWERS: Final = _powers(_BASE)
_INVERSES: Final = _powers(_INVERSE_BASE)
_LANES: Final = np.arange(0, 8 * 256, 256, dtype=np.intp)
_BITS: Final = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1, bitorder="little").astype(np.intp)
# A different factor for each place, so that the order of the words in a shingle matters.
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
    if len(words) < SHINGLE_WORDS:
        words = np.concatenate([words, np.zeros(SHINGLE_WORDS - len(words), np.uint64)])
    count = len(words) - SHINGLE_WORDS + 1
    parts = [words[place : place + count] * _PLACES[place] for place in range(SHINGLE_WORDS)]
    shingles = _mixed(np.sum(parts, axis=0, dtype=np.uint64))
    # How often each value of each byte occurs says how often each bit is set, without looking at single bits.
    values = shingles.view(np.uint8).reshape(count, 8) + _LANES
    ones = np.bincount(values.ravel(), minlength=8 * 256).reshape(8, 256) @ _BITS
    return int(np.packbits(ones.ravel() * 2 > count, bitorder="little").view(np.uint64)[0])


def hamming(one: int, other: int) -> int:
    """The Hamming distance: the number of bits in which two fingerprints differ.

    >>> hamming(0b1011, 0b0010)
    2
    """
    return (one ^ other).bit_count()


@dataclass(slots=True)
class Neighbours:
    """Fingerprints with a number and a mark each; finds one within three bits in almost constant time.

    >>> known = Neighbours()
    >>> known.add(0b1011, 7)
    >>> known.find(0b0010), known.find(0b0100)
    (7, None)
    """

    most: int = 500_000  # fingerprints kept; then the older half is forgotten
    fingerprints: array[int] = field(default_factory=lambda: array("Q"))
    numbers: array[int] = field(default_factory=lambda: array("i"))
    marks: array[int] = field(default_factory=lambda: array("Q"))
    _buckets: dict[int, array[int]] = field(default_factory=dict)

    def add(self, bits: int, number: int, mark: int = 0) -> None:
        """Add a fingerprint."""
        if len(self.fingerprints) >= self.most:
            half = self.most // 2
            self.load(self.fingerprints[half:], self.numbers[half:], self.marks[half:])
        for key in _keys(bits):
            self._buckets.setdefault(key, array("I")).append(len(self.fingerprints))
        self.fingerprints.append(bits)
        self.numbers.append(number)
        self.marks.append(mark)

    def find(self, bits: int, akin: Callable[[int], bool] = lambda mark: False) -> int | None:
        """The number of the nearest fingerprint within three bits, or eight if its mark is akin; ties: the oldest."""
        best = (FAR + 1, -1)
        for key in _keys(bits):
            for index in self._buckets.get(key, ()):
                found = ((bits ^ self.fingerprints[index]).bit_count(), index)
                if found < best and (found[0] <= NEAR or akin(self.marks[index])):
                    best = found
        _, nearest = best
        return None if nearest < 0 else self.numbers[nearest]

    def load(self, fingerprints: Iterable[int], numbers: Iterable[int], marks: Iterable[int]) -> None:
        """Replace everything by these fingerprints."""
        self.fingerprints = array("Q")
        self.numbers = array("i")
        self.marks = array("Q")
        self._buckets = {}
        for bits, number, mark in zip(fingerprints, numbers, marks, strict=True):
            self.add(bits, number, mark)


def _keys(bits: int) -> list[int]:
    """The four blocks of a fingerprint, each with its place."""
    return [place << 16 | bits >> place & 0xFFFF for place in _BLOCKS]


def _words(text: str) -> NDArray[np.uint64]:
    """A hash of each word, all at once: differences of the running sum of byte times power of its place."""
    # Cut twice: the first cut saves encoding a long text, the second one is exact.
    data = text[:MAX_TEXT_BYTES].encode("utf-8", "replace")[:MAX_TEXT_BYTES]
    raw: NDArray[np.uint8] = np.frombuffer(data.translate(_LOWER), np.uint8)
    inside = np.concatenate(([False], raw != 32, [False]))
    edges = np.flatnonzero(inside[1:] != inside[:-1])
    starts = edges[::2]
    ends = edges[1::2]
    sums = np.concatenate((np.zeros(1, np.uint64), np.cumsum(raw * _POWERS[: len(raw)], dtype=np.uint64)))
    differences: NDArray[np.uint64] = sums[ends] - sums[starts]
    return _mixed(differences * _INVERSES[starts])


def _mixed(numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Mix the bits: each bit of the input changes about half of the output (the finaliser of splitmix64)."""
    numbers = (numbers ^ (numbers >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    numbers = (numbers ^ (numbers >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return numbers ^ (numbers >> np.uint64(31))
