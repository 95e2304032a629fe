"""What users tell a crawl on several shards while it runs: the lead takes each order, and the shards hear their share.

A pause, the end, and limits are the lead's own. A pause is said again with every call, so that a shard that has died
and comes back pauses, too. All other orders are written into the folders of the shards, which take them as a crawl of
one process does.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from clew.config import Config
from clew.core.order_desk import OrderDesk
from clew.core.order_inbox import RUN_IS_OVER
from clew.core.order_kind import OrderKind
from clew.core.orders import STOPPED, GoOn, Pause, Stop
from clew.store import Order
from clew.store.shard_orders import Handed

LOOK_SECONDS: Final = 1.0


@dataclass
class LeadOrders:
    """Looks for orders about once a second."""

    desk: OrderDesk
    stop: Callable[[str], None] = lambda reason: None
    follow: Callable[[Config], None] = lambda config: None  # is told of other limits
    is_paused: bool = field(default=False, init=False)
    _began_at: float = field(default_factory=time.time, init=False)
    _look_at: float = field(default=0.0, init=False)
    _shares: dict[int, list[Handed]] = field(default_factory=dict, init=False)

    def look(self, now: float, visits: int) -> None:
        """Take what waits, if it is time to look."""
        if now < self._look_at:
            return
        self._look_at = now + LOOK_SECONDS
        for order in self.desk.book.waiting():
            self._take(order, visits)
            self._shares = {}

    def share_of(self, shard: int, after: int) -> Sequence[Handed]:
        """What a shard must hear that has heard all up to a number."""
        if shard not in self._shares:
            self._shares[shard] = self.desk.book.share_of(shard, 0)
        return [order for order in self._shares[shard] if order.id > after]

    def _take(self, order: Order, visits: int) -> None:
        before = self.desk.config
        refusal = RUN_IS_OVER if order.at < self._began_at else ""
        kind = self.desk.accept(order._replace(effect=self._no_news(order)), visits, refusal)
        if kind is not None:
            self._do(kind, str(order))
        if self.desk.config != before:
            self.follow(self.desk.config)

    def _do(self, kind: OrderKind, words: str) -> None:
        if isinstance(kind, Pause | GoOn):
            self.is_paused = isinstance(kind, Pause)
        elif isinstance(kind, Stop):
            self.stop(STOPPED)
        if kind.is_for_a_run:
            # Of all other orders, the shards say what they have changed.
            self.desk.notify(f"order: {words}")

    def _no_news(self, order: Order) -> str:
        if order.kind == Pause.name and self.is_paused:
            return "it paused already"
        return "it did not pause" if order.kind == GoOn.name and not self.is_paused else ""
