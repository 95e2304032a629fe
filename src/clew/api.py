"""The face of clew in Python: crawl, resume, recrawl, label, explain, rules, simulate."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from clew import config as settings_of
from clew.base import codec
from clew.config import Config, configure
from clew.core import feedback
from clew.core.build import as_settings, build_parts, frontier, inherit, link_source, new_folder, validated
from clew.core.engine import INTERRUPTED, Engine
from clew.core.explain import Explanation as Explanation
from clew.core.explain import explain as explain
from clew.core.explain import facts as facts
from clew.core.explain import rules as rules
from clew.core.feedback import label as label
from clew.core.runner import Interruptible, run, sync
from clew.core.state import CrawlState
from clew.errors import StoreError
from clew.fetch import Fetcher, with_browser
from clew.interests import Interest
from clew.revisit import Recrawl as Recrawl
from clew.revisit import catch_up
from clew.revisit import recrawl as recrawl
from clew.store import MemoryStore, Record, Records, Sink, SqliteStore
from clew.strategies import LinkSource, Strategy, _optional
from clew.types import Stats

STILL: dict[str, Any] = {
    **{"parallel": 1, "delay": 0, "retries": 0, "noindex": "keep"},
    **{"url_rules": (), "duplicates": "keep", "soft_404": False, "traps": False, "host_pages": 0},
}
"""Settings of a simulation: a world that stands still needs no manners, and all its pages are meant."""

Watch = Callable[[Stats], None]
Tell = Callable[[str], None]


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
class Simulation:
    """A crawl that left nothing behind."""

    records: list[Record]
    stats: Stats
    reason: str
    strategy: Strategy

    @property
    def learned(self) -> dict[str, Any]:
        """What the strategy knows at the end; another simulation can begin with it."""
        return dict(codec.loads(self.strategy.save()))

    @property
    def order(self) -> list[str]:
        """The URLs in the order of their visits."""
        return [record.url for record in self.records if record.state != "redirected"]


@sync
def crawl(
    interest: str | Interest = "",
    seeds: str | Iterable[str] = (),
    *,
    strategy: str | Strategy | None = None,
    config: Config | None = None,
    watch: Watch | None = None,
    sinks: Sequence[Sink] = (),
    tell: Tell | None = None,
    **settings: Any,
) -> Result:
    """Crawl the web for an interest, from start pages, into a folder; every setting of `clew.config` can be given.

    Ctrl-C ends it cleanly; `resume` goes on. `watch` sees the numbers after every page, each sink every page; `tell`
    hears what the strategy lacks.
    """
    given = {**settings, **as_settings(interest, seeds, strategy)}
    config = validated(configure(config, **given))
    wanted, chosen, examples = build_parts(config, interest, strategy)
    inherit(config, chosen)
    beyond = link_source(config)
    folder = Path(config.keep.folder) if config.keep.folder else new_folder(config.what.interest)
    config = configure(config, folder=str(folder))
    fetcher = with_browser(config.fetch)  # before the folder: it knows bad addresses when it sees them
    store = SqliteStore(folder, new=config, max_warc=config.keep.warc_megabytes * 10**6)
    try:
        with store:
            store.keep(examples)
            fetcher.politeness.keep = store.save_host_state
            feedback.remember(config, store)
            if not isinstance(interest, str) or _is_own(strategy):
                store.set(feedback.OWN, "yes")
            state = CrawlState(config, wanted, chosen, store, frontier(config, store), beyond)
            return _run(state, interest, fetcher, store, watch, sinks, tell)
    except BaseException:
        if not _begun(folder):
            _clear(folder)  # nothing was kept, so the same command can be given again
        raise


@sync
def resume(
    folder: str | Path,
    *,
    interest: str | Interest = "",
    strategy: str | Strategy | None = None,
    watch: Watch | None = None,
    sinks: Sequence[Sink] = (),
    tell: Tell | None = None,
    **settings: Any,
) -> Result:
    """Go on with a crawl that was stopped, killed or interrupted; settings given here replace the earlier ones.

    Under another interest all pages are judged again first.
    """
    folder = Path(folder)
    if not (folder / "crawl.db").exists():
        raise StoreError(f"{folder} is not a crawl folder: it has no crawl.db")
    given = {**settings, **as_settings(interest, (), strategy), "folder": str(folder)}
    before = settings_of.read_folder(folder)
    config = configure(before, **given)
    fetcher = with_browser(config.fetch)
    with SqliteStore(folder, max_warc=config.keep.warc_megabytes * 10**6) as store:
        feedback.remember(before if store.progress() else config, store)
        fetcher.politeness.remember(store.load_host_state(config.fetch.max_delay), store.save_host_state)
        state = feedback.state_of_folder(config, store, interest, strategy)
        return _run(state, interest, fetcher, store, watch, sinks, tell)


@sync
def simulate(
    world: Fetcher,
    interest: str | Interest,
    seeds: str | Iterable[str],
    *,
    strategy: str | Strategy | None = None,
    config: Config | None = None,
    watch: Watch | None = None,
    prepare: Callable[[Engine], None] | None = None,
    learned: Mapping[str, Any] | None = None,
    interest_change: tuple[int, Interest] | None = None,
    beyond: LinkSource | None = None,
    **settings: Any,
) -> Simulation:
    """Crawl a world through the ordinary engine, one page at a time, and keep nothing on disk.

    `prepare` is shown the engine before it runs: the laboratory measures and disturbs crawls in this way. `learned` is
    what an earlier simulation has learnt, `turn` another interest with the number of visits after which it holds,
    `beyond` a source for what lies outside the link graph.
    """
    given = {**STILL, **settings, **as_settings(interest, seeds, strategy)}
    config = validated(configure(config, **given))
    wanted, chosen, _ = build_parts(config, interest, strategy)
    if learned is not None:
        _optional.inherit(chosen, learned)
    inherit(config, chosen)
    store = MemoryStore()
    state = CrawlState(config, wanted, chosen, store, frontier(config, None), beyond or link_source(config))
    engine = Engine(state, world, store, watch or _unwatched)
    if interest_change:
        visits, other = interest_change
        other = other if config.what.threshold is None else other.at(config.what.threshold)
        feedback.InterestChange(visits, other).attach(engine, store.records)
    if prepare:
        prepare(engine)
    reason = run(engine.run())
    return Simulation(store.records, engine.stats, reason, chosen)


def _run(
    state: CrawlState,
    interest: str | Interest,
    fetcher: Fetcher,
    store: SqliteStore,
    watch: Watch | None,
    sinks: Sequence[Sink],
    tell: Tell | None,
) -> Result:
    """From the last commit, or from the start, to the end."""
    config = state.config
    engine = Engine(state, fetcher, store, watch or _unwatched, sinks, tell or _untold)

    async def main() -> str:
        try:
            engine.resume(store)
            feedback.catch_up(engine, store, config, interest)
            catch_up(engine, store)
            settings_of.write(config, store.folder / "crawl.toml")
            store.note("run", time.strftime("%Y-%m-%d %H:%M:%S"))
            with Interruptible(engine):
                reason = await engine.run()
            if reason != INTERRUPTED:
                engine.label_inbox.now()
                feedback.catch_up(engine, store, config, interest)
            return reason
        finally:
            await fetcher.close()

    reason = run(main())
    return Result(store.folder, engine.stats, reason, state.interest.threshold)


def _is_own(strategy: str | Strategy | None) -> bool:
    """Whether a strategy cannot be made again from its name."""
    return isinstance(strategy, Strategy) and not type(strategy).__module__.startswith("clew.strategies.")


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


def _untold(message: str) -> None:
    """Nobody listens."""
