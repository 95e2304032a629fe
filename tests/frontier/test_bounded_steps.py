"""A visit takes as many steps in a large frontier as in a small one, and never looks through a whole column."""

from __future__ import annotations

import random
import subprocess
import sys
from types import FrameType

import pytest

from clew.frontier import Frontier
from clew.frontier.table import Table
from clew.types import Link, UrlState

SOURCE = "http://source.example/"
LINKS = 50


class Web:
    """A frontier of some size, and visits that find known and new URLs."""

    def __init__(self, size: int) -> None:
        self.frontier = Frontier()
        self.random = random.Random(size)
        self.now = 0.0
        while len(self.frontier) < size:
            self.take_in(range(len(self.frontier), len(self.frontier) + 500))

    def take_in(self, numbers: list[int] | range) -> None:
        links = [Link(SOURCE, f"http://h{number % 100}.example/{number}", "words") for number in numbers]
        fresh, again = self.frontier.add(links, 1, 0.3, lambda url, depth: "")
        slots = fresh + again
        self.frontier.set(slots, [self.random.random() for _ in slots])

    def visit(self) -> None:
        self.now += 1.0
        slot = self.frontier.pop(self.now)
        assert slot is not None
        size = len(self.frontier)
        known = [self.random.randrange(size) for _ in range(LINKS // 2)]
        self.take_in([*known, *range(size, size + LINKS // 2)])
        self.frontier.finish(slot, UrlState.FETCHED, 0.3)
        self.frontier.release(slot, self.now, pause=1.0)
        self.frontier.best(everywhere=True)
        self.frontier.next_ready()
        self.frontier.has_resting_candidates()
        self.frontier.leader()
        self.frontier.head(200)

    def calls(self, visits: int) -> int:
        """How many functions are called, those in C as well."""
        count = 0

        def note(frame: FrameType, event: str, argument: object) -> None:
            nonlocal count
            count += event in ("call", "c_call")

        sys.setprofile(note)
        try:
            for _ in range(visits):
                self.visit()
        finally:
            sys.setprofile(None)
        return count


def test_a_visit_takes_as_many_steps_whatever_the_size() -> None:
    # In a process of its own: after thousands of tests, Python 3.11.2 once hung where calls are counted.
    counted = subprocess.run([sys.executable, __file__, "2000", "60000"], capture_output=True, check=True)
    small, large = map(int, counted.stdout.split())
    assert large < 1.3 * small


def test_a_visit_never_looks_through_a_column(monkeypatch: pytest.MonkeyPatch) -> None:
    web = Web(2_000)

    def refuse(table: Table, name: str) -> None:
        raise AssertionError(f"the whole column {name} was asked for")

    monkeypatch.setattr(Table, "of", refuse)
    for _ in range(40):
        web.visit()


def test_urls_without_a_score_wait_behind_all_others_and_are_found() -> None:
    frontier = Frontier()
    slots = [frontier.slot_for(f"http://h.example/{number}") for number in range(4)]
    frontier.set(slots[:2], [0.2, 0.7])
    assert frontier.top(9).tolist() == [slots[1], slots[0], slots[2], slots[3]]
    later = frontier.slot_for("http://h.example/later")
    frontier.exclude(later, "a trap")
    another = frontier.slot_for("http://g.example/")
    assert [frontier.on_host(number)[0] for number in frontier.changed_hosts()] == [4, 1]
    assert frontier.changed_hosts() == []
    assert [slot for slot, _ in frontier.queued_on("g.example")] == [another]
    frontier.set([another], [0.5])
    assert [(number, *frontier.on_host(number)) for number in frontier.changed_hosts()] == [(1, 1, 0.5)]
    assert [frontier.pop(float(now)) for now in range(2)] == [slots[1], another]
    assert frontier.changed_hosts() == [0, 1]


if __name__ == "__main__":
    print(*(Web(int(size)).calls(visits=40) for size in sys.argv[1:]))
