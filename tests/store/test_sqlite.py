"""The crawl folder: durable, locked, and truncated to the last commit after a kill."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from clew.config import Config
from clew.errors import FolderInUse, StoreError
from clew.store import Record, Records, SqliteStore, page_of
from clew.types import Doc, Fetched, Link, UrlEntry

HTML = b"<html><title>Home</title><body><p>Sailing on the lake</p><a href='/next'>next</a></body></html>"


def visit(store: SqliteStore, order: int, url: str, body: bytes = HTML, **more: object) -> Record:
    record = Record(order, order, url, at=1e9 + order, **more)  # type: ignore[arg-type]
    fetched = Fetched(url, 200, (("Content-Type", "text/html"), ("Transfer-Encoding", "chunked")), body, body)
    store.add(record, fetched, page_of(record, Doc(url), ()))
    return record


def test_a_visit_can_be_read_again(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path, new=Config())
    visit(store, 0, "http://a.example/", relevance=0.7, relevant=True, topics={"x": 0.7}, title="Home")
    link = Link("http://s.example/", "http://a.example/", "words", "near words", "Heading", "ul>li>a", 3)
    store.commit([(0, UrlEntry("http://a.example/", (link,)))], {})
    store.close()
    store = SqliteStore(tmp_path)
    page = store.page("http://a.example/")
    assert page is not None
    assert (page.relevance, page.relevant, page.topics, page.title) == (0.7, True, {"x": 0.7}, "Home")
    assert page.inlinks == (link,)
    assert [link.url for link in page.links] == ["http://a.example/next"]
    assert page.terms["sail"] == 1
    store.close()


def test_uncommitted_visits_are_visible_but_not_durable(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path, new=Config())
    visit(store, 0, "http://a.example/")
    store.commit([], {})
    visit(store, 1, "http://b.example/")
    assert [page.url for page in store.pages()] == ["http://a.example/", "http://b.example/"]
    store.close()
    store = SqliteStore(tmp_path)
    assert [page.url for page in store.pages()] == ["http://a.example/"]
    store.close()


def test_the_archive_is_truncated_to_the_last_commit(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path, new=Config())
    visit(store, 0, "http://a.example/")
    store.commit([], {})
    [archive] = (tmp_path / "pages").iterdir()
    committed = archive.stat().st_size
    visit(store, 1, "http://b.example/")
    store.archive.flush()
    with archive.open("ab") as file:
        file.write(b"half a record")
    (tmp_path / "pages" / "00002.warc.gz").write_bytes(b"a file begun just before the kill")
    store.close()
    SqliteStore(tmp_path).close()
    assert archive.stat().st_size == committed
    assert [path.name for path in (tmp_path / "pages").iterdir()] == [archive.name]


def test_the_archive_passes_the_check_of_another_tool_and_rolls(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path, new=Config(), max_warc=2000)
    for n in range(20):
        visit(store, n, f"http://a.example/{n}", body=HTML + bytes(str(n) * 300, "ascii"))
    store.commit([], {})
    assert store.read_visit(next(store.visits(after=14)))[0].url == "http://a.example/15"
    store.close()
    archives = sorted((tmp_path / "pages").glob("*.warc.gz"))
    assert len(archives) > 1
    warcio = Path(sys.executable).with_name("warcio")
    subprocess.run([warcio, "check", *archives], check=True)


def fill_up(folder: Path) -> None:
    with SqliteStore(folder, new=Config()) as store:
        visit(store, 0, "http://a.example/")
        store.commit([], {})
        store.archive.close()
        store.archive._file = Path("/dev/full").open("wb")  # noqa: SIM115  # closed by the archive
        visit(store, 1, "http://b.example/")
        store.commit([], {})


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is always full")
def test_a_full_disk_is_reported_and_the_folder_is_released(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="no room left"):
        fill_up(tmp_path)
    with SqliteStore(tmp_path) as store:
        assert [page.url for page in store.pages()] == ["http://a.example/"]


def test_no_page_can_be_committed_twice(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path, new=Config())
    visit(store, 0, "http://a.example/")
    visit(store, 1, "http://a.example/")
    with pytest.raises(StoreError, match="UNIQUE"):
        store.commit([], {})
    store.close()


def test_a_folder_in_use_is_refused_but_can_be_read(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path, new=Config())
    visit(store, 0, "http://a.example/")
    store.commit([], {})
    with pytest.raises(FolderInUse, match="in use"):
        SqliteStore(tmp_path)
    reader = Records(tmp_path)
    assert [record.url for record in reader.pages()] == ["http://a.example/"]
    assert reader.running
    store.close()
    assert not reader.running
    reader.close()


def test_a_folder_that_holds_a_crawl_is_refused_for_a_new_one(tmp_path: Path) -> None:
    SqliteStore(tmp_path, new=Config()).close()
    with pytest.raises(StoreError, match="clew resume"):
        SqliteStore(tmp_path, new=Config())


def test_a_folder_without_a_crawl_cannot_be_opened(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"no crawl\.db"):
        SqliteStore(tmp_path)


def test_a_damaged_database_gives_one_clear_message(tmp_path: Path) -> None:
    (tmp_path / "crawl.db").write_bytes(b"this is not a database at all" * 100)
    with pytest.raises(StoreError, match="cannot use"):
        SqliteStore(tmp_path)


def test_the_path_of_links_leads_back_to_the_start(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path, new=Config())
    visit(store, 0, "http://a.example/")
    visit(store, 1, "http://b.example/")
    a_to_b = Link("http://a.example/", "http://b.example/", "to b")
    b_to_c = Link("http://b.example/", "http://c.example/", "to c")
    store.commit(
        [
            (0, UrlEntry("http://a.example/")),
            (1, UrlEntry("http://b.example/", (a_to_b,))),
            (2, UrlEntry("http://c.example/", (b_to_c,))),
        ],
        {},
    )
    reader = Records(tmp_path)
    steps = reader.path("http://c.example/")
    assert [(step.url[7], step.anchor, step.kind, step.state) for step in steps] == [
        ("a", "", "start", "fetched"),
        ("b", "to b", "a", "fetched"),
        ("c", "to c", "a", "queued"),
    ]
    reader.close()
    store.close()


def test_examples_and_progress_are_kept(tmp_path: Path) -> None:
    doc = Doc("file:///x", "Title", "some text", {"text": 1}, (Link("file:///x", "http://a.example/", "a"),), "en")
    with SqliteStore(tmp_path, new=Config()) as store:
        store.keep({"x": [doc]})
        store.commit([], {"visited": 3, "seconds": 1.5})
    with SqliteStore(tmp_path) as store:
        assert store.examples() == {"x": [doc]}
        assert store.progress() == {"visited": 3, "seconds": 1.5}
