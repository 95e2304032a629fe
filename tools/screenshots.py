"""Takes the pictures of the web page for the documentation: a crawl of the labyrinth, seen in a real browser.

python tools/screenshots.py      (needs the extras serve, browser and plots, and Chromium)
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import sync_playwright

from clew.fetch._chromium import located
from clew.labyrinth import Labyrinth, serving

TARGET = Path(__file__).resolve().parents[1] / "docs" / "assets"
COLOURS = 128  # enough for text and curves, and a third of the size
ANSWER_SECONDS = 0.03  # of the labyrinth
FIRST_VISITS_MILLISECONDS = 15_000


def main() -> int:
    """Start a crawl from the page, answer a question, change the interest, and take the pictures."""
    with tempfile.TemporaryDirectory() as scratch, serving(Labyrinth(seed=1), delay=ANSWER_SECONDS) as web:
        config = Path(scratch) / "defaults.toml"
        config.write_text(f'allow_private = true\nresolve = ["{web.resolve}"]\ndelay = 0\nparallel = 4\n')
        seeds = web.labyrinth.seeds("sailing", 3)
        with service(Path(scratch) / "crawls", config) as address, sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=located(""))
            take(browser, address, seeds)
            browser.close()
    return 0


@contextmanager
def service(folder: Path, config: Path) -> Iterator[str]:
    """The address of the service while the block runs."""
    command = [sys.executable, "-m", "clew", "serve", str(folder), "--port", "0", "--config", str(config)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        try:
            yield process.stdout.readline().strip()
        finally:
            process.terminate()


def take(browser: Any, address: str, seeds: list[str]) -> None:
    """All pictures, in the order of the guide."""
    page = opened(browser, address, 1280, 900, "light")
    page.get_by_role("link", name="Start a crawl").first.click()
    page.get_by_label("What to look for").fill("sailing AND NOT railways")
    page.get_by_label("Where to begin").fill("\n".join(seeds))
    page.get_by_text("The formula is sound").wait_for()
    keep(page, "serve-start.png")
    page.get_by_role("button", name="Start", exact=True).click()
    page.locator("#unsure [data-card]").wait_for(timeout=60_000)
    page.wait_for_timeout(FIRST_VISITS_MILLISECONDS)
    page.get_by_role("button", name="No", exact=True).click()
    page.locator(".effect", has_text="moved").wait_for(timeout=60_000)
    page.locator(".notice").last.wait_for(state="detached", timeout=60_000)
    page.mouse.move(0, 0)
    page.evaluate("scrollTo(0, 0)")
    keep(page, "serve-page.png")
    # The first pages may be start pages, which no path of links leads to.
    page.get_by_role("button", name="Why?").nth(5).click()
    page.locator(".path").wait_for()
    keep(page, "serve-why.png")
    page.keyboard.press("Escape")
    phone = opened(browser, address, 400, 860, "dark")
    phone.locator("#found [data-card]").first.wait_for()
    phone.wait_for_timeout(2_000)
    keep(phone, "serve-phone.png")
    # The crawl is a process of its own and would outlive this script.
    page.get_by_role("button", name="Stop", exact=True).click()
    page.get_by_role("button", name="Go on", exact=True).wait_for(timeout=60_000)


def opened(browser: Any, address: str, width: int, height: int, scheme: str) -> Any:
    """A page in a context of its own."""
    context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)
    page = context.new_page()
    page.goto(address)
    return page


def keep(page: Any, name: str) -> None:
    """A picture of what is to be seen, with few colours."""
    file = TARGET / name
    page.screenshot(path=file)
    with Image.open(file) as picture:
        picture.convert("RGB").quantize(COLOURS).save(file, optimize=True)


if __name__ == "__main__":
    sys.exit(main())
