"""What can be asked of the frontier; nothing here changes it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from heapq import merge
from itertools import islice, takewhile
from typing import Final

import numpy as np
from numpy.typing import NDArray

from clew.frontier.evidence import Evidence
from clew.frontier.leaders import Leader
from clew.frontier.queues import Queues
from clew.frontier.ranks import Ranks
from clew.frontier.relevance import SourceRelevance
from clew.frontier.table import IN_FLIGHT, QUEUED, Table
from clew.types import Candidate, UrlEntry, UrlState

CHUNK: Final = 2000  # candidates whose evidence is in memory at the same time


class FrontierQueries:
    """The questions; `Frontier` adds what changes the answers."""

    waiting: int
    hosts: dict[str, int]
    _table: Table
    _queues: Queues
    _evidence: Evidence
    _relevance: SourceRelevance
    _ranks: Ranks
    _in_flight: set[int]

    def __len__(self) -> int:
        """Every URL that was ever seen."""
        return len(self._table)

    # What is known of a URL

    def find(self, url: str) -> int | None:
        """The slot of a URL that was seen before."""
        return self._table.find(url)

    def url(self, slot: int) -> str:
        """The URL of a slot."""
        return self.entries([slot])[0].url

    def state(self, slot: int) -> UrlState:
        """Where the URL of a slot stands."""
        return UrlState.from_number(self._table.state[slot])

    def score(self, slot: int) -> float:
        """The score of a slot."""
        return self._table.score[slot]

    def depth(self, slot: int) -> int:
        """Links from a start page, on the path that was found first."""
        return self._table.depth[slot]

    def hops(self, slot: int) -> int:
        """Redirects in a row that led to a slot."""
        return self._table.hops[slot]

    def inlinks(self, url: str) -> int:
        """How many visited pages link to a known URL."""
        slot = self._table.find(url)
        return 0 if slot is None else self._table.n_links[slot]

    def is_queued(self, slot: int) -> bool:
        """Whether it is a candidate."""
        return self._table.state[slot] == QUEUED

    def is_visited(self, url: str) -> bool:
        """Whether the URL was visited."""
        return self._table.is_visited(url)

    def is_spent(self, slot: int) -> bool:
        """Whether the host has no visit left."""
        queue = self._queues.hosts.get(self._table.host[slot])
        return queue is not None and queue.left <= 0

    def entries(self, slots: Iterable[int]) -> list[UrlEntry]:
        """URL and evidence of slots."""
        return self._evidence.get(slots, self._table.may_speak)

    def in_state(self, state: UrlState) -> Iterator[tuple[int, UrlEntry]]:
        """The slots in this state, with their texts; they may change while the caller looks at them."""
        slots = np.flatnonzero(self._table.of("state") == state.number)
        for start in range(0, len(slots), CHUNK):
            part = slots[start : start + CHUNK].tolist()
            yield from zip(part, self.entries(part), strict=True)

    # Candidates

    def candidate(self, url: str) -> Candidate | None:
        """A URL that waits, or None."""
        slot = self._table.find(url)
        if slot is None or not self.is_queued(slot):
            return None
        return self.candidates([slot])[0]

    def candidates(self, slots: Sequence[int]) -> list[Candidate]:
        """Slots as strategies see them."""
        table = self._table
        return [
            Candidate(entry.url, slot, table.depth[slot], entry.links, table.n_links[slot], table.score[slot])
            for slot, entry in zip(slots, self.entries(slots), strict=True)
        ]

    def queued(self) -> Iterator[Candidate]:
        """All candidates in the order of their discovery."""
        slots = self._table.queued()
        for start in range(0, len(slots), CHUNK):
            yield from self.candidates(slots[start : start + CHUNK].tolist())

    def head(self, n: int) -> list[int]:
        """The n best slots that wait, best first and of equals the oldest; those on hold are left out."""
        offered = takewhile(lambda entry: entry[0] < np.inf, self._queues.queued.best())
        return [slot for _, slot in islice(offered, n)]

    def changed_hosts(self) -> list[int]:
        """Numbers of the hosts whose candidates, or whose turn, are others than at the call before."""
        self._queues.settle()
        changed, self._queues.queued.changed = self._queues.queued.changed, {}
        return [*changed]

    def on_host(self, number: int) -> tuple[int, float]:
        """How many candidates wait on a host, and the best score among them (-inf: none)."""
        entries = self._queues.hosts[number].entries
        return len(entries), -entries.first[0] if entries.first else -np.inf

    def strongest(self, slot: int) -> float:
        """The relevance of the best page that links to a URL that was not visited; negative if none does."""
        return self._table.relevance[slot]

    def ready_at(self, host: int) -> float:
        """When a host may be asked again, on the clock of the crawl; -inf: now."""
        queue = self._queues.hosts.get(host)
        return queue.ready_at if queue else -np.inf

    def queued_on(self, host: str) -> list[tuple[int, str]]:
        """Slots and URLs of the candidates of one host."""
        self._queues.settle()
        queue = self._queues.hosts.get(self.hosts.get(host, -1))
        found = sorted(slot for _, slot in queue.entries) if queue else []
        return [(slot, entry.url) for slot, entry in zip(found, self.entries(found), strict=True)]

    def top(self, n: int) -> NDArray[np.int64]:
        """The n best candidates by score, best first and of equals the oldest; those in flight are among them."""
        self._queues.settle()
        score = self._table.score
        flying = sorted((-score[slot], slot) for slot in self._in_flight)
        return np.array([slot for _, slot in islice(merge(self._queues.queued.best(), flying), n)], np.int64)

    @property
    def in_play(self) -> int:
        """How many wait or are in flight."""
        return self.waiting + len(self._in_flight)

    def in_play_from(self, first: int, span: int, most: int) -> tuple[list[int], int]:
        """The slots that wait or are in flight, at most so many, among `span` slots from the first on.

        Also how many slots were passed.
        """
        state = self._table.of("state")[first : first + span]
        found = np.flatnonzero((state == QUEUED) | (state == IN_FLIGHT))[:most]
        passed = int(found[-1]) + 1 if len(found) == most else len(state)
        return (found + first).tolist(), passed

    def best_scores(self, n: int) -> list[float]:
        """The scores of the n best candidates that wait, best first; those on hold have none."""
        scores = (score for score, _ in islice(self._queues.queued.best(), n))
        return [-score for score in scores if score < math.inf]

    def relevance_of(self, url: str) -> float:
        """The relevance of a visited page under the guiding interest; 0 for any other URL."""
        return self._relevance.of(url)

    def relevances(self) -> NDArray[np.float64]:
        """By slot: the relevance of each visited page, NaN for any other URL."""
        return self._relevance.all()

    # Order of visits

    def best_ready(self, n: int) -> list[int]:
        """The n best slots among the hosts that are ready."""
        return self._queues.tops(n)

    @property
    def woken(self) -> int:
        """How many times a host that had to wait became ready."""
        return self._queues.woken

    def best(self, everywhere: bool = False) -> float:
        """The best score among ready hosts, or (more expensive) among all."""
        if not everywhere or not self.waiting:
            return self._queues.best()
        first = self._queues.queued.firsts.first
        return -first[0] if first else -math.inf

    def next_one(self) -> Leader | None:
        """The best candidate among the hosts that are ready, which `pop` would choose."""
        return self._queues.next_one()

    def leader(self) -> Leader | None:
        """The best candidate of all hosts, but for those that are spent or rest for long."""
        return self._queues.leaders.best()

    def as_leader(self, slot: int) -> Leader:
        """A slot, which may be in flight, as it compares with others."""
        return Leader(-self._table.score[slot], slot, self._table.host[slot])

    def before(self, slot: int, most: int, visited: int) -> int:
        """How many candidates come before this one, as of a few visits ago; at most `most`."""
        return self._ranks.before(slot, most, visited)

    def turn_seconds(self, host: int) -> float:
        """Seconds from one request to a host to the next that is permitted; of another host if it was never asked."""
        return self._queues.hosts[host].turn or self._queues.usual_turn

    def next_ready(self) -> float | None:
        """When the next resting host may be asked; None if no host rests."""
        return self._queues.next_ready()

    def has_resting_candidates(self) -> bool:
        """Whether waiting helps: a host that rests has candidates, even if they are held back or over a budget."""
        return self.waiting > 0 and self._queues.hopeful()
