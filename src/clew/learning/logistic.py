"""Logistic regression that is pulled towards weights known before: a few labels move them, many decide."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]

STEPS: Final = 6
SMALLEST: Final = 1e-3  # of a step that is still worth trying


def fit(x: NDArray[np.floating], y: Vector, start: Vector, ridge: float) -> Vector:
    """Weights with the least log loss plus ridge / 2 times their squared distance from the start.

    Newton's steps are halved until they help: taken whole they can throw the weights far off.

    >>> x = np.array([[1.0, 1.0], [0.0, 1.0]] * 20)
    >>> weights = fit(x, x[:, 0], np.zeros(2), ridge=1.0)
    >>> bool(weights[0] > 3), bool(weights[1] < -1)
    (True, True)
    """
    rows: Vector = x.astype(np.float64)
    weights, least = start, _loss(rows, y, start, start, ridge)
    for _ in range(STEPS):
        chance = 1 / (1 + np.exp(-(rows @ weights)))
        slope = rows.T @ (chance - y) + ridge * (weights - start)
        curve = (rows * (chance * (1 - chance))[:, None]).T @ rows + ridge * np.eye(len(weights))
        step, size = np.linalg.solve(curve, slope), 1.0
        while size > SMALLEST and (loss := _loss(rows, y, weights - size * step, start, ridge)) >= least:
            size /= 2
        if size <= SMALLEST:
            break
        weights, least = weights - size * step, loss
    return weights


def _loss(x: Vector, y: Vector, weights: Vector, start: Vector, ridge: float) -> float:
    margin = x @ weights
    return float(np.logaddexp(0, margin).sum() - y @ margin + ridge / 2 * ((weights - start) ** 2).sum())
