"""The lead's arithmetic: the sum of ceilings never exceeds the budget, whatever is lost, killed or silent."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from clew.cluster.lead import Lead
from clew.cluster.report import Ceiling, Report
from clew.types import Stats


class Fake:
    """A shard as the lead sees it: it visits up to its ceiling, as long as it has candidates."""

    def __init__(self, number: int, candidates: list[float]) -> None:
        self.number = number
        self.candidates = sorted(candidates, reverse=True)
        self.visited = 0
        self.committed = 0
        self.granted = Ceiling()
        self.has_news = False  # of mail: it does not say that it stands still

    def report(self, ceiling: Ceiling | None) -> Report:
        self.granted = ceiling or self.granted
        kept = self.granted.at_least(Ceiling(self.visited, self.visited))
        return Report(
            self.number,
            Stats(visited=self.visited, pages=self.visited),
            kept,
            best=self.candidates[:200],
            awaited=max(self.candidates, default=0.0),
            turn=0.3,
            still="" if self.candidates or self.has_news else "no candidates are left",
            is_running=True,
            sent=(0,) * 9,
            got=(0,) * 9,
        )

    def visit(self) -> None:
        if self.candidates and self.visited < min(self.granted):
            self.candidates.pop(0)
            self.visited += 1

    def kill(self) -> None:
        self.visited = self.committed
        self.granted = Ceiling()


@settings(max_examples=60)
@given(
    shards=st.integers(1, 8),
    budget=st.integers(1, 150),
    seed=st.integers(0, 10**6),
    loss=st.sampled_from([0.0, 0.3, 0.6]),
    patience=st.sampled_from([0.0, 2.0]),
)
def test_the_budget_is_kept_and_reached(shards: int, budget: int, seed: int, loss: float, patience: float) -> None:
    chance = Random(seed)
    team = [Fake(n, [chance.random() for _ in range(chance.choice([0, chance.randrange(60)]))]) for n in range(shards)]
    available = sum(len(shard.candidates) for shard in team)
    lead = Lead(shards, Ceiling(budget, budget), patience=patience)
    for step in range(3000):
        shard = chance.choice(team)
        granted = lead.tell(shard.number)
        shard.has_news = chance.random() < 0.3 and step < 2000
        if chance.random() >= loss:
            report = shard.report(granted)
            if chance.random() >= loss:
                lead.take_report(shard.number, report)
        lead.plan(step / 10)
        for each in team:
            each.visit()
            if chance.random() < 0.2:
                each.committed = each.visited
            if loss and chance.random() < 0.002:
                lost = each.visited - each.committed
                each.candidates = sorted([*each.candidates, *[0.5] * lost], reverse=True)
                each.kill()
        assert sum(each.visited for each in team) <= budget
        assert sum(max(min(each.granted), each.visited) for each in team) <= budget
    assert sum(each.visited for each in team) == min(budget, available)


def test_who_holds_the_best_candidates_gets_the_portion() -> None:
    lead = Lead(8, Ceiling(1000, 1000))
    for number, scores in enumerate([[0.9] * 50, [0.5] * 50, [0.1] * 50, *[[]] * 5]):
        still = "" if scores else "no candidates are left"
        lead.take_report(number, Report(number, best=scores, still=still, is_running=True))
    lead.plan(0.0)
    # The first portion is four visits for each shard.
    assert [lead.tell(number).visits for number in range(8)] == [32, *[0] * 7]


def test_a_shard_that_has_nothing_left_gets_something_when_the_others_are_slow() -> None:
    lead = Lead(2, Ceiling(1000, 1000))
    for number, score in enumerate([0.9, 0.1]):
        lead.take_report(number, Report(number, best=[score] * 50, is_running=True))
    lead.plan(0.0)
    assert (lead.tell(0).visits, lead.tell(1).visits) == (8, 0)
    lead.plan(0.5)
    assert lead.tell(1).visits == 0
    lead.plan(1.5)
    assert lead.tell(1).visits == 8


GOOD = Report(0, Stats(visited=1, pages=1), best=[0.8] * 50, awaited=0.8, turn=1.0, is_running=True)
POOR = Report(1, best=[0.2] * 50, awaited=0.2, turn=1.0, is_running=True)


def two_shards(patience: float = 2.0) -> Lead:
    """The lead of two shards: one with good pages on a slow host, one with poor pages."""
    lead = Lead(2, Ceiling(1000, 1000), patience=patience)
    lead.take_report(0, GOOD)
    lead.take_report(1, POOR)
    lead.plan(0.0)
    return lead


def test_with_patience_a_poor_page_waits_for_a_better_one_of_another_shard() -> None:
    lead = two_shards()
    # The first shard makes a visit every second; two turns, of which the page lacks three quarters, are longer.
    for second in range(1, 4):
        stats = Stats(visited=1 + second, pages=1 + second)
        lead.take_report(0, replace(GOOD, stats=stats, ceiling=Ceiling(8, 8)))
        lead.plan(float(second))
        assert lead.tell(1).visits == 0
    lead.plan(4.4)
    assert lead.tell(1).visits == 0
    lead.plan(4.6)
    assert lead.tell(1).visits == 1


def test_nobody_waits_for_a_shard_that_is_silent() -> None:
    lead = two_shards(patience=100.0)
    for second in range(1, 6):
        lead.take_report(1, replace(POOR))
        lead.plan(float(second))
        assert lead.tell(1).visits == 0
    lead.take_report(1, replace(POOR))
    lead.plan(6.0)
    assert lead.tell(1).visits == 1


def test_a_shard_hears_how_the_others_stand() -> None:
    lead = two_shards()
    assert lead.elsewhere(1, 3.0) == (499.5, 0.8, 0.8, 1.0, 3.0)
    lead.take_report(0, replace(GOOD, stats=Stats(visited=2, pages=2), best=[0.7] * 50, awaited=0.7, turn=2.0))
    lead.plan(4.0)
    assert lead.elsewhere(1, 4.5) == (499, 0.8, 0.7, 2.0, 0.5)


def test_what_a_shard_cannot_use_is_taken_back() -> None:
    """It seemed to have something while mail came in; without its last visit the crawl would never end."""
    lead = Lead(4, Ceiling(5, 5), patience=2.0)
    lead.take_report(0, replace(GOOD, stats=Stats()))
    for shard in (1, 2, 3):
        lead.take_report(shard, Report(shard, is_running=True))
    lead.plan(0.0)
    assert [lead.tell(shard).visits for shard in range(4)] == [2, 1, 1, 1]
    for second in range(1, 20):
        used = min(5, lead.tell(0).visits)
        lead.take_report(0, replace(GOOD, stats=Stats(visited=used, pages=used), ceiling=lead.tell(0)))
        for shard in (1, 2, 3):
            still = "no candidates are left"
            lead.take_report(shard, Report(shard, ceiling=lead.tell(shard), still=still, is_running=True))
        lead.plan(float(second))
    assert [lead.tell(shard).visits for shard in range(4)] == [5, 0, 0, 0]


def test_nothing_is_planned_before_all_start_pages_are_read() -> None:
    lead = Lead(2, Ceiling(10, 10), reserved=[3, 2])
    lead.take_report(
        0, Report(0, best=[0.5] * 9, is_running=True, stats=Stats(visited=3, pages=3), ceiling=Ceiling(3, 3))
    )
    lead.take_report(1, Report(1))
    lead.plan(0.0)
    assert lead.tell(0) == Ceiling(3, 3)


def test_the_crawl_is_still_when_nothing_moves_twice_in_a_row() -> None:
    lead = Lead(2, Ceiling(10, 10))
    rests = [Report(n, still="no candidates are left", is_running=True, sent=(0, 0), got=(0, 0)) for n in range(2)]
    for report in rests:
        lead.take_report(report.shard, report)
    assert not lead.is_still()
    lead.take_report(0, rests[0])
    assert not lead.is_still()
    lead.take_report(1, rests[1])
    assert lead.is_still()


def test_mail_on_its_way_is_no_end() -> None:
    lead = Lead(2, Ceiling(10, 10))
    one = Report(0, still="no candidates are left", is_running=True, sent=(0, 1), got=(0, 0))
    other = Report(1, still="no candidates are left", is_running=True, sent=(0, 0), got=(0, 0))
    for _ in range(3):
        lead.take_report(0, one)
        lead.take_report(1, other)
        assert not lead.is_still()
    arrived = replace(other, got=(1, 0))
    lead.take_report(1, arrived)
    assert not lead.is_still()
    lead.take_report(0, one)
    lead.take_report(1, arrived)
    assert lead.is_still()


def test_a_drought_is_counted_over_all_shards() -> None:
    lead = Lead(2, Ceiling(100, 100))
    lead.take_report(0, Report(0, Stats(visited=10, relevant=1, since_relevant=4)))
    lead.take_report(1, Report(1, Stats(visited=10, since_relevant=10)))
    assert lead.stats().since_relevant == 4
    lead.take_report(1, Report(1, Stats(visited=25, since_relevant=25)))
    assert lead.stats().since_relevant == 19
    lead.take_report(0, Report(0, Stats(visited=12, relevant=2)))
    assert lead.stats().since_relevant == 0
