"""Splits scores into two groups, and finds the cut that makes the better group the best collection."""

from __future__ import annotations

import math
from typing import Final, NamedTuple

import numpy as np

from clew.learning.sparse import Floats

STEPS: Final = 50
USUAL_WEIGHT: Final = 0.3  # of the usual share, relative to the scores
HINT_SHARE: Final = 0.45  # of the hint in what each score is taken for
RARE: Final = 0.33  # mean chance below which most pages are something else
STANDS_OUT: Final = 1.02  # a collection is that much better than all pages if something stands out
MIN_GAP: Final = 0.25  # between the groups, in standard deviations


class Split(NamedTuple):
    """The log odds of the upper group as a line: two normal distributions of the same width have no other."""

    slope: float
    shift: float

    def log_odds(self, scores: Floats) -> Floats:
        """The log odds of each score to belong to the upper group."""
        return self.slope * scores + self.shift


def split(scores: Floats, hint: Floats, usual_share: float, upper: float | None = None) -> Split:
    """The two normal distributions of one width that fit the scores best, by expectation maximisation.

    `hint` says roughly how likely each score belongs to the upper group, and keeps a vote in every step: where the
    scores do not fall into two groups by themselves, it decides. `usual_share` is the share of the upper group before
    the scores are seen. If the mean of the upper group is known (`upper`), it is only the beginning.

    >>> scores = np.concatenate([np.linspace(-2.0, -1.0, 60), np.linspace(1.5, 2.5, 40)])
    >>> found = split(scores, hint=(scores > 2.0).astype(float), usual_share=0.35)
    >>> bool(found.log_odds(np.array([1.0]))[0] > 0 > found.log_odds(np.array([-0.5]))[0])
    True
    """
    high = _mean(scores, hint) if upper is None else upper
    low = _mean(scores, 1.0 - hint)
    width = max(float(scores.std()), 1e-6)
    low = min(low, high - MIN_GAP * width)
    share = usual_share
    prior_weight = USUAL_WEIGHT * len(scores)
    for _ in range(STEPS):
        chances = sigmoid(_line(low, high, width, share).log_odds(scores))
        if upper is None:
            chances = (1.0 - HINT_SHARE) * chances + HINT_SHARE * hint
        share = (float(chances.sum()) + prior_weight * usual_share) / (len(scores) + prior_weight)
        if upper is None:
            high = _mean(scores, chances)
        low = _mean(scores, 1.0 - chances)
        low = min(low, high - MIN_GAP * width)
        spread = chances @ (scores - high) ** 2 + (1.0 - chances) @ (scores - low) ** 2
        width = max(math.sqrt(float(spread) / len(scores)), 1e-6)
    return _line(low, high, width, share)


def best_cut(chances: Floats, lowest: float, highest: float) -> float:
    """The chance from which on pages should be kept, so that the expected F1 of what is kept is highest.

    If the k best are kept, it is 2 (p1 + … + pk) / (k + p1 + … + pn). If nothing stands out, it would be highest with
    all pages; where most of them are probably something else, none is kept without a better reason (`highest`).

    >>> best_cut(np.array([0.9, 0.8, 0.3, 0.1, 0.1]), 0.05, 0.95)
    0.8
    >>> best_cut(np.array([0.31, 0.3, 0.3, 0.3, 0.29]), 0.05, 0.6)
    0.6
    """
    if not len(chances):
        return lowest
    ordered = np.sort(chances)[::-1]
    kept = np.arange(1, len(ordered) + 1)
    expected = 2.0 * np.cumsum(ordered) / (kept + ordered.sum())
    if float(ordered.mean()) < RARE and float(expected.max()) < STANDS_OUT * float(expected[-1]):
        return highest
    return float(np.clip(ordered[int(expected.argmax())], lowest, highest))


def sigmoid(x: Floats) -> Floats:
    """1 / (1 + exp(-x))."""
    # tanh does not overflow for large negative x, as exp(-x) would.
    return np.asarray(0.5 + 0.5 * np.tanh(0.5 * x))


def _line(low: float, high: float, width: float, share: float) -> Split:
    gap = high - low
    return Split(gap / width**2, -gap * (high + low) / 2 / width**2 + math.log(share / (1.0 - share)))


def _mean(scores: Floats, weights: Floats) -> float:
    return float(weights @ scores) / max(float(weights.sum()), 1e-9)
