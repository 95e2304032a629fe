"""Naive Bayes over several classes, with feature selection and calibrated chances."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Bag = tuple[NDArray[np.int64], Floats]
"""A text: the numbers of its words, and their values."""
Text = tuple[Bag, int, float]
"""A bag with its class and its weight."""

MAX_FEATURES: Final = 2000  # words with the most information about the class
FOLDS: Final = 3
# Candidates for the sharpness. A larger one would claim a certainty that a few examples cannot give.
SHARPNESS: Final = tuple(2.0**step for step in range(-2, 6))


@dataclass(frozen=True, slots=True, eq=False)
class NaiveBayes:
    """Class chances from the log chances of words; all classes have the same prior."""

    columns: NDArray[np.int64]  # word -> its column in the table, -1 for words that were not selected
    table: Floats  # log chances, a row for each class
    # Assuming that words are independent makes the chances too sure; texts of unit length make them too unsure.
    sharpness: float = 1.0

    def __call__(self, bag: Bag) -> Floats:
        """The chance of every class."""
        logs = self.sharpness * self.logs(bag)
        chances = np.exp(logs - logs.max())
        return np.asarray(chances / chances.sum())

    def logs(self, bag: Bag) -> Floats:
        """The log likelihood of every class."""
        words, values = bag
        columns = self.columns[words]
        known = columns >= 0
        return np.asarray(self.table[:, columns[known]] @ values[known])


def train(texts: Sequence[Text], classes: int, words: int) -> NaiveBayes:
    """A model whose chances are calibrated on texts that it was not trained on.

    >>> bag = lambda *words: (np.array(words), np.ones(len(words)))
    >>> texts = [(bag(0, 1), 0, 1.0), (bag(0, 2), 0, 1.0), (bag(3, 4), 1, 1.0), (bag(3, 5), 1, 1.0)]
    >>> model = train(texts, classes=2, words=6)
    >>> [int(model(each).argmax()) for each in (bag(0, 1), bag(3))]
    [0, 1]
    """
    model = _fitted(texts, classes, words)
    return NaiveBayes(model.columns, model.table, _sharpness(texts, classes, words))


def _fitted(texts: Sequence[Text], classes: int, words: int) -> NaiveBayes:
    counts = np.zeros((classes, words))
    for (numbers, values), label, weight in texts:
        counts[label, numbers] += weight * values
    # Every class weighs the same, however many examples it has.
    counts *= counts.sum() / classes / np.maximum(counts.sum(axis=1, keepdims=True), 1e-12)
    chosen = np.sort(np.argsort(-_information(counts), kind="stable")[:MAX_FEATURES])
    columns = np.full(words, -1)
    columns[chosen] = np.arange(len(chosen))
    # Laplace smoothing.
    smooth = counts[:, chosen] + 1.0
    return NaiveBayes(columns, np.log(smooth / smooth.sum(axis=1, keepdims=True)))


def _information(counts: Floats) -> Floats:
    """What each word says about the class: its share of the mutual information."""
    smooth = counts + 0.5
    joint = smooth / smooth.sum()
    expected = joint.sum(axis=1, keepdims=True) * joint.sum(axis=0, keepdims=True)
    return np.asarray((joint * np.log(joint / expected)).sum(axis=0))


def _sharpness(texts: Sequence[Text], classes: int, words: int) -> float:
    """The sharpness with the least log loss in cross-validation; 1 if no class has examples in two folds."""
    unseen: list[tuple[Floats, int]] = []
    for fold in range(FOLDS):
        seen = [text for i, text in enumerate(texts) if i % FOLDS != fold]
        known = {label for _, label, _ in seen}
        model = _fitted(seen, classes, words)
        unseen += [(model.logs(bag), label) for bag, label, _ in texts[fold::FOLDS] if label in known]
    if not unseen:
        return 1.0
    return min(SHARPNESS, key=lambda sharp: sum(_log_loss(sharp * logs, label) for logs, label in unseen))


def _log_loss(logs: Floats, label: int) -> float:
    return float(np.log(np.exp(logs - logs.max()).sum()) + logs.max() - logs[label])
