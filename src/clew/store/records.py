"""Reads a crawl folder, also while the crawl is running."""

from __future__ import annotations

import fcntl
import json
import weakref
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from clew.base.chance import key_of
from clew.config import Config
from clew.errors import RecordLost
from clew.parse import document, host
from clew.store.focus_changes import FocusChange
from clew.store.frames import to_pandas
from clew.store.head import HEAD_SIZE, HostNow, Waiting, head_of, hosts_of
from clew.store.kept_text import main_text_of
from clew.store.labels import Label, all_labels, redirect_target, valid_labels
from clew.store.loaders import Document, to_dicts, to_documents
from clew.store.orders import Order, all_orders
from clew.store.reasons import Reason, reason_of_visit
from clew.store.record import Record
from clew.store.revisits import Revisit, Revisits
from clew.store.rows import COLUMNS, record_of
from clew.store.search import Hit, search
from clew.store.shard_orders import WholeOrders
from clew.store.sqlite import SqliteStore
from clew.store.told_settings import settings_in
from clew.store.unsure import unsure
from clew.store.versions import updated
from clew.store.whole import shard_folders
from clew.types import Doc, Link, Stats, UrlState

if TYPE_CHECKING:
    from pandas import DataFrame

D = TypeVar("D")

MAX_COMPARED_URLS: Final = 2000
MIN_LIKENESS: Final = 0.6  # of two URLs, from 0 to 1


