"""What visited pages are worth, and what a change of it does to the evidence."""

from __future__ import annotations

import math

import pytest

from clew.frontier import Frontier
from clew.types import Link, UrlState

TARGET = "http://t.example/"


def free(url: str, depth: int) -> str:
    return ""


def source(number: int) -> str:
    return f"http://s.example/{number}"


@pytest.fixture
def frontier() -> Frontier:
    """Five pages, worth .5 to .1, that link to one candidate: only the first three links are kept as evidence."""
    made = Frontier()
    for number, relevance in enumerate((0.5, 0.4, 0.3, 0.2, 0.1)):
        slot = made.slot_for(source(number))
        made.add([Link(source(number), TARGET)], 1, relevance, free, slot)
        made.finish(slot, UrlState.FETCHED, relevance)
    return made


def evidence(frontier: Frontier) -> list[str]:
    slot = frontier._table.find(TARGET)
    assert slot is not None
    return [link.source[-1] for link in frontier.candidates([slot])[0].links]


def test_of_a_page_and_of_all(frontier: Frontier) -> None:
    assert (
        frontier.relevance_of(source(1)),
        frontier.relevance_of(TARGET),
        frontier.relevance_of("http://x.example/"),
    ) == (
        0.4,
        0,
        0,
    )
    relevances = frontier.relevances().tolist()
    assert [relevance for relevance in relevances if not math.isnan(relevance)] == [0.5, 0.4, 0.3, 0.2, 0.1]
    assert math.isnan(relevances[frontier._table.find(TARGET) or 0])


def test_a_page_that_is_worth_more_becomes_evidence(frontier: Frontier) -> None:
    slot, target = frontier.slot_for(source(4)), frontier.slot_for(TARGET)
    links = [Link(source(4), TARGET), Link(source(4), source(0)), Link(source(4), "http://never.example/")]
    assert frontier.change_relevance(slot, 1.0, links) == [target]  # visited pages and unknown URLs are not touched
    assert evidence(frontier) == ["0", "1", "2", "4"]
    assert frontier._table.relevance[target] == 1.0


def test_a_page_that_is_worth_less_leaves_the_next_best(frontier: Frontier) -> None:
    target = frontier.slot_for(TARGET)
    frontier.change_relevance(frontier.slot_for(source(0)), 0.0, [Link(source(0), TARGET)])
    assert evidence(frontier) == ["0", "1", "2"]
    assert frontier._table.relevance[target] == 0.4


def test_after_many_changes_everything_is_weighed(frontier: Frontier) -> None:
    for number, relevance in enumerate((0.0, 0.1, 0.2)):
        frontier.change_relevance(frontier.slot_for(source(number)), relevance, ())
    assert frontier._table.relevance[frontier.slot_for(TARGET)] == 0.5
    frontier.reweigh_sources()
    assert frontier._table.relevance[frontier.slot_for(TARGET)] == 0.2
