"""The Python interface: crawl, resume, recrawl, label, tell, search, explain, rules; and their async forms."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncGenerator, Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Unpack

from clew.cluster.run import ShardedRun, new_sharded, resumed_sharded
from clew.config import Config, Settings, configure
from clew.core.build import AnySink, OwnParts, validated, without_scheme
from clew.core.example_starts import started_from_examples
from clew.core.explain import Explanation as Explanation
from clew.core.explain import explain as explain
from clew.core.explain import facts as facts
from clew.core.explain import rules as rules
from clew.core.feedback import label as label
from clew.core.found_seeds import with_found_seeds
from clew.core.notebook import html_table
from clew.core.order_inbox import tell as tell
from clew.core.own_parts import as_list
from clew.core.run import CrawlRun, new_run, resumed_run, run_in_store, settings_of_folder
from clew.core.runner import run, sync
from clew.core.search_for import search_for
from clew.core.stop import StopRule
from clew.core.users import with_profile_topics
from clew.errors import ConfigError, StoreError
from clew.fetch import Fetcher
from clew.interests import Interest, Judging
from clew.revisit import Recrawl as Recrawl
from clew.revisit import catch_up
from clew.revisit import recrawl as recrawl
from clew.store import Hit, Records, Sink, Store, make_texts
from clew.store.database import is_whole
from clew.store.whole import is_shard
from clew.strategies import SearchSource, Strategy
from clew.types import Doc, Page, Stats

if TYPE_CHECKING:
    from pandas import DataFrame

Watch = Callable[[Stats], None]
Notify = Callable[[str], None]


@dataclass(frozen=True)
class Result:
    """How a crawl ended; its pages are read from the folder."""

    folder: Path | None  # None: the crawl went into a store of the caller's
    stats: Stats
    reason: str
    threshold: float
    sink_errors: Mapping[str, int] = field(default_factory=dict)  # by sink: pages that it could not take

    @property
    def records(self) -> Records:
        """The crawl folder for reading."""
        if self.folder is None:
            raise StoreError("this crawl has no folder: its pages are in the store that was given")
        return Records(self.folder)

    def to_pandas(self) -> DataFrame:
        """One row for each visit; needs the extra `pandas`."""
        with self.records as records:
            return records.to_pandas()

    def _repr_html_(self) -> str:
        facts = {"folder": self.folder or "(own store)", "stopped": self.reason, "threshold": f"{self.threshold:.3f}"}
        return html_table("Crawl", facts, self.stats)


@sync
def crawl(
    interest: str | Interest = "",
    seeds: str | Iterable[str] = (),
    *,
    strategy: str | Strategy | None = None,
    judge: str | Judging | None = None,
    sinks: Sequence[AnySink] = (),
    stop_rules: Sequence[str | StopRule] = (),
    fetcher: str | Fetcher | None = None,
    search_sources: Sequence[str | SearchSource] = (),
    store: Store | None = None,
    config: Config | None = None,
    watch: Watch | None = None,
    notify: Notify | None = None,
    **settings: Unpack[Settings],
) -> Result:
    """Crawl the web for an interest, from start pages, into a folder; every setting can be given by name.

    Without start pages, it starts at those examples of the topics in the interest that are web pages.

    Ctrl-C ends it cleanly; `resume` goes on. `watch` sees the numbers after every page; `notify` is told what the user
    should know, such as what the strategy would need and does not have. With a `store` nothing is written to disk
    but what that store writes.
    """
    own = OwnParts(interest, strategy, judge, sinks, stop_rules, fetcher, search_sources)
    begun = _begun(own, seeds, config, settings)
    if begun.shards:
        return run(_sharded(begun.on_shards(own, store), watch, notify))
    with _new(begun, own, store) as crawl_run:
        return _run(crawl_run, watch, notify)


async def acrawl(
    interest: str | Interest = "",
    seeds: str | Iterable[str] = (),
    *,
    strategy: str | Strategy | None = None,
    judge: str | Judging | None = None,
    sinks: Sequence[AnySink] = (),
    stop_rules: Sequence[str | StopRule] = (),
    fetcher: str | Fetcher | None = None,
    search_sources: Sequence[str | SearchSource] = (),
    store: Store | None = None,
    config: Config | None = None,
    watch: Watch | None = None,
    notify: Notify | None = None,
    **settings: Unpack[Settings],
) -> Result:
    """`crawl` inside a running event loop; cancelling the task ends the crawl cleanly."""
    own = OwnParts(interest, strategy, judge, sinks, stop_rules, fetcher, search_sources)
    begun = await asyncio.to_thread(_begun, own, seeds, config, settings)
    if begun.shards:
        return await _sharded(await asyncio.to_thread(begun.on_shards, own, store), watch, notify)
    return await _arun(_new(begun, own, store), watch, notify)


@sync
def resume(
    folder: str | Path,
    /,
    *,
    interest: str | Interest = "",
    strategy: str | Strategy | None = None,
    judge: str | Judging | None = None,
    sinks: Sequence[AnySink] = (),
    stop_rules: Sequence[str | StopRule] = (),
    fetcher: str | Fetcher | None = None,
    search_sources: Sequence[str | SearchSource] = (),
    watch: Watch | None = None,
    notify: Notify | None = None,
    **settings: Unpack[Settings],
) -> Result:
    """Go on with a crawl that was stopped, killed or interrupted; settings given here replace the earlier ones.

    Under another interest all pages are judged again first. Objects that the crawl was made with must be given again.
    """
    own = OwnParts(interest, strategy, judge, sinks, stop_rules, fetcher, search_sources)
    if is_whole(Path(folder)):
        return run(_sharded(_resumed_shards(Path(folder), own, settings), watch, notify))
    with _resumed(Path(folder), own, settings) as crawl_run:
        return _run(crawl_run, watch, notify)


async def aresume(
    folder: str | Path,
    /,
    *,
    interest: str | Interest = "",
    strategy: str | Strategy | None = None,
    judge: str | Judging | None = None,
    sinks: Sequence[AnySink] = (),
    stop_rules: Sequence[str | StopRule] = (),
    fetcher: str | Fetcher | None = None,
    search_sources: Sequence[str | SearchSource] = (),
    watch: Watch | None = None,
    notify: Notify | None = None,
    **settings: Unpack[Settings],
) -> Result:
    """`resume` inside a running event loop; cancelling the task ends the crawl cleanly."""
    own = OwnParts(interest, strategy, judge, sinks, stop_rules, fetcher, search_sources)
    if is_whole(Path(folder)):
        return await _sharded(_resumed_shards(Path(folder), own, settings), watch, notify)
    return await _arun(_resumed(Path(folder), own, settings), watch, notify)


def search(folder: str | Path, query: str, *, relevant: bool = True, limit: int = 10, interest: str = "") -> list[Hit]:
    """The pages of a crawl that fit a query, the best first: relevant ones, or all of them.

    With an `interest`, a formula, results are ordered by their relevance to it, too, and those without any are left
    out. The index of a folder that has none is made first. The crawl may be running.
    """
    make_texts(Path(folder))
    with Records(folder) as records:
        if interest:
            return search_for(records, query, interest, relevant=relevant, limit=limit)
        return records.search(query, relevant, limit)


async def stream(
    interest: str | Interest = "",
    seeds: str | Iterable[str] = (),
    *,
    which: Literal["all", "relevant"] = "all",
    strategy: str | Strategy | None = None,
    judge: str | Judging | None = None,
    sinks: Sequence[AnySink] = (),
    stop_rules: Sequence[str | StopRule] = (),
    fetcher: str | Fetcher | None = None,
    search_sources: Sequence[str | SearchSource] = (),
    store: Store | None = None,
    config: Config | None = None,
    **settings: Unpack[Settings],
) -> AsyncGenerator[Page, None]:
    """Yield pages as they are visited: `async for page in clew.stream(...)`.

    Leaving the loop ends the crawl cleanly, soon afterwards. To wait for that end, for example to resume the crawl at
    once, write `async with contextlib.aclosing(clew.stream(...)) as pages`.
    """
    pages: asyncio.Queue[Page | None] = asyncio.Queue()
    sink = _QueueSink(pages, which)
    own = OwnParts(interest, strategy, judge, [*as_list(sinks), sink], stop_rules, fetcher, search_sources)
    begun = await asyncio.to_thread(_begun, own, seeds, config, settings)
    if begun.shards:
        raise ConfigError("a crawl on several shards cannot be streamed: use crawl, and read its folder")
    opened = await asyncio.to_thread(_Opened, _new(begun, own, store))
    task = asyncio.create_task(opened.run.main())
    task.add_done_callback(lambda _: pages.put_nowait(None))
    try:
        while (page := await pages.get()) is not None:
            yield page
        await task
    finally:
        opened.run.engine.stop()
        [outcome] = await asyncio.gather(task, return_exceptions=True)
        opened.close(outcome if isinstance(outcome, BaseException) else None)


class _QueueSink(Sink):
    """Hands pages to whoever waits for them."""

    on_error = "stop"

    def __init__(self, queue: asyncio.Queue[Page | None], pages: Literal["all", "relevant"]) -> None:
        self.queue = queue
        self.pages = pages

    def write(self, page: Page, doc: Doc) -> None:
        self.queue.put_nowait(page)


class _Opened:
    """A run that was opened in a thread: reading examples would block the caller's event loop."""

    def __init__(self, context: AbstractContextManager[CrawlRun]) -> None:
        self._context = context
        self.run = context.__enter__()

    def close(self, error: BaseException | None = None) -> None:
        """Close as the `with` statement would; what went wrong is raised by the caller."""
        kind = type(error) if error else None
        try:
            self._context.__exit__(kind, error, error.__traceback__ if error else None)
        except BaseException as raised:
            if raised is not error:
                raise


