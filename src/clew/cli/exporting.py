"""Writes the pages of a crawl: as rows (JSON lines, CSV, Parquet, URLs), as Markdown, a graph, or a web archive."""

from __future__ import annotations

import csv
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, cast

from clew.base.extras import require
from clew.cli.export_graph import to_edges, to_graphml
from clew.cli.export_markdown import to_markdown
from clew.cli.export_rows import Columns, Kind, Row, Struct, Text
from clew.cli.terminal import as_json, printable
from clew.errors import ConfigError

if TYPE_CHECKING:
    from clew.store import Record, Records

PARQUET_BATCH_ROWS = 2000


def chosen(records: Records, relevant: bool = False, every: bool = False) -> Iterator[Record]:
    """Yield pages in their newest version and in the order of visits; all visits on request."""
    return (record for record in records.newest(relevant=relevant) if every or record.state == "fetched")


def to_jsonl(rows: Iterable[Row], columns: Columns, file: IO[bytes]) -> int:
    """Write one JSON object per line; return the number of rows, as all formats do."""
    count = 0
    for row in rows:
        file.write(as_json(row).encode() + b"\n")
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

    schema = pa.schema([(name, _arrow_type(kind)) for name, kind in columns.items()])
    count = 0
    remaining = iter(rows)
    with pq.ParquetWriter(file, schema, compression="zstd") as writer:
        while batch := [_typed(row, columns) for row in islice(remaining, PARQUET_BATCH_ROWS)]:
            # Row by row, Parquet would be slow and its files large.
            writer.write_table(pa.Table.from_pylist(batch, schema=schema))
            count += len(batch)
    return count


def _cells(row: Row) -> Row:
    """The values as text: topics as JSON, the path as URLs with blanks between them."""
    cells = dict(row)
    for name, cell in row.items():
        if isinstance(cell, dict):
            cells[name] = json.dumps(cell, ensure_ascii=False)
        elif isinstance(cell, list):
            cells[name] = " ".join(cell)
    return cells


def _typed(row: Row, columns: Columns) -> Row:
    """The values in the types of Parquet; a topic that a page was not judged by is null."""
    typed = dict(row)
    for name, kind in columns.items():
        if kind is datetime:
            typed[name] = datetime.fromisoformat(row[name])
        elif kind == Struct(()):
            typed[name] = None
    return typed


def _arrow_type(kind: Kind) -> Any:
    import pyarrow as pa

    if isinstance(kind, Struct):
        # Parquet has no struct without fields: a crawl without topics has a column of nulls instead.
        return pa.struct([(name, pa.float64()) for name in kind.names]) if kind.names else pa.null()
    types = {bool: pa.bool_(), int: pa.int64(), float: pa.float64(), list: pa.list_(pa.string())}
    if kind is datetime:
        return pa.timestamp("ms", tz="UTC")
    return types.get(kind, pa.string())


FORMATS: dict[str, Callable[[Iterable[Row], Columns, IO[bytes]], int]] = {
    "jsonl": to_jsonl,
    "csv": to_csv,
    "parquet": to_parquet,
    "urls": to_urls,
}


def to_warc(records: Records, chosen: Iterable[Record], file: IO[bytes], text: Text) -> int:
    """Write the answers as they came, with their requests."""
    from clew.store.warc_export import write_warc

    return write_warc(records, chosen, file)


def to_wacz(records: Records, chosen: Iterable[Record], file: IO[bytes], text: Text) -> int:
    """Write the same with an index and a list of pages; with `text`, players can search it."""
    from clew.store.wacz import write_wacz

    return write_wacz(records, chosen, file, text)


READING_FORMATS: dict[str, Callable[[Records, Iterable[Record], IO[bytes], Text], int]] = {
    "graphml": to_graphml,
    "edges": to_edges,
    "md": to_markdown,
    "warc": to_warc,
    "wacz": to_wacz,
}
"""The formats that are not made of rows: they read the archive themselves."""
BINARY_FORMATS = ("parquet", "warc", "wacz")
FORMAT_OF_SUFFIX = {
    ".csv": "csv",
    ".graphml": "graphml",
    ".json": "jsonl",
    ".jsonl": "jsonl",
    ".md": "md",
    ".parquet": "parquet",
    ".txt": "urls",
    ".warc.gz": "warc",
    ".wacz": "wacz",
}
DEFAULT_FORMAT = "jsonl"


def format_of(file: str | None) -> str:
    """Return the format that the name of a file asks for.

    >>> format_of("pages.csv"), format_of("pages.warc.gz"), format_of(None)
    ('csv', 'warc', 'jsonl')
    """
    name = (file or "").lower()
    return next((form for suffix, form in FORMAT_OF_SUFFIX.items() if name.endswith(suffix)), DEFAULT_FORMAT)


@contextmanager
def target(file: str | None) -> Iterator[IO[bytes]]:
    """Open stdout, or a file that gets its name only when it is complete."""
    if file is None:
        stdout = sys.stdout.buffer
        yield cast(IO[bytes], _Terminal(stdout)) if sys.stdout.isatty() else stdout
        stdout.flush()
        return
    try:
        with _draft(Path(file)) as stream:
            yield stream
    except BrokenPipeError:
        # Whoever reads a named pipe has seen enough.
        raise
    except OSError as error:
        raise ConfigError(f"cannot write {file}: {error.strerror or error}") from None


@contextmanager
def _draft(path: Path) -> Iterator[IO[bytes]]:
    """Open a file under another name until it is complete; pipes and devices are written to as they are."""
    if path.exists() and not path.is_file():
        with path.open("wb") as stream:
            yield stream
        return
    # Whoever waits for the file must never read half of it, even if the export fails or is killed.
    part = path.with_name(path.name + ".part")
    try:
        with part.open("wb") as stream:
            yield stream
        os.replace(part, path)
    finally:
        with suppress(OSError):
            part.unlink()


class _Terminal:
    """Stdout that is a terminal: text from the web must not steer it."""

    def __init__(self, file: IO[bytes]) -> None:
        self.file = file

    def write(self, data: bytes) -> int:
        lines = data.decode(errors="replace").split("\n")
        return self.file.write("\n".join(map(printable, lines)).encode())


class _Lines:
    """The one method of a text file that the csv module needs, on top of a binary file."""

    def __init__(self, file: IO[bytes]) -> None:
        self.file = file

    def write(self, text: str) -> int:
        return self.file.write(text.encode(errors="replace"))
