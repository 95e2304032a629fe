"""Results are cached: a run continues where it was stopped, and only what has changed runs again."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from clew.lab import cache, result_cache, sources
from clew.lab.experiment import Experiment
from clew.lab.planning import plan
from clew.lab.running import JobFailure, Outcome, run_all
from clew.lab.trial import Trial, TrialResult, run

WORLD = "labyrinth:300"


@pytest.fixture
def trials(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Trial]:
    """Six trials, and an empty cache for them."""
    planned = plan(
        Experiment.of(
            {"worlds": WORLD, "strategies": ["shark", "breadth_first"], "topics": 3, "starts": 0, "budgets": 20}
        )
    ).trials
    monkeypatch.setenv("CLEW_CACHE", str(tmp_path))
    return planned


def cached_results() -> int:
    return len(list(cache.folder().glob("trials/*/*.npz")))


def test_an_interrupted_run_continues(trials: list[Trial]) -> None:
    seen: list[Outcome] = []

    def impatient(outcome: Outcome) -> None:
        seen.append(outcome)
        if len(seen) == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_all(trials, jobs=1, watch=impatient)
    assert cached_results() == 2
    outcomes, cached = run_all(trials, jobs=1)
    assert (len(outcomes), cached, cached_results()) == (6, 2, 6)
    again, cached = run_all(trials, jobs=1, watch=seen.append)
    assert (cached, len(seen)) == (6, 8)
    assert [outcome.trial for outcome in again] == trials
    for one, other in zip(outcomes, again, strict=True):
        assert isinstance(one, TrialResult)
        assert isinstance(other, TrialResult)
        assert one.row == other.row
        for name in result_cache.ARRAYS:
            assert getattr(one, name).tolist() == getattr(other, name).tolist()
    assert run_all(trials, jobs=1, fresh=True)[1] == 0


ENDLESS = """
from clew.lab.running import run_all
from clew.lab.trial import Trial

def report(outcome):
    print("begun", flush=True)

if __name__ == "__main__":
    run_all([Trial("labyrinth:300", "", "shark", start=n) for n in range(10_000)], jobs=2, fresh=True, watch=report)
