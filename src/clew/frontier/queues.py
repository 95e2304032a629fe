"""The best candidate among the hosts that are ready, in a time that does not grow with the frontier."""

from __future__ import annotations

import math
from array import array
from dataclasses import dataclass, field
from heapq import heappop, heappush, nsmallest
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from clew.frontier.table import State, Table

Entry = tuple[float, int]  # (-score, slot): the smallest is the best, and the oldest among equals


@dataclass(slots=True)
class HostQueue:
    """The candidates of one host: a sorted run for the many, a small heap for the latest.

    Nothing is ever deleted from inside: an entry counts only while its slot is queued with that very score.
    """

    run: array[int] = field(default_factory=lambda: array("q"))  # best last
    run_scores: array[float] = field(default_factory=lambda: array("d"))
    fresh: list[Entry] = field(default_factory=list)
    busy: int = 0
    ready_at: float = -math.inf

    def push(self, entry: Entry, table: Table) -> None:
        """Add a candidate, or one whose score has changed."""
        heappush(self.fresh, entry)
        if len(self.fresh) > 64 + len(self.run):
            self.merge(table)

    def peek(self, table: Table) -> Entry | None:
        """The best entry that still counts."""
        state, score = table.state, table.score
        while self.fresh and not (
            state[self.fresh[0][1]] == State.QUEUED and score[self.fresh[0][1]] == -self.fresh[0][0]
        ):
            heappop(self.fresh)
        while self.run and not (state[self.run[-1]] == State.QUEUED and score[self.run[-1]] == self.run_scores[-1]):
            self.run.pop()
            self.run_scores.pop()
        if not self.run:
            return self.fresh[0] if self.fresh else None
        top = (-self.run_scores[-1], self.run[-1])
        return min(top, self.fresh[0]) if self.fresh else top

    def tops(self, n: int, table: Table) -> list[Entry]:
        """The n best entries; those that no longer count are passed over."""

        def counts(entry: Entry) -> bool:
            return table.state[entry[1]] == State.QUEUED and table.score[entry[1]] == -entry[0]

        run = zip((-score for score in reversed(self.run_scores)), reversed(self.run), strict=True)
        return nsmallest(n, {*islice(filter(counts, run), n), *filter(counts, self.fresh)})

    def merge(self, table: Table) -> None:
        """Sort everything that still counts into the run."""
        slots = np.array(sorted({*self.run, *(slot for _, slot in self.fresh)}), np.int64)
        self.fill(slots, table)

    def fill(self, slots: NDArray[np.int64], table: Table) -> None:
        """Hold exactly these slots, as far as they are queued and not held back."""
        scores = np.frombuffer(table.score)[slots]
        keep = (np.frombuffer(table.state, np.uint8)[slots] == State.QUEUED) & (scores > -math.inf)
        slots, scores = slots[keep], scores[keep]
        order = np.lexsort((-slots, scores))
        self.run, self.run_scores = array("q", slots[order].tobytes()), array("d", scores[order].tobytes())
        self.fresh = []


@dataclass(slots=True)
class Queues:
    """A queue a host, and a heap over the hosts that may be asked now."""

    table: Table
    per_host: int = 1
    hosts: dict[int, HostQueue] = field(default_factory=dict)
    ready: list[tuple[float, int, int]] = field(default_factory=list)  # (-score, slot, host)
    waiting: list[tuple[float, int]] = field(default_factory=list)  # (ready at, host)

    def push(self, slot: int) -> None:
        """Queue a slot under the score that the table holds."""
        score = self.table.score[slot]
        if score == -math.inf:
            return
        number = self.table.host[slot]
        host = self.hosts.setdefault(number, HostQueue())
        host.push((-score, slot), self.table)
        if self._free(host) and host.peek(self.table) == (-score, slot):
            heappush(self.ready, (-score, slot, number))
            if len(self.ready) > 2 * len(self.hosts) + 1000:
                self._offer_all()

    def pop(self, now: float) -> int | None:
        """The best slot of a host that is ready, which is then busy."""
        self._wake(now)
        if (number := self._best_ready()) is None:
            return None
        host = self.hosts[number]
        _, slot = host.peek(self.table) or (0.0, -1)
        self.table.state[slot] = State.FLYING
        host.busy += 1
        self._offer(number)
        return slot

    def release(self, number: int, ready_at: float, now: float) -> None:
        """A fetch has ended; the host may be asked again at that time."""
        host = self.hosts[number]
        host.busy -= 1
        host.ready_at = ready_at
        heappush(self.waiting, (ready_at, number))
        self._wake(now)

    def next_ready(self) -> float | None:
        """When the next waiting host may be asked."""
        return self.waiting[0][0] if self.waiting else None

    def best(self) -> float:
        """The best score among the hosts that are ready; -inf when there is none."""
        number = self._best_ready()
        return -math.inf if number is None else -self.ready[0][0]

    def tops(self, n: int) -> list[int]:
        """The n best slots among the hosts that are ready."""
        best: list[Entry] = []
        heads: dict[int, tuple[float, int, int]] = {}
        while (number := self._best_ready()) is not None:
            if len(best) == n and self.ready[0][:2] > best[-1]:
                break
            head = heappop(self.ready)
            if number not in heads:
                heads[number] = head
                best = nsmallest(n, best + self.hosts[number].tops(n, self.table))
        for head in heads.values():
            heappush(self.ready, head)
        return [slot for _, slot in best]

    def rebuild(self) -> None:
        """Sort everything anew after a change of all scores."""
        slots = self.table.queued()
        numbers = np.frombuffer(self.table.host, np.int32)[slots]
        order = np.argsort(numbers, kind="stable")
        slots, numbers = slots[order], numbers[order]
        cuts = np.flatnonzero(np.diff(numbers)) + 1
        for host in self.hosts.values():
            host.run, host.run_scores, host.fresh = array("q"), array("d"), []
        for group in np.split(slots, cuts) if len(slots) else ():
            number = int(self.table.host[int(group[0])])
            self.hosts.setdefault(number, HostQueue()).fill(group, self.table)
        self._offer_all()

    def _offer_all(self) -> None:
        self.ready = []
        for number in self.hosts:
            self._offer(number)

    def _wake(self, now: float) -> None:
        while self.waiting and self.waiting[0][0] <= now:
            _, number = heappop(self.waiting)
            host = self.hosts[number]
            if host.ready_at <= now:
                host.ready_at = -math.inf
                self._offer(number)

    def _free(self, host: HostQueue) -> bool:
        return host.busy < self.per_host and host.ready_at == -math.inf

    def _offer(self, number: int) -> None:
        host = self.hosts[number]
        if self._free(host) and (top := host.peek(self.table)):
            heappush(self.ready, (*top, number))

    def _best_ready(self) -> int | None:
        """Clear the heap's head of entries that no longer count; the host at the head."""
        renewed: set[int] = set()  # one entry a host is enough: the others were its tops of earlier times
        while self.ready:
            score, slot, number = self.ready[0]
            host = self.hosts[number]
            top = host.peek(self.table) if self._free(host) else None
            if top == (score, slot):
                return number
            heappop(self.ready)
            if top and number not in renewed:
                renewed.add(number)
                heappush(self.ready, (*top, number))
        return None
