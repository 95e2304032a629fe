"""One run of a crawl: the parts are opened, the engine runs, everything is closed."""

from __future__ import annotations

import asyncio
import shutil
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from clew.base.single_thread import one_thread
from clew.config import Config, configure
from clew.core import feedback
from clew.core.build import (
    OwnParts,
    build_fetcher,
    build_parts,
    build_sinks,
    build_stop_rules,
    frontier,
    inherit,
    new_folder,
)
from clew.core.cached_fetch import page_cache, share_robots
from clew.core.disk_space import require_room
from clew.core.engine import INTERRUPTED, Engine
from clew.core.order_inbox import RUN_IS_OVER, OrderInbox, write_settings
from clew.core.runner import Interruptible, rare_collections
from clew.core.search_sources import RecordedSearch, build_search_source, online
from clew.core.state import CrawlState
from clew.errors import ConfigError
from clew.fetch import Fetcher, MakesOtherRequests, RemembersHosts
from clew.store import CrawlFolder, Records, Store, open_folder
from clew.types import Doc

CatchUp = Callable[[Engine, Any], None]
"""What must be done with a folder before it goes on, beyond what the core knows."""
MakeEngine = Callable[..., Engine]
"""Makes the engine from its parts."""


@dataclass
class CrawlRun:
    """An engine with everything around it, ready to run once."""

    engine: Engine
    fetcher: Fetcher
    own: OwnParts
    folder: CrawlFolder | None = None  # None: the caller's own store
    catch_up: CatchUp | None = None

    async def main(self) -> str:
        """From the last commit, or from the start, to the end; the reason."""
        with one_thread(), rare_collections():
            try:
                if self.folder is None:
                    return await self._run()
                return await self._run_in_folder(self.folder)
            finally:
                await self.fetcher.close()
                if isinstance(source := self.engine.state.search_source, RecordedSearch):
                    source.close()

    async def _run(self) -> str:
        with Interruptible(self.engine):
            try:
                return await self.engine.run()
            except asyncio.CancelledError:
                # A cancelled crawl keeps every visit; before the start pages are read there is nothing to keep.
                if self.engine.committed:
                    self.engine.store.note("stop", INTERRUPTED)
                    self.engine.commit(checkpoint=True)
                raise

    async def _run_in_folder(self, folder: CrawlFolder) -> str:
        config = self.engine.config
        self.engine.resume(folder)
        feedback.catch_up(self.engine, folder, config, self.own)
        feedback.go_on_judging(self.engine, folder, config)
        if self.catch_up:
            self.catch_up(self.engine, folder)
        write_settings(config, folder)
        inbox = OrderInbox(self.engine, folder, self.own)
        if self.engine.state.order:
            inbox.take_all(RUN_IS_OVER)
        self.engine.order_inbox = inbox
        folder.note("run", time.strftime("%Y-%m-%d %H:%M:%S"))
        reason = await self._run()
        if reason != INTERRUPTED:
            # Labels and orders that came during the last visits.
            self.engine.label_inbox.now()
            feedback.catch_up(self.engine, folder, self.engine.config, self.own)
            inbox.take_all(RUN_IS_OVER)
        return reason


@contextmanager
def new_run(
    config: Config,
    own: OwnParts,
    guessed_https: frozenset[str] = frozenset(),
    news: Sequence[str] = (),
    known: Mapping[str, list[Doc]] | None = None,
    make_engine: MakeEngine = Engine,
) -> Iterator[CrawlRun]:
    """A crawl into a new folder. If it never begins, the folder is as if nothing had happened.

    `known` are examples that need not be read again.
    """
    interest, strategy, examples = build_parts(config, own, known)
    inherit(config, strategy)
    source = build_search_source(config, own)
    name = config.what.interest or config.what.judge
    path = Path(config.keep.folder) if config.keep.folder else new_folder(name)
    config = configure(config, folder=str(path))
    require_room(path, config.until.min_free)
    # Before the folder: fetcher, sinks and rules know bad settings when they see them.
    fetcher = build_fetcher(config, own)
    sinks = build_sinks(config, own)
    rules = build_stop_rules(config, own)
    folder = open_folder(path, new=config, max_warc=config.keep.warc_megabytes * 10**6)
    try:
        with folder:
            folder.keep(examples)
            if isinstance(fetcher, RemembersHosts):
                fetcher.politeness.keep = folder.save_host_state
            if isinstance(fetcher, MakesOtherRequests):
                fetcher.keep_answer = folder.keep_answer
            feedback.remember(config, folder)
            if own.only_here:
                folder.set(feedback.OWN_PARTS, " ".join(own.only_here))
            if source:
                source.store = folder
            online(source)
            state = CrawlState(config, interest, strategy, folder, frontier(config, folder), source)
            engine = make_engine(
                state, fetcher, folder, sinks=sinks, extra_stop_rules=rules, guessed_https=guessed_https, news=news
            )
            with cached(engine):
                yield CrawlRun(engine, fetcher, own, folder)
    except BaseException:
        if not has_begun(path):
            clear(path)
        raise


