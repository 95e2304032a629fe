from __future__ import annotations

import csv
import io
import json
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import IO

import pytest

from clew.cli import exporting
from clew.cli.export_rows import columns, iso
from clew.cli.main import main
from clew.cli.terminal import plain
from clew.errors import ConfigError
from clew.store.record import Record

RECORDS = [
    Record(
        n,
        n,
        f"http://h{n % 3}.example/{n}",
        title=f'a "quoted", ünï\n[title] {n}',
        topics={"sailing": n / 5000},
    )
    for n in range(5000)
]
FOUND = {"content_type": "text/html", "parent": "http://a.example/", "anchor": "on, and on", "path": ["x", "y"]}
ROWS = [{**plain(record), "at": iso(record.order), **FOUND, "version": 1} for record in RECORDS]
COLUMNS = columns(Record, ["sailing"])


def written(form: str, rows: list[exporting.Row]) -> bytes:
    file = io.BytesIO()
    assert exporting.FORMATS[form](rows, COLUMNS, file) == len(rows)
    return file.getvalue()


def test_jsonl_comes_back() -> None:
    assert [json.loads(line) for line in written("jsonl", ROWS).splitlines()] == ROWS


def test_csv_comes_back() -> None:
    back = list(csv.DictReader(io.StringIO(written("csv", ROWS).decode(), newline="")))
    assert len(back) == len(ROWS)
    assert back[4999]["title"] == ROWS[4999]["title"]
    assert json.loads(back[4999]["topics"]) == ROWS[4999]["topics"]
    assert (back[4999]["at"], back[4999]["path"]) == ("1970-01-01T01:23:19.000Z", "x y")
    assert list(back[0]) == list(ROWS[0])


def test_parquet_comes_back() -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    back = parquet.read_table(io.BytesIO(written("parquet", ROWS))).to_pylist()
    assert [row | {"at": iso(row["at"].timestamp())} for row in back] == ROWS
    # A crawl without topics has no struct to write.
    file = io.BytesIO()
    bare = [{**row, "topics": {}} for row in ROWS[:3]]
    assert exporting.FORMATS["parquet"](bare, columns(Record), file) == 3
    assert parquet.read_table(file)["topics"].to_pylist() == [None] * 3


def test_urls() -> None:
    assert written("urls", ROWS).decode().splitlines() == [record.url for record in RECORDS]


def test_nothing_to_export_is_a_sound_file_too() -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    assert parquet.read_table(io.BytesIO(written("parquet", []))).column_names == list(COLUMNS)
    assert written("csv", []).decode().strip().split(",") == list(COLUMNS)
    assert written("jsonl", []) == b""


def test_missing_pyarrow_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    with pytest.raises(ConfigError, match=r"pip install 'clew-crawler\[parquet\]'"):
        exporting.to_parquet([], COLUMNS, io.BytesIO())


def test_rows_are_streamed() -> None:
    """A row is written before the next one is asked for."""
    file = io.BytesIO()

    def rows() -> object:
        for n, row in enumerate(ROWS[:10]):
            assert file.getvalue().count(b"\n") == n
            yield row

    exporting.to_jsonl(rows(), COLUMNS, file)  # type: ignore[arg-type]


def fill(file: IO[bytes], fail: Callable[[], None]) -> None:
    file.write(b"half")
    fail()


def test_a_file_appears_only_when_it_is_whole(tmp_path: Path) -> None:
    file = tmp_path / "pages.jsonl"
    with pytest.raises(ZeroDivisionError), exporting.target(str(file)) as stream:
        fill(stream, lambda: 1 / 0)  # type: ignore[arg-type,return-value]
    assert list(tmp_path.iterdir()) == []
    with exporting.target(str(file)) as stream:
        stream.write(b"whole")
    assert file.read_bytes() == b"whole"


def test_a_place_that_cannot_be_written_is_reported(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot write"), exporting.target(str(tmp_path / "no" / "x")):
        pass


@pytest.mark.parametrize("sign", ["=", "+", "-", "@", "\t", "\r", "＝"])
def test_texts_that_spreadsheets_would_run_are_neutralised(crawl_folder: Path, tmp_path: Path, sign: str) -> None:
    folder = Path(shutil.copytree(crawl_folder, tmp_path / "crawl"))
    with closing(sqlite3.connect(folder / "crawl.db")) as db, db:
        db.execute("UPDATE pages SET title = ?, score = -1.5", (f"{sign}HYPERLINK('http://evil.example/')",))
    for flags, first in (([], f"'{sign}HYPER"), (["--raw-cells"], f"{sign}HYPER")):
        assert main(["export", str(folder), "-o", str(tmp_path / "pages.csv"), "--quiet", *flags]) == 0
        with (tmp_path / "pages.csv").open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        assert rows
        assert all(row["title"].startswith(first) for row in rows)
        assert {row["score"] for row in rows} == {"-1.5"}
