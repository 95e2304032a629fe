"""A crawl through the ordinary engine that keeps nothing on disk."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from clew.base import codec
from clew.config import Config, configure
from clew.core.build import (
    AnySink,
    OwnParts,
    build_parts,
    build_sinks,
    build_stop_rules,
    fixed_threshold,
    frontier,
    inherit,
    validated,
)
from clew.core.engine import Engine
from clew.core.interest_change import InterestChange
from clew.core.manners import STILL, LiveFetcher, manners_of
from clew.core.notebook import html_table
from clew.core.runner import new_loop, run, sync
from clew.core.search_sources import build_search_source, online
from clew.core.state import CrawlState
from clew.core.stop import StopRule
from clew.core.virtual_time import VirtualClock, VirtualLoop
from clew.core.web_faults import WebFaults
from clew.fetch import Fetcher
from clew.interests import Interest, Judging
from clew.parse.url import canonical
from clew.store import MemoryStore, Record, Store
from clew.store.frames import to_pandas
from clew.strategies import SearchSource, Strategy, _optional
from clew.types import Fetched, Judgement, Page, Stats, UrlState

if TYPE_CHECKING:
    from pandas import DataFrame

SIMULATED: Final[dict[str, Any]] = {
    "judge": "plain",
    # The laboratory's classifiers are trained on whole pages.
    "boilerplate": "keep",
    "retries": 0,
    "noindex": "keep",
    "sitemaps": 0,
    "url_rules": (),
    "duplicates": "keep",
    "soft_404": False,
    "traps": False,
    "host_pages": 0,
}
"""Settings of a simulation, whatever its manners: all pages of a world are meant."""

NO_VISITS: Final = frozenset({UrlState.REDIRECTED, UrlState.REFUSED})


def _by_visits(config: Config) -> Config:
    """The limit of pages as a limit of visits, unless the caller sets both: strategies are compared by what they do
    with the same number of visits."""
    until = config.until
    if until.visits is not None:
        return config
    return configure(config, pages=None, visits=until.pages)


@dataclass(frozen=True)
class Simulation:
    """A crawl that left nothing behind."""

    records: list[Record]
    stats: Stats
    reason: str
    strategy: Strategy
    clock_times: list[float] = field(default_factory=list, repr=False)  # seconds at each record
    cut: float = 0.5  # the chance from which on a page counts, by a judge that learns

    @property
    def learned(self) -> dict[str, Any]:
        """What the strategy knows at the end; another simulation can begin with it."""
        return dict(codec.loads(self.strategy.save()))

    @property
    def order(self) -> list[str]:
        """The URLs in the order of their visits."""
        return [record.url for record in self.visits]

    @property
    def visits(self) -> list[Record]:
        """The records that count as visits: no redirects, and nothing that nobody was asked for."""
        return [record for record in self.records if record.state not in NO_VISITS]

    def chances(self, relevances: NDArray[np.float64]) -> NDArray[np.float64]:
        """The chances that pages are relevant: a calibrated relevance is 0.5 where pages begin to count."""
        odds = np.clip(relevances, 1e-6, 1 - 1e-6)
        odds = odds / (1 - odds) * self.cut / (1 - self.cut)
        return np.asarray(odds / (1 + odds))

    @property
    def times(self) -> list[float]:
        """The seconds that had passed at each visit of `order`: virtual ones with live manners."""
        pairs = zip(self.records, self.clock_times, strict=True)
        return [seconds for record, seconds in pairs if record.state not in NO_VISITS]

    def to_pandas(self) -> DataFrame:
        """One row for each visit; needs the extra `pandas`."""
        return to_pandas(self.records)

    def _repr_html_(self) -> str:
        return html_table("Simulation", {"reason": self.reason}, self.stats)


class _Recorded:
    """A store that also keeps the records, whatever else it does with them."""

    def __init__(self, store: Store, clock: Callable[[], float]) -> None:
        self._store = store
        self._clock = clock
        self._began = clock()
        self.records: list[Record] = []
        self.times: list[float] = []

    def add(self, record: Record, fetched: Fetched, page: Page | None) -> None:
        self.records.append(record)
        self.times.append(self._clock() - self._began)
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
    search_sources: Sequence[str | SearchSource] = (),
    strict: bool = False,
    manners: str = STILL,
    **settings: Any,
) -> Simulation:
    """Crawl a world; `pages` limits the visits, unless `visits` does.

    With the `manners` "still" one page is fetched at a time, and nobody waits. With "live" manners the crawl is as
    polite as on the web, on a virtual clock.

    `prepare` is shown the engine before it runs: the laboratory measures and disturbs crawls in this way. `learned` is
    what an earlier simulation has learnt, `interest_change` another interest with the number of visits after which it
    holds. With `strict`, exceptions in judge and strategy are raised: a crawl goes on after them, but what it measures
    is not the strategy then.
    """
    own = OwnParts(interest, strategy, judge, sinks, stop_rules, search_sources=search_sources)
    chosen_manners = manners_of(manners)
    defaults = {**SIMULATED, **chosen_manners.settings}
    config = validated(configure(config, **{**defaults, **settings, **own.as_settings(seeds)}), own)
    config = _by_visits(config)
    wanted, chosen, _ = build_parts(config, own)
    if learned is not None:
        _optional.inherit(chosen, learned)
    inherit(config, chosen)
    clock: Callable[[], float] = time.monotonic
    make_loop = new_loop
    if chosen_manners.is_live:
        clock = virtual_clock = VirtualClock()
        make_loop = partial(VirtualLoop, virtual_clock)
        start_pages = frozenset(canonical(url) or url for url in config.what.seeds)
        faults = WebFaults(**chosen_manners.shares, seed=config.what.seed, spared=start_pages)
        world = LiveFetcher(world, config.fetch, virtual_clock, config.what.seed, faults)
    recorded = _Recorded(MemoryStore() if store is None else store, clock)
    where = cast(Store, recorded)
    source = build_search_source(config, own, where)
    online(source)
    state = CrawlState(config, wanted, chosen, where, frontier(config, None), source)
    state.faults.is_strict = strict
    own_sinks = build_sinks(config, own)
    own_rules = build_stop_rules(config, own)
    engine = Engine(state, world, where, sinks=own_sinks, clock=clock, extra_stop_rules=own_rules)
    if watch:
        engine.watch = watch
    if interest_change:
        visits, other = interest_change
        if (threshold := fixed_threshold(config)) is not None:
            other = other.at(threshold)
        InterestChange(visits, other).attach(engine, recorded.records)
    if prepare:
        prepare(engine)
    reason = run(engine.run(), make_loop)
    return Simulation(recorded.records, engine.stats, reason, chosen, recorded.times, state.verdicts.cut)
