"""Revisits the pages of a crawl, and adds their new links to the frontier."""

from __future__ import annotations

import math
import time
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, Final, get_args

from clew.config import Until, configure, read_folder
from clew.core import feedback
from clew.core.build import OwnParts
from clew.core.disk_space import require_room
from clew.core.engine import INTERRUPTED, Engine
from clew.core.notebook import html_rows
from clew.core.runner import Interruptible, run, sync
from clew.core.state import CrawlState
from clew.errors import ConfigError, RecordLost, StoreError
from clew.fetch import HttpFetcher, Rendering, with_browser
from clew.interests import Interest, Judging
from clew.revisit.new_links import absorb
from clew.revisit.of_shards import SpeakingEngine, most_valuable, shares
from clew.revisit.schedule import Aim, DuePage, lastmods, schedule
from clew.revisit.tour import Tour
from clew.store import CrawlFolder, Record, Revisit, Revisits, open_folder
from clew.store.database import is_whole
from clew.store.folder import lock
from clew.store.told_settings import settings_in
from clew.store.whole import refuse_shard, shard_folders
from clew.strategies import Strategy
from clew.types import Stats, UrlState

ALL_DUE: Final = "all due pages were visited"


@dataclass(frozen=True)
class Recrawl:
    """The result of a recrawl."""

    folder: Path
    plan: list[DuePage]  # the pages that were due, the most valuable first
    visits: list[Revisit] = field(default_factory=list)
    links: int = 0  # new candidates for `resume`
    reason: str = ""
    news: Stats | None = None  # the numbers of the crawl, if a share of the visits went to new pages

    @property
    def changed(self) -> list[Revisit]:
        """The visits that found a change."""
        return [visit for visit in self.visits if visit.changed]

    def _repr_html_(self) -> str:
        rows = {
            "folder": self.folder,
            "stopped": self.reason,
            "due": f"{len(self.plan):,}",
            "visited again": f"{len(self.visits):,}",
            "changed": f"{len(self.changed):,}",
            "new links": f"{self.links:,}",
        }
        return "<h4>Recrawl</h4>" + html_rows(rows.items())


@sync
def recrawl(
    folder: str | Path,
    *,
    pages: int | None = None,
    minutes: float | None = None,
    every: float = 1.0,
    new: float = 0.0,
    aim: Aim = "changes",
    dry_run: bool = False,
    interest: str | Interest = "",
    strategy: str | Strategy | None = None,
    judge: Judging | None = None,
    watch: Callable[[Revisit], None] | None = None,
    now: Callable[[], float] = time.time,
    **settings: Any,
) -> Recrawl:
    """Revisit the pages of a crawl that were not visited for `every` days, the most valuable first.

    Aim at `changes` to find as many relevant changes as the visits allow, or at `freshness` to keep as much as possible
    up to date, which gives up pages that change all the time. New versions are kept beside the old ones; links to
    unknown URLs become candidates for `resume`. The share `new` of the visits goes to such candidates at once.
    Settings given here are valid for this run only. Objects that the crawl was made with must be given again.
    """
    folder = Path(folder)
    limits = _Limits(pages, minutes, every, new, aim)
    limits.check()
    refuse_shard(folder, "recrawled")
    one = partial(_recrawl_folder, own=OwnParts(interest, strategy, judge), watch=watch, now=now)
    if not is_whole(folder):
        return one(folder, limits, dry_run, settings)
    return _recrawl_shards(folder, limits, now, dry_run, one, settings)


