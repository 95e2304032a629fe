"""The source of a page, served beside it as plain text, is a duplicate of the page."""

from __future__ import annotations

import clew
from clew.types import Fetched

HOME = "http://docs.example/index.html"
PROSE = " ".join(f"The sailing boat number {number} is built of oak number {number + 1}." for number in range(30))
SOURCE = PROSE.replace("sailing boat", ":class:`sailing boat`")
WEB = {
    HOME: (
        "text/html",
        f"<title>Boats</title><nav>Home News Search</nav>{PROSE}<a href=_sources/index.rst.txt>Source</a>",
    ),
    "http://docs.example/_sources/index.rst.txt": ("text/plain", SOURCE),
    "http://docs.example/news.txt": ("text/plain", "Sailing news: a race around the island begins on Sunday."),
}


class Site:
    async def get(self, url: str) -> Fetched:
        kind, body = WEB[url]
        return Fetched(url, 200, (("Content-Type", kind),), body.encode())

    def pause(self, url: str) -> float:
        return 0.0

    async def close(self) -> None: ...


def crawl(seeds: list[str], **settings: object) -> dict[str, tuple[str, str]]:
    result = clew.simulate(Site(), "sailing", "breadth_first", seeds=seeds, judge=_relevance, threshold=0.5, **settings)
    return {record.url.rpartition("/")[2]: (str(record.state), record.reason) for record in result.records}


def test_the_source_of_a_page_is_a_duplicate() -> None:
    visits = crawl([HOME, "http://docs.example/news.txt"], duplicates="skip")
    assert visits == {
        "index.html": ("fetched", ""),
        "news.txt": ("fetched", ""),
        "index.rst.txt": ("duplicate", f"same as {HOME}"),
    }


def test_duplicates_can_be_kept() -> None:
    assert crawl([HOME], duplicates="keep")["index.rst.txt"] == ("fetched", "")


def test_a_start_page_is_never_a_duplicate() -> None:
    assert (
        crawl([HOME, "http://docs.example/_sources/index.rst.txt"], duplicates="skip")["index.rst.txt"][0] == "fetched"
    )


def _relevance(doc: clew.Doc) -> float:
    return 1.0
