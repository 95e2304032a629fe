"""The best candidate among the hosts that are ready, in a time that does not grow with the frontier.

A host with candidates has an entry in one heap: that of the ready hosts, or that of the first of its groups that has
no room. A group that has room hands on its best entry; when that host is chosen, and there is still room, the next one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush, nsmallest
from typing import Final

from clew.frontier.group import Group
from clew.frontier.host_queue import HostQueue
from clew.frontier.leaders import Leader, Leaders
from clew.frontier.sorted_entries import Entry
from clew.frontier.table import IN_FLIGHT, Table
from clew.frontier.waiting import Waiting
from clew.types import SharedLimit

LONG_REST_SECONDS: Final = 30.0  # a host that rests for longer is not waited for


def _none(slot: int) -> Sequence[SharedLimit]:
    """Each host is on its own."""
    return ()


@dataclass(slots=True)
class Queues:
    """A queue a host, and a heap over the hosts that may be asked now."""

    table: Table
    per_host: int = 1
    limits_of: Callable[[int], Sequence[SharedLimit]] = _none  # those that the host of a slot shares
    ready: list[tuple[float, int, int]] = field(default_factory=list)  # (-score, slot, host)
    waiting: list[tuple[float, int]] = field(default_factory=list)  # (ready at, host)
    groups: dict[str, Group] = field(default_factory=dict)
    alarms: list[tuple[float, str]] = field(default_factory=list)  # (when it has rested, group with hosts that wait)
    now: float = -math.inf
    woken: int = 0  # times that a host, or a group of hosts, became ready
    usual_turn: float = 0.0  # of the host that was asked last
    leaders: Leaders = field(init=False)
    fresh: dict[int, None] = field(default_factory=dict)  # slots without a score, which come behind all others
    queued: Waiting = field(init=False)  # the others
    hosts: dict[int, HostQueue] = field(init=False)

    def __post_init__(self) -> None:
        self.queued = Waiting(self.table)
        self.hosts = self.queued.hosts
        self.leaders = Leaders(self._awaited)

    def push(self, slot: int) -> None:
        """Queue a slot under the score that the table holds."""
        if self.table.score[slot] == -math.inf:
            # It will have a score soon, and needs no place until then.
            self.queued.host_of(slot)
            self.fresh[slot] = None
        elif self.queued.add(slot):
            self._announce(slot)

    def move(self, slot: int, score: float) -> None:
        """Give a slot that is queued another score."""
        self.remove(slot)
        self.table.score[slot] = score
        if self.queued.add(slot):
            self._announce(slot)

    def remove(self, slot: int) -> None:
        """A slot is no candidate any more."""
        if slot in self.fresh:
            del self.fresh[slot]
        else:
            self.queued.remove(slot)

    def settle(self) -> None:
        """Queue those without a score as well, before a question that they have a part in."""
        for slot in self.fresh:
            self.queued.add(slot)
        self.fresh = {}

    def wake(self, now: float) -> None:
        """Offer the hosts, and the groups, that have rested."""
        self.now = now
        while self.waiting and self.waiting[0][0] <= now:
            _, number = heappop(self.waiting)
            host = self.hosts[number]
            if host.ready_at <= now:
                host.ready_at = -math.inf
                self.woken += 1
                self.leaders.renew(number)
                self._offer(number)
        while self.alarms and self.alarms[0][0] <= now:
            group = self.groups[heappop(self.alarms)[1]]
            group.alarm = math.inf
            self.woken += 1
            self._hand_on(group)

    def pop(self, now: float) -> int | None:
        """The best slot of a host that is ready, which is then busy."""
        self.wake(now)
        if (number := self._best_ready()) is None:
            return None
        slot = heappop(self.ready)[1]
        self.queued.remove(slot)
        host = self.hosts[number]
        self.table.mark(slot)
        self.table.state[slot] = IN_FLIGHT
        host.busy += 1
        host.asked_at = now
        for group in host.groups or ():
            group.busy += 1
            group.until = now + group.gap
            group.latest = number
        self._offer(number)
        self._hand_on_all(host.groups or ())
        return slot

    def regroup(self, number: int, limits: Sequence[SharedLimit]) -> None:
        """The limits that a host shares, which may be others than before."""
        self._join(number, self._groups(limits))

    def rest(self, number: int, place: str, until: float) -> None:
        """A host was not asked after all: a limit that it shares is used up until then."""
        # Of a limit that nobody has told, only this is known: one fetch at a time is sure to be allowed.
        [resting] = self._groups([SharedLimit(place)])
        groups = self.hosts[number].groups or ()
        if resting not in groups:
            groups = (*groups, resting)
            self._join(number, groups)
        resting.latest = number
        for group in groups:
            if group.latest == number:
                group.until = until
            # The hosts of a narrower group will hardly fare better, but a wider one has others to turn to.
            if group is resting:
                until = -math.inf

    def spare(self, number: int, now: float) -> None:
        """A host was not asked, because the answer was known: what it shares need not rest for it."""
        for group in self.hosts[number].groups or ():
            if group.latest == number:
                group.until = now

    def release(self, number: int, ready_at: float, now: float, asked: bool = True) -> None:
        """A fetch has ended, though the host may not have been asked; it may be asked again at that time."""
        host = self.hosts[number]
        host.busy -= 1
        host.ready_at = ready_at
        self.queued.changed[number] = None
        if asked:
            self.usual_turn = host.measure_turn()
        heappush(self.waiting, (ready_at, number))
        for group in host.groups or ():
            group.busy -= 1
        self.wake(now)
        self._hand_on_all(host.groups or ())

    def allow(self, number: int, visits: float) -> None:
        """Offer so many candidates of a host, and no more."""
        self.hosts.setdefault(number, HostQueue()).left = visits
        self.leaders.renew(number)
        self._offer(number)

    def next_ready(self) -> float | None:
        """When the next waiting host, or group, may be asked."""
        return min((heap[0][0] for heap in (self.waiting, self.alarms) if heap), default=None)

    def hopeful(self) -> bool:
        """Whether one of the hosts that must wait has candidates, be they held back or over a budget."""
        self.settle()
        return bool(self.alarms) or any(self.hosts[number].entries for _, number in self.waiting)

    def best(self) -> float:
        """The best score among the hosts that are ready; -inf when there is none."""
        number = self._best_ready()
        return -math.inf if number is None else -self.ready[0][0]

    def next_one(self) -> Leader | None:
        """The candidate that `pop` would choose among the hosts that were awake last."""
        return None if self._best_ready() is None else Leader(*self.ready[0])

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
                best = nsmallest(n, best + self.hosts[number].tops(n))
        for head in heads.values():
            heappush(self.ready, head)
        return [slot for _, slot in best]

    def worst(self) -> Entry | None:
        """The candidate with the lowest score, and of equals the newest."""
        self.settle()
        return self.queued.worst()

    def rebuild(self) -> None:
        """Sort everything anew after a change of all scores."""
        self.fresh = {}
        self.queued.fill()
        self._offer_all()

    def _announce(self, slot: int) -> None:
        """A slot has become the first of its host: unless it is held back, it is offered."""
        entry = (-self.table.score[slot], slot)
        if entry[0] == math.inf:
            return
        number = self.table.host[slot]
        self.leaders.add(Leader(*entry, number))
        if self._free(self.hosts[number]):
            self._place((*entry, number))
        if max(len(self.ready), len(self.leaders.heap)) > 2 * len(self.hosts) + 1000:
            self._offer_all()

    def _offer_all(self) -> None:
        self.ready = []
        self.leaders.reset(self.hosts)
        for group in self.groups.values():
            group.hosts = []
        for number in self.hosts:
            self._offer(number)

    def _free(self, host: HostQueue) -> bool:
        return host.busy < self.per_host and host.busy < host.left and host.ready_at == -math.inf

    def _awaited(self, number: int) -> Entry | None:
        """The best entry of a host, unless its budget is spent or it rests for long."""
        host = self.hosts[number]
        if host.busy >= host.left or host.ready_at - self.now > LONG_REST_SECONDS:
            return None
        return host.peek()

    def _top(self, number: int) -> Entry | None:
        """The best entry of a host that need not wait for itself."""
        host = self.hosts[number]
        return host.peek() if self._free(host) else None

    def _offer(self, number: int) -> None:
        """Put a host that need not wait for itself where it will be found."""
        if top := self._top(number):
            self._place((*top, number))

    def _place(self, entry: tuple[float, int, int]) -> Group | None:
        """Put an entry among the ready, or into the group that has no room for it, which is returned."""
        for group in self.hosts[entry[2]].groups or ():
            if not group.has_room(self.now):
                heappush(group.hosts, entry)
                self._set_alarm(group)
                return group
        heappush(self.ready, entry)
        return None

    def _set_alarm(self, group: Group) -> None:
        # A group that is only busy needs no alarm: it hands on with the next answer.
        if self.now < group.until < group.alarm:
            group.alarm = group.until
            heappush(self.alarms, (group.until, group.place))

    def _hand_on_all(self, groups: Iterable[Group]) -> None:
        for group in groups:
            self._hand_on(group)

    def _hand_on(self, group: Group) -> None:
        """If the group has room, its best entry goes on: to a wider group that has none, or to the ready."""
        renewed: set[int] = set()
        while group.hosts and group.has_room(self.now):
            entry = heappop(group.hosts)
            number = entry[2]
            groups = self.hosts[number].groups or ()
            if group not in groups:
                continue
            narrower = groups[: groups.index(group)]
            top = self._top(number)
            if top != entry[:2]:
                if top and number not in renewed:
                    renewed.add(number)
                    heappush(group.hosts, (*top, number))
                self._hand_on_all(narrower)
            # If a narrower group without room takes the entry back, this one may serve others meanwhile.
            elif self._place(entry) not in narrower:
                return
        if group.hosts:
            self._set_alarm(group)

    def _best_ready(self) -> int | None:
        """Clear the heap's head of entries that no longer count; the host at the head."""
        renewed: set[int] = set()  # one entry a host is enough: the others were its tops of earlier times
        while self.ready:
            entry = self.ready[0]
            number = entry[2]
            host = self.hosts[number]
            if host.groups is None:
                host.groups = self._groups(self.limits_of(entry[1]))
            top = self._top(number)
            if top == entry[:2] and all(group.has_room(self.now) for group in host.groups):
                return number
            heappop(self.ready)
            if top and number not in renewed:
                renewed.add(number)
                self._place((*top, number))
            self._hand_on_all(host.groups)
        return None

    def _join(self, number: int, groups: tuple[Group, ...]) -> None:
        """A host belongs to these groups from now on, and its fetches count there."""
        host = self.hosts[number]
        before = host.groups or ()
        if groups == before:
            return
        host.groups = groups
        for group in groups:
            group.busy += host.busy
        for group in before:
            group.busy -= host.busy
        self._offer(number)
        self._hand_on_all(before)

    def _groups(self, limits: Sequence[SharedLimit]) -> tuple[Group, ...]:
        for limit in limits:
            if limit.place not in self.groups:
                self.groups[limit.place] = Group(*limit)
        return tuple(self.groups[limit.place] for limit in limits)
