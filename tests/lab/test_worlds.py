from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import clew
from clew.cli.main import main
from clew.errors import ConfigError
from clew.lab.truth import truth_interest
from clew.lab.worlds import World, find, worlds
from clew.labyrinth import Labyrinth, serving
from clew.store.warc import Archive
from clew.types import Fetched

SHARED = Path(__file__).resolve().parents[2] / ".." / "shared" / "data"
A, B = "http://a.org/", "http://b.org/"


@pytest.fixture
def here(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CLEW_WORLDS", str(tiny))
    return tiny


def test_names(here: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert worlds() == ["tiny", "tiny-hard", "labyrinth"]
    monkeypatch.delenv("CLEW_WORLDS")
    monkeypatch.chdir(tmp_path)
    assert worlds() == ["labyrinth"]
    (tmp_path / "x.topics.json").write_text("{}")  # without its pages it is not a world
    monkeypatch.setenv("CLEW_WORLDS", str(tmp_path))
    assert worlds() == ["labyrinth"]


def test_variants(here: Path) -> None:
    assert len(find("tiny").urls) == 6
    hard = find("tiny-hard")
    assert (hard.name, len(hard.urls)) == ("tiny-hard", 5)
    assert dict(hard.topics) == dict(find("tiny").topics)


def test_a_world_with_removed_pages(here: Path) -> None:
    drifted = find("tiny-hard~0.5:3")
    assert drifted.gone == find("tiny-hard").without(0.5, 3).gone
    assert drifted.name == "tiny-hard~0.5:3"
    assert find("labyrinth:200~.25").name == "labyrinth:200~0.25:0"


def test_one_bad_topics_file_does_not_affect_the_others(
    here: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("good", "bad"):
        (tmp_path / f"{name}.warc.gz").write_bytes((here / "tiny.warc.gz").read_bytes())
        (tmp_path / f"{name}.topics.json").write_text("{}" if name == "good" else "{")
    monkeypatch.setenv("CLEW_WORLDS", str(tmp_path))
    assert len(find("good").urls) == 6
    with pytest.raises(ConfigError, match=r"bad\.topics\.json"):
        find("bad")


def test_files_and_folders_are_worlds(here: Path) -> None:
    assert dict(find(str(here / "tiny.warc.gz")).topics)["boats"] == 2  # its topics are beside it
    assert len(find(str(here)).urls) == 6


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("tinny", "did you mean 'tiny'"),
        ("labyrinth-hard", "no world"),
        ("labyrinth:many", "must have the form"),
        ("labyrinth:200:tunnel:1:2", "must have the form"),
        ("labyrinth:200:tunel", "tunnel"),
        ("labyrinth:5", "pages"),
    ],
)
def test_unknown_worlds_are_reported(here: Path, name: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        find(name)


def test_warnings_are_printed(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for extra in ([], ["--json"]):
        assert main(["lab", "worlds", "tiny", *extra]) == 0
        captured = capsys.readouterr()
        assert "warning: tiny: 1 labelled URLs are not among the pages" in " ".join(captured.err.split())
    [described] = json.loads(captured.out)
    assert described["digest"] == find("tiny").digest
    assert described["topics"][0] == {"topic": "boats", "pages": 2, "share": 2 / 6, "reachable": 2}


def test_a_folder_without_recordings_is_reported(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no WARC files"):
        find(str(tmp_path))


def test_the_labyrinth_is_a_world() -> None:
    from clew.labyrinth import Labyrinth

    web, world = Labyrinth.regime("tunnel", pages=200, seed=3), find("labyrinth:200:tunnel:3")
    assert list(world.urls) == [web.url(number) for number in range(200)]
    for number in range(0, 200, 7):  # the generator's own table of links is the measure
        assert set(world.graph.out(number).tolist()) == set(web.links(number)) - {number}
    topic = web.topics[0]
    assert np.flatnonzero(world.truth(topic)).tolist() == sorted(web.pages_on(topic))
    assert world.title(topic) == topic


@pytest.mark.parametrize("strategy", ["breadth_first", "best_first"])
def test_the_ordinary_engine_crawls_a_world_guided_by_the_truth(here: Path, strategy: str) -> None:
    world: World = find("tiny")
    crawl = clew.simulate(world.fetcher(), truth_interest(world, "boats"), strategy, seeds=[A], pages=None)
    assert sorted(crawl.order) == sorted([A, f"{A}sail", f"{A}index/boats", f"{B}row", f"{B}far"])
    assert {record.url for record in crawl.records if record.relevant} == {f"{A}sail", f"{B}row"}
    assert (crawl.stats.failed, crawl.stats.redirects) == (0, 1)
    again = clew.simulate(world.fetcher(), truth_interest(world, "boats"), strategy, seeds=[A], pages=None)
    assert crawl.order == again.order


def test_the_truth_rates_texts_by_the_name_of_the_topic(here: Path) -> None:
    interest = truth_interest(find("tiny"), "boats.sail")
    assert interest.rate("He sails a boat") == 1.0
    assert (interest.rate("A boat race"), interest.rate("Golf")) == (0.5, 0.0)
    assert str(interest) == "boats.sail"
    assert interest.at(2.0).threshold == 2.0


@pytest.mark.slow
def test_a_real_web(monkeypatch: pytest.MonkeyPatch) -> None:
    if not (SHARED / "webkb.warc.gz").exists():
        pytest.skip("the recorded webs are not here: ../shared/data")
    monkeypatch.setenv("CLEW_WORLDS", str(SHARED))
    assert "wikischools-hard" in worlds()
    world = find("webkb")
    assert (len(world.urls), len(world.hosts)) == (8136, 584)
    sizes = {"student": 1640, "faculty": 1117, "course": 921, "project": 500, "department": 179, "staff": 135}
    assert {topic: world.topics[topic] for topic in sizes} == sizes
    assert world.topics["person"] == 2887  # some belong to two classes
    assert "other" not in world.topics
    assert world.warnings == []
    for distance in (0, 1, 2):
        [start] = world.seeds("course", 1, distance)
        page = world.id_of(start)
        assert page is not None
        steps = world.graph.distances([page])[world.truth("course") == 1]
        assert steps[steps >= 0].min() == distance
        assert world.reachable([page]).sum() > 4000
    crawl = clew.simulate(world.fetcher(), truth_interest(world, "course"), "best_first", seeds=[start], pages=200)
    assert (crawl.stats.visited, crawl.stats.failed) == (200, 0)


def test_a_crawl_folder_knows_its_own_topic(tmp_path: Path) -> None:
    labyrinth = Labyrinth(pages=300, seed=2)
    with serving(labyrinth) as web:
        settings = {"resolve": [web.resolve], "allow_private": True, "delay": 0, "folder": str(tmp_path / "crawl")}
        result = clew.crawl("sailing", labyrinth.seeds("sailing", 3), judge="plain", pages=60, **settings)
    with result.records as records:
        found = [record.url for record in records.pages(relevant=True)]
        other = next(r.url for r in records.pages() if r.state == "fetched" and not r.relevant)
    world = find(str(tmp_path / "crawl"))
    assert world.topics == {"sailing": len(found)}
    assert {world.urls[page] for page in np.flatnonzero(world.truth("sailing") == 1)} == {*found}
    # A label counts before the judge.
    clew.label(tmp_path / "crawl", {found[0]: False, other: True})
    relabelled = find(str(tmp_path / "crawl"))
    assert {relabelled.urls[page] for page in np.flatnonzero(relabelled.truth("sailing") == 1)} == {*found[1:], other}
    # A topics.json beside the folder is what the user wants.
    (tmp_path / "crawl.topics.json").write_text(json.dumps({"topics": {"mine": [other]}}))
    assert find(str(tmp_path / "crawl")).topics == {"mine": 1}


def test_strategies_are_compared_on_a_crawl_without_further_words(tmp_path: Path) -> None:
    labyrinth = Labyrinth(pages=300, seed=2)
    with serving(labyrinth) as web:
        settings = {"resolve": [web.resolve], "allow_private": True, "delay": 0, "folder": str(tmp_path / "crawl")}
        clew.crawl("sailing OR golf", labyrinth.seeds("sailing", 3), pages=60, **settings)
    comparison = clew.compare(["shark", "breadth_first"], worlds=[str(tmp_path / "crawl")], budgets=20, jobs=1)
    assert {rank.strategy for rank in comparison.ranking()} == {"shark", "breadth_first"}
    assert list(find(str(tmp_path / "crawl")).topics) == ["relevant"]


def test_a_topics_file_names_what_is_left_out(tmp_path: Path) -> None:
    pages = {"/a": b"<h3 id=label>Sailing</h3><p>Boats", "/index/": b"<p>All pages", "/b": b"<p>Cars"}
    archive = Archive(tmp_path)
    for path, body in pages.items():
        answer = Fetched(f"http://a.example{path}", 200, (("content-type", "text/html"),), body, body)
        archive.append(answer, at=0.0)
    archive.close()
    [file] = tmp_path.glob("*.warc.gz")
    web = file.rename(tmp_path / "web.warc.gz")
    content = {"topics": {"t": ["http://a.example/a"]}, "exclude": ["http://a.example/index/"], "leaks": ["h3#label"]}
    (tmp_path / "web.topics.json").write_text(json.dumps(content))
    world = find(str(web))
    assert list(world.urls) == ["http://a.example/a", "http://a.example/b"]
    assert world.doc(0).text == "Boats"
    (tmp_path / "web.topics.json").write_text(json.dumps(content | {"leaks": "h3"}))
    with pytest.raises(ConfigError, match="leaks must be a list in brackets"):
        find(str(web))
