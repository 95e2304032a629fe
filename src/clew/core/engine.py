"""The loop that takes pages from the web to the store; the same for the live crawl, the simulation and the replay.

The life of a URL. A link names it, or the user does. The frontier gives it a slot: *queued*, or *out of scope* with the
reason. The strategy scores it; when it is the best whose host is ready, it is *flying*. Its answer lands: a redirect
hands its evidence on to the target; a passing failure queues it again; anything else makes it a page. The page is
parsed, judged, its links enter the frontier, the strategy learns from it and scores what it touched. The visit is
*fetched*, *failed* or *refused* in the store, durable with the next commit.

The engine keeps the time, `InFlight` what is in the air; what follows from a visit is the `CrawlState`. Resuming is
the same path: the last checkpoint, then every visit committed since, taken in again from the archive.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass

from clew.core.checkpoint import checkpoint_of, replay
from clew.core.inflight import InFlight, RetryPolicy
from clew.core.label_inbox import LabelInbox
from clew.core.state import CrawlState
from clew.core.stop import EXHAUSTED, Learns, Stop, criteria
from clew.core.visit import outcome, reason_of
from clew.errors import StartError
from clew.fetch import Fetcher
from clew.frontier import State
from clew.store import Durable, Sink, Store, page_of
from clew.types import Doc, Fetched, Stats

START_PAGES = 100
"""So many start pages are read before anything else, to set the threshold; further ones are plain candidates."""
START_PAGE_WAIT_SECONDS = 30.0
"""Seconds for which a start page is worth waiting; one that asks for more comes later, or not at all."""
HELD = "the strategy holds all candidates back"
SPENT = "the hosts of all that is left have used up their visits (host_pages)"
INTERRUPTED = "interrupted"

Start = tuple[int, Fetched, Doc]


@dataclass
class Engine:
    """One crawl: give it the parts, then `run` it."""

    state: CrawlState
    fetcher: Fetcher
    store: Store
    watch: Callable[[Stats], None] = lambda stats: None
    sinks: Sequence[Sink] = ()
    tell: Callable[[str], None] = lambda message: None  # is told what the user should know
    clock: Callable[[], float] = time.monotonic
    reason: str = ""  # why it stopped

    def __post_init__(self) -> None:
        self.config, self.frontier = self.state.config, self.state.frontier
        self.stops: list[Stop] = []
        self.learners: list[Learns] = []  # those of them that look at pages
        retries, scope = self.config.fetch.retries, self.config.scope
        retry_policy = RetryPolicy(self.fetcher, self.frontier, retries, self.clock, self.store.note)
        self.in_flight = InFlight(self.fetcher, self.frontier, scope, retry_policy)
        self.hungry = False  # whether there are places that no candidate could fill
        self.began = self.committed_at = self.checkpoint_at = self.clock()
        self.earlier = 0.0  # seconds of earlier runs
        self.committed = 0
        self.focus = ""
        self.label_inbox = LabelInbox(self.state, self.store)

    async def run(self) -> str:
        """Crawl until there is a reason to stop; the reason."""
        try:
            self._report_missing_input()
            if not self.state.order:
                await self._begin()
            self.stops = criteria(self.config.until, self.state.view)
            self.learners = [stop for stop in self.stops if isinstance(stop, Learns)]
            while not self._finished():
                self._send(self.config.until.pages)
                await self._rest()
                for slot, fetched in self.in_flight.land():
                    self._visit(slot, fetched, self.in_flight.read(fetched))
                if self._commit_at() <= self.clock():
                    self.commit()
        finally:
            await self.in_flight.recall()
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
        return self.state.tally.snapshot(
            seconds=self.earlier + self.clock() - self.began,
            waiting=self.frontier.waiting,
            dropped=self.frontier.dropped,
            best=self.frontier.best(everywhere=self.config.until.min_score is not None),
            focus=self.state.strategy.focus,
            at_ceiling=self.state.strategy.at_ceiling,
            forecast=self.state.forecast.expected,
            expected_waiting=self.state.forecast.expected_waiting,
        )

    def commit(self, checkpoint: bool = False) -> None:
        """Make everything durable, now and then with a checkpoint that saves replaying.

        What the user said is never replayed: a commit that follows it has a checkpoint, which holds what came of it.
        """
        now = self.clock()
        checkpoint = (
            checkpoint or self.label_inbox.fresh or now - self.checkpoint_at > self.config.keep.checkpoint_seconds
        )
        saved = checkpoint_of(self.state) if checkpoint else None
        self.store.commit(self.frontier.evidence.drain(), asdict(self.stats), saved)
        self.committed, self.committed_at = self.state.order, self.clock()
        self.label_inbox.poll()
        if checkpoint:
            # A checkpoint grows with the frontier; waiting twenty times its cost bounds its share of the time.
            self.checkpoint_at = self.committed_at + 20 * (self.committed_at - now)

    async def _begin(self) -> None:
        """Read the start pages first: they set the threshold. Nothing is committed before that."""
        seeds, limit = self.config.what.seeds, self.config.until.pages
        first = START_PAGES if limit is None else min(START_PAGES, limit)
        starts = [self.frontier.slot_for(url) for url in seeds[:first]]
        self.frontier.set(starts, [1.0] * len(starts))
        held: list[Start] = []
        while (self.frontier.waiting or self.in_flight) and not self.reason and not self._must_wait():
            self._send(len(starts) + self.config.fetch.max_redirects)
            await self._rest(begun=False)
            for slot, fetched in self.in_flight.land(START_PAGE_WAIT_SECONDS):
                if fetched.location:
                    self._visit(slot, fetched, Doc(fetched.url))
                else:
                    held.append((slot, fetched, self.in_flight.read(fetched)))
            self.watch(self.stats)
        if self.reason:
            raise StartError(f"{self.reason} before the start pages were read: nothing was kept, nothing is lost")
        self._judge_start(sorted(held, key=lambda start: start[0]))
        self.state.add_urls(seeds[first:])
        self.commit(checkpoint=True)  # a replay needs a beginning

    def _report_missing_input(self) -> None:
        if missing_input := self.state.strategy.missing_input:
            self.store.note("lacks", missing_input)
            self.tell(missing_input)

    def _must_wait(self) -> bool:
        ready = self.frontier.queues.next_ready()
        return (
            self.hungry and not self.in_flight and ready is not None and ready - self.clock() > START_PAGE_WAIT_SECONDS
        )

    def _judge_start(self, held: list[Start]) -> None:
        if not any(fetched.ok for _, fetched, _ in held):
            told = [f"{fetched.url}: {reason_of(fetched)}" for _, fetched, _ in held[:20]]
            told = told or ["they redirect to what is out of scope or in a circle, or ask for a long wait"]
            message = "no start page answers; check the addresses or give others with --seeds"
            raise StartError("\n  ".join([message, *told]))
        if self.config.what.threshold is None:
            self._set_threshold([doc for _, fetched, doc in held if fetched.ok])
        self.store.set("threshold", repr(self.state.interest.threshold))
        for slot, fetched, doc in held:
            self._visit(slot, fetched, doc)

    def _set_threshold(self, docs: list[Doc]) -> None:
        interest = self.state.interest
        scores = [interest.judge(doc).relevance for doc in docs]
        try:
            self.state.set_interest(interest.starting_from(scores))
        except StartError as error:
            told = [f"{score:.3f}  {doc.url}  {doc.title}" for score, doc in zip(scores, docs, strict=True)]
            raise StartError("\n  ".join([str(error), *told[:20]])) from None

    def _finished(self) -> bool:
        """Whether a criterion, or the user, wants an end."""
        stats = self.stats
        self.watch(stats)
        self.reason = self.reason or next((reason for stop in self.stops if (reason := stop(stats))), "")
        return bool(self.reason)

    def _send(self, most: int | None) -> None:
        """Fill the free places with the best candidates of hosts that are ready."""
        self.hungry = False
        while len(self.in_flight) < self.config.fetch.parallel:
            if most is not None and self.state.tally.visited + len(self.in_flight) >= most:
                return
            self.state.rescore_best()
            slot = self.frontier.pop(self.clock())
            if slot is None:
                self.hungry = True
                return self._idle()
            self.in_flight.send(slot)

    def _idle(self) -> None:
        """Nothing can be fetched now: is there a later, or an end?"""
        if self.in_flight or (self.frontier.waiting and self.frontier.queues.hopeful()):
            return
        if not self.state.unblock():
            held = SPENT if self.state.filters.budgets.spent() else HELD
            self.reason = held if self.frontier.waiting else EXHAUSTED

    async def _rest(self, begun: bool = True) -> None:
        """Until an answer lands, a host is ready again or a commit is due."""
        await asyncio.sleep(0)
        if self.in_flight.news:
            return  # a fetcher that answers at once needs no timer
        now, ready = self.clock(), self.frontier.queues.next_ready()
        if self.reason or (not self.in_flight and ready is None):
            return
        moment = now + 1.0  # onlookers and limits on time want to know how late it is
        if ready is not None and self.hungry:
            moment = min(moment, ready)
        if begun:
            moment = min(moment, self._commit_at())
        await self.in_flight.wait(max(0.0, moment - now))

    def _visit(self, slot: int, fetched: Fetched, doc: Doc) -> None:
        """An answer becomes a record, and a page unless it is a redirect; everybody takes it in."""
        judgement = self.state.judge(doc) if fetched.ok else None
        fault = self.state.fault(doc) if fetched.ok else None
        if fault and judgement:
            judgement = judgement._replace(relevant=False)
        record = outcome(self.state.order, slot, fetched, doc, judgement, self.frontier, self.config, fault)
        page = None
        if record.state != State.REDIRECTED.text:
            page = page_of(record, doc, self.frontier.entries([slot])[0].links)
            for sink in self.sinks:
                sink.write(page, doc)
        self.store.add(record, fetched, page)
        self.state.apply_visit(record, page, doc)
        if page:
            for stop in self.learners:
                stop.learn(page)
        self.label_inbox.after(record.url)
        if self.state.strategy.focus != self.focus:
            self.focus = self.state.strategy.focus
            self.store.note("focus", self.focus)

    def _commit_at(self) -> float:
        fresh, keep = self.state.order - self.committed, self.config.keep
        if fresh >= keep.commit_pages:
            return self.committed_at
        return self.committed_at + keep.commit_seconds if fresh else float("inf")
