"""The lead's loop: it tells shards their ceilings, hears where they stand, and ends the crawl."""

from __future__ import annotations

import asyncio
import math
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol

from clew.cluster.lead import Lead
from clew.cluster.lead_orders import LeadOrders
from clew.cluster.report import Report, Word
from clew.core.engine import INTERRUPTED
from clew.core.start import Beginning
from clew.core.stop import EXHAUSTED, StopRule, reason_of
from clew.errors import ClewError
from clew.types import Stats

REPORT_SECONDS: Final = 0.1  # between two reports of a shard
REPEAT_SECONDS: Final = 10.0  # until the same line is news again
SILENT_SECONDS: Final = 30.0  # until a shard that is away is no longer waited for before or at the end


class Team(Protocol):
    """Carries calls to the shards; None means that a call is not known to have arrived."""

    async def report(self, shard: int, word: Word) -> Report | None:
        """Tell a shard what holds; where it stands."""
        ...

    async def agree(self, shard: int, begun: Beginning) -> None:
        """Tell a shard what all start pages say."""
        ...

    async def stop(self, shard: int, reason: str) -> None:
        """Ask a shard for a clean end."""
        ...


class ShardFailed(ClewError):
    """One shard has met an error; the others have stopped cleanly."""


@dataclass
class Watched:
    """Who looks on, and what the user's own rules say."""

    watch: Callable[[Stats], None] = lambda stats: None
    watch_shards: Callable[[Sequence[Report]], None] = lambda reports: None
    notify: Callable[[str], None] = lambda line: None
    rules: Sequence[StopRule] = ()