@dataclass(frozen=True, slots=True)
class PathStep:
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
    """Reads the records of a crawl; it never writes."""

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        self.store = SqliteStore(self.folder, reading=True)
        # Callers of `result.records.best()` have nothing to close.
        weakref.finalize(self, self.store.close)

    @cached_property
    def config(self) -> Config:
        """The settings of the crawl."""
        return settings_in(self.store)

    @property
    def threshold(self) -> float:
        """The relevance from which a page counts as relevant."""
        return float(self.store.get("threshold", "nan"))

    @property
    def threshold_origin(self) -> str:
        """Where the threshold comes from, in a few words; "" in crawls of earlier versions."""
        return self.store.get("threshold_origin")

    @property
    def is_calibrated(self) -> bool:
        """Whether the relevances of the pages are probabilities, by the word of the judge."""
        # A judge that learns is calibrated when it has learned.
        return self.store.get("calibrated") == "yes" and (self.config.what.judge != "learning" or self.has_learned)

    @property
    def has_learned(self) -> bool:
        """Whether the judge of the crawl has learned from its pages: before that, it is not calibrated."""
        return bool(self.store.get("cut"))

    def chances(self) -> Iterator[tuple[float, bool]]:
        """For each page the chance that it is relevant, by the word of a calibrated judge, and whether it counts."""
        if self.store.is_whole:
            # Each shard has a cut of its own.
            for shard in self.shards():
                yield from shard.chances()
            return
        # A calibrated relevance is 0.5 where pages begin to count, whatever their chance is there.
        odds_at_cut = _odds(float(self.store.get("cut") or 0.5))
        query = "SELECT relevance, relevant FROM pages WHERE state = 'fetched'"
        for relevance, relevant in self.store.db.execute(query):
            odds = _odds(float(relevance)) * odds_at_cut
            yield odds / (1.0 + odds), bool(relevant)

    @property
    def running(self) -> bool:
        """Whether another process is crawling into this folder."""
        # The lock of a crawl ends with its process, even if that was killed. Its file need not be there: a copy of the
        # folder, or a disk that is read-only, may have none.
        try:
            with (self.folder / "lock").open("rb") as file:
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        except FileNotFoundError:
            return False
        return False

    @property
    def reason(self) -> str:
        """Why the last run stopped; "" if it is still running or was killed."""
        last = self.store.db.execute(
            "SELECT event, detail FROM journal WHERE event IN ('run', 'stop') ORDER BY rowid DESC LIMIT 1"
        ).fetchone()
        return str(last[1]) if last and last[0] == "stop" else ""

    def pages(self, relevant: bool = False) -> Iterator[Record]:
        """Visits in order; with `relevant`, only the relevant ones."""
        where = "WHERE relevant" if relevant else ""
        query = f'SELECT {COLUMNS} FROM pages {where} ORDER BY {self.sequence}, "order"'
        # A generator, not a map: it refers to this reader, which stays open until the last row is read.
        for row in self.store.db.execute(query):
            yield record_of(row)

    def newest(self, relevant: bool = False) -> Iterator[Record]:
        """Visits in order, each with the newest version of its page; with `relevant`, those that are relevant now."""
        has_revisits = bool(self.revisits())
        # A page may have become relevant since: after a recrawl the filter must see all pages.
        for record in self.pages(relevant=relevant and not has_revisits):
            newest = self.latest(record) if has_revisits else record
            if newest.relevant or not relevant:
                yield newest

    def latest(self, record: Record) -> Record:
        """The record with the newest version of its page."""
        visits = self.revisits(record.url)
        if not visits:
            return record
        is_labelled = self.label(record.url) is not None
        return updated(record, visits, self.store.archive, self.config.scope, self.threshold, is_labelled)

    def best(self, n: int = 10) -> list[Record]:
        """The most relevant pages."""
        query = f'SELECT {COLUMNS} FROM pages WHERE relevant ORDER BY relevance DESC, "order" LIMIT ?'
        return list(map(record_of, self.store.db.execute(query, (n,))))

    def find(self, url: str) -> Record | None:
        """The record of a URL, visited or not; None if the crawl never saw it."""
        row = self.store.db.execute(f"SELECT {COLUMNS} FROM pages WHERE key = ?", (key_of(url),)).fetchone()
        if row:
            return record_of(row)
        row = self.store.db.execute("SELECT slot, url, reason FROM candidates WHERE url = ?", (url,)).fetchone()
        if not row:
            # An earlier version may have spelled it otherwise.
            known = self.store.spellings().get(url)
            return self.find(known) if known else None
        slot, _, reason = row
        state = UrlState.OUT_OF_SCOPE if reason else UrlState.QUEUED
        return Record(-1, slot, url, host(url), state=state, reason=reason)

    def nearest(self, url: str, n: int = 3) -> list[str]:
        """Known URLs that look like an unknown one: perhaps it was mistyped."""
        rows = self.store.db.execute("SELECT url FROM candidates")
        # Comparing takes time: first those on its host, then those that were found first.
        urls = sorted((row[0] for row in rows), key=lambda known: host(known) != host(url))
        return get_close_matches(url, urls[:MAX_COMPARED_URLS], n, cutoff=MIN_LIKENESS)

    def hosts(self, n: int = 10) -> list[tuple[str, int, int, int]]:
        """The hosts with the most relevant pages: name, visits, relevant pages, failures."""
        query = "SELECT host, visited, relevant, failed FROM hosts ORDER BY relevant DESC, visited DESC LIMIT ?"
        return self.store.db.execute(query, (n,)).fetchall()

    def head(self, n: int = HEAD_SIZE) -> list[Waiting]:
        """The best candidates, best first, each with a short reason; as of a recent commit, and 200 at most."""
        return head_of(self.store.db, n)

    def hosts_now(self, n: int | None = None) -> list[HostNow]:
        """All hosts, or n of them, with their visits and what waits there; most relevant pages first."""
        return hosts_of(self.store.db)[:n]

    def why(self, record: Record) -> Reason | None:
        """Why a visit was made, as it was noted then; None for crawls of earlier versions."""
        return reason_of_visit(self.store.db, record.order)

    def counting(self) -> set[int]:
        """The orders of the visits that count as relevant now."""
        return {row[0] for row in self.store.db.execute('SELECT "order" FROM pages WHERE relevant')}

    def unsure(self, n: int = 10) -> list[Record]:
        """The pages whose label would teach the judge most: near the threshold, unlike each other, of several hosts."""
        return unsure(self, n)

    def path(self, url: str) -> list[PathStep]:
        """The path from a start page to a URL, which follows the first link to each page."""
        steps: list[PathStep] = []
        # In-links can form a cycle.
        seen: set[str] = set()
        current: str | None = url
        while current and current not in seen and (record := self.find(current)):
            seen.add(current)
            entry = self.store.entries([record.slot]).get(record.slot)
            link = entry.links[0] if entry and entry.links else None
            steps.append(_step(record, link))
            current = link.source if link else None
        return steps[::-1]

    def first_links(self) -> dict[str, Link]:
        """By URL of a visited page: the link by which it was found first; start pages have none."""
        query = (
            "SELECT pages.url, candidates.links FROM pages JOIN candidates USING (slot) WHERE candidates.links != '[]'"
        )
        return {url: Link(*json.loads(links)[0]) for url, links in self.store.db.execute(query)}

    def topics(self) -> list[str]:
        """The names of all topics that pages were judged by."""
        # Damaged rows are reported by whoever reads them.
        sound = "json_each(iif(json_valid(pages.topics), pages.topics, '{}'))"
        query = f"SELECT DISTINCT json_each.key FROM pages, {sound} ORDER BY 1"
        return [row[0] for row in self.store.db.execute(query)]

    def content_type(self, record: Record) -> str:
        """The media type that the server gave a page; "" if the archive has no answer of it."""
        try:
            fetched = self.store.answer(record)
        except RecordLost as error:
            self.store.lost.note(record, error)
            return ""
        return fetched.header("content-type").partition(";")[0].strip().lower()

    def flags(self) -> NDArray[np.bool_]:
        """Whether each visit was relevant, in order; redirects and refused URLs do not count as visits."""
        query = f"SELECT relevant FROM pages WHERE state IN ('fetched', 'failed', 'duplicate') ORDER BY {self.sequence}"
        return np.array([row[0] for row in self.store.db.execute(query)], dtype=bool)

    def lost(self) -> int:
        """How many visits have lost their answer in the archive, as far as it was noticed."""
        return int(self.store.db.execute("SELECT count(*) FROM pages WHERE status AND file = ''").fetchone()[0])

    def labels(self) -> list[Label]:
        """All labels of the user, in the order in which they were given."""
        return all_labels(self.store.db)

    def label(self, url: str) -> Label | None:
        """The latest label of a page that is valid under the current interest; redirects are followed."""
        db = self.store.db
        labels = valid_labels(db, self.store.get("interest"))
        target = redirect_target(db, url) if labels else url
        return next((label for label in reversed(labels) if label.url == target), None)

    def orders(self) -> list[Order]:
        """All orders of the user, in the order in which they were given."""
        return WholeOrders(self.folder).all() if self.store.is_whole else all_orders(self.store.db)

    def revisits(self, url: str = "") -> list[Revisit]:
        """Later visits in order: those of one page, or of all pages."""
        history = Revisits(self.store)
        return history.of(url) if url else list(history.all())

    def journal(self) -> list[tuple[float, str, str]]:
        """The journal of the crawl, in order: (time, event, detail)."""
        return self.store.db.execute("SELECT at, event, detail FROM journal ORDER BY rowid").fetchall()

    def focus_changes(self) -> list[FocusChange]:
        """How the focus of the strategy has changed, with the reasons, in order."""
        rows = self.store.db.execute("SELECT detail FROM journal WHERE event = 'focus' ORDER BY rowid")
        return [FocusChange.of_line(row[0]) for row in rows]

    def doc(self, record: Record) -> Doc:
        """The document of a visit, parsed again from the archive, in the version that the record refers to.

        It has no text if the archive has lost the answer.
        """
        try:
            fetched = self.store.answer(record)
        except RecordLost as error:
            self.store.lost.note(record, error)
            return Doc(record.url, record.title, language=record.language)
        return document(fetched, self.config.scope) if record.file else Doc(record.url)

    def text(self, record: Record) -> str:
        """The visible text of a visit, menus included."""
        return self.doc(record).text

    def main_text(self, record: Record, extractor: str = "clew") -> str:
        """What a page says, without its menus, as light Markdown; "" if the archive has lost the answer.

        The extractor `trafilatura` takes ten times as long and is better on articles; it needs the extra `text`.
        """
        return main_text_of(self, record, extractor)

    def search(self, query: str, relevant: bool = True, limit: int = 10) -> list[Hit]:
        """The pages that fit a query, the best first: relevant ones, or all of them."""
        if not self.store.is_whole:
            return search(self, query, relevant, limit)
        found = [hit for shard in self.shards() for hit in search(shard, query, relevant, limit)]
        return sorted(found, key=lambda hit: -hit.score)[:limit]

    def shards(self) -> list[Records]:
        """The shards of a crawl, as far as their folders are here; the crawl itself if it has one process."""
        return [Records(path) for path in shard_folders(self.folder)] if self.store.is_whole else [self]

    def at_home(self, url: str) -> Records:
        """The records of the shard that visits a URL; these records if the crawl has one process."""
        return next((shard for shard in self.shards() if shard.find(url)), self) if self.store.is_whole else self

    @property
    def sequence(self) -> str:
        """The column by which visits are in the order in which they were made: shards count each for itself."""
        return "at" if self.store.is_whole else '"order"'

    def stats_by_shard(self) -> dict[int, Stats]:
        """The numbers of each shard that is here; nothing if the crawl has one process."""
        return {int(shard.folder.name): shard.stats() for shard in self.shards()} if self.store.is_whole else {}

    def to_dicts(self, relevant: bool = True) -> Iterator[dict[str, Any]]:
        """Plain dictionaries with url, title, text and more: `datasets.Dataset.from_generator(records.to_dicts)`."""
        return to_dicts(self, relevant)

    def to_documents(self, relevant: bool = True, make: Callable[..., D] = Document) -> Iterator[D]:  # type: ignore[assignment]
        """Objects with `page_content` and `metadata`, as LangChain has them; `make` can be LangChain's own class."""
        return to_documents(self, relevant, make)

    def to_pandas(self, relevant: bool = False) -> DataFrame:
        """One row for each visit, or for each relevant one; needs the extra `pandas`."""
        return to_pandas(self.pages(relevant))

    def _repr_html_(self) -> str:
        stats = self.stats()
        return f"<p>{escape(str(self.folder))}: {stats.pages:,} pages, {stats.relevant:,} of them relevant</p>"

    def stats(self) -> Stats:
        """The numbers of the crawl at the last commit."""
        return Stats(**self.store.progress())

    def close(self) -> None:
        """Close the database; a reader that is collected closes it too."""
        self.store.close()

    def __enter__(self) -> Records:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _step(record: Record, link: Link | None) -> PathStep:
    return PathStep(
        url=record.url,
        title=record.title,
        state=record.state,
        relevance=record.relevance,
        relevant=record.relevant,
        score=record.score,
        anchor=link.anchor if link else "",
        kind=link.kind if link else "start",
    )


def _odds(chance: float) -> float:
    bounded = min(max(chance, 1e-6), 1.0 - 1e-6)
    return bounded / (1.0 - bounded)
