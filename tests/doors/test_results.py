"""Results that show themselves in notebooks and become data frames."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

import clew
from clew.errors import ConfigError
from clew.types import Stats


class Cells(HTMLParser):
    """The texts of an HTML fragment; fails if a tag is not closed."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.texts: list[str] = []
        self.feed(html)
        assert not self.open

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


@pytest.fixture(scope="module")
def result(web: Any, tmp_path_factory: pytest.TempPathFactory) -> clew.Result:
    folder = tmp_path_factory.mktemp("results") / "a<b"
    return clew.crawl("sailing", web.seeds, strategy="shark", **web.settings(folder))


@pytest.fixture(scope="module")
def simulation() -> clew.Simulation:
    return clew.simulate("labyrinth:300", "sailing", "shark", pages=20)


@pytest.fixture(scope="module")
def comparison(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CLEW_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield clew.compare(["shark", "breadth_first"], "labyrinth:300", topics=2, starts=0, budgets=30, jobs=1)


def test_a_result_shows_itself(result: clew.Result) -> None:
    html = result._repr_html_()
    texts = Cells(html).texts
    assert "a&lt;b" in html  # the name of the folder is text, not HTML
    for name, value in (("stopped", "fetched 20 pages"), ("pages", "20"), ("relevant", str(result.stats.relevant))):
        assert texts[texts.index(name) + 1] == value


def test_records_show_themselves(result: clew.Result) -> None:
    with result.records as records:
        [text] = Cells(records._repr_html_()).texts
    assert text.endswith(f"a<b: 20 pages, {result.stats.relevant} of them relevant")


def test_a_simulation_shows_itself(simulation: clew.Simulation) -> None:
    texts = Cells(simulation._repr_html_()).texts
    assert texts[texts.index("visited") + 1] == "20"
    assert "made 20 visits" in texts


def test_an_explanation_shows_itself(result: clew.Result) -> None:
    with result.records as records:
        deepest = max(records.pages(relevant=True), key=lambda record: record.depth)
    explanation = clew.explain(result.folder or "", deepest.url)
    texts = Cells(explanation._repr_html_()).texts
    assert texts[0] == deepest.url
    assert texts[texts.index("state") + 1] == "fetched"
    assert set(explanation.parts) <= set(texts)
    assert any(deepest.url in text for text in texts[1:])  # the end of the path
    unknown = clew.explain(result.folder or "", "http://nowhere.example/")
    assert "the crawl has never seen this URL" in Cells(unknown._repr_html_()).texts


def test_a_recrawl_shows_itself(result: clew.Result) -> None:
    again = clew.recrawl(result.folder or "", every=0, pages=5)
    texts = Cells(again._repr_html_()).texts
    assert texts[texts.index("visited again") + 1] == "5"
    assert texts[texts.index("changed") + 1] == str(len(again.changed))


def test_a_comparison_shows_itself(comparison: Any) -> None:
    texts = Cells(comparison._repr_html_()).texts
    assert texts[0] == "Comparison"
    ranking = [rank.strategy for rank in comparison.ranking()]
    assert [text for text in texts if text in ranking] == ranking
    assert f"{comparison.ranking()[0].area:.3f}" in texts


def test_visits_as_a_data_frame(result: clew.Result, simulation: clew.Simulation) -> None:
    pytest.importorskip("pandas")
    frame = result.to_pandas()
    with result.records as records:
        assert list(frame["url"]) == [record.url for record in records.pages()]
        assert list(records.to_pandas(relevant=True)["url"]) == [record.url for record in records.pages(relevant=True)]
    assert int(frame["relevant"].sum()) == result.stats.relevant
    assert set(frame["state"]) <= {"fetched", "redirected", "failed", "refused", "duplicate", "sitemap"}
    assert all(type(state) is str for state in frame["state"])
    simulated = simulation.to_pandas()
    assert list(simulated.columns) == list(frame.columns)
    assert list(simulated["url"]) == [record.url for record in simulation.records]


def test_an_empty_crawl_has_all_columns() -> None:
    pytest.importorskip("pandas")
    nothing = clew.Simulation([], Stats(), "", clew.strategies.make("shark"))
    assert {"url", "relevance", "state"} <= set(nothing.to_pandas().columns)
    assert "visited" in Cells(nothing._repr_html_()).texts


def test_a_comparison_as_a_data_frame(comparison: Any) -> None:
    pytest.importorskip("pandas")
    frame = comparison.to_pandas()
    assert len(frame) == len(comparison.results) == 4
    assert set(frame["strategy"]) == {"shark", "breadth_first"}
    assert {"area", "harvest", "recall"} <= set(frame.columns)


def test_without_pandas_the_message_names_the_extra(
    result: clew.Result, simulation: clew.Simulation, comparison: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    uses: list[Callable[[], object]] = [result.to_pandas, simulation.to_pandas, comparison.to_pandas]
    for use in uses:
        with pytest.raises(ConfigError, match=r"pip install 'clew-crawler\[pandas\]'"):
            use()


def test_a_crawl_in_memory_shows_itself_too(web: Any, tmp_path: Path) -> None:
    result = clew.crawl("sailing", web.seeds, store=clew.MemoryStore(), **web.anywhere)
    assert "(own store)" in Cells(result._repr_html_()).texts
