"""Forecasts how many relevant pages the next visits bring, with the range in which the number lies most of the time."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from clew.core.forecast_interval import Expected, error, interval
from clew.errors import StrategyError
from clew.frontier import Frontier
from clew.strategies import Strategy, _optional
from clew.types import HORIZON

PREDICT_EVERY_VISITS: Final = 50  # visits between two predictions; HORIZON is a multiple of it
MEMORY_VISITS: Final = 300  # older predictions are forgotten
PRIOR_PAGES: Final = 5.0  # pages that each prediction is assumed to have promised and found
FADING: Final = 0.15  # the share by which the rate of new finds falls over the horizon: topics run out
LONG_TERM_DECAY: Final = 0.5 ** (1 / 100)  # of the long-term rate, for each visit: half of it is 100 visits old
MIN_FINDS: Final = 3  # nothing is said before so many relevant pages were found …
MIN_VISITS: Final = 300  # … or so many visits have found none


@dataclass
class Prediction:
    """What was expected after a number of visits, and what was found since."""

    visit: int
    known: int  # URLs that had been seen by then
    promised: list[float]  # relevant pages in the next 50, 100, … visits, by the chances of the candidates
    kept: int = 0  # relevant pages since then among the URLs seen by then
    news: int = 0  # relevant pages since then among the other URLs
    waiting: int | None = None  # candidates by then; None in checkpoints of earlier versions
    trust: float = 1.0  # the share of what was promised that was expected to come true
    news_rate: float | None = None  # new finds expected of each visit; None if there was no forecast

    def expected(self, visits: int) -> Expected:
        """What was expected of so many visits, a multiple of PREDICT_EVERY_VISITS."""
        known = self.trust * self.promised[visits // PREDICT_EVERY_VISITS - 1]
        fading = 1 - FADING * visits / HORIZON
        return Expected(known, fading * visits * (self.news_rate or 0.0))

    def error(self, visited: int) -> float:
        """How wrong it has been by now."""
        visits = visited - self.visit
        return error(min(sum(self.expected(visits)), visits), self.kept + self.news)


@dataclass
class Forecast:
    """Makes a prediction now and then, and learns from earlier ones how far predictions come true.

    The next visits go to candidates that are known now, and to pages that are not known yet. For the former, the
    strategy gives the chances, which are corrected by the share of earlier predictions that came true. The latter are
    expected nearly as often as they came after those predictions, and in all never more than at the recent rate. If a
    strategy gives no chances, all pages count as unknown. The errors of earlier predictions give the range.

    >>> frontier = Frontier()
    >>> frontier.set([frontier.slot_for(f"http://a.example/{number}") for number in range(1000)], [0.5] * 1000)
    >>> forecast = Forecast(frontier, Strategy())
    >>> for visit in range(1, 101):
    ...     forecast.record_visit(slot=visit, relevant=visit % 5 == 0, visited=visit)
    >>> round(forecast.expected), round(forecast.low), round(forecast.high)
    (85, 4, 500)
    """

    frontier: Frontier
    strategy: Strategy
    expected: float | None = None  # relevant pages in the next HORIZON visits; None while nothing is known
    expected_waiting: float | None = None  # those of them that are candidates now; None if there are no chances
    low: float | None = None  # the range of what is expected
    high: float | None = None
    predictions: list[Prediction] = field(default_factory=list)  # of the last MEMORY_VISITS visits
    visits: int = 0
    finds: int = 0
    since_relevant: int = 0  # visits
    long_term_finds: float = 0.0  # earlier ones count less and less
    long_term_visits: float = 0.0

    def record_visit(self, slot: int, relevant: bool, visited: int) -> None:
        """Count a visit, which `visited` already includes; every so often, make a prediction."""
        self.visits += 1
        self.finds += relevant
        self.since_relevant = 0 if relevant else self.since_relevant + 1
        self.long_term_finds = LONG_TERM_DECAY * self.long_term_finds + relevant
        self.long_term_visits = LONG_TERM_DECAY * self.long_term_visits + 1
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
        self.__dict__ = Forecast(self.frontier, self.strategy).__dict__

    def save(self) -> dict[str, Any]:
        """Plain values for a checkpoint."""
        predictions = [asdict(prediction) for prediction in self.predictions]
        return {"looks": predictions} | {name: getattr(self, name) for name in _NUMBERS}

    def load(self, data: dict[str, Any]) -> None:
        """Restore what `save` returned; earlier versions saved fewer numbers."""
        self.forget()
        for name in _NUMBERS:
            setattr(self, name, data.get(name, getattr(self, name)))
        self.predictions = [Prediction(**values) for values in data["looks"]]

    def _predict(self, visited: int) -> None:
        best = self.frontier.top(HORIZON)
        waiting = self.frontier.in_play
        self.predictions = [each for each in self.predictions if visited - each.visit <= MEMORY_VISITS]
        prediction = Prediction(visited, 0, [0.0] * (HORIZON // PREDICT_EVERY_VISITS), waiting=waiting)
        chances = self._chances(best)
        if chances is not None:
            prediction.known = len(self.frontier)
            steps = range(PREDICT_EVERY_VISITS, HORIZON + 1, PREDICT_EVERY_VISITS)
            prediction.promised = [float(chances[:visits].sum()) for visits in steps]
        if self.predictions:
            prediction.trust = self._trust(visited)
            prediction.news_rate = self._news_rate(visited)
            self._set_expected(prediction, possible_visits(self.predictions[0], visited, waiting), chances is not None)
        self.predictions.append(prediction)

    def _set_expected(self, prediction: Prediction, possible: float, has_chances: bool) -> None:
        if self.finds < MIN_FINDS and self.visits < MIN_VISITS:
            return
        parts = prediction.expected(HORIZON)
        errors = [each.error(prediction.visit) for each in self.predictions if each.news_rate is not None]
        long_term = HORIZON * self.long_term_finds / self.long_term_visits
        low, high = interval(parts, errors, self.since_relevant, long_term)
        # No visit finds more than one page, and rates mostly fall.
        self.expected = min(sum(parts), self._recent_finds(prediction.visit), possible)
        self.low = min(low, self.expected)
        self.high = min(max(high, self.expected), possible)
        self.expected_waiting = min(parts.known, self.expected, prediction.waiting or 0) if has_chances else None

    def _recent_finds(self, visited: int) -> float:
        """What the horizon would bring at the rate of the last two predictions, which is 100 visits."""
        earlier = self.predictions[-2:][0]
        return HORIZON * (earlier.kept + earlier.news) / (visited - earlier.visit)

    def _trust(self, visited: int) -> float:
        """The share of the pages promised by now that earlier predictions have seen come true."""
        promised = sum(
            prediction.promised[(visited - prediction.visit) // PREDICT_EVERY_VISITS - 1]
            for prediction in self.predictions
        )
        kept = sum(prediction.kept for prediction in self.predictions)
        # A prediction that promised little proves little: the prior pulls the share towards 1.
        prior = PRIOR_PAGES * len(self.predictions)
        return (kept + prior) / (promised + prior)

    def _news_rate(self, visited: int) -> float:
        """New finds for each visit since earlier predictions; those that saw more visits count more."""
        weighted = 0.0
        weights = 0.0
        for prediction in self.predictions:
            visits = visited - prediction.visit
            weighted += visits**0.5 * prediction.news / visits
            weights += visits**0.5
        return weighted / weights

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


_NUMBERS: Final = (
    *("expected", "expected_waiting", "low", "high"),
    *("visits", "finds", "since_relevant", "long_term_finds", "long_term_visits"),
)
"""The fields that a checkpoint holds as they are."""


def possible_visits(earlier: Prediction, visited: int, waiting: int) -> float:
    """How many of the next visits there can be: the candidates, and as many behind them as there were of late.

    >>> possible_visits(Prediction(100, 0, [], waiting=80), visited=200, waiting=30)
    60.0
    """
    visits = visited - earlier.visit
    if earlier.waiting is None:
        return HORIZON
    fresh_per_visit = max(0.0, (waiting - earlier.waiting + visits) / visits)
    if fresh_per_visit >= 1:
        return HORIZON
    return min(HORIZON, waiting / (1 - fresh_per_visit))
