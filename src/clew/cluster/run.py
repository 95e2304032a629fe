"""A crawl on several shards from start to end, new or resumed."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from clew import config as settings_of
from clew.cluster.crawl import REPORT_SECONDS, LeadCrawl, Team, Watched
from clew.cluster.lead import Lead
from clew.cluster.lead_orders import LeadOrders
from clew.cluster.on_ray import ray_team
from clew.cluster.plan import Plan, refuse, with_absolute_sinks
from clew.cluster.report import Ceiling, Report
from clew.config import Config, configure
from clew.core.build import OwnParts, build_parts, build_stop_rules, new_folder
from clew.core.disk_space import require_room
from clew.core.engine import INTERRUPTED
from clew.core.order_desk import OrderDesk
from clew.core.order_inbox import RUN_IS_OVER, take_for_shards, tell
from clew.core.runner import Interruptible
from clew.core.stop import StopRule, stop_rules
from clew.errors import ConfigError, StartError, StoreError
from clew.store.database import SHARDS, is_whole
from clew.store.folder import lock
from clew.store.orders import BOOK
from clew.store.shard_orders import WholeOrders
from clew.store.whole import shard_folders
from clew.types import Stats


@dataclass
class ShardedRun:
    """A crawl on several shards, ready to run once."""

    plan: Plan
    own: OwnParts
    is_new: bool = True
    watch: Callable[[Stats], None] = lambda stats: None
    watch_shards: Callable[[Sequence[Report]], None] = lambda reports: None
    notify: Callable[[str], None] = lambda line: None
    stats: Stats = field(default_factory=Stats, init=False)
    threshold: float = field(default=math.nan, init=False)
    lead: LeadCrawl | None = field(default=None, init=False)

    async def main(self) -> str:
        """From the last commit, or from the start, to the end; the reason."""
        folder = self.plan.folder
        folder.mkdir(parents=True, exist_ok=True)
        try:
            with ExitStack() as opened:
                opened.enter_context(lock(folder))
                (folder / SHARDS).mkdir(exist_ok=True)
                settings_of.write(self.plan.config, folder / "crawl.toml")
                self.notify(f"starting {self.plan.shards} shards on Ray; this takes some seconds")
                team = opened.enter_context(ray_team(self.plan, self.is_new))
                reason = await self._lead(lead_crawl(self.plan, team, self._watched(), self._rules))
        except KeyboardInterrupt:
            if shard_folders(folder):
                raise
            raise StartError(f"{INTERRUPTED} before Ray had started: nothing was kept, nothing is lost") from None
        finally:
            _clear_unless_begun(folder)
        if reason != INTERRUPTED:
            # Orders that came during the last visits.
            await asyncio.to_thread(take_for_shards, folder, RUN_IS_OVER)
        return reason

    async def _lead(self, crawl: LeadCrawl) -> str:
        self.lead = crawl
        with Interruptible(crawl):
            reason = await crawl.main()
        self.stats = crawl.lead.stats()
        self.threshold = next(iter(crawl.lead.reports.values())).threshold
        return reason

    def _watched(self) -> Watched:
        return Watched(self.watch, self.watch_shards, self.notify, self._rules(self.plan.config))

    def _rules(self, config: Config) -> list[StopRule]:
        return [*stop_rules(config.until), *build_stop_rules(config, self.own)]


Rules = Callable[[Config], Sequence[StopRule]]


def lead_crawl(plan: Plan, team: Team, watched: Watched, rules: Rules, pause: float = REPORT_SECONDS) -> LeadCrawl:
    """The crawl of a plan, which takes orders in the folder of the whole."""
    orders = LeadOrders(OrderDesk(plan.folder, plan.config, watched.notify))
    crawl = LeadCrawl(team, lead_of(plan), watched, orders, pause=pause)

    def follow(config: Config) -> None:
        crawl.lead.change_budget(budget_of(config))
        watched.rules = rules(config)

    orders.stop, orders.follow = crawl.stop, follow
    return crawl


def lead_of(plan: Plan) -> Lead:
    """The lead of a crawl, with its budget."""
    return Lead(plan.shards, budget_of(plan.config), plan.start_pages(), plan.patience())


def budget_of(config: Config) -> Ceiling:
    """The pages and visits that all shards may make."""
    pages = math.inf if config.until.pages is None else config.until.pages
    visits = math.inf if config.until.visit_limit is None else config.until.visit_limit
    return Ceiling(pages, visits)


def new_sharded(config: Config, own: OwnParts, guessed_https: frozenset[str] = frozenset()) -> ShardedRun:
    """A new crawl on several shards."""
    refuse(config, own)
    path = Path(config.keep.folder) if config.keep.folder else new_folder(config.what.interest or config.what.judge)
    if (path / SHARDS).exists() or (path / "crawl.db").exists():
        raise StoreError(f"{path} already holds a crawl; to continue it: clew resume {path}")
    require_room(path, config.until.min_free)
    # Bad settings are found here rather than in every shard; examples are read once.
    _, _, examples = build_parts(config, own)
    config = with_absolute_sinks(configure(config, folder=str(path.absolute())))
    return ShardedRun(Plan(config, guessed_https, examples), own)


def resumed_sharded(path: Path, own: OwnParts, config: Config, before: Config) -> ShardedRun:
    """A crawl on several shards goes on."""
    shards = before.fetch.shards
    if config.fetch.shards != shards:
        raise ConfigError(
            f"{path} has {shards} shards, and a page belongs to one of them by that number: it cannot become "
            f"{config.fetch.shards}"
        )
    changed = [name for name in ("judge", "strategy") if _differ(name, config, before)]
    if changed:
        raise ConfigError(f"{changed[0]} of a crawl on several shards cannot be changed yet; start a new crawl")
    refuse(config, own)
    require_room(path, config.until.min_free)
    # With the threshold first: for another interest, start pages need not say it any more.
    for name in ("threshold", "interest"):
        if _differ(name, config, before):
            _tell(path, name, str(getattr(config.what, name)))
    last_order = WholeOrders(path).last_taken()
    config = with_absolute_sinks(configure(config, folder=str(path.absolute())))
    return ShardedRun(Plan(config, last_order=last_order), own, is_new=False)


def _tell(path: Path, name: str, value: str) -> None:
    """Change the interest as `clew tell` does: all shards take the same order, before the crawl goes on."""
    with lock(path):
        # A crawl that runs would take it.
        pass
    order = tell(path, name, value)
    if order.refused:
        raise ConfigError(order.refused)


def _differ(name: str, config: Config, before: Config) -> bool:
    return bool(getattr(config.what, name) != getattr(before.what, name))


def _clear_unless_begun(folder: Path) -> None:
    """A crawl that never began leaves its folder as if nothing had happened."""
    if not is_whole(folder) or shard_folders(folder):
        return
    for path in (folder / SHARDS).iterdir():
        path.rmdir()
    (folder / SHARDS).rmdir()
    for name in ("crawl.toml", "lock", BOOK):
        (folder / name).unlink(missing_ok=True)
    if not any(folder.iterdir()):
        folder.rmdir()
