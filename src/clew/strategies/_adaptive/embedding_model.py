"""Ridge regression on word embeddings: which meanings lead to finds, learnt from followed links and visited pages."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from clew.strategies._adaptive import hashed_features as hashing
from clew.strategies._adaptive.counts import SLOTS, Slots, slots_of
from clew.text.meaning import vocabulary

Values = NDArray[np.float32]

KINDS: Final = ("anchor", "around", "page")  # the texts that are learnt from, one regression for each
INTEREST_NAMES: Final = ("interest_anchor", "interest_around")
NAMES: Final = ("embedding_anchor", "embedding_around", "embedding_anchor_page", "embedding_around_page")
SCALE: Final = 4.0  # slope of the log odds at a chance of 1/2: turns a difference of chances into log odds
RIDGE_PRIOR_VISITS: Final = 1.0  # ridge penalty, in visits along each direction
REFIT_EVERY_VISITS: Final = 10
WORDS_PER_BLOCK: Final = 256  # of the vocabulary, which begins with the most frequent words
MAX_PAGE_WORDS: Final = 100  # the first words of a page say what it is about
_ANCHOR: Final = slice(hashing.SINGLES.stop, hashing.SINGLES.stop + hashing.ANCHOR)
_AROUND: Final = slice(_ANCHOR.stop, _ANCHOR.stop + hashing.BEFORE + hashing.AFTER)
_BOTH: Final = slice(_ANCHOR.start, _AROUND.stop)  # one look-up for both: they are neighbours


@dataclass
class EmbeddingModel:
    """The sums and the solution of one ridge regression for each kind of text."""

    squares: NDArray[np.float64] = field(default_factory=lambda: _zeros(2))  # sum of x xᵀ over the visits
    said: NDArray[np.float64] = field(default_factory=lambda: _zeros(1))  # sum of x
    paid: NDArray[np.float64] = field(default_factory=lambda: _zeros(1))  # sum of x times the grade of the find
    seen: int = 0
    directions: NDArray[np.float64] = field(default_factory=lambda: _zeros(1))  # the weights of the last fit

    def __post_init__(self) -> None:
        # Words are rated when they are met, for few of the vocabulary ever are.
        self._values: Values = np.zeros((len(vocabulary().vectors), len(KINDS)), np.float32)
        self._rated_in = np.zeros(len(self._values) // WORDS_PER_BLOCK + 1, np.int32)  # the fit that rated each block
        self._fits = 1

    def add(self, slots: Slots, words: Slots, found: float, weight: float) -> None:
        """Add a visited page: the slots of the links to it, and those of its own words."""
        texts = (slots[:, _ANCHOR], slots[:, _AROUND], words[:MAX_PAGE_WORDS])
        for kind, text in enumerate(texts):
            vector = vocabulary().mean(_rows()[text[text > 0]]).astype(np.float64)
            self.squares[kind] += weight * np.outer(vector, vector)
            self.said[kind] += weight * vector
            self.paid[kind] += weight * found * vector
        self.seen += 1

    def learn(self, base: float) -> None:
        """Refit the regressions every few visits; `base` is the mean grade of all visits."""
        if self.seen % REFIT_EVERY_VISITS == 0:
            penalty = RIDGE_PRIOR_VISITS * np.eye(self.said.shape[1])
            # The target is centred on the base rate: 0 means that a meaning is as good as any other.
            target = (self.paid - base * self.said)[..., None]
            self.directions = np.linalg.solve(self.squares + penalty, target)[..., 0].astype(np.float64)
            self._fits += 1

    def features(self, slots: Slots) -> Values:
        """For each link the features in `NAMES`: its anchor and the words around it, rated by links and by pages."""
        rows, weights = known(slots[:, _BOTH])
        anchor, around = _means(self._ratings(rows), weights)
        return np.column_stack((anchor[:, 0], around[:, 1], anchor[:, 2], around[:, 2]))

    def faded(self, share: float) -> EmbeddingModel:
        """A copy for another crawl, which trusts it only in part."""
        return EmbeddingModel(
            self.squares * share, self.said * share, self.paid * share, self.seen, self.directions * share
        )

    def save(self) -> tuple[Any, ...]:
        """Plain values and arrays."""
        # The matrices are symmetric: the upper triangle is enough.
        return self.squares[:, *_upper_triangle()], self.said, self.paid, self.seen, self.directions

    @classmethod
    def load(cls, saved: tuple[Any, ...]) -> EmbeddingModel:
        """Restore what `save` returned."""
        triangle, *others = saved
        squares = _zeros(2)
        squares[:, *_upper_triangle()] = triangle
        squares.swapaxes(1, 2)[:, *_upper_triangle()] = triangle
        return cls(squares, *others)

    def _ratings(self, rows: NDArray[np.int32]) -> Values:
        """What each of these words of the vocabulary is worth by the last fit."""
        blocks = rows // WORDS_PER_BLOCK
        is_stale = self._rated_in[blocks] != self._fits
        if is_stale.any():
            directions = (SCALE * self.directions.T).astype(np.float32)
            for block in np.unique(blocks[is_stale]).tolist():
                # Always a whole block: alone, a word would be rounded otherwise than in company, and a replay differ.
                words = slice(block * WORDS_PER_BLOCK, (block + 1) * WORDS_PER_BLOCK)
                self._values[words] = vocabulary().vectors[words] @ directions
                self._rated_in[block] = self._fits
        return self._values[rows]


class InterestEmbedding:
    """Rates words that the interest does not know by words of similar meaning that it does know."""

    def __init__(self, rate: Callable[[str], float]) -> None:
        self.values = vocabulary().spread(rate)[:, None]

    def features(self, slots: Slots) -> Values:
        """For each link the features in `INTEREST_NAMES`."""
        rows, weights = known(slots[:, _BOTH])
        return np.hstack(_means(self.values[rows], weights))


def known(slots: Slots) -> tuple[NDArray[np.int32], Values]:
    """The words in these slots as rows of the vocabulary, and the weight of each; 0 for no word."""
    rows = _rows().take(slots)
    return rows, vocabulary().weights.take(rows) * (slots > 0)


def _means(ratings: Values, weights: Values) -> tuple[Values, Values]:
    """The weighted mean of the words of anchors, and of those around them; 0 where there are none."""
    anchor = slice(hashing.ANCHOR)
    around = slice(hashing.ANCHOR, None)
    return _mean(ratings[:, anchor], weights[:, anchor]), _mean(ratings[:, around], weights[:, around])


def _mean(ratings: Values, weights: Values) -> Values:
    total: Values = np.einsum("ij,ijk->ik", weights, ratings)
    total /= np.maximum(weights.sum(axis=1), np.float32(1e-9))[:, None]
    return total


@lru_cache(maxsize=1)
def _rows() -> NDArray[np.int32]:
    """For each slot the row of its word in the vocabulary; 0 for unknown words."""
    words = vocabulary().words
    slots = slots_of(np.fromiter(map(hashing.word, words), np.uint32, len(words)))
    rows = np.zeros(SLOTS, np.int32)
    # The last write wins. In reverse order that is the most frequent of the words that share a slot.
    rows[slots[::-1]] = np.arange(len(words), 0, -1)
    return rows


def _upper_triangle() -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The indices on and above the diagonal."""
    return np.triu_indices(vocabulary().vectors.shape[1])


def _zeros(axes: int) -> NDArray[np.float64]:
    """A vector (one axis) or a matrix (two axes) for each kind of text."""
    dimensions = vocabulary().vectors.shape[1]
    return np.zeros((len(KINDS), *[dimensions] * axes))
