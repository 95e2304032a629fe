"""Scoring everything again, slice by slice: what a step touches is bounded, and nothing is left out."""

from __future__ import annotations

import pytest

from clew.core.rescoring import AT_ONCE, BEST, SLICE, SPAN, Rescoring
from clew.frontier import Frontier
from clew.types import UrlState


class Scorer:
    """Gives every candidate the number of the model, and keeps how many were scored in each call."""

    def __init__(self, size: int) -> None:
        self.frontier = Frontier()
        self.model = 0.0
        self.calls: list[int] = []
        slots = [self.frontier.slot_for(f"http://h{page % 97}.example/{page}") for page in range(size)]
        self.frontier.set(slots, [1 / (2 + slot) for slot in slots])
        self.rescoring = Rescoring(self.frontier)

    def score(self, slots: list[int]) -> None:
        self.calls.append(len(slots))
        waiting = [slot for slot in slots if self.frontier.is_queued(slot)]
        self.frontier.set(waiting, [self.model] * len(waiting))

    def begin(self) -> None:
        self.score(self.rescoring.begin())

    def step(self) -> None:
        if slots := self.rescoring.slice():
            self.score(slots)

    def stale(self) -> int:
        return sum(candidate.score != self.model for candidate in self.frontier.queued())


@pytest.mark.parametrize("size", [1000, 5000, 40_000])
def test_no_step_scores_more_than_its_slice_and_all_get_their_turn(size: int) -> None:
    scorer = Scorer(size)
    scorer.model = 0.5
    scorer.begin()
    assert scorer.calls == [size if size <= AT_ONCE else BEST]
    assert scorer.frontier.score(0) == 0.5
    for _ in range(size // SLICE):
        scorer.step()
    assert max(scorer.calls[1:], default=0) <= SLICE
    assert (scorer.stale(), scorer.rescoring.left) == (0, 0)


def test_a_new_round_goes_on_where_the_last_one_was() -> None:
    """Otherwise frequent rounds would never come to the candidates at the end."""
    scorer = Scorer(5000)
    for model in range(1, 6):
        scorer.model = float(model)
        scorer.begin()
        for _ in range(5000 // 5 // SLICE):
            scorer.step()
    assert min(candidate.score for candidate in scorer.frontier.queued()) >= 1.0


def test_a_slice_looks_through_a_bounded_number_of_visited_pages() -> None:
    scorer = Scorer(3 * SPAN)
    for slot in range(2 * SPAN):
        scorer.frontier.finish(slot, UrlState.FETCHED)
    scorer.begin()
    places = [scorer.rescoring.place]
    for _ in range(4):
        scorer.step()
        places.append(scorer.rescoring.place)
    assert places == [0, SPAN, 2 * SPAN, 2 * SPAN + SLICE, 2 * SPAN + 2 * SLICE]


def test_saved_in_the_middle_it_goes_on_the_same() -> None:
    scorer = Scorer(5000)
    scorer.begin()
    scorer.step()
    copy = Rescoring(scorer.frontier)
    copy.load(scorer.rescoring.save())
    assert copy.slice() == scorer.rescoring.slice()
    assert (copy.place, copy.left) == (scorer.rescoring.place, scorer.rescoring.left)
