"""What a crawl may still expect: relevant pages of the next visits, and among all that waits."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from clew.errors import StrategyError
from clew.frontier import Frontier
from clew.strategies import Strategy, _optional
from clew.types import HORIZON

LOOK_EVERY_VISITS: Final = 50  # visits between two looks; HORIZON is a multiple of it
SAMPLED_CANDIDATES: Final = 250  # candidates behind the next ones that stand for all of them
PRIOR_PAGES: Final = 5.0  # pages promised and found, as it were, by each look: one that promised little proves little


@dataclass
class Look:
    """What the candidates promised after so many visits, and what has come since."""

    visit: int
    known: int  # URLs that had been seen by then
    promised: list[float]  # relevant pages of the next EVERY, 2 * EVERY, … visits, by the chances of the candidates
    kept: int = 0  # relevant pages since then that were known at the time
    news: int = 0  # and those that were not


@dataclass
class Forecast:
    """Looks ahead now and then, and learns from earlier looks how much of what it sees comes true.

    The next visits bring some of the candidates that are known, and some that are not: of the former the strategy knows
    the chances, which the share that earlier looks saw come true corrects; the latter come as often as they did after
    those looks. Where a strategy knows no chances all pages are news, and what is expected is the recent rate.

    >>> forecast = Forecast(Frontier(), Strategy())
    >>> for visit in range(1, 101):
    ...     forecast.record_visit(slot=visit, relevant=visit % 5 == 0, visited=visit)
    >>> forecast.expected, forecast.expected_waiting
    (100.0, None)
    """

    frontier: Frontier
    strategy: Strategy
    expected: float | None = None  # relevant pages of the next HORIZON visits; None before the second look
    expected_waiting: float | None = None  # relevant pages among the candidates; None if the strategy knows no chances
    looks: list[Look] = field(default_factory=list)  # of the last HORIZON visits

    def record_visit(self, slot: int, relevant: bool, visited: int) -> None:
        """Take in a visit, which `visited` counts already; every so often, look."""
        for look in self.looks if relevant else ():
            if slot < look.known:
                look.kept += 1
            else:
                look.news += 1
        if visited % LOOK_EVERY_VISITS == 0:
            self._look(visited)

    def forget(self) -> None:
        """Pages are judged otherwise now: begin anew."""
        self.expected = None
        self.expected_waiting = None
        self.looks = []

    def save(self) -> dict[str, Any]:
        """Plain values, for a checkpoint."""
        looks = [asdict(look) for look in self.looks]
        return {"expected": self.expected, "expected_waiting": self.expected_waiting, "looks": looks}

    def load(self, data: dict[str, Any]) -> None:
        """Take over what `save` gave."""
        self.expected = data["expected"]
        self.expected_waiting = data["expected_waiting"]
        self.looks = [Look(**look) for look in data["looks"]]

    def _look(self, visited: int) -> None:
        best, others = self.frontier.ranked(HORIZON)
        sample = others[:: len(others) // SAMPLED_CANDIDATES + 1]
        chances = self._chances(np.concatenate([best, sample]))
        trust = self._trust(visited)
        now = Look(visited, 0, [0.0] * (HORIZON // LOOK_EVERY_VISITS))
        self.expected_waiting = None
        if chances is not None:
            near = chances[: len(best)]
            far = chances[len(best) :]
            now.known = len(self.frontier)
            steps = range(LOOK_EVERY_VISITS, HORIZON + 1, LOOK_EVERY_VISITS)
            now.promised = [float(near[:visits].sum()) for visits in steps]
            behind = float(far.mean()) * len(others) if len(far) else 0.0
            self.expected_waiting = min(trust * (now.promised[-1] + behind), float(len(best) + len(others)))
        if self.looks:
            # Each look counts once: what came of late is seen by all of them, and rates mostly fall.
            rates = [look.news / (visited - look.visit) for look in self.looks]
            news = sum(rates) / len(self.looks)
            self.expected = min(trust * now.promised[-1] + news * HORIZON, float(HORIZON))
        self.looks = [look for look in [*self.looks, now] if visited - look.visit < HORIZON]

    def _trust(self, visited: int) -> float:
        """The share of what earlier looks promised by now that has come true."""
        promised = sum(look.promised[(visited - look.visit) // LOOK_EVERY_VISITS - 1] for look in self.looks)
        caution = PRIOR_PAGES * max(1, len(self.looks))
        return (sum(look.kept for look in self.looks) + caution) / (promised + caution)

    def _chances(self, slots: NDArray[np.int64]) -> NDArray[np.float64] | None:
        if not len(slots):
            return None
        estimates = _optional.chances(self.strategy, self.frontier.candidates(slots.tolist()))
        if estimates is None:
            return None
        chances = np.asarray(estimates, np.float64)
        if chances.shape != slots.shape or not np.isfinite(chances).all():
            raise StrategyError("chances must be finite, and as many as there are candidates")
        return np.clip(chances, 0.0, 1.0)
