"""An exported WACZ file in a real browser, in the player ReplayWeb.page; `make replay` fetches the player."""

from __future__ import annotations

import shutil
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import BaseHTTPRequestHandler, SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

import clew
from clew.cli.main import main
from clew.errors import ConfigError
from clew.fetch._chromium import located

ROOT = Path(__file__).resolve().parents[2]
PLAYER = ROOT / "build" / "node_modules" / "replaywebpage"
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking", "--disable-sync"]
WAIT_SECONDS = 30.0

SITE = {
    "/": ("text/html", b"<title>Boats</title><p>sailing as it came <a href=/app>app</a> <a href=/cake>cake</a>"),
    "/app": ("text/html", b"<!DOCTYPE html><title>App</title><div id=app></div><script src=/app.js></script>"),
    "/app.js": ("text/javascript", b"fetch('/words').then(a => a.text()).then(text => app.append(text))"),
    "/words": ("text/plain", b"sailing as a script wrote it"),
    "/cake": ("text/html", b"<title>Cake</title><p>flour and sugar"),
}


class Site(BaseHTTPRequestHandler):
    """Answers with the pages above."""

    def do_GET(self) -> None:
        kind, body = SITE.get(self.path, ("text/html", b""))
        self.send_response(200 if body else 404)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args: object) -> None:
        """Nobody reads it."""


class Files(SimpleHTTPRequestHandler):
    """Serves a folder."""

    def log_message(self, *args: object) -> None:
        """Nobody reads it."""


@contextmanager
def serving(handler: Any) -> Iterator[int]:
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server.server_port
        server.shutdown()
        thread.join()


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A WACZ file of a site whose server is gone."""
    folder = tmp_path_factory.mktemp("replay")
    with serving(Site) as port:
        clew.crawl(
            "sailing",
            ["http://boats.example/"],
            folder=str(folder / "crawl"),
            resolve=[f"boats.example=127.0.0.1:{port}"],
            allow_private=True,
            delay=0.0,
            threshold=0.01,
            render="auto",
        )
    assert main(["export", str(folder / "crawl"), "--relevant", "-o", str(folder / "pages.wacz"), "--quiet"]) == 0
    return folder / "pages.wacz"


def browser() -> str | None:
    """The path of the browser; without browser or player, the test is skipped."""
    try:
        path = located("")
    except ConfigError as missing:
        pytest.skip(str(missing))
    if not (PLAYER / "ui.js").exists():
        pytest.skip(f"there is no player in {PLAYER.relative_to(ROOT)}: fetch it with `make replay`, which needs npm")
    return path


def shown(package: Path, url: str, text: str, folder: Path) -> str:
    """The text of the replayed page, as soon as the expected one is there."""
    from playwright.sync_api import sync_playwright

    (folder / "replay").mkdir()
    for file in (*(PLAYER / name for name in ("ui.js", "sw.js", "index.html")), package):
        shutil.copy(file, folder / "replay")
    html = f'<replay-web-page source="/replay/{package.name}" url="{url}"></replay-web-page>'
    (folder / "index.html").write_text(f'<!DOCTYPE html><script src="/replay/ui.js"></script>{html}', encoding="utf-8")
    with serving(partial(Files, directory=str(folder))) as port, sync_playwright() as driver:
        chromium = driver.chromium.launch(executable_path=browser(), args=FLAGS)
        try:
            page = chromium.new_page()
            page.goto(f"http://127.0.0.1:{port}/")
            return replayed(page, url, text)
        finally:
            chromium.close()


def replayed(page: Any, url: str, text: str) -> str:
    """The text of the frame in which the player shows the page."""
    from playwright.sync_api import Error

    seen = ""
    deadline = time.monotonic() + WAIT_SECONDS
    while text not in seen and time.monotonic() < deadline:
        page.wait_for_timeout(100)
        for frame in page.frames:
            if frame.url.endswith(f"/{url}"):
                try:
                    seen = frame.evaluate("document.body ? document.body.innerText : ''")
                except Error:
                    # It is being loaded.
                    continue
    return seen


@pytest.mark.slow
@pytest.mark.parametrize(
    ("path", "text"), [("", "sailing as it came app cake"), ("app", "sailing as a script wrote it")]
)
def test_replaywebpage_shows_an_exported_page(path: str, text: str, tmp_path: Path, request: Any) -> None:
    browser()
    package = request.getfixturevalue("package")
    assert shown(package, f"http://boats.example/{path}", text, tmp_path) == text
