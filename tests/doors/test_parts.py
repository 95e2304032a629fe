"""Own parts as objects, functions and text: in crawls, resumed crawls and simulations."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import clew
from clew.cli.main import main
from clew.config import configure, read
from clew.errors import ConfigError, InterestError, StoreError, StrategyError
from clew.types import Doc, Judgement, Page

Visited = Callable[..., list[str]]


# Strategies


@pytest.mark.parametrize("longest", [False, True])
def test_a_strategy_as_object_and_as_text_chooses_the_same_pages(
    web: Any, mine: Any, tmp_path: Path, visited: Visited, longest: bool
) -> None:
    clew.crawl("sailing", web.seeds, strategy=mine.Shallow(longest=longest), **web.settings(tmp_path / "object"))
    text = f"mine:Shallow(longest={longest})"
    clew.crawl("sailing", web.seeds, strategy=text, **web.settings(tmp_path / "text"))
    (tmp_path / "crawl.toml").write_text(f'strategy = "{text}"\ninterest = "sailing"\n' + web.toml(tmp_path / "toml"))
    assert main(["crawl", "--config", "crawl.toml", "--quiet"]) == 0
    assert visited(tmp_path / "object") == visited(tmp_path / "text") == visited(tmp_path / "toml")
    with clew.Records(tmp_path / "object") as records:
        depths = [record.depth for record in records.pages() if record.state != "sitemap"]
        assert depths == sorted(depths)
        # An importable class is remembered as text, so that the command line can go on with the crawl.
        assert records.config.what.strategy == ("mine:Shallow(longest=True)" if longest else "mine:Shallow")


def test_the_parameters_of_a_strategy_change_the_order(web: Any, mine: Any, tmp_path: Path, visited: Visited) -> None:
    orders = []
    for longest in (False, True):
        folder = tmp_path / str(longest)
        clew.crawl("sailing", web.seeds, strategy=mine.Shallow(longest=longest), **web.settings(folder))
        orders.append(visited(folder))
    assert orders[0] != orders[1]


def test_a_strategy_in_a_resumed_crawl(web: Any, mine: Any, tmp_path: Path, visited: Visited) -> None:
    clew.crawl("sailing", web.seeds, strategy=mine.Shallow(), **web.settings(tmp_path / "one"))
    clew.crawl("sailing", web.seeds, strategy=mine.Shallow(), **web.settings(tmp_path / "two", pages=8))
    clew.resume(tmp_path / "two", pages=20)
    assert visited(tmp_path / "one") == visited(tmp_path / "two")


def test_a_strategy_that_cannot_be_imported_must_be_passed_again(
    web: Any, mine: Any, tmp_path: Path, visited: Visited
) -> None:
    @dataclass
    class Local(mine.Shallow):  # type: ignore[name-defined,misc]
        pass

    clew.crawl("sailing", web.seeds, strategy=Local(), **web.settings(tmp_path / "c", pages=8))
    with pytest.raises(ConfigError, match=r"object for strategy .* clew\.resume\(folder, strategy=\.\.\.\)"):
        clew.resume(tmp_path / "c", pages=12)
    assert clew.resume(tmp_path / "c", strategy=Local(), pages=12).stats.pages == 12
    assert clew.explain(tmp_path / "c", visited(tmp_path / "c")[-1]).path


def test_a_strategy_in_a_simulation(mine: Any) -> None:
    one = clew.simulate("labyrinth:300", "sailing", mine.Shallow(), pages=20)
    two = clew.simulate("labyrinth:300", "sailing", "mine:Shallow", pages=20)
    assert one.order == two.order
    assert one.strategy == mine.Shallow()


# Judges


def test_a_judge_as_function_and_as_text_finds_the_same_pages(
    web: Any, mine: Any, tmp_path: Path, visited: Visited
) -> None:
    result = clew.crawl(seeds=web.seeds, judge=mine.about_boats, **web.settings(tmp_path / "object"))
    clew.crawl(seeds=web.seeds, judge="mine:about_boats", **web.settings(tmp_path / "text"))
    (tmp_path / "crawl.toml").write_text('judge = "mine:about_boats"\n' + web.toml(tmp_path / "toml"))
    assert main(["crawl", "--config", "crawl.toml", "--quiet"]) == 0
    found = visited(tmp_path / "object", relevant=True)
    assert 0 < len(found) == result.stats.relevant < result.stats.visited
    assert found == visited(tmp_path / "text", relevant=True) == visited(tmp_path / "toml", relevant=True)
    assert result.threshold == 0.5
    with result.records as records:
        for record in records.pages():
            # The judge sees the page without its menu.
            assert not record.relevant or "sail" in records.text(record).lower()


def test_a_judge_with_parameters(web: Any, mine: Any, tmp_path: Path, visited: Visited) -> None:
    clew.crawl(seeds=web.seeds, judge=mine.Mentions(word="golf"), **web.settings(tmp_path / "object"))
    clew.crawl(seeds=web.seeds, judge="mine:Mentions(word='golf')", **web.settings(tmp_path / "text"))
    assert visited(tmp_path / "object") == visited(tmp_path / "text")
    with clew.Records(tmp_path / "object") as records:
        assert records.config.what.judge == "mine:Mentions(word='golf')"


def test_with_an_interest_its_words_guide_and_the_judge_decides(
    web: Any, mine: Any, tmp_path: Path, visited: Visited
) -> None:
    nothing: list[str] = []

    def never(doc: Doc) -> bool:
        nothing.append(doc.url)
        return False

    settings = {"strategy": "shark", "pages": 40}
    judged = clew.crawl("sailing", web.seeds, judge=never, **web.settings(tmp_path / "both", **settings))
    clew.crawl(seeds=web.seeds, judge=never, **web.settings(tmp_path / "judge", **settings))
    assert judged.stats.relevant == 0
    assert set(nothing) >= set(visited(tmp_path / "both")[:3])
    # The anchors are rated by the words of the interest, so the two crawls go different ways.
    assert visited(tmp_path / "both") != visited(tmp_path / "judge")


def test_a_judge_may_return_numbers_of_numpy_and_judgements(web: Any, tmp_path: Path) -> None:
    half = clew.crawl(seeds=web.seeds, judge=lambda doc: np.float32(0.5), **web.settings(tmp_path / "a", pages=3))
    no = clew.crawl(seeds=web.seeds, judge=lambda doc: np.False_, **web.settings(tmp_path / "b", pages=3))
    own = Judgement(0.4, True, {"boats": 0.4})
    yes = clew.crawl(seeds=web.seeds, judge=lambda doc: own, **web.settings(tmp_path / "c", pages=3))
    assert (half.stats.relevant, no.stats.relevant, yes.stats.relevant) == (3, 0, 3)
    with yes.records as records:
        assert records.best(1)[0].topics["boats"] == 0.4


@pytest.mark.parametrize("nonsense", [None, "yes", 1.5, -1, float("nan"), [0.1, 0.2]])
def test_a_judge_that_returns_nonsense(web: Any, tmp_path: Path, nonsense: Any) -> None:
    def strange(doc: Doc) -> Any:
        return nonsense

    message = r"the judge strange must return a bool or a number from 0 to 1; it returned "
    with pytest.raises(InterestError, match=message) as caught:
        clew.crawl("sailing", web.seeds, judge=strange, **web.settings(tmp_path / "c"))
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "c").exists()


def test_a_judge_that_fails_is_named(web: Any, tmp_path: Path) -> None:
    def moody(doc: Doc) -> bool:
        raise KeyError("model")

    with pytest.raises(InterestError, match="no start page can be judged: the judge moody raised KeyError: 'model'"):
        clew.crawl("sailing", web.seeds, judge=moody, **web.settings(tmp_path / "c"))
    assert not (tmp_path / "c").exists()


def test_a_judge_without_its_method(web: Any, tmp_path: Path) -> None:
    class Empty(clew.Judge):
        pass

    with pytest.raises(InterestError, match=r"Empty must define judge\(doc\)"):
        clew.crawl(seeds=web.seeds, judge=Empty(), **web.settings(tmp_path / "c"))


@pytest.mark.parametrize("part", ["about_boats", "Mentions"])
def test_an_importable_judge_is_found_again(web: Any, mine: Any, tmp_path: Path, visited: Visited, part: str) -> None:
    judge = mine.about_boats if part == "about_boats" else mine.Mentions("sail")
    for name, pages in (("whole", 20), ("parts", 8)):
        clew.crawl(seeds=web.seeds, judge=judge, **web.settings(tmp_path / name, pages=pages))
    folder = tmp_path / "parts"
    clew.resume(folder, pages=20)
    assert visited(folder) == visited(tmp_path / "whole")
    assert visited(folder, relevant=True) == visited(tmp_path / "whole", relevant=True)
    found = visited(folder, relevant=True)[0]
    explanation = clew.explain(folder, found)
    assert explanation.record is not None
    assert explanation.record.topics["judge"] == 1.0
    assert explanation.parts
    [label] = clew.label(folder, found, relevant=False)
    assert label.taken is not None
    assert found not in visited(folder, relevant=True)


@pytest.mark.parametrize("interest", ["", "sailing"])
def test_a_judge_that_cannot_be_imported_must_be_passed_again(
    web: Any, tmp_path: Path, visited: Visited, interest: str
) -> None:
    def local(doc: Doc) -> bool:
        return "sail" in doc.text.lower()

    folder = tmp_path / "c"
    clew.crawl(interest, web.seeds, judge=local, **web.settings(folder, pages=8))
    with pytest.raises(ConfigError, match=r"object for judge .* clew\.resume\(folder, judge=\.\.\.\)"):
        clew.resume(folder, pages=12)
    last = visited(folder)[-1]
    # The label waits for the run that brings the judge; an explanation shows what needs no judge.
    [label] = clew.label(folder, last, relevant=True)
    assert label.taken is None
    assert clew.explain(folder, last).state == "fetched"
    assert clew.resume(folder, judge=local, pages=12).stats.pages == 12
    with clew.Records(folder) as records:
        assert records.find(last).relevant  # type: ignore[union-attr]
        assert not any(event == "judged again" for _, event, _ in records.journal())


def test_another_judge_judges_all_pages_again(web: Any, mine: Any, tmp_path: Path) -> None:
    clew.crawl(seeds=web.seeds, judge=mine.about_boats, **web.settings(tmp_path / "c", pages=10))
    result = clew.resume(tmp_path / "c", judge=lambda doc: True, pages=10)
    with result.records as records:
        states = [(record.state, record.relevant) for record in records.pages()]
    assert ("fetched", True) in states
    assert ("fetched", False) not in states


def test_a_judge_by_name_takes_the_place_of_an_object(web: Any, mine: Any, tmp_path: Path) -> None:
    clew.crawl(seeds=web.seeds, judge=lambda doc: True, **web.settings(tmp_path / "c", pages=10))
    clew.resume(tmp_path / "c", judge="mine:about_boats", pages=10)
    # From now on nothing must be passed again.
    assert clew.resume(tmp_path / "c", pages=14).stats.pages == 14
    with clew.Records(tmp_path / "c") as records:
        for record in records.pages():
            assert record.state != "fetched" or record.relevant == ("sail" in records.text(record).lower())


def test_a_judge_in_a_simulation(mine: Any) -> None:
    one = clew.simulate("labyrinth:300", "sailing", "shark", judge=mine.about_boats, pages=20)
    two = clew.simulate("labyrinth:300", "sailing", "shark", judge="mine:about_boats", pages=20)
    assert one.order == two.order
    assert 0 < one.stats.relevant == two.stats.relevant
    canned = clew.simulate(mine.Canned("golf"), "sailing", seeds="http://a.example/", judge=lambda doc: True)
    assert canned.stats.relevant == canned.stats.visited == 3
    seeds = one.order[:3]
    alone = clew.simulate("labyrinth:300", judge=mine.about_boats, seeds=seeds, pages=10)
    assert 0 < alone.stats.relevant <= alone.stats.visited == 10
    with pytest.raises(ConfigError, match="give some with seeds="):
        clew.simulate("labyrinth:300", judge=mine.about_boats, pages=10)
    with pytest.raises(ConfigError, match="the judge truth needs an interest"):
        clew.simulate("labyrinth:300", pages=10)
    with pytest.raises(ConfigError, match="did you mean 'truth'"):
        clew.simulate("labyrinth:300", "sailing", judge="truht", pages=5)


# Sinks


def test_sinks_as_object_function_and_text(web: Any, mine: Any, tmp_path: Path, visited: Visited) -> None:
    sinks = [mine.keep, mine.ToFile("object.txt"), "mine:ToFile(path='text.txt')", "jsonl(path='pages.jsonl')"]
    clew.crawl("sailing", web.seeds, sinks=sinks, **web.settings(tmp_path / "c"))
    found = visited(tmp_path / "c", relevant=True)
    assert found
    assert found == mine.TAKEN
    assert (tmp_path / "object.txt").read_text().split() == found
    assert (tmp_path / "text.txt").read_text().split() == found
    assert len((tmp_path / "pages.jsonl").read_text().splitlines()) == len(found)


def test_sinks_as_tables_in_toml(web: Any, mine: Any, tmp_path: Path, visited: Visited) -> None:
    tables = """
        [[sinks]]
        use = "mine:ToFile"
        path = "all.txt"
        pages = "all"

        [[sinks]]
        use = "jsonl"
        path = "it's.jsonl"

        [[sinks]]
        use = "mine:keep"
    """
    (tmp_path / "crawl.toml").write_text('interest = "sailing"\n' + web.toml(tmp_path / "c") + tables)
    assert main(["crawl", "--config", "crawl.toml", "--quiet"]) == 0
    with clew.Records(tmp_path / "c") as records:
        fetched = [record.url for record in records.pages() if record.state == "fetched"]
        assert records.config.keep.sinks[0] == "mine:ToFile(path='all.txt', pages='all')"
    assert set(fetched) <= set((tmp_path / "all.txt").read_text().split())
    found = visited(tmp_path / "c", relevant=True)
    assert len((tmp_path / "it's.jsonl").read_text().splitlines()) == len(found)
    assert found == mine.TAKEN


def test_a_table_without_a_name_is_refused(tmp_path: Path) -> None:
    (tmp_path / "crawl.toml").write_text('[[sinks]]\npath = "x"\n')
    with pytest.raises(ConfigError, match=r'a \[\[sinks\]\] table needs a name: use = "jsonl"'):
        read(tmp_path / "crawl.toml")


def test_sinks_of_the_settings_go_on_after_a_resume(web: Any, mine: Any, tmp_path: Path, visited: Visited) -> None:
    sinks = ["mine:ToFile(path='urls.txt')"]
    clew.crawl("sailing", web.seeds, judge="plain", sinks=sinks, **web.settings(tmp_path / "c", pages=4))
    clew.resume(tmp_path / "c", pages=40, sinks=[mine.keep])
    found = visited(tmp_path / "c", relevant=True)
    assert (tmp_path / "urls.txt").read_text().split() == found
    assert mine.TAKEN
    assert found[-len(mine.TAKEN) :] == mine.TAKEN


def test_a_sink_in_a_simulation(mine: Any, tmp_path: Path) -> None:
    crawl = clew.simulate("labyrinth:300", "sailing", "shark", pages=20, sinks=[mine.keep, "mine:ToFile"])
    assert [record.url for record in crawl.records if record.relevant] == mine.TAKEN
    assert (tmp_path / "urls.txt").read_text().split() == mine.TAKEN


def test_a_sink_that_fails_is_logged_and_counted_and_the_crawl_goes_on(
    web: Any, mine: Any, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    result = clew.crawl("sailing", web.seeds, sinks=[mine.broken, mine.keep], **web.settings(tmp_path / "c"))
    assert (result.reason, result.stats.pages) == ("fetched 20 pages", 20)
    assert result.sink_errors == {"broken": result.stats.relevant}
    warnings = [record for record in caplog.records if record.name == "clew.sinks"]
    assert len(warnings) == result.stats.relevant == len(mine.TAKEN)
    assert {record.levelno for record in warnings} == {logging.WARNING}
    assert f"sink broken failed on {mine.TAKEN[0]}: ValueError: no room" in warnings[0].getMessage()
    with result.records as records:
        assert [record.url for record in records.pages(relevant=True)] == mine.TAKEN


def test_a_sink_can_stop_the_crawl_and_nothing_is_lost(web: Any, tmp_path: Path) -> None:
    class Full(clew.Sink):
        pages = "all"
        on_error = "stop"
        closed = 0

        def __init__(self, room: int) -> None:
            self.room = room

        def write(self, page: Page, doc: Doc) -> None:
            self.room -= 1
            if self.room < 0:
                raise OSError("disk full")

        def close(self) -> None:
            self.closed += 1

    sink = Full(5)
    result = clew.crawl("sailing", web.seeds, sinks=[sink], **web.settings(tmp_path / "c"))
    assert result.reason.startswith("sink Full failed on http")
    assert result.reason.endswith("OSError: disk full")
    assert sink.closed == 1
    with result.records as records:
        assert records.reason == result.reason
        fetched = [record for record in records.pages() if record.state == "fetched"]
    assert len(fetched) >= 6  # the page that the sink could not take is a page of the crawl
    assert clew.resume(tmp_path / "c", sinks=[Full(100)]).stats.pages == 20


def test_a_sink_can_stop_the_crawl_at_its_start_pages(web: Any, mine: Any, tmp_path: Path) -> None:
    class Strict(clew.Sink):
        on_error = "stop"

        def write(self, page: Page, doc: Doc) -> None:
            raise OSError("disk full")

    result = clew.crawl("sailing", web.seeds, sinks=[Strict()], **web.settings(tmp_path / "c"))
    assert result.reason.startswith("sink Strict failed on http")
    assert 1 <= result.stats.visited <= 3
    assert clew.resume(tmp_path / "c", pages=10).stats.pages == 10


def test_a_sink_that_cannot_be_opened_leaves_no_folder(web: Any, mine: Any, tmp_path: Path) -> None:
    closed = []

    class Second(clew.Sink):
        def close(self) -> None:
            closed.append(self)

    sinks = [Second(), mine.ToFile("no/such/folder/x.txt")]
    with pytest.raises(ConfigError, match="the sink ToFile cannot be opened: FileNotFoundError"):
        clew.crawl("sailing", web.seeds, sinks=sinks, **web.settings(tmp_path / "c"))
    with pytest.raises(ConfigError, match="the sink jsonl cannot write to no/such/x"):
        clew.crawl("sailing", web.seeds, sinks=["jsonl(path='no/such/x')"], **web.settings(tmp_path / "c"))
    assert closed == sinks[:1]
    assert not (tmp_path / "c").exists()


@pytest.mark.parametrize(("name", "value"), [("pages", "everything"), ("on_error", "ignore")])
def test_a_sink_with_an_unknown_choice_is_refused(web: Any, tmp_path: Path, name: str, value: str) -> None:
    sink = type("Odd", (clew.Sink,), {name: value})()
    with pytest.raises(ConfigError, match=f"the sink Odd has .*{value}"):
        clew.crawl("sailing", web.seeds, sinks=[sink], **web.settings(tmp_path / "c"))


def test_a_sink_learns_of_the_crawl_when_it_is_opened(web: Any, tmp_path: Path) -> None:
    seen: list[clew.CrawlInfo] = []

    class Curious(clew.Sink):
        def open(self, info: clew.CrawlInfo) -> None:
            seen.append(info)

        def write(self, page: Page, doc: Doc) -> None: ...

    clew.crawl("sailing", web.seeds, sinks=[Curious()], **web.settings(tmp_path / "c", pages=3))
    clew.crawl("sailing", web.seeds, sinks=[Curious()], store=clew.MemoryStore(), **web.anywhere)
    assert [info.folder for info in seen] == [tmp_path / "c", None]
    assert seen[0].config.what.interest == "sailing"


# Stop rules


def test_stop_rules_as_object_function_and_text(web: Any, mine: Any, tmp_path: Path) -> None:
    def reason(name: str, rule: Any) -> str:
        return clew.crawl("sailing", web.seeds, stop_rules=[rule], **web.settings(tmp_path / name)).reason

    assert reason("function", mine.enough) == "thirteen are enough"
    assert reason("object", mine.Enough(n=7)) == "saw 7 pages"
    assert reason("text", "mine:Enough(n=7)") == "saw 7 pages"
    (tmp_path / "crawl.toml").write_text(
        'interest = "sailing"\nstop_rules = ["mine:enough"]\n' + web.toml(tmp_path / "toml")
    )
    assert main(["crawl", "--config", "crawl.toml", "--quiet"]) == 0
    with clew.Records(tmp_path / "toml") as records:
        assert records.reason == "thirteen are enough"
    assert clew.resume(tmp_path / "toml", stop_rules=["mine:Enough(n=2)"]).reason == "saw 2 pages"


def test_stop_rules_in_a_simulation(mine: Any) -> None:
    for rule in (mine.enough, "mine:enough"):
        crawl = clew.simulate("labyrinth:300", "sailing", "shark", stop_rules=[rule], pages=40)
        assert (crawl.reason, crawl.stats.visited) == ("thirteen are enough", 13)


# Fetchers and stores


def test_a_fetcher_as_object_and_as_text(mine: Any, tmp_path: Path, visited: Visited) -> None:
    for name, fetcher in (("object", mine.Canned()), ("text", "mine:Canned(word='sailing')")):
        clew.crawl(
            "sailing", "http://a.example/", fetcher=fetcher, folder=str(tmp_path / name), duplicates="keep", sitemaps=0
        )
    assert visited(tmp_path / "object") == visited(tmp_path / "text")
    assert sorted(visited(tmp_path / "text")) == [f"http://a.example/{name}" for name in ("", "a", "b")]


def test_a_memory_store_needs_no_folder(web: Any, mine: Any, tmp_path: Path) -> None:
    store = clew.MemoryStore()
    result = clew.crawl("sailing", web.seeds, store=store, sinks=[mine.keep], **web.anywhere)
    assert (result.folder, result.stats.pages) == (None, 20)
    assert sum(record.relevant for record in store.records) == result.stats.relevant == len(mine.TAKEN)
    assert list(tmp_path.glob("crawls*")) == []
    for use in (lambda: result.records, result.to_pandas):
        with pytest.raises(StoreError, match="no folder: its pages are in the store"):
            use()


def test_a_store_that_is_empty_is_a_store_too(mine: Any, tmp_path: Path) -> None:
    class Sized(clew.MemoryStore):
        def __len__(self) -> int:
            return len(self.records)

    store = Sized()
    clew.crawl("sailing", "http://a.example/", fetcher=mine.Canned(), store=store)
    assert len(store) > 0
    assert list(tmp_path.glob("crawls*")) == []


# Mistakes


def test_unknown_names_give_the_nearest_one(web: Any, mine: Any, tmp_path: Path) -> None:
    def message(error: type[Exception], **parts: Any) -> str:
        with pytest.raises(error) as caught:
            clew.crawl("sailing", web.seeds, **web.settings(tmp_path / "c", **parts))
        assert not (tmp_path / "c").exists()
        return str(caught.value)

    assert "there is no strategy 'shrk'; did you mean 'shark'?" in message(StrategyError, strategy="shrk")
    assert "there is no judge 'plan'; did you mean 'plain'?" in message(ConfigError, judge="plan")
    assert "there is no sink 'json'; did you mean 'jsonl'?" in message(ConfigError, sinks=["json"])
    assert "'module:name'" in message(ConfigError, stop_rules=["enough"])
    assert "'module:name'" in message(ConfigError, fetcher="http")
    assert "there is no 'nix' in 'mine'" in message(ConfigError, judge="mine:nix")
    assert "cannot import 'nowhere'" in message(ConfigError, sinks=["nowhere:x"])
    assert "cannot read 'jsonl(3)'" in message(ConfigError, sinks=["jsonl(3)"])
    assert "jsonl has no parameter 'file'" in message(ConfigError, sinks=["jsonl(file='x')"])


def test_what_is_no_part_is_refused(web: Any, mine: Any, tmp_path: Path) -> None:
    def message(**parts: Any) -> str:
        with pytest.raises(clew.ClewError) as caught:
            clew.crawl("sailing", web.seeds, **web.settings(tmp_path / "c", **parts))
        assert not (tmp_path / "c").exists()
        return str(caught.value)

    assert "a judge must be a function of a document" in message(judge="mine:NOTHING")
    assert "a sink must be a function of a page" in message(sinks=["mine:NOTHING"])
    assert "a stop rule must be callable" in message(stop_rules=["mine:NOTHING"])
    assert "a fetcher needs the methods get, pause and close" in message(fetcher="mine:NOTHING")
    assert "is no subclass of clew.Strategy" in message(strategy="mine:NOTHING")
    assert "a strategy must be a clew.Strategy" in message(strategy=7)


@pytest.mark.parametrize(
    ("argument", "name"), [("strategy", "Shallow"), ("judge", "Mentions"), ("sinks", "ToFile"), ("fetcher", "Canned")]
)
def test_a_class_in_place_of_an_instance_is_refused(
    web: Any, mine: Any, tmp_path: Path, argument: str, name: str
) -> None:
    part = getattr(mine, name)
    settings = web.settings(tmp_path / "c", **{argument: [part] if argument == "sinks" else part})
    with pytest.raises(ConfigError, match=rf"{argument}: {name} is a class; pass an instance: {name}\(\)"):
        clew.crawl("sailing", web.seeds, **settings)


def test_a_module_that_fails_is_named(web: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "clumsy.py").write_text("def judge(doc:\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ConfigError, match="cannot import 'clumsy', which 'clumsy:judge' names: SyntaxError"):
        clew.crawl("sailing", web.seeds, judge="clumsy:judge", **web.settings(tmp_path / "c"))


def test_one_text_is_a_list_of_one(mine: Any, tmp_path: Path) -> None:
    parts = {"sinks": "mine:keep", "stop_rules": "mine:Enough(n=2)", "fetcher": mine.Canned()}
    result = clew.crawl("sailing", "http://a.example/", folder=str(tmp_path / "c"), **parts)
    assert result.reason == "saw 2 pages"
    assert mine.TAKEN
    assert configure(sinks="jsonl").keep.sinks == ("jsonl",)


def test_a_stop_rule_may_just_say_yes() -> None:
    def enough(stats: clew.Stats) -> bool:
        return stats.visited >= 5

    crawl = clew.simulate("labyrinth:300", "sailing", "shark", pages=40, stop_rules=[enough])  # type: ignore[list-item]
    assert crawl.reason == "the stop rule enough holds"