@dataclass
class LeadCrawl:
    """One run of a crawl on several shards."""

    team: Team
    lead: Lead
    watched: Watched
    orders: LeadOrders | None = None
    clock: Callable[[], float] = time.monotonic
    pause: float = REPORT_SECONDS
    reason: str = ""
    error: Report | None = None
    begun: Beginning | None = None
    _heard_at: dict[int, float] = field(default_factory=dict, init=False)
    _notified: dict[str, float] = field(default_factory=dict, init=False)

    async def main(self) -> str:
        """Lead the crawl to its end; the reason."""
        calls = [asyncio.create_task(self._talk(shard)) for shard in range(self.lead.shards)]
        try:
            while not self._is_over():
                await asyncio.sleep(self.pause)
                for call in calls:
                    if call.done():
                        # A bug in the lead itself.
                        call.result()
        finally:
            self._is_closed = True
            for call in calls:
                call.cancel()
            await asyncio.gather(*calls, return_exceptions=True)
        if self.error:
            raise self._failure(self.error)
        return self.reason

    def stop(self, reason: str = INTERRUPTED) -> None:
        """Ask for a clean end."""
        if not self.reason:
            self.reason = reason
            self._stopped_at = self.clock()

    async def _talk(self, shard: int) -> None:
        """Calls to one shard, one at a time: what is told in a lost call must not arrive after the next one."""
        # Not until it is cancelled: a call that is answered at the same moment may swallow that.
        while not self._is_closed:
            if self.reason:
                await self.team.stop(shard, self.reason)
            report = await self.team.report(shard, self._word(shard))
            if report:
                await self._take_report(report)
                if report.finished:
                    return
            await asyncio.sleep(self.pause)

    def _word(self, shard: int) -> Word:
        ceiling = self.lead.tell(shard)
        before = self.lead.reports.get(shard)
        elsewhere = self.lead.elsewhere(shard, self.clock())
        if self.orders is None:
            return Word(ceiling, elsewhere=elsewhere)
        orders = self.orders.share_of(shard, before.last_order) if before and before.is_running else ()
        return Word(ceiling, self.orders.is_paused, orders, elsewhere)

    async def _take_report(self, report: Report) -> None:
        restarts = self.lead.restarts
        self.lead.take_report(report.shard, report)
        if self.lead.restarts > restarts:
            self.watched.notify(f"shard {report.shard} had died and goes on from its last commit")
        self._heard_at[report.shard] = self.clock()
        for line in report.news:
            self._notify(line)
        if report.error:
            self.error = self.error or report
            self.stop(f"shard {report.shard} failed")
        elif report.finished and not self.reason:
            # A full disk, faults of a part, or a sink that asks for the end.
            self.stop(report.finished)
        if report.beginning and not report.is_running and self.begun is not None:
            await self.team.agree(report.shard, self.begun)

    def _notify(self, line: str) -> None:
        """Once, if several shards say the same."""
        now = self.clock()
        if now - self._notified.get(line, -math.inf) > REPEAT_SECONDS:
            self.watched.notify(line)
        self._notified[line] = now

    def _is_over(self) -> bool:
        """Look at all reports; whether every shard has finished."""
        reports = [self.lead.reports[shard] for shard in sorted(self.lead.reports)]
        if len(reports) == self.lead.shards:
            self._agree(reports)
        if reports:
            stats = self.lead.stats()
            self.watched.watch(stats)
            self.watched.watch_shards(reports)
            may_end = self._may_end()
            if not self.reason and may_end:
                self._look_for_end(stats)
            if self.orders and not self.reason and may_end:
                self.orders.look(self.clock(), stats.visited)
        self.lead.plan(self.clock())
        if not self.reason:
            return False
        now = self.clock()
        return all(self._is_done(shard, now) for shard in range(self.lead.shards))

    def _may_end(self) -> bool:
        """Whether the numbers hold: a shard that is coming back from a kill does not know its own yet.

        If it does not come back, the crawl goes by the numbers that it had: a limit of time must not wait for it.
        """
        now = self.clock()
        if self.lead.all_run:
            self._all_ran_at = now
        away = now - self._all_ran_at
        return not away or SILENT_SECONDS < away < math.inf

    def _is_done(self, shard: int, now: float) -> bool:
        report = self.lead.reports.get(shard)
        if report and report.finished:
            return True
        return now - max(self._heard_at.get(shard, 0.0), self._stopped_at) > SILENT_SECONDS

    def _agree(self, reports: Sequence[Report]) -> None:
        """When all start pages are read: put together what they say."""
        waiting = [report.beginning for report in reports if report.beginning]
        if self.begun is None and all(report.beginning or report.is_running for report in reports) and waiting:
            self.begun = together(waiting)

    def _look_for_end(self, stats: Stats) -> None:
        for rule in self.watched.rules:
            if reason := reason_of(rule, stats):
                return self.stop(reason)
        if self.lead.is_still() and not (self.orders and self.orders.is_paused):
            reasons = [report.still for report in self.lead.reports.values()]
            # If any shard has candidates left, what keeps it from them is the better answer.
            self.stop(next((reason for reason in reasons if not reason.startswith(EXHAUSTED)), reasons[0]))

    def _failure(self, report: Report) -> ClewError:
        if report.is_bug:
            raise RuntimeError(f"shard {report.shard} failed:\n{report.error}")
        return ShardFailed(report.error)

    _stopped_at: float = field(default=0.0, init=False)
    _is_closed: bool = field(default=False, init=False)
    _all_ran_at: float = field(default=-math.inf, init=False)


def together(parts: Sequence[Beginning]) -> Beginning:
    """What the start pages of all shards say; shards without any say nothing."""
    relevances = tuple(line for part in parts for line in part.relevances)
    languages = Counter(part.language for part in parts for _ in part.relevances if part.language)
    language = languages.most_common(1)[0][0] if languages else ""
    problems = [part.problem for part in parts if part.problem]
    return Beginning(relevances, language, "" if relevances else _longest(problems))


def _longest(problems: Sequence[str]) -> str:
    """The problem that lists addresses; those of shards without start pages list none."""
    return max(problems, key=len, default="")
