"""Topics learned from examples: linear models that judge a page by one sum over its terms."""

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
MIN_EXAMPLES_PER_SIDE: Final = 3  # with fewer, there is nothing to calibrate on
UNDECIDED_BIAS: Final = -2.0  # with a lower bias, a model refuses unfamiliar texts by itself
FAMILIAR_SHARE: Final = 0.15  # share of known words that is enough for a judgement

Floats = NDArray[np.float64]
Fit = Callable[[Any, Floats, Floats], tuple[Floats, float]]
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

    def familiarity(self, text: Reading) -> float:
        """1 for most texts, less if few words are known: such a text is mostly in another language."""
        known = sum(map(self.weights.__contains__, text.doc.terms))
        return min(1.0, known / (FAMILIAR_SHARE * len(text.doc.terms)))


def sigmoid(x: float) -> float:
    """1 / (1 + exp(-x))."""
    # tanh does not overflow for large negative x, as exp(-x) would.
    return 0.5 + 0.5 * math.tanh(0.5 * x)


def train(positive: Sequence[Doc], negative: Sequence[Doc], judge: str = "linear") -> Linear:
    """A calibrated model; examples and counter-examples weigh the same, however many there are of each.

    The background and an empty text are always among the counter-examples: a page unlike anything seen in training
    must not be taken for the topic. Without counter-examples from the user, the examples alone decide where the
    topic ends.
    """
    require("sklearn", "topics with examples", "describe them by keywords")
    # A limit on threads holds for the libraries that are loaded by then; with more threads, the last bits differ.
    import sklearn.linear_model
    import sklearn.model_selection  # noqa: F401

    docs = [*positive, *negative, *background(), Doc(url="")]
    labels = np.array([1.0] * len(positive) + [0.0] * (len(docs) - len(positive)))
    table = _TermMatrix([Reading(doc) for doc in docs])
    with one_thread():
        weights, bias = _calibrated(FITS[judge], table.rows, labels, len(positive) + len(negative))
    return Linear(dict(zip(table.words, (weights * table.rarity).tolist(), strict=True)), bias)


class _TermMatrix:
    """Documents as rows, words as columns: damped counts of unit length, times inverse document frequency."""

    def __init__(self, texts: Sequence[Reading]) -> None:
        from scipy.sparse import csr_matrix

        columns: dict[str, int] = {}
        data: list[float] = []
        index: list[int] = []
        for text in texts:
            for word, value in zip(text.terms, text.damped, strict=True):
                index.append(columns.setdefault(word, len(columns)))
                data.append(value / text.norm)
        self.words = list(columns)
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
    """Multinomial naive Bayes with Laplace smoothing, as the log odds of each word."""
    inside = _log_chances(rows, importance * (labels == 1.0))
    outside = _log_chances(rows, importance * (labels == 0.0))
    # No bias: both sides are equally likely before a text is read.
    return inside - outside, 0.0


def _log_chances(rows: Any, importance: Floats) -> Floats:
    counts = np.asarray(rows.T @ importance) + 1.0
    return np.asarray(np.log(counts / counts.sum()))


FITS: Final[Mapping[str, Fit]] = {"linear": _logistic, "bayes": _bayes}


def _calibrated(fit: Fit, rows: Any, labels: Floats, n_user_docs: int) -> tuple[Floats, float]:
    """Weights and bias, scaled by the scores of the user's documents under models that have not seen them."""
    weights, bias = fit(rows, labels, _balanced(labels))
    unseen = _unseen(fit, rows, labels)
    # Only the user's documents, which come first: the word lists of the background are not real pages to calibrate on.
    slope, shift = _platt(unseen[:n_user_docs], labels[:n_user_docs])
    if slope <= 0.0:
        slope, shift = _one_sided(unseen, labels)
    # The examples have nothing in common: at least they themselves belong to the topic.
    if slope <= 0.0:
        slope, shift = _one_sided(np.asarray(rows @ weights + bias), labels)
    return weights * slope, bias * slope + shift


def _balanced(labels: Floats) -> Floats:
    """Row weights that give both sides the same total weight."""
    share = labels.mean()
    return np.asarray(np.where(labels == 1.0, 0.5 / share, 0.5 / (1.0 - share)))


def _unseen(fit: Fit, rows: Any, labels: Floats) -> Floats:
    """The log odds of each row under a model that was trained without it."""
    folds = int(min(FOLDS, labels.sum(), (1.0 - labels).sum()))
    # For a single example, there is nothing better than its score under the model that has seen it.
    if folds < 2:
        weights, bias = fit(rows, labels, _balanced(labels))
        return np.asarray(rows @ weights + bias)
    from sklearn.model_selection import StratifiedKFold

    values = np.zeros(len(labels))
    for seen, unseen in StratifiedKFold(folds).split(labels, labels):
        weights, bias = fit(rows[seen], labels[seen], _balanced(labels[seen]))
        values[unseen] = rows[unseen] @ weights + bias
    return values


def _platt(values: Floats, labels: Floats) -> tuple[float, float]:
    """Slope and shift of Platt scaling; 0 and 0 if there are too few examples to learn them."""
    if min(labels.sum(), (1.0 - labels).sum()) < MIN_EXAMPLES_PER_SIDE:
        return 0.0, 0.0
    from sklearn.linear_model import LogisticRegression

    model = LogisticRegression(C=10.0).fit(values.reshape(-1, 1), labels, _balanced(labels))
    return float(model.coef_[0, 0]), float(model.intercept_[0])


def _one_sided(values: Floats, labels: Floats) -> tuple[float, float]:
    """Slope and shift by which typical examples get 0.8, the least typical 0.5, ordinary texts at most 0.33."""
    middle, edge = np.quantile(values[labels == 1.0], (0.5, 0.1))
    gap = middle - np.median(values[labels == 0.0])
    slope = 0.0
    if gap > 0.0:
        # log 4 is the log odds of 0.8. The bounds keep a narrow or wide spread of the examples from deciding alone.
        slope = math.log(4.0) / float(np.clip(middle - edge, gap / 3, gap / 1.5))
    return slope, float(math.log(4.0) - slope * middle)
