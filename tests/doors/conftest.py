"""A small web on loopback, and modules of a user's own that can be imported."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import clew
from clew.labyrinth import Labyrinth, serving

LABYRINTH = Labyrinth(pages=400, seed=2)
MINE = '''
from dataclasses import dataclass, field

import clew


@dataclass
class Shallow(clew.Strategy):
    """Near the start pages first; of two equally near URLs, the one with the longer or the shorter name."""

    longest: bool = False

    def value(self, candidate):
        length = len(candidate.url) / 1000
        return -candidate.depth + (length if self.longest else -length)


def about_boats(doc):
    return "sail" in doc.text.lower()


@dataclass
class Mentions(clew.Judge):
    word: str = "sail"

    def judge(self, doc):
        return float(self.word in doc.text.lower())

    def rate(self, text):
        return float(self.word in text.lower())


TAKEN = []


def keep(page, doc):
    TAKEN.append(page.url)


@dataclass
class ToFile(clew.Sink):
    path: str = "urls.txt"
    pages: str = "relevant"

    def open(self, info):
        self.file = open(self.path, "a")

    def write(self, page, doc):
        print(page.url, file=self.file)

    def close(self):
        self.file.close()


def enough(stats):
    return "thirteen are enough" if stats.visited >= 13 else None


@dataclass
class Enough:
    n: int = 10
    seen: int = field(default=0, init=False)

    def learn(self, page):
        self.seen += 1

    def __call__(self, stats):
        return f"saw {self.n} pages" if self.seen >= self.n else None


class Canned:
    """A web of three pages."""

    def __init__(self, word="sailing"):
        self.word = word

    async def get(self, url):
        links = "<a href=/a>a</a><a href=/b>b</a>" if url.endswith("/") else ""
        body = f"<title>Canned</title><p>{self.word} {url[-1]}{links}".encode()
        return clew.Fetched(url, 200, (("Content-Type", "text/html"),), body)

    def pause(self, url):
        return 0.0

    async def close(self): ...


NOTHING = 7


def broken(page, doc):
    raise ValueError("no room")
'''


@dataclass
class Web:
    """A labyrinth on loopback, and the settings with which it is crawled."""

    labyrinth: Labyrinth
    resolve: str

    @property
    def seeds(self) -> list[str]:
        """Three start pages about sailing."""
        return self.labyrinth.seeds("sailing", 3)

    def settings(self, folder: Path, **more: Any) -> dict[str, Any]:
        """One page at a time, so that the order is the strategy's."""
        return {**self.anywhere, "folder": str(folder), **more}

    @property
    def anywhere(self) -> dict[str, Any]:
        """The same, for crawls without a folder."""
        return {"resolve": [self.resolve], "allow_private": True, "delay": 0, "parallel": 1, "pages": 20}

    def toml(self, folder: Path) -> str:
        """The settings as the beginning of a TOML file."""
        lines = [f"seeds = {self.seeds}", f"resolve = ['{self.resolve}']", "allow_private = true", "delay = 0"]
        return "\n".join([*lines, "parallel = 1", "pages = 20", f"folder = '{folder}'", ""])


@pytest.fixture(scope="session")
def web() -> Iterator[Web]:
    with serving(LABYRINTH) as served:
        yield Web(LABYRINTH, served.resolve)


@pytest.fixture
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The module `mine` of a user, in the current folder and imported."""
    (tmp_path / "mine.py").write_text(MINE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    import mine

    yield mine
    del sys.modules["mine"]


@pytest.fixture
def visited() -> Any:
    """The URLs of a crawl folder in the order of their visits; redirect hops are no pages."""

    def urls(folder: Path, relevant: bool = False) -> list[str]:
        with clew.Records(folder) as records:
            return [record.url for record in records.pages(relevant) if record.state != "redirected"]

    return urls
