"""The face of clew in Python: crawl, resume, explain, simulate."""

from __future__ import annotations

import asyncio
import re
import shutil
import signal
import threading
import time
from collections.abc import Callable, Coroutine, Iterable, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from clew import config as settings_of
from clew import strategies
from clew.config import Config, configure
from clew.engine import Engine
from clew.errors import ConfigError, StartError
from clew.examples import reader
from clew.fetch import Fetcher, HttpFetcher
from clew.frontier import Frontier
from clew.interests import Interest, build
from clew.parse import canonical
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
    given = {**settings, **_named(interest, seeds, strategy)}
    config = _checked(configure(config, **given))
    wanted = interest if not isinstance(interest, str) else build_interest(config)
    chosen = strategy if isinstance(strategy, Strategy) else strategies.make(config.what.strategy)
    folder = Path(config.keep.folder) if config.keep.folder else _new_folder(config.what.interest)
    config = configure(config, folder=str(folder))
    store = SqliteStore(folder, new=True, max_warc=config.keep.warc_megabytes * 10**6)
    try:
        settings_of.write(config, folder / "crawl.toml")
        return _run(config, wanted, chosen, store, watch, sinks, resumed=False)
    except StartError:
        _clear(folder)  # nothing was kept, so the same command can be given again
        raise


def resume(
    folder: str | Path,
    *,
    interest: Interest | None = None,
    strategy: Strategy | None = None,
    watch: Watch | None = None,
    sinks: Sequence[Sink] = (),
    **settings: Any,
) -> Result:
    """Go on with a crawl that was stopped, killed or interrupted; settings given here replace the earlier ones."""
    folder = Path(folder)
    store = SqliteStore(folder)
    try:
        config = configure(settings_of.read(folder / "crawl.toml"), **settings, folder=str(folder))
        wanted = interest or build_interest(config)
        chosen = strategy or strategies.make(config.what.strategy)
        settings_of.write(config, folder / "crawl.toml")
    except BaseException:
        store.close()
        raise
    return _run(config, wanted, chosen, store, watch, sinks, resumed=True)


def explain(folder: str | Path, url: str) -> Explanation:
    """Where a URL stands, the thread of links that led to it, and the parts of its score."""
    records = Records(folder)
    try:
        url = canonical(url) or url
        record = records.find(url)
        if record is None:
            return Explanation(url, "unknown", "no page that was visited links to it", None, [], {})
        parts = _parts(records, url) if record.state == "queued" else {}
        return Explanation(url, record.state, record.reason, record, records.thread(url), parts)
    finally:
        records.close()


def simulate(
    world: Fetcher,
    interest: str | Interest,
    seeds: str | Iterable[str],
    *,
    strategy: str | Strategy | None = None,
    config: Config | None = None,
    watch: Watch | None = None,
    **settings: Any,
) -> Simulation:
    """Crawl a world through the ordinary engine, one page at a time, and keep nothing on disk."""
    given = {"parallel": 1, "delay": 0, "retries": 0, **settings, **_named(interest, seeds, strategy)}
    config = _checked(configure(config, **given))
    wanted = interest if not isinstance(interest, str) else build_interest(config)
    chosen = strategy if isinstance(strategy, Strategy) else strategies.make(config.what.strategy)
    store = MemoryStore()

    async def main() -> Engine:
        engine = Engine(config, wanted, chosen, world, store, _frontier(config, None), watch or _unwatched)
        await engine.run()
        return engine

    engine = asyncio.run(main())
    return Simulation(store.records, engine.stats, engine.reason)


def build_interest(config: Config) -> Interest:
    """The interest of a configuration, its examples read from files and the web."""
    what = config.what
    return build(
        what.interest,
        config.topics,
        read=reader(config.fetch),
        threshold=what.threshold,
        semantics=what.semantics,
        judge=what.judge,
    )


def _run(
    config: Config,
    interest: Interest,
    strategy: Strategy,
    store: SqliteStore,
    watch: Watch | None,
    sinks: Sequence[Sink],
    resumed: bool,
) -> Result:
    async def main() -> Engine:
        fetcher = HttpFetcher(config.fetch)
        frontier = _frontier(config, store)
        engine = Engine(config, wanted, strategy, fetcher, store, frontier, watch or _unwatched, sinks)
        if resumed:
            engine.replay(store)
        store.note("run", time.strftime("%Y-%m-%d %H:%M:%S"))
        try:
            with _Interruptible(engine):
                await engine.run()
        finally:
            await fetcher.close()
        return engine

    threshold = store.get("threshold") if resumed and config.what.threshold is None else ""
    wanted = interest.at(float(threshold)) if threshold else interest
    try:
        engine = _loop(main())
    finally:
        store.close()
    return Result(store.folder, engine.stats, engine.reason, engine.interest.threshold)


