"""Forecasts how many relevant pages the next visits bring, and how many are among all candidates."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from clew.errors import StrategyError
from clew.frontier import Frontier
from clew.strategies import Strategy, _optional
from clew.types import HORIZON

PREDICT_EVERY_VISITS: Final = 50  # visits between two predictions; HORIZON is a multiple of it
SAMPLED_CANDIDATES: Final = 250  # beyond the next HORIZON ones; they represent all the others
PRIOR_PAGES: Final = 5.0  # pages that each prediction is assumed to have promised and found


@dataclass
class Prediction:
    """What the candidates promised after a number of visits, and what was found since."""

    visit: int
    known: int  # URLs that had been seen by then
    promised: list[float]  # relevant pages in the next 50, 100, … visits, by the chances of the candidates
    kept: int = 0  # relevant pages since then among the URLs seen by then
    news: int = 0  # relevant pages since then among the other URLs


@dataclass
class Forecast:
    """Makes a prediction now and then, and learns from earlier ones how far predictions come true.

    The next visits go to candidates that are known now, and to pages that are not known yet. For the former, the
    strategy gives the chances, which are corrected by the share of earlier predictions that came true. The latter are
    expected as often as they came after those predictions. If a strategy gives no chances, all pages count as unknown,
    and the forecast is the recent rate.

    >>> forecast = Forecast(Frontier(), Strategy())
    >>> for visit in range(1, 101):
    ...     forecast.record_visit(slot=visit, relevant=visit % 5 == 0, visited=visit)
    >>> forecast.expected, forecast.expected_waiting
    (100.0, None)
    """

    frontier: Frontier
    strategy: Strategy
    expected: float | None = None  # relevant pages in the next HORIZON visits; None before the second prediction
    expected_waiting: float | None = None  # relevant pages among the candidates; None if the strategy gives no chances
    predictions: list[Prediction] = field(default_factory=list)  # of the last HORIZON visits

    def record_visit(self, slot: int, relevant: bool, visited: int) -> None:
        """Count a visit, which `visited` already includes; every so often, make a prediction."""
        if relevant:
            for prediction in self.predictions:
                # Slots are numbered in the order of discovery.
                if slot < prediction.known:
                    prediction.kept += 1
                else:
                    prediction.news += 1
        if visited % PREDICT_EVERY_VISITS == 0:
            self._predict(visited)

    def forget(self) -> None:
        """Start again, because pages are judged differently from now on."""
        self.expected = None
        self.expected_waiting = None
        self.predictions = []

    def save(self) -> dict[str, Any]:
        """Plain values for a checkpoint."""
        predictions = [asdict(prediction) for prediction in self.predictions]
        return {"expected": self.expected, "expected_waiting": self.expected_waiting, "looks": predictions}

    def load(self, data: dict[str, Any]) -> None:
        """Restore what `save` returned."""
        self.expected = data["expected"]
        self.expected_waiting = data["expected_waiting"]
        self.predictions = [Prediction(**values) for values in data["looks"]]

    def _predict(self, visited: int) -> None:
        best, others = self.frontier.ranked(HORIZON)
        # Every n-th of the others, so that the sample covers all scores.
        sample = others[:: len(others) // SAMPLED_CANDIDATES + 1]
        chances = self._chances(np.concatenate([best, sample]))
        trust = self._trust(visited)
        prediction = Prediction(visited, 0, [0.0] * (HORIZON // PREDICT_EVERY_VISITS))
        self.expected_waiting = None
        if chances is not None:
            best_chances = chances[: len(best)]
            sample_chances = chances[len(best) :]
            prediction.known = len(self.frontier)
            steps = range(PREDICT_EVERY_VISITS, HORIZON + 1, PREDICT_EVERY_VISITS)
            prediction.promised = [float(best_chances[:visits].sum()) for visits in steps]
            beyond = float(sample_chances.mean()) * len(others) if len(sample_chances) else 0.0
            candidates = float(len(best) + len(others))
            self.expected_waiting = min(trust * (prediction.promised[-1] + beyond), candidates)
        if self.predictions:
            # Each prediction has the same weight, so the latest visits, which all of them have seen, weigh most: rates
            # mostly fall.
            rates = [earlier.news / (visited - earlier.visit) for earlier in self.predictions]
            news_rate = sum(rates) / len(self.predictions)
            self.expected = min(trust * prediction.promised[-1] + news_rate * HORIZON, float(HORIZON))
        recent = [earlier for earlier in self.predictions if visited - earlier.visit < HORIZON]
        self.predictions = [*recent, prediction]

    def _trust(self, visited: int) -> float:
        """The share of the pages promised by now that earlier predictions have seen come true."""
        promised = sum(
            prediction.promised[(visited - prediction.visit) // PREDICT_EVERY_VISITS - 1]
            for prediction in self.predictions
        )
        kept = sum(prediction.kept for prediction in self.predictions)
        # A prediction that promised little proves little: the prior pulls the share towards 1.
        prior = PRIOR_PAGES * max(1, len(self.predictions))
        return (kept + prior) / (promised + prior)

    def _chances(self, slots: NDArray[np.int64]) -> NDArray[np.float64] | None:
        """The chances of these candidates by the strategy; None if it gives none."""
        if not len(slots):
            return None
        estimates = _optional.chances(self.strategy, self.frontier.candidates(slots.tolist()))
        if estimates is None:
            return None
        chances = np.asarray(estimates, np.float64)
        if chances.shape != slots.shape or not np.isfinite(chances).all():
            raise StrategyError("chances() must return one finite number for each candidate")
        return np.clip(chances, 0.0, 1.0)
