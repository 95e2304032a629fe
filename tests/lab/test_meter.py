from __future__ import annotations

import pytest

from clew.frontier import Frontier
from clew.lab.meter import FRONTIER, STRATEGY, Meter
from clew.strategies import Strategy


@pytest.mark.parametrize(("owner", "names"), [(Frontier, FRONTIER), (Strategy, STRATEGY)])
def test_the_timed_methods_exist(owner: type, names: tuple[str, ...]) -> None:
    assert [name for name in names if not hasattr(owner, name)] == []


def test_the_time_of_a_call_counts_for_the_part_that_is_called(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter([1.0, 3.0, 7.0, 8.0])  # strategy begins, frontier begins, frontier ends, strategy ends
    monkeypatch.setattr("clew.lab.meter.time.process_time", lambda: next(clock))
    meter = Meter(since=0.0)
    frontier = meter.timed("frontier", lambda: None)
    meter.timed("strategy", frontier)()
    assert meter.stop(10.0) == {"strategy": 3.0, "frontier": 4.0, "unpacking": 0.0, "judging": 0.0, "rest": 3.0}
