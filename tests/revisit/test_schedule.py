"""The order of revisits, from plain numbers."""

from __future__ import annotations

import math
import random

import pytest

from clew.revisit.change_rate import USUAL_CHANGES_PER_DAY, chance_of_change, rate_of
from clew.revisit.page_change import conditions, differ
from clew.revisit.schedule import DAY, lastmods, plan, precision, schedule
from clew.store import Record, Revisit
from clew.types import Doc, Fetched

A, B = "http://a.example/", "http://b.example/"


def record(url: str, relevance: float = 0.5, order: int = 0) -> Record:
    return Record(order, order, url, url[7:-1], relevance=relevance)


def seen(url: str, *changes: bool | None, hinted: bool = False) -> list[Revisit]:
    """A visit each day."""
    return [Revisit(url, (n + 1) * DAY, 200, changed, hinted=hinted) for n, changed in enumerate(changes)]


def test_value_is_relevance_times_the_chance_of_a_change() -> None:
    best, other = schedule([record(A, 0.2), record(B, 0.9, 1)], {}, now=7 * DAY)
    assert (best.url, other.url) == (B, A)
    assert (best.rate, best.chance) == pytest.approx((USUAL_CHANGES_PER_DAY, 0.4))
    assert best.value == pytest.approx(0.36)


def test_a_page_that_changes_comes_before_one_that_is_a_little_more_relevant() -> None:
    history = {A: seen(A, True, True, True), B: seen(B, False, False, False)}
    due = schedule([record(A, 0.5), record(B, 0.6, 1)], history, now=4 * DAY)
    assert [each.url for each in due] == [A, B]
    assert due[0].rate == pytest.approx(rate_of([1, 1, 1], [], USUAL_CHANGES_PER_DAY))
    assert due[1].rate < USUAL_CHANGES_PER_DAY < due[0].rate


def test_inconclusive_visits_are_no_observations_but_count_as_tries() -> None:
    [due] = schedule([record(A)], {A: seen(A, True, None)}, now=2.5 * DAY)
    assert due.rate == pytest.approx(rate_of([1], [], USUAL_CHANGES_PER_DAY))
    assert due.chance == pytest.approx(chance_of_change(due.rate, 1.5))
    assert due.days == pytest.approx(0.5)
    assert schedule([record(A)], {A: seen(A, True, None)}, now=2.5 * DAY, every=1) == []


def test_sitemaps_are_trusted_as_far_as_they_were_right() -> None:
    right, wrong = {A: seen(A, *[True] * 8, hinted=True)}, {A: seen(A, *[False] * 8, hinted=True)}
    assert precision(right) == {"a.example": 0.9}
    assert precision(wrong) == {"a.example": 0.1}
    plain, announced, ahead = (
        schedule([record(A)], wrong, 8.5 * DAY, modified=modified)[0]
        for modified in ({}, {A: 8.2 * DAY}, {A: 30 * DAY})
    )
    assert (plain.hinted, announced.hinted, ahead.hinted) == (False, True, False)
    assert announced.chance == pytest.approx(1 - (1 - plain.chance) * 0.9)


def test_the_relevance_of_the_new_version_counts() -> None:
    [due] = schedule([record(A, 0.9)], {A: [Revisit(A, DAY, 200, True, relevance=0.1)]}, now=2 * DAY)
    assert due.relevance == 0.1


def test_the_best_intervals_spend_the_budget() -> None:
    due = schedule([record(A, 0.0), record(B, 0.9, 1)], {}, now=DAY)
    assert plan(due, 2.0) == [pytest.approx(0.5), math.inf]


def test_each_aim_is_reached_better_than_by_going_round() -> None:
    """Pages change at known rates, a tenth of them can be visited a day: weighted freshness, and weighted changes."""
    changes, freshness, oldest = (_live(aim) for aim in ("changes", "freshness", "oldest"))
    assert changes[1] > freshness[1] > oldest[1] * 1.3
    assert freshness[0] > oldest[0] * 1.05
    assert freshness[0] > changes[0]


def _live(aim: str, pages: int = 60, days: int = 50) -> tuple[float, float]:
    chance = random.Random(4)
    records = [record(f"http://h{n}.example/", chance.random() ** 2, n) for n in range(pages)]
    moments = {each.url: _moments(min(20, chance.lognormvariate(-3, 1.8)), days, chance) for each in records}
    history: dict[str, list[Revisit]] = {each.url: [] for each in records}
    seen_at, fresh, found = dict.fromkeys(history, 0.0), 0.0, 0.0
    for day in range(1, days + 1):
        stale = {url: any(seen_at[url] < moment <= day for moment in moments[url]) for url in history}
        fresh += sum(each.relevance for each in records if not stale[each.url]) * (day > days / 2)
        order = schedule(records, history, day * DAY, aim="freshness" if aim == "freshness" else "changes")
        if aim == "oldest":
            order.sort(key=lambda due: seen_at[due.url])
        for due in order[: pages // 10]:
            history[due.url].append(Revisit(due.url, day * DAY, 200, stale[due.url]))
            seen_at[due.url] = day
            found += due.relevance * stale[due.url] * (day > days / 2)
    return fresh, found


def _moments(rate: float, days: int, chance: random.Random) -> list[float]:
    found = [chance.expovariate(rate)]
    while found[-1] < days:
        found.append(found[-1] + chance.expovariate(rate))
    return found


def test_lastmods_of_a_sitemap() -> None:
    body = b"""<urlset><url><loc>/x</loc><lastmod>1970-01-02</lastmod></url><url><loc>/y</loc></url>
    <url><loc>/z</loc><lastmod>soon</lastmod></url></urlset>"""
    assert dict(lastmods(Fetched(f"{A}map.xml", 200, (), body))) == {f"{A}x": DAY}
    assert dict(lastmods(Fetched(A, 200, (), b"<p>no sitemap"))) == {}


def test_conditions_repeat_the_validators_of_the_server() -> None:
    earlier = Fetched(A, 200, (("etag", 'W/"1"'), ("last-modified", "Thu, 01 Jan 1970 00:00:00 GMT")))
    assert conditions(earlier) == {"If-None-Match": 'W/"1"', "If-Modified-Since": "Thu, 01 Jan 1970 00:00:00 GMT"}
    assert conditions(Fetched(A, 200, (("ETag", '"\xe9"'),))) == {}


def test_another_date_is_no_change() -> None:
    words = " ".join(f"word{n}" for n in range(400))
    old, new = Doc(A, text=f"Monday {words}"), Doc(A, text=f"Tuesday {words}")
    assert not differ(old, new)
    assert differ(old, Doc(A, text=words.replace("word", "other")))
