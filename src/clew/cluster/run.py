"""A crawl on several shards from start to end, new or resumed."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from clew import config as settings_of
from clew.cluster.crawl import LeadCrawl, Watched
from clew.cluster.lead import Lead
from clew.cluster.on_ray import ray_team
from clew.cluster.plan import Plan, refuse
from clew.cluster.report import Ceiling, Report
from clew.config import Config, configure
from clew.core.build import OwnParts, build_parts, build_stop_rules, new_folder
from clew.core.disk_space import require_room
from clew.core.runner import Interruptible
from clew.core.stop import stop_rules
from clew.errors import ConfigError, StoreError
from clew.store.folder import lock
from clew.store.whole import SHARDS, is_whole, shard_folders
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
                team = opened.enter_context(ray_team(self.plan))
                return await self._lead(LeadCrawl(team, lead_of(self.plan), self._watched()))
        finally:
            _clear_unless_begun(folder)

    async def _lead(self, crawl: LeadCrawl) -> str:
        self.lead = crawl
        with Interruptible(crawl):
            reason = await crawl.main()
        self.stats = crawl.lead.stats()
        self.threshold = next(iter(crawl.lead.reports.values())).threshold
        return reason

    def _watched(self) -> Watched:
        rules = [*stop_rules(self.plan.config.until), *build_stop_rules(self.plan.config, self.own)]
        return Watched(self.watch, self.watch_shards, self.notify, rules)


def lead_of(plan: Plan) -> Lead:
    """The lead of a crawl, with its budget."""
    until = plan.config.until
    pages = math.inf if until.pages is None else until.pages
    visits = math.inf if until.visit_limit is None else until.visit_limit
    return Lead(plan.shards, Ceiling(pages, visits), plan.start_pages(), plan.patience())


def new_sharded(config: Config, own: OwnParts, guessed_https: frozenset[str] = frozenset()) -> ShardedRun:
    """A new crawl on several shards."""
    refuse(config, own)
    path = Path(config.keep.folder) if config.keep.folder else new_folder(config.what.interest or config.what.judge)
    if (path / SHARDS).exists() or (path / "crawl.db").exists():
        raise StoreError(f"{path} already holds a crawl; to continue it: clew resume {path}")
    require_room(path, config.until.min_free)
    # Bad settings are found here rather than in every shard; examples are read once.
    _, _, examples = build_parts(config, own)
    config = configure(config, folder=str(path.absolute()))
    return ShardedRun(Plan(config, guessed_https, examples), own)


def resumed_sharded(path: Path, own: OwnParts, config: Config, before: Config) -> ShardedRun:
    """A crawl on several shards goes on."""
    shards = before.fetch.shards
    if config.fetch.shards != shards:
        raise ConfigError(
            f"{path} has {shards} shards, and a page belongs to one of them by that number: it cannot become "
            f"{config.fetch.shards}"
        )
    changed = [name for name in ("interest", "judge", "threshold", "strategy") if _differ(name, config, before)]
    if changed:
        raise ConfigError(f"{changed[0]} of a crawl on several shards cannot be changed yet; start a new crawl")
    refuse(config, own)
    require_room(path, config.until.min_free)
    return ShardedRun(Plan(configure(config, folder=str(path.absolute()))), own, is_new=False)


def _differ(name: str, config: Config, before: Config) -> bool:
    return bool(getattr(config.what, name) != getattr(before.what, name))


def _clear_unless_begun(folder: Path) -> None:
    """A crawl that never began leaves its folder as if nothing had happened."""
    if not is_whole(folder) or shard_folders(folder):
        return
    for path in (folder / SHARDS).iterdir():
        path.rmdir()
    (folder / SHARDS).rmdir()
    for name in ("crawl.toml", "lock"):
        (folder / name).unlink(missing_ok=True)
    if not any(folder.iterdir()):
        folder.rmdir()
