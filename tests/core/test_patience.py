"""The falling bar, with worked numbers."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from clew.config import Until
from clew.core.patience import Patience, lack_by_score, rank_span
from clew.core.stats import Tally
from clew.errors import StrategyError
from clew.frontier import Frontier
from clew.strategies import Strategy, _optional
from clew.types import Page, UrlState

DELAY = 1.0
HUNDRED_PAGES = Until(pages=100)


@dataclass
class Case:
    """Two pages on the host a, one on b; the first of a was asked at 0, and its answer came at 0.5."""

    patience: Patience
    first: int
    better: int
    worse: int

    @classmethod
    def of(cls, *, waits="by score", until=HUNDRED_PAGES, turns=2.0, seconds=0.0, pause=DELAY, visited=0) -> Case:
        frontier = Frontier()
        first, better, worse = map(frontier.slot_for, ("http://a.org/1", "http://a.org/2", "http://b.org/"))
        frontier.set([first, better, worse], [0.9, 0.8, 0.2])
        tally = Tally()
        for _ in range(visited):
            tally.visit(Page("http://c.org/"))
        patience = Patience(frontier, waits, tally, until, turns, lambda: seconds)
        assert frontier.pop(0.0) == first
        patience.sent(0.0)
        frontier.release(first, 0.5, pause)
        frontier.finish(first, UrlState.FETCHED)
        frontier.wake(0.5)
        return cls(patience, first, better, worse)


def test_a_worse_page_waits_for_its_share_of_two_turns() -> None:
    """A turn of a is 1.5 s; a page with a quarter of the chance lacks 0.75 of it: 2 * 1.5 * 0.75 = 2.25 s."""
    case = Case.of()
    assert case.patience.holds(0.5, ())
    assert case.patience.wait is not None
    assert (case.patience.wait.slot, case.patience.wait.score) == (case.better, 0.8)
    assert case.patience.ends_at == pytest.approx(2.25)
    assert case.patience.holds(2.24, ())
    assert not case.patience.holds(2.26, ())


def test_the_better_page_is_taken_as_soon_as_it_can_be_had() -> None:
    case = Case.of()
    assert case.patience.holds(0.5, ())
    case.patience.frontier.wake(1.5)
    assert not case.patience.holds(1.5, ())
    assert case.patience.frontier.pop(1.5) == case.better


def test_a_better_page_in_flight_is_waited_for() -> None:
    """What it links to may be better, too."""
    case = Case.of()
    assert case.patience.frontier.pop(1.5) == case.better
    case.patience.sent(1.5)
    assert case.patience.holds(3.7, [case.better])
    assert not case.patience.holds(3.76, [case.better])
    assert not case.patience.holds(1.6, ())


def test_every_request_raises_the_bar_again() -> None:
    case = Case.of()
    assert not case.patience.holds(2.3, ())
    case.patience.sent(2.3)
    assert case.patience.holds(2.4, ())
    assert case.patience.ends_at == pytest.approx(2.3 + 2.25)


def test_patience_is_a_number_of_turns() -> None:
    assert Case.of(turns=1.0).patience.holds(1.1, ())
    assert not Case.of(turns=1.0).patience.holds(1.13, ())
    assert not Case.of(turns=0.0).patience.holds(0.5, ())


@pytest.mark.parametrize(("pause", "holds"), [(14.0, True), (29.0, True), (30.1, False)])
def test_a_host_that_rests_for_long_is_not_waited_for(pause: float, holds: bool) -> None:
    assert Case.of(pause=pause).patience.holds(0.5, ()) is holds


def test_a_turn_counts_up_to_15_seconds() -> None:
    case = Case.of(pause=25.0)
    assert case.patience.holds(0.5, ())
    assert case.patience.ends_at == pytest.approx(2 * 15 * 0.75)


def test_a_host_without_budget_is_not_waited_for() -> None:
    case = Case.of()
    case.patience.frontier.allow("a.org", 0)
    assert not case.patience.holds(0.5, ())
    case.patience.frontier.allow("a.org", 1)
    assert case.patience.holds(0.5, ())


@pytest.mark.parametrize("until", [Until(pages=None), Until(pages=None, minutes=10.0)])
def test_without_a_limit_of_pages_nobody_waits(until: Until) -> None:
    """A worthless page costs no good one then."""
    assert not Case.of(until=until).patience.holds(0.5, ())


def test_a_limit_of_time_is_shared_out_among_the_visits() -> None:
    """30 seconds for 60 visits: half a second each, three quarters of it for this page."""
    case = Case.of(until=Until(pages=60, minutes=1.0), seconds=30.0)
    assert not case.patience.holds(0.5, ())
    case.patience.sent(0.5)
    assert case.patience.holds(0.6, ())
    assert case.patience.ends_at == pytest.approx(0.5 + 0.5 * 0.75)


def test_after_the_limit_of_time_nobody_waits() -> None:
    assert not Case.of(until=Until(pages=60, minutes=1.0), seconds=61.0).patience.holds(0.5, ())


def test_by_rank_the_number_of_better_candidates_counts() -> None:
    """30 visits done and 60 left: 20 better candidates make a page worthless, a single one a twentieth of that."""
    case = Case.of(waits="by rank", until=Until(pages=90), visited=30)
    case.patience.sent(0.5)
    assert case.patience.holds(0.5, ())
    assert case.patience.ends_at == pytest.approx(0.5 + 2 * 1.5 / 20)


def test_a_strategy_may_never_wait() -> None:
    assert not Case.of(waits="never").patience.holds(0.5, ())


def test_how_strategies_wait() -> None:
    class Strange(Strategy):
        waits = "sometimes"

    assert _optional.waits(Strategy()) == "by rank"
    with pytest.raises(StrategyError, match="'by rank', 'by score', 'never', not 'sometimes'"):
        _optional.waits(Strange())


def test_the_time_that_was_waited_is_counted() -> None:
    case = Case.of()
    assert case.patience.holds(0.5, ())
    assert case.patience.as_stats(1.0) == {
        "waited": 0.5,
        "waits_for": "a.org",
        "waits_score": 0.8,
        "waits_seconds": pytest.approx(1.25),
    }
    case.patience.sent(1.5)
    case.patience.wait = None
    assert case.patience.as_stats(9.0) == {"waited": 1.0}


@pytest.mark.parametrize(
    ("score", "best", "lack"),
    [
        (0.8, 0.8, 0.0),
        (0.4, 0.8, 0.5),
        (0.0, 0.8, 1.0),
        (-0.3, 0.8, 1.0),
        (0.25, 9.0, 0.75),
        (2.0, 9.0, 0.0),
        (0.0, 0.0, 0.0),
    ],
)
def test_lack_by_score(score: float, best: float, lack: float) -> None:
    """Scores above 1 say "before all others" and are no chances."""
    assert lack_by_score(score, best) == pytest.approx(lack)


def test_rank_span_at_both_ends() -> None:
    assert rank_span(0, 100) == 1.0
    assert rank_span(100, 1) == 1.0
    assert rank_span(100, 1e12) == pytest.approx(100)