"""


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for processes in /proc")
def test_workers_end_with_their_parent(tmp_path: Path) -> None:
    script = tmp_path / "endless.py"
    script.write_text(ENDLESS, "utf-8")
    environment = os.environ | {"CLEW_CACHE": str(tmp_path)}
    with subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, env=environment) as parent:
        assert parent.stdout is not None
        assert parent.stdout.readline()  # trials without a topic fail at once, so it is busy with the next ones
        workers = children_of(parent.pid)
        assert len(workers) >= 2
        parent.kill()
    late = time.monotonic() + 20
    while any(map(alive, workers)) and time.monotonic() < late:
        time.sleep(0.05)
    assert not any(map(alive, workers))


def children_of(parent: int) -> list[int]:
    processes = [int(folder.name) for folder in Path("/proc").glob("[0-9]*")]
    return [process for process in processes if stat_of(process)[1:2] == [str(parent)]]


def alive(process: int) -> bool:
    """Whether a process runs; a zombie does not."""
    return stat_of(process)[:1] not in ([], ["Z"])


def stat_of(process: int) -> list[str]:
    """The state of a process, its parent and so on; empty if there is no such process."""
    try:
        return Path(f"/proc/{process}/stat").read_text("utf-8", "replace").rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return []


def test_the_name_of_a_strategy_in_tables_is_not_in_the_key(trials: list[Trial]) -> None:
    called = replace(trials[0], strategy="gentle", spec="shark")
    assert result_cache.key(called) == result_cache.key(trials[0])
    outcomes, cached = run_all([trials[0], called], jobs=1)
    assert [outcome.trial.strategy for outcome in outcomes] == ["shark", "gentle"]
    assert (cached_results(), cached) == (1, 1)


def test_everything_else_is_in_the_key(trials: list[Trial]) -> None:
    trial = trials[0]
    changes = [{"budget": 21}, {"seed": 1}, {"parallel": 2}, {"world": "labyrinth:301"}, {"spec": "shark(gamma=0.1)"}]
    changes += [{"link_source": True}, {"manners": "live"}, {"repeat": 1}, {"place": "hub"}, {"learned": "sports"}]
    keys = {result_cache.key(replace(trial, **change)) for change in changes}  # type: ignore[arg-type]
    assert len(keys | {result_cache.key(trial)}) == 1 + len(changes)


def test_the_code_of_predicates_is_in_the_key(
    trials: list[Trial], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    file = tmp_path / "my_predicates.py"
    trial = replace(trials[0], topic='sailing AND python("my_predicates:wanted")')
    keys = set()
    for number in range(2):
        file.write_text(f"def wanted(doc):\n    return {number}\n")
        sources.closure.cache_clear()
        keys.add(result_cache.key(trial))
    assert len(keys) == 2


def test_keys_without_a_link_source_stay_the_same(trials: list[Trial]) -> None:
    assert "link_source" not in repr(trials[0])
    assert result_cache.key(replace(trials[0], link_source=False)) == result_cache.key(trials[0])


def test_a_damaged_result_is_computed_again(trials: list[Trial]) -> None:
    run_all(trials[:1], jobs=1)
    [path] = cache.folder().glob("trials/*/*.npz")
    path.write_bytes(path.read_bytes()[:100])
    assert run_all(trials[:1], jobs=1)[1] == 0
    assert run_all(trials[:1], jobs=1)[1] == 1


def test_a_trial_that_fails_does_not_stop_the_others(trials: list[Trial]) -> None:
    broken = replace(trials[0], distance=50)
    for jobs in (1, 2):
        outcomes, _ = run_all([broken, *trials], jobs=jobs)
        assert isinstance(outcomes[0], JobFailure)
        assert outcomes[0].trial == broken
        assert "50 links" in outcomes[0].error
        assert all(isinstance(outcome, TrialResult) for outcome in outcomes[1:])


def test_a_changed_strategy_has_another_digest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert sources.digest("shark") == sources.digest("shark(gamma=0.1)") != sources.digest("best_first")
    engine = sources.closure(sources.ENGINE)
    assert {
        "clew.core.engine",
        "clew.core.state",
        "clew.frontier.queues",
        "clew.lab.judges",
        "clew.strategies._base",
    } <= set(engine)
    assert not {
        "clew.strategies.shark",
        "clew.cli.main",
        "clew.labyrinth.prose",
        "clew.lab.report",
        "clew.lab.compare",
    } & set(engine)
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    module = tmp_path / "own_strategy.py"
    module.write_text("from clew.text import terms\n")
    before = sources.closure("own_strategy")
    assert {"own_strategy", "clew.text.terms"} <= set(before)
    module.write_text("from clew.text import terms\n# changed\n")
    sources.closure.cache_clear()
    after = sources.closure("own_strategy")
    assert {name for name in after if after[name] != before[name]} == {"own_strategy"}


def test_a_result_holds_what_reports_need(trials: list[Trial]) -> None:
    result = run(replace(trials[0], budget=60))
    assert len(result.visits) == len(result.found) == result.numbers["visits"] == 60
    assert result.distances.sum() == len(result.hits) == result.numbers["found"] == result.found[-1]
    assert result.reason == "made 60 visits"
    assert set(result.spent) == {"strategy", "frontier", "unpacking", "judging", "rest"}
    assert 0 < result.spent["strategy"] < sum(result.spent.values())
    numbers = result.numbers
    for name in ("harvest", "late", "aulc", "recall", "aurc", "target_recall", "share", "area"):
        assert 0 <= numbers[name] <= 1
    assert numbers["recall"] == numbers["found"] / numbers["reachable"]
    assert numbers["half"] > 0
    assert 1 <= numbers["hosts"] <= numbers["found"]


def test_parallel_fetches_see_less(trials: list[Trial]) -> None:
    one, many = (run(replace(trials[0], budget=60, parallel=parallel)) for parallel in (1, 16))
    assert one.visits.tolist() != many.visits.tolist()
    assert len(many.visits) == 60


def test_a_library_that_is_not_installed_does_not_stop_a_comparison(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "LIBRARIES", ("numpy", "no-such-library"))
    sources.digest.cache_clear()
    assert sources.digest("shark")
    sources.digest.cache_clear()
