from __future__ import annotations

import numpy as np
import pytest

from clew.maths.bayes import Bag, NaiveBayes, train


def bag(*words: int) -> Bag:
    return np.array(words, np.int64), np.ones(len(words)) / len(words) ** 0.5


def test_chances_add_up_and_follow_the_words() -> None:
    bags = [bag(0, 1), bag(0, 2), bag(1, 2), bag(3, 4), bag(3, 5), bag(4, 5)]
    model = train(bags, [0, 0, 0, 1, 1, 1], 2, 6)
    chances = model(bag(0, 2))
    assert chances.sum() == pytest.approx(1.0)
    assert chances[0] > 0.6


def test_without_a_known_word_all_classes_are_equal() -> None:
    model = train([bag(0), bag(1), bag(2)], [0, 1, 2], 3, 3)
    assert model(bag()) == pytest.approx([1 / 3] * 3)


def test_large_classes_have_no_advantage() -> None:
    model = train([bag(0, 2)] * 50 + [bag(1, 2)] * 3, [0] * 50 + [1] * 3, 2, 3)
    assert model(bag(2)) == pytest.approx([0.5, 0.5], abs=1e-6)


def test_sharpness_makes_sure() -> None:
    table = np.log([[0.6, 0.4], [0.4, 0.6]])
    soft, sharp = (NaiveBayes(np.arange(2), table, sharpness)(bag(0))[0] for sharpness in (1.0, 10.0))
    assert 0.5 < soft < sharp < 1.0
