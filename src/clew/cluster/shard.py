"""One shard: an ordinary crawl folder with an engine that keeps to a ceiling and exchanges mail with its peers."""

from __future__ import annotations

import asyncio
import time
import traceback
from collections.abc import Awaitable, Callable
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final
from uuid import uuid4

from clew.cluster.engine import ShardEngine
from clew.cluster.lead import MOST_SCORES
from clew.cluster.plan import Plan
from clew.cluster.report import Report, Word
from clew.config import Config, configure
from clew.core.build import OwnParts
from clew.core.mail import Items, Numbers
from clew.core.orders import order_of
from clew.core.own_parts import as_sink
from clew.core.patience import MAX_TURN_SECONDS
from clew.core.run import CrawlRun, clear, has_begun, new_run, resumed_run, settings_of_folder
from clew.core.start import Beginning
from clew.errors import ClewError
from clew.revisit import catch_up
from clew.store import Records
from clew.store.database import DATABASE
from clew.store.shard_orders import hand_on, last_heard
from clew.store.whole import MARK

Post = Callable[[int, int, Items], Awaitable[Numbers | None]]
"""Delivers mail: (to, from, items). None if it is not known to have arrived."""

DELIVERY_SECONDS: Final = 0.05  # between two looks for mail that may leave
POLL_SECONDS: Final = 0.5  # until a peer is asked again whether mail is safe, or is tried again


