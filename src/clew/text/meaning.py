"""Word embeddings: words of similar meaning have similar vectors, so what is known about one applies to the others."""

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

RARE_WORDS: Final = 20_000  # the least frequent ones, whose mean stands for unknown words
PROBE_WORDS: Final = 20_000  # the most frequent ones, which an interest is asked to rate
SPREAD_PRIOR_WORDS: Final = 3.0  # ridge penalty, in words along each direction


@dataclass(frozen=True, eq=False)
class WordVectors:
    """Embeddings of English stems, the most frequent first; row 0 of the arrays stands for all unknown words."""

    words: tuple[str, ...]
    vectors: Array  # of length 1
    weights: Array  # from 0 to 1, smaller for frequent words

    def mean(self, rows: NDArray[np.int32]) -> Array:
        """The weighted mean of the vectors of several words.

        >>> known = vocabulary()
        >>> ship, boat, tax = (known.mean(np.array([1 + known.words.index(word)])) for word in ("ship", "boat", "tax"))
        >>> bool(ship @ boat > 0.3 + ship @ tax)
        True
        """
        weights = self.weights[rows]
        total: Array = weights @ self.vectors[rows]
        return total / max(float(weights.sum()), 1e-9)

    def spread(self, rate: Callable[[str], float]) -> Array:
        """Extend a rating to all words by ridge regression on their vectors; in standard deviations."""
        rates = np.array([rate(word) for word in _probes()], np.float32)
        known = self.vectors[1 : len(rates) + 1]
        square = known.T @ known + np.float32(SPREAD_PRIOR_WORDS) * np.eye(known.shape[1], dtype=np.float32)
        values: Array = self.vectors @ np.linalg.solve(square, known.T @ (rates - rates.mean()))
        size = float(values[1 : len(rates) + 1].std())
        return values / size if size > 1e-9 else np.zeros_like(values)


@lru_cache(maxsize=1)
def vocabulary() -> WordVectors:
    """The embeddings that come with the package; `experiments/make_vectors.py` made them."""
    with as_file(files("clew.text").joinpath("vectors.npz")) as path, np.load(path) as saved:
        words = tuple(str(saved["words"]).split("\n"))
        vectors = saved["vectors"].astype(np.float32)
        weights = saved["weights"]
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    # A word that is not in the vocabulary is most likely a rare one.
    unknown = vectors[-RARE_WORDS:].mean(axis=0)
    unknown_weight = weights[-RARE_WORDS:].mean()
    return WordVectors(words, np.vstack((unknown, vectors)), np.append(unknown_weight, weights))


def spoken(stem: str) -> str:
    """A word with this stem: a stem that is no word itself would be cut once more by the next stemmer.

    >>> spoken("boat"), spoken("hors"), stems("hors")
    ('boat', 'horse', ['hor'])
    """
    return next((word for word in (stem, f"{stem}e", f"{stem}s") if stems(word) == [stem]), stem)


@lru_cache(maxsize=1)
def _probes() -> tuple[str, ...]:
    """The words that an interest is asked to rate."""
    return tuple(map(spoken, vocabulary().words[:PROBE_WORDS]))
