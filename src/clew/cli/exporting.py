"""Pages of a crawl as rows of a file: JSON lines, CSV, Parquet or bare URLs."""

from __future__ import annotations

import csv
import json
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, get_type_hints

from clew.base.extras import require
from clew.cli.terminal import plain
from clew.errors import ConfigError

if TYPE_CHECKING:
    from clew.store import Records

Row = dict[str, Any]
Columns = dict[str, type]
BATCH = 2000


def columns(record: type, text: bool = False) -> Columns:
    """Names and types of a row; a mapping (the topics) becomes a JSON string where there are only cells."""
    hints = get_type_hints(record)
    kinds = {name: hint if hint in (bool, int, float, str) else dict for name, hint in hints.items()}
    return kinds | {"version": int} | ({"text": str} if text else {})


def rows(records: Records, relevant: bool = False, text: bool = False, every: bool = False) -> Iterator[Row]:
    """Documents as plain values in their newest version, in the order of their visits; every visit on request."""
    versions = Counter(visit.url for visit in records.revisits() if visit.whole)
    for record in records.newest(relevant=relevant):
        if record.state != "fetched" and not every:
            continue
        row: Row = {**plain(record), "version": 1 + versions[record.url]}
        if text:
            row["text"] = records.text(record)
        yield row


def to_jsonl(rows: Iterable[Row], columns: Columns, file: IO[bytes]) -> int:
    """One JSON object a line."""
    return _count(file.write(json.dumps(row, ensure_ascii=False).encode() + b"\n") for row in rows)


def to_csv(rows: Iterable[Row], columns: Columns, file: IO[bytes]) -> int:
    """A header and one line a page."""
    lines = csv.writer(_Lines(file))
    lines.writerow(columns)
    return _count(lines.writerow(_cells(row).values()) for row in rows)


def to_urls(rows: Iterable[Row], columns: Columns, file: IO[bytes]) -> int:
    """The addresses only; they may serve as `--seeds @FILE`."""
    return _count(file.write(row["url"].encode() + b"\n") for row in rows)


def to_parquet(rows: Iterable[Row], columns: Columns, file: IO[bytes]) -> int:
    """Typed columns, written in batches."""
    require("pyarrow", "Parquet files")
    import pyarrow as pa
    import pyarrow.parquet as pq

    kinds = {bool: pa.bool_(), int: pa.int64(), float: pa.float64()}
    schema = pa.schema([(name, kinds.get(kind, pa.string())) for name, kind in columns.items()])
    count, remaining = 0, iter(rows)
    with pq.ParquetWriter(file, schema, compression="zstd") as writer:
        while batch := [_cells(row) for row in islice(remaining, BATCH)]:
            writer.write_table(pa.Table.from_pylist(batch, schema=schema))
            count += len(batch)
    return count


def _cells(row: Row) -> Row:
    return {
        name: json.dumps(cell, ensure_ascii=False) if isinstance(cell, dict) else cell for name, cell in row.items()
    }


def _count(written: Iterable[object]) -> int:
    return sum(1 for _ in written)


FORMATS: dict[str, Callable[[Iterable[Row], Columns, IO[bytes]], int]] = {
    "jsonl": to_jsonl,
    "csv": to_csv,
    "parquet": to_parquet,
    "urls": to_urls,
}


@contextmanager
def target(file: str | None) -> Iterator[IO[bytes]]:
    """Stdout, or a file that appears under its name only when it is whole."""
    if file is None:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    part = Path(file + ".part")
    try:
        with part.open("wb") as stream:
            yield stream
        os.replace(part, file)
    except OSError as error:
        raise ConfigError(f"cannot write {file}: {error.strerror or error}") from None
    finally:
        part.unlink(missing_ok=True)


class _Lines:
    """What the csv module needs of a text file, over a binary one."""

    def __init__(self, file: IO[bytes]) -> None:
        self.file = file

    def write(self, text: str) -> int:
        return self.file.write(text.encode())
