"""Which URLs look like a trap, and which must not."""

from __future__ import annotations

from itertools import pairwise

import pytest

from clew.filters.traps import (
    MAX_DATES,
    MAX_DEEP_URLS,
    MAX_LIST_PAGES,
    MAX_PAGE_NUMBER,
    MIN_WASTED_VISITS,
    PATTERN_WINDOW_VISITS,
    Traps,
    pattern,
)

HOST = "http://a.example"


@pytest.mark.parametrize(
    ("path", "word"),
    [
        ("/" + "/".join(map(str, range(16))), "folders deep"),
        ("/a/b/a/b/a/b/a/b", "4 times"),
        ("/?p=1&p=1&p=1&p=1", "4 times"),
        ("/x/www.a.example/y", "name of its host"),
    ],
)
def test_spellings(path: str, word: str):
    assert word in Traps().refuse(HOST + path)


@pytest.mark.parametrize(
    "path", ["/", "/a/a/a", "/2024/05/12/news", "/web/http://b.example/", "/?a=1&b=2", "/afs/a.example/user/"]
)
def test_ordinary_urls(path: str):
    assert not Traps().refuse(HOST + path)


def test_calendars_end_unless_they_bring_something():
    traps = Traps()
    urls = [f"{HOST}/calendar?date=20{year}-{month:02}" for year in range(20, 30) for month in range(1, 13)]
    assert sum(not traps.refuse(url) for url in urls) == MAX_DATES
    assert not traps.refuse(urls[0])  # asked again, it is the same date
    traps.visit(urls[0], new=True, relevant=True)
    assert sum(not traps.refuse(url) for url in urls) == 2 * MAX_DATES


def test_what_begins_and_ends_may_be_a_date():
    dates = [f"{HOST}/?from=20{year}-{month:02}-01" for year in range(20, 30) for month in range(1, 13)]
    traps = Traps()
    assert sum(not traps.refuse(url) for url in dates) == MAX_DATES
    assert not any(traps.refuse(f"{HOST}/topic?start={number}") for number in range(0, 1000, 25))


def test_dated_articles_are_no_calendar():
    traps = Traps()
    assert not any(traps.refuse(f"{HOST}/2024/05/{day:02}/story-{day}") for day in range(1, 31))


def test_parameters_in_another_order():
    traps = Traps()
    assert not traps.refuse(f"{HOST}/?a=1&b=2")
    assert "another order" in traps.refuse(f"{HOST}/?b=2&a=1")
    assert not traps.refuse(f"{HOST}/?a=1&b=2")


def test_a_pattern_without_news_falls_asleep_and_the_host_does_not():
    traps = Traps()
    fell = [traps.visit(f"{HOST}/list?page={n}", new=False, relevant=False) for n in range(MIN_WASTED_VISITS)]
    assert fell == [False] * (MIN_WASTED_VISITS - 1) + [True]
    assert "hardly anything new" in traps.refuse(f"{HOST}/list?page=99")
    assert not traps.refuse(f"{HOST}/story/99")


def test_something_new_keeps_a_pattern_awake():
    traps = Traps()
    assert not any(
        traps.visit(f"{HOST}/list?page={n}", new=n % 4 == 0, relevant=False) for n in range(10 * MIN_WASTED_VISITS)
    )


def test_a_pattern_that_was_good_can_fall_asleep_too():
    traps = Traps()
    assert not any(traps.visit(f"{HOST}/list?page={n}", new=True, relevant=True) for n in range(1000))
    assert any(
        traps.visit(f"{HOST}/list?page={n}", new=n % 10 == 0, relevant=False) for n in range(2 * PATTERN_WINDOW_VISITS)
    )


def pages(traps: Traps, path: str, step: int) -> int:
    """Go from one page of a list to the next; how many there were."""
    urls = [HOST + path.format(number) for number in range(1, 2000, step)]
    refused = [bool(traps.refuse(url, source)) for source, url in pairwise(urls)]
    return refused.index(True) if True in refused else len(refused)


@pytest.mark.parametrize("path", ["/list?page={}", "/blog/page/{}/", "/search?q=1&start={}0", "/forum?offset={}5&f=2"])
def test_lists_end(path: str):
    assert pages(Traps(), path, step=1) == MAX_LIST_PAGES
    assert pages(Traps(), path, step=2) == MAX_LIST_PAGES
    assert pages(Traps(), path, step=100) == MAX_PAGE_NUMBER // 100 - 1


def test_lists_that_lead_to_something_are_longer():
    traps = Traps()
    for number in range(100):
        traps.visit(f"{HOST}/list?page={number}", new=True, relevant=True)
    assert pages(traps, "/list?page={}", step=1) == MAX_LIST_PAGES + 100
    for number in range(1000):
        traps.visit(f"{HOST}/story-{number}", new=True, relevant=True)
    assert pages(traps, "/news?page={}", step=1) == MAX_PAGE_NUMBER - 1


def test_numbers_that_name_pages_are_no_list():
    traps = Traps()
    assert not any(traps.refuse(f"{HOST}/?page={number}", f"{HOST}/") for number in range(2000))
    far = [
        (f"{HOST}/?page={number}", f"{HOST}/?page={MAX_PAGE_NUMBER - number}")
        for number in range(0, MAX_PAGE_NUMBER, 30)
    ]
    assert not any(traps.refuse(url, source) for url, source in far)


def tree(traps: Traps, width: int, levels: int) -> int:
    """Visit the relevant pages of a tree that has this many folders in each; how many there were."""
    level, visited = [f"{HOST}/top/"], 0
    for depth in range(levels):
        visited += len(level)
        for url in level:
            traps.visit(url, new=True, relevant=True)
        below = [(f"{url}{depth}-{n}/", url) for url in level for n in range(width)]
        level = [url for url, source in below if not traps.refuse(url, source)]
    return visited


def test_folders_within_folders_end_however_relevant():
    assert tree(Traps(), width=2, levels=5) == 31  # a tree of an honest size
    shallow = 1 + 4 + 16
    assert tree(Traps(), width=4, levels=12) == shallow + MAX_DEEP_URLS + 1  # the top is a relevant page elsewhere


def test_patterns():
    assert pattern(f"{HOST}/") == "a.example//+0"
    assert pattern(f"{HOST}/list?page=7") == pattern(f"{HOST}/other?page=8")
    assert pattern(f"{HOST}/a/b") != pattern(f"{HOST}/c/b")
