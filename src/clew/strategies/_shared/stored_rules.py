"""Rules as a crawl keeps them: what each has shown at learning and since, how sure it is by now, when it has failed."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log, sqrt
from typing import Final, Literal, assert_never

import numpy as np
from numpy.typing import NDArray

from clew.learning import facts
from clew.learning.rules import Rule, covering, distinct, prolog
from clew.strategies._shared.rule_engine import StoredBody
from clew.strategies._shared.rule_learners import LearnedRule

StoredRule = tuple[StoredBody, list[int]]
"""The literals of a rule, and four counts: relevant and other pages that it covered at learning, then since."""
Selection = Literal["covering", "distinct", "best"]

PRIOR_VISITS: Final = 2.0
"""Pages at the base rate that are added to what a rule has shown: small covers are trusted less."""
MIN_SHARE: Final = 1e-3
"""Shares closer to 0 or 1 than this have no log-odds that mean anything."""
MIN_LATER: Final = 10
"""Later pages before a rule can fail."""


def stored(rule: Rule) -> StoredRule:
    """A rule that was just learned."""
    body = tuple([(literal.name, *literal.args) for literal in rule.body])
    return body, [rule.positives, rule.negatives, 0, 0]


def readable(rule: StoredRule) -> LearnedRule:
    """A rule in Prolog with its counts."""
    body, counts = rule
    literals = tuple(facts.Literal(name, tuple(args)) for name, *args in body)
    return LearnedRule(prolog(literals), *counts)


def confidence(rule: StoredRule, base_rate: float) -> float:
    """The share of relevant pages to expect, by all pages that the rule has covered.

    >>> confidence(((("links_to", "Y", "X", "A"),), [8, 0, 2, 8]), 0.2)
    0.52
    """
    positives, negatives, later_positives, later_negatives = rule[1]
    good = positives + later_positives
    return (good + PRIOR_VISITS * base_rate) / (good + negatives + later_negatives + PRIOR_VISITS)


def combined(confidences: Sequence[float], base_rate: float) -> float:
    """The confidence of several rules that hold together; one alone has its own.

    Each moves the log-odds away from the base rate. Rules about the same link are not independent: four count as two.

    >>> round(combined([0.8], 0.5), 3), round(combined([0.8] * 4, 0.5), 3)
    (0.8, 0.941)
    """
    base = _log_odds(base_rate)
    gains = [_log_odds(each) - base for each in confidences]
    return 1 / (1 + exp(-base - sum(gains) / sqrt(len(gains))))


def _log_odds(share: float) -> float:
    bounded = min(max(share, MIN_SHARE), 1 - MIN_SHARE)
    return log(bounded / (1 - bounded))


def has_failed(rule: StoredRule, base_rate: float) -> bool:
    """Whether the later pages that a rule covered were no better than pages at the base rate.

    >>> has_failed(((), [8, 0, 1, 9]), 0.2), has_failed(((), [8, 0, 0, 9]), 0.2)
    (True, False)
    """
    *_, good, bad = rule[1]
    return good + bad >= MIN_LATER and good / (good + bad) <= base_rate


def selected(rules: Sequence[Rule], relevant: NDArray[np.bool_], selection: Selection, most: int) -> list[Rule]:
    """The rules to keep, at most so many: the search finds many that say nearly the same."""
    match selection:
        case "covering":
            return covering(rules, relevant, most)
        case "distinct":
            return distinct(rules, most)
        case "best":
            return list(rules[:most])
        case _:
            assert_never(selection)
