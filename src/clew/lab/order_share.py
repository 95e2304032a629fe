"""What politeness costs: the share of the ideal order that a crawl with live manners reaches."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from clew.core.manners import STILL
from clew.lab.trial_result import Trial, TrialResult


@dataclass(frozen=True, slots=True)
class OrderShare:
    """A crawl with live manners beside the same one in the ideal order; means over repeats."""

    trial: Trial
    found: float
    ideal: float  # relevant pages found in the ideal order, with as many visits
    seconds: float  # virtual ones

    @property
    def share(self) -> float:
        """Pages found, as a share of those found in the ideal order; 1 if there is nothing to find."""
        return self.found / self.ideal if self.ideal else 1.0


def order_shares(results: Iterable[TrialResult]) -> list[OrderShare]:
    """Every crawl with live manners for which the same one in the ideal order is among the results."""
    groups: dict[Trial, list[TrialResult]] = {}
    for result in results:
        groups.setdefault(result.trial.unrepeated, []).append(result)
    shares = []
    for trial, repeats in groups.items():
        ideal = groups.get(replace(trial, manners=STILL))
        if trial.manners != STILL and ideal:
            shares.append(OrderShare(trial, _mean(repeats, "found"), _mean(ideal, "found"), _mean(repeats, "seconds")))
    return shares


def found_by(result: TrialResult, seconds: float) -> int:
    """The relevant pages that a crawl with live manners had found by then; all of them if it was over before."""
    visits = int(np.searchsorted(result.times, seconds, "right"))
    return int(result.found[visits - 1]) if visits else 0


def _mean(results: list[TrialResult], name: str) -> float:
    return float(np.mean([result.numbers[name] for result in results]))
