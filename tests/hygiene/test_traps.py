"""What gives a trap away, and what must not be taken for one."""

from __future__ import annotations

import pytest

from clew.hygiene.traps import DATES, DEEP, DRY, LATEST, PAGES, Traps, pattern

HOST = "http://a.example"


@pytest.mark.parametrize(
    ("path", "word"),
    [
        ("/" + "/".join(map(str, range(16))), "folders deep"),
        ("/a/b/a/b/a/b/a/b", "4 times"),
        ("/?p=1&p=1&p=1&p=1", "4 times"),
        ("/x/www.a.example/y", "own name"),
    ],
)
def test_spellings(path: str, word: str):
    assert word in Traps().refuse(HOST + path)


@pytest.mark.parametrize("path", ["/", "/a/a/a", "/2024/05/12/news", "/web/http://b.example/", "/?a=1&b=2"])
def test_ordinary_urls(path: str):
    assert not Traps().refuse(HOST + path)


def test_calendars_end_unless_they_bring_something():
    traps = Traps()
    urls = [f"{HOST}/calendar?date=20{year}-{month:02}" for year in range(20, 30) for month in range(1, 13)]
    assert sum(not traps.refuse(url) for url in urls) == DATES
    assert not traps.refuse(urls[0])  # asked again, it is the same date
    traps.visit(urls[0], new=True, relevant=True)
    assert sum(not traps.refuse(url) for url in urls) == 2 * DATES


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
    fell = [traps.visit(f"{HOST}/list?page={n}", new=False, relevant=False) for n in range(DRY)]
    assert fell == [False] * (DRY - 1) + [True]
    assert "hardly anything new" in traps.refuse(f"{HOST}/list?page=99")
    assert not traps.refuse(f"{HOST}/story/99")


def test_something_new_keeps_a_pattern_awake():
    traps = Traps()
    assert not any(traps.visit(f"{HOST}/list?page={n}", new=n % 4 == 0, relevant=False) for n in range(10 * DRY))


def test_a_pattern_that_was_good_can_fall_asleep_too():
    traps = Traps()
    assert not any(traps.visit(f"{HOST}/list?page={n}", new=True, relevant=True) for n in range(1000))
    assert any(traps.visit(f"{HOST}/list?page={n}", new=n % 10 == 0, relevant=False) for n in range(2 * LATEST))


@pytest.mark.parametrize("path", ["/list?page={}", "/blog/page/{}/", "/search?q=1&start={}0", "/forum?offset={}5&f=2"])
def test_lists_end(path: str):
    assert not Traps().refuse(HOST + path.format(PAGES))
    assert "of a list" in Traps().refuse(HOST + path.format(PAGES + 1))


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
    shallow = 1 + 4 + 16 + 64
    assert tree(Traps(), width=4, levels=12) == 2 * shallow + DEEP


def test_patterns():
    assert pattern(f"{HOST}/") == "a.example//+0"
    assert pattern(f"{HOST}/list?page=7") == pattern(f"{HOST}/other?page=8")
    assert pattern(f"{HOST}/a/b") != pattern(f"{HOST}/c/b")
