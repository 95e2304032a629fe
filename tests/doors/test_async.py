"""Crawls inside a running event loop: awaited, streamed, left, cancelled, two at a time."""

from __future__ import annotations

import asyncio
import gc
import subprocess
import sys
import textwrap
from collections.abc import Callable
from contextlib import aclosing
from pathlib import Path
from typing import Any

import pytest

import clew
from clew.errors import ConfigError, StartError
from clew.types import Page

Visited = Callable[..., list[str]]


def run(main: Any) -> Any:
    """Run to the end; tasks that are left over are failures (and so are warnings, as in all tests)."""

    async def watched() -> Any:
        result = await main
        gc.collect()
        left = asyncio.all_tasks() - {asyncio.current_task()}
        assert not left
        return result

    return asyncio.run(watched())


def test_acrawl_and_aresume(web: Any, tmp_path: Path, visited: Visited) -> None:
    async def main() -> tuple[clew.Result, clew.Result]:
        first = await clew.acrawl("sailing", web.seeds, **web.settings(tmp_path / "async", pages=8))
        return first, await clew.aresume(tmp_path / "async", pages=20)

    first, second = run(main())
    assert (first.stats.pages, second.stats.pages) == (8, 20)
    clew.crawl("sailing", web.seeds, **web.settings(tmp_path / "sync"))
    assert visited(tmp_path / "async") == visited(tmp_path / "sync")


def test_own_parts_and_observers(web: Any, tmp_path: Path) -> None:
    seen: list[str] = []
    counts: list[int] = []

    async def main() -> clew.Result:
        return await clew.acrawl(
            "sailing",
            web.seeds,
            judge=lambda doc: True,
            sinks=[lambda page, doc: seen.append(page.url)],
            stop_rules=[lambda stats: "enough" if stats.visited >= 6 else None],
            watch=lambda stats: counts.append(stats.visited),
            **web.settings(tmp_path / "c"),
        )

    result = run(main())
    assert (result.reason, len(seen)) == ("enough", result.stats.relevant)
    assert counts[-1] == 6


def test_stream_yields_every_document_as_it_is_visited(web: Any, tmp_path: Path) -> None:
    async def main() -> list[Page]:
        return [page async for page in clew.stream("sailing", web.seeds, **web.settings(tmp_path / "c"))]

    pages = run(main())
    with clew.Records(tmp_path / "c") as records:
        assert [page.url for page in pages] == [record.url for record in records.pages() if record.state == "fetched"]
        assert records.reason == "fetched 20 pages"


def test_stream_of_relevant_pages(web: Any, tmp_path: Path, visited: Visited) -> None:
    async def main() -> list[str]:
        stream = clew.stream("sailing", web.seeds, which="relevant", **web.settings(tmp_path / "c"))
        return [page.url async for page in stream]

    assert run(main()) == visited(tmp_path / "c", relevant=True)


def test_leaving_a_stream_stops_the_crawl_and_loses_nothing(web: Any, tmp_path: Path, visited: Visited) -> None:
    async def main() -> list[str]:
        urls = []
        async with aclosing(clew.stream("sailing", web.seeds, **web.settings(tmp_path / "c", pages=300))) as pages:
            async for page in pages:
                urls.append(page.url)
                if len(urls) == 6:
                    break
        # The folder is free at once.
        assert (await clew.aresume(tmp_path / "c", pages=40)).stats.pages == 40
        return urls

    urls = run(main())
    assert visited(tmp_path / "c")[:3] == urls[:3]
    assert set(urls) <= set(visited(tmp_path / "c"))
    with clew.Records(tmp_path / "c") as records:
        stops = [detail for _, event, detail in records.journal() if event == "stop"]
    assert stops == ["interrupted", "fetched 40 pages"]


