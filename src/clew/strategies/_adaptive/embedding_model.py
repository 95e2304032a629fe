"""Which meanings pay: learnt from the words of links that were followed and of pages that were read."""

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

KINDS: Final = ("anchor", "around", "page")  # where the words that are learnt from stand
MEANT: Final = ("interest_anchor", "interest_around")  # by the interest's own words
NAMES: Final = ("embedding_anchor", "embedding_around", "embedding_anchor_page", "embedding_around_page")
SCALE: Final = 4.0  # about what a chance that is so much higher adds to the log odds
RIDGE_PRIOR_VISITS: Final = 1.0  # visits that a direction nobody has seen is worth
REFIT_EVERY_VISITS: Final = 10  # visits between two looks at what was learnt
LEAD: Final = 100  # words of a page that tell what it is about, the first ones
_ANCHOR: Final = slice(hashing.SINGLES.stop, hashing.SINGLES.stop + hashing.ANCHOR)
_AROUND: Final = slice(_ANCHOR.stop, _ANCHOR.stop + hashing.BEFORE + hashing.AFTER)


@dataclass
class EmbeddingModel:
    """A direction for each kind of words: how much more those pay that point that way."""

    squares: NDArray[np.float64] = field(default_factory=lambda: _zeros(2))  # how often directions occurred together
    said: NDArray[np.float64] = field(default_factory=lambda: _zeros(1))  # how often each occurred
    paid: NDArray[np.float64] = field(default_factory=lambda: _zeros(1))  # and how often that paid
    seen: int = 0
    directions: NDArray[np.float64] = field(default_factory=lambda: _zeros(1))  # those that pay, when last looked at

    def __post_init__(self) -> None:
        self._spread()

    def add(self, slots: Slots, words: Slots, found: float, weight: float) -> None:
        """A page that was visited: where the links to it are counted, and where its own words are."""
        texts = slots[:, _ANCHOR], slots[:, _AROUND], words[:LEAD]
        for kind, text in enumerate(texts):
            vector = vocabulary().mean(_rows()[text[text > 0]]).astype(np.float64)
            self.squares[kind] += weight * np.outer(vector, vector)
            self.said[kind] += weight * vector
            self.paid[kind] += weight * found * vector
        self.seen += 1

    def learn(self, base: float) -> None:
        """Now and then: what each word is worth by its meaning."""
        if self.seen % REFIT_EVERY_VISITS == 0:
            doubt = RIDGE_PRIOR_VISITS * np.eye(self.said.shape[1])
            more = (self.paid - base * self.said)[..., None]  # than the mean of all visits
            self.directions = np.linalg.solve(self.squares + doubt, more)[..., 0].astype(np.float64)
            self._spread()

    def features(self, slots: Slots) -> Values:
        """For each link, by its anchor and by the words around it: as links with such words paid, and such pages."""
        anchor, around = _means(self._values, slots)
        return np.column_stack((anchor[:, 0], around[:, 1], anchor[:, 2], around[:, 2]))

    def faded(self, share: float) -> EmbeddingModel:
        """What another crawl makes of it: believed only in part."""
        return EmbeddingModel(
            self.squares * share, self.said * share, self.paid * share, self.seen, self.directions * share
        )

    def save(self) -> tuple[Any, ...]:
        """Plain values and arrays; one half of the squares is the mirror of the other."""
        return self.squares[:, *_half()], self.said, self.paid, self.seen, self.directions

    @classmethod
    def load(cls, saved: tuple[Any, ...]) -> EmbeddingModel:
        """What was saved."""
        half, *others = saved
        squares = _zeros(2)
        squares[:, *_half()] = half
        squares.swapaxes(1, 2)[:, *_half()] = half
        return cls(squares, *others)

    def _spread(self) -> None:
        """What each word of the vocabulary is worth, by its meaning."""
        self._values: Values = vocabulary().vectors @ (SCALE * self.directions.T).astype(np.float32)


class InterestEmbedding:
    """What an interest would make of words that it does not know: by those of like meaning that it does know."""

    def __init__(self, rate: Callable[[str], float]) -> None:
        self.values = vocabulary().spread(rate)[:, None]

    def features(self, slots: Slots) -> Values:
        """For each link, by its anchor and by the words around it."""
        return np.hstack(_means(self.values, slots))


def known(slots: Slots) -> tuple[NDArray[np.int32], Values]:
    """The words that are counted there, as rows of the vocabulary, and how telling each is; 0 for no word."""
    rows = _rows().take(slots)
    return rows, vocabulary().weights.take(rows) * (slots > 0)


def _means(values: Values, slots: Slots) -> tuple[Values, Values]:
    """Of the words of anchors and around them, each as telling as it is; 0 where there is none."""
    rows, telling = known(slots[:, _ANCHOR.start : _AROUND.stop])
    said, anchor, around = values[rows], slice(hashing.ANCHOR), slice(hashing.ANCHOR, None)
    return _mean(said[:, anchor], telling[:, anchor]), _mean(said[:, around], telling[:, around])


def _mean(said: Values, telling: Values) -> Values:
    total: Values = np.einsum("ij,ijk->ik", telling, said)
    total /= np.maximum(telling.sum(axis=1), np.float32(1e-9))[:, None]
    return total


@lru_cache(maxsize=1)
def _rows() -> NDArray[np.int32]:
    """For each slot the row of its word in the vocabulary; of words that share one the most frequent."""
    words = vocabulary().words
    slots, rows = (
        slots_of(np.fromiter(map(hashing.word, words), np.uint32, len(words))),
        np.zeros(SLOTS, np.int32),
    )
    rows[slots[::-1]] = np.arange(len(words), 0, -1)
    return rows


def _half() -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The places on and above the diagonal."""
    return np.triu_indices(vocabulary().vectors.shape[1])


def _zeros(axes: int) -> NDArray[np.float64]:
    return np.zeros((len(KINDS), *[vocabulary().vectors.shape[1]] * axes))
