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
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass

from clew.core.checkpoint import checkpoint_of, replay
from clew.core.inflight import InFlight, RetryPolicy
from clew.core.label_inbox import LabelInbox
from clew.core.sinks import SinkRunner
from clew.core.start import START_PAGE_WAIT_SECONDS, StartPage, failed_start_pages, queue_start_pages, set_threshold
from clew.core.state import CrawlState
from clew.core.stop import EXHAUSTED, LearnsPages, StopRule, stop_rules
from clew.errors import StartError
from clew.fetch import Fetcher
from clew.store import CrawlInfo, Durable, Sink, Store
from clew.strategies import _optional
from clew.types import Doc, Fetched, Stats

HELD = "the strategy holds all candidates back"
SPENT = "every remaining host has reached its page budget (host_pages)"
INTERRUPTED = "interrupted"
CHECKPOINT_COST = 20
"""A checkpoint grows with the frontier: waiting this many times its duration bounds its share of the time."""

log = logging.getLogger("clew.engine")


def _ignore(_: object) -> None:
    """Nobody looks on."""


def _reason(rule: StopRule, stats: Stats) -> str:
    """Why a stop rule wants an end, or ""; a user's rule may just say True."""
    reason = rule(stats)
    if not reason or isinstance(reason, str):
        return reason or ""
    name = getattr(rule, "__name__", type(rule).__name__)
    return f"the stop rule {name} holds"


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
    reason: str = ""  # why it stopped

    def __post_init__(self) -> None:
        self.config = self.state.config
        self.frontier = self.state.frontier
        self.stop_rules: list[StopRule] = []
        self.learning_rules: list[LearnsPages] = []  # those of them that look at pages
        retry_policy = RetryPolicy(self.fetcher, self.frontier, self.config.fetch.retries, self.clock, self.store.note)
        self.in_flight = InFlight(self._fetch, self.frontier, self.config.scope, retry_policy)
        self.label_inbox = LabelInbox(self.state, self.store)
        self.hungry = False  # whether there are free places that no candidate could fill
        self.earlier = 0.0  # seconds of earlier runs
        self.committed = 0  # visits
        self.focus = ""
        self.began = self.clock()
        self.committed_at = self.began
        self.checkpoint_at = self.began

    async def run(self) -> str:
        """Crawl until there is a reason to stop; the reason."""
        self.sink_runner = SinkRunner(self.sinks, self.stop)
        folder = getattr(self.store, "folder", None)
        try:
            self.sink_runner.open(CrawlInfo(folder, self.config))
            self._report_missing_input()
            if not self.state.order:
                await self._begin()
            self.stop_rules = [*stop_rules(self.config.until, self.state.view), *self.extra_stop_rules]
            self.learning_rules = [rule for rule in self.stop_rules if isinstance(rule, LearnsPages)]
            while not self._is_finished():
                self._send(self.config.until.pages)
                await self._rest()
                for slot, fetched in self.in_flight.land():
                    self._visit(slot, fetched, self.in_flight.read(fetched))
                if self._commit_at() <= self.clock():
                    self.commit()
        finally:
            await self.in_flight.recall()
            self.sink_runner.close()
        log.info("stopped: %s", self.reason)
        self.store.note("stop", self.reason)
        self.commit(checkpoint=True)
        return self.reason

    def stop(self, reason: str = INTERRUPTED) -> None:
        """Ask for a clean end."""
        self.reason = self.reason or reason
        self.in_flight.wake.set()

    def resume(self, store: Durable) -> None:
        """Bring everything to where the last commit left it."""
        replay(self.state, store)
        self.earlier = store.progress().get("seconds", 0.0)
        self.committed = self.state.order
        self.label_inbox.now()

    @property
    def stats(self) -> Stats:
        """Where the crawl stands."""
        strategy = self.state.strategy
        forecast = self.state.forecast
        return self.state.tally.snapshot(
            seconds=self.earlier + self.clock() - self.began,
            waiting=self.frontier.waiting,
            dropped=self.frontier.dropped,
            best=self.frontier.best(everywhere=self.config.until.min_score is not None),
            focus=_optional.focus(strategy),
            at_ceiling=_optional.at_ceiling(strategy),
            forecast=forecast.expected,
            expected_waiting=forecast.expected_waiting,
        )

    def commit(self, checkpoint: bool = False) -> None:
        """Make everything durable, now and then with a checkpoint that saves replaying.

        Labels are never replayed: a commit that follows one has a checkpoint, which holds what came of it.
        """
        began = self.clock()
        is_due = began - self.checkpoint_at > self.config.keep.checkpoint_seconds
        checkpoint = checkpoint or self.label_inbox.fresh or is_due
        saved = checkpoint_of(self.state) if checkpoint else None
        self.store.commit(self.frontier.changed_entries(), asdict(self.stats), saved)
        self.committed = self.state.order
        self.committed_at = self.clock()
        self.label_inbox.poll()
        log.debug("committed %d visits%s", self.committed, " with a checkpoint" if checkpoint else "")
        if checkpoint:
            self.checkpoint_at = self.committed_at + CHECKPOINT_COST * (self.committed_at - began)

    async def _fetch(self, slot: int) -> Fetched:
        return await self.fetcher.get(self.frontier.url(slot))

    async def _begin(self) -> None:
        """Read the start pages first: they set the threshold. Nothing is committed before that."""
        count = queue_start_pages(self.state)
        pages = await self._read_start_pages(count + self.config.fetch.max_redirects)
        if self.reason:
            raise StartError(f"{self.reason} before the start pages were read: nothing was kept, nothing is lost")
        set_threshold(self.state, pages, self.store)
        count_read = "1 start page" if len(pages) == 1 else f"{len(pages)} start pages"
        log.info("threshold %.3f after %s", self.state.interest.threshold, count_read)
        if failures := failed_start_pages(pages):
            log.info("%s", failures)
            self.notify(failures)
        for page in pages:
            self._visit(*page)
        self.state.add_urls(self.config.what.seeds[count:])
        # A replay needs a beginning.
        self.commit(checkpoint=True)

    async def _read_start_pages(self, limit: int) -> list[StartPage]:
        """Fetch what is queued, in the order of the user's list."""
        pages: list[StartPage] = []
        while (self.frontier.waiting or self.in_flight) and not self.reason and not self._must_wait_long():
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
        if missing := _optional.missing_input(self.state.strategy):
            self.store.note("lacks", missing)
            self.notify(f"{self.config.what.strategy.partition('(')[0]} goes on without {missing}")

    def _must_wait_long(self) -> bool:
        ready = self.frontier.next_ready()
        if not self.hungry or self.in_flight or ready is None:
            return False
        return ready - self.clock() > START_PAGE_WAIT_SECONDS

    def _is_finished(self) -> bool:
        """Whether a stop rule, or the user, wants an end."""
        stats = self.stats
        self.watch(stats)
        for rule in self.stop_rules:
            if self.reason:
                break
            self.reason = _reason(rule, stats)
        return bool(self.reason)

    def _send(self, limit: int | None) -> None:
        """Fill the free places with the best candidates of hosts that are ready."""
        self.hungry = False
        while len(self.in_flight) < self.config.fetch.parallel:
            if limit is not None and self.state.tally.visited + len(self.in_flight) >= limit:
                return
            self.state.rescore_best()
            if not self.in_flight.send_best():
                self.hungry = True
                return self._idle()

    def _idle(self) -> None:
        """Nothing can be fetched now: is there a later, or an end?"""
        if self.in_flight or self.frontier.has_resting_candidates():
            return
        if self.state.unblock():
            return
        if not self.frontier.waiting:
            self.reason = EXHAUSTED
        else:
            self.reason = SPENT if self.state.filters.budgets.spent() else HELD

    async def _rest(self, begun: bool = True) -> None:
        """Until an answer lands, a host is ready again or a commit is due."""
        await asyncio.sleep(0)
        if self.in_flight.has_news:
            # A fetcher that answers at once needs no timer.
            return
        ready = self.frontier.next_ready()
        if self.reason or (not self.in_flight and ready is None):
            return
        # Onlookers and limits on time want to know how late it is, at least once a second.
        until = self.clock() + 1.0
        if ready is not None and self.hungry:
            until = min(until, ready)
        if begun:
            until = min(until, self._commit_at())
        await self.in_flight.wait(until)

    def _visit(self, slot: int, fetched: Fetched, doc: Doc) -> None:
        """An answer becomes a visit, and everybody takes it in."""
        visit = self.state.visit(slot, fetched, doc)
        record = visit.record
        log.debug("%s %s %s", record.state, record.url, record.reason)
        self.store.add(record, fetched, visit.page)
        self.state.apply_visit(visit)
        if visit.page:
            for rule in self.learning_rules:
                rule.learn(visit.page)
            self.sink_runner.write(visit.page, doc)
        self.label_inbox.after(record.url)
        self._note_focus()

    def _note_focus(self) -> None:
        focus = _optional.focus(self.state.strategy)
        if focus != self.focus:
            self.focus = focus
            self.store.note("focus", focus)

    def _commit_at(self) -> float:
        """When the next commit is due."""
        keep = self.config.keep
        fresh = self.state.order - self.committed
        if fresh >= keep.commit_pages:
            return self.committed_at
        return self.committed_at + keep.commit_seconds if fresh else float("inf")
