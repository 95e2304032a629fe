"""The best candidate among the hosts that are ready, in a time that does not grow with the frontier."""

from __future__ import annotations

import math
from array import array
from dataclasses import dataclass, field
from heapq import heappop, heappush, nsmallest
from typing import Final

import numpy as np

from clew.frontier.host_queue import Entry, HostQueue
from clew.frontier.table import IN_FLIGHT, Table

GROUP_RETRY_SECONDS: Final = 0.1  # seconds between two hosts that a group lets in, if the first is not asked before


@dataclass(slots=True)
class WaitingGroup:
    """Hosts that share a limit and must wait together: the best is let in when its time comes, or with the next answer.

    Whether the limit really has room is not known here: a host for which it has none is parked again.
    """

    until: float = -math.inf
    eager: bool = False
    hosts: list[tuple[float, int, int]] = field(default_factory=list)  # (-score, slot, host)


@dataclass(slots=True)
class Queues:
    """A queue a host, and a heap over the hosts that may be asked now."""

    table: Table
    per_host: int = 1
    hosts: dict[int, HostQueue] = field(default_factory=dict)
    ready: list[tuple[float, int, int]] = field(default_factory=list)  # (-score, slot, host)
    waiting: list[tuple[float, int]] = field(default_factory=list)  # (ready at, host)
    groups: dict[str, WaitingGroup] = field(default_factory=dict)
    closed: list[tuple[float, str]] = field(default_factory=list)  # (until, group), for every group with hosts

    def push(self, slot: int) -> None:
        """Queue a slot under the score that the table holds."""
        score = self.table.score[slot]
        if score == -math.inf:
            return
        number = self.table.host[slot]
        host = self.hosts.setdefault(number, HostQueue())
        host.push((-score, slot), self.table)
        if group := self._parked(host):
            heappush(group.hosts, (-score, slot, number))
        elif self._free(host) and host.peek(self.table) == (-score, slot):
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
        self.table.state[slot] = IN_FLIGHT
        host.busy += 1
        if host.via:
            group = host.via
            host.via = ""
            self._let_in(group, now)
        self._offer(number)
        return slot

    def park(self, number: int, group: str, until: float, eager: bool = False) -> None:
        """The host shares a group that must be left alone until then; `eager`: or until the next answer."""
        self.hosts[number].group = group
        found = self.groups.setdefault(group, WaitingGroup())
        found.eager = eager
        self._close(group, found, until)

    def nudge(self, now: float) -> None:
        """An answer has come: perhaps there is room now where there was none."""
        eager = [name for name, group in self.groups.items() if group.eager]
        for name in eager:
            self._let_in(name, now)

    def release(self, number: int, ready_at: float, now: float) -> None:
        """A fetch has ended; the host may be asked again at that time."""
        host = self.hosts[number]
        host.busy -= 1
        host.ready_at = ready_at
        heappush(self.waiting, (ready_at, number))
        self._wake(now)

    def allow(self, number: int, visits: float) -> None:
        """Offer so many candidates of a host, and no more."""
        self.hosts.setdefault(number, HostQueue()).left = visits
        self._offer(number)

    def next_ready(self) -> float | None:
        """When the next waiting host may be asked."""
        while self.closed and self._outdated(*self.closed[0]):
            heappop(self.closed)
        return min((heap[0][0] for heap in (self.waiting, self.closed) if heap), default=None)

    def hopeful(self) -> bool:
        """Whether one of the hosts that must wait has candidates, be they held back or over a budget."""
        waiting = [number for _, number in self.waiting]
        if self.closed or any(self.hosts[number].peek(self.table) for number in waiting):
            return True
        return bool(np.isin(waiting, np.frombuffer(self.table.host, np.int32)[self.table.queued()]).any())

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
        slots = slots[order]
        numbers = numbers[order]
        cuts = np.flatnonzero(np.diff(numbers)) + 1
        for host in self.hosts.values():
            host.run = array("q")
            host.run_scores = array("d")
            host.fresh = []
        for of_one_host in np.split(slots, cuts) if len(slots) else ():
            number = int(self.table.host[int(of_one_host[0])])
            self.hosts.setdefault(number, HostQueue()).fill(of_one_host, self.table)
        self._offer_all()

    def _offer_all(self) -> None:
        self.ready = []
        for group in self.groups.values():
            group.hosts = []
        for number in self.hosts:
            self._offer(number)

    def _wake(self, now: float) -> None:
        while self.waiting and self.waiting[0][0] <= now:
            _, number = heappop(self.waiting)
            host = self.hosts[number]
            if host.ready_at <= now:
                host.ready_at = -math.inf
                self._offer(number)
        while self.closed and self.closed[0][0] <= now:
            until, group = heappop(self.closed)
            if not self._outdated(until, group):
                self._let_in(group, now)

    def _outdated(self, until: float, group: str) -> bool:
        return group not in self.groups or self.groups[group].until != until

    def _close(self, name: str, group: WaitingGroup, until: float) -> None:
        group.until = until
        heappush(self.closed, (until, name))

    def _let_in(self, name: str, now: float) -> None:
        """The best host of a group; the next one follows when this one is popped, or a little later."""
        if not (group := self.groups.get(name)):
            return
        group.eager = False
        while group.hosts:
            number = heappop(group.hosts)[2]
            host = self.hosts[number]
            if host.group == name:
                host.group = ""
                if self._offer(number):
                    host.via = name
                    return self._close(name, group, now + GROUP_RETRY_SECONDS)
        del self.groups[name]

    def _parked(self, host: HostQueue) -> WaitingGroup | None:
        """Where a host is parked; a group that has let all in who had candidates is no more."""
        if host.group and host.group not in self.groups:
            host.group = ""
        return self.groups[host.group] if host.group else None

    def _free(self, host: HostQueue) -> bool:
        return host.busy < self.per_host and host.busy < host.left and host.ready_at == -math.inf and not host.group

    def _offer(self, number: int) -> bool:
        """Put a host that is ready, or parked, where it will be found; whether it is ready."""
        host = self.hosts[number]
        if group := self._parked(host):
            if top := host.peek(self.table):
                heappush(group.hosts, (*top, number))
        elif self._free(host) and (top := host.peek(self.table)):
            heappush(self.ready, (*top, number))
            return True
        return False

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
