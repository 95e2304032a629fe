from __future__ import annotations

import asyncio
import json
import pickle
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from clew.errors import ConfigError
from clew.lab import cache
from clew.lab.recording import Recording
from clew.lab.snapshot import Snapshot
from clew.parse import host
from clew.types import Doc, Fetched

Write = Callable[[Path, dict[str, "str | int"]], Path]
A, B = "http://a.org/", "http://b.org/"


@pytest.fixture
def world(tiny: Path) -> Snapshot:
    return Snapshot.load(tiny / "tiny.warc.gz", tiny / "tiny.topics.json")


def get(world: Snapshot, url: str) -> Fetched:
    return asyncio.run(world.fetcher().get(url))


def vars_of(doc: Doc) -> dict[str, object]:
    return {name: getattr(doc, name) for name in Doc.__dataclass_fields__}


def links(world: Snapshot, url: str) -> list[str]:
    page = world.id_of(url)
    assert page is not None
    return [world.urls[target] for target in world.graph.out(page)]


def test_pages_are_in_the_order_of_the_file(world: Snapshot) -> None:
    assert list(world.urls) == [A, f"{A}sail", f"{A}index/boats", f"{B}row", f"{B}far", f"{B}lone"]
    assert world.hosts == ["a.org", "b.org"] == list(dict.fromkeys(map(host, world.urls)))
    assert (world.name, len(world)) == ("tiny", 6)


def test_graph_follows_redirects_and_stays_inside(world: Snapshot) -> None:
    assert links(world, A) == [f"{A}sail", f"{A}index/boats", f"{B}row"]
    assert links(world, f"{A}sail") == [A, f"{B}row"]  # not itself
    assert links(world, f"{B}row") == [f"{B}far"]  # neither a redirect loop nor another web


def test_answers(world: Snapshot) -> None:
    home = get(world, A)
    assert home.ok
    assert home.doc == world.doc(0)
    assert (get(world, f"{A}old").status, get(world, f"{A}old").location) == (301, f"{B}row")
    assert (
        get(world, f"{B}missing").status == get(world, f"{A}circle").status == get(world, "http://c.org/").status == 404
    )


def test_documents_are_parsed_pages_without_links_that_leave(tiny: Path, world: Snapshot) -> None:
    parsed = list(Recording((tiny / "tiny.warc.gz",)).docs())
    for page, doc in enumerate(parsed):
        inside = tuple(link for link in doc.links if world.id_of(link.url) is not None)
        assert vars_of(world.doc(page)) == {**vars_of(doc), "links": inside}
    assert [link.url for link in world.doc(3).links] == [f"{B}far"]
    assert world.doc(5).links[0].nofollow is True


def test_excluded_pages_are_left_out(tiny: Path) -> None:
    world = Snapshot.load([tiny / "tiny.warc.gz"], exclude=[f"{A}index/", B])
    assert list(world.urls) == [A, f"{A}sail"]
    assert [link.url for link in world.doc(0).links] == [f"{A}sail"]  # redirects to excluded pages are left out too
    assert get(world, f"{A}old").status == 404
    assert dict(world.topics) == {}


def test_stripped_elements_leave_neither_text_nor_links(tiny: Path, world: Snapshot) -> None:
    bare = Snapshot.load(tiny / "tiny.warc.gz", strip=["#label"])
    assert "Filed" in world.doc(0).text
    assert bare.doc(0).text == "Home\n\nSee\nto sailing here x"
    assert bare.doc(0).title == "Home"
    assert f"{A}index/boats" not in links(bare, A)


def test_truth_includes_subtopics_and_marks_unlabelled_pages(world: Snapshot) -> None:
    assert dict(world.topics) == {"boats": 2, "boats.sail": 1, "boats.row": 1}
    assert world.truth("boats").tolist() == [0, 1, 0, 1, -1, 0]
    assert world.truth("boats.sail").tolist() == [0, 1, 0, 0, -1, 0]
    assert world.truth("boats").dtype == np.int8
    assert world.title("boats.sail") == "Sailing boats"
    with pytest.raises(ConfigError, match="did you mean 'boats'"):
        world.truth("boat")


