"""A documentation site that nobody here wrote: Datasette with full-text search over the topics of Python's manual."""

from __future__ import annotations

import importlib.util
import os
import socket
import sqlite3
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

ROWS_PER_PAGE = 5
START_SECONDS = 30.0


class DocsSite(NamedTuple):
    """Where the site is, and the texts of its pages by URL."""

    home: str
    texts: dict[str, str]

    @property
    def settings(self) -> dict[str, object]:
        """Settings of a crawl that sees the site without its other ways in: tables, sorted lists, SQL, JSON, CSV."""
        lists = ["pages?_next", "?_sort", "_facet", "_size", "_show", "pages_fts", "json", "csv", "sql="]
        return {
            "allow_private": True,
            "delay": 0,
            "within": "hosts",
            "deny": [f"*{word}*" for word in lists],
            "judge": "plain",
        }


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def write_pages(file: Path, home: str) -> dict[str, str]:
    """The topics of `help()` as a table with a full-text index."""
    from pydoc_data.topics import topics

    texts: dict[str, str] = {}
    with sqlite3.connect(file) as db:
        db.execute("CREATE TABLE pages (id INTEGER PRIMARY KEY, title TEXT, body TEXT, url TEXT)")
        for number, (title, body) in enumerate(sorted(topics.items()), start=1):
            url = f"{home}/{number}"
            db.execute("INSERT INTO pages VALUES (?, ?, ?, ?)", (number, title, body, url))
            texts[url] = body
        db.execute('CREATE VIRTUAL TABLE pages_fts USING FTS5 (title, body, content="pages", content_rowid="id")')
        db.execute("INSERT INTO pages_fts (pages_fts) VALUES ('rebuild')")
    db.close()
    return texts


@pytest.fixture(scope="session")
def docs_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DocsSite]:
    if importlib.util.find_spec("datasette") is None:
        pytest.skip("Datasette is not installed: it is in the dependency group 'test'")
    port = free_port()
    file = tmp_path_factory.mktemp("datasette") / "docs.db"
    home = f"http://127.0.0.1:{port}/docs/pages"
    texts = write_pages(file, home)
    command = [sys.executable, "-m", "datasette", "serve", str(file), "--port", str(port)]
    command += ["--setting", "default_page_size", str(ROWS_PER_PAGE)]
    quiet = subprocess.DEVNULL
    with subprocess.Popen(command, stdout=quiet, stderr=quiet, env=os.environ) as server:
        try:
            wait_for(home, server)
            yield DocsSite(home, texts)
        finally:
            server.terminate()


def wait_for(url: str, server: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end and server.poll() is None:
        try:
            urllib.request.urlopen(url, timeout=5).close()
            return
        except OSError:
            time.sleep(0.1)
    pytest.fail("Datasette does not answer")
