"""The loop: start, redirects, failures, reserve, stalls, focus, commits."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

import pytest

from clew.core.simulation import Simulation, run_simulation
from clew.errors import StartError, StrategyError
from clew.strategies import HOLD, Stale, Strategy
from clew.testing.tiny_web import TinyWeb, TinyWebFetcher, TinyWebInterest, explore, name_of, order, url_of
from clew.types import Candidate, Fetched, Page, Stats, UrlState


def test_redirects_are_followed_one_hop_at_a_time_and_recorded() -> None:
    seen = explore("breadth_first", "s .9 -> a b; a => c; c => d; d .8 -> e")
    assert [(name_of(r.url), r.state) for r in seen.records] == [
        ("s", "fetched"),
        ("a", "redirected"),
        ("b", "fetched"),
        ("c", "redirected"),
        ("d", "fetched"),
        ("e", "fetched"),
    ]
    assert (seen.stats.visited, seen.stats.redirects) == (4, 2)


def test_a_loop_of_redirects_ends() -> None:
    seen = explore("breadth_first", "s .9 -> a; a => b; b => a")
    assert [(name_of(r.url), r.state) for r in seen.records][1:] == [("a", "redirected"), ("b", "redirected")]


def test_a_long_chain_of_redirects_fails_with_the_reason() -> None:
    chain = "; ".join(f"r{n} => r{n + 1}" for n in range(20))
    seen = explore("breadth_first", f"s .9 -> r0; {chain}", max_redirects=5)
    assert (seen.records[-1].state, seen.records[-1].reason) == ("failed", "more than 5 redirects")
    assert seen.stats.redirects == 5


def test_start_pages_may_redirect() -> None:
    assert order("best_first", "s => t; t .9 -> a", start="s") == ["t", "a"]


def test_no_start_page_answers() -> None:
    with pytest.raises(StartError, match=r"no start page answers(.|\n)*s: .*503"):
        explore("best_first", "s 503")


def test_some_start_pages_may_fail(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level("INFO", "clew.engine"):
        assert order("best_first", "s 404; t .9 -> a", start="s t") == ["s", "t", "a"]
    [message] = [text for text in caplog.messages if "failed" in text]
    assert message.startswith(f"1 of 2 start pages failed: {url_of('s')} (")


def test_the_threshold_is_logged_with_its_origin(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level("INFO", "clew.engine"):
        order("best_first", "s .9 -> a")
    assert "pages count as relevant from 0.500 on, the default (--threshold)" in caplog.messages


def test_start_pages_beyond_the_first_hundred_are_plain_candidates() -> None:
    web = "; ".join(f"p{n:03} .9" for n in range(150))
    names = " ".join(f"p{n:03}" for n in range(150))
    assert order("breadth_first", web, start=names) == names.split()


def test_the_reserve_is_used_when_nothing_is_left() -> None:
    seen = explore("breadth_first", "s .9 -> a; r .3 -> b", reserve=[url_of("r")])
    assert [name_of(url) for url in seen.order] == ["s", "a", "r", "b"]
    assert seen.reason == "no candidates are left"


def test_every_failure_reaches_the_strategy_and_has_a_reason() -> None:
    seen = explore("breadth_first", "s .9 -> a b; a 404; b 500")
    assert [(r.state, r.status) for r in seen.records[1:]] == [("failed", 404), ("failed", 500)]
    assert all("answered" in r.reason for r in seen.records[1:])
    assert seen.stats.failed == 2


@dataclass
class Miser(Strategy):
    """Gives nothing away."""

    def value(self, candidate: Candidate) -> float:
        return HOLD


def test_a_strategy_that_holds_everything_back_is_told_on() -> None:
    assert explore(Miser(), "s .9 -> a b").reason == "the strategy holds all candidates back"


def test_the_reserve_helps_where_everything_is_held_back() -> None:
    @dataclass
    class Picky(Strategy):
        def value(self, candidate: Candidate) -> float:
            return HOLD if candidate.links else 1.0

    seen = explore(Picky(), "s .9 -> a b; r .3", reserve=[url_of("r")])
    assert [name_of(url) for url in seen.order] == ["s", "r"]
    assert seen.reason == "the strategy holds all candidates back"


@dataclass
class Guesser(Strategy):
    """Names a page that nobody links to."""

    def learn(self, page: Page) -> Stale:
        return [url_of("hidden")] if name_of(page.url) == "a" else ()

    def value(self, candidate: Candidate) -> float:
        return 1.0 if name_of(candidate.url) == "hidden" else 0.5


def test_a_strategy_may_name_what_nobody_links_to() -> None:
    assert order(Guesser(), "s .9 -> a b c; hidden .9 -> d") == ["s", "a", "hidden", "b", "c", "d"]


@dataclass
class Wrong(Strategy):
    def value(self, candidate: Candidate) -> float:
        return float("nan")


def test_a_score_that_is_no_number_is_refused() -> None:
    with pytest.raises(StrategyError, match="finite"):
        explore(Wrong(), "s .9 -> a")


@dataclass
class Late(Strategy):
    """Its scores change with every page; `refresh` and `sweep` keep them fresh."""

    def value(self, candidate: Candidate) -> float:
        number = int(name_of(candidate.url)[1:] or 0)
        return float((number * 7 + self._crawl.visited * 3) % 10)


class Fresh(Late):
    rescore_top = 100


class Swept(Late):
    rescore_all_every = 1


def test_stale_scores_are_refreshed_when_the_strategy_asks() -> None:
    web = "s0 .9 -> " + " ".join(f"p{n}" for n in range(1, 10))
    assert order(Fresh(), web) == order(Swept(), web) != order(Late(), web)


def test_out_of_scope_links_are_not_visited() -> None:
    assert order("breadth_first", "s .9 -> a.jpg b; b -> c; c -> d", max_depth=2) == ["s", "b", "c"]
    assert order("breadth_first", "s .9 -> a b", deny=[url_of("a")]) == ["s", "b"]


def test_the_negated_part_judges_but_does_not_guide() -> None:
    body = "<p>{} <a href='/{}'>on</a></p>"

    @dataclass
    class Web:
        pages: dict[str, str] = field(
            default_factory=lambda: {
                "s": body.format("sailing " * 30, "x") + body.format("sailing", "ad"),
                "ad": body.format("sailing advertising " * 30, "behind"),
                "x": body.format("chess " * 30, "dull"),
            }
        )

        async def get(self, url: str) -> Fetched:
            html = self.pages.get(url.rpartition("/")[2], "<p>nothing</p>").encode()
            return Fetched(url, 200, (("Content-Type", "text/html"),), html)

        def pause(self, url: str) -> float:
            return 0.0

        async def close(self) -> None: ...

    seen = run_simulation(Web(), "sailing AND NOT advertising", "http://w.example/s", strategy="best_first")
    relevant = {r.url[-1]: r.relevant for r in seen.records}
    assert [url.rpartition("/")[2] for url in seen.order] == ["s", "x", "ad", "behind", "dull"]
    assert (relevant["s"], relevant["d"]) == (True, False)


@pytest.mark.parametrize(
    ("settings", "reason", "visits"),
    [
        ({"pages": 3}, "made 3 visits", 3),
        ({"relevant": 2}, "found 2 relevant pages", 2),
        ({"irrelevant": 1}, "visited 1 irrelevant page", 3),
        ({"drought": 2}, "2 visits", 4),
        ({"min_score": 0.3}, "below 0.3", 3),
    ],
)
def test_the_reason_to_stop_is_told(settings: dict[str, float], reason: str, visits: int) -> None:
    seen = explore("best_first", "s .9 -> a; a .8 -> b; b .2 -> c; c .1 -> d; d .1 -> e", **settings)
    assert len(seen.order) == visits
    assert reason in seen.reason


def test_the_watcher_sees_each_step() -> None:
    looks: list[Stats] = []
    sketch = TinyWeb.read("s .9 -> a b; a .7")
    run_simulation(
        TinyWebFetcher(sketch), TinyWebInterest(sketch), url_of("s"), strategy="breadth_first", watch=looks.append
    )
    assert sorted({stats.visited for stats in looks}) == [0, 1, 2, 3]
    assert looks[-1].relevant == 2


BUSY = "http://busy.example/"


@dataclass
class Slow(TinyWebFetcher):
    """Hosts that want to be left alone, and requests that take their time."""

    rest: float = 0.0
    wait: float = 0.0

    async def get(self, url: str) -> Fetched:
        await asyncio.sleep(self.wait)
        if url == BUSY:
            return Fetched(url, 503, error="robots", transient=True)
        return await super().get(url)

    def pause(self, url: str) -> float:
        return 300.0 if url == BUSY else self.rest


def watched(fetcher: Slow, start: str, **settings: object) -> tuple[Simulation, int]:
    """The crawl, and how often its loop went round."""
    rounds: list[Stats] = []
    seeds = [name if "://" in name else url_of(name) for name in start.split()]
    interest = TinyWebInterest(fetcher.web)
    seen = run_simulation(fetcher, interest, seeds, strategy="breadth_first", watch=rounds.append, **settings)
    return seen, len(rounds)


def test_waiting_is_no_busy_loop() -> None:
    web = TinyWeb.read("r => s; s .9 -> a b; a -> c")
    for settings in ({"pages": 2}, {"parallel": 4}):
        _, rounds = watched(Slow(web, wait=0.3), "r", **settings)
        assert rounds < 30


def test_a_limit_on_time_holds_while_everything_waits() -> None:
    seen, _ = watched(Slow(TinyWeb.read("s .9 -> a b c"), rest=20.0), "s", minutes=0.01)
    assert "minutes" in seen.reason
    assert seen.stats.seconds < 10


def test_the_end_does_not_wait_for_a_host_with_nothing_left() -> None:
    seen, _ = watched(Slow(TinyWeb.read("s .9"), rest=20.0), "s")
    assert (seen.reason, seen.stats.seconds < 10) == ("no candidates are left", True)


def test_a_start_page_that_asks_for_a_long_wait_holds_nobody_up() -> None:
    seen, _ = watched(Slow(TinyWeb.read("s .9 -> a")), f"{BUSY} s", retries=2)
    assert seen.order == [url_of("s"), url_of("a")]
    assert [(record.url, record.state) for record in seen.records[:1]] == [(BUSY, UrlState.REFUSED)]
    assert (seen.stats.visited, seen.stats.refused, seen.stats.seconds < 10) == (2, 1, True)


def test_a_start_page_that_moved_is_still_at_home() -> None:
    @dataclass
    class Moved(TinyWebFetcher):
        async def get(self, url: str) -> Fetched:
            if url == "http://example.org/":
                return Fetched(url, 301, location=url_of("s"))
            return await super().get(url)

    web = TinyWeb.read("s .9 -> a")
    seen = run_simulation(
        Moved(web), TinyWebInterest(web), "http://example.org/", strategy="breadth_first", within="hosts"
    )
    assert [name_of(url) for url in seen.order] == ["s", "a"]


def test_what_was_too_deep_is_taken_when_a_shorter_way_is_found() -> None:
    assert order("breadth_first", "s .9 -> a b; a -> c; c -> x; b -> d", max_depth=2) == ["s", "a", "b", "c", "d"]
    short = "s .9 -> a; a -> b; b -> x; x -> y; t .9 -> u; u -> x"
    assert "x" in order("best_first", short, start="s t", max_depth=2)


def test_a_redirect_does_not_lower_a_better_candidate() -> None:
    web = "s .9 -> good r; t .2 -> r2; r2 => good; r .9 -> z"
    assert order("best_first", web, start="s t").index("good") < order("best_first", web, start="s t").index("z")
