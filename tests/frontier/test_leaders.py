"""The best candidate of all hosts, and how many come before one, against the plain definition."""

from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st

from clew.frontier import Frontier
from clew.types import UrlState

HOSTS = 4
STEPS = st.lists(
    st.tuples(
        st.sampled_from(["score", "hold", "pop", "land", "rescore"]),
        st.integers(0, HOSTS - 1),
        st.integers(0, 4),
        st.sampled_from([0.1, 0.2, 0.5, 0.9]),
    ),
    max_size=60,
)


class Play:
    """A frontier to which things happen, with a clock that goes on by a second each time."""

    def __init__(self) -> None:
        self.frontier = Frontier()
        self.flying: list[int] = []
        self.now = 0.0

    def step(self, kind: str, host: int, page: int, score: float) -> None:
        self.now += 1.0
        if kind == "pop":
            slot = self.frontier.pop(self.now)
            self.flying += [] if slot is None else [slot]
        elif kind == "land" and self.flying:
            slot = self.flying.pop(0)
            self.frontier.release(slot, self.now, pause=3.0 * page)
            self.frontier.finish(slot, UrlState.FETCHED)
        elif kind == "rescore":
            self.frontier.set_all(lambda candidates: [score * (1 + each.found % 3) for each in candidates])
        elif kind in ("score", "hold"):
            slot = self.frontier.slot_for(f"http://h{host}.example/{page}")
            if self.frontier.is_queued(slot):
                self.frontier.set([slot], [score if kind == "score" else -math.inf])
        self.frontier.wake(self.now)

    def queued(self) -> list[tuple[float, int]]:
        """Every candidate that is not held back, the best first and of equals the oldest."""
        slots = [candidate.found for candidate in self.frontier.queued()]
        return sorted((-self.frontier.score(slot), slot) for slot in slots if self.frontier.score(slot) > -math.inf)


@given(STEPS)
def test_the_leader_is_the_best_of_all_hosts(steps: list[tuple[str, int, int, float]]) -> None:
    play = Play()
    for step in steps:
        play.step(*step)
        leader = play.frontier.leader()
        expected = play.queued()
        assert (leader[:2] if leader else None) == (expected[0] if expected else None)


@given(STEPS)
def test_what_would_be_chosen_is_chosen(steps: list[tuple[str, int, int, float]]) -> None:
    play = Play()
    for step in steps:
        play.step(*step)
    chosen = play.frontier.next_one()
    assert play.frontier.pop(play.now) == (chosen.slot if chosen else None)


@given(STEPS, st.integers(1, 8))
def test_ranks_count_those_before(steps: list[tuple[str, int, int, float]], most: int) -> None:
    play = Play()
    for visited, step in enumerate(steps):
        play.step(*step)
        in_play = sorted([*play.queued(), *((-play.frontier.score(slot), slot) for slot in play.flying)])
        for rank, (_, slot) in enumerate(in_play):
            assert play.frontier.before(slot, most, visited) == min(rank, most)


def test_ranks_are_kept_for_some_visits_in_a_large_frontier() -> None:
    frontier = Frontier()
    slots = [frontier.slot_for(f"http://h.example/{page}") for page in range(40_000)]
    frontier.set(slots, [1.0 / (1 + slot) for slot in slots])
    assert frontier.before(slots[3], 10, visited=0) == 3
    frontier.set([slots[9]], [2.0])
    assert frontier.before(slots[3], 10, visited=2) == 3
    assert frontier.before(slots[3], 10, visited=3) == 4


def test_the_turn_of_a_host_is_measured() -> None:
    """Asked at 2, answered at 2.5, free again at 4.5; another host that was never asked is taken to be like it."""
    frontier = Frontier()
    one, two = frontier.slot_for("http://a.example/"), frontier.slot_for("http://b.example/")
    frontier.set([one, two], [0.9, 0.1])
    assert frontier.pop(2.0) == one
    frontier.release(one, 2.5, pause=2.0)
    hosts = [frontier.as_leader(slot).host for slot in (one, two)]
    assert [frontier.turn_seconds(host) for host in hosts] == [2.5, 2.5]


def test_a_host_that_was_not_asked_had_no_turn() -> None:
    frontier = Frontier()
    slot = frontier.slot_for("http://a.example/")
    frontier.set([slot], [0.9])
    frontier.pop(2.0)
    frontier.release(slot, 2.0, asked=False)
    assert frontier.turn_seconds(frontier.as_leader(slot).host) == 0.0
