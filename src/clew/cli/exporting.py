"""Writes the pages of a crawl as rows of a file: JSON lines, CSV, Parquet or URLs."""

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
PARQUET_BATCH_ROWS = 2000


def columns(record: type, text: bool = False) -> Columns:
    """Return names and types of the columns; a mapping (the topics) becomes JSON text in CSV and Parquet."""
    hints = get_type_hints(record)
    kinds = {name: hint if hint in (bool, int, float, str) else dict for name, hint in hints.items()}
    return kinds | {"version": int} | ({"text": str} if text else {})


def rows(records: Records, relevant: bool = False, text: bool = False, every: bool = False) -> Iterator[Row]:
    """Yield pages as plain values, in their newest version and in the order of visits; all visits on request."""
    # A revisit that found nothing new refers to the version before and is not one of its own.
    versions = Counter(visit.url for visit in records.revisits() if visit.whole)
    for record in records.newest(relevant=relevant):
        if record.state != "fetched" and not every:
            continue
        row: Row = {**plain(record), "version": 1 + versions[record.url]}
        if text:
            row["text"] = records.text(record)
        yield row


def to_jsonl(rows: Iterable[Row], columns: Columns, file: IO[bytes]) -> int:
    """Write one JSON object per line; return the number of rows, as all formats do."""
    count = 0
    for row in rows:
        file.write(json.dumps(row, ensure_ascii=False).encode() + b"\n")
        count += 1
    return count


def to_csv(rows: Iterable[Row], columns: Columns, file: IO[bytes]) -> int:
    """Write a header and one line per page."""
    lines = csv.writer(_Lines(file))
    lines.writerow(columns)
    count = 0
    for row in rows:
        lines.writerow(_cells(row).values())
        count += 1
    return count


def to_urls(rows: Iterable[Row], columns: Columns, file: IO[bytes]) -> int:
    """Write the URLs only; `--seeds @FILE` can read them."""
    count = 0
    for row in rows:
        file.write(row["url"].encode() + b"\n")
        count += 1
    return count


def to_parquet(rows: Iterable[Row], columns: Columns, file: IO[bytes]) -> int:
    """Write typed columns, in batches."""
    require("pyarrow", "Parquet files")
    import pyarrow as pa
    import pyarrow.parquet as pq

    kinds = {bool: pa.bool_(), int: pa.int64(), float: pa.float64()}
    schema = pa.schema([(name, kinds.get(kind, pa.string())) for name, kind in columns.items()])
    count = 0
    remaining = iter(rows)
    with pq.ParquetWriter(file, schema, compression="zstd") as writer:
        while batch := [_cells(row) for row in islice(remaining, PARQUET_BATCH_ROWS)]:
            # Row by row, Parquet would be slow and its files large.
            writer.write_table(pa.Table.from_pylist(batch, schema=schema))
            count += len(batch)
    return count


def _cells(row: Row) -> Row:
    cells = dict(row)
    for name, cell in row.items():
        if isinstance(cell, dict):
            cells[name] = json.dumps(cell, ensure_ascii=False)
    return cells


FORMATS: dict[str, Callable[[Iterable[Row], Columns, IO[bytes]], int]] = {
    "jsonl": to_jsonl,
    "csv": to_csv,
    "parquet": to_parquet,
    "urls": to_urls,
}


FORMAT_OF_SUFFIX = {".csv": "csv", ".json": "jsonl", ".jsonl": "jsonl", ".parquet": "parquet", ".txt": "urls"}
DEFAULT_FORMAT = "jsonl"


def format_of(file: str | None) -> str:
    """Return the format that the name of a file asks for.

    >>> format_of("pages.csv"), format_of("start-pages.txt"), format_of(None)
    ('csv', 'urls', 'jsonl')
    """
    suffix = Path(file or "").suffix.lower()
    return FORMAT_OF_SUFFIX.get(suffix, DEFAULT_FORMAT)


@contextmanager
def target(file: str | None) -> Iterator[IO[bytes]]:
    """Open stdout, or a file that gets its name only when it is complete."""
    if file is None:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    # Whoever waits for the file must never read half of it, even if the export fails or is killed.
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
    """The one method of a text file that the csv module needs, on top of a binary file."""

    def __init__(self, file: IO[bytes]) -> None:
        self.file = file

    def write(self, text: str) -> int:
        return self.file.write(text.encode())
