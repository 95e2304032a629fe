"""Weights that are pulled towards what was known before."""

from __future__ import annotations

import numpy as np

from clew.learning.logistic import fit


def test_without_rows_the_start_stays() -> None:
    start = np.array([0.5, -1.0])
    assert (fit(np.zeros((0, 2)), np.zeros(0), start, ridge=1.0) == start).all()


def test_a_strong_pull_keeps_the_weights_near_the_start() -> None:
    x, y = np.array([[1.0], [-1.0]] * 50), np.array([1.0, 0.0] * 50)
    near, far = (fit(x, y, np.zeros(1), ridge)[0] for ridge in (1000.0, 0.1))
    assert 0 < near < 0.1 < 2 < far


def test_the_gradient_vanishes_at_the_end() -> None:
    chances = np.random.default_rng(0)
    x = chances.normal(size=(200, 3))
    y = (chances.random(200) < 1 / (1 + np.exp(-x @ [1.0, -2.0, 0.0]))).astype(float)
    weights = fit(x, y, np.zeros(3), ridge=2.0)
    slope = x.T @ (1 / (1 + np.exp(-x @ weights)) - y) + 2.0 * weights
    assert np.abs(slope).max() < 1e-3


def test_steps_that_would_throw_it_off_are_halved() -> None:
    x = np.array([[1000.0], [999.0]])
    assert np.isfinite(fit(x, np.array([1.0, 0.0]), np.array([5.0]), ridge=1e-6)).all()
