"""Who cannot use a mouse, or sees little, can use the page; it fits phones and wide screens."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from clew.cli.main import main

from .conftest import Service, Web, service

pytestmark = pytest.mark.slow
AXE = Path(__file__).parents[3] / "build" / "node_modules" / "axe-core" / "axe.min.js"
SIZES = [(400, "light"), (400, "dark"), (1600, "light"), (1600, "dark")]


@pytest.fixture(scope="module")
def crawls(web: Web, tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("access")
    config = root.parent / "access.toml"
    config.write_text(web.settings)
    seeds = ["--seeds", *web.seeds, "--config", str(config), "--parallel", "16"]
    with contextlib.redirect_stdout(io.StringIO()):
        for name in ("one", "two"):
            assert main(["crawl", "sailing", *seeds, "--pages", "60", "--quiet", "--folder", str(root / name)]) == 0
    return root


@pytest.fixture(scope="module")
def running(crawls: Path) -> Iterator[Service]:
    with service(crawls, "") as running:
        yield running


def crawl(page: Any) -> None:
    page.get_by_role("link", name="sailing").first.click()
    page.locator("#found [data-card]").first.wait_for()
    page.locator("tr[data-host]").first.wait_for()


def explanation(page: Any) -> None:
    crawl(page)
    page.get_by_role("button", name="Why?").first.click()
    page.get_by_role("dialog").locator(".path, .hint").first.wait_for()


def editor(page: Any) -> None:
    crawl(page)
    page.get_by_role("button", name="Change what is wanted").click()


def form(page: Any) -> None:
    page.get_by_role("link", name="Start a crawl").first.click()
    page.get_by_label("What to look for").wait_for()
    for section in page.locator("summary").all():
        section.click()


def comparison(page: Any) -> None:
    page.get_by_role("checkbox").nth(1).wait_for()
    for box in page.get_by_role("checkbox").all():
        box.check()
    page.get_by_role("button", name="Compare two").click()
    page.locator("#comparison canvas").wait_for()


VIEWS = [crawl, explanation, editor, form, comparison]


@pytest.mark.skipif(not AXE.exists(), reason="make axe brings axe-core")
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("view", VIEWS)
def test_axe_finds_nothing_serious(view: Any, scheme: str, running: Service, viewer: Callable[..., Any]) -> None:
    seen = viewer(running.address, 1280, scheme)
    view(seen.page)
    assert serious(seen.page) == []
    assert seen.troubles == []


@pytest.mark.skipif(not AXE.exists(), reason="make axe brings axe-core")
def test_nor_in_a_report(crawls: Path, viewer: Callable[..., Any]) -> None:
    seen = viewer((crawls / "one" / "report" / "report.html").as_uri())
    seen.page.locator("#found [data-card]").first.wait_for()
    assert serious(seen.page) == []


def serious(page: Any) -> list[str]:
    page.evaluate(AXE.read_text())
    found = page.evaluate("axe.run()")["violations"]
    return [
        f"{one['id']}: {one['nodes'][0]['html'][:200]}" for one in found if one["impact"] in ("serious", "critical")
    ]


@pytest.mark.parametrize(("width", "scheme"), SIZES)
def test_it_fits_the_screen(width: int, scheme: str, running: Service, viewer: Callable[..., Any]) -> None:
    seen = viewer(running.address, width, scheme)
    crawl(seen.page)
    assert seen.page.evaluate("document.documentElement.scrollWidth") <= width
    background = seen.page.evaluate("getComputedStyle(document.body).backgroundColor.match(/[0-9]+/)[0]")
    assert (int(background) < 128) == (scheme == "dark")


def test_nothing_jumps_while_it_loads(running: Service, viewer: Callable[..., Any]) -> None:
    seen = viewer(running.address)
    crawl(seen.page)
    seen.page.evaluate(
        "window.moved = 0; new PerformanceObserver(list => list.getEntries().forEach(entry => {"
        "if (!entry.hadRecentInput) moved += entry.value})).observe({type: 'layout-shift'})"
    )
    seen.page.get_by_role("button", name="Newest first").click()
    seen.page.wait_for_timeout(1000)
    assert seen.page.evaluate("moved") < 0.1


def test_the_keyboard_reaches_everything(running: Service, viewer: Callable[..., Any]) -> None:
    seen = viewer(running.address)
    crawl(seen.page)
    names = set()
    for _ in range(140):
        seen.page.keyboard.press("Tab")
        name, outline = seen.page.evaluate(
            "[document.activeElement, getComputedStyle(document.activeElement)]"
            ".map((it, place) => place ? it.outlineStyle : it === document.body || it.innerText || it.id)"
        )
        names.add(name)
        # After the last element, the focus is in the browser's own bar.
        assert name is True or outline == "solid", f"the focus on {name!r} is visible"
    assert {"Go on", "Change what is wanted", "search", "Yes, relevant", "Why?", "Fetch now", "Block"} <= names
