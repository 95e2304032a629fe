"""All candidates in the order of their scores, host by host and over all hosts; no step looks at all of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from heapq import heappop, heappush

import numpy as np

from clew.frontier.host_queue import HostQueue
from clew.frontier.sorted_entries import Entry, SortedEntries
from clew.frontier.table import Table


@dataclass(slots=True)
class Waiting:
    """The queue of each host, with the first of each queue in one order, and the last ones while the room is short."""

    table: Table
    hosts: dict[int, HostQueue] = field(default_factory=dict)
    firsts: SortedEntries = field(default_factory=SortedEntries)  # of all queues
    lasts: SortedEntries | None = None  # of all queues; None until somebody asks for the worst
    changed: dict[int, None] = field(default_factory=dict)  # hosts whose queue is another than when somebody looked

    def host_of(self, slot: int) -> HostQueue:
        """The queue of a slot's host."""
        number = self.table.host[slot]
        if (host := self.hosts.get(number)) is None:
            host = self.hosts[number] = HostQueue()
        return host

    def add(self, slot: int) -> bool:
        """Queue a slot under the score that the table holds; whether it is the first of its host."""
        self.changed[self.table.host[slot]] = None
        entries = self.host_of(slot).entries
        entry = (-self.table.score[slot], slot)
        last = entries.last if self.lasts else None
        if is_first := entries.put(entry):
            _replace(self.firsts, entries.second, entry)
        if self.lasts is not None and (last is None or entry > last):
            _replace(self.lasts, last, entry)
        return is_first

    def remove(self, slot: int) -> None:
        """A slot is no candidate any more, or gets another score, which the table does not hold yet."""
        number = self.table.host[slot]
        self.changed[number] = None
        entries = self.hosts[number].entries
        entry = (-self.table.score[slot], slot)
        last = entries.last if self.lasts else None
        if entries.remove(entry):
            _replace(self.firsts, entry, entries.first)
        if self.lasts and entry == last:
            _replace(self.lasts, last, entries.last)

    def best(self) -> Iterator[Entry]:
        """All entries, the best first."""
        firsts = iter(self.firsts)
        following = next(firsts, None)
        heap: list[tuple[Entry, Iterator[Entry]]] = []  # the next entry of each queue that is under way
        while following or heap:
            if following and (not heap or following < heap[0][0]):
                # The first entry of a queue that was not under way yet.
                queue = iter(self.hosts[self.table.host[following[1]]].entries)
                entry = next(queue)
                following = next(firsts, None)
            else:
                entry, queue = heappop(heap)
            yield entry
            if (after := next(queue, None)) is not None:
                heappush(heap, (after, queue))

    def worst(self) -> Entry | None:
        """The entry with the lowest score, and of equals the newest."""
        if self.lasts is None:
            self.lasts = SortedEntries()
            for host in self.hosts.values():
                if last := host.entries.last:
                    self.lasts.put(last)
        return self.lasts.last

    def fill(self) -> None:
        """Sort everything anew after a change of all scores."""
        for host in self.hosts.values():
            host.entries = SortedEntries()
        self.firsts = SortedEntries()
        self.lasts = None
        self.changed = dict.fromkeys(self.hosts)
        slots = self.table.queued()
        if not len(slots):
            return
        numbers = self.table.of("host")[slots]
        negatives = -self.table.of("score")[slots]
        order = np.lexsort((slots, negatives, numbers))
        cuts = np.flatnonzero(np.diff(numbers[order])) + 1
        for part in np.split(order, cuts):
            number = int(numbers[part[0]])
            self.changed[number] = None
            host = self.hosts.setdefault(number, HostQueue())
            host.entries.fill(negatives[part], slots[part])
            self.firsts.put((float(negatives[part[0]]), int(slots[part[0]])))


def _replace(entries: SortedEntries, old: Entry | None, new: Entry | None) -> None:
    if old is not None:
        entries.remove(old)
    if new is not None:
        entries.put(new)
