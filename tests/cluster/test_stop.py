"""Every reason to stop holds for all shards together."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from clew.cluster.inside import Weather
from clew.cluster.lead import Lead
from clew.cluster.report import Ceiling, Report
from clew.config import Until
from clew.core.stop import LIMITS, stop_rules
from clew.store import Records
from clew.types import Stats

CRITERIA: list[tuple[str, float, str]] = [
    ("relevant", 15, "found 15 relevant pages"),
    ("irrelevant", 30, "visited 30 irrelevant pages"),
    ("drought", 12, "found nothing relevant in the last 12 visits"),
    ("min_precision", 0.95, "fewer than 0.95 of the visited pages are relevant"),
    ("min_score", 9.0, "the best candidate's score is below 9"),
    ("minutes", 0.05, "ran for 0.05 minutes"),
    ("megabytes", 0.4, "fetched 0.4 megabytes"),
    ("pages", 25, "fetched 25 pages"),
    ("visits", 26, "made 26 visits"),
]


@pytest.mark.parametrize(("name", "limit", "reason"), CRITERIA)
def test_it_stops_for_this_reason(
    world: Any, inside: Any, tmp_path: Path, name: str, limit: float, reason: str
) -> None:
    # With long pauses no machine is fast enough to visit all pages in time.
    delay = 1.0 if name == "minutes" else 0.02
    outcome = inside(world.settings(**{"delay": delay, name: limit}), tmp_path, 3)
    assert outcome.reason == reason
    with Records(tmp_path) as records:
        assert records.reason == reason
        assert sum(shard.stats().visited > 0 for shard in records.shards()) > 1


def test_the_forecast_is_that_of_all_shards() -> None:
    """Each by its share of the visits; nothing is known as long as one of them knows nothing."""
    [stop] = stop_rules(Until(pages=None, min_forecast=20))
    lead = Lead(2, Ceiling())
    lead.take_report(0, Report(0, Stats(visited=300, forecast=30.0, forecast_low=20.0, forecast_high=40.0)))
    lead.take_report(1, Report(1, Stats(visited=100)))
    assert stop(lead.stats()) is None
    lead.take_report(1, Report(1, Stats(visited=100, forecast=2.0, forecast_low=0.0, forecast_high=4.0)))
    assert lead.stats().forecast_high == pytest.approx(31.0)
    assert stop(lead.stats()) is None
    lead.take_report(0, Report(0, Stats(visited=300, forecast=5.0, forecast_low=1.0, forecast_high=8.0)))
    assert stop(lead.stats()) == "the next 500 visits are expected to bring fewer than 20 relevant pages"


def test_every_limit_is_tested_here() -> None:
    assert {name for name, _, _ in CRITERIA} | {"min_forecast"} == LIMITS.keys()


@pytest.mark.parametrize(("name", "limit"), [("min_score", 0.0001), ("drought", 1000), ("relevant", 60)])
def test_a_shard_that_comes_back_from_a_kill_stops_nothing(
    world: Any, inside: Any, tmp_path: Path, name: str, limit: float
) -> None:
    """It knows neither its numbers nor its candidates yet."""
    weather = Weather(chance=Random(4))
    outcome = inside(world.settings(**{"delay": 0.02, "pages": 150, name: limit}), tmp_path, 3, weather, Random(4))
    assert outcome.kills >= 3
    assert outcome.reason in ("fetched 150 pages", "found 60 relevant pages")
