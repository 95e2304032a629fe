"""Type checkers know every setting: what they refuse, what they accept, and where they know it from."""

from __future__ import annotations

import os
import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
# A line with a comment must be refused with that code; all others must pass.
PROGRAM = """
import asyncio
import contextlib
from dataclasses import dataclass, field

import clew

clew.crawl("x", "http://a", pages="many")  # arg-type
clew.crawl("x", "http://a", dealy=3)  # call-arg
clew.crawl("x", "http://a", within="universe")  # arg-type
clew.crawl("x", "http://a", judge=len)  # arg-type
clew.crawl("x", "http://a", sinks=[3])  # list-item
clew.crawl("x", "http://a", stop_rules=[lambda stats: 3])  # list-item
clew.crawl("x", "http://a", strategy=clew.Strategy)  # arg-type
clew.resume("folder", page=3)  # call-arg
clew.simulate("labyrinth", "sailing", parallel="two")  # arg-type
asyncio.run(clew.acrawl("x", "http://a", delay="long"))  # arg-type


@dataclass
class Nearest(clew.Strategy):
    penalty: float = 0.1
    seen: int = field(default=0, init=False)

    def learn(self, page: clew.Page) -> clew.strategies.Stale:
        self.seen += 1
        return clew.ALL

    def value(self, candidate: clew.Candidate) -> float:
        return -self.penalty * candidate.depth


class Boats(clew.Judge):
    def judge(self, doc: clew.Doc) -> bool:
        return "boat" in doc.text


class Titles(clew.Sink):
    pages = "all"

    def write(self, page: clew.Page, doc: clew.Doc) -> None:
        print(page.title)


class Canned:
    async def get(self, url: str) -> clew.Fetched:
        return clew.Fetched(url)

    def pause(self, url: str) -> float:
        return 0.0

    async def close(self) -> None: ...


def about(doc: clew.Doc) -> float:
    return 0.5


def show(page: clew.Page, doc: clew.Doc) -> None:
    print(page.url)


def enough(stats: clew.Stats) -> str | None:
    return None if stats.visited < 10 else "enough"


fetcher: clew.Fetcher = Canned()
rule: clew.StopRule = enough
store: clew.Store = clew.MemoryStore()
result: clew.Result = clew.crawl("x", ["http://a"], pages=3, delay=0, topics={"boats": {"keywords": ["boat"]}})
clew.crawl("x", "http://a", strategy=Nearest(penalty=1), judge=about, sinks=[show, Titles(), "jsonl"])
clew.crawl(seeds=["http://a"], judge=Boats(), stop_rules=[enough, "mine:enough"], fetcher=Canned(), store=store)
clew.resume("folder", pages=None, strategy="shark", within="hosts")
simulation: clew.Simulation = clew.simulate("labyrinth", "sailing", Nearest(), seeds=["http://a"], pages=10)


async def pages() -> list[str]:
    await clew.aresume("folder", pages=3)
    async with contextlib.aclosing(clew.stream("x", "http://a")) as stream:
        async for page in stream:
            print(page.url)
    return [page.url async for page in clew.stream("x", "http://a", which="relevant", pages=3)]
"""


def test_mypy_refuses_wrong_settings_and_accepts_right_ones(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    (tmp_path / "program.py").write_text(PROGRAM, encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file", str(ROOT / "pyproject.toml")]
    # The repository's cache makes this a matter of seconds where mypy has run before.
    done = subprocess.run(
        [*command, "--cache-dir", str(ROOT / ".mypy_cache"), "program.py"],
        cwd=tmp_path,
        env={**os.environ, "MYPYPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
    )
    found = re.findall(r"^program\.py:(\d+): error: .*\[([\w-]+)\]$", done.stdout, re.M)
    lines = enumerate(PROGRAM.splitlines(), 1)
    expected = [(str(number), line.partition("  # ")[2]) for number, line in lines if "  # " in line]
    assert found == expected, done.stdout + done.stderr
    assert done.stdout.count("error:") == len(expected), done.stdout


def test_the_typed_settings_are_those_of_the_list() -> None:
    tool = runpy.run_path(str(ROOT / "tools" / "settings_types.py"))
    written = (ROOT / "src" / "clew" / "config" / "typed.py").read_text(encoding="utf-8")
    assert written == tool["text"](), "run python tools/settings_types.py"
