"""A crawl through the ordinary engine that keeps nothing on disk."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, cast

from clew.base import codec
from clew.config import Config, configure
from clew.core.build import (
    AnySink,
    OwnParts,
    build_parts,
    build_sinks,
    build_stop_rules,
    frontier,
    inherit,
    validated,
)
from clew.core.build import link_source as earlier_crawls
from clew.core.engine import Engine
from clew.core.interest_change import InterestChange
from clew.core.notebook import html_table
from clew.core.runner import run, sync
from clew.core.state import CrawlState
from clew.core.stop import StopRule
from clew.fetch import Fetcher
from clew.interests import Interest, Judging
from clew.store import MemoryStore, Record, Store
from clew.store.frames import to_pandas
from clew.strategies import LinkSource, Strategy, _optional
from clew.types import Fetched, Judgement, Page, Stats, UrlState

if TYPE_CHECKING:
    from pandas import DataFrame

SIMULATED: Final[dict[str, Any]] = {
    "parallel": 1,
    "delay": 0,
    "retries": 0,
    "noindex": "keep",
    "url_rules": (),
    "duplicates": "keep",
    "soft_404": False,
    "traps": False,
    "host_pages": 0,
}
"""Settings of a simulation: a world that stands still needs no politeness, and all its pages are meant."""


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
        return [record.url for record in self.records if record.state != UrlState.REDIRECTED]

    def to_pandas(self) -> DataFrame:
        """One row for each visit; needs the extra `pandas`."""
        return to_pandas(self.records)

    def _repr_html_(self) -> str:
        return html_table("Simulation", {"reason": self.reason}, self.stats)


class _Recorded:
    """A store that also keeps the records, whatever else it does with them."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.records: list[Record] = []

    def add(self, record: Record, fetched: Fetched, page: Page | None) -> None:
        self.records.append(record)
        self._store.add(record, fetched, page)

    def judge(self, order: int, url: str, judgement: Judgement) -> None:
        self.records[order] = replace(self.records[order], **judgement._asdict())
        self._store.judge(order, url, judgement)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)


@sync
def run_simulation(
    world: Fetcher,
    interest: str | Interest,
    seeds: str | Iterable[str],
    *,
    strategy: str | Strategy | None = None,
    judge: str | Judging | None = None,
    sinks: Sequence[AnySink] = (),
    stop_rules: Sequence[str | StopRule] = (),
    store: Store | None = None,
    config: Config | None = None,
    watch: Callable[[Stats], None] | None = None,
    prepare: Callable[[Engine], None] | None = None,
    learned: Mapping[str, Any] | None = None,
    interest_change: tuple[int, Interest] | None = None,
    link_source: LinkSource | None = None,
    **settings: Any,
) -> Simulation:
    """Crawl a world, one page at a time.

    `prepare` is shown the engine before it runs: the laboratory measures and disturbs crawls in this way. `learned` is
    what an earlier simulation has learnt, `interest_change` another interest with the number of visits after which it
    holds, `link_source` a source for what lies outside the link graph.
    """
    own = OwnParts(interest, strategy, judge, sinks, stop_rules)
    config = validated(configure(config, **{**SIMULATED, **settings, **own.as_settings(seeds)}), own)
    wanted, chosen, _ = build_parts(config, own)
    if learned is not None:
        _optional.inherit(chosen, learned)
    inherit(config, chosen)
    recorded = _Recorded(MemoryStore() if store is None else store)
    where = cast(Store, recorded)
    source = link_source or earlier_crawls(config)
    state = CrawlState(config, wanted, chosen, where, frontier(config, None), source)
    engine = Engine(state, world, where, sinks=build_sinks(config, own), extra_stop_rules=build_stop_rules(config, own))
    if watch:
        engine.watch = watch
    if interest_change:
        visits, other = interest_change
        if config.what.threshold is not None:
            other = other.at(config.what.threshold)
        InterestChange(visits, other).attach(engine, recorded.records)
    if prepare:
        prepare(engine)
    reason = run(engine.run())
    return Simulation(recorded.records, engine.stats, reason, chosen)
