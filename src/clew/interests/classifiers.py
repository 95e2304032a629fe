"""Topics learnt from example documents: linear models that judge a page by one sum over its terms."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import repeat
from operator import mul
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from clew.base.extras import require
from clew.base.single_thread import one_thread
from clew.interests.background import background
from clew.interests.reading import Reading
from clew.types import Doc

FOLDS: Final = 5
ENOUGH: Final = 3  # examples of each side below which there is nothing to calibrate on
UNDECIDED: Final = -2.0  # bias above which a model does not by itself refuse what it does not know
FAMILIAR: Final = 0.15  # share of known words that is enough for a judgement

Floats = NDArray[np.float64]
Fit = Callable[[Any, Floats, Floats], tuple[Floats, float]]
"""From rows, labels and the weights of rows to the weights of columns and a bias."""


@dataclass(frozen=True, slots=True)
class Linear:
    """The chance that a text belongs to the topic: a sigmoid over weighted, damped, normed word counts.

    >>> round(Linear({"sail": 3.0, "golf": -2.0}, -1.0)(Reading.of_words("sailing")), 2)
    0.84
    """

    weights: Mapping[str, float]
    bias: float

    def __call__(self, text: Reading) -> float:
        if not text.doc.terms:
            return 0.0
        chance = sigmoid(self.bias + self.evidence(text))
        if not text.short:
            return chance * self.familiarity(text) if self.bias > UNDECIDED else chance
        # Words that say nothing must rate 0, not what the bias says.
        nothing = sigmoid(self.bias)
        return max(0.0, (chance - nothing) / (1.0 - nothing))

    def evidence(self, text: Reading) -> float:
        """What the words add to the log odds."""
        dot: float = sum(map(mul, map(self.weights.get, text.doc.terms, repeat(0.0)), text.damped))
        return dot / text.norm

    def familiarity(self, text: Reading) -> float:
        """1, but less for a text in words that were hardly ever seen, another language mostly."""
        known = sum(map(self.weights.__contains__, text.doc.terms))
        return min(1.0, known / (FAMILIAR * len(text.doc.terms)))


def sigmoid(x: float) -> float:
    """1 / (1 + exp(-x)), for any x."""
    return 0.5 + 0.5 * math.tanh(0.5 * x)


def train(positive: Sequence[Doc], negative: Sequence[Doc], judge: str = "linear") -> Linear:
    """A calibrated model; both sides weigh the same, whatever their numbers.

    The background is always among the counter-examples, and so is a text without words: what resembles
    nothing that was shown must not be taken for the topic. Without counter-examples of the user's, the
    examples alone say where the topic ends.
    """
    require("sklearn", "topics with examples", "describe them by keywords")
    docs = [*positive, *negative, *background(), Doc(url="")]
    labels = np.array([1.0] * len(positive) + [0.0] * (len(docs) - len(positive)))
    table = _Table([Reading(doc) for doc in docs])
    with one_thread():
        weights, bias = _calibrated(FITS[judge], table.rows, labels, len(positive) + len(negative))
    return Linear(dict(zip(table.words, (weights * table.rarity).tolist(), strict=True)), bias)


class _Table:
    """Documents as rows, words as columns: damped counts of unit length, times the rarity of the word."""

    def __init__(self, texts: Sequence[Reading]) -> None:
        from scipy.sparse import csr_matrix

        columns: dict[str, int] = {}
        for text in texts:
            for word in text.terms:
                columns.setdefault(word, len(columns))
        self.words = list(columns)
        data = [value / text.norm for text in texts for value in text.damped]
        index = [columns[word] for text in texts for word in text.terms]
        ends = np.cumsum([0, *(len(text.terms) for text in texts)])
        rows = csr_matrix((data, index, ends), shape=(len(texts), len(columns)))
        documents = np.bincount(rows.indices, minlength=len(columns))
        self.rarity: Floats = 1.0 + np.log((1.0 + len(texts)) / (1.0 + documents))
        self.rows = rows.multiply(self.rarity).tocsr()


def _logistic(rows: Any, labels: Floats, importance: Floats) -> tuple[Floats, float]:
    from sklearn.linear_model import LogisticRegression

    model = LogisticRegression(C=10.0, max_iter=1000).fit(rows, labels, importance)
    return model.coef_[0], float(model.intercept_[0])


def _bayes(rows: Any, labels: Floats, importance: Floats) -> tuple[Floats, float]:
    """Multinomial naive Bayes with Laplace's correction, as the log odds of each word."""
    sides = [_log_chances(rows, importance * (labels == side)) for side in (0.0, 1.0)]
    return sides[1] - sides[0], 0.0


def _log_chances(rows: Any, importance: Floats) -> Floats:
    counts = np.asarray(rows.T @ importance) + 1.0
    return np.asarray(np.log(counts / counts.sum()))


FITS: Final[Mapping[str, Fit]] = {"linear": _logistic, "bayes": _bayes}


def _calibrated(fit: Fit, rows: Any, labels: Floats, given: int) -> tuple[Floats, float]:
    """Weights scaled by what the model says to the user's examples when it has not seen them."""
    weights, bias = fit(rows, labels, _balanced(labels))
    unseen = _unseen(fit, rows, labels)
    slope, shift = _platt(unseen[:given], labels[:given])
    if slope <= 0.0:
        slope, shift = _one_sided(unseen, labels)
    if slope <= 0.0:  # the examples have nothing in common: at least they themselves belong to the topic
        slope, shift = _one_sided(np.asarray(rows @ weights + bias), labels)
    return weights * slope, bias * slope + shift


def _balanced(labels: Floats) -> Floats:
    share = labels.mean()
    return np.asarray(np.where(labels == 1.0, 0.5 / share, 0.5 / (1.0 - share)))


def _unseen(fit: Fit, rows: Any, labels: Floats) -> Floats:
    folds = int(min(FOLDS, labels.sum(), (1.0 - labels).sum()))
    if folds < 2:  # a single example: there is nothing better than what the model says to it
        weights, bias = fit(rows, labels, _balanced(labels))
        return np.asarray(rows @ weights + bias)
    from sklearn.model_selection import StratifiedKFold

    values = np.zeros(len(labels))
    for seen, unseen in StratifiedKFold(folds).split(labels, labels):
        weights, bias = fit(rows[seen], labels[seen], _balanced(labels[seen]))
        values[unseen] = rows[unseen] @ weights + bias
    return values


def _platt(values: Floats, labels: Floats) -> tuple[float, float]:
    """Platt's scaling; a slope of 0 where there is too little to learn it from."""
    if min(labels.sum(), (1.0 - labels).sum()) < ENOUGH:
        return 0.0, 0.0
    from sklearn.linear_model import LogisticRegression

    model = LogisticRegression(C=10.0).fit(values.reshape(-1, 1), labels, _balanced(labels))
    return float(model.coef_[0, 0]), float(model.intercept_[0])


def _one_sided(values: Floats, labels: Floats) -> tuple[float, float]:
    """The typical example gets 0.8, one of the least typical 0.5, what is ordinary 0.33 at the most."""
    middle, edge = np.quantile(values[labels == 1.0], (0.5, 0.1))
    way = middle - np.median(values[labels == 0.0])
    slope = math.log(4.0) / np.clip(middle - edge, way / 3, way / 1.5) if way > 0.0 else 0.0
    return float(slope), float(math.log(4.0) - slope * middle)
