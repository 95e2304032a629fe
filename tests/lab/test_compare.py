"""Judges, comparisons and their numbers on a small labyrinth."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import clew
from clew.errors import ConfigError
from clew.lab import compare as comparing
from clew.lab.comparison import Comparison
from clew.lab.judges import NEGATIVE, judge
from clew.lab.planning import sample
from clew.lab.trial import Trial, TrialResult, run
from clew.lab.worlds import World, find

WORLD = "labyrinth:500"
Write = Callable[[Path, dict[str, "str | int"]], Path]


@pytest.fixture(scope="module")
def world() -> World:
    return find(WORLD)


def numbers(comparison: Comparison) -> list[dict[str, object]]:
    """The table without the times."""
    return [{name: value for name, value in row.items() if not name.startswith("cpu_")} for row in comparison.table()]


def result_with(
    strategy: str, topic: str, area: float, start: int = 0, visits: tuple[int, ...] = (), cpu: float = 1.0
) -> TrialResult:
    """A result with this area that has visited these pages; the even ones are relevant."""
    figures = {"area": area, "share": area, "harvest": area, "recall": area, "cpu_ms": cpu, "visits": len(visits)}
    found = np.cumsum([page % 2 == 0 for page in visits], dtype=np.int64)
    trial = Trial("w", topic, strategy, start=start)
    return TrialResult(
        trial, figures, found, np.ones(1, np.int64), np.array(visits, np.int32), spent={"strategy": 0.004}
    )


def test_the_same_experiment_gives_the_same_table_twice_and_on_two_cores() -> None:
    fields = {"topics": 2, "starts": [0, 1], "budgets": 40}
    once, twice, both = (
        clew.compare(["best_first", "random_order"], WORLD, jobs=jobs, fresh=True, **fields) for jobs in (1, 1, 2)
    )
    assert len(once.results) == 8
    assert numbers(once) == numbers(twice) == numbers(both)
    for name in ("visits", "found", "best", "distances"):
        for one, other in zip(once.results, both.results, strict=True):
            assert getattr(one, name).tolist() == getattr(other, name).tolist()


def test_no_crawl_beats_the_oracle() -> None:
    for result in clew.compare(["shark", "breadth_first"], WORLD, topics=3, budgets=100, jobs=1).results:
        assert (result.found <= result.best[: len(result.found)]).all()
        assert 0.0 <= result.numbers["area"] <= 1.0
        assert result.numbers["found"] == result.found[-1]


def test_start_pages_and_examples_are_not_counted(world: World) -> None:
    [topic] = sample(world, 1)
    _, shown = judge("classifier", world, topic)
    truth = world.truth(topic)
    assert (truth[shown] == 0).sum() == NEGATIVE
    assert 0 < (truth[shown] == 1).sum() <= (truth == 1).sum() // 2
    guided = run(Trial(WORLD, topic, "best_first", judge="classifier", budget=60))
    assert guided.numbers["reachable"] <= (truth == 1).sum() - (truth[shown] == 1).sum()
    assert not set(guided.hits.tolist()) & set(shown.tolist())


def test_a_classifier_tells_the_topic_from_the_rest(world: World) -> None:
    [topic] = sample(world, 1)
    interest, shown = judge("classifier", world, topic)
    truth = world.truth(topic).copy()
    truth[shown] = -1
    wanted, others = (
        [interest.judge(world.doc(int(page))).relevance for page in np.flatnonzero(truth == label)[:40]]
        for label in (1, 0)
    )
    assert np.mean(wanted) > np.mean(others) + 0.3


def test_ranking_counts_each_topic_once() -> None:
    results = [
        *(result_with("shark", "a", area, start, cpu=3.0) for start, area in enumerate((0.4, 0.6))),
        result_with("shark", "b", 0.9, cpu=3.0),
        result_with("breadth_first", "a", 0.2, cpu=1.5),
        result_with("breadth_first", "b", 0.4, cpu=1.5),
    ]
    first, second = comparing.ranking(results)
    assert (first.strategy, first.worst, first.cpu) == ("shark", 0.5, 2.0)
    assert first.area == pytest.approx(0.7)
    assert (second.strategy, second.cpu) == ("breadth_first", 1.0)


def test_pairs_use_common_tasks_and_count_each_topic_once() -> None:
    comparison = Comparison(
        [
            *(result_with("shark", "a", area, start) for start, area in enumerate((0.5, 0.9))),
            result_with("breadth_first", "a", 0.4, 0),  # the second start set is missing here
            result_with("shark", "b", 0.5),
            result_with("breadth_first", "b", 0.6),
            result_with("shark", "c", 0.3),
            result_with("breadth_first", "c", 0.3),
            result_with("shark", "d", 0.9),
            result_with("breadth_first", "d", 0.5),
        ]
    )
    [pair] = comparison.pairs()
    assert (pair.strategy, pair.other) == ("shark", "breadth_first")
    assert (pair.wins, pair.ties, pair.losses) == (2, 1, 1)
    assert pair.difference == pytest.approx((0.1 - 0.1 + 0.0 + 0.4) / 4)
    assert -0.1 <= pair.low < pair.difference < pair.high <= 0.4


def test_overlap_and_time() -> None:
    comparison = Comparison(
        [
            result_with("shark", "a", 0.5, visits=(1, 2, 3, 4)),
            result_with("breadth_first", "a", 0.4, visits=(1, 2, 5, 6)),
        ]
    )
    [overlap] = comparison.overlap()
    assert (overlap.pages, overlap.found) == (pytest.approx(2 / 6), pytest.approx(1 / 3))
    assert comparison.spent() == {"shark": {"strategy": 1.0}, "breadth_first": {"strategy": 1.0}}
    assert Comparison([result_with("shark", "a", 0.5), result_with("breadth_first", "b", 0.5)]).pairs() == []


def test_only_crawls_under_the_same_condition_are_ranked_together(tmp_path: Path) -> None:
    comparison = clew.compare(
        ["shark", {"name": "blind", "spec": "breadth_first"}],
        "labyrinth:300",
        topics=2,
        starts=0,
        budgets=[20, 40],
        parallel=[1, 16],
        jobs=1,
    )
    assert list(comparison.parts()) == [
        "guided by the truth, 20 visits",
        "guided by the truth, 20 visits, 16 at a time",
        "guided by the truth, 40 visits",
        "guided by the truth, 40 visits, 16 at a time",
    ]
    assert all(len(part.results) == 4 for part in comparison.parts().values())
    names = {path.name for path in comparison.write(tmp_path / "new" / "folder")}
    assert {"trials.csv", "ranking.csv", "pairs.csv", "overlap.csv", "curves.npz"} <= names
    with (tmp_path / "new/folder/trials.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 16
    assert {row["strategy"] for row in rows} == {"shark", "blind"}
    assert len((tmp_path / "new/folder/ranking.csv").read_text().splitlines()) == 1 + 8
    with np.load(tmp_path / "new/folder/curves.npz") as curves:
        assert curves["found"].shape == (16, 40)
        assert curves["visits"][0, 20:].tolist() == [-1] * 20
    parquet = pytest.importorskip("pyarrow.parquet")
    assert parquet.read_table(tmp_path / "new/folder/trials.parquet").num_rows == 16


def test_impossible_comparisons_are_reported() -> None:
    with pytest.raises(ConfigError, match="judge"):
        run(Trial(WORLD, sample(find(WORLD), 1)[0], "shark", judge="nobody"))
    with pytest.raises(ConfigError, match="world"):
        clew.compare("shark", "labyrnth")
    with pytest.raises(ConfigError, match="no field 'topic' of an experiment; did you mean 'topics'"):
        clew.compare("shark", topic=3)


def test_one_crawl_on_a_world(world: World) -> None:
    topic = sample(world, 1)[0]
    by_name = clew.simulate(WORLD, topic, "shark", pages=30)
    assert by_name.order == clew.simulate(world, topic, "shark", pages=30).order
    seeds = world.seeds(topic, 2)
    guided = clew.simulate(world, topic, "shark", seeds=seeds, judge="classifier", pages=30)
    assert set(guided.order[:2]) == set(seeds)
    interest, _ = judge("truth", world, topic)
    assert clew.simulate(world, interest, "shark", seeds=seeds, pages=30).order[:2] == guided.order[:2]
    with pytest.raises(ConfigError, match="50 links"):
        clew.simulate(world, topic, distance=50)
    with pytest.raises(ConfigError, match="there is no topic"):
        clew.simulate(world, "nothing of the kind")


def test_parallel_fetches_may_be_of_one_host(tmp_path: Path, write_warc: Write) -> None:
    web = {"": "abc", "a": "d", "b": "", "c": "", "d": ""}
    links = {f"http://a.org/{page}": "".join(f"<a href=/{to}>on</a>" for to in on) for page, on in web.items()}
    warc = write_warc(tmp_path / "one.warc.gz", {url: f"<p>boats {html}" for url, html in links.items()})
    (tmp_path / "one.topics.json").write_text('{"topics": {"boats": ["http://a.org/a"]}}')
    for parallel, order in {1: "adbc", 4: "abcd"}.items():
        crawl = clew.simulate(warc, "boats", "best_first", seeds="http://a.org/", parallel=parallel)
        assert "".join(url[-1] for url in crawl.order[1:]) == order
