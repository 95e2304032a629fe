"""The lead divides the budget among the shards and knows when the crawl is over. It keeps nothing on disk.

Ceilings are told and confirmed in one call. A shard keeps the higher of what it is told and what it has used or has
under way. The lead raises one shard only by what the ceilings of all leave of the budget, so that their sum never
exceeds it, whatever is lost or killed.

Visits are given out in portions to those who hold the best candidates: an equal division would cost a quarter of the
harvest. What the best shard cannot spend, for its hosts must rest, waits for it as it would in one process: with
patience, another shard gets a visit when none was made anywhere for as long as its best page would have been put off.
"""

from __future__ import annotations

import heapq
import itertools
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from clew.cluster.report import Ceiling, Elsewhere, Report
from clew.core.patience import lack_by_score
from clew.store.merged import merged
from clew.types import Stats

FIRST_PORTION: Final = 4  # visits for each shard
LAST_PORTION: Final = 50
PORTION_SHARE: Final = 0.1  # of the visits so far
IDLE_SECONDS: Final = 1.0  # without patience: until shards that have nothing left get something
SILENT_SECONDS: Final = 5.0  # until the candidates of a shard that does not answer are not waited for
MOST_SCORES: Final = 4 * LAST_PORTION  # in a report: no shard gets more visits at once


