"""The loop that takes pages from the web to the store; live crawls and simulations run the same one.

The life of a URL. A link names it, or the user does. The frontier gives it a slot: *queued*, or *out of scope* with
the reason. The strategy scores it. When it is the best candidate whose host is ready, it is *in flight*. Its answer
lands: a redirect hands its evidence on to the target; a temporary failure queues it again; anything else makes it a
page. The page is parsed and judged, its links enter the frontier, the strategy learns from it and scores what it
touched. The visit is *fetched*, *duplicate*, *failed* or *refused* in the store, durable with the next commit.

The engine keeps the time, `InFlight` the fetches that are under way; what follows from a visit is the `CrawlState`.
Resuming takes the same path: the last checkpoint, then every visit committed since, applied again from the archive.
"""

from __future__ import annotations

import asyncio
import logging
import shlex
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Protocol, TypeVar

import numpy as np

from clew.config import Config
from clew.core.advice import ADVISE_AT_VISITS, advice
from clew.core.cached_fetch import get_cached
from clew.core.checkpoint import checkpoint_of, replay
from clew.core.checkpoint_pace import CheckpointPace
from clew.core.choices import Choices
from clew.core.disk_space import shortage
from clew.core.head import Head
from clew.core.inflight import InFlight, RetryPolicy
from clew.core.label_inbox import LabelInbox
from clew.core.patience import Patience
from clew.core.pausing import Pause
from clew.core.rejudging import REJUDGING, SLICE_SECONDS, Rejudging
from clew.core.sinks import SinkRunner
from clew.core.standstill import standstill
from clew.core.start import (
    START_PAGE_WAIT_SECONDS,
    StartPage,
    beginning,
    count_start_pages,
    failed_start_pages,
    queue_start_pages,
    set_threshold,
    with_http,
)
from clew.core.state import CrawlState
from clew.core.stop import LearnsPages, StopRule, budget_left, reason_of, stop_rules
from clew.errors import StartError
from clew.fetch import Fetcher, RemembersHosts
from clew.filters.scope_report import understood
from clew.store import CrawlInfo, Durable, FocusChange, KeepsTexts, Sink, Store
from clew.store.page_cache import PageCache
from clew.strategies import Strategy, _optional
from clew.types import Doc, Fetched, Stats, UrlState

T = TypeVar("T")

INTERRUPTED = "interrupted"

log = logging.getLogger("clew.engine")


def _ignore(_: object) -> None:
    """Nobody looks on."""


class TakesOrders(Protocol):
    """Brings to the crawl what its user tells it while it runs."""

    def look(self) -> None:
        """Take the orders that wait, if it is time to look for them; called between two visits."""
        ...


