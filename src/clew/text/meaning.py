"""What words mean, as directions: those of like meaning point the same way, what is known of one tells of the other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import as_file, files
from typing import Final

import numpy as np
from numpy.typing import NDArray

from clew.text.terms import stems

Array = NDArray[np.float32]

RARE: Final = 20_000  # words, the last ones, that tell what a word is like that nobody knows
PROBED: Final = 20_000  # words that an interest is asked about, the frequent ones
SPREAD_PRIOR_WORDS: Final = 3.0  # words that it takes to believe half of a direction


@dataclass(frozen=True, eq=False)
class WordVectors:
    """English stems, frequent ones first. Row 0 of the arrays stands for all other words: they are rare ones."""

    words: tuple[str, ...]
    vectors: Array  # of length one
    weights: Array  # how telling each word is, from 0 to 1

    def mean(self, rows: NDArray[np.int32]) -> Array:
        """What several words mean together.

        >>> known = vocabulary()
        >>> ship, boat, tax = (known.mean(np.array([1 + known.words.index(word)])) for word in ("ship", "boat", "tax"))
        >>> bool(ship @ boat > 0.3 + ship @ tax)
        True
        """
        weights = self.weights[rows]
        total: Array = weights @ self.vectors[rows]
        return total / max(float(weights.sum()), 1e-9)

    def spread(self, rate: Callable[[str], float]) -> Array:
        """For each word what a rating that knows a few would make of it, by those of like meaning; in deviations."""
        rates = np.array([rate(word) for word in _probes()], np.float32)
        known = self.vectors[1 : len(rates) + 1]
        square = known.T @ known + np.float32(SPREAD_PRIOR_WORDS) * np.eye(known.shape[1], dtype=np.float32)
        values: Array = self.vectors @ np.linalg.solve(square, known.T @ (rates - rates.mean()))
        size = float(values[1 : len(rates) + 1].std())
        return values / size if size > 1e-9 else np.zeros_like(values)


@lru_cache(maxsize=1)
def vocabulary() -> WordVectors:
    """All words that are known; `experiments/make_vectors.py` tells where they come from."""
    with as_file(files("clew.text").joinpath("vectors.npz")) as path, np.load(path) as saved:
        words = tuple(str(saved["words"]).split("\n"))
        vectors, weights = saved["vectors"].astype(np.float32), saved["weights"]
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    strange, weight = vectors[-RARE:].mean(axis=0), weights[-RARE:].mean()
    return WordVectors(words, np.vstack((strange, vectors)), np.append(weight, weights))


def spoken(stem: str) -> str:
    """A word that has this stem: some are none themselves, and who reads them would cut them once more.

    >>> spoken("boat"), spoken("hors"), stems("hors")
    ('boat', 'horse', ['hor'])
    """
    return next((word for word in (stem, f"{stem}e", f"{stem}s") if stems(word) == [stem]), stem)


@lru_cache(maxsize=1)
def _probes() -> tuple[str, ...]:
    """What an interest is asked about."""
    return tuple(map(spoken, vocabulary().words[:PROBED]))
