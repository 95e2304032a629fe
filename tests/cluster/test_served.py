"""`clew serve` and language models see a crawl on several shards as one, with a row for each shard."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from clew.core.reviewing import Review
from clew.serve import inbox
from clew.serve.data import CrawlFolders
from clew.serve.endpoints import Asked
from clew.serve.mcp_tools import Tools
from clew.serve.reading import READING
from clew.serve.report import write_report
from clew.serve.schemas import SCHEMAS
from clew.serve.service import Service
from clew.store import Records
from clew.store.whole import shard_folders

SHARDS = 3


@pytest.fixture(scope="module")
def service(world: Any, inside: Any, tmp_path_factory: pytest.TempPathFactory) -> Service:
    root = tmp_path_factory.mktemp("served")
    inside(world.settings(pages=60, strategy="adaptive"), root / "crawl", SHARDS)
    return Service(CrawlFolders([root]))


@pytest.fixture
def crawl(service: Service) -> str:
    [found] = service.crawls()["items"]
    return str(found["id"])


def ask(service: Service, name: str, crawl: str, **values: Any) -> Any:
    """The answer to a request, which has what the service's document says."""
    [endpoint] = [each for each in READING if each.name == name]
    answer = endpoint.answer(Asked(service, crawl, values, {}))
    assert set(SCHEMAS[endpoint.returns]["required"]) <= answer.keys()
    json.dumps(answer, allow_nan=False)
    return answer


def test_it_is_one_crawl_with_a_row_for_each_shard(service: Service, crawl: str) -> None:
    found = ask(service, "getCrawl", crawl)
    assert (found["state"], found["why"], found["pages"]) == ("finished", "fetched 60 pages", 60)
    assert [row["shard"] for row in found["shards"]] == list(range(SHARDS))
    assert sum(row["pages"] for row in found["shards"]) == 60
    assert [item["visited"] for item in service.crawls()["items"]] == [found["visited"]]


def test_lists_and_searches_go_over_all_shards(service: Service, crawl: str) -> None:
    newest = ask(service, "listPages", crawl, sort="newest", limit=60)["items"]
    assert len(newest) == 60
    assert all(page["preview"] for page in newest)
    times = [page["at"] for page in newest]
    # Not by the numbers of the visits, which each shard counts for itself.
    assert times == sorted(times, reverse=True)
    first = ask(service, "listPages", crawl, sort="newest", limit=25)
    rest = ask(service, "listPages", crawl, sort="newest", limit=60, cursor=first["next"])["items"]
    assert [page["url"] for page in [*first["items"], *rest]] == [page["url"] for page in newest]
    hosts = ask(service, "listHosts", crawl, limit=200)
    assert sum(host["visited"] for host in hosts["items"]) == ask(service, "getCrawl", crawl)["visited"]
    upcoming = ask(service, "listNext", crawl, limit=50)["items"]
    # What must be fetched first has no score.
    scores = [candidate["score"] for candidate in upcoming if candidate["score"] is not None]
    assert scores == sorted(scores, reverse=True)
    assert len(scores) > 20
    curve = ask(service, "getCurve", crawl)["points"]
    assert curve[-1][1] == ask(service, "getCrawl", crawl)["relevant"]
    assert len(ask(service, "search", crawl, q="sailing")["items"]) > 3
    assert len(ask(service, "listUnsure", crawl, limit=5)["items"]) == 5
    assert ask(service, "listJournal", crawl, limit=50)["items"]


def test_any_url_is_explained(service: Service, crawl: str) -> None:
    best = ask(service, "listPages", crawl, sort="best", limit=3)["items"]
    for page in best:
        explained = ask(service, "explain", crawl, url=page["url"])
        assert (explained["state"], explained["path"][-1]["url"]) == ("fetched", page["url"])
        assert len(ask(service, "getText", crawl, url=page["url"])["text"]) > 100
    for candidate in ask(service, "listNext", crawl, limit=12)["items"]:
        explained = ask(service, "explain", crawl, url=candidate["url"])
        assert (explained["state"], explained["path"][0]["kind"]) == ("queued", "start")
    assert ask(service, "explain", crawl, url="http://nowhere.example/")["state"] == "unknown"


def test_labels_and_orders_reach_the_shards(service: Service, crawl: str) -> None:
    folder = service.folder(crawl)
    pages = ask(service, "listPages", crawl, sort="best", limit=6)["items"]
    marks = ask(service, "listNext", crawl, limit=50)["items"]
    service.label(crawl, {page["url"]: False for page in pages})
    service.order(crawl, "drop", [marks[0]["url"]])
    inbox.wait_for(folder)
    assert [label["taken"] is not None for label in ask(service, "listLabels", crawl)["items"]] == [True] * 6
    [order] = ask(service, "listOrders", crawl)["items"]
    assert (order["status"], order["effect"]) == ("taken", "1 dropped")
    found = ask(service, "listPages", crawl, sort="best", limit=60)["items"]
    assert {page["url"]: page["relevant"] for page in found}.keys() >= {page["url"] for page in pages}
    assert not any(page["relevant"] for page in found if page["url"] in {each["url"] for each in pages})
    assert len(ask(service, "getCurve", crawl)["marks"]) >= 2


def test_a_language_model_reads_it(service: Service, crawl: str) -> None:
    tools = Tools(service)
    assert tools.crawl_status(crawl)["pages"] == 60
    best = tools.best_pages(crawl)["items"]
    assert len(tools.read_page(crawl, best[0]["url"])["text"]) > 100
    assert tools.explain_page(crawl, best[0]["url"])["state"] == "fetched"


def test_a_review_asks_about_pages_of_all_shards(service: Service, crawl: str) -> None:
    with Review(service.folder(crawl)) as review:
        for _ in range(4):
            assert review.page is not None
            assert review.answer(False).is_applied
        answered = set(review.answers)
    given = []
    for path in shard_folders(service.folder(crawl)):
        with Records(path) as records:
            given.append({label.url for label in records.labels()} & answered)
    assert set().union(*given) == answered


def test_the_report_has_it_all(service: Service, crawl: str, tmp_path: Path) -> None:
    with Records(service.folder(crawl)) as records:
        assert '"shards"' in write_report(records, tmp_path / "report.html").read_text()