@contextmanager
def resumed_run(
    path: Path, own: OwnParts, config: Config, before: Config, catch_up: CatchUp, make_engine: MakeEngine = Engine
) -> Iterator[CrawlRun]:
    """A crawl that goes on in its folder; `before` are the settings it had."""
    with ExitStack() as opened:
        require_room(path, config.until.min_free)
        fetcher = build_fetcher(config, own)
        sinks = build_sinks(config, own)
        rules = build_stop_rules(config, own)
        folder = opened.enter_context(open_folder(path, max_warc=config.keep.warc_megabytes * 10**6))
        _check_own_parts(folder, own)
        # An earlier version wrote "yes", which does not say which parts must be passed again.
        if own.only_here or folder.get(feedback.OWN_PARTS) != "yes":
            folder.set(feedback.OWN_PARTS, " ".join(own.only_here))
        feedback.remember(before if folder.progress() else config, folder)
        if isinstance(fetcher, RemembersHosts):
            fetcher.politeness.remember(folder.load_host_state(config.fetch.max_delay), folder.save_host_state)
        if isinstance(fetcher, MakesOtherRequests):
            fetcher.keep_answer = folder.keep_answer
        state = feedback.state_of_folder(config, folder, own)
        online(state.search_source)
        engine = make_engine(state, fetcher, folder, sinks=sinks, extra_stop_rules=rules)
        opened.enter_context(cached(engine))
        yield CrawlRun(engine, fetcher, own, folder, catch_up)


@contextmanager
def run_in_store(
    config: Config,
    own: OwnParts,
    store: Store,
    guessed_https: frozenset[str] = frozenset(),
    news: Sequence[str] = (),
) -> Iterator[CrawlRun]:
    """A crawl into a store of the caller's."""
    interest, strategy, _ = build_parts(config, own)
    inherit(config, strategy)
    fetcher = build_fetcher(config, own)
    source = build_search_source(config, own, store)
    online(source)
    state = CrawlState(config, interest, strategy, store, frontier(config, None), source)
    sinks = build_sinks(config, own)
    rules = build_stop_rules(config, own)
    engine = Engine(state, fetcher, store, sinks=sinks, extra_stop_rules=rules, guessed_https=guessed_https, news=news)
    with cached(engine):
        yield CrawlRun(engine, fetcher, own)


@contextmanager
def cached(engine: Engine) -> Iterator[None]:
    """Let a crawl ask its cache before the web, if it has one."""
    cache = page_cache(engine.config)
    if cache is None:
        yield
        return
    engine.cache = cache
    share_robots(engine.fetcher, cache)
    with closing(cache):
        yield


def settings_of_folder(path: Path) -> Config:
    """The settings of a crawl folder, or a message that says what is missing."""
    with Records(path) as records:
        return records.config


def _check_own_parts(folder: CrawlFolder, own: OwnParts) -> None:
    """Without the objects that the crawl was made with, its pages would be judged or chosen in another way."""
    for name in folder.get(feedback.OWN_PARTS).split():
        if name in own._fields and getattr(own, name) in ("", None, (), []):
            raise ConfigError(
                f"this crawl was made with an object for {name} that cannot be imported: "
                f"pass it again, as in clew.resume(folder, {name}=...), or pass another one"
            )


def has_begun(path: Path) -> bool:
    """Whether anything was committed into a crawl folder."""
    with Records(path) as records:
        return bool(records.store.progress())


def clear(path: Path) -> None:
    """Nothing was kept, so the same command can be given again."""
    for name in ("crawl.db", "crawl.db-wal", "crawl.db-shm", "crawl.toml", "lock"):
        (path / name).unlink(missing_ok=True)
    shutil.rmtree(path / "pages", ignore_errors=True)
    if path.exists() and not any(path.iterdir()):
        path.rmdir()
