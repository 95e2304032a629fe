"""Full-text search: ranking, queries as people type them, scripts without spaces, and an index that is never wrong."""

from __future__ import annotations

import sqlite3
from contextlib import suppress
from pathlib import Path

import pytest

import clew
from clew.config import Config, configure
from clew.errors import ConfigError, StoreError
from clew.store import Record, Records, SqliteStore, make_texts, page_of
from clew.store.search_query import MAX_QUERY_WORDS, match_expression
from clew.types import Doc, Fetched, Judgement

FILLER = "The quick brown fox jumps over the lazy dog near the river bank in summer. "
TEXTS = {
    "oak": "Wooden boats of oak are built at the old yard.",
    "schooner": "A schooner has two masts. Sailors love the schooner, and boats follow it.",
    "golf": "Golf is played with clubs (C++ golfers don't write boats).",
    "ja": "東京大学で機械学習を研究する。",
    "th": "ภาษาไทยเป็นภาษาที่ไม่มีการเว้นวรรค",
    "ru": "Парусные лодки на Балтике",
    "fr": "Les élèves naviguent à la voile",
}
MATCH = "SELECT rowid FROM text_index WHERE text_index MATCH ?"
RELEVANT = ("oak", "schooner", "ja", "th", "ru", "fr")


def url(name: str) -> str:
    return f"http://{name}.example/"


def write(store: SqliteStore, order: int, name: str, text: str, relevant: bool, title: str = "") -> None:
    record = Record(order, order, url(name), at=1e9, status=200, relevance=0.7, relevant=relevant, title=title or name)
    body = f"<title>{name}</title><main><p>{text}</p><p>{FILLER * 2}</p></main>".encode()
    fetched = Fetched(url(name), 200, (("Content-Type", "text/html; charset=utf-8"),), body, body)
    store.add(record, fetched, page_of(record, Doc(url(name)), ()))


def fill(folder: Path, config: Config) -> None:
    with SqliteStore(folder, new=config) as store:
        for order, (name, text) in enumerate(TEXTS.items()):
            write(store, order, name, text, name in RELEVANT)
        store.commit([], {})


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    fill(tmp_path / "crawl", Config())
    return tmp_path / "crawl"


def found(folder: Path, query: str, relevant: bool = True) -> list[str]:
    return [hit.title for hit in clew.search(folder, query, relevant=relevant)]


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("boats", ["oak", "schooner"]),
        ("boat", ["oak", "schooner"]),  # another form of the word
        ("BOATS sailor", ["schooner"]),
        ('"two masts"', ["schooner"]),
        ('"masts two"', []),
        ('"two masts', ["schooner"]),  # never closed
        ("schoon*", ["schooner"]),
        ("boats -oak", ["schooner"]),
        ("boats NOT oak", ["schooner"]),
        ("(oak OR masts) AND boats", ["oak", "schooner"]),
        ("title:schooner", ["schooner"]),
        ("title:masts", []),
        ("機械学習", ["ja"]),
        ("東京", ["ja"]),
        ("京", ["ja"]),
        ("学機", []),
        ("ไทย", ["th"]),
        ("лодки", ["ru"]),
        ("eleves", ["fr"]),
        ("oak * ++ (", None),
        ("...", None),
        ("-oak", None),
        ("", None),
        ("NEAR(oak, yard) ^oak title: {x} :", []),
        ("oak:yard", []),
        ("o\0ak' \" -- ;", ["oak"]),
    ],
)
def test_queries_as_people_type_them(folder: Path, query: str, names: list[str] | None) -> None:
    if names is None:
        with pytest.raises(ConfigError, match="the query"):
            found(folder, query)
    else:
        assert sorted(found(folder, query)) == names


def test_by_default_only_relevant_pages_are_searched(folder: Path) -> None:
    assert found(folder, "golf") == []
    assert found(folder, "golf", relevant=False) == ["golf"]
    assert found(folder, "C++ don't", relevant=False) == ["golf"]


def test_a_judgement_that_changes_changes_what_is_found(folder: Path) -> None:
    with SqliteStore(folder) as store:
        store.judge(2, url("golf"), Judgement(0.9, True, {}))
        store.judge(0, url("oak"), Judgement(0.1, False, {}))
        store.commit([], {})
    assert sorted(found(folder, "boats")) == ["golf", "schooner"]