def test_start_pages_by_distance(world: Snapshot) -> None:
    assert world.seeds("boats.row", 9) == [f"{B}row"]
    near = world.seeds("boats.row", 9, distance=1)
    assert set(near) == {A, f"{A}sail", f"{A}index/boats", f"{B}lone"}
    assert near[-1] == f"{B}lone"  # it leads to a dead end only, so it comes last
    assert world.seeds("boats", 9, distance=2) == []
    orders = [tuple(world.seeds("boats.row", 3, distance=1, seed=seed)) for seed in range(9)]
    assert len(set(orders)) > 1
    assert orders == [tuple(world.seeds("boats.row", 3, distance=1, seed=seed)) for seed in range(9)]


def test_reachable(world: Snapshot) -> None:
    assert world.reachable([3]).tolist() == [False, False, False, True, True, False]
    assert world.reachable([0]).sum() == 5


def test_the_second_load_parses_nothing(tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLEW_CACHE", str(tmp_path))
    progress_calls: list[tuple[int, int]] = []

    def load(**options: object) -> Snapshot:
        return Snapshot.load(tiny / "tiny.warc.gz", progress=lambda *done: progress_calls.append(done), **options)  # type: ignore[arg-type]

    first = load()
    assert progress_calls == [(n, 6) for n in range(1, 7)]
    second = load()
    assert len(progress_calls) == 6
    assert [first.doc(page) for page in range(6)] == [second.doc(page) for page in range(6)]
    load(strip=["#label"])
    assert len(progress_calls) == 12
    assert len(list(tmp_path.iterdir())) == 2


def test_a_damaged_cache_is_rebuilt(tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLEW_CACHE", str(tmp_path))
    Snapshot.load(tiny / "tiny.warc.gz")
    [file] = tmp_path.iterdir()
    whole = file.read_bytes()
    for damage in (b"", b"not an archive", whole[:-100], whole[: len(whole) // 2]):
        file.write_bytes(damage)
        assert len(Snapshot.load(tiny / "tiny.warc.gz")) == 6
        assert file.read_bytes() == whole


def test_everything_works_without_a_cache_folder(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLEW_CACHE", str(tiny / "tiny.topics.json" / "cache"))
    assert len(Snapshot.load(tiny / "tiny.warc.gz")) == 6


def test_the_cache_is_the_users_by_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CLEW_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", "/x")
    assert cache.folder() == Path("/x/clew")
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert cache.folder() == Path.home() / ".cache" / "clew"


def test_text_and_terms_are_unpacked_on_first_use(world: Snapshot) -> None:
    doc = world.doc(1)
    assert dict(doc.terms) == {"sail": 1, "home": 1, "row": 1}
    assert (len(doc.terms), sum(doc.terms.values()), "sail" in doc.terms, doc.terms.get("x")) == (3, 3, True, None)
    assert doc.terms == {"sail": 1, "home": 1, "row": 1}
    assert list(doc.terms) == list(doc.terms.keys()) == [word for word, _ in doc.terms.items()]
    assert doc.text == "Sails home rowing me"
    again = pickle.loads(pickle.dumps(doc))
    assert vars_of(again) == vars_of(doc)
    with pytest.raises(AttributeError, match="nothing"):
        _ = doc.nothing  # type: ignore[attr-defined]


def test_the_digest_identifies_the_content(tiny: Path, tmp_path: Path, world: Snapshot, write_warc: Write) -> None:
    warc, topics = tiny / "tiny.warc.gz", tiny / "tiny.topics.json"
    assert world.digest == Snapshot.load(warc, topics, name="other").digest
    fewer = tmp_path / "fewer.json"
    fewer.write_text(json.dumps({"topics": {"boats": [f"{A}sail"]}}))
    others = [
        Snapshot.load(warc),
        Snapshot.load(warc, fewer),
        Snapshot.load(warc, topics, exclude=[B]),
        Snapshot.load(warc, topics, strip=["b"]),
        Snapshot.load(write_warc(tmp_path / "x.warc.gz", {A: "<p>sail"}), topics),
        world.without(0.5),
        world.without(0.5, seed=1),
    ]
    assert len({world.digest, *(other.digest for other in others)}) == 8


def test_labels_of_missing_pages_are_reported(tiny: Path, world: Snapshot) -> None:
    [warning] = world.warnings
    assert warning == "tiny: 1 labelled URLs are not among the pages, such as http://elsewhere.org/"
    assert Snapshot.load(tiny / "tiny.warc.gz").warnings == []
    assert (
        Snapshot.load(tiny / "tiny.warc.gz", tiny / "tiny.topics.json", [f"{A}sail", "http://elsewhere.org/"]).warnings
        == []
    )


def test_the_remainder_is_not_a_topic(tiny: Path, tmp_path: Path) -> None:
    path = tmp_path / "classes.json"
    path.write_text(json.dumps({"topics": {"boats": [f"{A}sail"], "other": [A, f"{B}far"]}}))
    world = Snapshot.load(tiny / "tiny.warc.gz", path)
    assert dict(world.topics) == {"boats": 1}
    assert world.truth("boats").tolist() == [0, 1, 0, 0, 0, 0]  # its pages are labelled, and on no topic


def test_removed_pages(world: Snapshot) -> None:
    gone = next(w for seed in range(99) if (w := world.without(0.3, seed)).gone == {3})
    assert gone.name.startswith("tiny~0.3:")
    assert list(gone.urls) == list(world.urls)
    assert get(gone, f"{B}row").status == 404
    assert get(gone, A).doc is not None
    assert links(gone, A) == [f"{A}sail", f"{A}index/boats"]
    assert links(gone, f"{B}row") == []
    assert dict(gone.topics) == {"boats": 1, "boats.sail": 1}
    assert gone.truth("boats").tolist() == [0, 1, 0, 0, -1, 0]
    assert gone.seeds("boats", 9) == [f"{A}sail"]
    assert world.without(0.0).gone == frozenset()
    assert gone.without(0.9).gone > {3}  # removed pages stay removed
    with pytest.raises(ConfigError, match="less than 1"):
        world.without(1.0)


def test_several_files_are_one_web(tmp_path: Path, write_warc: Write) -> None:
    (tmp_path / "1").mkdir()
    first = write_warc(tmp_path / "1" / "x.warc.gz", {A: "<a href='/two'>2</a>", f"{A}two": 503})
    second = write_warc(tmp_path / "y.warc.gz", {f"{A}two": "<p>Two", A: "<p>later", f"{A}robots.txt": "User-agent: *"})
    world = Snapshot.load([first, second], name="both/of them")
    assert list(world.urls) == [A, f"{A}two"]
    assert [link.anchor for link in world.doc(0).links] == ["2"]  # the first response counts


def test_bad_input_is_reported(tiny: Path, tmp_path: Path, write_warc: Write) -> None:
    with pytest.raises(ConfigError, match=r"no file .*nothing\.warc"):
        Snapshot.load(tmp_path / "nothing.warc.gz")
    with pytest.raises(ConfigError, match="no pages"):
        Snapshot.load(write_warc(tmp_path / "empty.warc.gz", {A: 404}))
    (tmp_path / "bad.json").write_text("{")
    (tmp_path / "list.json").write_text(json.dumps({"topics": []}))
    for name in ("bad.json", "list.json", "none.json"):
        with pytest.raises(ConfigError, match=name):
            Snapshot.load(tiny / "tiny.warc.gz", tmp_path / name)
