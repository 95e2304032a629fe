"""All shards in one event loop, for tests and the laboratory: calls can be lost or late, and shards killed."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Final

from clew.cluster.plan import Plan
from clew.cluster.report import Report, Word
from clew.cluster.shard import Shard
from clew.core.build import OwnParts
from clew.core.mail import Items, Numbers
from clew.core.start import Beginning

LATE_SECONDS: Final = 0.05


@dataclass
class Weather:
    """How calls fare on their way."""

    lost_before: float = 0.0  # share of calls that never arrive
    lost_after: float = 0.0  # share of calls that take effect, but whose answer is lost
    repeated: float = 0.0
    late: float = 0.0
    chance: Random = field(default_factory=lambda: Random(0))

    def strikes(self, share: float) -> bool:
        """Whether a trouble of that share happens now."""
        return share > 0 and self.chance.random() < share


@dataclass
class Inside:
    """A team of shards in this event loop."""

    plan: Plan
    weather: Weather = field(default_factory=Weather)
    make_own: Callable[[], OwnParts] = OwnParts  # for each shard, in the laboratory
    clock: Callable[[], float] = time.monotonic
    shards: dict[int, Shard] = field(default_factory=dict, init=False)
    tasks: dict[int, asyncio.Task[None]] = field(default_factory=dict, init=False)
    kills: int = field(default=0, init=False)

    async def report(self, shard: int, word: Word) -> Report | None:
        """Tell a shard what holds; one that is not there is started, as Ray restarts an actor."""
        if self.weather.strikes(self.weather.lost_before):
            return None
        if self._shard(shard).is_dead:
            return None
        report = self._shard(shard).report(word)
        return None if self.weather.strikes(self.weather.lost_after) else report

    async def agree(self, shard: int, begun: Beginning) -> None:
        """Tell a shard what all start pages say."""
        if not self.weather.strikes(self.weather.lost_before):
            self._shard(shard).agree(begun)

    async def stop(self, shard: int, reason: str) -> None:
        """Ask a shard for a clean end."""
        self._shard(shard).stop(reason)

    async def post(self, to: int, sender: int, items: Items) -> Numbers | None:
        """Bring mail from one shard to another."""
        if self.weather.strikes(self.weather.late):
            await asyncio.sleep(LATE_SECONDS)
        if self.weather.strikes(self.weather.lost_before) or to not in self.shards or self.shards[to].is_dead:
            return None
        numbers = self.shards[to].accept(sender, items)
        if numbers and self.weather.strikes(self.weather.repeated):
            numbers = self.shards[to].accept(sender, items)
        return None if self.weather.strikes(self.weather.lost_after) else numbers

    async def kill(self, shard: int) -> None:
        """End a shard as a kill would: nothing is committed any more."""
        if shard not in self.tasks:
            return
        self.kills += 1
        killed, task = self.shards[shard], self.tasks.pop(shard)
        # Nobody hears of it any more, and a cancelled run would commit.
        killed.die()
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        del self.shards[shard]

    async def close(self) -> None:
        """Wait until all have ended."""
        await asyncio.gather(*self.tasks.values(), return_exceptions=True)

    def _shard(self, number: int) -> Shard:
        if number not in self.shards:
            shard = Shard(self.plan, number, self.post, self.make_own(), self.clock)
            self.shards[number] = shard
            self.tasks[number] = asyncio.create_task(shard.run())
        return self.shards[number]
