"""The loop that takes pages from the web to the store; the same for the live crawl, the simulation and the replay.

The life of a URL. A link names it, or the user does. The frontier gives it a slot: *queued*, or *out of scope* with the
reason. The strategy scores it; when it is the best whose host is ready, it is *flying*. Its answer lands: a redirect
hands its evidence on to the target; a passing failure queues it again; anything else makes it a page. The page is
parsed, judged, its links enter the frontier, the strategy learns from it and scores what it touched. The visit is
*fetched*, *failed* or *refused* in the store, durable with the next commit.

Resuming is the same path: the last checkpoint, then every visit committed since, taken in again from the archive.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from clew.config import Config
from clew.errors import StartError
from clew.fetch import Fetcher
from clew.frontier import Frontier, State
from clew.interests import Interest
from clew.outcome import outcome, reason_of
from clew.parse import parse
from clew.scope import Gate
from clew.stats import Tally
from clew.stop import EXHAUSTED, Learns, criteria
from clew.store import Durable, Record, Sink, Store, page_of
from clew.strategies import ALL, Stale, Strategy
from clew.types import Doc, Fetched, Page, Stats
from clew.view import View

START_PAGES = 100
"""So many start pages are read before anything else, to set the threshold; further ones are plain candidates."""
HELD = "the strategy holds all candidates back"
INTERRUPTED = "interrupted"


@dataclass
class Engine:
    """One crawl: give it the parts, then `run` it."""

    config: Config
    interest: Interest
    strategy: Strategy
    fetcher: Fetcher
    store: Store
    frontier: Frontier
    watch: Callable[[Stats], None] = lambda stats: None
    sinks: Sequence[Sink] = ()
    clock: Callable[[], float] = time.monotonic
    tally: Tally = field(default_factory=Tally)
    reason: str = ""  # why it stopped
    order: int = 0  # of the next visit

    def __post_init__(self) -> None:
        what = self.config.what
        self.gate = Gate(self.config.scope, what.seeds)
        self.view = View(self.interest.guide(), what, self.frontier, self.store, self.tally)
        self.strategy.start(self.view)
        self.stops = criteria(self.config.until, self.view)
        self.reserve = list(what.reserve)
        self.flights: dict[int, asyncio.Task[None]] = {}
        self.landed: deque[tuple[int, Fetched]] = deque()
        self.broken: Exception | None = None  # a bug met in flight
        self.tries: dict[int, int] = {}
        self.wake = asyncio.Event()
        self.began = self.committed_at = self.checkpoint_at = self.clock()
        self.earlier = 0.0  # seconds of earlier runs
        self.committed = 0
        self.focus = ""

    async def run(self) -> str:
        """Crawl until there is a reason to stop; the reason."""
        try:
            if not self.order and not await self._begin():
                return self.reason
            while not self._finished():
                self._send()
                await self._rest()
                for slot, fetched in self._land():
                    self._visit(slot, fetched, self._parse(fetched))
                if self._due():
                    self.commit()
        finally:
            await self._recall()
        self.store.note("stop", self.reason)
        self.commit(checkpoint=True)
        return self.reason

    def stop(self, reason: str = INTERRUPTED) -> None:
        """Ask for a clean end."""
        self.reason = self.reason or reason
        self.wake.set()

    def replay(self, store: Durable) -> None:
        """Bring everything to where the last commit left it."""
        if parts := store.checkpoint():
            self.frontier.load(parts)
            self.strategy.load(parts["strategy"])
            saved = json.loads(parts["stats"])
            self.tally.load(saved["tally"])
            self.order, self.earlier = saved["order"], saved["seconds"]
        for record in store.visits(after=self.order - 1):
            self._refresh()
            page, _ = store.whole(record)
            self._learn(record, None if record.state == State.REDIRECTED.text else page)
        self.committed = self.order
        self.stops = criteria(self.config.until, self.view)

    @property
    def stats(self) -> Stats:
        """Where the crawl stands."""
        return self.tally.snapshot(
            seconds=self.earlier + self.clock() - self.began,
            waiting=self.frontier.waiting,
            dropped=self.frontier.dropped,
            best=self.frontier.best(everywhere=self.config.until.min_score is not None),
            focus=self.focus,
            at_ceiling=self.strategy.at_ceiling,
        )

    def commit(self, checkpoint: bool = False) -> None:
        """Make everything durable, now and then with a checkpoint that saves replaying."""
        now = self.clock()
        checkpoint = checkpoint or now - self.checkpoint_at > self.config.keep.checkpoint_seconds
        self.store.commit(self.frontier.evidence.drain(), self._checkpoint() if checkpoint else None)
        self.committed, self.committed_at = self.order, self.clock()
        if checkpoint:
            # A checkpoint grows with the frontier; waiting twenty times its cost bounds its share of the time.
            self.checkpoint_at = self.committed_at + 20 * (self.committed_at - now)

    async def _begin(self) -> bool:
        """Read the start pages first: they set the threshold. Nothing is committed before that."""
        seeds = self.config.what.seeds
        starts = [self.frontier.name(url) for url in seeds[:START_PAGES]]
        self.frontier.set(starts, [1.0] * len(starts))
        held: list[tuple[int, Fetched, Doc]] = []
        while (self.frontier.waiting or self.flights) and not self.reason:
            self._send(len(starts) + self.config.fetch.max_redirects)
            await self._rest()
            for slot, fetched in self._land():
                if fetched.location:
                    self._visit(slot, fetched, Doc(fetched.url))
                else:
                    held.append((slot, fetched, self._parse(fetched)))
        if not self.reason:
            self._judge_start(sorted(held, key=lambda start: start[0]))
            self._name(seeds[START_PAGES:])
        return not self.reason

    def _judge_start(self, held: list[tuple[int, Fetched, Doc]]) -> None:
        if not any(fetched.ok for _, fetched, _ in held):
            told = "".join(f"\n  {fetched.url}: {reason_of(fetched)}" for _, fetched, _ in held[:20])
            raise StartError(f"no start page answers; check the addresses or give others with --seeds{told}")
        if self.config.what.threshold is None:
            scores = [self.interest.judge(doc).relevance for _, fetched, doc in held if fetched.ok]
            self.interest = self.interest.starting_from(scores)
            self.view.interest = self.interest.guide()
        self.store.set("threshold", repr(self.interest.threshold))
        for slot, fetched, doc in held:
            self._visit(slot, fetched, doc)

    def _finished(self) -> bool:
        """Whether a criterion, or the user, wants an end."""
        stats = self.stats
        self.watch(stats)
        self.reason = self.reason or next((reason for stop in self.stops if (reason := stop(stats))), "")
        return bool(self.reason)

    def _send(self, most: int | None = None) -> None:
        """Fill the free places with the best candidates of hosts that are ready."""
        most = self.config.until.pages if most is None else most
        while len(self.flights) < self.config.fetch.parallel:
            if most is not None and self.tally.visited + len(self.flights) >= most:
                return
            self._refresh()
            slot = self.frontier.pop(self.clock())
            if slot is None:
                return self._idle()
            self.flights[slot] = asyncio.create_task(self._fly(slot))

    async def _fly(self, slot: int) -> None:
        try:
            self.landed.append((slot, await self.fetcher.get(self.frontier.known([slot])[0].url)))
        except Exception as error:  # fetchers turn what the web does into data: this is a bug, so say it
            self.broken = error
        self.wake.set()

    def _idle(self) -> None:
        """Nothing can be fetched now: is there a later, a reserve, or an end?"""
        if self.flights or self.frontier.queues.next_ready() is not None:
            return
        if self.frontier.waiting:
            self.frontier.set_all(self.strategy.score)
            self.reason = "" if self.frontier.best() > float("-inf") else HELD
        elif self.reserve:
            self._name(self.reserve)
            self.reserve = []
        else:
            self.reason = EXHAUSTED

    async def _rest(self) -> None:
        """Until an answer lands, a host is ready again or a commit is due."""
        moments = [self.committed_at + self.config.keep.commit_seconds] if self.order > self.committed else []
        ready = self.frontier.queues.next_ready()
        if ready is not None and len(self.flights) < self.config.fetch.parallel:
            moments.append(ready)
        if self.landed or self.reason or not (self.flights or moments):
            return await asyncio.sleep(0)
        self.wake.clear()
        pause = min(moments, default=self.clock() + 3600) - self.clock()
        timer = asyncio.get_running_loop().call_later(max(0.0, pause), self.wake.set)
        await self.wake.wait()
        timer.cancel()

    def _land(self) -> Iterable[tuple[int, Fetched]]:
        """The answers that have come, but for those that are worth another try."""
        if self.broken:
            raise self.broken
        while self.landed:
            slot, fetched = self.landed.popleft()
            del self.flights[slot]
            self.frontier.release(slot, self.clock(), self.fetcher.pause(fetched.url))
            tries = self.tries.pop(slot, 0)
            if fetched.transient and tries < self.config.fetch.retries:
                self.tries[slot] = tries + 1
                self.frontier.retry(slot)
            else:
                yield slot, fetched

    def _parse(self, fetched: Fetched) -> Doc:
        return parse(fetched.body, fetched.url, fetched.header("content-type")) if fetched.ok else Doc(fetched.url)

    def _visit(self, slot: int, fetched: Fetched, doc: Doc) -> None:
        """An answer becomes a record, and a page unless it is a redirect."""
        judgement = self.interest.judge(doc) if fetched.ok else None
        record = outcome(self.order, slot, fetched, doc, judgement, self.frontier, self.config.fetch)
        page = None
        if record.state != State.REDIRECTED.text:
            page = page_of(record, doc, self.frontier.known([slot])[0].links)
            for sink in self.sinks:
                sink.write(page, doc)
        self.store.add(record, fetched, page)
        self._learn(record, page)

    def _learn(self, record: Record, page: Page | None) -> None:
        """Frontier, numbers and strategy take in a visit; a replay does just this."""
        self.order = record.order + 1
        slot = self.frontier.name(record.url)
        if page is None:
            touched = self.frontier.redirect(slot, record.location, self.gate)
            self.frontier.close(slot, State.REDIRECTED)
            self.frontier.set(touched, [record.score] * len(touched))
            return self.tally.redirect(record.bytes)
        worth = self.view.interest.value(page.topics) if page.ok else 0.0
        touched = self.frontier.add(page.links, page.depth + 1, worth, self.gate)
        self.frontier.close(slot, State.named(record.state), worth)
        self.tally.visit(page, record.bytes) if record.state != State.REFUSED.text else self.tally.refuse()
        for stop in self.stops:
            if isinstance(stop, Learns):
                stop.learn(page)
        self._rescore(touched, self.strategy.learn(page))
        self._note_focus()

    def _rescore(self, touched: list[int], stale: Stale) -> None:
        every = self.strategy.sweep
        if stale is ALL or (every and self.tally.visited % every == 0):
            self.frontier.set_all(self.strategy.score)
        else:
            self._name(stale, touched)

    def _name(self, urls: Iterable[str], touched: Sequence[int] = ()) -> None:
        """Score these URLs, known or not, beside what a page has touched."""
        named = (self.frontier.name(url, refuse=self.gate) for url in urls)
        self._score([slot for slot in dict.fromkeys((*touched, *named)) if self.frontier.is_queued(slot)])

    def _refresh(self) -> None:
        if self.strategy.refresh:
            self._score(self.frontier.queues.tops(self.strategy.refresh))

    def _score(self, slots: list[int]) -> None:
        if slots:
            self.frontier.set(slots, self.strategy.score(self.frontier.candidates(slots)))

    def _note_focus(self) -> None:
        if self.strategy.focus != self.focus:
            self.focus = self.strategy.focus
            self.store.note("focus", self.focus)

    def _due(self) -> bool:
        fresh, keep = self.order - self.committed, self.config.keep
        late = self.clock() - self.committed_at >= keep.commit_seconds
        return fresh >= keep.commit_pages or (fresh > 0 and late)

    def _checkpoint(self) -> dict[str, bytes]:
        numbers = {"order": self.order, "seconds": self.stats.seconds, "tally": self.tally.save()}
        return {
            **self.frontier.save(),
            "strategy": self.strategy.save(),
            "stats": json.dumps(numbers).encode(),
        }

    async def _recall(self) -> None:
        """What is still in flight is given up; it waits in the frontier for another time."""
        for task in self.flights.values():
            task.cancel()
        await asyncio.gather(*self.flights.values(), return_exceptions=True)
