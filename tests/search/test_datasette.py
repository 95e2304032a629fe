"""Forms and search sources on a real server: Datasette with full-text search."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit

import clew
from clew.config import configure
from clew.core.http_search import OpenSearch

from .conftest import ROWS_PER_PAGE, DocsSite

INTEREST = "exception"


def visits(folder: Path) -> list[clew.Record]:
    with clew.Records(folder) as records:
        return list(records.pages())


def found(folder: Path, site: DocsSite) -> set[str]:
    return {record.url for record in visits(folder) if record.relevant and record.url in site.texts}


def test_a_search_form_opens_what_no_link_leads_to(docs_site: DocsSite, tmp_path: Path) -> None:
    results: dict[bool, set[str]] = {}
    for forms in (False, True):
        folder = tmp_path / str(forms)
        clew.crawl(INTEREST, [docs_site.home], folder=str(folder), forms=forms, pages=100, **docs_site.settings)
        results[forms] = found(folder, docs_site)
    # Links lead to the first rows of the table only.
    assert len(results[False]) <= ROWS_PER_PAGE
    assert len(results[True]) >= 3 * len(results[False]) > 0
    queries = [record.url for record in visits(tmp_path / "True") if "?" in record.url]
    assert {urlsplit(url).path for url in queries} == {"/docs/pages"}, "only the form with the search box"
    assert any("_search=exception" in url for url in queries)


def source(site: DocsSite) -> OpenSearch:
    made = OpenSearch(f"{site.home}.json?_search={{searchTerms}}&_shape=array&_size={{count}}", results="*.url")
    made.connect(configure(allow_private=True, delay=0).fetch)
    return made


def test_a_json_endpoint_is_a_search_source(docs_site: DocsSite) -> None:
    search = source(docs_site)
    try:
        urls = search.search("exception traceback", most=7)
        assert len(urls) == 7
        assert all({"exception", "traceback"} <= set(docs_site.texts[url].lower().split()) for url in urls[:1])
        assert search.search("xyzzyx") == []
        assert search.backlinks(docs_site.home) == []
    finally:
        search.close()


def test_fab_searches_there_and_a_resumed_crawl_knows_the_answers(docs_site: DocsSite, tmp_path: Path) -> None:
    template = f"{docs_site.home}.json?_search={{searchTerms}}&_shape=array"
    settings = {**docs_site.settings, "strategy": "fab(day=3)", "pages": 12, "parallel": 1}
    text = f"opensearch(template={template!r}, results='*.url')"
    clew.crawl("exception", [f"{docs_site.home}/2"], folder=str(tmp_path / "crawl"), search_sources=[text], **settings)
    urls = [record.url for record in visits(tmp_path / "crawl")]
    beyond = set(urls) & {f"{docs_site.home}/{number}" for number in range(ROWS_PER_PAGE + 1, 100)}
    assert beyond, "pages that only the search knows"
    clew.resume(tmp_path / "crawl", pages=16)
    assert [record.url for record in visits(tmp_path / "crawl")][: len(urls)] == urls
