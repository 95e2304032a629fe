"""`clew check`: finds what database and archive do not agree on, and repairs it."""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from clew.cli.main import main
from clew.filters import Filters
from clew.frontier import Frontier
from clew.frontier.table import COLUMNS
from clew.store import Record, Records, SqliteStore
from clew.store.record import LOST

BEFORE = Path(__file__).parents[1] / "fixtures" / "crawl_folders"
Capture = pytest.CaptureFixture[str]


@pytest.fixture
def folder(crawl_folder: Path, tmp_path: Path) -> Path:
    """A crawl of 60 pages that may be damaged."""
    return Path(shutil.copytree(crawl_folder, tmp_path / "crawl"))


def check(capsys: Capture, folder: Path, *flags: str, code: int) -> dict[str, int]:
    """The findings, with their counts."""
    assert main(["check", str(folder), "--json", *flags]) == code
    found = json.loads(capsys.readouterr().out)
    assert found["sound"] == (code == 0)
    return {each["kind"]: each["count"] for each in found["findings"]}


def answered(folder: Path) -> list[Record]:
    with Records(folder) as records:
        return [record for record in records.pages() if record.file]


def change(folder: Path, *statements: str) -> None:
    with closing(sqlite3.connect(folder / "crawl.db")) as db, db:
        for statement in statements:
            db.execute(statement)


def behind(folder: Path, offset: int) -> int:
    """How many answers, robots.txt included, lie in the archive from this place on."""
    with closing(sqlite3.connect(folder / "crawl.db")) as db:
        tables = "SELECT offset FROM pages WHERE file > '' UNION ALL SELECT offset FROM other_answers"
        return int(db.execute(f"SELECT count(*) FROM ({tables}) WHERE offset >= ?", (offset,)).fetchone()[0])


def checkpoint(folder: Path) -> dict[str, object]:
    """What does not depend on what was in flight when: all but scores, and the forecast made of them."""
    with Records(folder) as records:
        parts = records.store.checkpoint()
        filters = Filters(records.config)
    frontier = Frontier()
    frontier.load(parts)
    columns = {name: frontier._table.column(name).tolist() for name in COLUMNS if name != "score"}
    # Whatever the logs of the checkpoints before have of the filters.
    filters.load(parts)
    filters.write_whole()
    left_out = ("state", "checksums", "frontier/", "filters/")
    others = {name: part for name, part in parts.items() if not name.startswith(left_out)}
    return {**others, **filters.save(), **columns}


def damage(folder: Path, record: Record, at: int = 40) -> None:
    """Write over a few bytes of an answer, or counted from the end, of the request behind it."""
    with (folder / "pages" / record.file).open("r+b") as file:
        file.seek(record.offset + (at if at >= 0 else record.length + at))
        file.write(b"\0" * 8)


def test_a_sound_folder(folder: Path, capsys: Capture) -> None:
    before = {path: path.read_bytes() for path in (folder / "pages").iterdir()}
    assert main(["check", str(folder)]) == 0
    assert "is sound" in capsys.readouterr().out
    assert {path: path.read_bytes() for path in (folder / "pages").iterdir()} == before


def test_folders_of_earlier_versions_are_sound(tmp_path: Path, capsys: Capture) -> None:
    # One of them has learned from another: they must lie side by side.
    shutil.copytree(BEFORE, tmp_path, dirs_exist_ok=True)
    for folder in sorted(tmp_path.iterdir()):
        assert check(capsys, folder, code=0) == {}


def test_a_file_that_ends_early_a_damaged_record_and_the_way_back(folder: Path, capsys: Capture) -> None:
    pages = answered(folder)
    backup = shutil.copytree(folder / "pages", folder / "backup")
    damage(folder, pages[10])
    with (folder / "pages" / pages[-1].file).open("r+b") as file:
        file.truncate(pages[-2].offset + 9)
    late = behind(folder, pages[-2].offset)
    assert check(capsys, folder, code=1) == {"lost: cut off": late, "lost: damaged": 1}
    assert [record.file for record in answered(folder)] == [record.file for record in pages], "a check changes nothing"
    assert check(capsys, folder, "--repair", code=1) == {"lost: cut off": late, "lost: damaged": 1}
    assert check(capsys, folder, code=0) == {"lost earlier": late + 1, "unreadable": 2}
    with Records(folder) as records:
        marked = records.find(pages[10].url)
        assert marked is not None
        assert marked.reason == LOST
        assert records.lost() == 3
    # Opening for writing must not cut off what a backup brings back.
    SqliteStore(folder).close()
    shutil.copytree(backup, folder / "pages", dirs_exist_ok=True)
    SqliteStore(folder).close()
    assert check(capsys, folder, "--repair", code=0) == {"found again": late + 1}
    assert check(capsys, folder, code=0) == {}
    assert answered(folder) == pages


def test_a_damaged_request_does_not_cost_the_answer(folder: Path, capsys: Capture) -> None:
    page = answered(folder)[10]
    damage(folder, page, at=-12)
    assert check(capsys, folder, code=1) == {"damaged beside": 1}
    assert check(capsys, folder, "--repair", code=0) == {"damaged beside": 1}
    assert check(capsys, folder, code=0) == {"unreadable": 1}
    kept = answered(folder)[10]
    assert (kept.url, kept.reason, kept.offset) == (page.url, page.reason, page.offset)
    assert kept.length < page.length


def test_a_missing_file(folder: Path, capsys: Capture) -> None:
    pages = answered(folder)
    (folder / "pages" / pages[0].file).unlink()
    with closing(sqlite3.connect(folder / "crawl.db")) as db:
        [robots] = db.execute("SELECT count(*) FROM other_answers WHERE status").fetchone()
    count = len(pages) + robots
    assert check(capsys, folder, code=1) == {"lost: missing": count}
    assert main(["check", str(folder)]) == 1
    shown = capsys.readouterr().out
    assert f"Answers lost, because their file is missing: {count} (http" in shown
    assert "--repair" in shown