class Shard:
    """The same object whatever carries its calls."""

    def __init__(
        self,
        plan: Plan,
        number: int,
        post: Post,
        own: OwnParts | None = None,  # of the laboratory
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.plan = plan
        self.number = number
        self.post = post
        self.own = own or OwnParts()
        self.clock = clock
        self.engine: ShardEngine | None = None
        self.stopped = ""  # why, if it was stopped before there was an engine
        self.finished = ""
        self._last = Report(number)
        self.error = ""
        self.is_bug = False
        self.is_dead = False
        self.life = uuid4().hex
        self.last_order = 0  # the number of the latest order

    async def run(self) -> None:
        """From the last commit, or from the start, to the end. What goes wrong is in the report."""
        try:
            with self._opened() as crawl_run:
                assert isinstance(crawl_run.engine, ShardEngine)
                self.engine = crawl_run.engine
                if self.stopped:
                    self.engine.stop(self.stopped)
                delivery = asyncio.create_task(self._deliver(self.engine))
                try:
                    reason = await crawl_run.main()
                finally:
                    delivery.cancel()
                    await asyncio.gather(delivery, return_exceptions=True)
                self._last = replace(self._report(self.engine), finished=reason)
                self.finished = reason
        except ClewError as error:
            self.error = str(error)
        # Whatever it is, the lead must hear of it: a shard that ends in silence would be waited for.
        except Exception:
            self.error, self.is_bug = traceback.format_exc(), True

    def report(self, word: Word | None) -> Report:
        """Keep to what the lead says, and say where the shard stands and what it keeps to."""
        if self.error:
            return Report(self.number, error=self.error, is_bug=self.is_bug, finished="failed")
        if self.finished:
            last, self._last = self._last, replace(self._last, news=())
            return last
        if self.engine is None:
            return Report(self.number, life=self.life)
        if word is not None:
            self._obey(self.engine, word)
        return self._report(self.engine)

    def _obey(self, engine: ShardEngine, word: Word) -> None:
        """The ceiling, a pause, and orders, which wait in the folder until the engine takes them."""
        engine.hold(word.is_paused)
        engine.grant(word.ceiling)
        engine.patience.take_over(word.elsewhere, engine.clock())
        if word.orders and engine.is_ready and not engine.is_over:
            hand_on(self.plan.folder_of(self.number), word.orders)
            self.last_order = word.orders[-1].id

    def agree(self, begun: Beginning) -> None:
        """What the start pages of all shards say."""
        if self.engine and not self.engine.agreement.done():
            self.engine.agreement.set_result(begun)

    def accept(self, peer: int, items: Items) -> Numbers | None:
        """Take in mail from a peer; None as long as there is no crawl to take it in."""
        if self.engine is None or not self.engine.is_ready or self.engine.is_over or self.error:
            return None
        return self.engine.accept(peer, items)

    def die(self) -> None:
        """For tests, which cannot kill a process: nothing is committed any more."""
        self.is_dead = True
        if self.engine:
            self.engine.commit = _never  # type: ignore[method-assign]

    def stop(self, reason: str) -> None:
        """Ask for a clean end."""
        self.stopped = reason
        if self.engine:
            self.engine.stop(reason)

    def _report(self, engine: ShardEngine) -> Report:
        sent, got = engine.mail.counts()
        news, engine.lines[:] = tuple(engine.lines), []
        found = tuple(engine.found)
        engine.found.clear()
        leader = engine.frontier.leader()
        return Report(
            self.number,
            stats=engine.stats,
            ceiling=engine.ceiling,
            in_flight=len(engine.in_flight),
            best=engine.best_scores(MOST_SCORES),
            awaited=leader.score if leader else 0.0,
            turn=min(engine.frontier.turn_seconds(leader.host), MAX_TURN_SECONDS) if leader else 0.0,
            still="" if engine.mail.has_news else engine.still,
            beginning=None if engine.is_ready else engine.beginning,
            life=self.life,
            is_running=engine.is_ready,
            last_order=self.last_order,
            sent=sent,
            got=got,
            outbox=engine.mail.box.waiting(),
            mail_bytes=engine.mail.bytes_sent,
            threshold=engine.state.interest.threshold,
            news=news,
            found=found,
        )

    def _opened(self) -> AbstractContextManager[CrawlRun]:
        """The crawl of this shard: a new one, or the one that was begun."""
        config = self.plan.settings_of(self.number)
        make = partial(self._make_engine, number=self.number, shards=self.plan.shards)
        folder = Path(config.keep.folder)
        if (folder / DATABASE).exists() and has_begun(folder):
            before = configure(settings_of_folder(folder), folder=str(folder))
            self.last_order = last_heard(folder)
            config = self._as_told(config, before, folder)
            return resumed_run(folder, self.own, config, before, catch_up, make)
        if folder.exists():
            # A kill before the first commit has left files in which nothing is.
            clear(folder)
        return new_run(config, self.own, self.plan.guessed_https, known=self.plan.examples, make_engine=make)

    def _as_told(self, config: Config, before: Config, folder: Path) -> Config:
        """The settings with which this shard goes on: those that it has taken orders for are its own.

        What a new run can change comes from the plan, and what was told since the run began, from the folder.
        """
        config = replace(config, what=before.what, scope=before.scope)
        with Records(folder) as records:
            since = [order for order in records.orders() if order.id > self.plan.last_order and order.taken is not None]
        for order in since:
            if not order.refused:
                config = order_of(order.kind, order.words).changed(config)
        return config

    def _make_engine(self, state: object, fetcher: object, folder: object, **parts: object) -> ShardEngine:
        engine = ShardEngine(state, fetcher, folder, clock=self.clock, **parts)  # type: ignore[arg-type]
        engine.store.set(MARK, f"{self.number} of {self.plan.shards}")
        engine.sinks = [*engine.sinks, as_sink(engine.note_found)]
        return engine

    async def _deliver(self, engine: ShardEngine) -> None:
        """Bring committed mail to the peers, again and again until it is safe there."""
        loop = asyncio.get_running_loop()
        again_at = dict.fromkeys(engine.mail.others, 0.0)
        # Not until it is cancelled: a call that is answered at the same moment may swallow that.
        while not engine.is_over:
            for peer in engine.mail.others:
                if not engine.is_over and loop.time() >= again_at[peer] and engine.mail.is_unconfirmed(peer):
                    again_at[peer] = await self._deliver_to(engine, peer, loop.time())
            await asyncio.sleep(DELIVERY_SECONDS)

    async def _deliver_to(self, engine: ShardEngine, peer: int, now: float) -> float:
        """One delivery; when to try the next one."""
        items = engine.mail.outgoing(peer)
        numbers = await self.post(peer, self.number, items)
        if numbers is None:
            return now + POLL_SECONDS
        engine.mail.confirm(peer, numbers)
        # More may be waiting; else only the word is missing that all is durable.
        return now if engine.mail.outgoing(peer) else now + POLL_SECONDS / 5


def _never(checkpoint: bool = False) -> None:
    """The process is dead."""
