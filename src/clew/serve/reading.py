"""The requests that only read."""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus
from typing import Any, Final

from clew.serve import data
from clew.serve.dry_run import check_formula
from clew.serve.endpoints import BOOLEAN, INTEGER, LIMIT, STRING, Asked, Endpoint, Parameter, Schema
from clew.serve.problems import Problem
from clew.serve.settings_schema import settings_schema
from clew.store import Records

CRAWL: Final = "/api/crawls/{id}"
CURSOR: Final = Parameter("cursor", STRING | {"maxLength": 200}, "where to go on: `next` of the part before")
AT_MOST: Final = Parameter("limit", LIMIT, "length of the list")
URL: Final = Parameter("url", STRING | {"minLength": 1}, "the URL of a page", required=True)
SORT: Final[Schema] = {"enum": ["newest", "best"], "type": "string"}


def _of(read: Callable[..., Any]) -> Callable[[Asked], Any]:
    """An answer that opens the crawl and passes on what was asked for."""

    def answer(asked: Asked) -> Any:
        with asked.service.records(asked.crawl) as records:
            return read(records, **asked.values)

    return answer


def _or_404(read: Callable[..., Any]) -> Callable[[Asked], Any]:
    def found(records: Records, url: str, **values: Any) -> Any:
        value = read(records, url, **values)
        if value is None:
            raise Problem(HTTPStatus.NOT_FOUND, "the crawl has not visited this URL; …/explain?url= says what is known")
        return value

    return _of(found)


def _search(records: Records, q: str, **values: Any) -> dict[str, Any]:
    return data.search(records, q, **values)


def _settings(asked: Asked) -> dict[str, Any]:
    return {"sections": settings_schema(asked.service.base)}


READING: Final = (
    Endpoint("GET", "/api/crawls", "listCrawls", "All crawls", lambda asked: asked.service.crawls(), "Crawls"),
    Endpoint("GET", "/api/settings", "listSettings", "The settings of new crawls", _settings, "Settings"),
    Endpoint(
        "GET",
        "/api/check",
        "checkFormula",
        "Check a formula while it is typed",
        lambda asked: check_formula(asked.values["interest"]),
        "Check",
        (Parameter("interest", STRING | {"minLength": 1}, "the formula", required=True),),
    ),
    Endpoint("GET", CRAWL, "getCrawl", "State and numbers of a crawl", _of(data.summary), "Summary"),
    Endpoint(
        "GET",
        f"{CRAWL}/curve",
        "getCurve",
        "The harvest curve",
        _of(data.curve),
        "Curve",
        (Parameter("points", INTEGER | {"minimum": 2, "maximum": 300}, "at most so many points"),),
    ),
    Endpoint(
        "GET",
        f"{CRAWL}/pages",
        "listPages",
        "Pages, newest or best first",
        _of(data.pages),
        "Pages",
        (
            Parameter("sort", SORT, "newest or best"),
            Parameter("relevant", BOOLEAN, "only relevant pages, or only others"),
            Parameter("host", STRING, "only pages of this host"),
            CURSOR,
            AT_MOST,
        ),
    ),
    Endpoint("GET", f"{CRAWL}/page", "getPage", "One page", _or_404(data.page), "PageDetails", (URL,)),
    Endpoint(
        "GET", f"{CRAWL}/hosts", "listHosts", "Hosts, the best first", _of(data.hosts), "Hosts", (CURSOR, AT_MOST)
    ),
    Endpoint(
        "GET", f"{CRAWL}/next", "listNext", "What will be visited next", _of(data.next_up), "Candidates", (AT_MOST,)
    ),
    Endpoint(
        "GET",
        f"{CRAWL}/unsure",
        "listUnsure",
        "Pages whose label teaches most",
        _of(data.unsure),
        "PageList",
        (AT_MOST,),
    ),
    Endpoint(
        "GET",
        f"{CRAWL}/search",
        "search",
        "Search in the pages",
        _of(_search),
        "Hits",
        (
            Parameter("q", STRING | {"minLength": 1, "maxLength": 1000}, "words to look for", required=True),
            Parameter("relevant", BOOLEAN, "only relevant pages (the default)"),
            Parameter("limit", LIMIT | {"maximum": 50}, "length of the list"),
        ),
    ),
    Endpoint(
        "GET", f"{CRAWL}/explain", "explain", "Why a URL was visited or not", _of(data.explain), "Explanation", (URL,)
    ),
    Endpoint(
        "GET",
        f"{CRAWL}/text",
        "getText",
        "The main text of a page",
        _or_404(data.text),
        "Text",
        (
            URL,
            Parameter("offset", INTEGER, "first character"),
            Parameter("limit", INTEGER | {"minimum": 1, "maximum": 50_000}, "number of characters"),
        ),
    ),
    Endpoint("GET", f"{CRAWL}/journal", "listJournal", "The journal", _of(data.journal), "Journal", (CURSOR, AT_MOST)),
    Endpoint("GET", f"{CRAWL}/orders", "listOrders", "Orders and their states", _of(data.orders), "Orders", (AT_MOST,)),
    Endpoint("GET", f"{CRAWL}/labels", "listLabels", "Labels", _of(data.labels), "Labels", (AT_MOST,)),
)
