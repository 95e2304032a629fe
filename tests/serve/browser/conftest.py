"""A real browser in front of a real service over real crawls of the labyrinth."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from clew.errors import ConfigError
from clew.fetch._chromium import located
from clew.labyrinth import Labyrinth, serving

pytest.importorskip("clew.serve.running", reason="the extra serve is not installed", exc_type=ImportError)
try:
    BROWSER = located("")
except ConfigError as error:
    pytest.skip(str(error), allow_module_level=True)
sync_api = pytest.importorskip("playwright.sync_api")

WAIT_SECONDS = 40
ANSWER_SECONDS = 0.08  # of the labyrinth: slow enough to be watched


@pytest.fixture(scope="session")
def until() -> Callable[..., Any]:
    """Waits until something is so, and returns what it was then."""
    return wait_until


def wait_until(is_so: Callable[[], Any], what: str, seconds: float = WAIT_SECONDS) -> Any:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if found := is_so():
            return found
        time.sleep(0.1)
    raise AssertionError(f"not within {seconds} seconds: {what}")


@dataclass
class Service:
    """`clew serve` over a folder of crawls."""

    root: Path
    address: str  # with the token

    @property
    def origin(self) -> str:
        return "http://" + urlsplit(self.address).netloc

    def crawl_processes(self) -> list[int]:
        """The crawls that were started here."""
        found = []
        for entry in Path("/proc").iterdir():
            try:
                words = (entry / "cmdline").read_bytes().decode().split("\0")
            except (OSError, UnicodeDecodeError):
                continue
            is_ours = any(str(self.root) in word for word in words)
            if entry.name.isdigit() and is_ours and ("crawl" in words or "resume" in words):
                found.append(int(entry.name))
        return found


@contextmanager
def service(root: Path, settings: str) -> Iterator[Service]:
    """Serve while the block runs; afterwards the crawls that were started end, too."""
    config = root.parent / f"{root.name}.toml"
    config.write_text(settings)
    command = [sys.executable, "-m", "clew", "serve", str(root), "--port", "0", "--config", str(config)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        running = Service(root, process.stdout.readline().strip())
        try:
            yield running
        finally:
            process.terminate()
            for number in running.crawl_processes():
                os.kill(number, signal.SIGKILL)


@dataclass
class Web:
    """A labyrinth with the log of its requests."""

    log: Path
    seeds: list[str]
    settings: str

    def requests(self) -> list[str]:
        return self.log.read_text().splitlines()


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    log = tmp_path_factory.mktemp("web") / "requests.log"
    labyrinth = Labyrinth(pages=3000, seed=1)
    with serving(labyrinth, delay=ANSWER_SECONDS, log=log) as server:
        settings = f'allow_private = true\nresolve = ["{server.resolve}"]\ndelay = 0\nparallel = 2\n'
        yield Web(log, labyrinth.seeds("sailing", 3), settings)


@pytest.fixture(scope="module")
def running(web: Web, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service that has no crawls yet."""
    with service(tmp_path_factory.mktemp("crawls"), web.settings) as running:
        yield running


@dataclass
class Viewer:
    """A browser's page, and all that went wrong in it."""

    page: Any
    troubles: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)  # addresses of requests

    def __post_init__(self) -> None:
        self.page.on("pageerror", lambda error: self.troubles.append(str(error)))
        self.page.on("console", lambda line: line.type == "error" and self.troubles.append(line.text))
        self.page.on("request", lambda request: self.asked.append(request.url))

    def number(self, name: str) -> int:
        """A figure at the top of the page."""
        text = self.page.locator(f"#figure-{name}").inner_text().replace(",", "")
        return int(text) if text.isdigit() else 0


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=BROWSER)
        yield browser
        browser.close()


@pytest.fixture
def viewer(chromium: Any) -> Iterator[Callable[..., Viewer]]:
    """Opens pages, each in a context of its own."""
    contexts: list[Any] = []

    def opened(address: str, width: int = 1280, scheme: str = "light") -> Viewer:
        context = chromium.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
        contexts.append(context)
        seen = Viewer(context.new_page())
        seen.page.goto(address)
        return seen

    yield opened
    for context in contexts:
        context.close()