def test_a_plain_break_is_enough(web: Any, tmp_path: Path, visited: Visited) -> None:
    """In a process of its own: what is left over would be reported when the loop is closed."""
    code = f"""
        import asyncio, clew

        async def first(n):
            urls = []
            async for page in clew.stream("sailing", {web.seeds}, **{web.settings(tmp_path / "c", pages=300)!r}):
                urls.append(page.url)
                if len(urls) == n:
                    return urls

        print(*asyncio.run(first(6)))
    """
    command = [sys.executable, "-X", "dev", "-W", "ignore::DeprecationWarning", "-c", textwrap.dedent(code)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    for complaint in ("never awaited", "destroyed but it is pending", "never retrieved", "unclosed", "Traceback"):
        assert complaint not in done.stderr, done.stderr
    assert set(done.stdout.split()) <= set(visited(tmp_path / "c"))
    with clew.Records(tmp_path / "c") as records:
        assert (records.reason, records.running) == ("interrupted", False)
    assert clew.resume(tmp_path / "c", pages=40).stats.pages == 40


def test_an_error_in_the_body_of_the_loop_stops_the_crawl(web: Any, tmp_path: Path) -> None:
    async def main() -> None:
        async with aclosing(clew.stream("sailing", web.seeds, **web.settings(tmp_path / "c"))) as pages:
            async for page in pages:
                raise RuntimeError(page.url)

    with pytest.raises(RuntimeError, match="http"):
        run(main())
    assert clew.resume(tmp_path / "c", pages=20).stats.pages == 20


def test_an_error_of_the_crawl_reaches_the_loop(web: Any, tmp_path: Path) -> None:
    def moody(stats: clew.Stats) -> None:
        if stats.visited > 8:
            raise ValueError("tired")

    urls: set[str] = set()

    async def read() -> None:
        async for page in clew.stream("sailing", web.seeds, stop_rules=[moody], **web.settings(tmp_path / "c")):
            urls.add(page.url)

    with pytest.raises(ValueError, match="tired"):
        run(read())
    assert len(urls) > 2


@pytest.mark.parametrize("visits", [0, 5])
def test_a_cancelled_crawl_ends_cleanly(web: Any, tmp_path: Path, visited: Visited, visits: int) -> None:
    async def main() -> None:
        reached = asyncio.Event()

        def look(stats: clew.Stats) -> None:
            if stats.visited >= visits:
                reached.set()

        crawl = clew.acrawl("sailing", web.seeds, watch=look, **web.settings(tmp_path / "c", pages=300))
        task = asyncio.create_task(crawl)
        await reached.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    run(main())
    if visits:
        assert len(visited(tmp_path / "c")) >= visits
        with clew.Records(tmp_path / "c") as records:
            assert records.reason == "interrupted"
        assert clew.resume(tmp_path / "c", pages=20).stats.pages == 20
    else:
        # Before the start pages are read there is nothing to keep.
        assert not (tmp_path / "c").exists()


def test_a_cancelled_stream_ends_cleanly(web: Any, tmp_path: Path, visited: Visited) -> None:
    urls: set[str] = set()

    async def read() -> None:
        async with aclosing(clew.stream("sailing", web.seeds, **web.settings(tmp_path / "c", pages=300))) as pages:
            async for page in pages:
                urls.add(page.url)

    async def main() -> None:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(read(), 1.0)

    run(main())
    assert urls
    assert urls <= set(visited(tmp_path / "c"))
    assert clew.resume(tmp_path / "c", pages=len(urls) + 20).stats.pages >= len(urls)


def test_errors_before_the_start_leave_no_folder(web: Any, tmp_path: Path) -> None:
    folder = tmp_path / "c"

    async def main() -> None:
        with pytest.raises(ConfigError, match="did you mean 'pages'"):
            await clew.acrawl("sailing", web.seeds, **web.settings(folder, page=3))
        with pytest.raises(ConfigError, match="interested"):
            await clew.acrawl("", web.seeds, **web.settings(folder))
        with pytest.raises(StartError, match="quokka"):
            await clew.acrawl("quokka", web.seeds, judge="plain", threshold="start-pages", **web.settings(folder))
        ariadne: Any = {"judge": "plain", "threshold": "start-pages"}
        with pytest.raises(StartError, match="quokka"):
            async for _ in clew.stream("quokka", web.seeds, **ariadne, **web.settings(folder)):
                pass
        with pytest.raises(ConfigError, match="there is no sink"):
            async for _ in clew.stream("sailing", web.seeds, sinks=["nix"], **web.settings(folder)):
                pass
        with pytest.raises(clew.ClewError, match="not a crawl folder"):
            await clew.aresume(folder)

    run(main())
    assert not folder.exists()


def test_two_crawls_at_the_same_time(web: Any, tmp_path: Path, visited: Visited) -> None:
    async def main() -> list[clew.Result]:
        sailing = clew.acrawl("sailing", web.seeds, **web.settings(tmp_path / "one"))
        shallow = clew.acrawl("sailing", web.seeds, strategy="breadth_first", **web.settings(tmp_path / "two"))
        return await asyncio.gather(sailing, shallow)

    assert [result.stats.pages for result in run(main())] == [20, 20]
    for name, strategy in (("one", "adaptive"), ("two", "breadth_first")):
        clew.crawl("sailing", web.seeds, strategy=strategy, **web.settings(tmp_path / f"{name} alone"))
        assert visited(tmp_path / name) == visited(tmp_path / f"{name} alone")


def test_two_streams_at_the_same_time_and_one_is_left(web: Any, tmp_path: Path) -> None:
    async def count(name: str, limit: int) -> int:
        n = 0
        async with aclosing(clew.stream("sailing", web.seeds, **web.settings(tmp_path / name))) as pages:
            async for _ in pages:
                n += 1
                if n == limit:
                    break
        return n

    async def main() -> list[int]:
        return await asyncio.gather(count("one", 4), count("two", 100))

    left, whole = run(main())
    assert left == 4
    assert 4 < whole <= 20


def test_the_plain_functions_work_where_a_loop_is_running(web: Any, tmp_path: Path, visited: Visited) -> None:
    """As in a notebook; settings, results and errors are the same."""

    async def notebook() -> clew.Result:
        clew.crawl("sailing", web.seeds, **web.settings(tmp_path / "c", pages=8))
        with pytest.raises(ConfigError, match="did you mean"):
            clew.crawl("sailing", web.seeds, **web.settings(tmp_path / "d", page=8))
        result = clew.resume(tmp_path / "c", pages=20)
        assert clew.explain(tmp_path / "c", visited(tmp_path / "c")[0]).path
        assert clew.simulate("labyrinth:300", "sailing", "shark", pages=5).stats.visited == 5
        return result

    assert run(notebook()).stats.pages == 20
