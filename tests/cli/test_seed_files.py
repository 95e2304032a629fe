"""Start pages in files: named with or without @, with bad lines or nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from clew.cli.seed_files import with_files
from clew.errors import ConfigError

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
