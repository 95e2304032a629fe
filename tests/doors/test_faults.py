"""What users bring may raise, return nonsense, exit or hang: a page fails, the crawl goes on and can be resumed."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from selectolax.lexbor import LexborHTMLParser, SelectolaxError

import clew
from clew.cli.main import main
from clew.errors import InterestError, StartError
from clew.parse import html
from clew.types import Doc, Page

TROUBLE = '''
import sys
import time
import zlib
from dataclasses import dataclass, field

import clew


def number(url):
    return zlib.crc32(url.encode()) % 8


def moody(doc):
    """A fault on every second page or so, each time another one."""
    wrong = {1: None, 2: float("nan"), 3: "yes", 4: 10**5000}
    which = number(doc.url)
    if which == 5:
        raise KeyError("model")
    if which == 6:
        sys.exit(3)
    return wrong.get(which, True)


def slow(doc):
    while number(doc.url) < 2:
        pass
    return True


def never(doc):
    raise ValueError("tired")


@dataclass
class Shaky(clew.Strategy):
    seen: int = field(default=0, init=False)

    def learn(self, page):
        self.seen += 1
        if number(page.url) == 0:
            raise RuntimeError("half learnt")
        return ()

    def value(self, candidate):
        if number(candidate.url) == 5:
            raise IndexError("no score")
        return number(candidate.url) - candidate.depth + self.seen / 1000
'''
NONSENSE = "must return a bool or a number from 0 to 1; it returned"


@pytest.fixture
def trouble(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    (tmp_path / "trouble.py").write_text(TROUBLE)
    monkeypatch.syspath_prepend(tmp_path)
    sys.modules.pop("trouble", None)
    import trouble  # type: ignore[import-not-found]

    yield trouble
    sys.modules.pop("trouble", None)


def visits(folder: Path) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(f"file:{folder}/crawl.db?mode=ro", uri=True)) as db:
        return db.execute(
            'SELECT url, state, reason, relevance, relevant, score FROM pages ORDER BY "order"'
        ).fetchall()


def reasons(folder: Path) -> dict[str, str]:
    return {url: reason for url, state, reason, *_ in visits(folder) if state == "failed" and " error: " in reason}


def sound_seeds(web: Any, trouble: Any, least: int = 7) -> list[str]:
    """Start pages on which nothing goes wrong."""
    return [url for url in web.labyrinth.seeds("sailing", 40) if trouble.number(url) >= least][:3]


@pytest.mark.parametrize("kind", ["predicate", "judge"])
def test_each_fault_of_a_judge_fails_its_page_with_the_reason(
    web: Any, trouble: Any, tmp_path: Path, kind: str, caplog: pytest.LogCaptureFixture
) -> None:
    own = {"interest": 'python("trouble:moody")'} if kind == "predicate" else {"judge": trouble.moody}
    seeds = sound_seeds(web, trouble)
    # Failed pages have no links, so all pages are start pages here.
    seeds += [web.labyrinth.url(page) for page in range(40)]
    result = clew.crawl(seeds=seeds, **own, **web.settings(tmp_path / "c", pages=40, threshold=0.5))
    name = "trouble:moody" if kind == "predicate" else "the judge moody"
    wanted = {
        1: f"judge error: {name} {NONSENSE} None",
        2: f"judge error: {name} {NONSENSE} nan",
        3: f"judge error: {name} {NONSENSE} 'yes'",
        5: f"judge error: {name} raised KeyError: 'model'",
        6: f"judge error: {name} called sys.exit",
    }
    found = {trouble.number(url): reason for url, reason in reasons(tmp_path / "c").items()}
    assert found.pop(4).startswith(f"judge error: {name} {NONSENSE}")  # some form of an integer with 5,000 digits
    assert found == wanted
    assert result.stats.faults == len(reasons(tmp_path / "c"))
    assert result.stats.relevant > 0
    logged = [record for record in caplog.records if record.name == "clew.faults"]
    assert len(logged) == result.stats.faults
    assert all(record.exc_info for record in logged)


@pytest.mark.parametrize("inside", [False, True], ids=["main thread", "other thread"])
def test_a_judge_that_hangs_is_cut_off(web: Any, trouble: Any, tmp_path: Path, inside: bool) -> None:
    seeds = sound_seeds(web, trouble, least=2)
    settings = web.settings(tmp_path / "c", pages=15, judge_seconds=0.05)

    async def notebook() -> clew.Result:
        # Inside a running event loop, the crawl gets a thread of its own.
        return clew.crawl('python("trouble:slow")', seeds, **settings)

    result = asyncio.run(notebook()) if inside else clew.crawl('python("trouble:slow")', seeds, **settings)
    cut = "judge error: trouble:slow took too long and was cut off (judge_seconds)"
    assert set(reasons(tmp_path / "c").values()) == {cut}
    assert all(trouble.number(url) < 2 for url in reasons(tmp_path / "c"))
    assert result.stats.relevant > 0


def test_a_regular_expression_that_hangs_is_cut_off(web: Any, tmp_path: Path) -> None:
    endless = 'regex("^(.|\\\\s|[^x])*(?=nowhere)")'
    with pytest.raises(InterestError, match=r"no start page can be judged: judging took longer than 0.05 seconds"):
        clew.crawl(endless, web.seeds, **web.settings(tmp_path / "c", judge_seconds=0.05))


def test_ten_in_a_row_stop_the_crawl_and_the_command_says_what_to_do(
    web: Any, trouble: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    where = ["--resolve", web.resolve, "--allow-private", "--delay", "0", "--folder", str(tmp_path / "c")]
    strategy = "trouble:Shaky"
    broken = TROUBLE.replace("number(page.url) == 0", "self.seen > 5")
    Path(trouble.__file__).write_text(broken)
    sys.modules.pop("trouble")
    assert main(["crawl", "sailing", "--seeds", *web.seeds, *where, "--strategy", strategy, "--pages", "40"]) == 1
    told = capsys.readouterr()
    assert "10 errors in a row; the last is a strategy error: RuntimeError: half learnt" in told.err
    assert f"clew resume {tmp_path / 'c'}" in told.err
    assert main(["status", str(tmp_path / "c")]) == 0
    assert "in parser, judge or strategy" in capsys.readouterr().out
    Path(trouble.__file__).write_text(TROUBLE)
    sys.modules.pop("trouble")
    assert main(["resume", str(tmp_path / "c"), "--quiet"]) == 0
    assert len(visits(tmp_path / "c")) >= 40


def test_a_judge_that_fails_on_all_start_pages_leaves_nothing(web: Any, trouble: Any, tmp_path: Path) -> None:
    message = "no start page can be judged: the judge never raised ValueError: tired"
    with pytest.raises(InterestError, match=message):
        clew.crawl(seeds=web.seeds, judge=trouble.never, **web.settings(tmp_path / "c", threshold=0.5))
    assert not (tmp_path / "c").exists()


def test_a_sink_that_calls_exit_fails_like_any_other(web: Any, tmp_path: Path) -> None:
    def leave(page: Page, doc: Doc) -> None:
        sys.exit(3)

    result = clew.crawl("sailing", web.seeds, sinks=[leave], **web.settings(tmp_path / "c"))
    assert result.sink_errors == {"leave": result.stats.relevant}
    assert (result.stats.pages, result.stats.faults) == (20, 0)


class FailingParser(LexborHTMLParser):  # type: ignore[misc]
    """Cannot parse some pages."""

    def __init__(self, source: bytes, *args: Any, **options: Any) -> None:
        if FAILS.search(source):
            raise SelectolaxError("no tree")
        super().__init__(source, *args, **options)


FAILS = re.compile(rb"<title>[^<]*[bcd][^<]{5}</title>", re.IGNORECASE)


def test_a_page_on_which_the_parser_fails(web: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(html, "LexborHTMLParser", FailingParser)
    for folder, runs in (("whole", [40]), ("parts", [15, 25, 40])):
        clew.crawl("sailing", web.seeds, **web.settings(tmp_path / folder, pages=runs[0], threshold=0.1))
        for pages in runs[1:]:
            clew.resume(tmp_path / folder, pages=pages)
    failed = reasons(tmp_path / "whole")
    assert set(failed.values()) == {"parse error: SelectolaxError: no tree"}
    assert visits(tmp_path / "parts") == visits(tmp_path / "whole")
    # Readers meet the page again.
    with clew.Records(tmp_path / "whole") as records:
        assert records.stats().faults == len(failed)
        record = records.find(next(iter(failed)))
        assert record is not None
        assert record.length > 0
        assert records.doc(record).error == "SelectolaxError: no tree"
    assert clew.explain(tmp_path / "whole", record.url).reason == record.reason
    clew.label(tmp_path / "whole", record.url, True)
    clew.recrawl(tmp_path / "whole", pages=5, every=0)


def test_start_pages_that_cannot_be_parsed(web: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(html, "LexborHTMLParser", FailingParser)
    monkeypatch.setattr(sys.modules[__name__], "FAILS", re.compile(b""))
    with pytest.raises(StartError, match="parse error: SelectolaxError: no tree"):
        clew.crawl("sailing", web.seeds, **web.settings(tmp_path / "c"))


def test_killed_and_resumed_a_crawl_with_faults_ends_like_one_that_was_not(
    web: Any, trouble: Any, tmp_path: Path
) -> None:
    where = ["--resolve", web.resolve, "--allow-private", "--delay", "0", "--parallel", "1"]
    limits = ["--visits", "60", "--pages", "none"]
    parts = ["--judge", "trouble:moody", "--strategy", "trouble:Shaky", "--commit-seconds", "0.05", "--quiet"]
    seeds = sound_seeds(web, trouble) + [web.labyrinth.url(page) for page in range(30)]

    def start(*words: str) -> subprocess.Popen[bytes]:
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])}
        return subprocess.Popen([sys.executable, "-m", "clew", *words], env=environment, stderr=subprocess.DEVNULL)

    assert start("crawl", "--seeds", *seeds, *where, *limits, *parts, "--folder", str(tmp_path / "whole")).wait(60) == 0
    killed = start("crawl", "--seeds", *seeds, *where, *limits, *parts, "--folder", str(tmp_path / "killed"))
    while not (tmp_path / "killed" / "crawl.db").exists() or not visits_so_far(tmp_path / "killed"):
        assert killed.poll() is None
        time.sleep(0.01)
    killed.send_signal(signal.SIGKILL)
    killed.wait()
    assert start("resume", str(tmp_path / "killed"), "--quiet").wait(60) == 0
    assert visits(tmp_path / "killed") == visits(tmp_path / "whole")
    found = set(reasons(tmp_path / "whole").values())
    assert any(reason.startswith("judge error") for reason in found)
    assert "strategy error: RuntimeError: half learnt" in found


def visits_so_far(folder: Path) -> int:
    try:
        return len(visits(folder))
    except sqlite3.OperationalError:
        return 0
