"""Which sitemaps are read, and when."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, Self

from clew.config import Scope
from clew.parse.url import domain, is_robots_file
from clew.types import Candidate, Doc, Link, Page

SITEMAP_SCORE: Final = 1e6  # above the scores that strategies give to pages
MAX_URLS_PER_SITEMAP: Final = 5000  # that become candidates: a site's budget is a few hundred visits
GUESS: Final = "/sitemap.xml"


@dataclass
class Sitemaps:
    """Limits the number of sitemaps per site, starting from those in its robots.txt.

    A sitemap is fetched like a page and its entries are ordinary links, but sitemaps come first.

    >>> links = tuple(Link("http://a.example/robots.txt", f"http://a.example/{n}.xml", kind="index") for n in range(9))
    >>> len(Sitemaps(3).within("http://a.example/robots.txt", links))
    3
    """

    max_per_site: int  # 0: no sitemaps are read
    read: dict[str, int] = field(default_factory=dict)  # site -> sitemaps

    @classmethod
    def for_scope(cls, scope: Scope) -> Self:
        """The limits of a crawl; a limit on the number of links needs pages that are found by links."""
        return cls(scope.sitemaps if scope.max_depth is None else 0)

    def begin(self, url: str) -> str:
        """The robots.txt that names the sitemaps of a page's host; "" if none are wanted."""
        return f"{url[: url.index('/', 8)]}/robots.txt" if self.max_per_site else ""

    def with_guess(self, page: Page) -> tuple[Link, ...]:
        """The links of a sitemap or robots.txt; where robots.txt names no sitemap, or is missing, the usual one."""
        if page.links or not is_robots_file(page.url) or not 200 <= page.status < 500:
            return page.links
        return (Link(page.url, page.url.removesuffix("/robots.txt") + GUESS, kind="index"),)

    def list_sitemaps(self, links: Sequence[Link]) -> bool:
        """Whether these links lead to sitemaps; the links of one page are all of the same kind."""
        return bool(links) and links[0].kind == "index"

    def within(self, url: str, links: tuple[Link, ...]) -> tuple[Link, ...]:
        """The links of a page, without those to sitemaps over the limit and the many of a long sitemap."""
        if not self.list_sitemaps(links):
            return links[:MAX_URLS_PER_SITEMAP] if links and links[0].kind == "sitemap" else links
        site = domain(url)
        # The sitemap protocol lets a robots.txt name sitemaps on other sites, but not an index.
        allowed = [link for link in links if url.endswith("/robots.txt") or domain(link.url) == site]
        # The limit counts along whole chains: an index of indexes must have an end.
        already_read = self.read.get(site, 0)
        within_limit = tuple(allowed[: max(0, self.max_per_site - already_read)])
        self.read[site] = already_read + len(within_limit)
        return within_limit

    def first(self, candidates: Sequence[Candidate], scores: Sequence[float]) -> Sequence[float]:
        """The scores of candidates, with sitemaps above all others."""
        if not self.max_per_site:
            return scores
        return [
            SITEMAP_SCORE if is_list(candidate.url, candidate.links) else score
            for candidate, score in zip(candidates, scores, strict=True)
        ]


def is_list(url: str, inlinks: Sequence[Link]) -> bool:
    """Whether a URL is asked for the URLs that it lists: a sitemap, or a robots.txt that may name one."""
    # A robots.txt that no page links to was queued by `begin`, for its sitemaps.
    return inlinks[0].kind == "index" if inlinks else is_robots_file(url)


def lists_urls(doc: Doc) -> bool:
    """Whether a document is a sitemap with entries, or a robots.txt that names one."""
    return bool(doc.links) and doc.links[0].kind in ("index", "sitemap")
