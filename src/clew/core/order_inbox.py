"""What users tell a crawl, brought to it between two visits: each order is taken exactly once, with a checkpoint."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Final

from clew import config as settings_of
from clew.base.single_thread import one_thread
from clew.config import Config
from clew.core import feedback
from clew.core.build import OwnParts
from clew.core.engine import Engine
from clew.core.order_desk import OrderDesk
from clew.core.order_kind import EndsCrawl, OrderKind, ToldCrawl
from clew.core.orders import order_of
from clew.errors import ClewError, FolderInUse, InterestError, StrategyError
from clew.store import CrawlFolder, Order, Records, open_folder, write_orders
from clew.store.database import is_whole
from clew.store.folder import lock
from clew.store.shard_orders import hand_on_all, orders_of
from clew.store.told_settings import TOLD, difference, settings_in
from clew.store.whole import databases, refuse_shard

LOOK_SECONDS: Final = 1.0
NOT_RUNNING: Final = "no crawl is running in this folder"
RUN_IS_OVER: Final = "the run for which it was given is over"

log = logging.getLogger("clew.orders")


class OrderInbox:
    """Looks for orders about once a second, and takes them.

    What became of an order, what it has changed, and a checkpoint that holds both are one transaction. A kill before it
    leaves the order waiting; a kill after it changes nothing.
    """

    def __init__(self, engine: Engine, folder: CrawlFolder, own: OwnParts) -> None:
        self.crawl = ToldCrawl(engine, folder, own)
        self._written = engine.config  # the settings in crawl.toml
        self._look_at = engine.clock()

    def look(self) -> None:
        """Take what waits, if it is time to look."""
        engine = self.crawl.engine
        now = engine.clock()
        if now < self._look_at and not engine.is_draining:
            return
        self._look_at = now + LOOK_SECONDS
        self.crawl.is_running = True
        self._take(self.crawl.folder.orders.waiting())
        self.crawl.is_running = False
        if engine.pause.is_on and not engine.in_flight and not engine.rejudging:
            self._apply_labels()

    def take_all(self, refusal: str) -> None:
        """While nothing runs: take what waits, but refuse orders to a run."""
        self._take(self.crawl.folder.orders.waiting(), refusal)

    def _take(self, orders: list[Order], refusal: str = "") -> None:
        engine = self.crawl.engine
        engine.is_draining = False
        for order in orders:
            kind = self._kind_of(order)
            if kind and kind.judges_again and engine.rejudging and not refusal:
                # One change of interest after the other.
                break
            if kind and kind.waits_for_quiet(self.crawl) and engine.in_flight and not refusal:
                # Later orders wait, too: they are taken in the order in which they were given.
                engine.is_draining = True
                break
            if kind:
                self._take_one(order, kind, refusal)
            # After each: a change of interest commits, and what came before it must be complete by then.
            self._commit()

    def _take_one(self, order: Order, kind: OrderKind, refusal: str) -> None:
        if refusal and kind.is_for_a_run:
            return self._refuse(order, refusal)
        taken = order._replace(taken=self.crawl.engine.state.order)
        if kind.judges_again:
            # All pages are read again from the archive; then the change commits, and that commit must hold the order.
            self.crawl.engine.commit()
        self.crawl.folder.orders.settle(taken)
        try:
            effect = kind.apply(self.crawl)
        except EndsCrawl as error:
            # Not with the next commit: there is none, and the order must not end the crawl again and again.
            self.crawl.folder.orders.settle_now(order._replace(refused=_first_line(error)))
            raise
        except ClewError as error:
            return self._refuse(order, _first_line(error))
        self.crawl.folder.orders.settle(taken._replace(effect=effect))
        self._tell(f"{order}" + (f": {effect}" if effect else ""))

    def _kind_of(self, order: Order) -> OrderKind | None:
        """The order as this version understands it; if it does not, the order is refused."""
        try:
            return order_of(order.kind, order.words)
        except ClewError as error:
            self._refuse(order, _first_line(error))
            return None

    def _refuse(self, order: Order, reason: str) -> None:
        self.crawl.folder.orders.settle(order._replace(refused=reason))
        self._tell(f"{order}: refused, {reason}")

    def _tell(self, line: str) -> None:
        log.info("%s", line)
        self.crawl.folder.note("order", line)
        self.crawl.engine.notify(f"order: {line}")

    def _commit(self) -> None:
        """Make everything durable; crawl.toml follows, and the database has its settings until then."""
        config = self.crawl.engine.config
        folder = self.crawl.folder
        folder.set(TOLD, difference(self._written, config))
        self.crawl.engine.commit(checkpoint=True)
        if config != self._written:
            write_settings(config, folder)
            self._written = config

    def _apply_labels(self) -> None:
        """A crawl that pauses has no visits after which labels would be applied."""
        engine = self.crawl.engine
        if engine.committed < engine.state.order:
            engine.commit()
        engine.label_inbox.now()
        if engine.label_inbox.fresh:
            engine.commit(checkpoint=True)


def _first_line(error: Exception) -> str:
    """What is wrong; further lines of a message would spoil a list of orders."""
    return str(error).partition("\n")[0]


def write_settings(config: Config, folder: CrawlFolder) -> None:
    """Write crawl.toml; the database need not know its settings any longer."""
    settings_of.write(config, folder.folder / "crawl.toml")
    folder.set(TOLD, "")


def tell(folder: str | Path, order: str, *words: str) -> Order:
    """Tell a crawl something while it runs or is stopped; return the order as it is then.

    A running crawl takes orders about once a second; otherwise they are taken here. Orders are `pause`, `go-on`,
    `stop`, `seeds URL…`, `fetch URL…`, `drop URL…`, `favour HOST…`, `unfavour HOST…`, `block HOST…`, `deny PATTERN…`,
    `allow PATTERN…`, `limit pages=… minutes=… parallel=… delay=…`, `interest
    FORMULA`, `threshold X` and `focus [FORMULA]`. An order is waiting, taken, or refused with a reason (`Order.state`).
    """
    order_of(order, words)
    path = Path(folder)
    refuse_shard(path, "told anything")
    [number] = write_orders(path, [(order, words)])
    take_waiting_orders(path)
    return next(found for found in orders_of(path) if found.id == number)


def take_waiting_orders(path: Path) -> None:
    """Take the orders of a folder, unless a crawl is running there or was made with objects of its caller."""
    if is_whole(path):
        take_for_shards(path)
        return
    try:
        folder = open_folder(path)
    except FolderInUse:
        # The running crawl finds the orders itself.
        return
    with folder:
        config = settings_in(folder)
        feedback.remember(config, folder)
        try:
            state = feedback.state_of_folder(config, folder)
        except (InterestError, StrategyError):
            return
        if folder.get(feedback.OWN_PARTS) or not folder.progress():
            return
        # The time of the order does not count as time of the crawl.
        engine = Engine(state, feedback.Offline(), folder, clock=lambda: 0.0)
        with one_thread():
            engine.resume(folder)
            feedback.catch_up(engine, folder, config)
            feedback.go_on_judging(engine, folder, config)
            engine.finish_rejudging()
            OrderInbox(engine, folder, OwnParts()).take_all(NOT_RUNNING)


def take_for_shards(path: Path, refusal: str = NOT_RUNNING) -> None:
    """Take the orders to a crawl on several shards, and let the shards that are here take theirs, unless it runs."""
    try:
        held = lock(path)
    except FolderInUse:
        # The lead finds the orders itself.
        return
    with held:
        desk = OrderDesk(path, settings_of.read_folder(path))
        visits = _visits(path)
        for order in desk.book.waiting():
            desk.accept(order, visits, refusal)
        for folder in hand_on_all(path):
            take_waiting_orders(folder)


def _visits(path: Path) -> int:
    """The visits of all shards that are here."""
    if not databases(path):
        return 0
    with Records(path) as records:
        return records.stats().visited
