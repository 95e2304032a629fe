"""Another look at the pages of a crawl: what has changed, and where that leads."""

from __future__ import annotations

import math
import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, get_args

from clew import config as settings_of
from clew.config import Until, configure
from clew.core import feedback
from clew.core.build import OwnParts
from clew.core.engine import Engine
from clew.core.notebook import html_rows
from clew.core.runner import Interruptible, run, sync
from clew.errors import ConfigError, StoreError
from clew.fetch import with_browser
from clew.interests import Interest, Judging
from clew.revisit.new_links import absorb
from clew.revisit.schedule import Aim, Due, lastmods, schedule
from clew.revisit.tour import Tour
from clew.store import Record, Revisit, Revisits, open_folder
from clew.strategies import Strategy
from clew.types import Stats, UrlState


@dataclass(frozen=True)
class Recrawl:
    """What another look has brought."""

    folder: Path
    plan: list[Due]  # what was due, the most valuable first
    visits: list[Revisit] = field(default_factory=list)
    links: int = 0  # new candidates for `resume`
    reason: str = ""
    news: Stats | None = None  # the crawl after its share of visits went to new pages

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
    """Visit the pages of a crawl again that were not visited for `every` days, the most valuable first.

    Aim at `changes` to find as many relevant changes as the visits allow, or at `freshness` to keep as much as possible
    up to date, which gives up pages that change all the time. The new versions are kept beside the old ones; links to
    unknown URLs become candidates for `resume`. Of the visits, the share `new` goes to such candidates at once.
    Settings given here hold for this run only. Objects that the crawl was made with must be given again.
    """
    if aim not in get_args(Aim):
        raise ConfigError(f"aim must be one of {', '.join(get_args(Aim))}, not {aim!r}")
    if not (0 <= new < 1 and every >= 0 and (pages is None or pages > 0) and (minutes is None or minutes > 0)):
        raise ConfigError("pages and minutes must be above 0, every at least 0, and new a share from 0 to below 1")
    folder = Path(folder)
    if dry_run:
        with open_folder(folder, reading=True) as store:
            plan, _ = _due(Revisits(store), now(), every, aim)
            return Recrawl(folder, plan[:pages], reason="nothing was fetched")
    with open_folder(folder) as store:
        config = configure(settings_of.read_folder(folder), **settings)
        if not store.progress():
            raise StoreError(f"{folder} holds no pages yet; `clew resume {folder}` begins")
        feedback.remember(config, store)
        state = feedback.state_of_folder(config, store, OwnParts(interest, strategy, judge))
        fetcher = with_browser(config.fetch)
        fetcher.politeness.remember(store.load_host_state(config.fetch.max_delay), store.save_host_state)
        engine = Engine(state, fetcher, store, clock=lambda: 0.0)  # the crawl's own time stands still
        engine.resume(store)
        history = Revisits(store, config.keep.warc_megabytes * 10**6)
        until = time.monotonic() + minutes * 60 if minutes else math.inf
        tour = Tour(state, fetcher, history, 0, until, now)
        if watch:
            tour.watch = watch
        return run(_Look(engine, tour, every, new, pages, aim).run())


@dataclass
class _Look:
    """One run, from the first page to the new links."""

    engine: Engine
    tour: Tour
    every: float
    new: float
    pages: int | None
    aim: Aim

    async def run(self) -> Recrawl:
        store, tour = self.tour.history.store, self.tour
        try:
            with Interruptible(tour):
                absorb(self.engine, tour.history)  # what a kill has left
                plan = await self._tour()
            links = absorb(self.engine, tour.history)
            changed = sum(visit.changed is True for visit in tour.visits)
            store.note("recrawl", f"{len(tour.visits)} pages, {changed} changed, {links} new links")
            self.engine.commit(checkpoint=True)
            news = await self._news() if self.new else None
        finally:
            await tour.fetcher.close()
            tour.history.close()
        return Recrawl(store.folder, plan, tour.visits, links, tour.reason or "all that was due", news)

    async def _tour(self) -> list[Due]:
        """Sitemaps first: they tell of changes elsewhere."""
        plan, sitemaps = _due(self.tour.history, self.tour.now(), self.every, self.aim)
        total = len(plan) + len(sitemaps) if self.pages is None else self.pages
        self.tour.most = max(1, round(total * (1 - self.new)))
        await self.tour.run(sitemaps)
        if sitemaps:
            plan, _ = _due(self.tour.history, self.tour.now(), self.every, self.aim)
        if not self.tour.reason:
            await self.tour.run(plan)
        return plan

    async def _news(self) -> Stats | None:
        """The share of the visits that goes to new pages, as an ordinary crawl with the same manners."""
        state, tour = self.engine.state, self.tour
        share = round(len(tour.visits) * self.new / (1 - self.new))
        left = (tour.until - time.monotonic()) / 60
        if share < 1 or left <= 0:
            return None
        before = self.engine.stats
        minutes = before.seconds / 60 + left if left < math.inf else None
        state.config = replace(state.config, until=Until(pages=before.visited + share, minutes=minutes))
        engine = Engine(state, tour.fetcher, tour.history.store)
        engine.earlier, engine.committed = before.seconds, state.order
        with Interruptible(engine):
            await engine.run()
        return engine.stats


def _due(history: Revisits, now: float, every: float, aim: Aim) -> tuple[list[Due], list[Due]]:
    """The pages that are due, by value, and the sitemaps that are."""
    past: dict[str, list[Revisit]] = defaultdict(list)
    for visit in history.all():
        past[visit.url].append(visit)
    pages, sitemaps = list[Record](), list[Record]()
    modified: dict[str, float] = {}
    scope = settings_of.read_folder(history.store.folder).scope
    for record in history.store.visits():
        if record.state == UrlState.FETCHED and record.file and not record.is_robots_file:
            version = history.version(record)[0] if scope.sitemaps and _may_list(record.url) else None
            told = dict(lastmods(version)) if version else {}
            (sitemaps if told else pages).append(record)
            modified |= told
    return schedule(pages, past, now, every, modified, aim), schedule(sitemaps, past, now, every)


def _may_list(url: str) -> bool:
    return url.partition("?")[0].endswith((".xml", ".xml.gz"))
