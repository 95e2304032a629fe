"""All candidates with their scores, their evidence and the readiness of their hosts."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from clew.base.chance import key_of
from clew.base.codec import same_tags
from clew.frontier.crawl_graph import CrawlGraph
from clew.frontier.evidence import ALWAYS_KEPT_INLINKS, Evidence, EvidenceStore
from clew.frontier.name_blocks import NameBlocks
from clew.frontier.queries import CHUNK, FrontierQueries
from clew.frontier.queues import Queues
from clew.frontier.ranks import Ranks
from clew.frontier.relevance import SourceRelevance
from clew.frontier.row_log import RowLog
from clew.frontier.rows import ROW, as_columns
from clew.frontier.table import ELSEWHERE, IN_FLIGHT, KNOWN, OUT_OF_SCOPE, OVER_CAPACITY, QUEUED, Table
from clew.parse.links import one_for_each_target
from clew.parse.url import host as host_of
from clew.types import Candidate, Link, SharedLimit, UrlEntry, UrlState

Refuse = Callable[[str, int], str]  # (url, depth) -> why it is out of scope, or ""


class Moved(NamedTuple):
    """What speaks for a URL that redirects: its target inherits it."""

    links: tuple[Link, ...]
    depth: int
    n_links: int
    strongest: float
    hops: int


@dataclass
class Frontier(FrontierQueries):
    """Scores and host queues in memory, evidence in the store.

    Other parts ask the frontier itself; table, queues and evidence are its own business.

    >>> frontier = Frontier()
    >>> a, b = frontier.slot_for("http://a.example/"), frontier.slot_for("http://b.example/")
    >>> frontier.set([a, b], [0.2, 0.7])
    >>> frontier.candidates([frontier.pop(now=0.0)])[0].url
    'http://b.example/'
    """

    store: EvidenceStore | None = None
    capacity: int = 10_000_000
    per_host: int = 1
    cached_bytes: int = 200_000_000  # of evidence in memory
    waiting: int = 0
    dropped: int = 0
    hosts: dict[str, int] = field(default_factory=dict)
    graph: CrawlGraph | None = None  # all links, where a strategy asks for them
    shared_limits: Callable[[str], Sequence[SharedLimit]] = lambda url: ()  # those that the host of a URL shares

    def __post_init__(self) -> None:
        self._table = Table()
        self._queues = Queues(self._table, self.per_host, self._limits_of)
        self._evidence = Evidence(self.store, self.cached_bytes)
        self._relevance = SourceRelevance(self._table, self._evidence)
        self._ranks = Ranks(self._table, self.top)
        self._row_log = RowLog(self._table)
        self._names = NameBlocks()
        self._in_flight = set()

    # Changes that follow from visits

    def slot_for(self, url: str, refuse: Refuse = lambda url, depth: "") -> int:
        """The slot of a URL that is named without a link: a start page, a guess of the strategy."""
        if (slot := self._table.find(url)) is not None:
            return slot
        return self._new(key_of(url), UrlEntry(url, (), refuse(url, 0)), depth=0)

    def add(
        self, links: Iterable[Link], depth: int, relevance: float, refuse: Refuse, source: int | None = None
    ) -> tuple[list[int], list[int]]:
        """Take in the links of one page; the candidates with new evidence, and those that are just linked again.

        `source` is the slot of the page in the graph of links; None leaves the graph as it is.
        """
        fresh: list[int] = []
        again: list[int] = []
        targets: list[int] = []
        for link in one_for_each_target(links):
            slot, is_evidence = self._add_link(link, depth, relevance, refuse)
            self._count_inlink(slot, relevance)
            targets.append(slot)
            if self._table.state[slot] == QUEUED:
                (fresh if is_evidence else again).append(slot)
        if self.graph and source is not None:
            self.graph.add(source, targets)
        return fresh, again

    def guest(self, url: str, relevance: float) -> int:
        """Know a page of another shard, and what it is worth; its slot."""
        slot = self._table.find(url)
        if slot is None:
            slot = self._table.append(key_of(url), self._host_number(url), depth=0, score=-math.inf)
            self._table.state[slot] = ELSEWHERE
            self._table.relevance[slot] = relevance
        return slot

    def has_spoken(self, guest: int) -> bool:
        """Whether the links of a page of another shard have come before; from now on they have."""
        # Nobody counts the links to a guest here, so that the column is free.
        spoken = bool(self._table.n_links[guest])
        self._table.mark(guest)
        self._table.n_links[guest] = 1
        return spoken

    def inherit(self, url: str, moved: Moved, refuse: Refuse) -> list[int]:
        """A visit of another shard led here: what spoke for it now speaks for this URL."""
        target = self._table.find(url)
        if target is None:
            links = _redirected(moved.links, url)
            target = self._new(key_of(url), UrlEntry(url, links, refuse(url, moved.depth)), moved.depth)
            self._table.n_links[target] = moved.n_links
            self._table.relevance[target] = moved.strongest
            self._table.hops[target] = moved.hops + 1
            self._table.mark(target)
        return [target] if self.is_queued(target) else []

    def moved(self, slot: int) -> Moved:
        """What speaks for a slot."""
        table = self._table
        [entry] = self.entries([slot])
        return Moved(entry.links, table.depth[slot], table.n_links[slot], table.relevance[slot], table.hops[slot])

    def redirect(self, slot: int, url: str, refuse: Refuse) -> list[int]:
        """A visit led elsewhere: what spoke for it now speaks for the target."""
        touched = self.inherit(url, self.moved(slot), refuse)
        if self.graph and (target := self._table.find(url)) is not None:
            self.graph.move(slot, target)
        return touched

    def finish(self, slot: int, state: UrlState, relevance: float = 0.0) -> None:
        """The visit is over."""
        self._leave(slot)
        self._table.mark(slot)
        self._table.state[slot] = state.number
        self._table.relevance[slot] = relevance

    def exclude(self, slot: int, reason: str) -> None:
        """A candidate is out of scope after all; one that is in flight lands, but is not asked for again."""
        [entry] = self.entries([slot])
        self._evidence.put(slot, entry._replace(reason=reason))
        self._leave(slot)
        self._table.mark(slot)
        self._table.state[slot] = OUT_OF_SCOPE

    def readmit(self, slot: int) -> None:
        """Something that was out of scope is a candidate after all; it has no score yet."""
        [entry] = self.entries([slot])
        self._evidence.put(slot, entry._replace(reason=""))
        self._queue_again(slot)

    def set_inlinks(self, slot: int, url: str, links: tuple[Link, ...]) -> None:
        """Replace the evidence of a slot."""
        self._evidence.put(slot, UrlEntry(url, links))

    def change_relevance(self, slot: int, relevance: float, links: Iterable[Link] = ()) -> list[int]:
        """A visited page has another relevance; the candidates that its links speak for."""
        return self._relevance.change(slot, relevance, links)

    def reweigh_sources(self) -> None:
        """After many pages have changed their relevance: find the best source of every candidate again."""
        self._relevance.reweigh()

    # Scores and the order of visits

    def set(self, slots: Sequence[int], scores: Sequence[float]) -> None:
        """New scores; HOLD keeps a candidate without offering it."""
        column = self._table.score
        for slot, score in zip(slots, scores, strict=True):
            if score == column[slot]:
                continue
            self._table.mark(slot)
            if self._table.state[slot] == QUEUED:
                self._queues.move(slot, score)
            else:
                column[slot] = score
        self._truncate_if_full()

    def set_all(self, score: Callable[[Sequence[Candidate]], Sequence[float]]) -> None:
        """Score every candidate anew, in chunks so that memory stays small."""
        slots = self._table.queued()
        for start in range(0, len(slots), CHUNK):
            part = slots[start : start + CHUNK].tolist()
            for slot, value in zip(part, score(self.candidates(part)), strict=True):
                self._table.score[slot] = value
        self._table.mark_all()
        self._queues.rebuild()
        self._truncate_if_full()

    def wake(self, now: float) -> None:
        """Offer the hosts that have rested until now."""
        self._queues.wake(now)

    def pop(self, now: float) -> int | None:
        """The slot of the best candidate whose host is ready; the host is busy until `release`."""
        if (slot := self._queues.pop(now)) is not None:
            self.waiting -= 1
            self._in_flight.add(slot)
        return slot

    def retry(self, slot: int) -> None:
        """Back into the queue with the same score, unless it has left the scope while it was in flight."""
        self._in_flight.discard(slot)
        if self._table.state[slot] == OUT_OF_SCOPE:
            return
        self._table.mark(slot)
        self._table.state[slot] = QUEUED
        self.waiting += 1
        self._queues.push(slot)

    # Hosts

    def allow(self, host: str, visits: int) -> None:
        """Offer so many candidates of a host, and no more."""
        self._queues.allow(self.hosts.setdefault(host, len(self.hosts)), visits)

    def release(self, slot: int, now: float, pause: float = 0.0, asked: bool = True) -> None:
        """The fetch has ended, if the host was asked at all; leave it alone for a while."""
        self._queues.release(self._table.host[slot], now + pause, now, asked)

    def spare(self, slot: int, now: float) -> None:
        """The slot was answered without asking its host: the limits that it shares need no rest."""
        self._queues.spare(self._table.host[slot], now)

    def rest(self, slot: int, place: str, until: float) -> None:
        """The slot was not fetched: a limit that its host shares with others is used up until then."""
        self._queues.rest(self._table.host[slot], place, until)

    def regroup(self, slot: int) -> None:
        """A fetch has begun or ended, so more may be known of the limits that its host shares."""
        if limits := self._limits_of(slot):
            self._queues.regroup(self._table.host[slot], limits)

    # Durability

    def changed_entries(self) -> list[tuple[int, UrlEntry]]:
        """Evidence that the store does not have yet; the next call gives what changed since this one."""
        return self._evidence.drain()

    def save(self) -> dict[str, bytes | None]:
        """Everything but the evidence, which is in the store after a commit; None: as in the last checkpoint."""
        rows = {f"frontier/{name}": data for name, data in self._row_log.save().items()}
        names = {f"frontier/{name}": data for name, data in self._names.save(self.hosts).items()}
        links = self.graph.save() if self.graph else {}
        columns = {f"links/{name}": data for name, data in links.items()}
        return {**rows, **names, **columns, "frontier/dropped": str(self.dropped).encode()}

    def saved(self) -> None:
        """A checkpoint has what `save` gave last: the next one holds what changes from now on."""
        self._row_log.saved()
        self._names.saved()

    def load(self, parts: Mapping[str, bytes]) -> None:
        """Go on where `save` was called; what was in flight then waits again."""
        saved = _below("frontier/", parts)
        if "key" in saved:
            self._load_columns(saved)
        else:
            self._load_rows(saved)
        self.dropped = int(saved["dropped"])
        # A crawl that went on with another strategy may not have kept the links.
        if self.graph and "links/sources" in parts:
            self.graph = CrawlGraph.load(_below("links/", parts))
        for slot in np.flatnonzero(self._table.of("state") == IN_FLIGHT).tolist():
            self._table.state[slot] = QUEUED
        self.waiting = len(self._table.queued())
        self._in_flight = set()
        self._queues = Queues(self._table, self.per_host, self._limits_of)
        self._queues.rebuild()

    def _load_rows(self, saved: Mapping[str, bytes]) -> None:
        names = {tag: data for tag, data in saved.items() if tag.startswith("hosts")}
        rows = {tag: data for tag, data in saved.items() if tag not in names and tag != "dropped"}
        self._table.load(as_columns(self._row_log.load(rows)))
        self._table.forget_changes()
        self.hosts = {name: number for number, name in enumerate(self._names.load(names))}

    def _load_columns(self, saved: Mapping[str, bytes]) -> None:
        """As earlier versions saved it: the next checkpoint writes all rows."""
        same_tags("the frontier", saved, [*(ROW.fields or ()), "hosts", "dropped"])
        self._table.load(as_columns({name: np.frombuffer(saved[name], ROW[name]) for name in ROW.fields or ()}))
        names = saved["hosts"].decode()
        self.hosts = {name: number for number, name in enumerate(names.split("\n") if names else ())}

    def _limits_of(self, slot: int) -> Sequence[SharedLimit]:
        return self.shared_limits(self.url(slot))

    def _new(self, key: int, entry: UrlEntry, depth: int) -> int:
        slot = self._table.append(key, self._host_number(entry.url), depth, score=-math.inf)
        self._evidence.put(slot, entry)
        if entry.reason:
            self._table.state[slot] = OUT_OF_SCOPE
        else:
            self.waiting += 1
            self._queues.push(slot)
        return slot

    def _leave(self, slot: int) -> None:
        """Neither waiting nor in flight any more."""
        self._in_flight.discard(slot)
        if self.is_queued(slot):
            self._queues.remove(slot)
            self.waiting -= 1

    def _host_number(self, url: str) -> int:
        return self.hosts.setdefault(host_of(url), len(self.hosts))

    def _add_link(self, link: Link, depth: int, relevance: float, refuse: Refuse) -> tuple[int, bool]:
        """The slot of a link's target, and whether the link is new evidence for it."""
        key = key_of(link.url)
        slot = self._table.index.find(key)
        if slot is None:
            return self._new(key, UrlEntry(link.url, (link,), refuse(link.url, depth)), depth), True
        state = self._table.state[slot]
        if state in (QUEUED, OVER_CAPACITY):
            return slot, self._add_evidence(slot, link, relevance)
        if state == OUT_OF_SCOPE and depth < self._table.depth[slot]:
            self._come_nearer(slot, link, depth, refuse)
        return slot, True

    def _add_evidence(self, slot: int, link: Link, relevance: float) -> bool:
        """Another link to a candidate; whether it is evidence, or brings the candidate back."""
        was_dropped = self._table.state[slot] == OVER_CAPACITY
        if was_dropped:
            self._queue_again(slot)
        is_one_of_many = self._table.n_links[slot] >= ALWAYS_KEPT_INLINKS
        if is_one_of_many and relevance <= self._table.relevance[slot]:
            return was_dropped
        [entry] = self.entries([slot])
        self._evidence.extend(slot, entry, link)
        return True

    def _come_nearer(self, slot: int, link: Link, depth: int, refuse: Refuse) -> None:
        """Out of scope when it was found; perhaps only because the path there was long."""
        self._table.depth[slot] = depth
        self._table.mark(slot)
        if not refuse(link.url, depth):
            self._queue_again(slot)
            [entry] = self.entries([slot])
            self._evidence.put(slot, UrlEntry(link.url, (*entry.links, link)))

    def _queue_again(self, slot: int) -> None:
        self._table.mark(slot)
        self._table.state[slot] = QUEUED
        self._table.score[slot] = -math.inf
        self.waiting += 1
        self._queues.push(slot)

    def _count_inlink(self, slot: int, relevance: float) -> None:
        table = self._table
        table.mark(slot)
        table.n_links[slot] += 1
        if relevance > table.relevance[slot] and table.state[slot] not in KNOWN:
            table.relevance[slot] = relevance

    def _truncate_if_full(self) -> None:
        """Drop the worst candidates (the intelligent crawler's Truncate-List)."""
        # Of equal scores the newest goes first: the oldest has waited longest for its turn. What is in flight counts,
        # as it waits when the crawl is replayed.
        while self.in_play > self.capacity and (worst := self._queues.worst()):
            self._leave(worst[1])
            self._table.mark(worst[1])
            self._table.state[worst[1]] = OVER_CAPACITY
            self.dropped += 1


def _redirected(links: Iterable[Link], url: str) -> tuple[Link, ...]:
    """Links to a URL that redirects, as links to its target; what leads to a sitemap still does so."""
    return tuple(link._replace(url=url, kind=link.kind if link.kind == "index" else "redirect") for link in links)


def _below(group: str, parts: Mapping[str, bytes]) -> dict[str, bytes]:
    """The parts of one group, without its name."""
    return {tag.removeprefix(group): data for tag, data in parts.items() if tag.startswith(group)}
