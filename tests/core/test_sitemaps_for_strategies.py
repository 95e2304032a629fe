"""Every strategy can go on with URLs that no page links to, and learns nothing from sitemaps."""

from __future__ import annotations

import pytest

import clew
from clew.strategies import names
from clew.types import Fetched

HOME = "http://a.example/"
LISTED = [f"{HOME}{number}" for number in range(12)]
WEB = {
    HOME: "<p>sailing boats <a href=/about>about sailing</a>",
    f"{HOME}about": "<p>sailing and wind <a href=/3>three</a>",
    f"{HOME}sitemap.xml": f"<urlset>{''.join(f'<url><loc>{url}</loc></url>' for url in LISTED)}</urlset>",
    **{url: f"<p>sailing to island {url[-2:]} with boat and wind" for url in LISTED},
}


class Site:
    """A site with a sitemap and without a robots.txt."""

    async def get(self, url: str) -> Fetched:
        if url not in WEB:
            return Fetched(url, 404)
        return Fetched(url, 200, (("Content-Type", "text/html"),), WEB[url].encode())

    def pause(self, url: str) -> float:
        return 0.0

    async def close(self) -> None: ...


@pytest.mark.parametrize("name", names())
def test_a_strategy_goes_on_with_what_a_sitemap_lists(name: str) -> None:
    crawl = clew.simulate(Site(), "sailing", name, seeds=[HOME], judge=_relevance, sitemaps=5, threshold=0.5)
    lists = [record.url for record in crawl.records if record.state == "sitemap"]
    assert lists == [f"{HOME}robots.txt", f"{HOME}sitemap.xml"]
    # Hard focus follows no link of what is not relevant.
    visited = 3 if name == "hard_focus" else 14
    assert (crawl.stats.visited, crawl.stats.sitemaps, crawl.stats.failed) == (visited, 2, 0)


def _relevance(doc: clew.Doc) -> float:
    return 1.0 if "sail" in doc.terms else 0.0
