from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, fields

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.config import Until
from clew.core.stop import LIMITS, Community, LearnsPages, stop_rules
from clew.types import Link, Page, Stats


def page(url: str, targets: str, relevant: bool = True) -> Page:
    return Page(url, relevant=relevant, links=tuple(Link(url, target) for target in targets))


def graph(edges: str, relevant: str, order: str | None = None) -> Community:
    """'ab bc ca': a community that has seen these pages, in this order."""
    stop = Community()
    pairs = edges.split()
    for url in order if order is not None else sorted({source for source, _ in pairs}):
        stop.learn(page(url, "".join(target for source, target in pairs if source == url), url in relevant))
    return stop


def reason(until: Until, stats: Stats) -> str | None:
    return next((why for stop in stop_rules(until) if (why := stop(stats))), None)


@pytest.mark.parametrize(
    ("until", "below", "at", "why"),
    [
        (Until(pages=3), Stats(visited=8, pages=2), Stats(visited=8, pages=3), "fetched 3 pages"),
        (Until(None, visits=3), Stats(visited=2), Stats(visited=3), "made 3 visits"),
        (
            Until(pages=3),
            Stats(visited=8, pages=1),
            Stats(visited=9, pages=1),
            "9 visits brought only 1 page (raise visits to go on)",
        ),
        (Until(pages=3, visits=4), Stats(visited=3), Stats(visited=4), "made 4 visits"),
        (Until(None, minutes=1), Stats(seconds=59.9), Stats(seconds=60), "ran for 1 minute"),
        (Until(None, minutes=0.5), Stats(seconds=29), Stats(seconds=30), "ran for 0.5 minutes"),
        (Until(None, megabytes=2), Stats(bytes=1_999_999), Stats(bytes=2_000_000), "fetched 2 megabytes"),
        (Until(None, relevant=1), Stats(9), Stats(9, 1), "found 1 relevant page"),
        (Until(None, relevant=2000), Stats(5000, 1999), Stats(5000, 2000), "found 2,000 relevant pages"),
        (Until(None, irrelevant=4), Stats(9, 2, pages=5), Stats(9, 1, pages=5), "visited 4 irrelevant pages"),
        (
            Until(None, drought=7),
            Stats(since_relevant=6),
            Stats(since_relevant=7),
            "found nothing relevant in the last 7 visits",
        ),
        (
            Until(None, min_precision=0.1),
            Stats(visited=99),
            Stats(visited=100, relevant=9),
            "fewer than 0.1 of the visited pages are relevant",
        ),
        (
            Until(None, min_score=0.2),
            Stats(waiting=1, best=0.2),
            Stats(waiting=1, best=0.19),
            "the best candidate's score is below 0.2",
        ),
        (
            Until(None, min_forecast=5),
            Stats(visited=600, forecast=0.5, forecast_high=5.0),
            Stats(visited=600, forecast=0.5, forecast_high=4.9),
            "the next 500 visits are expected to bring fewer than 5 relevant pages",
        ),
        (
            Until(None, at_ceiling=True),
            Stats(),
            Stats(at_ceiling=True),
            "the interest cannot be widened any further",
        ),
    ],
)
def test_each_rule_stops_at_its_limit_and_not_before(until: Until, below: Stats, at: Stats, why: str) -> None:
    assert reason(until, below) is None
    assert reason(until, at) == why


def test_only_the_budgets_of_pages_and_visits_are_on_by_default() -> None:
    assert len(stop_rules(Until())) == 2
    assert stop_rules(Until(pages=None)) == []


def test_every_setting_has_its_rule() -> None:
    assert {f.name for f in fields(Until)} == {*LIMITS, "at_ceiling", "community", "stop_rules", "min_free"}


def test_a_limit_of_nothing_is_a_limit() -> None:
    assert reason(Until(pages=0), Stats()) == "fetched 0 pages"


