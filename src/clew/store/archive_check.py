"""Compares the records of an archive with the rows that name them."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Final, NamedTuple

from clew.errors import RecordLost
from clew.store.archive_scan import ArchivedAnswer, answer_in, members
from clew.store.damage import NamingTable
from clew.store.findings import Advance, Finding, Statement, finding
from clew.store.record import LOST
from clew.store.warc import Archive, ArchivePosition

SAME_TIME: Final = 1.5  # seconds; the date of a record has no fractions of a second


class Row(NamedTuple):
    """A row that names a record, or did so before the record was lost."""

    table: NamingTable
    key: int
    url: str
    at: float
    place: ArchivePosition


class Stray(NamedTuple):
    """An answer in the archive that no row names."""

    answer: ArchivedAnswer
    place: ArchivePosition


@dataclass
class ArchiveCheck:
    """One pass over an archive: first the records that rows name, then what lies between them."""

    db: sqlite3.Connection
    folder: Path
    tables: Sequence[NamingTable]  # they share an archive
    advance: Advance = lambda done, total: None
    answers: int = 0
    bytes: int = 0
    lost: dict[str, list[Row]] = field(default_factory=lambda: defaultdict(list))  # by reason
    strays: list[Stray] = field(default_factory=list)
    cropped: list[tuple[Row, Stray]] = field(default_factory=list)  # sound answers with something damaged beside them
    damaged: list[str] = field(default_factory=list)  # stretches that are no records

    def __post_init__(self) -> None:
        self.name = self.tables[0].folder
        self.archive = Archive(self.folder / self.name)
        self.files = sorted(self.archive.folder.glob("*.warc.gz"))
        self.total = sum(path.stat().st_size for path in self.files)

    def findings(self) -> list[Finding]:
        """Read everything; what is wrong."""
        rows = list(self._rows())
        named = [row for row in rows if row.place.file]
        for row in sorted(named, key=lambda row: row.place):
            self._compare(row)
        for path in self.files:
            self._look_between(path, [row.place for row in named if row.place.file == path.name])
        return [*self._lost_findings(), *self._crop_findings(), *self._known_losses(rows), *self._stray_findings()]

    def _rows(self) -> Iterator[Row]:
        for table in self.tables:
            query = f"SELECT {table.key}, url, at, file, offset, length FROM {table.name} WHERE status"
            for key, url, at, *place in self.db.execute(query):
                yield Row(table, key, url, at, ArchivePosition(*place))

    def _compare(self, row: Row) -> None:
        """Read the record of a row: it must be complete, and of the same URL."""
        self._count(row.place.length)
        try:
            answer = answer_in(self.archive.data(row.place, row.url))
        except RecordLost:
            is_missing = not (self.archive.folder / row.place.file).exists()
            return self.lost["missing" if is_missing else "cut off"].append(row)
        except ValueError:
            return self._crop(row)
        if answer is None or answer.url != row.url:
            return self.lost["wrong"].append(row)
        self.answers += 1

    def _crop(self, row: Row) -> None:
        """Something in the stretch of a row is damaged: the answer itself, or what is kept beside it."""
        start = row.place.offset
        offset, length, data = next(members(self.archive.folder / row.place.file, start, start + row.place.length))
        try:
            answer = answer_in(data) if data is not None else None
        except ValueError:
            answer = None
        if answer is None or answer.url != row.url:
            return self.lost["damaged"].append(row)
        self.answers += 1
        self.cropped.append((row, Stray(answer, ArchivePosition(row.place.file, offset, length))))

    def _look_between(self, path: Path, places: list[ArchivePosition]) -> None:
        """Look at the parts of a file that no row names."""
        size = path.stat().st_size
        spans = sorted((place.offset, place.offset + place.length) for place in places)
        edges = [(0, 0), *spans, (size, size)]
        for (_, end), (start, _) in pairwise(edges):
            self._look_into(path, end, min(start, size))

    def _look_into(self, path: Path, start: int, end: int) -> None:
        for offset, length, data in members(path, start, end):
            self._count(length)
            place = ArchivePosition(path.name, offset, length)
            try:
                answer = answer_in(data) if data is not None else None
            except ValueError:
                data = None
            if data is None:
                self.damaged.append(f"{self.name}/{path.name}, {length:,} bytes from {offset:,} on")
            elif answer:
                self.strays.append(Stray(answer, place))
            elif self.strays:
                self._extend(place)

    def _extend(self, place: ArchivePosition) -> None:
        """What follows an answer belongs to it: its request, and the page as a browser has rendered it."""
        answer, before = self.strays[-1]
        if before.file == place.file and before.offset + before.length == place.offset:
            self.strays[-1] = Stray(answer, before._replace(length=before.length + place.length))

    def _count(self, length: int) -> None:
        self.bytes += length
        self.advance(min(self.bytes, self.total), self.total)

    def _lost_findings(self) -> Iterator[Finding]:
        texts = {
            "missing": "answers lost, because their file is missing",
            "cut off": "answers lost, because their file ends before them",
            "damaged": "answers lost, because their records are damaged",
            "wrong": "answers lost, because the archive has something else in their place",
        }
        for reason, rows in sorted(self.lost.items()):
            examples = [f"{row.url} in {self.name}/{row.place.file}" for row in rows]
            repair = [_mark(row) for row in rows]
            yield from finding(f"lost: {reason}", texts[reason], examples, is_loss=True, repair=repair)

    def _crop_findings(self) -> Iterator[Finding]:
        names = [row.url for row, _ in self.cropped]
        repair = [_name(row, stray) for row, stray in self.cropped]
        text = "answers that are whole, but their requests or rendered pages are damaged"
        yield from finding("damaged beside", text, names, repair=repair)

    def _known_losses(self, rows: list[Row]) -> Iterator[Finding]:
        """Rows that are marked as lost: what has come back is named again."""
        lost = [row for row in rows if not row.place.file]
        strays = defaultdict(list)
        for stray in self.strays:
            strays[stray.answer.url].append(stray)
        found = {row: match for row in lost if (match := _stray_of(row, strays[row.url]))}
        names = [row.url for row in found]
        repair = [_name(row, stray) for row, stray in found.items()]
        yield from finding("found again", "lost answers that the archive has again", names, repair=repair)
        taken = set(found.values())
        self.strays = [stray for stray in self.strays if stray not in taken]
        gone = [row.url for row in lost if row not in found]
        text = f"answers lost earlier, their pages marked as '{LOST}'"
        yield from finding("lost earlier", text, gone, is_harmless=True)

    def _stray_findings(self) -> Iterator[Finding]:
        names = [stray.answer.url for stray in self.strays]
        text = "answers in the archive that belong to no committed visit"
        yield from finding("not committed", text, names, is_harmless=True)
        text = "stretches of the archive that are no records; no page refers to them"
        yield from finding("unreadable", text, self.damaged, is_harmless=True)


def _stray_of(row: Row, strays: list[Stray]) -> Stray | None:
    """The answer of a visit among those of its URL."""
    return next((stray for stray in strays if abs(stray.answer.at - row.at) < SAME_TIME), None)


def _mark(row: Row) -> Statement:
    """The statement that marks a row whose record is lost."""
    return f"UPDATE {row.table.name} SET {row.table.mark} WHERE {row.table.key} = ?", (row.key,)


def _name(row: Row, stray: Stray) -> Statement:
    """The statement that makes a row name its record again."""
    is_version = stray.answer.is_whole and 200 <= stray.answer.status < 300
    unmarked = f", reason = replace(replace(reason, '; {LOST}', ''), '{LOST}', '')"
    more = {"pages": unmarked, "revisits": f", whole = {int(is_version)}"}.get(row.table.name, "")
    statement = f"UPDATE {row.table.name} SET file = ?, offset = ?, length = ?{more} WHERE {row.table.key} = ?"
    return statement, (*stray.place, row.key)
