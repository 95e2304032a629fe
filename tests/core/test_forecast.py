"""The forecast of a crawl: by hand, through the engine, and after a resume."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.config import configure
from clew.core.build import frontier as frontier_of
from clew.core.engine import Engine
from clew.core.forecast import (
    FADING,
    MIN_FINDS,
    MIN_VISITS,
    PREDICT_EVERY_VISITS,
    PRIOR_PAGES,
    Forecast,
    Prediction,
    possible_visits,
)
from clew.core.forecast_interval import Expected, error, interval
from clew.core.simulation import Simulation, run_simulation
from clew.core.state import CrawlState
from clew.errors import StrategyError
from clew.frontier import Frontier
from clew.lab.simulation import simulate as simulated
from clew.store import Records, SqliteStore
from clew.strategies import HOLD, Strategy, make
from clew.testing.tiny_web import Broken, TinyLink, TinyPage, TinyWeb, TinyWebFetcher, TinyWebInterest, url_of
from clew.types import HORIZON, Candidate, Stats, UrlState


@dataclass
class ScoreAsChance(Strategy):
    """Gives the scores, which the tests set, as chances."""

    asked: int = 0

    def chances(self, candidates: Sequence[Candidate]) -> Sequence[float] | None:
        self.asked = len(candidates)
        return [candidate.score for candidate in candidates]


def waiting(scores: Sequence[float]) -> Frontier:
    frontier = Frontier()
    slots = [frontier.slot_for(f"http://a.example/{number}") for number in range(len(scores))]
    frontier.set(slots, scores)
    return frontier


def visits(forecast: Forecast, first: int, last: int, *found: int) -> None:
    """Visits from the first to the last; the slots that are relevant come first."""
    slots = dict(enumerate(found, first))
    for visit in range(first, last + 1):
        forecast.record_visit(slots.get(visit, 0), visit in slots, visit)


def test_nothing_is_expected_before_the_second_prediction() -> None:
    forecast = Forecast(waiting([0.5] * 20), ScoreAsChance())
    visits(forecast, 1, 2 * PREDICT_EVERY_VISITS - 1, *range(10))
    assert (forecast.expected, forecast.expected_waiting, forecast.low, forecast.high) == (None, None, None, None)


def test_it_is_silent_until_there_are_a_few_finds_or_many_visits_without() -> None:
    forecast = Forecast(waiting([0.01] * 2000), ScoreAsChance())
    visits(forecast, 1, MIN_VISITS - 1, *range(MIN_FINDS - 1))
    assert forecast.expected is None
    visits(forecast, MIN_VISITS, MIN_VISITS)
    assert forecast.expected is not None
    other = Forecast(waiting([0.01] * 2000), ScoreAsChance())
    visits(other, 1, 100, *range(MIN_FINDS))
    assert other.expected is not None


def test_kept_promises_and_unknown_pages_are_counted_apart() -> None:
    forecast = Forecast(waiting([0.8] * 10 + [0.1] * 90), ScoreAsChance())
    visits(forecast, 1, 50)
    assert forecast.predictions[0].promised[0] == pytest.approx(8 + 4)
    assert forecast.predictions[0].promised[1] == forecast.predictions[0].promised[-1] == pytest.approx(8 + 9)
    visits(forecast, 51, 100, 3, 4, 5, 100, 101)  # three that were known, two that were not
    trust = (3 + PRIOR_PAGES) / (12 + PRIOR_PAGES)
    new = (1 - FADING) * 2 / 50 * 500
    assert forecast.expected == pytest.approx(trust * 17 + new)
    assert forecast.expected_waiting == pytest.approx(trust * 17)
    ends = interval(Expected(trust * 17, new), [], since_relevant=45, long_term=long_term(forecast))
    assert (forecast.low, forecast.high) == pytest.approx(ends)


def long_term(forecast: Forecast) -> float:
    return HORIZON * forecast.long_term_finds / forecast.long_term_visits


def test_the_errors_of_earlier_forecasts_set_the_range() -> None:
    forecast = Forecast(waiting([1.0] * 1000), Strategy())
    visits(forecast, 1, 50, *range(10))
    visits(forecast, 51, 100, *range(10))
    # Of each visit 0.2 pages are expected; the next 50 visits bring twice as many.
    visits(forecast, 101, 150, *range(20))
    expected = (1 - FADING / 10) * 50 * 10 / 50
    assert expected == pytest.approx(9.85)
    assert (
        forecast.predictions[1].error(150) == pytest.approx(error(expected, 20)) == pytest.approx(math.log(25 / 14.85))
    )


def test_earlier_predictions_weigh_by_the_visits_they_have_seen() -> None:
    forecast = Forecast(waiting([1.0] * 100), ScoreAsChance())
    visits(forecast, 1, 50)
    visits(forecast, 51, 100, 1, 2, 3, 200)
    visits(forecast, 101, 150, 4, 201, 202)
    trust = (4 + 1 + 2 * PRIOR_PAGES) / (100 + 50 + 2 * PRIOR_PAGES)
    rate = (100**0.5 * 3 / 100 + 50**0.5 * 2 / 50) / (100**0.5 + 50**0.5)
    assert forecast.predictions[-1].trust == pytest.approx(trust)
    assert forecast.predictions[-1].news_rate == pytest.approx(rate)
    assert sum(forecast.predictions[-1].expected(HORIZON)) == pytest.approx(trust * 100 + (1 - FADING) * rate * 500)


def test_old_predictions_are_forgotten() -> None:
    forecast = Forecast(waiting([0.5] * 1000), Strategy())
    visits(forecast, 1, 100, *range(100))
    assert forecast.expected == pytest.approx((1 - FADING) * HORIZON)
    visits(forecast, 101, 3 * HORIZON)
    assert forecast.expected == 0
    assert [each.visit for each in forecast.predictions] == list(range(1200, 1501, PREDICT_EVERY_VISITS))


def test_a_long_drought_brings_the_upper_end_down() -> None:
    forecast = Forecast(waiting([0.5] * 5000), Strategy())
    visits(forecast, 1, 100, *range(100))
    highs = []
    for last in (200, 400, 700, 1500):
        visits(forecast, forecast.visits + 1, last)
        highs.append(forecast.high)
    assert highs == sorted(highs, reverse=True)
    assert highs[0] > 100
    assert highs[-1] < 3


def test_without_chances_it_is_the_recent_rate() -> None:
    forecast = Forecast(waiting([0.9] * 1000), Strategy())
    visits(forecast, 1, 50, *range(50))
    visits(forecast, 51, 100, *range(10))
    assert forecast.expected == pytest.approx((1 - FADING) * 10 / 50 * 500)
    assert forecast.expected_waiting is None


def test_candidates_in_flight_count_and_visited_pages_do_not() -> None:
    frontier = waiting([0.5, 0.5, 0.5, HOLD])
    frontier.pop(0.0)
    frontier.finish(1, UrlState.FETCHED)

    class Fair(Strategy):
        def chances(self, candidates: Sequence[Candidate]) -> Sequence[float]:
            return [0.5] * len(candidates)

    forecast = Forecast(frontier, Fair())
    visits(forecast, 1, PREDICT_EVERY_VISITS)
    assert forecast.predictions[0].promised[-1] == 1.5
    assert forecast.predictions[0].waiting == 3


@pytest.mark.parametrize(
    ("before", "now", "possible"),
    [
        (80, 30, 60),  # 50 visits of 100 led to a fresh candidate: 30, then 15 more, …
        (300, 200, 200),  # nothing fresh
        (900, 600, 500),
        (80, 80, 500),  # the frontier does not shrink
        (0, 0, 500),
        (None, 30, 500),  # an earlier version did not say
    ],
)
def test_no_more_visits_than_candidates_and_what_lies_behind_them(
    before: int | None, now: int, possible: float
) -> None:
    earlier = Prediction(100, 0, [], waiting=before)
    assert possible_visits(earlier, visited=200, waiting=now) == possible


def test_never_more_than_there_can_be() -> None:
    frontier = waiting([0.9] * 100)
    forecast = Forecast(frontier, ScoreAsChance())
    visits(forecast, 1, 50, *range(50))
    for slot in range(50):
        frontier.finish(slot, UrlState.FETCHED)
    visits(forecast, 51, 100, *[200] * 50)
    # Fifty candidates are left and nothing fresh was found, whatever the rate was.
    assert forecast.expected == forecast.high == 50
    assert forecast.expected_waiting is not None
    assert forecast.expected_waiting <= 50


@given(
    found=st.lists(st.booleans(), min_size=300, max_size=300),
    scores=st.lists(st.floats(0, 1), min_size=0, max_size=40),
)
def test_the_forecast_lies_in_its_range_and_within_what_is_possible(found: list[bool], scores: list[float]) -> None:
    frontier = waiting(scores)
    forecast = Forecast(frontier, ScoreAsChance())
    for visit, relevant in enumerate(found, 1):
        forecast.record_visit(visit % 50, relevant, visit)
        if forecast.expected is not None:
            assert forecast.low is not None
            assert forecast.high is not None
            assert 0 <= forecast.low <= forecast.expected <= forecast.high <= HORIZON
            assert (forecast.expected_waiting or 0) <= min(forecast.expected, len(scores))


@pytest.mark.parametrize("chances", [[0.5], [math.nan] * 3])
def test_invalid_chances_are_refused(chances: list[float]) -> None:
    class Wrong(Strategy):
        def chances(self, candidates: Sequence[Candidate]) -> Sequence[float]:
            return chances

    with pytest.raises(StrategyError, match="one finite number for each candidate"):
        visits(Forecast(waiting([0.1] * 3), Wrong()), 1, PREDICT_EVERY_VISITS)


def test_a_restored_forecast_continues_the_same() -> None:
    forecast, other = (Forecast(waiting([0.4] * 80), ScoreAsChance()) for _ in range(2))
    visits(forecast, 1, 130, *range(60))
    other.load(forecast.save())
    for each in (forecast, other):
        visits(each, 131, 200, 7, 300)
    assert forecast.expected is not None
    assert other.save() == forecast.save()


def test_what_an_earlier_version_saved_is_taken_over() -> None:
    look = {"visit": 100, "known": 80, "promised": [5.0] * 10, "kept": 3, "news": 1}
    forecast = Forecast(waiting([0.4] * 80), ScoreAsChance())
    forecast.load({"expected": 7.0, "expected_waiting": 5.0, "looks": [look]})
    assert (forecast.expected, forecast.high) == (7.0, None)
    visits(forecast, 101, 150, *range(5))
    assert forecast.predictions[-1].trust == pytest.approx((8 + PRIOR_PAGES) / (5 + PRIOR_PAGES))
    assert forecast.high is not None


def test_under_another_interest_it_starts_again() -> None:
    forecast = Forecast(waiting([0.4] * 80), ScoreAsChance())
    fresh = forecast.save()
    visits(forecast, 1, 130, *range(60))
    forecast.forget()
    assert forecast.save() == fresh


@dataclass
class AnchorStrategy(Strategy):
    """Scores by the anchor, and gives almost the same number as the chance."""

    def value(self, candidate: Candidate) -> float:
        return max((float("boats" in link.anchor) for link in candidate.links), default=1.0)

    def chances(self, candidates: Sequence[Candidate]) -> Sequence[float] | None:
        return [0.9 * self.value(candidate) for candidate in candidates]


def ladder(good: int, bad: int) -> TinyWeb:
    """Pages in a row, each linking to the next five: the first ones are good, the rest is not."""
    names = [f"p{number}" for number in range(good + bad)]

    def spot(number: int) -> TinyPage:
        ahead = range(number + 1, min(number + 6, len(names)))
        arrows = tuple(TinyLink(names[n], "boats" if n < good else "cars") for n in ahead)
        return TinyPage(0.9 if number < good else 0.0, text=f"page {number}", links=arrows)

    return TinyWeb({name: spot(number) for number, name in enumerate(names)})


WEB = ladder(good=260, bad=1000)


def explored(strategy: Strategy, **settings: object) -> Simulation:
    plain = {"threshold": 0.5, "pages": None, **settings}
    return run_simulation(TinyWebFetcher(WEB), TinyWebInterest(WEB), [url_of("p0")], strategy=strategy, **plain)


def test_much_is_expected_while_relevant_pages_are_found() -> None:
    stats = explored(AnchorStrategy(), pages=250).stats
    assert stats.forecast is not None
    assert stats.forecast > 300
    assert stats.expected_waiting == pytest.approx(5, abs=1)


@pytest.mark.parametrize("strategy", [AnchorStrategy(), make("breadth_first")], ids=["chances", "rate"])
def test_it_stops_when_too_little_is_expected(strategy: Strategy) -> None:
    seen = explored(strategy, min_forecast=3)
    assert seen.reason == "the next 500 visits are expected to bring fewer than 3 relevant pages"
    assert 600 < seen.stats.visited < 1200
    assert seen.stats.visited % PREDICT_EVERY_VISITS == 0


def test_no_limit_no_stop() -> None:
    assert explored(AnchorStrategy()).reason == "no candidates are left"


def crawl(folder: Path, left: int = 10**9, resumed: bool = False, **more: object) -> Stats:
    plain = {"interest": "x", "seeds": [url_of("p0")], "parallel": 1, "delay": 0, "commit_pages": 7, "pages": None}
    config = configure(**{**plain, "threshold": 0.5, "host_pages": 0, "traps": False, "min_forecast": 4, **more})
    with SqliteStore(folder, new=None if resumed else config) as store:
        state = CrawlState(config, TinyWebInterest(WEB), AnchorStrategy(), store, frontier_of(config, store))
        engine = Engine(state, TinyWebFetcher(WEB, left), store)

        async def main() -> None:
            engine.resume(store)
            await engine.run()

        asyncio.run(main())
        return engine.stats


@pytest.mark.parametrize("checkpoint_seconds", [0, 1000])
def test_after_a_resume_it_expects_and_stops_the_same(tmp_path: Path, checkpoint_seconds: float) -> None:
    whole = crawl(tmp_path / "whole")
    for attempt, left in enumerate((60, 77, 131)):
        with pytest.raises(Broken):
            crawl(tmp_path / "broken", left, resumed=attempt > 0, checkpoint_seconds=checkpoint_seconds)
    broken = crawl(tmp_path / "broken", resumed=True)
    assert (broken.visited, broken.forecast, broken.expected_waiting) == (
        whole.visited,
        whole.forecast,
        whole.expected_waiting,
    )
    with Records(tmp_path / "whole") as one, Records(tmp_path / "broken") as other:
        assert one.reason == other.reason == "the next 500 visits are expected to bring fewer than 4 relevant pages"
        assert other.stats().forecast == whole.forecast


def test_adaptive_gives_chances() -> None:
    stats = simulated("labyrinth:300", "sailing", "adaptive", pages=150).stats
    assert stats.forecast is not None
    assert stats.expected_waiting is not None
    assert 0 <= stats.expected_waiting <= stats.waiting