@dataclass
class Lead:
    """The plan of who may visit how much; pure, the clock is passed in."""

    shards: int
    budget: Ceiling  # of the whole crawl; infinite where there is no limit
    reserved: Sequence[int] = ()  # by shard: start pages, which are read before any ceiling is granted
    patience: float = 0.0  # turns of the best host for which a worthless page is put off
    reports: dict[int, Report] = field(default_factory=dict, init=False)
    _running: dict[int, Report] = field(default_factory=dict, init=False)  # the latest of shards that had begun
    restarts: int = field(default=0, init=False)  # how often a shard came back from a kill
    _held: list[Ceiling] = field(default_factory=list, init=False)  # the highest that a shard may believe it has
    _wanted: list[Ceiling] = field(default_factory=list, init=False)
    _portion: float = field(default=0.0, init=False)
    _begun_at: float = field(default=-math.inf, init=False)  # the portion: on the clock
    _used_before: float = field(default=0.0, init=False)  # by all, when the portion began
    _used: float = field(default=0.0, init=False)  # by all, as of the last look
    _lowest: float = field(default=0.0, init=False)  # score of the candidates for which the portion was given out
    _used_at: float = field(default=-math.inf, init=False)  # when it last grew
    _latest: dict[int, tuple[Report, float]] = field(default_factory=dict, init=False)  # reports, and when they came
    _quiet: tuple[object, ...] = field(default=(), init=False)  # the numbers of mail when all was still
    _heard_since: set[int] = field(default_factory=set, init=False)  # since then
    _relevant: int = field(default=-1, init=False)
    _visited_then: int = field(default=0, init=False)  # visits when the last relevant page was found

    def __post_init__(self) -> None:
        starts = self.reserved or [0] * self.shards
        self._held = [Ceiling(count, count) for count in starts]
        self._wanted = list(self._held)

    # Ceilings

    def tell(self, shard: int) -> Ceiling:
        """What to tell a shard now: what it should have, or as much of it as is free."""
        wanted, held = self._wanted[shard], self._held[shard]
        free = self._free()
        granted = Ceiling(min(wanted.pages, held.pages + free.pages), min(wanted.visits, held.visits + free.visits))
        # It counts from now on: whether the call arrives is not known until it is answered.
        self._held[shard] = held.at_least(granted)
        return granted

    def elsewhere(self, shard: int, now: float) -> Elsewhere:
        """What to tell a shard of the others."""
        others = [
            report for other, report in self.reports.items() if other != shard and not self._is_silent(other, now)
        ]
        better = max(others, key=lambda report: report.awaited, default=Report(shard))
        left = (min(self.budget) - self._used) / self.shards
        return Elsewhere(left, self._lowest, better.awaited, better.turn, now - self._used_at)

    def take_report(self, shard: int, report: Report) -> None:
        """A shard has answered: what it says is what it keeps to."""
        before = self.reports.get(shard)
        if before and before.life and report.life and before.life != report.life:
            self.restarts += 1
        self.reports[shard] = report
        if report.is_running:
            self._running[shard] = report
        self._heard_since.add(shard)
        # Before it has begun, it may read all of its start pages at any moment.
        start = Ceiling(*[self.reserved[shard]] * 2) if self.reserved and not report.is_running else Ceiling()
        self._held[shard] = report.ceiling.at_least(start)

    def plan(self, now: float) -> None:
        """Begin a new portion if it is time for one."""
        if not self.all_run:
            return
        self._look(now)
        self._take_back()
        idle = [shard for shard, report in self.reports.items() if self._is_idle(shard, report)]
        if self._used - self._used_before >= self._portion / 2:
            self._give_out(list(self.reports), now)
        elif idle and self.patience:
            self._give_turn(idle, now)
        elif idle and now - self._begun_at >= IDLE_SECONDS:
            self._give_out(idle, now)

    def _look(self, now: float) -> None:
        """How much is used by now, and who is silent."""
        used = sum(report.used.visits for report in self.reports.values())
        if used != self._used:
            self._used, self._used_at = used, now
        for shard, report in self.reports.items():
            if shard not in self._latest or report is not self._latest[shard][0]:
                self._latest[shard] = report, now

    def _is_silent(self, shard: int, now: float) -> bool:
        return shard in self._latest and now - self._latest[shard][1] > SILENT_SECONDS

    def change_budget(self, budget: Ceiling) -> None:
        """Go on with another budget; a new portion begins, since shards may hold too much of the old one."""
        self.budget = budget
        self._portion = 0.0

    @property
    def all_run(self) -> bool:
        """Whether all shards have begun."""
        return len(self.reports) == self.shards and all(report.is_running for report in self.reports.values())

    def _free(self) -> Ceiling:
        """What the ceilings of all leave of the budget."""
        pages = self.budget.pages - sum(held.pages for held in self._held)
        visits = self.budget.visits - sum(held.visits for held in self._held)
        return Ceiling(max(0, pages), max(0, visits))

    def _is_idle(self, shard: int, report: Report) -> bool:
        """Whether a shard has spent what it had and could go on."""
        room = min(self._wanted[shard].pages - report.used.pages, self._wanted[shard].visits - report.used.visits)
        return room <= 0 and not report.still

    def _give_turn(self, idle: list[int], now: float) -> None:
        """One visit for the best of the idle shards, when all have waited long enough for a better one."""
        chosen = max((self.reports[shard] for shard in idle), key=lambda report: max(report.best, default=0.0))
        awaited = [report for shard, report in self.reports.items() if not self._is_silent(shard, now)]
        better = max(awaited, key=lambda report: report.awaited, default=chosen)
        lack = lack_by_score(max(chosen.best, default=0.0), better.awaited)
        if now - self._used_at >= self.patience * better.turn * lack:
            pages, visits = chosen.used
            self._wanted[chosen.shard] = Ceiling(pages + 1, visits + 1)

    def _take_back(self) -> None:
        """Visits of shards that stand still, when another one lacks them: they would be made by nobody."""
        lacking = any(
            wanted.pages > held.pages or wanted.visits > held.visits
            for wanted, held in zip(self._wanted, self._held, strict=True)
        )
        if lacking and not min(self._free()):
            for shard, report in self.reports.items():
                if report.still:
                    self._wanted[shard] = report.used

    def _give_out(self, to: list[int], now: float) -> None:
        used = self._used
        left = min(self.budget.visits - used, self.budget.pages - sum(r.used.pages for r in self.reports.values()))
        size = min(LAST_PORTION * self.shards, max(FIRST_PORTION * self.shards, PORTION_SHARE * used), max(0.0, left))
        able = [shard for shard in to if not self.reports[shard].still and not self._is_silent(shard, now)]
        shares = self._shares(able, math.floor(size))
        for shard, report in self.reports.items():
            if shard in shares or shard in to or report.still:
                pages, visits = report.used
                more = shares.get(shard, 0)
                self._wanted[shard] = Ceiling(pages + more, visits + more)
        self._portion, self._begun_at, self._used_before = size, now, used

    def _shares(self, able: list[int], size: int) -> dict[int, int]:
        """How many visits each of these shards gets."""
        # Who has no candidate to show may have some that are held back: one visit lets it look.
        blind = [shard for shard in able if not self.reports[shard].best]
        shares = Counter(dict.fromkeys(blind[:size], 1))
        waiting = [[(-score, shard) for score in self.reports[shard].best] for shard in able]
        ranked = list(itertools.islice(heapq.merge(*waiting), max(0, size - len(blind))))
        shares.update(shard for _, shard in ranked)
        self._lowest = -ranked[-1][0] if ranked else 0.0
        return shares

    # The crawl as a whole

    def stats(self) -> Stats:
        """The numbers of the crawl; a shard that is coming back from a kill stands where it stood."""
        known = self.reports | self._running
        stats = merged([report.stats for report in known.values()])
        if stats.relevant > self._relevant:
            first = self._relevant < 0
            self._relevant = stats.relevant
            # A resumed crawl does not know in which order its shards found what they found.
            self._visited_then = stats.visited - (stats.since_relevant if first else 0)
        return replace(stats, since_relevant=max(0, stats.visited - self._visited_then))

    def is_still(self) -> bool:
        """Whether nothing is left to do and no mail is under way, twice in a row with the same numbers."""
        reports = [self.reports[shard] for shard in sorted(self.reports)]
        if not self.all_run or not all(self._rests(report) for report in reports):
            self._quiet = ()
            return False
        numbers = (tuple((*report.sent, *report.got) for report in reports), sum(r.stats.visited for r in reports))
        if numbers != self._quiet:
            self._quiet = numbers
            self._heard_since = set()
            return False
        return len(self._heard_since) == self.shards

    def _rests(self, report: Report) -> bool:
        arrived = all(report.sent[peer] == self.reports[peer].got[report.shard] for peer in range(self.shards))
        return bool(report.still) and not report.in_flight and not report.outbox and arrived
