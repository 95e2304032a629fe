"""A crawl folder for readers: also while the crawl is running."""

from __future__ import annotations

import fcntl
import weakref
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from clew import config
from clew.base.chance import key_of
from clew.config import Config
from clew.parse import document, host
from clew.store.frames import to_pandas
from clew.store.labels import Label, labels, led_to, valid
from clew.store.record import Record
from clew.store.revisits import Revisit, Revisits
from clew.store.rows import COLUMNS, record_of
from clew.store.sqlite import SqliteStore
from clew.store.versions import updated
from clew.store.warc import ArchivePosition
from clew.types import Doc, Link, Stats, UrlState

if TYPE_CHECKING:
    from pandas import DataFrame


@dataclass(frozen=True, slots=True)
class Step:
    """One page on the path of links that led to a URL."""

    url: str
    title: str = ""
    state: UrlState = UrlState.QUEUED
    relevance: float = 0.0
    relevant: bool = False
    score: float = 0.0
    anchor: str = ""  # of the link that led here
    kind: str = "start"  # start, or the kind of that link


class Records:
    """Reads what a crawl has kept; never writes."""

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        self.store = SqliteStore(self.folder, reading=True)
        weakref.finalize(self, self.store.close)  # for `result.records.best()` and the like

    @cached_property
    def config(self) -> Config:
        """The settings of the crawl."""
        return config.read_folder(self.folder)

    @property
    def threshold(self) -> float:
        """Relevance from which a page counts."""
        return float(self.store.get("threshold", "nan"))

    @property
    def running(self) -> bool:
        """Whether another process is crawling into this folder."""
        with (self.folder / "lock").open("a") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except BlockingIOError:
                return True
        return False

    @property
    def reason(self) -> str:
        """Why the last run stopped; "" when it did not, or was killed."""
        last = self.store.db.execute(
            "SELECT event, detail FROM journal WHERE event IN ('run', 'stop') ORDER BY rowid DESC LIMIT 1"
        ).fetchone()
        return str(last[1]) if last and last[0] == "stop" else ""

    def pages(self, relevant: bool = False) -> Iterator[Record]:
        """Visits in their order; only the relevant ones on request."""
        where = "WHERE relevant" if relevant else ""
        query = f'SELECT {COLUMNS} FROM pages {where} ORDER BY "order"'
        for row in self.store.db.execute(query):  # a generator keeps its reader open
            yield record_of(row)

    def newest(self, relevant: bool = False) -> Iterator[Record]:
        """Visits in their order, each as later ones have changed it; only those that are relevant now on request."""
        again = next(iter(self.revisits()), None) is not None
        for record in self.pages(relevant=relevant and not again):
            now = self.latest(record) if again else record
            if now.relevant or not relevant:
                yield now

    def latest(self, record: Record) -> Record:
        """A visit as later ones have changed it: the newest version of its page."""
        if not (visits := self.revisits(record.url)):
            return record
        said = self.label(record.url) is not None
        return updated(record, visits, self.store.archive, self.config.scope, self.threshold, said)

    def best(self, n: int = 10) -> list[Record]:
        """The most relevant pages."""
        query = f'SELECT {COLUMNS} FROM pages WHERE relevant ORDER BY relevance DESC, "order" LIMIT ?'
        return list(map(record_of, self.store.db.execute(query, (n,))))

    def find(self, url: str) -> Record | None:
        """What is known of a URL, visited or not."""
        row = self.store.db.execute(f"SELECT {COLUMNS} FROM pages WHERE key = ?", (key_of(url),)).fetchone()
        if row:
            return record_of(row)
        row = self.store.db.execute("SELECT slot, url, reason FROM candidates WHERE url = ?", (url,)).fetchone()
        if not row:
            return None
        slot, _, reason = row
        state = UrlState.OUT_OF_SCOPE if reason else UrlState.QUEUED
        return Record(-1, slot, url, host(url), state=state, reason=reason)

    def hosts(self, n: int = 10) -> list[tuple[str, int, int, int]]:
        """The hosts with the most relevant pages: name, visits, relevant, failed."""
        query = "SELECT host, visited, relevant, failed FROM hosts ORDER BY relevant DESC, visited DESC LIMIT ?"
        return self.store.db.execute(query, (n,)).fetchall()

    def path(self, url: str) -> list[Step]:
        """The links that led from a start page to a URL, through the first page that named each."""
        steps: list[Step] = []
        seen: set[str] = set()
        at: str | None = url
        while at and at not in seen and (record := self.find(at)):
            seen.add(at)
            known = self.store.entries([record.slot]).get(record.slot)
            link = known.links[0] if known and known.links else None
            steps.append(_step(record, link))
            at = link.source if link else None
        return steps[::-1]

    def flags(self) -> NDArray[np.bool_]:
        """Whether each visit was relevant, in order; redirect hops and refusals are no visits."""
        query = "SELECT relevant FROM pages WHERE state IN ('fetched', 'failed', 'duplicate') ORDER BY \"order\""
        return np.array([row[0] for row in self.store.db.execute(query)], dtype=bool)

    def labels(self) -> list[Label]:
        """What the user has said of pages, in the order in which it was said."""
        return labels(self.store.db)

    def label(self, url: str) -> Label | None:
        """The user's last word on a page, under the interest of now; redirects are followed."""
        db = self.store.db
        holds = valid(db, self.store.get("interest"))
        return next((label for label in reversed(holds) if label.url == led_to(db, url)), None)

    def revisits(self, url: str = "") -> list[Revisit]:
        """Later visits in their order: of one page, or of all."""
        history = Revisits(self.store)
        return history.of(url) if url else list(history.all())

    def journal(self) -> list[tuple[float, str, str]]:
        """What happened, in order: (time, event, detail)."""
        return self.store.db.execute("SELECT at, event, detail FROM journal ORDER BY rowid").fetchall()

    def doc(self, record: Record) -> Doc:
        """The document of a visit, parsed again from the archive: the first version, but for records of later ones."""
        if not record.file:
            return Doc(record.url)
        fetched = self.store.archive.read(ArchivePosition(record.file, record.offset, record.length), record.url)
        return document(fetched, self.config.scope)

    def text(self, record: Record) -> str:
        """The visible text of a visit."""
        return self.doc(record).text

    def to_pandas(self, relevant: bool = False) -> DataFrame:
        """One row for each visit, or each relevant one; needs the extra `pandas`."""
        return to_pandas(self.pages(relevant))

    def _repr_html_(self) -> str:
        stats = self.stats()
        return f"<p>{escape(str(self.folder))}: {stats.visited:,} pages, {stats.relevant:,} of them relevant</p>"

    def stats(self) -> Stats:
        """Where the crawl stood at the last commit."""
        return Stats(**self.store.progress())

    def close(self) -> None:
        """Let go of the folder."""
        self.store.close()

    def __enter__(self) -> Records:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _step(record: Record, link: Link | None) -> Step:
    return Step(
        url=record.url,
        title=record.title,
        state=record.state,
        relevance=record.relevance,
        relevant=record.relevant,
        score=record.score,
        anchor=link.anchor if link else "",
        kind=link.kind if link else "start",
    )
