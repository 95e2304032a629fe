"""The engine of one shard: it keeps to a ceiling, and when nothing is left to fetch it waits for mail."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterable, Sequence
from typing import Any, Final

from clew.cluster.report import Ceiling, Found
from clew.cluster.shared_patience import SharedPatience
from clew.core.engine import Engine
from clew.core.mail import Items, Mail, Numbers
from clew.core.start import Beginning, StartPage, beginning, set_threshold
from clew.core.state import CrawlState
from clew.errors import StartError
from clew.fetch import Fetcher
from clew.store import SqliteStore
from clew.store.mailbox import Mailbox
from clew.types import Doc, Fetched, Page, Stats

MOST_FOUND: Final = 4  # relevant pages that a report shows


class ShardEngine(Engine):
    """An engine with a ceiling and mail."""

    def __init__(
        self, state: CrawlState, fetcher: Fetcher, store: Any, number: int = 0, shards: int = 1, **parts: Any
    ) -> None:
        super().__init__(state, fetcher, store, **parts)
        assert isinstance(store, SqliteStore), "mail needs the transactions of a crawl folder"
        store.mailbox = Mailbox(store.db)
        self.mail = Mail(number, shards, store.mailbox)
        store.mail_rows = self.mail.rows
        state.port = self.mail
        self.patience: SharedPatience = SharedPatience.for_crawl(
            self.config, state.strategy, self.frontier, state.tally, lambda: self.seconds
        )
        self.granted = Ceiling()
        self.still = ""  # why nothing can be fetched, until a letter comes
        self.beginning: Beginning | None = None
        self.agreement: asyncio.Future[Beginning] = asyncio.get_running_loop().create_future()
        self.is_ready = False  # whether mail can be taken in
        self.lines: list[str] = []  # for the user
        self.found: deque[Found] = deque(maxlen=MOST_FOUND)
        self.notify = self.lines.append
        self.is_over = False
        self._bag: dict[int, Items] = {}  # by peer: mail that waits until an answer lands
        self._best: tuple[tuple[int, ...], tuple[float, ...]] = (), ()  # the latest scores, and as of when
        self._started = False

    def resume(self, store: Any) -> None:
        """Bring everything to where the last commit left it, letters included."""
        self._started = bool(store.progress())
        super().resume(store)
        self.mail.is_replaying = False
        self.is_ready = self._started

    async def run(self) -> str:
        """Crawl until the lead ends it; mail that comes later waits with its sender."""
        try:
            return await super().run()
        finally:
            self.is_over = True

    def commit(self, checkpoint: bool = False) -> None:
        """Make everything durable, mail included; now it may leave, and be acknowledged."""
        super().commit(checkpoint)
        self.mail.committed()
        self._started = self.is_ready = True

    def grant(self, ceiling: Ceiling) -> None:
        """The lead has spoken: keep to this ceiling."""
        rises = ceiling.pages > self.granted.pages or ceiling.visits > self.granted.visits
        self.granted = ceiling
        if rises:
            self.in_flight.wake.set()

    def hold(self, is_paused: bool) -> None:
        """Pause with the whole crawl, or go on with it; between two visits, for the engine never rests during one."""
        change = self.pause.begin if is_paused else self.pause.end
        if change(self.clock()) and self.is_ready and not self.is_over:
            # For readers of the folder.
            self.commit()
            self.in_flight.wake.set()

    @property
    def ceiling(self) -> Ceiling:
        """What this shard keeps to."""
        under_way = len(self.in_flight)
        tally = self.state.tally
        return self.granted.at_least(Ceiling(tally.pages + under_way, tally.visited + under_way))

    def best_scores(self, n: int) -> tuple[float, ...]:
        """The scores of the best candidates that wait; looked up only if anything has happened since."""
        moment = (self.state.order, self.mail.taken, len(self.in_flight))
        if moment != self._best[0]:
            self._best = moment, tuple(self.frontier.best_scores(n))
        return self._best[1]

    def accept(self, peer: int, items: Items) -> Numbers:
        """Take in mail of a peer; between two visits, for the engine never rests during one.

        While something is in flight, mail waits until an answer lands: a replay takes it in before the next choice,
        too.
        """
        if items and self.in_flight:
            self._bag[peer] = items
            items = ()
        return self._take_mail(peer, items)

    def _take_mail(self, peer: int, items: Items) -> Numbers:
        numbers = self.mail.accept(peer, items, self.state.order, self.state.receive)
        if items:
            self.still = ""
            self.in_flight.wake.set()
        return numbers

    def _take_in(self, answers: Iterable[tuple[int, Fetched, Doc]]) -> None:
        before = self.state.order
        super()._take_in(answers)
        if self._bag and (self.state.order > before or not self.in_flight):
            bag, self._bag = self._bag, {}
            for peer, items in bag.items():
                self._take_mail(peer, items)

    @property
    def _has_begun(self) -> bool:
        # A shard may have no start page, and no visit either.
        return self._started

    @property
    def _may_hear_more(self) -> bool:
        return True

    def _budget(self) -> float:
        tally = self.state.tally
        return min(self.granted.pages - tally.pages, self.granted.visits - tally.visited)

    async def _agree(self, pages: list[StartPage]) -> list[str]:
        """The start pages of all shards decide; the user hears of it once, from the lead."""
        self.beginning = beginning(self.state, pages)
        stopped = asyncio.ensure_future(self._stopped())
        await asyncio.wait((self.agreement, stopped), return_when=asyncio.FIRST_COMPLETED)
        stopped.cancel()
        if not self.agreement.done():
            raise StartError(f"{self.reason} before the start pages were read: nothing was kept, nothing is lost")
        lines = set_threshold(self.state, self.agreement.result(), self.store)
        return lines if self.mail.number == 0 else []

    async def _stopped(self) -> None:
        while not self.reason:
            await asyncio.sleep(0.1)

    def _set_stop_rules(self) -> None:
        """The lead stops the crawl: its limits are for all shards together."""
        self.stop_rules = []
        self.learning_rules = []

    def _advise(self, stats: Stats) -> None:
        """What most pages of one shard are says little of the crawl."""

    def _idle(self) -> None:
        if not self.still:
            super()._idle()

    def _stand_still(self, reason: str, lines: Sequence[str]) -> None:
        self.still = reason

    def _commit_at(self) -> float:
        at = super()._commit_at()
        return min(at, self.committed_at + self.config.keep.commit_seconds) if self.mail.has_news else at

    def note_found(self, page: Page, doc: Doc) -> None:
        """A sink: the live view shows the latest relevant pages."""
        self.found.append(Found(page.url, page.title, page.relevance))
