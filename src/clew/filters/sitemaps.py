"""Which sitemaps are read, and when."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from clew.parse.url import domain
from clew.types import Candidate, Link

SITEMAP_SCORE: Final = 1e6  # above the scores that strategies give to pages


@dataclass
class Sitemaps:
    """Limits the number of sitemaps per site, starting from those in its robots.txt.

    Reading a sitemap is an ordinary visit and its entries are ordinary links, but sitemaps come first.

    >>> links = tuple(Link("http://a.example/robots.txt", f"http://a.example/{n}.xml", kind="index") for n in range(9))
    >>> len(Sitemaps(3).within("http://a.example/robots.txt", links))
    3
    """

    max_per_site: int  # 0: no sitemaps are read
    read: dict[str, int] = field(default_factory=dict)  # site -> sitemaps

    def begin(self, url: str) -> str:
        """The robots.txt that names the sitemaps of a page's host; "" if none are wanted."""
        return f"{url[: url.index('/', 8)]}/robots.txt" if self.max_per_site else ""

    def list_sitemaps(self, links: Sequence[Link]) -> bool:
        """Whether these links lead to sitemaps; the links of one page are all of the same kind."""
        return bool(links) and links[0].kind == "index"

    def within(self, url: str, links: tuple[Link, ...]) -> tuple[Link, ...]:
        """The links of a page, without those to sitemaps over the limit."""
        if not self.list_sitemaps(links):
            return links
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
            SITEMAP_SCORE if self._is_sitemap(candidate) else score
            for candidate, score in zip(candidates, scores, strict=True)
        ]

    def _is_sitemap(self, candidate: Candidate) -> bool:
        # A robots.txt that no page links to was queued by `begin`, for its sitemaps.
        is_robots_txt = not candidate.links and candidate.url.endswith("/robots.txt")
        return self.list_sitemaps(candidate.links) or is_robots_txt
