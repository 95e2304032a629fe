"""The pages of a crawl as rows of plain values: what the record of a visit says, and how the page was found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final, get_type_hints

from clew.cli.terminal import plain

if TYPE_CHECKING:
    from clew.store import Record, Records
    from clew.types import Link

Row = dict[str, Any]
Text = Callable[["Record"], str] | None
"""What reads the text of a page; None where no texts are wanted."""


@dataclass(frozen=True)
class Struct:
    """The kind of a column that holds one number for each of these names."""

    names: tuple[str, ...]


Kind = type | Struct
Columns = dict[str, Kind]
FORMULA_SIGNS: Final = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""How a text begins that spreadsheets take for a formula; the wide ones count in Japanese versions."""
FOUND: Columns = {"content_type": str, "parent": str, "anchor": str, "path": list}
"""The columns that say what the page is and how it was found."""


def columns(record: type, topics: Iterable[str] = (), text: bool = False) -> Columns:
    """Return names and kinds of the columns."""
    kinds: Columns = dict(get_type_hints(record))
    kinds = {name: kind if kind in (bool, int, float) else str for name, kind in kinds.items()}
    kinds |= {"at": datetime, "topics": Struct(tuple(topics))}
    return kinds | FOUND | {"version": int} | ({"text": str} if text else {})


def rows(records: Records, chosen: Iterable[Record], text: Text = None) -> Iterator[Row]:
    """Yield pages as plain values."""
    # A revisit that found nothing new refers to the version before and is not one of its own.
    versions = Counter(visit.url for visit in records.revisits() if visit.whole)
    found_by = records.first_links()
    for record in chosen:
        link = found_by.get(record.url)
        row: Row = {
            **plain(record),
            "at": iso(record.at),
            "content_type": records.content_type(record),
            "parent": link.source if link else "",
            "anchor": link.anchor if link else "",
            "path": path(record.url, found_by),
            "version": 1 + versions[record.url],
        }
        if text:
            row["text"] = text(record)
        yield row


def iso(seconds: float) -> str:
    """A time as ISO 8601 writes it, in UTC.

    >>> iso(1_700_000_000.25)
    '2023-11-14T22:13:20.250Z'
    """
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def path(url: str, found_by: Mapping[str, Link]) -> list[str]:
    """The URLs from a start page to a page, along the first link to each; both ends included."""
    steps = [url]
    # In-links can form a cycle.
    while (link := found_by.get(steps[-1])) and link.source not in steps:
        steps.append(link.source)
    return steps[::-1]


def safe_cells(row: Row) -> Row:
    """The row with an apostrophe before each text that a spreadsheet would run as a formula; numbers stay numbers.

    >>> safe_cells({"title": "=1+1", "relevance": -1.0, "words": "a-b"})
    {'title': "'=1+1", 'relevance': -1.0, 'words': 'a-b'}
    """
    return {name: f"'{cell}" if _is_formula(cell) else cell for name, cell in row.items()}


def _is_formula(cell: object) -> bool:
    return isinstance(cell, str) and cell.startswith(FORMULA_SIGNS)
