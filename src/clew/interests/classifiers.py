"""Topics learned from examples: linear models that judge a page by one sum over its terms."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import repeat
from operator import mul
from typing import Final

import numpy as np
from numpy.typing import NDArray

from clew.base.single_thread import one_thread
from clew.interests.background import background
from clew.interests.reading import Reading
from clew.interests.topic_words import heaviest
from clew.learning.soft_logistic import SoftLabels, fit
from clew.learning.sparse import SparseRows
from clew.types import Doc

FOLDS: Final = 5
RIDGE: Final = 0.1
PRECISION: Final = 1e-4  # examples are few: a model that fits them to the last is no better on other pages
MIN_EXAMPLES_PER_SIDE: Final = 3  # with fewer, there is nothing to calibrate on
UNDECIDED_BIAS: Final = -2.0  # with a lower bias, a model refuses unfamiliar texts by itself
FAMILIAR_SHARE: Final = 0.15  # share of known words that is enough for a judgement

Floats = NDArray[np.float64]
Fit = Callable[[SparseRows, Floats, Floats], tuple[Floats, float]]
"""From rows, labels and row weights to column weights and a bias."""


@dataclass(frozen=True, slots=True)
class Linear:
    """The probability that a text belongs to the topic: a sigmoid of its weighted, damped, normalised word counts.

    >>> round(Linear({"sail": 3.0, "golf": -2.0}, -1.0)(Reading.of_words("sailing")), 2)
    0.84
    """

    weights: Mapping[str, float]
    bias: float

    def __call__(self, text: Reading) -> float:
        if not text.doc.terms:
            return 0.0
        chance = sigmoid(self.bias + self.evidence(text))
        if text.short:
            # Words that say nothing must rate 0, not what the bias says.
            nothing = sigmoid(self.bias)
            return max(0.0, (chance - nothing) / (1.0 - nothing))
        if self.bias > UNDECIDED_BIAS:
            return chance * self.familiarity(text)
        return chance

    def evidence(self, text: Reading) -> float:
        """The contribution of the words to the log odds."""
        # Called for every page and topic: map and mul keep the loop out of the interpreter.
        dot: float = sum(map(mul, map(self.weights.get, text.doc.terms, repeat(0.0)), text.damped))
        return dot / text.norm

    def telling_stems(self, text: Reading) -> list[str]:
        """The stems that add most to the log odds."""
        pairs = zip(text.terms, text.damped, strict=True)
        return heaviest({stem: self.weights.get(stem, 0.0) * damped for stem, damped in pairs})

    def familiarity(self, text: Reading) -> float:
        """1 for most texts, less if few words are known: such a text is mostly in another language."""
        known = sum(map(self.weights.__contains__, text.doc.terms))
        return min(1.0, known / (FAMILIAR_SHARE * len(text.doc.terms)))


def sigmoid(x: float) -> float:
    """1 / (1 + exp(-x))."""
    # tanh does not overflow for large negative x, as exp(-x) would.
    return 0.5 + 0.5 * math.tanh(0.5 * x)


def train(positive: Sequence[Doc], negative: Sequence[Doc], topic_model: str = "linear") -> Linear:
    """A calibrated model; examples and counter-examples weigh the same, however many there are of each.

    The background and an empty text are always among the counter-examples: a page unlike anything seen in training
    must not be taken for the topic. Without counter-examples from the user, the examples alone decide where the
    topic ends.
    """
    docs = [*positive, *negative, *background(), Doc(url="")]
    labels = np.array([1.0] * len(positive) + [0.0] * (len(docs) - len(positive)))
    table = _TermMatrix([Reading(doc) for doc in docs])
    with one_thread():
        weights, bias = _calibrated(FITS[topic_model], table.rows, labels, len(positive) + len(negative))
    return Linear(dict(zip(table.words, (weights * table.rarity).tolist(), strict=True)), bias)


class _TermMatrix:
    """Documents as rows, words as columns: damped counts of unit length, times inverse document frequency."""

    def __init__(self, texts: Sequence[Reading]) -> None:
        columns: dict[str, int] = {}
        index: list[NDArray[np.int64]] = []
        data: list[Floats] = []
        for text in texts:
            index.append(np.array([columns.setdefault(word, len(columns)) for word in text.terms], np.int64))
            data.append(np.array(text.damped) / (text.norm or 1.0))
        self.words = list(columns)
        plain = SparseRows.of(index, data, len(columns))
        documents = np.bincount(plain.columns, minlength=len(columns))
        self.rarity: Floats = 1.0 + np.log((1.0 + len(texts)) / (1.0 + documents))
        self.rows = SparseRows(plain.columns, plain.values * self.rarity[plain.columns], plain.sizes, plain.width)


def _logistic(rows: SparseRows, labels: Floats, importance: Floats) -> tuple[Floats, float]:
    model = fit(rows, SoftLabels(importance * labels, importance * (1.0 - labels)), RIDGE, PRECISION)
    return model.weights, model.bias


def _bayes(rows: SparseRows, labels: Floats, importance: Floats) -> tuple[Floats, float]:
    """Multinomial naive Bayes with Laplace smoothing, as the log odds of each word."""
    inside = _log_chances(rows, importance * (labels == 1.0))
    outside = _log_chances(rows, importance * (labels == 0.0))
    # No bias: both sides are equally likely before a text is read.
    return inside - outside, 0.0


def _log_chances(rows: SparseRows, importance: Floats) -> Floats:
    counts = rows.transposed_times(importance) + 1.0
    return np.asarray(np.log(counts / counts.sum()))


FITS: Final[Mapping[str, Fit]] = {"linear": _logistic, "bayes": _bayes}


def _calibrated(learn: Fit, rows: SparseRows, labels: Floats, n_user_docs: int) -> tuple[Floats, float]:
    """Weights and bias, scaled by the scores of the user's documents under models that have not seen them."""
    weights, bias = learn(rows, labels, _balanced(labels))
    unseen = _unseen(learn, rows, labels)
    # Only the user's documents, which come first: the word lists of the background are not real pages to calibrate on.
    slope, shift = _platt(unseen[:n_user_docs], labels[:n_user_docs])
    if slope <= 0.0:
        slope, shift = _one_sided(unseen, labels)
    # The examples have nothing in common: at least they themselves belong to the topic.
    if slope <= 0.0:
        slope, shift = _one_sided(rows.times(weights) + bias, labels)
    return weights * slope, bias * slope + shift


