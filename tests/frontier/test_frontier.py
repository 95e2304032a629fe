"""Evidence, redirects, and a frontier that comes back as it was."""

from __future__ import annotations

import math

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from clew.frontier import Frontier, name_blocks, row_log
from clew.frontier.evidence import weight
from clew.frontier.table import COLUMNS
from clew.types import Link, UrlEntry, UrlState


def free(url: str, depth: int) -> str:
    return ""


def test_evidence_is_the_first_three_and_every_new_best() -> None:
    frontier = Frontier()
    relevances = [0.2, 0.1, 0.3, 0.2, 0.4, 0.4, 0.9]
    fresh = []
    for n, relevance in enumerate(relevances):
        fresh.append(frontier.add([Link(f"http://s.example/{n}", "http://t.example/")], 1, relevance, free)[0] == [0])
    assert fresh == [True, True, True, False, True, False, True]
    [candidate] = frontier.candidates([0])
    assert [link.source[-1] for link in candidate.links] == ["0", "1", "2", "4", "6"]
    assert candidate.n_links == 7


def test_a_page_speaks_once_for_a_target_with_the_link_that_has_words() -> None:
    frontier = Frontier()
    links = [Link("http://s.example/", "http://t.example/", anchor) for anchor in ("", "sailing", "more")]
    assert frontier.add(links, 1, 0.0, free) == ([0], [])
    [candidate] = frontier.candidates([0])
    assert ([link.anchor for link in candidate.links], candidate.n_links) == (["sailing"], 1)


def test_what_is_out_of_scope_is_known_with_its_reason_and_never_offered() -> None:
    frontier = Frontier()
    link = Link("http://s.example/", "http://t.example/a.zip")
    assert frontier.add([link], 1, 0.0, lambda url, depth: "a media file") == ([], [])
    assert frontier.entries([0])[0].reason == "a media file"
    assert frontier.waiting == 0
    assert frontier.add([link], 1, 0.0, free) == ([], [])


def test_what_a_shorter_way_brings_into_scope_keeps_what_spoke_for_it_before() -> None:
    def deep(url: str, depth: int) -> str:
        return "too deep" if depth > 2 else ""

    frontier = Frontier()
    frontier.add([Link("http://s.example/1", "http://t.example/", "sailing")], 3, 0.0, deep)
    assert frontier.waiting == 0
    assert frontier.add([Link("http://s.example/2", "http://t.example/", "boats")], 2, 0.0, deep) == ([0], [])
    [candidate] = frontier.candidates([0])
    assert ([link.anchor for link in candidate.links], candidate.depth) == (["sailing", "boats"], 2)
    assert (frontier.entries([0])[0].reason, frontier.waiting) == ("", 1)


def test_what_comes_back_with_the_score_that_it_had_is_offered() -> None:
    frontier, link = Frontier(), Link("http://s.example/", "http://t.example/")
    frontier.add([link], 3, 0.0, free)
    frontier.set([0], [0.5])
    frontier.exclude(0, "a trap")
    assert frontier.pop(0.0) is None
    frontier.add([link], 2, 0.0, free)
    frontier.set([0], [0.5])
    assert frontier.pop(0.0) == 0


def test_a_redirect_hands_its_evidence_on() -> None:
    frontier = Frontier()
    frontier.add([Link("http://s.example/", "http://t.example/old", "words")], 3, 0.4, free)
    frontier.finish(0, UrlState.REDIRECTED)
    [target] = frontier.redirect(0, "http://t.example/new", free)
    [candidate] = frontier.candidates([target])
    assert (candidate.url, candidate.depth, candidate.n_links) == ("http://t.example/new", 3, 1)
    assert candidate.links[0].anchor == "words"
    assert frontier._table.hops[target] == 1


def test_a_redirect_to_a_visited_page_leads_nowhere() -> None:
    frontier = Frontier()
    a, b = frontier.slot_for("http://a.example/"), frontier.slot_for("http://b.example/")
    frontier.finish(a, UrlState.FETCHED)
    assert frontier.redirect(b, "http://a.example/", free) == []


class Drawer:
    """A shelf in memory."""

    def __init__(self) -> None:
        self.rows: dict[int, UrlEntry] = {}

    def entries(self, slots):  # type: ignore[no-untyped-def]
        return {slot: self.rows[slot] for slot in slots if slot in self.rows}


def test_texts_leave_the_memory_and_come_back_from_the_shelf() -> None:
    shelf = Drawer()
    frontier = Frontier(shelf, cached_bytes=8000)
    for n in range(30):
        source = frontier.slot_for(f"http://s.example/{n}")
        frontier.add([Link(f"http://s.example/{n}", f"http://t.example/{n}", f"words {n}")], 1, 0.0, free)
        frontier.finish(source, UrlState.FETCHED)
    shelf.rows.update(frontier.changed_entries())
    assert 0 < len(frontier._evidence.cache) < 20
    assert frontier._evidence.bytes == sum(map(weight, frontier._evidence.cache.values())) <= 8000
    assert frontier.candidates([1])[0].links[0].anchor == "words 0"


