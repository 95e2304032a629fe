"""Which sitemaps are read beside the pages, and when."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from clew.parse.url import domain
from clew.types import Candidate, Link

SITEMAP_SCORE = 1e6
"""Score of a sitemap, above what strategies give to pages."""


@dataclass
class Sitemaps:
    """Which lists of pages are read beside the pages: so many of each site, from those of its robots.txt on.

    They are ordinary visits, and their entries ordinary links; but they come first.

    >>> links = tuple(Link("http://a.example/robots.txt", f"http://a.example/{n}.xml", kind="index") for n in range(9))
    >>> len(Sitemaps(3).within("http://a.example/robots.txt", links))
    3
    """

    most: int
    read: dict[str, int] = field(default_factory=dict)  # of each site

    def begin(self, url: str) -> str:
        """The robots.txt that tells the sitemaps of a page's host; "" where none are wanted."""
        return f"{url[: url.index('/', 8)]}/robots.txt" if self.most else ""

    def list_sitemaps(self, links: Sequence[Link]) -> bool:
        """Whether the links of a page lead to sitemaps; then all of them do."""
        return bool(links) and links[0].kind == "index"

    def within(self, url: str, links: tuple[Link, ...]) -> tuple[Link, ...]:
        """The links of a page, but for those to too many sitemaps: an index of indexes must have an end."""
        if not self.list_sitemaps(links):
            return links
        site = domain(url)
        near = [link for link in links if url.endswith("/robots.txt") or domain(link.url) == site]
        kept = tuple(near[: max(0, self.most - self.read.get(site, 0))])
        self.read[site] = self.read.get(site, 0) + len(kept)
        return kept

    def first(self, candidates: Sequence[Candidate], scores: Sequence[float]) -> Sequence[float]:
        """The scores of candidates, sitemaps before all others."""
        if not self.most:
            return scores
        return [
            SITEMAP_SCORE if self._lists(candidate) else score
            for candidate, score in zip(candidates, scores, strict=True)
        ]

    def _lists(self, candidate: Candidate) -> bool:
        return self.list_sitemaps(candidate.links) or (not candidate.links and candidate.url.endswith("/robots.txt"))