class _Interruptible:
    """While it lasts, the first Ctrl-C asks for a clean end; the second is an ordinary KeyboardInterrupt."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.active = threading.current_thread() is threading.main_thread()

    def __enter__(self) -> None:
        if self.active:
            loop = asyncio.get_running_loop()
            for number in (signal.SIGINT, signal.SIGTERM):
                loop.add_signal_handler(number, self._stop)

    def __exit__(self, *_: object) -> None:
        if self.active:
            self._let_go()

    def _stop(self) -> None:
        self.engine.stop()
        self._let_go()

    def _let_go(self) -> None:
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.remove_signal_handler(number)


def _loop(main: Coroutine[Any, Any, Engine]) -> Engine:
    try:
        import uvloop
    except ImportError:
        return asyncio.run(main)
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(main)


def _parts(records: Records, url: str) -> dict[str, float]:
    """The strategy as the last commit left it, asked about one candidate."""
    config = records.config
    strategy = strategies.make(config.what.strategy)
    interest = build_interest(config).at(records.threshold)
    frontier = _frontier(config, records.store)
    engine = Engine(config, interest, strategy, HttpFetcher(config.fetch), records.store, frontier)
    engine.replay(records.store)
    candidate = engine.view.candidate(url)
    return strategy.explain(candidate) if candidate else {}


def _frontier(config: Config, store: SqliteStore | None) -> Frontier:
    return Frontier(store, config.keep.capacity, config.fetch.per_host)


def _named(interest: str | Interest, seeds: str | Iterable[str], strategy: str | Strategy | None) -> dict[str, Any]:
    named: dict[str, Any] = {}
    if interest:
        named["interest"] = str(interest)
    if seeds := [seeds] if isinstance(seeds, str) else list(seeds):
        named["seeds"] = seeds
    if strategy is not None:
        named["strategy"] = strategy if isinstance(strategy, str) else _spec(strategy)
    return named


def _spec(strategy: Strategy) -> str:
    """How a strategy is written in a configuration."""
    given = [f.name for f in fields(strategy) if f.init and getattr(strategy, f.name) != f.default]
    inner = ", ".join(f"{name}={getattr(strategy, name)!r}" for name in given)
    name = type(strategy).__module__.rpartition(".")[2]
    return f"{name}({inner})" if inner else name


def _checked(config: Config) -> Config:
    """Every URL canonical; an interest and a start page are there."""
    if not config.what.interest:
        raise ConfigError("say what you are interested in, for example: clew crawl 'sailing AND ruegen' --seeds URL")
    if not config.what.seeds:
        raise ConfigError("give at least one start page with --seeds URL")
    return configure(
        config,
        seeds=tuple(dict.fromkeys(map(_url, config.what.seeds))),
        reserve=tuple(dict.fromkeys(map(_url, config.what.reserve))),
    )


def _url(text: str) -> str:
    named = re.match(r"[a-z][a-z0-9+.-]*:(?!\d)", text, re.IGNORECASE)  # localhost:8000 names a port, no scheme
    url = canonical(text if named else f"https://{text}")
    if not url:
        raise ConfigError(f"{text!r} is not a web address; it should look like https://example.org/")
    return url


def _new_folder(interest: str) -> Path:
    name = re.sub(r"[^\w]+", "-", interest.lower()).strip("-")[:40] or "crawl"
    numbered = (Path("crawls") / (name if n == 1 else f"{name}-{n}") for n in range(1, 10**6))
    return next(path for path in numbered if not path.exists())


def _clear(folder: Path) -> None:
    for name in ("crawl.db", "crawl.db-wal", "crawl.db-shm", "crawl.toml", "lock"):
        (folder / name).unlink(missing_ok=True)
    shutil.rmtree(folder / "pages", ignore_errors=True)
    if folder.exists() and not any(folder.iterdir()):
        folder.rmdir()


def _unwatched(stats: Stats) -> None:
    """Nobody looks on."""
