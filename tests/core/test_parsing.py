"""Pages that are parsed beside the crawl are the same documents, and a process that dies costs no page."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Sequence
from pathlib import Path

import pytest

import clew
from clew.config import Scope
from clew.core.parsing import MAX_DEATHS, Parsing
from clew.labyrinth import Labyrinth, serving
from clew.parse import document
from clew.types import Fetched

HTML = (("Content-Type", "text/html; charset=utf-8"), ("X-Robots-Tag", "noindex"), ("Server", "nginx"))
ROOM = "We build boats of oak, and sail them to the islands. " * 60


def page(number: int, head: str = "", body: str = "") -> Fetched:
    text = f"<html lang=en><title>Boats {number}</title>{head}<nav><a href=/>Home</a></nav><main><h1>Boats</h1>"
    text += f"<p>{ROOM}<a href='/sail?a=1&b=2'>sailing boats</a>{body}</main>"
    return Fetched(f"http://a.example/{number}", 200, HTML, text.encode())


PAGES = [
    page(1),
    page(2, "<link rel=alternate type='application/rss+xml' href=/feed title=News><link rel=canonical href=/2>"),
    page(3, body="<form action=/find><input name=q><select name=in><option value=1>Titles</select></form>"),
    page(4, body="<script>location.href = '/script'</script><a href=/no rel=nofollow>no</a>"),
    page(5, "<meta name=robots content=nofollow><meta name=description content='Boats of oak'>"),
    page(6, body="\ud800".encode("utf-8", "replace").decode() + "Ünïcode – 船 &amp; more"),
    Fetched("http://a.example/t", 200, (("Content-Type", "text/plain"),), ROOM.encode()),
    Fetched("http://a.example/picture", 200, (("Content-Type", "image/png"),), b"\x89PNG" * 1000),
    Fetched("http://a.example/rendered", 200, HTML, b"<p>Please wait" * 300, rendered=page(9).body),
]
SCOPES = [
    Scope(),
    Scope(forms=True, script_links=True, feeds=True, media=True, nofollow="links"),
    Scope(sitemaps=0),
]


def read_beside(pages: Sequence[Fetched], scope: Scope, with_main_text: bool = False) -> list[Fetched]:
    async def run() -> list[Fetched]:
        parsing = Parsing(scope, processes=1, with_main_text=with_main_text)
        await parsing.start()
        try:
            return await asyncio.gather(*map(parsing.read, pages))
        finally:
            await parsing.stop()

    return asyncio.run(run())


@pytest.mark.parametrize("with_main_text", [False, True])
@pytest.mark.parametrize("scope", SCOPES, ids=["usual", "everything", "no sitemaps"])
def test_a_page_is_the_same_document_wherever_it_is_parsed(scope: Scope, with_main_text: bool) -> None:
    found = read_beside(PAGES, scope, with_main_text)
    assert [each.doc for each in found] == [document(each, scope, with_main_text) for each in PAGES]


def test_what_is_no_page_or_small_is_left_to_the_crawl() -> None:
    parsed = page(1)
    others = [
        Fetched("http://a.example/", 404, HTML, parsed.body),
        Fetched("http://a.example/", error="timeout"),
        Fetched("http://a.example/small", 200, HTML, b"<p>Boats"),
    ]
    assert read_beside(others, Scope()) == others


def test_a_process_that_dies_costs_no_page_and_another_takes_its_place() -> None:
    async def run() -> None:
        parsing = Parsing(Scope(), processes=1)
        await parsing.start()
        for deaths in range(1, MAX_DEATHS + 1):
            [worker] = parsing.workers
            assert (await parsing.read(PAGES[0])).doc
            asked = [asyncio.create_task(parsing.read(each)) for each in PAGES[:6]]
            await asyncio.sleep(0)
            assert worker.process
            os.kill(worker.process.pid, signal.SIGKILL)
            answers = await asyncio.gather(*asked)
            # Those that came back as they were are parsed by the crawl.
            assert [answer.doc or document(answer) for answer in answers] == list(map(document, PAGES[:6]))
            assert parsing.deaths == deaths
        assert not parsing.workers
        assert await parsing.read(PAGES[0]) == PAGES[0]
        await parsing.stop()

    asyncio.run(run())


def test_a_crawl_finds_the_same_and_leaves_no_process_behind(tmp_path: Path) -> None:
    labyrinth = Labyrinth(pages=120, seed=4)
    topic = sorted(labyrinth.topics)[0]
    seen: dict[int, list[tuple[str, str, float]]] = {}
    with serving(labyrinth) as web:
        for processes in (0, 1):
            result = clew.crawl(
                topic,
                labyrinth.seeds(topic, 3),
                strategy="breadth_first",
                judge="plain",
                threshold=0.3,
                parallel=1,  # what a site repeats is learnt page by page, so the order matters
                resolve=[web.resolve],
                allow_private=True,
                delay=0,
                patience=0,
                host_pages=0,
                parse_processes=processes,
                folder=str(tmp_path / str(processes)),
            )
            seen[processes] = [(each.url, each.state, each.relevance) for each in result.records.pages()]
    assert len(seen[0]) > 50
    assert seen[1] == seen[0]
    children = Path(f"/proc/self/task/{os.getpid()}/children")
    running = children.read_text().split() if children.exists() else []
    commands = [Path(f"/proc/{pid}/cmdline").read_bytes() for pid in running if Path(f"/proc/{pid}").exists()]
    assert not any(b"clew.parse.worker" in command for command in commands)
