"""Start pages in files: named with or without @, with bad lines or nothing else."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from clew.cli.main import main
from clew.cli.seed_files import with_files
from clew.errors import ConfigError
from clew.store import Records

LINES = "\ufeffhttps://a.example/\n# a comment\nnot a url\n\nb.example\nfoo\nlocalhost:8000\n"
GOOD = ["https://a.example/", "b.example", "localhost:8000"]

Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    return tmp_path


@pytest.mark.parametrize(("file", "item"), [("seeds.txt", "@seeds.txt"), ("seeds.txt", "seeds.txt"), ("list", "list")])
def test_bad_lines_are_skipped_and_named(folder: Path, capsys: Capture, file: str, item: str) -> None:
    (folder / file).write_text(LINES, encoding="utf-8")
    assert with_files("seeds", ["http://c.example/", item], silent=True) == ["http://c.example/", *GOOD]
    assert capsys.readouterr().err == (
        f"read 3 start pages from {file}; skipped 2 lines without a web address: line 3 ('not a url'), line 6 ('foo')\n"
    )


def test_a_file_is_read_once(folder: Path, capsys: Capture) -> None:
    (folder / "seeds.txt").write_text("a.example\n", encoding="utf-8")
    assert main(["crawl", "boats", "--seeds", "@seeds.txt", "--judge", "no:such"]) == 1
    assert capsys.readouterr().err.count("read 1 start page") == 1


def test_a_good_file_is_mentioned_unless_silence_is_wanted(folder: Path, capsys: Capture) -> None:
    (folder / "seeds.txt").write_text("a.example\n", encoding="utf-8")
    assert with_files("seeds", ["seeds.txt"]) == ["a.example"]
    assert capsys.readouterr().err == "read 1 start page from seeds.txt\n"
    with_files("seeds", ["seeds.txt"], silent=True)
    assert capsys.readouterr().err == ""


def test_a_file_of_bad_lines_is_an_error(folder: Path) -> None:
    (folder / "seeds.txt").write_text("foo\nbar baz\n", encoding="utf-8")
    with pytest.raises(ConfigError, match=r"seeds.txt has no web addresses.*line 1 \('foo'\), line 2 \('bar baz'\)"):
        with_files("seeds", ["@seeds.txt"])


def test_a_missing_list_is_no_host(folder: Path) -> None:
    with pytest.raises(ConfigError, match=r"cannot read the list seeds\.txt: No such file"):
        with_files("seeds", ["seeds.txt"])


def test_a_host_stays_a_host_where_a_file_has_its_name(folder: Path) -> None:
    (folder / "docs.example").write_text("a.example\n", encoding="utf-8")
    assert with_files("seeds", ["docs.example", "https://x.example/seeds.txt"]) == [
        "docs.example",
        "https://x.example/seeds.txt",
    ]


def test_other_lists_take_every_line(folder: Path) -> None:
    (folder / "rules.txt").write_text("docs.test\nre:/a b/\n", encoding="utf-8")
    assert with_files("deny", ["@rules.txt"]) == ["docs.test", "re:/a b/"]
    assert with_files("deny", ["rules.txt"]) == ["rules.txt"]


BOOKMARKS = """<!DOCTYPE NETSCAPE-Bookmark-file-1>
<DL><p>
    <DT><H3>Sport</H3>
    <DL><p>
        <DT><A HREF="https://a.example/">A</A>
        <DT><A HREF="javascript:void(0)">Tool</A>
    </DL><p>
    <DT><H3>Empty</H3>
    <DL><p>
        <DT><A HREF="javascript:void(0)">Tool</A>
    </DL><p>
    <DT><A HREF="http://b.example/x">B</A>
</DL>
"""


@pytest.mark.parametrize("file", ["bookmarks.html", "bookmarks.json"])
def test_a_crawl_begins_at_bookmarks(folder: Path, web: Any, file: str) -> None:
    one, other, *_ = web.seeds
    html = BOOKMARKS.replace("https://a.example/", one).replace("http://b.example/x", other)
    children = [{"name": "Start", "type": "url", "url": url} for url in (one, other)]
    chromium = {"roots": {"bookmark_bar": {"name": "Bar", "type": "folder", "children": children}}}
    (folder / file).write_text(json.dumps(chromium) if file.endswith("json") else html, encoding="utf-8")
    flags = ["--seeds", f"@{file}", *web.flags[1 + len(web.seeds) :], "--folder", "crawl", "--visits", "2", "--quiet"]
    assert main(["crawl", "sailing", *flags]) == 0
    with Records(folder / "crawl") as records:
        assert {record.url for record in records.pages()} == {one, other}


@pytest.mark.parametrize("item", ["@bookmarks.html", "bookmarks.html"])
def test_bookmarks_are_start_pages(folder: Path, capsys: Capture, item: str) -> None:
    (folder / "bookmarks.html").write_text(BOOKMARKS, encoding="utf-8")
    assert with_files("seeds", [item]) == ["https://a.example/", "http://b.example/x"]
    assert capsys.readouterr().err == (
        "read 2 start pages from the bookmarks in bookmarks.html; "
        "skipped 2 bookmarks that lead nowhere on the web or are there twice\n"
    )


def test_bookmarks_of_one_folder(folder: Path, capsys: Capture) -> None:
    (folder / "bookmarks.html").write_text(BOOKMARKS, encoding="utf-8")
    assert with_files("reserve", ["@bookmarks.html#sport"], silent=True) == ["https://a.example/"]
    assert capsys.readouterr().err == ""
    with pytest.raises(ConfigError, match="has no folder 'Music' with bookmarks; there are: Sport, Empty"):
        with_files("seeds", ["@bookmarks.html#Music"])
    with pytest.raises(ConfigError, match="has no bookmarks of web pages in the folder 'Empty'"):
        with_files("seeds", ["@bookmarks.html#Empty"])


def test_a_name_with_the_mark_of_a_folder_is_a_name(folder: Path) -> None:
    (folder / "my#marks.html").write_text(BOOKMARKS, encoding="utf-8")
    assert len(with_files("seeds", ["@my#marks.html"], silent=True)) == 2


def test_pages_that_are_no_bookmarks_say_so(folder: Path) -> None:
    (folder / "page.html").write_text("<html><a href='http://a.example/'>a</a></html>", encoding="utf-8")
    (folder / "list.txt").write_text("http://a.example/", encoding="utf-8")
    (folder / "backup.json").write_bytes(b"mozLz40\0")
    with pytest.raises(ConfigError, match=r"page.html is no list of web addresses and no export of bookmarks"):
        with_files("seeds", ["@page.html"])
    with pytest.raises(ConfigError, match=r"list.txt is no export of bookmarks, so it has no folder 'Sport'"):
        with_files("seeds", ["@list.txt#Sport"])
    with pytest.raises(ConfigError, match=r"cannot read the bookmarks in backup.json: it is a compressed backup"):
        with_files("seeds", ["@backup.json"])


def test_only_start_pages_come_from_bookmarks(folder: Path) -> None:
    (folder / "bookmarks.html").write_text(BOOKMARKS, encoding="utf-8")
    assert with_files("allow", ["@bookmarks.html"])[0].startswith("<!DOCTYPE")
