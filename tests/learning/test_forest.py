"""Boosted trees: they learn what a line cannot, correct another's margins, and survive as plain lists."""

from __future__ import annotations

import numpy as np
import pytest

from clew.learning.forest import Forest, grow


def both_or_none(n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    x = np.random.default_rng(seed).normal(size=(n, 4)).astype(np.float32)
    return x, (x[:, 0] * x[:, 1] > 0).astype(float)


def test_clues_that_only_work_together_are_learnt() -> None:
    forest = grow(*both_or_none(2000, 1), trees=40, depth=3)
    x, y = both_or_none(500, 2)
    assert ((forest.margin(x) > 0) == y).mean() > 0.85


def test_a_base_that_is_right_leaves_nothing_to_correct() -> None:
    x, y = both_or_none(1000, 3)
    forest = grow(x, y, base=np.where(y > 0, 20.0, -20.0), trees=5)
    assert np.abs(forest.margin(x)).max() < 0.01


def test_weights_decide_between_labels_that_disagree() -> None:
    x = np.zeros((100, 1), np.float32)
    x[50:] = 1
    y = np.tile([0.0, 1.0], 50)
    trusted = np.where((x[:, 0] > 0) == (y > 0), 10.0, 0.1)
    forest = grow(x, y, trusted, trees=20, depth=1, ridge=1.0)
    assert forest.margin(np.array([[0.0], [1.0]], np.float32)).tolist() == sorted(forest.margin(x[[0, 99]]))
    assert forest.margin(x[:1])[0] < 0 < forest.margin(x[-1:])[0]


def test_a_forest_is_the_same_from_its_lists() -> None:
    x, y = both_or_none(300, 4)
    forest = grow(x, y, trees=6)
    again = Forest.of(forest.plain(digits=9))
    assert np.allclose(again.margin(x), forest.margin(x), atol=1e-5)


def test_no_trees_are_the_bias_and_one_value_teaches_nothing() -> None:
    empty = Forest.of({"asks": [], "cuts": [], "leaves": [], "bias": 0.5})
    assert empty.margin(np.zeros((2, 3), np.float32)).tolist() == [0.5, 0.5]
    same = grow(np.ones((20, 2), np.float32), np.ones(20), trees=3, depth=2)
    assert np.isfinite(same.margin(np.zeros((1, 2), np.float32))).all()


def test_the_same_seed_grows_the_same_forest() -> None:
    x, y = both_or_none(500, 5)
    one, two = (grow(x, y, trees=4, sample=0.5, seed=7) for _ in range(2))
    assert (one.leaves == two.leaves).all()


def test_of_columns_that_say_the_same_the_first_is_asked() -> None:
    x, y = both_or_none(700, 6)
    # Sums by subtraction round otherwise in each copy; that must not decide.
    copies = np.hstack((x, x[:, ::-1], x))
    assert grow(copies, y, trees=20).asks.max() < 4


@pytest.mark.parametrize("seed", range(4))
def test_every_question_is_the_best_by_the_sums_over_all_rows(seed: int) -> None:
    x, y = both_or_none(400, seed)
    x[:, 2] = np.round(x[:, 2])
    forest = grow(x, y, trees=1, depth=3, ridge=3.0)
    leaf = np.zeros(len(x), int)
    for ask, cut in zip(forest.asks[0], forest.cuts[0], strict=True):
        asked = loss_saved(leaf, x[:, ask] > cut, y)
        others = [loss_saved(leaf, column > value, y) for column in x.T for value in quantiles(column)]
        assert asked == pytest.approx(max(others), rel=1e-9)
        leaf = leaf * 2 + (x[:, ask] > cut)


def quantiles(column: np.ndarray) -> np.ndarray:
    return np.quantile(column, np.arange(1, 24) / 24, method="lower")


def loss_saved(leaf: np.ndarray, answer: np.ndarray, y: np.ndarray, ridge: float = 3.0) -> float:
    """The gain of a question, from the rows: gradients are y - 1/2 and second derivatives 1/4 at the start."""
    cells = leaf * 2 + answer
    gradients = np.bincount(cells, y - 0.5)
    return float((gradients**2 / (np.bincount(cells) / 4 + ridge)).sum())