def test_titles_count_more_and_snippets_mark_what_matches(tmp_path: Path) -> None:
    with SqliteStore(tmp_path / "crawl", new=Config()) as store:
        write(store, 0, "a", "Something about a harbour.", True)
        write(store, 1, "b", "Something about a ferry.", True, title="The harbour")
        store.commit([], {})
    hits = clew.search(tmp_path / "crawl", "harbours")
    assert [hit.url for hit in hits] == [url("b"), url("a")]
    assert hits[1].marked("[", "]").startswith("Something about a [harbour]. The quick")
    assert hits[0].score > hits[1].score > 0
    assert len(clew.search(tmp_path / "crawl", "harbour", limit=1)) == 1


def test_snippets_of_scripts_without_spaces_read_as_they_were_written(folder: Path) -> None:
    [hit] = clew.search(folder, "機械学習")
    assert hit.marked("[", "]").startswith("東京大学で[機械学習]を研究する。")
    with Records(folder) as records:
        assert records.main_text(hit.record).startswith("東京大学で機械学習を研究する。")


def test_a_page_cannot_forge_marks(tmp_path: Path) -> None:
    with SqliteStore(tmp_path / "crawl", new=Config()) as store:
        write(store, 0, "evil", "see &#2;this&#3; oak \x1b[31m \u202e", True)
        store.commit([], {})
    [hit] = clew.search(tmp_path / "crawl", "oak")
    assert [text for text, is_match in hit.parts if is_match] == ["oak"]


def test_no_query_breaks_the_index(folder: Path) -> None:
    records = Records(folder)
    signs = ['"', "(", ")", "*", "-", "^", ":", "{", "}", "+", "NEAR", "OR", "AND", "NOT", "title:", "'", "oak", "\0"]
    for first in signs:
        for second in signs:
            for third in ("", "oak", ")"):
                query = f"{first}{second} {third}"
                with suppress(ConfigError):
                    expression = match_expression(query)
                    assert records.store.db.execute(MATCH, (expression,)).fetchall() is not None


def test_endless_queries_are_refused() -> None:
    with pytest.raises(ConfigError, match=f"at most {MAX_QUERY_WORDS}"):
        match_expression("oak " * (MAX_QUERY_WORDS + 1))
    with pytest.raises(ConfigError, match="parentheses"):
        match_expression("(" * 50 + "oak" + ")" * 49)


def test_main_texts_can_be_switched_off_and_made_later(tmp_path: Path) -> None:
    folder = tmp_path / "crawl"
    fill(folder, configure(main_text=False))
    with Records(folder) as records:
        assert records.store.db.execute("SELECT count(*) FROM texts").fetchone() == (0,)
        [oak] = [record for record in records.pages() if record.title == "oak"]
        assert records.main_text(oak).startswith("Wooden boats")
    assert make_texts(folder) == len(TEXTS)
    assert make_texts(folder) == 0
    assert found(folder, "schooner") == ["schooner"]


def test_a_folder_that_cannot_be_written_says_so(tmp_path: Path) -> None:
    folder = tmp_path / "crawl"
    fill(folder, configure(main_text=False))
    with sqlite3.connect(folder / "crawl.db") as db:
        db.executescript("DROP TABLE text_index; DROP TABLE texts")
    with Records(folder) as records, pytest.raises(StoreError, match="no search index yet"):
        records.search("oak")


def test_loaders(folder: Path) -> None:
    with Records(folder) as records:
        rows = list(records.to_dicts())
        documents = list(records.to_documents(relevant=False))
        own = list(records.to_documents(make=dict))
    assert [row["title"] for row in rows] == list(RELEVANT)
    assert rows[0]["text"].startswith("Wooden boats of oak")
    assert rows[0]["fetched_at"] == "2001-09-09T01:46:40+00:00"
    assert len(documents) == len(TEXTS)
    assert documents[0].page_content == rows[0]["text"]
    assert documents[0].metadata["source"] == url("oak")
    assert "text" not in documents[0].metadata
    assert own[0]["page_content"] == rows[0]["text"]