def test_links_of_pages_that_were_not_visited_do_not_count() -> None:
    """After a kill the shelf may be ahead of the checkpoint."""
    shelf = Drawer()
    frontier = Frontier(shelf)
    frontier.slot_for("http://t.example/")
    shelf.rows[0] = UrlEntry("http://t.example/", (Link("http://later.example/", "http://t.example/"),))
    frontier._evidence.cache.clear()
    assert frontier.candidates([0])[0].links == ()


class Kept:
    """The parts of the last checkpoint, as a store keeps them."""

    def __init__(self) -> None:
        self.parts: dict[str, bytes] = {}
        self.written = 0  # bytes of the last one

    def take(self, frontier: Frontier) -> dict[str, bytes]:
        saved = frontier.save()
        frontier.saved()
        self.written = sum(len(data) for data in saved.values() if data is not None)
        self.parts = {name: self.parts[name] if data is None else data for name, data in saved.items()}
        return self.parts


def test_saved_and_loaded_it_goes_on_the_same() -> None:
    shelf = Drawer()
    frontier = Frontier(shelf)
    slots = [frontier.slot_for(f"http://h{n % 3}.example/{n}") for n in range(20)]
    frontier.set(slots, [n % 5 / 5 for n in range(20)])
    in_flight = frontier.pop(0.0)
    shelf.rows.update(frontier.changed_entries())
    copy = Frontier(shelf)
    copy.load(Kept().take(frontier))
    assert copy.waiting == 20
    assert copy.pop(0.0) == in_flight
    frontier.release(in_flight, now=0.0)
    copy.release(in_flight, now=0.0)
    for _ in range(19):
        a, b = frontier.pop(1.0), copy.pop(1.0)
        assert a == b
        frontier.release(a, now=1.0)
        copy.release(b, now=1.0)


CHANGES = st.lists(
    st.tuples(
        st.sampled_from(["new", "score", "finish", "exclude", "link", "pop", "save", "load"]),
        st.integers(0, 60),
        st.sampled_from([0.1, 0.5, 0.9, -math.inf]),
    ),
    max_size=150,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(changes=CHANGES)
def test_a_checkpoint_of_what_has_changed_is_worth_a_whole_one(
    changes: list[tuple[str, int, float]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(row_log, "BLOCK", 4)
    monkeypatch.setattr(name_blocks, "BLOCK", 3)
    kept = Kept()
    frontier = Frontier()
    for now, (what, number, value) in enumerate(changes):
        slot = number % len(frontier) if len(frontier) else None
        if what == "new":
            frontier.slot_for(f"http://h{number % 7}.example/{number}")
        elif what == "link":
            frontier.add([Link(f"http://s.example/{now}", f"http://t.example/{number}")], number % 5, 0.3, free)
        elif what == "save":
            kept.take(frontier)
        elif what == "load" and kept.parts:
            evidence = frontier._evidence.cache
            frontier = Frontier()
            frontier.load(kept.parts)
            frontier._evidence.cache = evidence
        elif what == "pop" and (popped := frontier.pop(float(now))) is not None:
            frontier.release(popped, float(now))
        elif slot is not None and frontier.is_queued(slot):
            if what == "score":
                frontier.set([slot], [value])
            elif what == "finish":
                frontier.finish(slot, UrlState.FETCHED, 0.4)
            elif what == "exclude":
                frontier.exclude(slot, "a trap")
    copy = Frontier()
    copy.load(kept.take(frontier))
    assert list(copy.hosts) == list(frontier.hosts)
    queued, flying = UrlState.QUEUED.number, UrlState.IN_FLIGHT.number
    for name in COLUMNS:
        wanted = frontier._table.column(name)
        if name == "state":
            wanted[wanted == flying] = queued
        assert copy._table.column(name).tolist() == wanted.tolist()
    assert copy.top(100).tolist() == frontier.top(100).tolist()


def test_what_a_checkpoint_writes_does_not_grow_with_the_frontier() -> None:
    written = []
    for size in (20_000, 80_000):
        frontier = Frontier()
        kept = Kept()
        slots = [frontier.slot_for(f"http://h{page % 97}.example/{page}") for page in range(size)]
        frontier.set(slots, [0.5] * size)
        kept.take(frontier)
        for round_ in range(40):
            frontier.set(slots[round_ : round_ + 100], [0.6 + round_ / 1000] * 100)
            kept.take(frontier)
        written.append(kept.written)
        copy = Frontier()
        copy.load(kept.parts)
        assert copy._table.column("score").tolist() == frontier._table.column("score").tolist()
    assert max(written) < 2 * min(written) < 500_000
