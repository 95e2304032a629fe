"""Mail: every letter is taken in once and in order, whatever is lost, repeated, late or killed."""

from __future__ import annotations

import sqlite3
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from clew.core.letters import packed, unpacked
from clew.core.mail import Mail
from clew.core.port import Home, Lesson, Letter, Links, Redirect
from clew.frontier import Moved
from clew.store.home import home
from clew.store.mailbox import Mailbox
from clew.types import Link

LINK = Link("http://a.example/", "http://b.example/é?q=\ud800", "anchor", "around\tit", menu=True)


def test_letters_survive_their_way() -> None:
    letters: list[Letter] = [
        Links("http://a.example/", 3, 0.1 + 0.2, (LINK, LINK._replace(position=4)), {"words": (1, 2.5)}),
        Links("http://a.example/", 3, 0.0, (LINK,)),
        Redirect("http://b.example/", Moved((LINK,), 2, 7, -1.0, 1), (0.5,), 0.25, "http://a.example/"),
        Home("http://c.example/"),
        Lesson({"counts": [1, 2], "sums": (0.5, {"a"})}),
    ]
    assert unpacked(packed(letters)) == letters


def test_links_are_divided_by_registered_domain() -> None:
    urls = ["http://a.b.example.org/", "https://www.example.org:8080/x", "http://example.org/y"]
    assert len({home(url, 8) for url in urls}) == 1
    assert {home(f"http://site-{n}.example/", 8) for n in range(200)} == set(range(8))


def test_homes_are_the_same_in_every_process(under_hash_seeds) -> None:  # type: ignore[no-untyped-def]
    program = "from clew.store.home import home; print([home(f'http://s{n}.example/', 7) for n in range(50)])"
    assert len(under_hash_seeds(program)) == 1


class Peer:
    """One shard's mail with its database; a kill rolls back to the last commit."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.db = sqlite3.connect(":memory:")
        self.durable: list[Letter] = []  # what was taken in, as of the last commit
        self.written = 0
        self.start()

    def start(self) -> None:
        self.mail = Mail(self.number, 2, Mailbox(self.db))
        assert [letter for piece in self.mail.received_before(10**9) for letter in piece] == self.durable
        self.mail.is_replaying = False
        self.taken = list(self.durable)
        self.drafted = self.written

    def write(self) -> None:
        self.mail.send(None, Home(f"http://s{self.drafted}.example/"))
        self.drafted += 1

    def commit(self) -> None:
        with self.db:
            self.mail.box.write(self.mail.rows(), False)
        self.mail.committed()
        self.durable = list(self.taken)
        self.written = self.drafted


@settings(max_examples=80)
@given(st.integers(0, 10**6), st.floats(0.0, 0.6), st.floats(0.0, 0.6))
def test_every_letter_is_taken_in_once_and_in_order(seed: int, loss: float, kill: float) -> None:
    chance = Random(seed)
    peers = [Peer(0), Peer(1)]
    late: list[tuple[Peer, Peer, list[tuple[int, bytes]]]] = []

    def deliver(sender: Peer, receiver: Peer, items: list[tuple[int, bytes]]) -> None:
        numbers = receiver.mail.accept(sender.number, items, 0, receiver.taken.extend)
        if chance.random() >= loss:
            sender.mail.confirm(receiver.number, numbers)

    for _ in range(120):
        sender, receiver = chance.sample(peers, 2)
        chance.choice([sender.write, sender.commit, sender.write])()
        items = sender.mail.outgoing(receiver.number)
        if chance.random() < loss:
            late.append((sender, receiver, items))
        elif chance.random() >= loss:
            deliver(sender, receiver, items)
        if late and chance.random() < 0.5:
            # Out of order, and perhaps twice: the answer to a call of before has been lost.
            before, to, old = chance.choice(late)
            to.mail.accept(before.number, old, 0, to.taken.extend)
        if chance.random() < kill / 5:
            chance.choice(peers).start()
    for _ in range(200):
        for sender, receiver in (peers, peers[::-1]):
            sender.commit()
            receiver.commit()
            deliver_all = receiver.mail.accept(
                sender.number, sender.mail.outgoing(receiver.number), 0, receiver.taken.extend
            )
            sender.mail.confirm(receiver.number, deliver_all)
    for sender, receiver in (peers, peers[::-1]):
        assert receiver.durable == [Home(f"http://s{n}.example/") for n in range(sender.written)]
        assert sender.mail.box.waiting() == 0
