"""One crawl, started from the page and steered from it; the log of the web says what really happened."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from clew.store import Records

pytestmark = pytest.mark.slow
Until = Callable[..., Any]
QUIET_SECONDS = 2.0


@pytest.fixture
def page(running: Any, web: Any, viewer: Callable[..., Any], until: Until) -> Iterator[Any]:
    """The page of the crawl; the first test that needs it starts it."""
    seen = viewer(running.address)
    if not list(running.root.iterdir()):
        start(seen.page, web)
    until(lambda: seen.number("visited") > 30, "the crawl has made its first visits")
    yield seen
    assert seen.troubles == []


def start(page: Any, web: Any) -> None:
    page.get_by_role("link", name="Start a crawl").first.click()
    page.get_by_label("What to look for").fill("sailing AND (")
    page.get_by_text("is missing").wait_for()
    page.get_by_label("What to look for").fill("sailing")
    page.get_by_text("The formula is sound").wait_for()
    page.get_by_label("Where to begin").fill("\n".join(web.seeds))
    page.get_by_label("pages", exact=True).fill("2500")
    page.get_by_role("button", name="Start", exact=True).click()
    page.get_by_role("heading", name="sailing").first.wait_for()


def folder(running: Any) -> Path:
    return next(path for path in running.root.iterdir() if (path / "crawl.db").exists())


def told(seen: Any, kind: str, status: str = "taken") -> None:
    seen.page.locator(f'.told [data-kind="{kind}"][data-status="{status}"]').first.wait_for(timeout=30_000)


def test_it_is_watched_paused_and_goes_on(page: Any, web: Any, until: Until) -> None:
    before = page.number("visited")
    until(lambda: page.number("visited") > before, "the figures rise by themselves")
    assert page.page.locator("#found [data-card]").count() > 0
    page.page.locator("#pause").click()
    page.page.locator("#go-on").wait_for(timeout=30_000)
    time.sleep(1)  # what was in flight lands
    asked = len(web.requests())
    time.sleep(QUIET_SECONDS)
    assert len(web.requests()) == asked, "a paused crawl asks nobody"
    page.page.locator("#go-on").click()
    page.page.locator("#pause").wait_for(timeout=30_000)
    until(lambda: len(web.requests()) > asked, "the crawl asks again")


def test_a_blocked_host_is_never_asked_again(page: Any, web: Any, until: Until) -> None:
    row = page.page.locator("tr[data-host]").first
    row.wait_for()
    host = row.get_attribute("data-host")
    row.get_by_role("button", name="Block").click()
    told(page, "block")
    time.sleep(1)
    asked = len(web.requests())
    until(lambda: len(web.requests()) > asked + 40, "the crawl goes on elsewhere")
    assert [line for line in web.requests()[asked:] if host in line] == []


def test_five_labels_by_keyboard_are_taken(page: Any, running: Any, until: Until) -> None:
    first = page.page.locator("#found [data-card]").first
    first.wait_for()
    first.focus()
    for key in "ynyny":
        page.page.keyboard.press(key)
        page.page.wait_for_timeout(100)
    with Records(folder(running)) as records:
        given = until(lambda: len(records.labels()) >= 5 and records.labels(), "five labels are written")
        assert [label.relevant for label in given] == [True, False, True, False, True]
        assert len({label.url for label in given}) == 5
        until(lambda: all(label.is_applied for label in records.labels()), "the crawl has taken them")
    page.page.locator('#found [data-label="yes"]').first.wait_for()


def test_a_page_that_was_just_fetched_is_found_and_explained(page: Any, running: Any, until: Until) -> None:
    with Records(folder(running)) as records:
        newest = [record for record in records.pages(relevant=True) if len(record.title.split()) > 2][-1]
    page.page.keyboard.press("/")
    page.page.keyboard.type(f'"{newest.title}"')
    card = page.page.locator(f'#found [data-url="{newest.url}"]')
    card.wait_for()
    assert card.locator("mark").count() > 0
    card.get_by_role("button", name="Why?").click()
    sheet = page.page.get_by_role("dialog")
    sheet.get_by_text("counts as relevant").first.wait_for()
    assert sheet.locator(".path li").count() > 0
    page.page.keyboard.press("Escape")
    page.page.locator("#search").fill("http://nowhere.labyrinth/")
    page.page.keyboard.press("Enter")
    sheet.get_by_text("Never seen", exact=True).wait_for()


def test_another_interest_shows_a_mark_and_more_of_it_comes(page: Any, running: Any, until: Until) -> None:
    page.page.get_by_role("button", name="Change what is wanted").click()
    page.page.get_by_label("Words and phrases").fill("sailing OR surfing")
    page.page.get_by_text("finds would no longer count").wait_for(timeout=30_000)
    page.page.get_by_role("button", name="Use it from now on").click()
    told(page, "interest")
    page.page.locator('.marks [data-kind="order"]', has_text="interest sailing OR").wait_for()
    page.page.get_by_role("heading", name="sailing OR surfing").wait_for()
    with Records(folder(running)) as records:
        at = next(order.taken for order in records.orders() if order.kind == "interest")
        found = lambda: [record for record in records.pages(relevant=True) if record.order > at]  # noqa: E731
        until(found, "relevant pages come under the new interest")


def test_orders_that_a_kill_interrupts_are_taken_once(page: Any, running: Any, until: Until) -> None:
    [number] = running.crawl_processes()
    # The crawl is held still, so that the orders are surely there and surely not taken when it is killed.
    os.kill(number, signal.SIGSTOP)
    page.page.locator("#stop").wait_for()
    hosts = page.page.locator('tr[data-host]:not([data-state="blocked"])')
    named = [hosts.nth(place).get_attribute("data-host") for place in range(3)]
    for host in named:
        page.page.locator(f'tr[data-host="{host}"]').get_by_role("button", name="Block").click()
    with Records(folder(running)) as records:
        until(lambda: sum(order.is_waiting for order in records.orders()) == 3, "three orders wait")
        os.kill(number, signal.SIGKILL)
        page.page.locator("#resume").click(timeout=30_000)
        until(lambda: not any(order.is_waiting for order in records.orders()), "the orders are taken")
        page.page.locator("#pause").wait_for(timeout=30_000)
        blocks = [order for order in records.orders() if order.kind == "block"]
        assert all(not order.refused and order.taken is not None for order in blocks)
        assert sorted(order.words[0] for order in blocks[-3:]) == sorted(named)
        deny = records.config.scope.deny
        assert [deny.count(host) for host in named] == [1, 1, 1]
    page.page.locator("#stop").click()
    page.page.locator("#resume").wait_for(timeout=30_000)