@dataclass
class Engine:
    """One crawl: give it the parts, then `run` it."""

    state: CrawlState
    fetcher: Fetcher
    store: Store
    watch: Callable[[Stats], None] = _ignore
    sinks: Sequence[Sink] = ()
    notify: Callable[[str], None] = _ignore  # is told what the user should know
    clock: Callable[[], float] = time.monotonic
    extra_stop_rules: Sequence[StopRule] = ()
    guessed_https: frozenset[str] = frozenset()  # start pages that the user named without a scheme
    cache: PageCache | None = None  # asked before the web
    news: Sequence[str] = ()  # what the user should know at the beginning
    reason: str = ""  # why it stopped

    def __post_init__(self) -> None:
        self.config = self.state.config
        self.frontier = self.state.frontier
        self.folder: Path | None = getattr(self.store, "folder", None)
        self.stop_rules: list[StopRule] = []
        self.learning_rules: list[LearnsPages] = []  # those of them that look at pages
        retry_policy = RetryPolicy(self.fetcher, self.frontier, self.config.fetch.retries, self.clock, self.store.note)
        self.in_flight = InFlight(self._fetch, self.frontier, self.config.scope, retry_policy)
        self.patience = Patience.for_crawl(
            self.config, self.state.strategy, self.frontier, self.state.tally, lambda: self.seconds
        )
        self.choices = Choices(self.state, self.store)
        self.in_flight.chosen = self._chosen
        self.head = Head(self.state, self.store, self.clock)
        self.label_inbox = LabelInbox(self.state, self.store)
        self.order_inbox: TakesOrders | None = None
        self.rejudging: Rejudging | None = None  # what is left of a change of interest
        self.pause = Pause()
        self.is_draining = False  # whether nothing is sent because an order must wait until all has landed
        self.hungry = False  # whether there are free places that no candidate could fill
        self.earlier = 0.0  # seconds of earlier runs
        self.committed = 0  # visits
        self.advised_at = 0  # visits
        self.focus = ""
        self.focus_reason = ""  # why it has changed
        self.began = self.clock()
        self.committed_at = self.began
        self.checkpoint_pace = CheckpointPace(self.began)

    async def run(self) -> str:
        """Crawl until there is a reason to stop; the reason."""
        self.sink_runner = SinkRunner(self.sinks, self.stop)
        try:
            self.sink_runner.open(CrawlInfo(self.folder, self.config))
            await self._start_parsing()
            self._report_missing_input()
            if not self._has_begun:
                self._tell(*self.news)
                await self._begin()
            self._set_stop_rules()
            # From here on: start pages wait for nobody.
            self.in_flight.patience = self.patience
            self.advised_at = self.state.tally.visited
            while not self._is_finished():
                self.hungry = False
                if not self.is_held:
                    self._send(self._budget())
                await self._rest()
                self._take_in((slot, got, self.in_flight.read(got)) for slot, got in self.in_flight.land())
                if self._commit_at() <= self.clock():
                    self.commit()
                self._rejudge(SLICE_SECONDS)
                if self.order_inbox:
                    self.order_inbox.look()
        finally:
            self.pause.end(self.clock())
            await self.in_flight.recall()
            await self.in_flight.parsing.stop()
            self.sink_runner.close()
        if self.rejudging and self.reason != INTERRUPTED:
            self.finish_rejudging()
        self.state.finish_judging()
        log.info("stopped: %s", self.reason)
        self.store.note("stop", self.reason)
        self.commit(checkpoint=True)
        return self.reason

    def stop(self, reason: str = INTERRUPTED) -> None:
        """Ask for a clean end."""
        self.reason = self.reason or reason
        self.in_flight.wake.set()

    @property
    def is_held(self) -> bool:
        """Whether nothing is sent now: the crawl pauses, or an order waits until all has landed."""
        return self.pause.is_on or self.is_draining

    def begin_rejudging(self, rejudging: Rejudging | None) -> None:
        """Judge all pages again while the crawl goes on; None if it was done at once."""
        self.rejudging = rejudging

    def finish_rejudging(self) -> None:
        """Do what is left of it at once."""
        while self.rejudging:
            self._rejudge(float("inf"))

    def _rejudge(self, seconds: float) -> None:
        """Judge some pages again, if any are left."""
        if self.rejudging is None:
            return
        if self.committed < self.rejudging.until:
            # Pages are read from the store.
            self.commit()
        if not self.rejudging.step(seconds):
            return
        self.rejudging = None
        self.store.set(REJUDGING, "")
        self.store.note("judged again", f"all pages, by {self.state.interest}")
        self.commit(checkpoint=True)

    def change_settings(self, config: Config) -> None:
        """Go on with other settings: limits, delay, scope and start pages."""
        has_other_limits = config.until != self.config.until
        self.config = config
        self.state.change_settings(config)
        self.patience.until = config.until
        if isinstance(self.fetcher, RemembersHosts):
            self.fetcher.politeness.set_delay(config.fetch.delay)
        if has_other_limits and self.stop_rules:
            self._set_stop_rules()

    def resume(self, store: Durable) -> None:
        """Bring everything to where the last commit left it."""
        replay(self.state, store)
        progress = store.progress()
        self.earlier = progress.get("seconds", 0.0)
        self.patience.waited = progress.get("waited", 0.0)
        self.focus = progress.get("focus", "")
        self.focus_reason = progress.get("focus_reason", "")
        self.committed = self.state.order
        self.label_inbox.now()

    @property
    def seconds(self) -> float:
        """How long the crawl has run, earlier runs included; pauses do not count."""
        now = self.clock()
        return self.earlier + now - self.began - self.pause.seconds(now)

    @property
    def stats(self) -> Stats:
        """Where the crawl stands."""
        forecast = self.state.forecast
        return self.state.tally.snapshot(
            seconds=self.seconds,
            waiting=self.frontier.waiting,
            dropped=self.frontier.dropped,
            best=self.frontier.best(everywhere=self.config.until.min_score is not None),
            focus=self._ask_strategy("focus", _optional.focus) or "",
            focus_reason=self.focus_reason,
            paused=self.pause.is_on,
            at_ceiling=self._ask_strategy("at_ceiling", _optional.at_ceiling) or False,
            forecast=forecast.expected,
            forecast_low=forecast.low,
            forecast_high=forecast.high,
            expected_waiting=forecast.expected_waiting,
            faults=self.state.faults.count,
            **self.patience.as_stats(self.clock()),
        )

    def commit(self, checkpoint: bool = False) -> None:
        """Make everything durable, now and then with a checkpoint that saves replaying.

        Labels and faults of the strategy are never replayed: a commit that follows one has a checkpoint, which holds
        what came of it.
        """
        checkpoint = checkpoint or self.label_inbox.fresh or self.state.has_unsaved_change
        checkpoint = checkpoint or self.checkpoint_pace.is_due(self.clock(), self.config.keep.checkpoint_seconds)
        if self.rejudging:
            self.rejudging.note()
            checkpoint = True
        if checkpoint:
            self.checkpoint_pace.begin()
        saved = checkpoint_of(self.state) if checkpoint else None
        self.head.write(is_due=checkpoint)
        self.store.commit(self.frontier.changed_entries(), asdict(self.stats), saved)
        self.committed = self.state.order
        self.committed_at = self.clock()
        self.label_inbox.poll()
        if self.folder and (reason := shortage(self.folder, self.config.until.min_free)):
            self.stop(reason)
        log.debug("committed %d visits%s", self.committed, " with a checkpoint" if checkpoint else "")
        if checkpoint:
            self.state.saved()
            self.checkpoint_pace.end(self.committed_at)

    def _chosen(self, slot: int) -> None:
        self.choices.chosen(slot, self.focus)

    async def _fetch(self, slot: int) -> Fetched:
        fetched = await get_cached(self.frontier.url(slot), self.fetcher, self.cache)
        if fetched.url not in self.guessed_https or not (retry := with_http(fetched)):
            return fetched
        self._tell(f"{fetched.url} cannot be reached ({fetched.error}); trying {retry.location}")
        return retry

    async def _start_parsing(self) -> None:
        parsing = self.in_flight.parsing
        parsing.with_main_text = isinstance(self.store, KeepsTexts) and self.store.keeps_text
        parsing.processes = self.config.fetch.parse_processes
        await parsing.start()

    async def _begin(self) -> None:
        """Read the start pages first: they set the threshold. Nothing is committed before that."""
        for line in understood(self.config.scope):
            self.store.note("scope", line)
            self._tell(line)
        queue_start_pages(self.state)
        # Redirects are no visits: a start page that moved takes its new address along.
        pages = await self._read_start_pages(count_start_pages(self.config) + self.config.fetch.max_redirects)
        if self.reason:
            raise StartError(f"{self.reason} before the start pages were read: nothing was kept, nothing is lost")
        self._tell(*await self._agree(pages))
        if failures := failed_start_pages(pages):
            self._tell(failures)
        self._take_in(pages)
        self.state.add_urls(self.config.what.seeds[count_start_pages(self.config) :])
        # A replay needs a beginning.
        self.commit(checkpoint=True)

    async def _read_start_pages(self, limit: int) -> list[StartPage]:
        """Fetch what is queued, in the order of the user's list."""
        pages: list[StartPage] = []
        while (self.frontier.waiting or self.in_flight) and not self.reason and not self._must_wait_long():
            self.hungry = False
            self._send(limit)
            await self._rest(begun=False)
            for slot, fetched in self.in_flight.land(START_PAGE_WAIT_SECONDS):
                if fetched.location:
                    self._visit(slot, fetched, Doc(fetched.url))
                else:
                    pages.append(StartPage(slot, fetched, self.in_flight.read(fetched)))
            self.watch(self.stats)
        return sorted(pages, key=lambda page: page.slot)

    def _report_missing_input(self) -> None:
        if missing := self._ask_strategy("missing_input", _optional.missing_input):
            self.store.note("lacks", missing)
            self.notify(f"{self.config.what.strategy.partition('(')[0]} goes on without {missing}")

    def _must_wait_long(self) -> bool:
        ready = self.frontier.next_ready()
        if not self.hungry or self.in_flight or ready is None:
            return False
        return ready - self.clock() > START_PAGE_WAIT_SECONDS

    def _set_stop_rules(self) -> None:
        self.stop_rules = [*stop_rules(self.config.until, self.state.view), *self.extra_stop_rules]
        self.learning_rules = [rule for rule in self.stop_rules if isinstance(rule, LearnsPages)]

    def _is_finished(self) -> bool:
        """Whether a stop rule, or the user, wants an end."""
        stats = self.stats
        self.watch(stats)
        self._advise(stats)
        self.reason = self.reason or self.state.faults.verdict
        for rule in self.stop_rules:
            if self.reason:
                break
            self.reason = reason_of(rule, stats)
        return bool(self.reason)

    def _advise(self, stats: Stats) -> None:
        """Say early if nearly everything or nearly nothing counts as relevant."""
        if any(self.advised_at < visits <= stats.visited for visits in ADVISE_AT_VISITS):
            self.advised_at = stats.visited
            relevances = self.frontier.relevances()
            judged = relevances[~np.isnan(relevances)].tolist()
            folder = shlex.quote(str(self.folder or "FOLDER"))
            self._tell(*advice(stats, self.state.interest.threshold, judged, folder))

    def _send(self, limit: float) -> None:
        """Fill the free places, up to a limit, with the best candidates of hosts that are ready."""
        while len(self.in_flight) < min(self.config.fetch.parallel, limit):
            if not self.in_flight.send_best(self.state.rescore_best):
                self.hungry = True
                return self._idle()

    def _idle(self) -> None:
        """Nothing can be fetched now: is there a later, or an end?"""
        if self.in_flight or self.patience.wait or self.frontier.has_resting_candidates():
            return
        if self.state.unblock():
            return
        self._stand_still(*standstill(self.state))

    def _stand_still(self, reason: str, lines: Sequence[str]) -> None:
        """Nothing can be fetched, now or later: that is the end."""
        self.reason = reason
        self._tell(*lines)

    @property
    def _has_begun(self) -> bool:
        """Whether the start pages were read, in this run or an earlier one."""
        return self.state.order > 0

    def _budget(self) -> float:
        """How many fetches may be under way."""
        return budget_left(self.config.until, self.state.tally)

    async def _agree(self, pages: list[StartPage]) -> list[str]:
        """Set what the start pages decide; lines for the user."""
        return set_threshold(self.state, beginning(self.state, pages), self.store)

    @property
    def _may_hear_more(self) -> bool:
        """Whether something to do can come from elsewhere."""
        return self.is_held

    def _tell(self, *lines: str) -> None:
        """Say what the user should know."""
        for line in lines:
            log.info("%s", line)
            self.notify(line)

    async def _rest(self, begun: bool = True) -> None:
        """Until an answer lands, a host is ready again or a commit is due."""
        await asyncio.sleep(0)
        if self.in_flight.has_news or self.rejudging:
            # A fetcher that answers at once needs no timer.
            return
        ready = self.frontier.next_ready()
        if self.reason or (not self.in_flight and ready is None and not self._may_hear_more):
            return
        # Onlookers and limits on time want to know how late it is, at least once a second.
        until = self.clock() + 1.0
        if self.hungry:
            until = min(until, until if ready is None else ready, self.patience.ends_at)
        if begun:
            until = min(until, self._commit_at())
        await self.in_flight.wait(until)

    def _take_in(self, answers: Iterable[tuple[int, Fetched, Doc]]) -> None:
        for answer in answers:
            self._visit(*answer)
            if self.state.faults.verdict:
                # The others would fail, too; their URLs wait for the next run.
                return

    def _visit(self, slot: int, fetched: Fetched, doc: Doc) -> None:
        """An answer becomes a visit, and everybody takes it in."""
        visit = self.state.visit(slot, fetched, doc)
        if problem := self.state.apply_visit(visit):
            visit = self.state.fail(visit, problem)
        record = visit.record
        log.debug("%s %s %s", record.state, record.url, record.reason)
        self.store.add(record, fetched, visit.page)
        if isinstance(self.store, KeepsTexts):
            self.store.keep_text(record, doc.main_text)
        self.choices.visited(record, visit.page, doc)
        self.state.judge_again()
        if visit.page and record.state != UrlState.SITEMAP:
            for rule in self.learning_rules:
                rule.learn(visit.page)
            self.sink_runner.write(visit.page, doc)
        if self.rejudging is None:
            # A label that came between two slices would be judged away by the next one.
            self.label_inbox.after(record.url)
        self.note_focus()

    def note_focus(self, reason: str = "") -> None:
        """Write into the journal if the strategy follows another focus, from what to what and why."""
        focus = self._ask_strategy("focus", _optional.focus) or ""
        if focus == self.focus:
            return
        interest = str(self.state.interest)
        self.focus_reason = reason or self._ask_strategy("focus_reason", _optional.focus_reason) or ""
        change = f"from {self.focus or interest} to {focus or interest}"
        self.focus = focus
        detail = f"{change}: {self.focus_reason}" if self.focus_reason else change
        self.store.note("focus", FocusChange(self.state.tally.visited, detail).line)

    def _ask_strategy(self, task: str, question: Callable[[Strategy], T]) -> T | None:
        return self.state.faults.attempt("strategy", task, "the crawl", question, self.state.strategy)

    def _commit_at(self) -> float:
        """When the next commit is due."""
        keep = self.config.keep
        fresh = self.state.order - self.committed
        if fresh >= keep.commit_pages:
            return self.committed_at
        return self.committed_at + keep.commit_seconds if fresh else float("inf")
