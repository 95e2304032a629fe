"""The best candidate of a ready host, whatever happens in between."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.frontier import Frontier
from clew.frontier import frontier as frontier_module
from clew.types import Link, SharedLimit, UrlState


def url(host: int, page: int) -> str:
    return f"http://h{host}.example/{page}"


def test_ties_go_to_the_oldest() -> None:
    frontier = Frontier()
    slots = [frontier.slot_for(url(n, 0)) for n in range(5)]
    frontier.set(slots, [0.5] * 5)
    assert [frontier.pop(0.0) for _ in range(6)] == [*slots, None]


def test_a_busy_host_is_passed_over_until_it_is_ready() -> None:
    frontier = Frontier()
    a1, a2, b = frontier.slot_for(url(1, 1)), frontier.slot_for(url(1, 2)), frontier.slot_for(url(2, 1))
    frontier.set([a1, a2, b], [0.9, 0.8, 0.1])
    assert frontier.pop(0.0) == a1
    assert frontier.pop(0.0) == b
    assert frontier.pop(0.0) is None
    frontier.release(a1, now=1.0, pause=4.0)
    assert frontier.next_ready() == 5.0
    assert frontier.pop(4.9) is None
    assert frontier.pop(5.0) == a2


def test_only_hosts_with_candidates_are_worth_waiting_for() -> None:
    frontier = Frontier()
    a1, a2, b = frontier.slot_for(url(1, 1)), frontier.slot_for(url(1, 2)), frontier.slot_for(url(2, 1))
    frontier.set([a1, a2, b], [0.9, -math.inf, 0.1])
    for slot in (a1, b):
        assert frontier.pop(0.0) == slot
        frontier.release(slot, now=0.0, pause=4.0)
        frontier.finish(slot, UrlState.FETCHED)
    assert frontier._queues.hopeful()  # of a2, which is only held back
    frontier.finish(a2, UrlState.OUT_OF_SCOPE)
    assert not frontier._queues.hopeful()


def test_several_connections_a_host_when_allowed() -> None:
    frontier = Frontier(per_host=2)
    slots = [frontier.slot_for(url(1, n)) for n in range(3)]
    frontier.set(slots, [0.3, 0.2, 0.1])
    assert [frontier.pop(0.0) for _ in range(3)] == [slots[0], slots[1], None]


def test_hold_keeps_without_offering() -> None:
    frontier = Frontier()
    a, b = frontier.slot_for(url(1, 1)), frontier.slot_for(url(2, 1))
    frontier.set([a, b], [-math.inf, 0.1])
    assert [frontier.pop(0.0), frontier.pop(0.0), frontier.waiting] == [b, None, 1]
    frontier.set([a], [0.0])
    assert frontier.pop(0.0) == a


def test_a_changed_score_counts_at_once() -> None:
    frontier = Frontier()
    a, b = frontier.slot_for(url(1, 1)), frontier.slot_for(url(1, 2))
    frontier.set([a, b], [0.9, 0.5])
    frontier.set([a], [0.1])
    assert frontier.pop(0.0) == b


def test_capacity_drops_the_worst_and_counts_them() -> None:
    frontier = Frontier(capacity=100)
    slots = [frontier.slot_for(url(n % 7, n)) for n in range(150)]
    frontier.set(slots, [float(n) for n in range(150)])
    assert (frontier.waiting, frontier.dropped) == (100, 50)
    assert {s for s in slots if frontier._table.state[s] == UrlState.OVER_CAPACITY.number} == set(slots[:50])


def test_a_dropped_candidate_comes_back_with_new_evidence() -> None:
    frontier = Frontier(capacity=1)
    a, b = frontier.slot_for(url(1, 1)), frontier.slot_for(url(2, 2))
    frontier.set([a, b], [0.1, 0.9])
    assert not frontier.is_queued(a)
    touched, _ = frontier.add([Link(url(9, 9), url(1, 1))], 1, 0.5, lambda url, depth: "")
    assert touched == [a]
    frontier.set([a], [0.95])
    assert frontier.pop(0.0) == a


def test_everything_is_scored_anew_in_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frontier_module, "CHUNK", 3)
    frontier = Frontier()
    slots = [frontier.slot_for(url(n % 3, n)) for n in range(10)]
    frontier.set(slots, [0.0] * 10)
    frontier.set_all(lambda batch: [float(c.found) for c in batch])
    assert frontier.pop(0.0) == slots[-1]


def test_the_best_few_are_found_within_one_host_too() -> None:
    frontier = Frontier()
    slots = [frontier.slot_for(url(0 if n < 8 else 1, n)) for n in range(10)]
    frontier.set(slots, [0.9, 0.1, 0.8, 0.2, 0.7, 0.3, 0.6, 0.4, 0.75, 0.05])
    assert frontier.best_ready(4) == [slots[0], slots[2], slots[8], slots[4]]
    assert frontier.pop(0.0) == slots[0]


operations = st.lists(
    st.one_of(
        st.tuples(st.just("set"), st.integers(0, 40), st.sampled_from([0.1, 0.2, 0.5, 0.7, -math.inf])),
        st.tuples(st.just("pop"), st.just(0), st.just(0.0)),
        st.tuples(st.just("land"), st.integers(0, 3), st.integers(0, 3)),
        st.tuples(st.just("all"), st.integers(0, 5), st.just(0.0)),
    ),
    max_size=120,
)


@given(operations, st.integers(1, 4))
def test_pop_agrees_with_a_plain_search(steps: list[tuple[str, int, float]], hosts: int) -> None:
    """Against the simplest frontier there is: look at everything each time."""
    frontier = Frontier()
    scores: dict[int, float] = {}
    flying: list[int] = []
    ready = dict.fromkeys(range(hosts), 0.0)
    now = 0.0
    for what, number, value in steps:
        now += 1
        if what == "set":
            slot = frontier.slot_for(url(number % hosts, number))
            if frontier.is_queued(slot):
                frontier.set([slot], [value])
                scores[slot] = value
        elif what == "all":
            for slot in scores:
                scores[slot] = ((slot * 7 + number) % 5) / 5
            frontier.set_all(lambda batch, n=number: [((c.found * 7 + n) % 5) / 5 for c in batch])
        elif what == "land" and flying:
            slot = flying.pop(number % len(flying))
            ready[host_of(frontier, slot)] = now + value
            frontier.release(slot, now, value)
            frontier.finish(slot, UrlState.FETCHED)
        elif what == "pop":
            busy = {host_of(frontier, slot) for slot in flying}
            free = [
                (-score, slot)
                for slot, score in scores.items()
                if score > -math.inf and (h := host_of(frontier, slot)) not in busy and ready[h] <= now
            ]
            wanted = min(free)[1] if free else None
            assert frontier.pop(now) == wanted
            if wanted is not None:
                flying.append(wanted)
                del scores[wanted]
        assert frontier.waiting == len(scores)


def host_of(frontier: Frontier, slot: int) -> int:
    return int(frontier.entries([slot])[0].url.split("//h")[1].split(".")[0])


def in_one_group(*limits: SharedLimit) -> Frontier:
    return Frontier(shared_limits=lambda url: limits)


def test_a_group_that_rests_offers_nothing_and_then_its_best() -> None:
    frontier = in_one_group(SharedLimit("domain", requests=4, gap=2.0))
    slots = [frontier.slot_for(url(n, 0)) for n in range(4)]
    frontier.set(slots, [0.1, 0.2, 0.3, 0.4])
    assert [frontier.pop(0.0), frontier.pop(0.0), frontier.next_ready()] == [slots[3], None, 2.0]
    frontier.set(slots[:1], [0.9])  # a host that waits may become the best
    assert [frontier.pop(1.9), frontier.pop(2.0), frontier.pop(2.0)] == [None, slots[0], None]
    assert [frontier.pop(4.0), frontier.pop(9.0), frontier.pop(99.0)] == [slots[2], slots[1], None]


def test_a_group_offers_as_many_hosts_as_it_has_room_for() -> None:
    frontier = in_one_group(SharedLimit("address", requests=2))
    slots = [frontier.slot_for(url(n, 0)) for n in range(4)]
    frontier.set(slots, [0.1, 0.2, 0.3, 0.4])
    assert [frontier.pop(0.0) for _ in range(3)] == [slots[3], slots[2], None]
    assert frontier.next_ready() is None
    frontier.release(slots[3], now=1.0)
    assert [frontier.pop(1.0), frontier.pop(1.0)] == [slots[1], None]


def refuse(frontier: Frontier, slot: int, now: float, until: float) -> None:
    """The fetcher says that a place must be left alone."""
    frontier.rest(slot, "place", until)
    frontier.release(slot, now)
    frontier.retry(slot)


def test_a_group_that_becomes_known_by_refusals_lets_in_one_host_after_the_other() -> None:
    frontier = Frontier()
    slots = [frontier.slot_for(url(n, 0)) for n in range(4)]
    frontier.set(slots, [0.1, 0.2, 0.3, 0.4])
    for slot in reversed(slots):
        assert frontier.pop(0.0) == slot
        refuse(frontier, slot, now=0.0, until=5.0)
    assert (frontier.pop(4.9), frontier.next_ready()) == (None, 5.0)
    assert [frontier.pop(5.0), frontier.pop(5.0)] == [slots[3], None]
    refuse(frontier, slots[3], now=5.0, until=7.0)
    assert [frontier.pop(6.9), frontier.pop(7.0), frontier.pop(7.0)] == [None, slots[3], None]
    frontier.release(slots[3], now=8.0)
    assert frontier.pop(8.0) == slots[2]


def test_a_refused_fetch_has_not_used_the_turn_of_its_group() -> None:
    frontier = in_one_group(SharedLimit("place", requests=4, gap=2.0))
    a, b = frontier.slot_for(url(1, 0)), frontier.slot_for(url(2, 0))
    frontier.set([a, b], [0.5, 0.4])
    assert [frontier.pop(0.0), frontier.pop(0.0)] == [a, None]
    refuse(frontier, a, now=0.0, until=0.5)
    assert (frontier.next_ready(), frontier.pop(0.5)) == (0.5, a)


def test_fetches_count_for_a_limit_that_becomes_known_later() -> None:
    limits: dict[str, list[SharedLimit]] = {}
    frontier = Frontier(shared_limits=lambda url: limits.get(url, []))
    slots = [frontier.slot_for(url(n, 0)) for n in range(3)]
    frontier.set(slots, [0.3, 0.2, 0.1])
    assert [frontier.pop(0.0), frontier.pop(0.0)] == slots[:2]
    limits.update((url(n, 0), [SharedLimit("address", requests=2)]) for n in range(3))
    frontier.regroup(slots[0])
    frontier.regroup(slots[1])
    assert frontier.pop(1.0) is None
    frontier.release(slots[1], now=2.0)
    assert frontier.pop(2.0) == slots[2]


def test_a_host_that_waits_for_its_domain_does_not_hold_up_its_address() -> None:
    everywhere = SharedLimit("address", requests=8, gap=1.0)
    frontier = Frontier(shared_limits=lambda url: [SharedLimit(f"domain {url[-1]}", requests=1), everywhere])
    a1, a2, b = (frontier.slot_for(f"http://{name}.example/{name[0]}") for name in ("a1", "a2", "b"))
    frontier.set([a1, a2, b], [0.9, 0.8, 0.1])
    assert [frontier.pop(0.0), frontier.pop(0.0), frontier.pop(1.0), frontier.pop(9.0)] == [a1, None, b, None]
    frontier.release(a1, now=10.0)
    assert frontier.pop(10.0) == a2


def test_a_host_that_waits_in_a_group_survives_new_scores() -> None:
    frontier = in_one_group(SharedLimit("domain", requests=2, gap=1.0))
    a, b, c = (frontier.slot_for(url(n, 0)) for n in range(3))
    frontier.set([a, b, c], [0.5, 0.4, 0.3])
    assert [frontier.pop(0.0), frontier.pop(0.0)] == [a, None]
    frontier.set_all(lambda candidates: [-math.inf] * len(candidates))
    assert frontier.pop(2.0) is None
    frontier.set_all(lambda candidates: [0.1, 0.2])
    assert [frontier.pop(2.0), frontier.pop(2.0), frontier.pop(3.0)] == [c, None, None]
    frontier.release(a, now=3.0)
    assert frontier.pop(3.0) == b


GROUPS = (SharedLimit("domain 0", 2, 2.0), SharedLimit("domain 1", 1), SharedLimit("domain 2", 2, 0.5))
EVERYWHERE = SharedLimit("address", 3, 1.0)


@given(operations, st.booleans())
def test_groups_agree_with_a_plain_search(steps: list[tuple[str, int, float]], is_nested: bool) -> None:
    """Six hosts in three domains, perhaps all at one address: no group is asked too often, none is forgotten."""
    shared = {host: (GROUPS[host % 3], EVERYWHERE)[: 1 + is_nested] for host in range(6)}
    frontier = Frontier(shared_limits=lambda url: shared[int(url.split("//h")[1].split(".")[0])])
    flying: list[int] = []
    asked: dict[str, float] = {}
    scores: dict[int, float] = {}
    now = 0.0

    def has_room(limit: SharedLimit) -> bool:
        busy = sum(limit in shared[host_of(frontier, slot)] for slot in flying)
        return busy < limit.requests and asked.get(limit.place, -math.inf) + limit.gap <= now

    def offered() -> list[tuple[float, int]]:
        """The best of each domain that has room, if the address has room, too."""
        busy = {host_of(frontier, slot) for slot in flying}
        best: dict[str, tuple[float, int]] = {}
        for slot, score in scores.items():
            host = host_of(frontier, slot)
            if score > -math.inf and host not in busy and all(map(has_room, shared[host])):
                best[shared[host][0].place] = min((-score, slot), best.get(shared[host][0].place, (math.inf, 0)))
        return sorted(best.values())

    for what, number, value in steps:
        now += 0.5
        if what == "set":
            slot = frontier.slot_for(url(number % 6, number))
            if frontier.is_queued(slot):
                frontier.set([slot], [value])
                scores[slot] = value
        elif what == "all":
            for slot in scores:
                scores[slot] = ((slot * 7 + number) % 5) / 5
            frontier.set_all(lambda batch, n=number: [((c.found * 7 + n) % 5) / 5 for c in batch])
        elif what == "land" and flying:
            slot = flying.pop(number % len(flying))
            frontier.release(slot, now)
            frontier.finish(slot, UrlState.FETCHED)
        elif what == "pop":
            best = offered()
            found = frontier.pop(now)
            assert found == (best[0][1] if best else None)
            if found is not None:
                asked.update(dict.fromkeys((limit.place for limit in shared[host_of(frontier, found)]), now))
                flying.append(found)
                del scores[found]


@given(operations, st.integers(1, 4), st.integers(1, 6))
def test_the_best_the_worst_and_those_of_a_host_agree_with_a_plain_search(
    steps: list[tuple[str, int, float]], hosts: int, capacity: int
) -> None:
    """With room for a few candidates only: the worst go, and of equals the newest."""
    frontier = Frontier(capacity=capacity)
    in_play: dict[int, float] = {}
    flying: set[int] = set()
    for now, (what, number, value) in enumerate(steps):
        if what == "set":
            slot = frontier.slot_for(url(number % hosts, number))
            if frontier.state(slot) == UrlState.QUEUED:
                in_play[slot] = value
                frontier.set([slot], [value])
        elif what == "pop" and (popped := frontier.pop(float(now))) is not None:
            flying.add(popped)
            frontier.release(popped, float(now))
        while len(in_play) > capacity and (waiting := in_play.keys() - flying):
            del in_play[max(waiting, key=lambda slot: (-in_play[slot], slot))]
        best = sorted(in_play, key=lambda slot: (-in_play[slot], slot))
        assert frontier.top(4).tolist() == best[:4]
        assert (frontier.in_play, frontier.waiting) == (len(in_play), len(in_play) - len(flying))
        for host in range(hosts):
            here = [slot for slot in sorted(in_play) if slot not in flying and host_of(frontier, slot) == host]
            assert [slot for slot, _ in frontier.queued_on(f"h{host}.example")] == here
