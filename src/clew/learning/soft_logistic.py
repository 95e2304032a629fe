"""Logistic regression on sparse rows whose labels may be uncertain: each row counts as a yes and as a no."""

from __future__ import annotations

from collections import deque
from typing import Final, NamedTuple

import numpy as np

from clew.learning.sparse import Floats, Integers, SparseRows

MAX_STEPS: Final = 40
PRECISION: Final = 2e-6  # the greatest slope of the mean loss at which the search ends
MEMORY: Final = 10  # earlier steps that tell the curvature
MIN_STEP_SIZE: Final = 1e-6


class LinearModel(NamedTuple):
    """Log odds as a weighted sum."""

    weights: Floats
    bias: float

    def margins(self, rows: SparseRows) -> Floats:
        """The log odds of each row."""
        return rows.times(self.weights) + self.bias


class SoftLabels(NamedTuple):
    """How much each row counts as a yes and as a no."""

    yes: Floats
    no: Floats

    @classmethod
    def balanced(cls, chances: Floats, weights: Floats) -> SoftLabels:
        """Rows with these chances of being a yes; both sides get the same total weight, however many there are.

        >>> labels = SoftLabels.balanced(np.array([1.0, 0.5, 0.0, 0.0]), np.ones(4))
        >>> float(labels.yes.sum()), float(labels.no.sum())
        (2.0, 2.0)
        """
        yes = weights * chances
        no = weights * (1.0 - chances)
        half = (yes.sum() + no.sum()) / 2
        return cls(yes * half / max(yes.sum(), 1e-9), no * half / max(no.sum(), 1e-9))

    def taken(self, rows: Integers) -> SoftLabels:
        """Those of some rows."""
        return SoftLabels(self.yes[rows], self.no[rows])


def fit(rows: SparseRows, labels: SoftLabels, ridge: float, precision: float = PRECISION) -> LinearModel:
    """The model with the least log loss plus ridge / 2 times its squared weights; the bias is free.

    With less precision the search ends earlier, and the model follows its examples less closely.

    >>> rows = SparseRows.of([np.array([0]), np.array([1])] * 20, [np.ones(1), np.ones(1)] * 20, width=2)
    >>> model = fit(rows, SoftLabels.balanced(np.tile([1.0, 0.0], 20), np.ones(40)), ridge=1.0)
    >>> bool(model.weights[0] > 1.5), bool(model.weights[1] < -1.5), abs(round(model.bias, 2))
    (True, True, 0.0)
    """
    compact, columns = rows.compact()
    point = _minimum(compact, labels, ridge, precision)
    weights = np.zeros(rows.width)
    weights[columns] = point[:-1]
    return LinearModel(weights, float(point[-1]))


def cross_fitted(rows: SparseRows, labels: SoftLabels, ridge: float, folds: Integers) -> Floats:
    """The log odds of each row under a model that was fitted without the rows of its fold."""
    margins = np.zeros(len(rows))
    for fold in np.unique(folds):
        seen = np.flatnonzero(folds != fold)
        unseen = np.flatnonzero(folds == fold)
        model = fit(rows.taken(seen), labels.taken(seen), ridge)
        margins[unseen] = model.margins(rows.taken(unseen))
    return margins


def _minimum(rows: SparseRows, labels: SoftLabels, ridge: float, precision: float) -> Floats:
    """Weights and bias by L-BFGS (Nocedal 1980): gradients of the last steps stand in for the curvature."""
    point = np.zeros(rows.width + 1)
    flat = precision * float(labels.yes.sum() + labels.no.sum())
    loss, gradient = _loss(rows, labels, ridge, point)
    steps: deque[tuple[Floats, Floats]] = deque(maxlen=MEMORY)
    for _ in range(MAX_STEPS):
        if float(np.abs(gradient).max()) < flat:
            break
        direction = _direction(gradient, steps)
        slope = float(gradient @ direction)
        size = 1.0
        # The step is halved until it lowers the loss.
        while True:
            nearer = point + size * direction
            least, steepness = _loss(rows, labels, ridge, nearer)
            if least <= loss + 1e-4 * size * slope or size < MIN_STEP_SIZE:
                break
            size /= 2
        if least >= loss:
            break
        steps.append((nearer - point, steepness - gradient))
        point, loss, gradient = nearer, least, steepness
    return point


def _direction(gradient: Floats, steps: deque[tuple[Floats, Floats]]) -> Floats:
    """Downhill, corrected by the curvature that the last steps have shown."""
    direction = -gradient
    if not steps:
        return direction / max(1.0, float(np.linalg.norm(gradient)))
    shares: list[float] = []
    for moved, turned in reversed(steps):
        share = float(moved @ direction) / float(moved @ turned)
        shares.append(share)
        direction = direction - share * turned
    moved, turned = steps[-1]
    direction = direction * (float(moved @ turned) / float(turned @ turned))
    for (moved, turned), share in zip(steps, reversed(shares), strict=True):
        direction = direction + moved * (share - float(turned @ direction) / float(moved @ turned))
    return direction


def _loss(rows: SparseRows, labels: SoftLabels, ridge: float, point: Floats) -> tuple[float, Floats]:
    weights = point[:-1]
    margins = rows.times(weights) + point[-1]
    loss = labels.yes @ np.logaddexp(0.0, -margins) + labels.no @ np.logaddexp(0.0, margins)
    chances = 0.5 + 0.5 * np.tanh(0.5 * margins)
    errors = (labels.yes + labels.no) * chances - labels.yes
    gradient = np.append(rows.transposed_times(errors) + ridge * weights, errors.sum())
    return float(loss + ridge / 2 * (weights @ weights)), gradient