def _recrawl_folder(
    folder: Path,
    limits: _Limits,
    dry_run: bool,
    settings: Mapping[str, Any],
    own: OwnParts,
    watch: Callable[[Revisit], None] | None,
    now: Callable[[], float],
) -> Recrawl:
    """Recrawl one folder."""
    if dry_run:
        with open_folder(folder, reading=True) as store:
            plan, _ = _due_pages(Revisits(store), now(), limits)
            return Recrawl(folder, plan[: limits.pages], reason="nothing was fetched")
    with open_folder(folder) as store:
        config = configure(settings_in(store), **settings)
        require_room(folder, config.until.min_free)
        if not store.progress():
            raise StoreError(f"{folder} has no pages yet; to start the crawl: clew resume {folder}")
        feedback.remember(config, store)
        state = feedback.state_of_folder(config, store, own)
        fetcher = with_browser(config.fetch, config.scope.media)
        engine = _restored_engine(state, store, fetcher)
        history = Revisits(store, config.keep.warc_megabytes * 10**6)
        deadline = time.monotonic() + limits.minutes * 60 if limits.minutes else math.inf
        # How many visits the tour may make is known once the plan is made.
        tour = Tour(state, fetcher, history, max_visits=0, deadline=deadline, now=now)
        if watch:
            tour.watch = watch
        return run(_Session(engine, tour, limits).run())


def _recrawl_shards(
    folder: Path,
    limits: _Limits,
    now: Callable[[], float],
    dry_run: bool,
    one: Callable[[Path, _Limits, bool, Mapping[str, Any]], Recrawl],
    more: Mapping[str, Any],
) -> Recrawl:
    """One shard after the other; the most valuable pages of all say how many visits each shard gets."""
    if limits.new:
        raise ConfigError("with several shards, new pages are visited by clew resume: leave out new (--new)")
    plans: dict[Path, list[DuePage]] = {}
    for path in shard_folders(folder):
        with open_folder(path, reading=True) as store:
            plans[path], _ = _due_pages(Revisits(store), now(), limits)
    if dry_run:
        return Recrawl(folder, most_valuable(plans, limits.pages), reason="nothing was fetched")
    whole = read_folder(folder).fetch
    # Only one shard asks at a time.
    settings = {"parallel": whole.parallel, "shards": 1, **more}
    deadline = time.monotonic() + limits.minutes * 60 if limits.minutes else math.inf
    done: list[Recrawl] = []
    with lock(folder):
        for path, pages in shares(plans, limits.pages).items():
            left = (deadline - time.monotonic()) / 60
            if left <= 0 or (done and done[-1].reason == INTERRUPTED):
                break
            part = replace(limits, pages=pages, minutes=None if math.isinf(left) else left)
            done.append(one(path, part, False, settings))
    visits = [visit for part in done for visit in part.visits]
    usual = ALL_DUE if limits.pages is None or len(visits) < limits.pages else f"{len(visits)} visits"
    unusual = [part.reason for part in done if part.reason not in (ALL_DUE, f"{len(part.visits)} visits")]
    reason = next(iter(unusual), usual)
    return Recrawl(folder, most_valuable(plans, limits.pages), visits, sum(part.links for part in done), reason)


@dataclass(frozen=True)
class _Limits:
    """What a recrawl may visit; the names and meanings are those of `recrawl`."""

    pages: int | None
    minutes: float | None
    every: float
    new: float
    aim: Aim

    def check(self) -> None:
        """Refuse values that make no sense."""
        if self.aim not in get_args(Aim):
            raise ConfigError(f"aim must be one of {', '.join(get_args(Aim))}, not {self.aim!r}")
        is_positive = (self.pages is None or self.pages > 0) and (self.minutes is None or self.minutes > 0)
        if not (is_positive and self.every >= 0 and 0 <= self.new < 1):
            raise ConfigError("pages and minutes must be above 0, every at least 0, and new a share from 0 to below 1")


def _restored_engine(state: CrawlState, store: CrawlFolder, fetcher: HttpFetcher | Rendering) -> Engine:
    """The crawl of a folder as the last commit left it."""
    fetcher.politeness.remember(store.load_host_state(state.config.fetch.max_delay), store.save_host_state)
    fetcher.keep_answer = store.keep_answer
    # The time of revisits does not count as time of the crawl.
    engine = SpeakingEngine(state, fetcher, store, clock=lambda: 0.0)
    engine.resume(store)
    engine.speak(store)
    return engine


