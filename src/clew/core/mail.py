"""Mail between shards: numbered without gaps, durable before it leaves and before it is acknowledged.

Letters that follow from visits are committed with them and leave afterwards. The receiver takes each piece of mail in
once and in order; it answers with the number that it has accepted and the number that is durable. After a restart the
accepted number falls back to the durable one, and the sender follows.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from clew.core.letters import packed, unpacked
from clew.core.port import Letter
from clew.store import SqliteStore
from clew.store.home import home
from clew.store.mailbox import Mailbox, MailRows, Received
from clew.store.whole import MARK
from clew.types import Link

MOST_AT_ONCE: Final = 20  # pieces of mail in one delivery

Items = Sequence[tuple[int, bytes]]
"""Numbers and letters of pieces of mail."""


class Numbers(NamedTuple):
    """What a receiver says of the mail of one sender."""

    accepted: int
    durable: int


def mail_of(store: object) -> Mail | None:
    """The mail of the shard whose folder this is; None where a crawl is on its own.

    It is silent: nothing is sent by whoever just looks, or applies labels. A checkpoint empties the inbox all the same.
    """
    if not isinstance(store, SqliteStore) or not (mark := store.get(MARK)):
        return None
    number, _, shards = mark.partition(" of ")
    mail = Mail(int(number), int(shards), Mailbox(store.db))
    if not store.reading:
        store.mailbox = mail.box
    return mail


@dataclass
class Mail:
    """The port of one shard of several."""

    number: int
    shards: int
    box: Mailbox
    is_replaying: bool = True
    is_alone: bool = field(default=False, init=False)
    bytes_sent: int = field(default=0, init=False)  # in this run
    _drafts: dict[int, list[Letter]] = field(default_factory=lambda: defaultdict(list), init=False)
    _fresh: list[Received] = field(default_factory=list, init=False)  # accepted since the last commit
    _sent: dict[int, int] = field(default_factory=lambda: defaultdict(int), init=False)
    _got: dict[int, int] = field(default_factory=lambda: defaultdict(int), init=False)
    _durable: dict[int, int] = field(default_factory=lambda: defaultdict(int), init=False)
    _accepted: dict[int, int] = field(default_factory=lambda: defaultdict(int), init=False)  # by the peers
    _safe: dict[int, int] = field(default_factory=lambda: defaultdict(int), init=False)  # not written yet
    _known_safe: dict[int, int] = field(default_factory=lambda: defaultdict(int), init=False)  # with the peers

    def __post_init__(self) -> None:
        for peer, sent, got in self.box.peers():
            self._sent[peer] = sent
            self._got[peer] = self._durable[peer] = got
        self._again = deque(self.box.inbox())

    # The port

    def is_home(self, url: str) -> bool:
        """Whether this shard visits the URL."""
        return home(url, self.shards) == self.number

    def home_of(self, url: str) -> int:
        """The number of the shard that visits the URL."""
        return home(url, self.shards)

    def split(self, links: tuple[Link, ...]) -> tuple[tuple[Link, ...], Mapping[int, list[Link]]]:
        """The links to pages of this shard, and those to pages of others, by shard."""
        parts: dict[int, list[Link]] = defaultdict(list)
        for link in links:
            parts[home(link.url, self.shards)].append(link)
        return tuple(parts.pop(self.number, ())), parts

    def send(self, to: int | None, letter: Letter) -> None:
        """Write a letter; it leaves after the next commit. Silent in a replay."""
        if self.is_replaying:
            return
        for peer in self.others if to is None else (to,):
            self._drafts[peer].append(letter)

    def received_before(self, order: float) -> Iterator[Sequence[Letter]]:
        """In a replay: the pieces of mail that were taken in before this visit."""
        while self._again and self._again[0].order <= order:
            yield unpacked(self._again.popleft().letters)

    @property
    def taken(self) -> int:
        """How many pieces of mail were taken in."""
        return sum(self._got.values())

    @property
    def others(self) -> list[int]:
        """The numbers of the other shards."""
        return [shard for shard in range(self.shards) if shard != self.number]

    # Commits

    @property
    def has_news(self) -> bool:
        """Whether a commit is wanted: for letters to leave, to be acknowledged, or to be forgotten."""
        return bool(self._fresh or self._safe or any(self._drafts.values()))

    def rows(self) -> MailRows:
        """What the next commit writes."""
        drafts = [(peer, letters) for peer, letters in self._drafts.items() if letters]
        sent = [(peer, self._sent[peer] + 1, packed(letters)) for peer, letters in drafts]
        self.bytes_sent += sum(len(data) for _, _, data in sent)
        numbers = dict(self._sent) | {peer: number for peer, number, _ in sent}
        peers = [(peer, numbers.get(peer, 0), self._got[peer]) for peer in self.others]
        return MailRows(sent, self._fresh, self._safe, peers)

    def committed(self) -> None:
        """The rows are durable: the letters may leave, and what was received may be acknowledged."""
        for peer, letters in self._drafts.items():
            self._sent[peer] += bool(letters)
        self._drafts.clear()
        self._fresh = []
        self._safe.clear()
        self._durable = defaultdict(int, self._got)

    # Delivery

    def outgoing(self, peer: int) -> list[tuple[int, bytes]]:
        """The mail that a peer has not accepted yet, as far as is known."""
        if self._accepted[peer] >= self._sent[peer]:
            return []
        return self.box.outgoing(peer, self._accepted[peer], MOST_AT_ONCE)

    def is_unconfirmed(self, peer: int) -> bool:
        """Whether a peer has not said yet that all mail is durable there."""
        return self._known_safe[peer] < self._sent[peer]

    def accept(self, peer: int, items: Items, order: int, take: Callable[[Sequence[Letter]], None]) -> Numbers:
        """Take in mail from a peer before the visit of that order: once, in order, and nothing behind a gap."""
        for number, letters in items:
            if self._is_next(peer, number):
                take(unpacked(letters))
                self._got[peer] = number
                self._fresh.append(Received(peer, number, order, letters))
        return Numbers(self._got[peer], self._durable[peer])

    def _is_next(self, peer: int, number: int) -> bool:
        """Neither a repetition nor behind a gap."""
        return number == self._got[peer] + 1

    def confirm(self, peer: int, numbers: Numbers) -> None:
        """What a peer says of the mail of this shard; after a restart it may have accepted less than before."""
        self._accepted[peer] = numbers.accepted
        if numbers.durable > self._known_safe[peer]:
            self._known_safe[peer] = self._safe[peer] = numbers.durable

    def counts(self) -> tuple[list[int], list[int]]:
        """By shard: the pieces of mail that were sent to it, and those of it that are durable here."""
        every = range(self.shards)
        return [self._sent[peer] for peer in every], [self._durable[peer] for peer in every]
