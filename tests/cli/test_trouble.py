"""Damage, full disks and wrong places are reported as what they are, not as bugs of clew."""

from __future__ import annotations

import shutil
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from clew.cli.main import main

Capture = pytest.CaptureFixture[str]
URL = "http://a.example/"
READERS = ["status {}", f"explain {{}} {URL}", "export {}", "recrawl {} --dry-run", "label {}", "rules {}"]
WRITERS = ["resume {} --min-free 0", f"label {{}} {URL} yes", "recrawl {} --every 0 --min-free 0"]
FULL = Path("/dev/full")


@pytest.fixture
def folder(crawl_folder: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(crawl_folder, tmp_path / "crawl"))


def run(capsys: Capture, command: str, folder: Path) -> tuple[int, str]:
    """The exit code and the message of a command that must not blame clew."""
    code = main(command.format(folder).split())
    message = capsys.readouterr().err
    assert "bug" not in message
    assert "Traceback" not in message
    return code, message


@pytest.mark.parametrize("command", [*READERS, *WRITERS])
def test_a_database_that_is_none(folder: Path, capsys: Capture, command: str) -> None:
    (folder / "crawl.db").write_bytes(b"not a database " * 500)
    code, message = run(capsys, command, folder)
    assert code == 1
    assert f"its database is damaged (file is not a database). To see what is left: clew check {folder}" in message


@pytest.mark.parametrize("command", [each for each in (*READERS, *WRITERS) if each != "label {}"])
def test_a_database_with_damaged_pages(folder: Path, capsys: Capture, command: str) -> None:
    path = folder / "crawl.db"
    content = bytearray(path.read_bytes())
    for start in range(4096, len(content), 4096):
        content[start : start + 500] = b"\xff" * 500
    path.write_bytes(content)
    code, message = run(capsys, command, folder)
    assert code == 1
    assert "its database is damaged" in message


@pytest.mark.parametrize(
    "statement", ["UPDATE pages SET topics = '{'", "UPDATE pages SET state = 'x'", "DROP TABLE pages"]
)
def test_a_database_with_foreign_content(folder: Path, capsys: Capture, statement: str) -> None:
    with closing(sqlite3.connect(folder / "crawl.db")) as db, db:
        db.execute(statement)
    code, message = run(capsys, "export {}", folder)
    assert code == 1
    assert "database" in message


@pytest.mark.parametrize("command", [*READERS, *WRITERS, "check {}"])
def test_an_empty_database(folder: Path, capsys: Capture, command: str) -> None:
    (folder / "crawl.db").write_bytes(b"")
    code, message = run(capsys, command, folder)
    assert code == 1
    assert "is empty, or not a database of clew" in message


@pytest.mark.parametrize("command", [*READERS, *WRITERS, "check {}"])
@pytest.mark.parametrize("place", ["file", "file/below", "missing"])
def test_a_place_that_is_no_folder(tmp_path: Path, capsys: Capture, command: str, place: str) -> None:
    (tmp_path / "file").write_text("a file")
    code, message = run(capsys, command, tmp_path / place)
    assert code == 1
    assert "is not a crawl folder" in message


def test_a_new_crawl_in_the_place_of_a_file(tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "file").write_text("a file")
    for place in ("file", "file/below"):
        code, message = run(capsys, f"crawl sailing --seeds {URL} --folder {{}}", tmp_path / place)
        assert code == 1
        assert "a file is in the place of a folder" in message


@pytest.mark.parametrize("command", ["status {}", *WRITERS])
def test_settings_that_cannot_be_read(folder: Path, capsys: Capture, command: str) -> None:
    (folder / "crawl.toml").write_bytes(b"\xff\xfe[what]")
    code, message = run(capsys, command, folder)
    assert code == 1
    assert "bring it back from a backup" in message


@pytest.fixture
def read_only(crawl_folder: Path, tmp_path: Path) -> Iterator[Path]:
    """A crawl on a disk that cannot be written to."""
    mount = ["mount", "-t", "tmpfs", "-o", "size=30m", "tmpfs", str(tmp_path)]
    if subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("only root can mount a file system")
    shutil.copytree(crawl_folder, tmp_path / "crawl")
    subprocess.run(["mount", "-o", "remount,ro", str(tmp_path)], check=True)
    yield tmp_path / "crawl"
    subprocess.run(["umount", str(tmp_path)], check=True)


def test_a_disk_that_is_read_only(read_only: Path, capsys: Capture) -> None:
    # An unknown URL cannot be explained, and adaptive has no rules.
    for command in (each for each in READERS if each.split()[0] not in ("explain", "rules")):
        assert run(capsys, command, read_only)[0] == 0
    for command in (*WRITERS, f"crawl sailing --seeds {URL} --min-free 0 --folder {{}}/new", "check {} --repair"):
        code, message = run(capsys, command, read_only)
        assert code == 1
        assert "read-only" in message


def test_an_output_that_is_a_folder(folder: Path, capsys: Capture) -> None:
    code, message = run(capsys, f"export {{}} -o {folder}", folder)
    assert (code, "Is a directory" in message) == (1, True)


@pytest.mark.skipif(not FULL.exists(), reason="there is no device that is always full")
def test_a_full_device_is_reported_and_stays_a_device(folder: Path, tmp_path: Path, capsys: Capture) -> None:
    # A link: if it were replaced, the device itself would not be.
    (tmp_path / "full").symlink_to(FULL)
    code = main(["export", str(folder), "-o", str(tmp_path / "full")])
    assert code == 1
    assert "No space left" in capsys.readouterr().err
    assert (tmp_path / "full").is_symlink()
    assert stat.S_ISCHR(FULL.stat().st_mode)


@pytest.mark.skipif(not FULL.exists(), reason="there is no device that is always full")
@pytest.mark.parametrize("command", ["status", "export", "check"])
def test_an_output_without_room(folder: Path, command: str) -> None:
    with FULL.open("wb") as full:
        argv = [sys.executable, "-m", "clew", command, str(folder)]
        done = subprocess.run(argv, stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode
    assert "no room left on the disk of the output" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("command", ["status {}", "export {} --text", "strategies"])
def test_a_reader_that_has_seen_enough(folder: Path, command: str) -> None:
    argv = [sys.executable, "-m", "clew", *command.format(folder).split()]
    with subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.close()
        assert process.stderr is not None
        message = process.stderr.read().decode()
    assert process.returncode == 0
    assert "rror" not in message
