from __future__ import annotations

import numpy as np
import pytest

from clew.learning.bayes import Bag, NaiveBayes, train


def bag(*words: int) -> Bag:
    return np.array(words, np.int64), np.ones(len(words)) / len(words) ** 0.5


SIX = [(bag(one, other), int(one > 2), 1.0) for one, other in [(0, 1), (0, 2), (1, 2), (3, 4), (3, 5), (4, 5)]]


def test_chances_add_up_and_follow_the_words() -> None:
    model = train(SIX, 2, 6)
    chances = model(bag(0, 2))
    assert chances.sum() == pytest.approx(1.0)
    assert chances[0] > 0.6


def test_without_a_known_word_all_classes_are_equal() -> None:
    model = train([(bag(label), label, 1.0) for label in range(3)], 3, 3)
    assert model(bag()) == pytest.approx([1 / 3] * 3)


def test_large_classes_have_no_advantage() -> None:
    model = train([(bag(0, 2), 0, 1.0)] * 50 + [(bag(1, 2), 1, 1.0)] * 3, 2, 3)
    assert model(bag(2)) == pytest.approx([0.5, 0.5], abs=1e-6)


def test_sharpness_makes_sure() -> None:
    table = np.log([[0.6, 0.4], [0.4, 0.6]])
    soft, sharp = (NaiveBayes(np.arange(2), table, sharpness)(bag(0))[0] for sharpness in (1.0, 10.0))
    assert 0.5 < soft < sharp < 1.0


def test_a_class_with_one_text_leaves_the_others_as_sure_as_they_were() -> None:
    before, after = train(SIX, 2, 7), train([*SIX, (bag(6), 2, 1.0)], 3, 7)
    assert after.sharpness == before.sharpness > 1.0
    assert after(bag(6)).argmax() == 2


def test_what_weighs_more_counts_more() -> None:
    light, heavy = (train([*SIX, (bag(2, 6), 1, weight)], 2, 7)(bag(2))[1] for weight in (1.0, 5.0))
    assert light < heavy
