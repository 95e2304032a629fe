"""Search forms in whole crawls: what lies behind them is found, nothing else is touched, a replay gives the same."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import pytest

import clew
from clew.cli.path import render, steps
from clew.cli.terminal import out
from clew.config import Config, configure
from clew.core.build import build_interest, frontier
from clew.core.engine import Engine
from clew.core.state import CrawlState
from clew.filters.forms import FIRST_QUERIES
from clew.labyrinth import Hidden, serving
from clew.store import Records, SqliteStore
from clew.strategies import make, names
from clew.types import Fetched

WEB = Hidden(pages=200, archives=1, records=40)
HOME = WEB.archive(1)
TOPIC = WEB.topic_of(1)
HIDDEN = set(WEB.hidden_pages(1))


class Broken(Exception):
    """Stands for a kill."""


@dataclass
class Direct:
    """Answers from the labyrinth without a network, until it has had enough."""

    left: int = 10**9
    asked: list[str] = field(default_factory=list)
    refused: str = ""  # the path that robots.txt forbids

    async def get(self, url: str) -> Fetched:
        self.left -= 1
        if self.left < 0:
            raise Broken
        self.asked.append(url)
        if self.refused and urlsplit(url).path == self.refused:
            return Fetched(url, error="robots", detail="robots.txt forbids it")
        answer = WEB.page(url)
        return Fetched(url, answer.status, answer.headers, answer.body, answer.body)

    def pause(self, url: str) -> float:
        return 0.0

    async def close(self) -> None: ...


def crawl(folder: Path, fetcher: Direct, **settings: object) -> clew.Result:
    plain = {"forms": True, "within": "hosts", "delay": 0, "parallel": 1, "judge": "plain", "pages": 120, **settings}
    return clew.crawl(TOPIC, [HOME], folder=str(folder), fetcher=fetcher, **plain)  # type: ignore[arg-type]


def fetched(folder: Path) -> set[str]:
    with Records(folder) as records:
        return {record.url for record in records.pages() if record.state == "fetched"}


def test_without_forms_nothing_is_found(tmp_path: Path) -> None:
    fetcher = Direct()
    assert crawl(tmp_path / "crawl", fetcher, forms=False).reason == "no candidates are left"
    assert not [url for url in fetcher.asked if "?" in url]
    assert not fetched(tmp_path / "crawl") & HIDDEN


def test_with_forms_the_archive_is_found_and_nothing_else_is_filled_in(tmp_path: Path) -> None:
    fetcher = Direct()
    crawl(tmp_path / "crawl", fetcher)
    assert len(fetched(tmp_path / "crawl") & HIDDEN) >= 0.9 * len(HIDDEN)
    paths = {urlsplit(url).path for url in fetcher.asked if "?" in url}
    assert paths == {"/search"}


@pytest.mark.parametrize("strategy", names())
def test_every_strategy_can_follow_them(strategy: str, tmp_path: Path) -> None:
    crawl(tmp_path / "crawl", Direct(), strategy=strategy, pages=60)
    assert fetched(tmp_path / "crawl") & HIDDEN


def test_results_do_not_count_as_found(tmp_path: Path) -> None:
    crawl(tmp_path / "crawl", Direct())
    with Records(tmp_path / "crawl") as records:
        results = [record for record in records.pages() if "/search" in record.url]
    assert results
    assert not any(record.relevant for record in results)
    assert results[0].reason == "results of a form: they do not count as found"
    best = max(results, key=lambda record: record.relevance)
    explanation = clew.explain(tmp_path / "crawl", best.url)
    console = out()
    with console.capture() as capture:
        console.print(render(explanation, threshold=best.relevance), soft_wrap=True)
    shown = " ".join(capture.get().split())
    assert "; results of a form: they do not count as found" in shown
    assert "your label" not in shown


def test_robots_txt_ends_it(tmp_path: Path) -> None:
    fetcher = Direct(refused="/search")
    crawl(tmp_path / "crawl", fetcher)
    assert len([url for url in fetcher.asked if "/search" in url]) == 1


def test_out_of_scope_is_out_of_scope(tmp_path: Path) -> None:
    fetcher = Direct()
    crawl(tmp_path / "crawl", fetcher, deny=["*/search*"])
    assert not [url for url in fetcher.asked if "/search" in url]


def test_a_useless_form_costs_a_few_visits(tmp_path: Path) -> None:
    class Echo(Direct):
        """A search that finds nothing, and repeats the words."""

        async def get(self, url: str) -> Fetched:
            if "/search" not in url:
                return await super().get(url)
            self.asked.append(url)
            body = f"<p>Nothing about {url.rpartition('=')[2]}".encode()
            return Fetched(url, 200, (("Content-Type", "text/html"),), body, body)

    fetcher = Echo()
    crawl(tmp_path / "crawl", fetcher)
    assert len([url for url in fetcher.asked if "/search" in url]) == FIRST_QUERIES


def test_explained_as_a_form_with_its_words(tmp_path: Path) -> None:
    crawl(tmp_path / "crawl", Direct(), pages=30)
    url = min(fetched(tmp_path / "crawl") & HIDDEN)
    path = clew.explain(tmp_path / "crawl", url).path
    query = next(step for step in path if step.kind == "form")
    assert path[0].url == HOME
    assert query.anchor in query.url
    console = out()
    with console.capture() as capture:
        console.print(steps(path), soft_wrap=True)
    text = " ".join(capture.get().split())
    assert f"via form {HOME}search, filled in with “{query.anchor}”" in text


def run(folder: Path, config: Config, fetcher: Direct, new: bool) -> list[tuple[str, str, str, bool]]:
    with SqliteStore(folder, new=config if new else None) as store:
        interest = build_interest(config, lambda place: []).at(0.5)
        state = CrawlState(config, interest, make("best_first"), store, frontier(config, store))
        engine = Engine(state, fetcher, store)
        if not new:
            engine.resume(store)
        asyncio.run(engine.run())
    with Records(folder) as records:
        return [(record.url, record.state, record.reason, record.relevant) for record in records.pages()]


@pytest.mark.parametrize(("kill", "checkpoints"), [(3, 1000), (12, 0), (25, 1000), (40, 0), (40, 1000)])
def test_broken_off_and_resumed(tmp_path: Path, kill: int, checkpoints: float) -> None:
    config = configure(
        interest=TOPIC, seeds=[HOME], forms=True, within="hosts", pages=60, parallel=1, delay=0, commit_pages=1
    )
    config = configure(config, checkpoint_seconds=checkpoints, threshold=0.5, judge="plain")
    whole = run(tmp_path / "whole", config, Direct(), new=True)
    assert len([url for url, *_ in whole if "/search?" in url]) > FIRST_QUERIES
    with pytest.raises(Broken):
        run(tmp_path / "broken", config, Direct(kill), new=True)
    assert run(tmp_path / "broken", config, Direct(), new=False) == whole


def test_over_http_with_the_delay_of_a_crawl(tmp_path: Path) -> None:
    """Queries wait for their host like any other page."""
    with serving(WEB, witness=tmp_path / "witness") as web:
        result = clew.crawl(
            TOPIC,
            [HOME],
            folder=str(tmp_path / "crawl"),
            resolve=[web.resolve],
            allow_private=True,
            delay=0.1,
            delay_factor=0,
            pages=12,
            forms=True,
            within="hosts",
        )
    assert result.stats.seconds >= 0.1 * (result.stats.visited - 1)
    assert fetched(tmp_path / "crawl") & HIDDEN
