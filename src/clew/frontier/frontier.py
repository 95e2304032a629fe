"""All candidates with their scores, their evidence and the readiness of their hosts."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from clew.base.chance import key_of
from clew.base.codec import same_tags
from clew.errors import StrategyError
from clew.frontier.evidence import ALWAYS_KEPT_INLINKS, Evidence, EvidenceStore
from clew.frontier.queues import Queues
from clew.frontier.relevance import SourceRelevance
from clew.frontier.table import COLUMNS, State, Table
from clew.frontier.web import Web
from clew.parse.links import one_for_each_target
from clew.parse.url import host as host_of
from clew.types import Candidate, Link, UrlEntry

Refuse = Callable[[str, int], str]  # (url, depth) -> why it is out of scope, or ""


@dataclass
class Frontier:
    """Scores and host queues in memory, texts on the shelf.

    >>> frontier = Frontier()
    >>> a, b = frontier.slot_for("http://a.example/"), frontier.slot_for("http://b.example/")
    >>> frontier.set([a, b], [0.2, 0.7])
    >>> frontier.candidates([frontier.pop(now=0.0)])[0].url
    'http://b.example/'
    """

    store: EvidenceStore | None = None
    capacity: int = 1_000_000
    per_host: int = 1
    room: int = 200_000
    waiting: int = 0
    dropped: int = 0
    table: Table = field(default_factory=Table)
    hosts: dict[str, int] = field(default_factory=dict)
    web: Web | None = None  # all links, where a strategy asks for them

    def __post_init__(self) -> None:
        self.queues = Queues(self.table, self.per_host)
        self.evidence = Evidence(self.store, self.room)
        self.relevance = SourceRelevance(self.table, self.evidence)

    def slot_for(self, url: str, refuse: Refuse = lambda url, depth: "") -> int:
        """The slot of a URL that is named without a link: a start page, a guess of the strategy."""
        key = key_of(url)
        slot = self.table.slots.get(key)
        return self._new(key, UrlEntry(url, (), refuse(url, 0)), depth=0) if slot is None else slot

    def is_queued(self, slot: int) -> bool:
        """Whether it is a candidate."""
        return self.table.state[slot] == State.QUEUED

    def add(
        self, links: Iterable[Link], depth: int, relevance: float, refuse: Refuse, source: int = -1
    ) -> tuple[list[int], list[int]]:
        """Take in the links of one page; the candidates with new evidence, and those that are just linked again."""
        slots, fresh, again, all_of_them = self.table.slots, list[int](), list[int](), list[int]()
        for link in one_for_each_target(links):
            key = key_of(link.url)
            slot, new = slots.get(key), True
            if slot is None:
                reason = refuse(link.url, depth)
                slot = self._new(key, UrlEntry(link.url, (link,), reason), depth)
            elif self.table.state[slot] in (State.QUEUED, State.DROPPED):
                new = self._more(slot, link, relevance)
            elif self.table.state[slot] == State.OUT and depth < self.table.depth[slot]:
                self._nearer(slot, link, depth, refuse)
            self._count(slot, relevance)
            all_of_them.append(slot)
            if self.table.state[slot] == State.QUEUED:
                (fresh if new else again).append(slot)
        if self.web:
            self.web.add(source, all_of_them)
        return fresh, again

    def redirect(self, slot: int, url: str, refuse: Refuse) -> list[int]:
        """A visit led elsewhere: what spoke for it now speaks for the target."""
        [origin] = self.entries([slot])
        key, depth = key_of(url), self.table.depth[slot]
        target = self.table.slots.get(key)
        if target is None:
            links = tuple(link._replace(url=url, kind="redirect") for link in origin.links)
            target = self._new(key, UrlEntry(url, links, refuse(url, depth)), depth)
            self.table.n_links[target] = self.table.n_links[slot]
            self.table.strongest[target] = self.table.strongest[slot]
            self.table.hops[target] = self.table.hops[slot] + 1
        if self.web:
            self.web.move(slot, target)
        return [target] if self.table.state[target] == State.QUEUED else []

    def set(self, slots: Sequence[int], scores: Sequence[float]) -> None:
        """New scores; HOLD keeps a candidate without offering it."""
        column = self.table.score
        for slot, score in zip(slots, _validated(scores), strict=True):
            if score != column[slot]:
                column[slot] = score
                self.queues.push(slot)
        if self.waiting > self.capacity * 1.05:
            self._truncate()

    def set_all(self, score: Callable[[Sequence[Candidate]], Sequence[float]], chunk: int = 2000) -> None:
        """Score every candidate anew, in chunks so that memory stays small."""
        slots = self.table.queued()
        for start in range(0, len(slots), chunk):
            part = slots[start : start + chunk].tolist()
            for slot, value in zip(part, _validated(score(self.candidates(part))), strict=True):
                self.table.score[slot] = value
        if self.waiting > self.capacity * 1.05:
            self._truncate()
        self.queues.rebuild()

    def pop(self, now: float) -> int | None:
        """The slot of the best candidate whose host is ready; the host is busy until `release`."""
        slot = self.queues.pop(now)
        self.waiting -= slot is not None
        return slot

    def release(self, slot: int, now: float, pause: float = 0.0) -> None:
        """The fetch has ended; leave the host alone for a while."""
        self.queues.release(self.table.host[slot], now + pause, now)

    def park(self, slot: int, place: str, until: float, eager: bool = False) -> None:
        """The slot's host shares a place with others, which is to be left alone; `eager`: or until the next answer."""
        self.queues.park(self.table.host[slot], place, until, eager)

    def retry(self, slot: int) -> None:
        """Back into the queue with the same score."""
        self.table.state[slot] = State.QUEUED
        self.waiting += 1
        self.queues.push(slot)

    def exclude(self, slot: int, reason: str) -> None:
        """A candidate is out of scope after all."""
        [known] = self.entries([slot])
        self.evidence.put(slot, known._replace(reason=reason))
        self.table.state[slot] = State.OUT
        self.waiting -= 1

    def queued_on(self, host: str) -> list[tuple[int, str]]:
        """Slots and URLs of the candidates of one host."""
        slots = self.table.queued()
        slots = slots[np.frombuffer(self.table.host, np.int32)[slots] == self.hosts.get(host, -1)]
        return [(slot, known.url) for slot, known in zip(slots.tolist(), self.entries(slots.tolist()), strict=True)]

    def allow(self, host: str, visits: int) -> None:
        """Offer so many candidates of a host, and no more."""
        self.queues.allow(self.hosts.setdefault(host, len(self.hosts)), visits)

    def is_spent(self, slot: int) -> bool:
        """Whether the host has no visit left."""
        queue = self.queues.hosts.get(self.table.host[slot])
        return queue is not None and queue.left <= 0

    def finish(self, slot: int, state: State, relevance: float = 0.0) -> None:
        """The visit is over."""
        if self.table.state[slot] == State.QUEUED:
            self.waiting -= 1
        self.table.state[slot] = state
        self.table.relevance[slot] = relevance

    def entries(self, slots: Iterable[int]) -> list[UrlEntry]:
        """URL and evidence of slots."""
        return self.evidence.get(slots, self.table.is_done)

    def candidates(self, slots: Sequence[int]) -> list[Candidate]:
        """Slots as strategies see them."""
        table = self.table
        return [
            Candidate(known.url, slot, table.depth[slot], known.links, table.n_links[slot], table.score[slot])
            for slot, known in zip(slots, self.entries(slots), strict=True)
        ]

    def queued(self) -> Iterator[Candidate]:
        """All candidates in the order of their discovery."""
        slots = self.table.queued()
        for start in range(0, len(slots), 2000):
            yield from self.candidates(slots[start : start + 2000].tolist())

    def best(self, everywhere: bool = False) -> float:
        """The best score among ready hosts, or (dearer) among all."""
        if not everywhere or not self.waiting:
            return self.queues.best()
        return float(np.frombuffer(self.table.score)[self.table.queued()].max())

    def save(self) -> dict[str, bytes]:
        """Everything but the texts, which are on the shelf after a commit."""
        columns = {f"frontier/{name}": data for name, data in self.table.save().items()}
        web = self.web.save() if self.web else {}
        columns |= {f"links/{name}": data for name, data in web.items()}
        return columns | {
            "frontier/hosts": "\n".join(self.hosts).encode(),
            "frontier/dropped": str(self.dropped).encode(),
        }

    def load(self, parts: dict[str, bytes]) -> None:
        """Go on where `save` was called; what was in flight then waits again."""
        same_tags("the frontier", _below("frontier/", parts), [*COLUMNS, "hosts", "dropped"])
        self.table.load(_below("frontier/", parts))
        names = parts["frontier/hosts"].decode()
        self.hosts = {name: number for number, name in enumerate(names.split("\n") if names else ())}
        self.dropped = int(parts["frontier/dropped"])
        if self.web and "links/sources" in parts:  # another strategy may not have asked for them
            self.web = Web.load(_below("links/", parts))
        for slot, state in enumerate(self.table.state):
            if state == State.FLYING:
                self.table.state[slot] = State.QUEUED
        self.waiting = len(self.table.queued())
        self.queues = Queues(self.table, self.per_host)
        self.queues.rebuild()

    def _new(self, key: int, known: UrlEntry, depth: int) -> int:
        host = self.hosts.setdefault(host_of(known.url), len(self.hosts))
        slot = self.table.append(key, host, depth, score=-math.inf)
        self.evidence.put(slot, known)
        if known.reason:
            self.table.state[slot] = State.OUT
        else:
            self.waiting += 1
        return slot

    def _more(self, slot: int, link: Link, relevance: float) -> bool:
        """Another link to a candidate; whether it is evidence, or brings the candidate back."""
        dropped = self.table.state[slot] == State.DROPPED
        if dropped:
            self.table.state[slot] = State.QUEUED
            self.table.score[slot] = -math.inf
            self.waiting += 1
        if self.table.n_links[slot] >= ALWAYS_KEPT_INLINKS and relevance <= self.table.strongest[slot]:
            return dropped
        [known] = self.entries([slot])
        self.evidence.put(slot, known._replace(links=(*known.links, link)))
        return True

    def _nearer(self, slot: int, link: Link, depth: int, refuse: Refuse) -> None:
        """Out of scope when it was found; perhaps only because the way there was long."""
        self.table.depth[slot] = depth
        if not refuse(link.url, depth):
            self.table.state[slot] = State.QUEUED
            self.table.score[slot] = -math.inf
            self.waiting += 1
            [known] = self.entries([slot])
            self.evidence.put(slot, UrlEntry(link.url, (*known.links, link)))

    def _count(self, slot: int, relevance: float) -> None:
        self.table.n_links[slot] += 1
        if relevance > self.table.strongest[slot]:
            self.table.strongest[slot] = relevance

    def _truncate(self) -> None:
        """Drop the worst candidates (the intelligent crawler's Truncate-List)."""
        slots = self.table.queued()
        scores = np.frombuffer(self.table.score)[slots]
        surplus = len(slots) - self.capacity
        for slot in slots[np.lexsort((-slots, scores))[:surplus]].tolist():
            self.table.state[slot] = State.DROPPED
        self.waiting -= surplus
        self.dropped += surplus


def _below(group: str, parts: dict[str, bytes]) -> dict[str, bytes]:
    """The parts of one group, without its name."""
    return {tag.removeprefix(group): data for tag, data in parts.items() if tag.startswith(group)}


def _validated(scores: Sequence[float]) -> Sequence[float]:
    for score in scores:
        if score != score or score == math.inf:
            raise StrategyError(f"a score must be finite or HOLD, not {score}")
    return scores