class _Begun(NamedTuple):
    """What a new crawl begins with."""

    config: Config
    guessed_https: frozenset[str]
    news: Sequence[str]

    @property
    def shards(self) -> bool:
        """Whether there are several."""
        if self.config.fetch.cluster and self.config.fetch.shards == 1:
            raise ConfigError("cluster is for crawls on several shards; say how many: shards (--shards N)")
        return self.config.fetch.shards > 1

    def on_shards(self, own: OwnParts, store: Store | None) -> ShardedRun:
        """The crawl on several shards."""
        if store is not None:
            raise ConfigError("with several shards each has its own crawl folder: leave out store")
        return new_sharded(self.config, own, self.guessed_https)


def _begun(own: OwnParts, seeds: str | Iterable[str], config: Config | None, settings: Any) -> _Begun:
    given = with_found_seeds(configure(config, **{**settings, **own.as_settings(seeds)}), own)
    config = validated(given, own)
    return _Begun(config, without_scheme(given), started_from_examples(given, config))


def _new(begun: _Begun, own: OwnParts, store: Store | None) -> AbstractContextManager[CrawlRun]:
    if store is not None:
        return run_in_store(begun.config, own, store, begun.guessed_https, begun.news)
    return new_run(begun.config, own, begun.guessed_https, begun.news)


