"""Logistic regression with a ridge penalty towards prior weights: a few examples move them, many override them."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]

MAX_STEPS: Final = 6
MIN_STEP_SIZE: Final = 1e-3  # share of a Newton step below which the search ends


def fit(x: NDArray[np.floating], y: Vector, start: Vector, ridge: float) -> Vector:
    """The weights with the least log loss plus ridge / 2 times their squared distance from `start`.

    >>> x = np.array([[1.0, 1.0], [0.0, 1.0]] * 20)
    >>> weights = fit(x, x[:, 0], np.zeros(2), ridge=1.0)
    >>> bool(weights[0] > 3), bool(weights[1] < -1)
    (True, True)
    """
    rows: Vector = x.astype(np.float64)
    weights = start
    least = _loss(rows, y, start, start, ridge)
    for _ in range(MAX_STEPS):
        chance = 1 / (1 + np.exp(-(rows @ weights)))
        gradient = rows.T @ (chance - y) + ridge * (weights - start)
        hessian = (rows * (chance * (1 - chance))[:, None]).T @ rows + ridge * np.eye(len(weights))
        step = np.linalg.solve(hessian, gradient)
        # A whole Newton step can throw the weights far off. It is halved until it lowers the loss.
        size = 1.0
        loss = _loss(rows, y, weights - size * step, start, ridge)
        while loss >= least:
            size /= 2
            if size <= MIN_STEP_SIZE:
                return weights
            loss = _loss(rows, y, weights - size * step, start, ridge)
        weights = weights - size * step
        least = loss
    return weights


def _loss(x: Vector, y: Vector, weights: Vector, start: Vector, ridge: float) -> float:
    margin = x @ weights
    return float(np.logaddexp(0, margin).sum() - y @ margin + ridge / 2 * ((weights - start) ** 2).sum())