def _balanced(labels: Floats) -> Floats:
    """Row weights that give both sides the same total weight."""
    share = labels.mean()
    return np.asarray(np.where(labels == 1.0, 0.5 / share, 0.5 / (1.0 - share)))


def _unseen(learn: Fit, rows: SparseRows, labels: Floats) -> Floats:
    """The log odds of each row under a model that was trained without it."""
    folds = int(min(FOLDS, labels.sum(), (1.0 - labels).sum()))
    # For a single example, there is nothing better than its score under the model that has seen it.
    if folds < 2:
        weights, bias = learn(rows, labels, _balanced(labels))
        return rows.times(weights) + bias
    values = np.zeros(len(labels))
    fold_of = _stratified(labels, folds)
    for fold in range(folds):
        seen = np.flatnonzero(fold_of != fold)
        unseen = np.flatnonzero(fold_of == fold)
        weights, bias = learn(rows.taken(seen), labels[seen], _balanced(labels[seen]))
        values[unseen] = rows.taken(unseen).times(weights) + bias
    return values


def _stratified(labels: Floats, folds: int) -> NDArray[np.int64]:
    """A fold for each row; every fold has its share of both sides, in blocks of neighbours.

    >>> _stratified(np.array([1.0, 1.0, 1.0, 1.0, 0.0, 0.0]), 2)
    array([0, 0, 1, 1, 0, 1])
    """
    found = np.zeros(len(labels), np.int64)
    is_other = labels != labels[0]
    ordered = np.sort(is_other)
    for side in (False, True):
        # Dealt like cards, so that the folds are of one size together, too.
        sizes = [np.count_nonzero(ordered[fold::folds] == side) for fold in range(folds)]
        found[is_other == side] = np.repeat(np.arange(folds), sizes)
    return found


def _platt(values: Floats, labels: Floats) -> tuple[float, float]:
    """Slope and shift of Platt scaling; 0 and 0 if there are too few examples to learn them."""
    if min(labels.sum(), (1.0 - labels).sum()) < MIN_EXAMPLES_PER_SIDE:
        return 0.0, 0.0
    column = SparseRows(np.zeros(len(values), np.int64), values, np.ones(len(values), np.int64), 1)
    weights, bias = _logistic(column, labels, _balanced(labels))
    return float(weights[0]), bias


def _one_sided(values: Floats, labels: Floats) -> tuple[float, float]:
    """Slope and shift by which typical examples get 0.8, the least typical 0.5, ordinary texts at most 0.33."""
    middle, edge = np.quantile(values[labels == 1.0], (0.5, 0.1))
    gap = middle - np.median(values[labels == 0.0])
    slope = 0.0
    if gap > 0.0:
        # log 4 is the log odds of 0.8. The bounds keep a narrow or wide spread of the examples from deciding alone.
        slope = math.log(4.0) / float(np.clip(middle - edge, gap / 3, gap / 1.5))
    return slope, float(math.log(4.0) - slope * middle)