def _resumed_shards(folder: Path, own: OwnParts, settings: Any) -> ShardedRun:
    before = settings_of_folder(folder)
    return resumed_sharded(folder, own, _going_on(folder, own, before, settings), before)


def _going_on(folder: Path, own: OwnParts, before: Config, settings: Any) -> Config:
    """The settings of a crawl that goes on."""
    config = with_profile_topics(configure(before, **{**settings, **own.as_settings(), "folder": str(folder)}))
    # The next run may be started elsewhere.
    return configure(config, cache=tuple(map(os.path.abspath, config.fetch.cache)))


async def _sharded(sharded: ShardedRun, watch: Watch | None, notify: Notify | None) -> Result:
    if watch:
        sharded.watch = watch
        sharded.watch_shards = getattr(watch, "shards", sharded.watch_shards)
    if notify:
        sharded.notify = notify
    reason = await sharded.main()
    return Result(sharded.plan.folder, sharded.stats, reason, sharded.threshold)


def _resumed(folder: Path, own: OwnParts, settings: Any) -> AbstractContextManager[CrawlRun]:
    before = settings_of_folder(folder)
    if is_shard(folder):
        raise ConfigError(f"{folder} is one shard of a crawl; resume the whole: clew resume {folder.parent.parent}")
    return resumed_run(folder, own, _going_on(folder, own, before, settings), before, catch_up)


def _run(crawl_run: CrawlRun, watch: Watch | None, notify: Notify | None) -> Result:
    _look_on(crawl_run, watch, notify)
    return _result(crawl_run, run(crawl_run.main()))


async def _arun(context: AbstractContextManager[CrawlRun], watch: Watch | None, notify: Notify | None) -> Result:
    opened = await asyncio.to_thread(_Opened, context)
    try:
        _look_on(opened.run, watch, notify)
        reason = await opened.run.main()
    except BaseException as error:
        opened.close(error)
        raise
    opened.close()
    return _result(opened.run, reason)


def _look_on(crawl_run: CrawlRun, watch: Watch | None, notify: Notify | None) -> None:
    if watch:
        crawl_run.engine.watch = watch
    if notify:
        crawl_run.engine.notify = notify


def _result(crawl_run: CrawlRun, reason: str) -> Result:
    folder = crawl_run.folder.folder if crawl_run.folder else None
    engine = crawl_run.engine
    return Result(folder, engine.stats, reason, engine.state.interest.threshold, engine.sink_runner.errors)
