"""The face of clew in Python: crawl, resume, explain, simulate."""

from __future__ import annotations

import asyncio
import shutil
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from clew import config as settings_of
from clew.assembly import address, checked, frontier, named, new_folder, parts_of
from clew.config import Config, configure
from clew.course import Course
from clew.engine import Engine
from clew.errors import InterestError, StoreError, StrategyError
from clew.fetch import Fetcher, HttpFetcher
from clew.frontier import State
from clew.interests import Interest
from clew.loops import Interruptible, anywhere, loop
from clew.store import MemoryStore, Record, Records, Sink, SqliteStore, Step
from clew.strategies import Strategy
from clew.types import Stats

Watch = Callable[[Stats], None]


@dataclass(frozen=True)
class Result:
    """How a crawl ended; its pages are read from the folder."""

    folder: Path
    stats: Stats
    reason: str
    threshold: float

    @property
    def records(self) -> Records:
        """The crawl folder for reading."""
        return Records(self.folder)


@dataclass(frozen=True)
class Explanation:
    """Why a URL was visited, or was not."""

    url: str
    state: str
    reason: str
    record: Record | None
    thread: list[Step]
    parts: dict[str, float]  # of its score


@dataclass(frozen=True)
class Simulation:
    """A crawl that left nothing behind."""

    records: list[Record]
    stats: Stats
    reason: str

    @property
    def order(self) -> list[str]:
        """The URLs in the order of their visits."""
        return [record.url for record in self.records if record.state != "redirected"]


@anywhere
def crawl(
    interest: str | Interest = "",
    seeds: str | Iterable[str] = (),
    *,
    strategy: str | Strategy | None = None,
    config: Config | None = None,
    watch: Watch | None = None,
    sinks: Sequence[Sink] = (),
    **settings: Any,
) -> Result:
    """Crawl the web for an interest, from start pages, into a folder; every setting of `clew.config` can be given.

    Ctrl-C ends it cleanly; `resume` goes on.
    """
    given = {**settings, **named(interest, seeds, strategy)}
    config = checked(configure(config, **given))
    wanted, chosen, examples = parts_of(config, interest, strategy)
    folder = Path(config.keep.folder) if config.keep.folder else new_folder(config.what.interest)
    config = configure(config, folder=str(folder))
    fetcher = HttpFetcher(config.fetch)  # before the folder: it knows bad addresses when it sees them
    store = SqliteStore(folder, new=config, max_warc=config.keep.warc_megabytes * 10**6)
    try:
        with store:
            store.keep(examples)
            return _run(config, wanted, chosen, fetcher, store, watch, sinks)
    except BaseException:
        if not _begun(folder):
            _clear(folder)  # nothing was kept, so the same command can be given again
        raise


@anywhere
def resume(
    folder: str | Path,
    *,
    interest: str | Interest = "",
    strategy: str | Strategy | None = None,
    watch: Watch | None = None,
    sinks: Sequence[Sink] = (),
    **settings: Any,
) -> Result:
    """Go on with a crawl that was stopped, killed or interrupted; settings given here replace the earlier ones."""
    folder = Path(folder)
    if not (folder / "crawl.db").exists():
        raise StoreError(f"{folder} is not a crawl folder: it has no crawl.db")
    given = {**settings, **named(interest, (), strategy), "folder": str(folder)}
    config = configure(settings_of.read(folder / "crawl.toml"), **given)
    fetcher = HttpFetcher(config.fetch)
    with SqliteStore(folder, max_warc=config.keep.warc_megabytes * 10**6) as store:
        wanted, chosen, examples = parts_of(config, interest, strategy, store.examples())
        store.keep(examples)
        settings_of.write(config, folder / "crawl.toml")
        return _run(config, wanted, chosen, fetcher, store, watch, sinks)


@anywhere
def explain(folder: str | Path, url: str) -> Explanation:
    """Where a URL stands, the thread of links that led to it, and the parts of its score."""
    with Records(folder) as records:
        url = address(url)
        record = records.find(url)
        if record is None:
            return Explanation(url, "unknown", "no page that was visited links to it", None, [], {})
        state, parts = record.state, dict[str, float]()
        if state == State.QUEUED.text:
            state, parts = _candidate(records, record)
        return Explanation(url, state, record.reason, record, records.thread(url), parts)


@anywhere
def simulate(
    world: Fetcher,
    interest: str | Interest,
    seeds: str | Iterable[str],
    *,
    strategy: str | Strategy | None = None,
    config: Config | None = None,
    watch: Watch | None = None,
    prepare: Callable[[Engine], None] | None = None,
    **settings: Any,
) -> Simulation:
    """Crawl a world through the ordinary engine, one page at a time, and keep nothing on disk.

    `prepare` is shown the engine before it runs: the laboratory measures and disturbs crawls in this way.
    """
    given = {"parallel": 1, "delay": 0, "retries": 0, **settings, **named(interest, seeds, strategy)}
    config = checked(configure(config, **given))
    wanted, chosen, _ = parts_of(config, interest, strategy)
    store = MemoryStore()
    course = Course(config, wanted, chosen, store, frontier(config, None))
    engine = Engine(course, world, store, watch or _unwatched)
    if prepare:
        prepare(engine)
    reason = asyncio.run(engine.run())
    return Simulation(store.records, engine.stats, reason)


def _run(
    config: Config,
    interest: Interest,
    strategy: Strategy,
    fetcher: HttpFetcher,
    store: SqliteStore,
    watch: Watch | None,
    sinks: Sequence[Sink],
) -> Result:
    """From the last commit, or from the start, to the end."""
    if config.what.threshold is None and (threshold := store.get("threshold")):
        interest = interest.at(float(threshold))
    course = Course(config, interest, strategy, store, frontier(config, store))
    engine = Engine(course, fetcher, store, watch or _unwatched, sinks)

    async def main() -> str:
        engine.resume(store)
        store.note("run", time.strftime("%Y-%m-%d %H:%M:%S"))
        try:
            with Interruptible(engine):
                return await engine.run()
        finally:
            await fetcher.close()

    reason = loop(main())
    return Result(store.folder, engine.stats, reason, course.interest.threshold)


def _candidate(records: Records, record: Record) -> tuple[str, dict[str, float]]:
    """A candidate's state and the parts of its score, asked of the strategy as the last commit left it."""
    config = records.config
    try:
        interest, strategy, _ = parts_of(config, "", None, records.store.examples())
        course = Course(
            config, interest.at(records.threshold), strategy, records.store, frontier(config, records.store)
        )
        course.replay(records.store)
    except (InterestError, StrategyError):  # made with parts that only the caller of `crawl` had
        return record.state, {}
    candidate = course.view.candidate(record.url)
    state = State(course.frontier.table.state[record.slot]).text
    return state, strategy.explain(candidate) if candidate else {}


def _begun(folder: Path) -> bool:
    with Records(folder) as records:
        return records.stats().visited > 0


def _clear(folder: Path) -> None:
    for name in ("crawl.db", "crawl.db-wal", "crawl.db-shm", "crawl.toml", "lock"):
        (folder / name).unlink(missing_ok=True)
    shutil.rmtree(folder / "pages", ignore_errors=True)
    if folder.exists() and not any(folder.iterdir()):
        folder.rmdir()


def _unwatched(stats: Stats) -> None:
    """Nobody looks on."""
