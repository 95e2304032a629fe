"""Titles, URLs and reasons come from strangers: no command lets them steer the terminal."""

from __future__ import annotations

import io
import json
import os
import pty
import shutil
import sqlite3
import subprocess
import sys
import unicodedata
from contextlib import closing
from pathlib import Path

import pytest
from rich.table import Table
from rich.text import Text

from clew.base.chance import key_of
from clew.cli.main import main
from clew.cli.terminal import CleanConsole
from clew.config import configure, read_folder, write
from clew.store import Records, write_labels

Capture = pytest.CaptureFixture[str]
# A window title, colours by C0 and C1, turned writing, NUL, backspace, DEL, next line, and separators of lines.
HOSTILE = "\x1b]0;owned\x07\x1b[31mred\x9b32m\u202eevil\u2066\u200f\x00\x08\x7f\x85\u2028\u2029\r"
URL = f"http://evil.example/{HOSTILE}"


def unsafe(text: str) -> set[str]:
    """The characters that must not reach a terminal."""
    return {c for c in text if c != "\n" and unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp")}


@pytest.fixture(scope="module")
def hostile(crawl_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A crawl whose pages, hosts, links, topics, labels and journal are hostile."""
    folder = Path(shutil.copytree(crawl_folder, tmp_path_factory.mktemp("hostile") / "crawl"))
    with closing(sqlite3.connect(folder / "crawl.db")) as db, db:
        db.execute("UPDATE pages SET title = ? || title, reason = ?, host = ? || host", (HOSTILE, HOSTILE, HOSTILE))
        topics = json.dumps({HOSTILE: 0.5})
        db.execute("UPDATE pages SET topics = ?, language = ?", (topics, HOSTILE))
        last = db.execute('SELECT max("order") FROM pages').fetchone()[0]
        db.execute('UPDATE pages SET url = ?, key = ? WHERE "order" = ?', (URL, key_of(URL), last))
        for slot, links in db.execute("SELECT slot, links FROM candidates").fetchall():
            named = [[*link[:2], HOSTILE + link[2], *link[3:]] for link in json.loads(links)]
            db.execute("UPDATE candidates SET links = ? WHERE slot = ?", (json.dumps(named), slot))
        db.execute("UPDATE journal SET detail = ? || detail", (HOSTILE,))
    write_labels(folder, {URL: True})
    write(configure(read_folder(folder), interest=f"sailing OR phrase('{HOSTILE}')"), folder / "crawl.toml")
    return folder


def pages(folder: Path) -> list[str]:
    with Records(folder) as records:
        return [record.url for record in records.pages() if record.state == "fetched"]


@pytest.mark.parametrize("flags", [[], ["--json"], ["--quiet"]], ids=str)
@pytest.mark.parametrize("command", ["status", "label", "check", "recrawl --dry-run --every 0", "export"])
def test_no_reading_command_lets_control_characters_through(
    hostile: Path, capsys: Capture, command: str, flags: list[str]
) -> None:
    name, *more = command.split()
    main([name, str(hostile), *more, *flags])
    captured = capsys.readouterr()
    assert captured.out or flags == ["--quiet"]
    assert unsafe(captured.out + captured.err) == set()


@pytest.mark.parametrize("flags", [[], ["--json"]], ids=str)
def test_explanations_are_clean(hostile: Path, capsys: Capture, flags: list[str]) -> None:
    for url in (pages(hostile)[20], URL):
        main(["explain", str(hostile), url, *flags])
        captured = capsys.readouterr()
        assert unsafe(captured.out + captured.err) == set()


@pytest.mark.parametrize(
    "argv",
    [
        ["status", HOSTILE.replace("\0", "")],
        ["rules", "{folder}"],
        ["status", "{folder}", HOSTILE],
        [HOSTILE],
        ["crawl", f"({HOSTILE}", "--seeds", "http://a.example/"],
        ["crawl", "sailing", "--seeds", URL],
        ["crawl", "sailing", "--seeds", f"@{HOSTILE}".replace("\0", "")],
        ["topics", "--config", f"{HOSTILE}.toml".replace("\0", "")],
        ["export", "{folder}", "--format", HOSTILE],
        ["label", "{folder}", HOSTILE, "yes"],
        ["lab", "worlds", HOSTILE.replace("\0", "")],
    ],
    ids=range(11),
)
def test_messages_are_clean(hostile: Path, capsys: Capture, argv: list[str]) -> None:
    main([word.replace("{folder}", str(hostile)) for word in argv])
    captured = capsys.readouterr()
    assert captured.err
    assert unsafe(captured.out + captured.err) == set()


@pytest.mark.parametrize("form", ["csv", "urls", "jsonl"])
def test_an_export_to_a_terminal_is_clean(hostile: Path, form: str) -> None:
    reader, terminal = pty.openpty()
    command = [sys.executable, "-m", "clew", "export", str(hostile), "--format", form, "--all"]
    with subprocess.Popen(command, stdout=terminal, stderr=subprocess.DEVNULL) as process:
        os.close(terminal)
        shown = b""
        try:
            while part := os.read(reader, 65536):
                shown += part
        except OSError:
            pass  # Linux reports the end of a terminal as an error.
    os.close(reader)
    assert process.returncode == 0
    assert b"evil" in shown
    # The terminal itself turns each newline into two characters.
    assert unsafe(shown.decode().replace("\r\n", "\n")) == set()


def test_a_file_gets_every_character(hostile: Path, tmp_path: Path) -> None:
    assert main(["export", str(hostile), "-o", str(tmp_path / "pages.jsonl"), "--all"]) == 0
    lines = (tmp_path / "pages.jsonl").read_text(encoding="utf-8").split("\n")
    titles = [json.loads(line)["title"] for line in lines if line]
    assert all(title.startswith(HOSTILE) for title in titles)


def test_whatever_a_console_shows_is_clean() -> None:
    stream = io.StringIO()
    console = CleanConsole(file=stream, width=200)
    table = Table(title=HOSTILE)
    table.add_column(HOSTILE)
    table.add_row(HOSTILE)
    console.print(HOSTILE, Text(HOSTILE), table, markup=False)
    assert "evil" in stream.getvalue()
    assert unsafe(stream.getvalue()) == set()


def test_colours_stay() -> None:
    stream = io.StringIO()
    console = CleanConsole(file=stream, width=200, force_terminal=True, color_system="standard")
    console.print(Text(f"a{HOSTILE}", style="red"))
    assert stream.getvalue().startswith("\x1b[31ma]0;owned")
    assert stream.getvalue().count("\x1b") == 2
