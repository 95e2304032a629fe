"""The scope over real HTTP: what the user is told, and start pages without a scheme."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

import clew
from clew.core.start import with_http
from clew.errors import StartError
from clew.store import Records
from clew.types import Fetched

PAGES = {"/": "<a href=/guide/1>one</a><a href=/old/1>old</a><a href=/guide/2>two</a>"}


@contextmanager
def serving() -> Iterator[str]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = f"<title>{self.path}</title><p>sailing {self.path * 9}</p>{PAGES.get(self.path, '')}".encode()
            self.send_response(404 if self.path == "/robots.txt" else 200)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture(scope="module")
def place() -> Iterator[str]:
    with serving() as place:
        yield place


def crawl(folder: Path, seeds: str, **settings: Any) -> tuple[clew.Result, list[str]]:
    told: list[str] = []
    quick: dict[str, Any] = {
        "delay": 0,
        "allow_private": True,
        "parallel": 1,
        "strategy": "breadth_first",
        "duplicates": "keep",
        "folder": str(folder),
    }
    result = clew.crawl("sailing", seeds, notify=told.append, **quick | settings)
    return result, told


def visits(folder: Path) -> list[tuple[str, str]]:
    with Records(folder) as records:
        return [(record.url, record.state) for record in records.pages()]


def test_patterns_are_explained_at_the_start_and_in_the_journal(place: str, tmp_path: Path) -> None:
    _, told = crawl(tmp_path / "c", f"http://{place}/", allow=[place], deny=[f"{place}/old/"], sitemaps=0)
    lines = [f"allow {place}: the host {place}", f"deny {place}/old/: URLs that begin with http(s)://{place}/old/"]
    assert told[:-1] == lines
    assert told[-1].endswith("where the judge expects the best balance of precision and recall")
    with Records(tmp_path / "c") as records:
        assert [detail for _, event, detail in records.journal() if event == "scope"] == lines
    assert [url.partition(place)[2] for url, _ in visits(tmp_path / "c")] == ["/", "/guide/1", "/guide/2"]


@pytest.mark.parametrize(
    ("rule", "excluded"),
    [
        ({"allow": "docs.test"}, "allow (docs.test)"),
        ({"deny": "re:/"}, "deny (re:/)"),
        ({"max_depth": 0}, "max_depth (0)"),
    ],
)
def test_a_scope_that_excludes_every_link_is_reported(
    place: str, tmp_path: Path, rule: dict[str, Any], excluded: str
) -> None:
    result, told = crawl(tmp_path / "c", f"http://{place}/", **rule)
    name = excluded.partition(" ")[0]
    links = ", ".join(f"http://{place}{path}" for path in ("/guide/1", "/old/1", "/guide/2"))
    assert result.reason == f"no candidates are left: the scope excludes every link ({name})"
    assert told[-3:] == [
        "Warning: the scope excludes every link that was found (3), so nothing is left to visit.",
        f"{excluded} excludes 3, such as {links}",
        f"Change {name}, or leave it out.",
    ]


def test_a_scope_that_leaves_something_is_no_matter(place: str, tmp_path: Path) -> None:
    result, told = crawl(tmp_path / "c", f"http://{place}/", deny=f"{place}/old/")
    assert result.reason == "no candidates are left"
    assert not any("Warning" in line for line in told)


def test_a_start_page_without_a_scheme_is_tried_with_http_too(place: str, tmp_path: Path) -> None:
    """Although its own address is not allowed: start pages are visited in any case."""
    _, told = crawl(tmp_path / "c", place, allow=[f"{place}/guide/"], pages=2, sitemaps=0)
    assert f"https://{place}/ cannot be reached (tls); trying http://{place}/" in told
    guide = [(f"http://{place}/guide/{n}", "fetched") for n in (1, 2)]
    start = [(f"https://{place}/", "redirected"), (f"http://{place}/", "fetched")]
    assert visits(tmp_path / "c") == [*start, guide[0]]
    with Records(tmp_path / "c") as records:
        assert next(records.pages()).reason.startswith(f"to http://{place}/ (tls: ")
    clew.resume(tmp_path / "c", pages=3)
    assert visits(tmp_path / "c") == [*start, *guide]


def test_a_scheme_that_was_named_is_kept(place: str, tmp_path: Path) -> None:
    with pytest.raises(StartError, match="try http://"):
        crawl(tmp_path / "c", f"https://{place}/")


@pytest.mark.parametrize(
    ("error", "detail", "is_tried"),
    [
        ("refused", "connection refused", True),
        ("timeout", "no complete answer in time", True),
        ("tls", "wrong version number", True),
        ("tls", "certificate verify failed: self-signed certificate", False),
        ("dns", "host name not found", False),
        ("address", "127.0.0.1 is not a global address", False),
        ("", "", False),
    ],
)
def test_http_is_tried_only_where_nobody_speaks_https(error: str, detail: str, is_tried: bool) -> None:
    answer = with_http(Fetched("https://docs.test/", error=error, detail=detail))
    assert (answer.location if answer else "") == ("http://docs.test/" if is_tried else "")
