"""What is expected of the next visits: by hand, through the engine, and after a resume."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from clew.api import Simulation, simulate
from clew.config import configure
from clew.core.build import frontier as frontier_of
from clew.core.engine import Engine
from clew.core.forecast import CAUTION, EVERY, SAMPLE, Outlook
from clew.core.state import Course
from clew.errors import StrategyError
from clew.frontier import Frontier, State
from clew.lab.simulation import simulate as simulated
from clew.store import Records, SqliteStore
from clew.strategies import HOLD, Strategy, make
from clew.testing.tiny_web import Arrow, Broken, Sketch, SketchFetcher, SketchInterest, Spot, url_of
from clew.types import HORIZON, Candidate, Stats


@dataclass
class Told(Strategy):
    """The chance is the score, which the test has set."""

    asked: int = 0

    def chances(self, candidates: Sequence[Candidate]) -> Sequence[float] | None:
        self.asked = len(candidates)
        return [candidate.score for candidate in candidates]


def waiting(scores: Sequence[float]) -> Frontier:
    frontier = Frontier()
    slots = [frontier.name(f"http://a.example/{number}") for number in range(len(scores))]
    frontier.set(slots, scores)
    return frontier


def visits(outlook: Outlook, first: int, last: int, *found: int) -> None:
    """Visits from the first to the last; the slots that are relevant come first."""
    slots = dict(enumerate(found, first))
    for visit in range(first, last + 1):
        outlook.take(slots.get(visit, 0), visit in slots, visit)


def test_nothing_is_expected_before_the_second_look() -> None:
    outlook = Outlook(waiting([0.5] * 20), Told())
    visits(outlook, 1, 2 * EVERY - 1, *range(10))
    assert outlook.expected is None
    assert outlook.in_sight == 10


def test_what_came_true_of_a_promise_and_what_was_news() -> None:
    outlook = Outlook(waiting([0.8] * 10 + [0.1] * 90), Told())
    visits(outlook, 1, 50)
    assert outlook.looks[0].promised[0] == pytest.approx(8 + 4)
    assert outlook.looks[0].promised[1] == outlook.looks[0].promised[-1] == pytest.approx(8 + 9)
    visits(outlook, 51, 100, 3, 4, 5, 100, 101)  # three that were known, two that were not
    trust = (3 + CAUTION) / (12 + CAUTION)
    assert outlook.expected == pytest.approx(trust * 17 + 2 / 50 * 500)
    assert outlook.in_sight == pytest.approx(trust * 17)


def test_all_looks_of_the_last_visits_count() -> None:
    outlook = Outlook(waiting([1.0] * 100), Told())
    visits(outlook, 1, 50)
    visits(outlook, 51, 100, 1, 2, 3, 200)
    visits(outlook, 101, 150, 4, 201, 202)
    trust = (4 + 1 + 2 * CAUTION) / (100 + 50 + 2 * CAUTION)
    assert outlook.expected == pytest.approx(trust * 100 + (3 / 100 + 2 / 50) / 2 * 500)


def test_looks_are_forgotten_when_their_time_is_over() -> None:
    outlook = Outlook(waiting([]), Strategy())
    visits(outlook, 1, 100, *range(100))
    assert outlook.expected == HORIZON
    visits(outlook, 101, 3 * HORIZON)
    assert outlook.expected == 0
    assert len(outlook.looks) == HORIZON // EVERY
    assert outlook.looks[0].visit > 2 * HORIZON


def test_without_chances_it_is_the_recent_rate() -> None:
    outlook = Outlook(waiting([0.9] * 1000), Strategy())
    visits(outlook, 1, 50, *range(50))
    visits(outlook, 51, 100, *range(10))
    assert outlook.expected == 10 / 50 * 500
    assert outlook.in_sight is None


def test_those_count_that_are_next_by_their_scores_and_a_sample_stands_for_the_others() -> None:
    told = Told()
    outlook = Outlook(waiting([0.01] * 9000 + [0.9] * 400 + [0.2] * 300), told)
    visits(outlook, 1, EVERY)
    assert told.asked <= HORIZON + SAMPLE
    assert outlook.looks[0].promised[-1] == pytest.approx(400 * 0.9 + 100 * 0.2)
    assert outlook.in_sight == pytest.approx(400 * 0.9 + 300 * 0.2 + 9000 * 0.01, rel=0.05)


def test_what_is_in_the_air_waits_too_and_what_was_visited_does_not() -> None:
    frontier = waiting([0.5, 0.5, 0.5, HOLD])
    frontier.pop(0.0)
    frontier.close(1, State.FETCHED)

    class Fair(Strategy):
        def chances(self, candidates: Sequence[Candidate]) -> Sequence[float]:
            return [0.5] * len(candidates)

    outlook = Outlook(frontier, Fair())
    visits(outlook, 1, EVERY)
    assert outlook.in_sight == 1.5


def test_never_more_than_there_can_be() -> None:
    outlook = Outlook(waiting([0.01] * 5), Told())
    visits(outlook, 1, 50)
    visits(outlook, 51, 100, *[0] * 40, *[9] * 10)
    assert outlook.in_sight is not None
    assert outlook.in_sight <= 5
    visits(outlook, 101, 600, *[9] * 500)
    assert outlook.expected == HORIZON


@pytest.mark.parametrize("chances", [[0.5], [math.nan] * 3])
def test_chances_that_are_none_are_refused(chances: list[float]) -> None:
    class Wrong(Strategy):
        def chances(self, candidates: Sequence[Candidate]) -> Sequence[float]:
            return chances

    with pytest.raises(StrategyError, match="chances must be"):
        visits(Outlook(waiting([0.1] * 3), Wrong()), 1, EVERY)


def test_saved_and_loaded_it_goes_on_the_same() -> None:
    outlook, other = (Outlook(waiting([0.4] * 80), Told()) for _ in range(2))
    visits(outlook, 1, 130, *range(60))
    other.load(outlook.save())
    for each in (outlook, other):
        visits(each, 131, 200, 7, 300)
    assert (other.expected, other.in_sight, other.looks) == (outlook.expected, outlook.in_sight, outlook.looks)


@dataclass
class Knowing(Strategy):
    """Goes by the anchor, and takes its word for a chance."""

    def value(self, candidate: Candidate) -> float:
        return max((float("boats" in link.anchor) for link in candidate.links), default=1.0)

    def chances(self, candidates: Sequence[Candidate]) -> Sequence[float] | None:
        return [0.9 * self.value(candidate) for candidate in candidates]


def ladder(good: int, bad: int) -> Sketch:
    """Pages in a row, each linking to the next five: the first ones are good, the rest is not."""
    names = [f"p{number}" for number in range(good + bad)]

    def spot(number: int) -> Spot:
        ahead = range(number + 1, min(number + 6, len(names)))
        arrows = tuple(Arrow(names[n], "boats" if n < good else "cars") for n in ahead)
        return Spot(0.9 if number < good else 0.0, text=f"page {number}", arrows=arrows)

    return Sketch({name: spot(number) for number, name in enumerate(names)})


WEB = ladder(good=260, bad=900)


def explored(strategy: Strategy, **settings: object) -> Simulation:
    plain = {"threshold": 0.5, "pages": None, **settings}
    return simulate(SketchFetcher(WEB), SketchInterest(WEB), [url_of("p0")], strategy=strategy, **plain)


def test_while_it_pays_much_is_expected() -> None:
    stats = explored(Knowing(), pages=250).stats
    assert stats.outlook is not None
    assert stats.outlook > 300
    assert stats.in_sight == pytest.approx(5, abs=0.6)


@pytest.mark.parametrize("strategy", [Knowing(), make("breadth_first")], ids=["chances", "rate"])
def test_it_stops_when_too_little_is_to_be_expected(strategy: Strategy) -> None:
    seen = explored(strategy, min_outlook=3)
    assert seen.reason == "the next 500 visits are expected to bring fewer than 3 relevant pages"
    assert 300 < seen.stats.visited < 900
    assert seen.stats.visited % EVERY == 0


def test_no_limit_no_stop() -> None:
    assert explored(Knowing()).reason == "no candidates are left"


def crawl(folder: Path, left: int = 10**9, resumed: bool = False, **more: object) -> Stats:
    plain = {"interest": "x", "seeds": [url_of("p0")], "parallel": 1, "delay": 0, "commit_pages": 7, "pages": None}
    config = configure(**{**plain, "threshold": 0.5, "host_pages": 0, "traps": False, "min_outlook": 3, **more})
    with SqliteStore(folder, new=None if resumed else config) as store:
        course = Course(config, SketchInterest(WEB), Knowing(), store, frontier_of(config, store))
        engine = Engine(course, SketchFetcher(WEB, left), store)

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
    assert (broken.visited, broken.outlook, broken.in_sight) == (whole.visited, whole.outlook, whole.in_sight)
    with Records(tmp_path / "whole") as one, Records(tmp_path / "broken") as other:
        assert one.reason == other.reason == "the next 500 visits are expected to bring fewer than 3 relevant pages"
        assert other.stats().outlook == whole.outlook


def test_thread_knows_its_chances() -> None:
    stats = simulated("labyrinth:300", "sailing", "adaptive", pages=150).stats
    assert stats.outlook is not None
    assert stats.in_sight is not None
    assert 0 <= stats.in_sight <= stats.waiting