def test_a_row_that_names_the_record_of_another_page(folder: Path, capsys: Capture) -> None:
    first, second = answered(folder)[:2]
    change(folder, f"UPDATE pages SET offset = {second.offset}, length = {second.length} WHERE url = '{first.url}'")
    found = check(capsys, folder, "--repair", code=1)
    assert found == {"lost: wrong": 1, "not committed": 1}
    assert check(capsys, folder, "--repair", code=0) == {"found again": 1}
    assert answered(folder)[0] == first


def test_answers_that_were_never_committed_do_no_harm(folder: Path, capsys: Capture) -> None:
    last = answered(folder)[-1]
    change(folder, f"DELETE FROM pages WHERE url = '{last.url}'")
    found = check(capsys, folder, code=0)
    assert found == {"not committed": 1}


def test_pages_that_cannot_be_found_are_found_again(folder: Path, capsys: Capture) -> None:
    page = answered(folder)[3]
    change(folder, f'UPDATE pages SET key = 5 WHERE "order" = {page.order}')
    assert "keys" in check(capsys, folder, "--repair", code=0)
    assert check(capsys, folder, code=0) == {}


def test_a_label_that_was_not_applied_is_applied_again(folder: Path, capsys: Capture) -> None:
    page = next(record for record in answered(folder) if record.relevant)
    assert main(["label", str(folder), page.url, "no", "--quiet"]) == 0
    change(folder, f'UPDATE pages SET relevant = 1 WHERE "order" = {page.order}')
    assert check(capsys, folder, "--repair", code=0) == {"labels": 1}
    assert main(["label", str(folder), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)[0]["taken"] is None


def test_a_checkpoint_that_does_not_load(folder: Path, capsys: Capture) -> None:
    before = checkpoint(folder)
    change(folder, "UPDATE checkpoints SET data = X'00' WHERE part = 'state'")
    assert check(capsys, folder, code=1) == {"checkpoint": 1}
    assert check(capsys, folder, "--repair", code=0) == {"checkpoint": 1}
    assert check(capsys, folder, code=0) == {}
    assert checkpoint(folder) == before


@pytest.mark.parametrize("part", ["judge", "filters/boilerplate.hosts", "frontier/rows", "frontier/block.0", "format"])
def test_a_damaged_part_of_the_checkpoint(folder: Path, capsys: Capture, part: str) -> None:
    change(folder, f"UPDATE checkpoints SET data = substr(data, 1, length(data) / 2) WHERE part = '{part}'")
    assert main(["resume", str(folder), "--pages", "61", "--quiet"]) == 1
    assert f"the checkpoint is damaged (part '{part}'): `clew check" in capsys.readouterr().err
    assert check(capsys, folder, code=1) == {"checkpoint": 1}
    assert check(capsys, folder, "--repair", code=0) == {"checkpoint": 1}
    assert check(capsys, folder, code=0) == {}


@pytest.mark.parametrize("part", ["judge", "filters/boilerplate.hosts"])
def test_a_damaged_part_without_checksums(folder: Path, capsys: Capture, part: str) -> None:
    halved = f"UPDATE checkpoints SET data = substr(data, 1, length(data) / 2) WHERE part = '{part}'"
    change(folder, halved, "DELETE FROM checkpoints WHERE part = 'checksums'")
    assert check(capsys, folder, code=1) == {"checkpoint": 1}
    assert check(capsys, folder, "--repair", code=0) == {"checkpoint": 1}


def test_a_damaged_index_is_written_anew(folder: Path, capsys: Capture) -> None:
    with closing(sqlite3.connect(folder / "crawl.db")) as db:
        [size] = db.execute("PRAGMA page_size").fetchone()
        query = "SELECT rootpage FROM sqlite_master WHERE type = 'index' AND tbl_name = 'pages'"
        [root] = db.execute(query).fetchone()
        db.execute("PRAGMA journal_mode = DELETE")
    with (folder / "crawl.db").open("r+b") as file:
        # One entry of the index gets another key.
        file.seek(root * size - 12)
        file.write(b"\x01\x02")
    assert check(capsys, folder, code=1) == {"database": pytest.approx(1, abs=9)}
    assert "database" in check(capsys, folder, "--repair", code=0)
    assert check(capsys, folder, code=0) == {}


def test_a_database_that_is_none(folder: Path, capsys: Capture) -> None:
    (folder / "crawl.db").write_bytes(b"nothing" * 1000)
    assert check(capsys, folder, code=1) == {"database": 1}
    assert main(["check", str(folder), "--repair"]) == 1
    assert "backup" in capsys.readouterr().out


def test_later_versions_are_checked_as_well(folder: Path, web: object, capsys: Capture) -> None:
    assert main(["recrawl", str(folder), "--every", "0", "--pages", "5", "--quiet"]) == 0
    capsys.readouterr()
    assert check(capsys, folder, code=0) == {}
    [file] = (folder / "again").iterdir()
    file.write_bytes(file.read_bytes()[:-5])
    assert check(capsys, folder, "--repair", code=1) == {"lost: cut off": 1}
    assert main(["export", str(folder), "-o", str(folder / "out.jsonl")]) == 0


def test_a_running_crawl_can_be_checked_but_not_repaired(folder: Path, capsys: Capture) -> None:
    with SqliteStore(folder):
        check(capsys, folder, code=0)
        assert main(["check", str(folder), "--repair"]) == 1
        assert "in use" in capsys.readouterr().err