def test_the_informative_reason_comes_before_the_budget() -> None:
    assert reason(Until(pages=5, relevant=2), Stats(visited=5, relevant=2)) == "found 2 relevant pages"


def test_precision_is_not_judged_early() -> None:
    assert reason(Until(None, min_precision=0.5), Stats(visited=99, relevant=0)) is None


def test_no_forecast_is_not_a_low_one() -> None:
    assert reason(Until(None, min_forecast=5), Stats(visited=99)) is None


def test_no_score_is_not_a_low_score() -> None:
    until = Until(None, min_score=0.5)
    assert reason(until, Stats(waiting=5, best=-math.inf)) is None
    assert reason(until, Stats(waiting=0, best=0.0)) is None


def test_t1f_a_triangle_with_two_loose_ends() -> None:
    edges = "ab bc ca ax cy"
    assert graph(edges, "abc").members() == {"a", "b", "c"}
    assert graph(edges, "abx", order="abcx").members() == set()
    assert graph(edges, "abcx", order="abcx").members() == {"a", "b", "c", "x"}


def test_more_inside_than_outside_not_as_many() -> None:
    assert graph("ab bc ca ax ay", "abc").members() == set()
    assert graph("ab ba bc ca ax ay", "abc").members() == {"a", "b", "c"}


def test_links_from_irrelevant_pages_count_as_outside() -> None:
    assert graph("ab bc ca xb yb", "abc").members() == set()
    assert graph("ab bc ca xb", "abc").members() == {"a", "b", "c"}


def test_pages_are_removed_until_all_the_others_satisfy_the_rule() -> None:
    assert graph("ab bc ca cd de d1 e1 e2", "abcde").members() == {"a", "b", "c"}


def test_self_links_and_repeated_links_do_not_count() -> None:
    assert graph("ab bc ca aa aa ax ax", "abc").members() == {"a", "b", "c"}


@given(st.sets(st.tuples(st.sampled_from("abcdef"), st.sampled_from("abcdefxy"))), st.permutations("abcdef"))
def test_the_order_of_visits_does_not_matter(edges: set[tuple[str, str]], order: list[str]) -> None:
    text = " ".join(sorted(a + b for a, b in edges if a != b))
    found = graph(text, "abcde", "".join(order)).members()
    assert found == peeled(text.split(), set("abcde"))


def peeled(edges: list[str], members: set[str]) -> set[str]:
    """The rule word for word, as slowly as it likes."""
    while True:
        fail = {m for m in members if 2 * sum(m in e and set(e) <= members for e in edges) <= degree(m, edges)}
        if not fail:
            return members
        members = members - fail


def degree(url: str, edges: list[str]) -> int:
    return sum(url in edge for edge in edges)


def test_one_check_in_a_session() -> None:
    stop = graph("ab bc ca", "abc")
    assert stop(Stats(visited=99)) is None
    assert stop(Stats(visited=100)) == "3 of the relevant pages form a community"
    assert stop(Stats(visited=199)) is None
    assert stop(Stats(visited=203)) is not None


def test_two_pages_are_no_community() -> None:
    assert graph("ab ba", "ab")(Stats(visited=100)) is None


def test_it_learns_and_the_others_do_not() -> None:
    stops = stop_rules(Until(community=True))
    assert [isinstance(stop, LearnsPages) for stop in stops] == [True, False, False]


@dataclass
class EarlierCrawls:
    """The pages of a crawl that is resumed."""

    seen: list[Page]

    @property
    def visited(self) -> int:
        return 250

    def pages(self) -> Iterator[Page]:
        return iter(self.seen)


def test_catches_up_after_a_resume_and_keeps_to_the_sessions() -> None:
    [stop] = stop_rules(Until(None, community=True), EarlierCrawls([page("a", "bx"), page("b", "c"), page("c", "ay")]))
    assert stop(Stats(visited=299)) is None
    assert stop(Stats(visited=300)) is not None
