"""What a page says about itself: title, base URL, canonical URL, robots directives, refresh, feeds, neighbours."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from selectolax.lexbor import LexborNode

from clew.parse.directives import NAMES, directives
from clew.parse.refresh import refresh_url
from clew.parse.url import canonical, resolve
from clew.types import Link

FEEDS: Final = ("application/rss+xml", "application/atom+xml", "application/rdf+xml")
MAX_FEEDS_PER_PAGE: Final = 20
SERIES: Final = {"next": "next", "prev": "prev", "previous": "prev"}  # the words for neighbours in a series of pages
MAX_SERIES_LINKS: Final = 10
DESCRIPTIONS: Final = ("description", "keywords")
MAX_META_CHARACTERS: Final = 500  # of description and keywords together
MAX_TITLE_CHARACTERS: Final = 500  # a longer title is a title element that was never closed


@dataclass(slots=True)
class Head:
    """Collects the elements in the order of the page; the first of each kind counts."""

    url: str
    base: str = ""
    title: str = ""
    meta: str = ""  # description and keywords
    canonical: str = ""
    refresh: str | None = None  # "" only loads the page again
    nofollow: bool = False
    noindex: bool = False
    feeds: list[tuple[str, str]] = field(default_factory=list)  # URL and title
    series: list[tuple[str, str, str]] = field(default_factory=list)  # kind, URL and title

    def read_element(self, tag: str, node: LexborNode) -> None:
        """Read one element: base, link, meta or title."""
        if tag == "title":
            if not self.title and not _in_picture(node):
                # Cut before splitting: an unclosed title holds the whole page.
                beginning = node.text()[: 4 * MAX_TITLE_CHARACTERS]
                self.title = " ".join(beginning.split())[:MAX_TITLE_CHARACTERS]
            return
        attributes = node.attributes
        if tag == "base":
            if not self.base:
                self.base = resolve(attributes.get("href") or "", self.url) or ""
        elif tag == "link":
            self._link(attributes)
        elif content := attributes.get("content"):
            self._meta(attributes, content)

    def settle(self) -> None:
        """Make relative URLs absolute, once all elements were read: the base may come after them."""
        self.base = self.base or self.url
        if self.canonical:
            self.canonical = canonical(self.canonical, self.base) or ""
        self.feeds = [(url, title) for href, title in self.feeds if (url := canonical(href, self.base))]

    def refreshed(self, source: str) -> list[Link]:
        """The link of a meta refresh, unless it only reloads the page."""
        target = canonical(self.refresh, self.base) if self.refresh else None
        return [Link(source, target, kind="refresh")] if target and target != self.url else []

    def series_links(self, source: str, known: list[Link]) -> list[Link]:
        """The links to the next and the previous page of a series, unless the page has them as ordinary links."""
        seen = {self.url, *[link.url for link in known]} if self.series else set()
        found: dict[str, Link] = {}
        for kind, href, title in self.series:
            url = canonical(href, self.base)
            if url and url not in seen and url not in found:
                found[url] = Link(source, url, title, position=len(known) + len(found), kind=kind)
        return [*found.values()]

    def _link(self, attributes: Mapping[str, str | None]) -> None:
        href = attributes.get("href")
        if not href:
            return
        rel = (attributes.get("rel") or "").lower().split()
        if "canonical" in rel:
            self.canonical = self.canonical or href
        elif "alternate" in rel and len(self.feeds) < MAX_FEEDS_PER_PAGE and _kind(attributes) in FEEDS:
            self.feeds.append((href, _title(attributes)))
        elif (kind := series(rel)) and len(self.series) < MAX_SERIES_LINKS:
            self.series.append((kind, href, _title(attributes)))

    def _meta(self, attributes: Mapping[str, str | None], content: str) -> None:
        name = (attributes.get("name") or "").strip().lower()
        if name in DESCRIPTIONS:
            words = " ".join(content[: 4 * MAX_META_CHARACTERS].split())
            self.meta = f"{self.meta} {words}".strip()[:MAX_META_CHARACTERS]
        elif name in NAMES:
            # Several robots elements add up: each may only forbid more.
            found = directives(content)
            self.nofollow |= found.nofollow
            self.noindex |= found.noindex
        elif self.refresh is None and (attributes.get("http-equiv") or "").lower() == "refresh":
            # Of several the first valid one counts.
            self.refresh = refresh_url(content)


def series(rel: Iterable[str]) -> str:
    """The kind of a link to a neighbour in a series of pages, or "".

    >>> series(["prefetch", "next"]), series(["previous"]), series(["stylesheet"])
    ('next', 'prev', '')
    """
    return next((kind for word in rel if (kind := SERIES.get(word))), "")


def _title(attributes: Mapping[str, str | None]) -> str:
    return " ".join((attributes.get("title") or "")[:MAX_TITLE_CHARACTERS].split())


def _kind(attributes: Mapping[str, str | None]) -> str:
    return (attributes.get("type") or "").partition(";")[0].strip().lower()


def _in_picture(node: LexborNode) -> bool:
    # A title inside an svg element is the tooltip of an icon.
    return node.parent is not None and node.parent.tag == "svg"
