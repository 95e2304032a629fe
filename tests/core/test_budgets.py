"""What `pages` and `visits` count, in the stop rules and in the numbers of a crawl."""

from __future__ import annotations

from typing import Any

import pytest

import clew
from clew.core.simulation import Simulation
from clew.store import MemoryStore
from clew.testing.tiny_web import TinyWeb, TinyWebFetcher, TinyWebInterest, explore, url_of

TEXT = "harbour sails wind anchor compass tide skipper mast keel rudder chart regatta jib winch " * 2


def mixed_web(pages: int) -> str:
    """Links to pages with as many failures, copies and redirects between them."""
    links = " ".join(f"dead{n} copy{n} moved{n} page{n}" for n in range(pages))
    statements = [f"s .9 -> {links}"]
    for n in range(pages):
        own = " ".join(f"word{n}x{m}" for m in range(30))
        statements += [f"dead{n} 404", f"copy{n} .8 {{{TEXT}}}", f"moved{n} => s", f"page{n} .8 {{{own}}}"]
    return "; ".join(statements)


def crawl(web: str, **settings: Any) -> Simulation:
    return explore("breadth_first", web, duplicates="skip", **settings)


@pytest.mark.parametrize("parallel", [1, 16])
def test_the_limit_of_pages_counts_pages_only_and_is_met_exactly(parallel: int) -> None:
    result = crawl(mixed_web(30), pages=12, visits=1000, parallel=parallel, per_host=parallel)
    stats = result.stats
    assert (result.reason, stats.pages) == ("fetched 12 pages", 12)
    assert stats.pages == sum(record.state == "fetched" for record in result.records)
    assert stats.visited == stats.pages + stats.failed + stats.duplicates
    assert min(stats.failed, stats.duplicates, stats.redirects) > 2


@pytest.mark.parametrize("parallel", [1, 16])
def test_a_dead_web_comes_to_an_end(parallel: int) -> None:
    """The limit of visits is three times that of pages, unless it is set."""
    dead = " ".join(f"dead{n}" for n in range(100))
    web = f"s .9 -> {dead}; " + "; ".join(f"dead{n} 404" for n in range(100))
    tiny = TinyWeb.read(web)
    start = url_of("s")
    settings = {"parallel": parallel, "per_host": parallel, "host_pages": 0, "traps": False, "soft_404": False}
    result = clew.crawl(
        TinyWebInterest(tiny).at(0.5), start, fetcher=TinyWebFetcher(tiny), store=MemoryStore(), pages=5, **settings
    )
    assert result.reason == "15 visits brought only 1 page (raise visits to go on)"
    assert (result.stats.visited, result.stats.pages) == (15, 1)


def test_a_simulation_has_a_budget_of_visits() -> None:
    result = crawl(mixed_web(30), pages=12)
    assert (result.reason, result.stats.visited) == ("made 12 visits", 12)
    assert result.stats.pages < 12
