from __future__ import annotations

import math

import numpy as np
import pytest

from clew.learning.ratios import Locality, balanced, interest, sibling, significance

RATE, HITS = 0.1, 100.0  # 1000 pages, 100 of them wanted


@pytest.mark.parametrize(
    ("hits", "seen", "ratio", "paper", "binomial"),
    [(10, 20, 5.0, 13.333, 5.963), (6, 10, 6.0, 16.667, 5.270), (1, 1, 10.0, 30.0, 3.0), (0, 30, 0.0, 3.333, 1.826)],
)
def test_t3a(hits: int, seen: int, ratio: float, paper: float, binomial: float) -> None:
    pages, good = np.array([float(seen)]), np.array([float(hits)])
    assert interest(pages, good, RATE, prior=0.0)[0] == pytest.approx(ratio)
    assert significance(pages, good, RATE, HITS)[0] == pytest.approx(paper, abs=5e-4)
    assert significance(pages, good, RATE, pages)[0] == pytest.approx(binomial, abs=5e-4)


def test_t3a_nothing_is_impossible() -> None:
    assert interest(np.array([30.0]), np.array([0.0]), RATE)[0] == pytest.approx(0.0625)


def test_t3b_links() -> None:
    p, q = Locality(70, 100, 36, 794).ratios(RATE, prior=0.0)
    assert (p, q) == pytest.approx((7.0, 0.4))
    assert p**1 * q**2 == pytest.approx(1.12)


def test_t3b_siblings() -> None:
    assert pytest.approx(6.0) == 9 / (15 * RATE)
    assert sibling(9, 15, RATE) == pytest.approx(9.1 / 1.6)
    assert sibling(0, 15, RATE) == pytest.approx(0.0625)
    assert sibling(0, 0, RATE) == 1.0


def test_an_exact_lift_is_one_where_links_are_blind() -> None:
    # A fifth of the sources and half of the targets are hits, and neither cares for the other.
    blind = Locality(10, 10, 40, 40)
    assert blind.ratios(0.2, exact=True, prior=0.0) == pytest.approx((1.0, 1.0))
    assert blind.ratios(0.2, prior=0.0)[0] == pytest.approx(2.5)
    assert all(ratio > 0 for ratio in Locality().ratios(0.5))


def test_t3c() -> None:
    logs = np.log([5.0, 6.0, 1.12, 6.0])
    assert logs.sum() == pytest.approx(5.3063, abs=5e-5)
    weights = balanced(np.array([0.8, 0.4, 1.6, 0.2]))
    assert weights == pytest.approx([0.5333, 1.0667, 0.2667, 2.1333], abs=5e-5)
    assert (weights * logs).sum() == pytest.approx(6.6222, abs=5e-5)


def test_a_silent_factor_does_not_get_all_the_weight() -> None:
    weights = balanced(np.array([0.0, 1.0]))
    assert weights.sum() == pytest.approx(2.0)
    assert weights[0] == pytest.approx(20 * weights[1])
    assert math.isfinite(weights[0])


def test_a_lonely_event_gets_an_ordinary_weight() -> None:
    # URL tokens: one known token, on few candidates, so their mean is small and 1/mean is large.
    sizes = np.array([1.5, 0.1, 1.0, 0.5])
    assert balanced(sizes)[1] == pytest.approx(10 / (1 / 1.5 + 10 + 1 + 2) * 4)  # 2.93 of 4
    evidence = np.array([90.0, 1.0, 90.0, 90.0])
    trust = evidence / (evidence + 10.0)  # .9, .0909, .9, .9
    typical = (0.9 * 3.0 + 0.1 / 11) / (2.7 + 1 / 11)  # .9707
    url = 0.1 / 11 + typical * 10 / 11  # .8915
    rest = [0.9 * size + 0.1 * typical for size in (1.5, 1.0, 0.5)]
    shares = 1 / np.array([rest[0], url, *rest[1:]])
    assert trust[1] == pytest.approx(1 / 11)
    assert balanced(sizes, evidence) == pytest.approx(shares / shares.sum() * 4)
    assert balanced(sizes, evidence)[1] == pytest.approx(0.9662, abs=5e-5)
    # With as many events as the others, it is as large as they are again.
    assert balanced(sizes, np.full(4, 1e6)) == pytest.approx(balanced(sizes), rel=1e-3)
    assert balanced(sizes, np.zeros(4)).tolist() == [1.0, 1.0, 1.0, 1.0]