@dataclass
class _Session:
    """One recrawl, from the first visit to the new links."""

    engine: Engine
    tour: Tour
    limits: _Limits

    async def run(self) -> Recrawl:
        tour = self.tour
        store = tour.history.store
        try:
            with Interruptible(tour):
                # An earlier recrawl may have been killed before it added its links.
                absorb(self.engine, tour.history)
                plan = await self._revisit()
            links = absorb(self.engine, tour.history)
            changed = sum(visit.changed is True for visit in tour.visits)
            store.note("recrawl", f"{len(tour.visits)} pages, {changed} changed, {links} new links")
            self.engine.commit(checkpoint=True)
            news = await self._visit_new_pages() if self.limits.new else None
        finally:
            await tour.fetcher.close()
            tour.history.close()
        reason = tour.reason or ALL_DUE
        return Recrawl(store.folder, plan, tour.visits, links, reason, news)

    async def _revisit(self) -> list[DuePage]:
        """Visit what is due, and return the plan."""
        tour = self.tour
        limits = self.limits
        plan, sitemaps = _due_pages(tour.history, tour.now(), limits)
        total = len(plan) + len(sitemaps) if limits.pages is None else limits.pages
        tour.max_visits = max(1, round(total * (1 - limits.new)))
        # Sitemaps first: they announce changes of other pages, so the plan is made again.
        await tour.run(sitemaps)
        if sitemaps:
            plan, _ = _due_pages(tour.history, tour.now(), limits)
        if not tour.reason:
            await tour.run(plan)
        return plan

    async def _visit_new_pages(self) -> Stats | None:
        """Spend the share of the visits that goes to new pages, as an ordinary crawl."""
        state = self.engine.state
        tour = self.tour
        new = self.limits.new
        visits = round(len(tour.visits) * new / (1 - new))
        minutes_left = (tour.deadline - time.monotonic()) / 60
        if visits < 1 or minutes_left <= 0:
            return None
        before = self.engine.stats
        # The limits of a crawl count from its beginning, not from this run.
        minutes = before.seconds / 60 + minutes_left if minutes_left < math.inf else None
        min_free = state.config.until.min_free
        until = Until(pages=None, visits=before.visited + visits, minutes=minutes, min_free=min_free)
        state.config = replace(state.config, until=until)
        # With a running clock, unlike the engine of the revisits; the fetcher knows what hosts have asked for.
        engine = Engine(state, tour.fetcher, tour.history.store)
        engine.earlier = before.seconds
        engine.committed = state.order
        with Interruptible(engine):
            await engine.run()
        return engine.stats


def _due_pages(history: Revisits, now: float, limits: _Limits) -> tuple[list[DuePage], list[DuePage]]:
    """The pages that are due, the most valuable first, and the sitemaps that are due."""
    revisits: dict[str, list[Revisit]] = defaultdict(list)
    for visit in history.all():
        revisits[visit.url].append(visit)
    pages: list[Record] = []
    sitemaps: list[Record] = []
    modified: dict[str, float] = {}
    scope = settings_in(history.store).scope
    for record in history.store.visits():
        if record.state not in (UrlState.FETCHED, UrlState.SITEMAP) or record.is_robots_file:
            continue
        # Reading a version costs time, so only those are read whose names suggest a sitemap.
        is_candidate = bool(scope.sitemaps) and _may_be_sitemap(record.url)
        dates = _announced(history, record) if is_candidate else {}
        if dates:
            sitemaps.append(record)
        elif record.state == UrlState.FETCHED:
            pages.append(record)
        modified |= dates
    due_pages = schedule(pages, revisits, now, limits.every, modified, limits.aim)
    due_sitemaps = schedule(sitemaps, revisits, now, limits.every)
    return due_pages, due_sitemaps


def _announced(history: Revisits, record: Record) -> dict[str, float]:
    """The changes that a page announces, if it is a sitemap that the archive still has."""
    try:
        return dict(lastmods(history.version(record)[0]))
    except RecordLost:
        return {}


def _may_be_sitemap(url: str) -> bool:
    return url.partition("?")[0].endswith((".xml", ".xml.gz"))
