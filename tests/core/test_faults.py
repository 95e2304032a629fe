"""Exceptions in parser, judge and strategy: one page fails, a replay does the same, ten in a row end a crawl."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import clew
from clew.config import Config, configure
from clew.core.build import frontier
from clew.core.engine import Engine
from clew.core.faults import Faults, is_fault
from clew.core.new_interest import change_interest
from clew.core.simulation import run_simulation
from clew.core.state import CrawlState
from clew.errors import InterestError, StrategyError, TimeIsUp
from clew.store import Record, Records, SqliteStore
from clew.strategies import Stale, Strategy
from clew.testing.random_web import random_web
from clew.testing.tiny_web import Broken, TinyWeb, TinyWebFetcher, TinyWebInterest, explore, name_of, url_of
from clew.types import Candidate, Doc, Fetched, Judgement, Page

WORLD = random_web(pages=60, links=5, seed=3)
Numbers = frozenset[int]
NONE: Numbers = frozenset()


@dataclass
class Shaky(Strategy):
    """Raises while it learns some visits, when its state is half changed, and while it scores some candidates."""

    bad_visits: Numbers = NONE
    bad_candidates: Numbers = NONE
    begun: int = field(default=0, init=False)
    learned: int = field(default=0, init=False)

    def learn(self, page: Page) -> Stale:
        self.begun += 1
        if page.order in self.bad_visits:
            raise RuntimeError(f"visit {page.order}")
        self.learned += 1
        return [link.url for link in page.links[:2]]

    def value(self, candidate: Candidate) -> float:
        if candidate.found in self.bad_candidates:
            raise IndexError(candidate.found)
        return float((candidate.found * 7 + self.learned * 3) % 11)

    def _saved(self) -> list[str]:
        return ["begun", "learned"]


@dataclass(frozen=True, eq=False)
class Moody(TinyWebInterest):
    """Raises on some pages, by the number in their name."""

    bad_pages: Numbers = NONE

    def judge(self, doc: Doc) -> Judgement:
        if int(name_of(doc.url)[1:]) in self.bad_pages:
            raise KeyError("model")
        return super().judge(doc)


@dataclass
class Unparsable(TinyWebFetcher):
    """Some of its pages cannot be parsed; their bytes can, so the archive knows better than the crawl did."""

    bad_pages: Numbers = NONE

    async def get(self, url: str) -> Fetched:
        fetched = await super().get(url)
        if int(name_of(url)[1:]) in self.bad_pages:
            return replace(fetched, doc=Doc(url, error="SelectolaxError: no tree"))
        return fetched


class Witness(SqliteStore):
    """Knows the state of the crawl at the last commit."""

    state: CrawlState
    seen: dict[str, bytes | None]

    def commit(self, *parts: Any) -> None:
        super().commit(*parts)
        self.seen = whole(self.state)


def whole(state: CrawlState) -> dict[str, bytes | None]:
    """A state, whatever the last checkpoint has of the filters."""
    state.filters.write_whole()
    return state.save()


@dataclass
class Trouble:
    """Where the parts of a crawl fail."""

    visits: Numbers = NONE
    candidates: Numbers = NONE
    judged: Numbers = NONE
    parsed: Numbers = NONE

    def crawl(
        self, folder: Path, left: int = 10**9, resumed: bool = False, **more: object
    ) -> Iterator[dict[str, bytes]]:
        """The state after the replay, then the one at the last commit."""
        plain = {"parallel": 1, "delay": 0, "retries": 0, "commit_pages": 1, "checkpoint_seconds": 1000, "sitemaps": 0}
        seeds = [url_of("p0"), url_of("p1")]
        config = configure(Config(), interest="x", seeds=seeds, threshold=0.5, **{**plain, **more})
        interest = Moody(WORLD, bad_pages=self.judged)
        with Witness(folder, new=None if resumed else config) as store:
            strategy = Shaky(self.visits, self.candidates)
            store.state = state = CrawlState(config, interest, strategy, store, frontier(config, store))
            engine = Engine(state, Unparsable(WORLD, left, bad_pages=self.parsed), store)
            engine.resume(store)
            yield whole(state)
            with suppress(Broken):
                asyncio.run(engine.run())
            yield store.seen


def story(folder: Path) -> list[tuple[object, ...]]:
    with Records(folder) as records:
        return [(name_of(r.url), r.state, r.reason, r.relevance, r.relevant, r.score) for r in records.pages()]


numbers = st.frozensets(st.integers(2, 59), max_size=20)


@settings(max_examples=10)
@given(trouble=st.builds(Trouble, numbers, numbers, numbers, numbers), left=st.integers(3, 40))
def test_a_crawl_with_faults_is_replayed_to_the_same_state(trouble: Trouble, left: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        whole, killed = Path(folder) / "whole", Path(folder) / "killed"
        [_, _] = trouble.crawl(whole, commit_pages=100)
        [_, committed] = trouble.crawl(killed, left)
        [replayed, _] = trouble.crawl(killed, resumed=True)
        assert replayed == committed
        assert story(killed) == story(whole)


def test_the_page_fails_with_the_reason_and_the_crawl_goes_on(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    trouble = Trouble(visits=frozenset([4]), judged=frozenset([7]), parsed=frozenset([9]))
    [*_] = trouble.crawl(tmp_path)
    with Records(tmp_path) as records:
        faults = {record.reason: record for record in records.pages() if is_fault(record)}
        assert records.stats().faults == 3
        journal = [detail for _, event, detail in records.journal() if event == "error"]
        assert len(journal) == 3
        unparsed = faults["parse error: SelectolaxError: no tree"]
        assert records.text(unparsed)  # its bytes are in the archive
    assert set(faults) == {
        "parse error: SelectolaxError: no tree",
        "judge error: KeyError: 'model'",
        "strategy error: RuntimeError: visit 4",
    }
    assert not any(record.relevant for record in faults.values())
    tracebacks = [record for record in caplog.records if record.name == "clew.faults" and record.exc_info]
    assert len(tracebacks) == 2  # the fetcher of this test parses by itself, without a log


def test_the_links_of_a_page_that_was_not_learnt_are_followed(tmp_path: Path) -> None:
    [*_] = Trouble(visits=frozenset([0, 1])).crawl(tmp_path)
    visits = story(tmp_path)
    assert [state for _, state, *_ in visits[:2]] == ["failed", "failed"]
    assert len(visits) > 40


def test_ten_in_a_row_end_the_crawl_and_a_mended_part_goes_on(tmp_path: Path) -> None:
    [*_] = Trouble(visits=frozenset(range(5, 60))).crawl(tmp_path)
    with Records(tmp_path) as records:
        last = len(list(records.pages())) - 1
        assert records.reason == f"10 errors in a row; the last is a strategy error: RuntimeError: visit {last}"
        assert records.stats().faults == 10
    [*_] = Trouble().crawl(tmp_path, resumed=True)
    with Records(tmp_path) as records:
        assert records.reason == "no candidates are left"
        assert records.stats().faults == 10


def test_nine_in_a_row_do_not(tmp_path: Path) -> None:
    [*_] = Trouble(visits=frozenset(range(5, 14))).crawl(tmp_path)
    with Records(tmp_path) as records:
        assert (records.reason, records.stats().faults) == ("no candidates are left", 9)


def test_a_strategy_that_scores_nothing_is_told_on_and_can_be_mended(tmp_path: Path) -> None:
    [*_] = Trouble(candidates=frozenset(range(2, 100))).crawl(tmp_path)
    with Records(tmp_path) as records:
        assert records.reason.startswith("the strategy cannot score the candidates: strategy error: IndexError: ")
        assert records.stats().visited == 2
    [*_] = Trouble().crawl(tmp_path, resumed=True)
    assert len(story(tmp_path)) > 40


def test_a_strategy_that_breaks_before_a_replay_changes_nothing(tmp_path: Path) -> None:
    [*_] = Trouble().crawl(tmp_path, left=30)
    before = story(tmp_path)
    with pytest.raises(StrategyError, match=r"10 errors in a row; .*mend the strategy"):
        [*_] = Trouble(visits=frozenset(range(60))).crawl(tmp_path, resumed=True)
    assert story(tmp_path) == before
    [*_] = Trouble().crawl(tmp_path, resumed=True)
    [*_] = Trouble().crawl(tmp_path / "whole")
    assert story(tmp_path) == story(tmp_path / "whole")


@dataclass
class Odd(Strategy):
    """Does one thing wrong."""

    fault: str = ""
    rescore_top = 2

    def learn(self, page: Page) -> Any:
        answers = {"numbers": [7], "one": 7, "generator": (1 / 0 for _ in "ab")}
        if self.fault == "exit":
            raise SystemExit(3)
        return answers.get(self.fault, ())

    def score(self, candidates: Any) -> Any:
        wrong = {"short": [1.0], "nan": [float("nan")] * len(candidates), "none": None}
        return wrong.get(self.fault, [1.0] * len(candidates))

    def chances(self, candidates: Any) -> Any:
        return [float("nan")] if self.fault == "chances" else None

    @property
    def focus(self) -> str:
        return str(1 / 0) if self.fault == "focus" else ""


CHAIN = TinyWeb.read("; ".join(f"p{n} .9 -> p{n + 1} q{n}; q{n} .1" for n in range(60)))


IN_A_ROW = "10 errors in a row; the last is a strategy error: "
NO_SCORES = "the strategy cannot score the candidates: strategy error: "


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        ("numbers", f"{IN_A_ROW}learn must return URLs, or ALL"),
        ("one", f"{IN_A_ROW}TypeError: 'int' object is not iterable"),
        ("generator", f"{IN_A_ROW}ZeroDivisionError: division by zero"),
        ("exit", f"{IN_A_ROW}SystemExit: 3"),
        ("focus", f"{IN_A_ROW}ZeroDivisionError: division by zero"),
        ("nan", f"{NO_SCORES}a score must be finite or HOLD, not nan"),
        ("none", f"{NO_SCORES}TypeError: object of type 'NoneType' has no len()"),
        ("short", "no candidates are left"),  # one by one, each candidate gets its score
        ("chances", "no candidates are left"),
    ],
)
def test_whatever_a_strategy_does_wrong_no_exception_escapes(fault: str, reason: str) -> None:
    seen = explore(Odd(fault), CHAIN, strict=False)
    assert seen.stats.faults > 0
    assert seen.reason == reason


def test_interrupts_are_no_faults() -> None:
    def interrupted() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Faults().attempt("strategy", "learn", "http://a.example/", interrupted)


@pytest.mark.parametrize("error", [MemoryError, RecursionError, SystemExit, TimeIsUp, AssertionError])
def test_everything_else_is(error: type[BaseException]) -> None:
    def broken() -> None:
        raise error("!")

    faults = Faults()
    assert faults.attempt("judge", "judge", "http://a.example/", broken) is None
    assert faults.last == f"judge error: {error.__name__}: !"


def test_a_simulation_goes_on_and_a_test_of_a_strategy_does_not() -> None:
    web = TinyWebFetcher(CHAIN)
    bad = frozenset([3, 5])
    seen = run_simulation(web, TinyWebInterest(CHAIN), [url_of("p0")], strategy=Shaky(bad), pages=20)
    assert (seen.stats.faults, seen.stats.failed, seen.stats.visited) == (2, 2, 20)
    with pytest.raises(RuntimeError, match="visit 3"):
        explore(Shaky(bad), CHAIN)


def test_labels_and_another_interest_survive_faults(tmp_path: Path) -> None:
    [*_] = Trouble().crawl(tmp_path)
    config = clew.config.read_folder(tmp_path)
    with SqliteStore(tmp_path) as store:
        state = CrawlState(config, TinyWebInterest(WORLD), Shaky(frozenset([5])), store, frontier(config, store))
        Engine(state, TinyWebFetcher(WORLD), store).resume(store)
        fetched = sum(record.state == "fetched" for record in store.visits())
        assert change_interest(state, Moody(WORLD, bad_pages=frozenset([8])), store.docs()) == fetched
        assert state.faults.count == 2  # the judge once, and the strategy when it is taught again
        page = state.view.page(url_of("p8"))
        assert page is not None
        assert (page.ok, page.relevance) == (True, 0.0)
        with pytest.raises(InterestError, match=r"10 errors in a row; .*nothing was changed: mend the judge"):
            change_interest(state, Moody(WORLD, bad_pages=frozenset(range(60))), store.docs())


def test_records_of_other_failures_are_no_faults() -> None:
    assert not is_fault(Record(0, 0, "http://a.example/", state=clew.types.UrlState.FAILED, reason="HTTP 500"))
