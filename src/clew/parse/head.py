"""What a page says about itself: title, base URL, canonical URL, robots directives, refresh, feeds."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from selectolax.lexbor import LexborNode

from clew.parse.directives import NAMES, directives
from clew.parse.url import canonical, resolve
from clew.types import Link

FEEDS: Final = ("application/rss+xml", "application/atom+xml", "application/rdf+xml")
MAX_FEEDS_PER_PAGE: Final = 20
MAX_TITLE_CHARACTERS: Final = 500  # a longer title is a title element that was never closed
MAX_REFRESH_CHARACTERS: Final = 4000
REFRESH: Final = re.compile(r"""\s*+[\d.]*+\s*+[;,]?+\s*+(?:url\s*=\s*)?+["']?\s*+([^"']+?)\s*["']?\s*$""", re.I)


@dataclass(slots=True)
class Head:
    """Collects the elements in the order of the page; the first of each kind counts."""

    url: str
    base: str = ""
    title: str = ""
    canonical: str = ""
    refresh: str = ""
    nofollow: bool = False
    noindex: bool = False
    feeds: list[tuple[str, str]] = field(default_factory=list)  # URL and title

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

    def _link(self, attributes: Mapping[str, str | None]) -> None:
        href = attributes.get("href")
        if not href:
            return
        rel = (attributes.get("rel") or "").lower().split()
        if "canonical" in rel:
            self.canonical = self.canonical or href
        elif "alternate" in rel and len(self.feeds) < MAX_FEEDS_PER_PAGE and _kind(attributes) in FEEDS:
            title = (attributes.get("title") or "")[:MAX_TITLE_CHARACTERS]
            self.feeds.append((href, " ".join(title.split())))

    def _meta(self, attributes: Mapping[str, str | None], content: str) -> None:
        if (attributes.get("name") or "").strip().lower() in NAMES:
            # Several robots elements add up: each may only forbid more.
            found = directives(content)
            self.nofollow |= found.nofollow
            self.noindex |= found.noindex
        elif not self.refresh and (attributes.get("http-equiv") or "").lower() == "refresh":
            match = REFRESH.match(content[:MAX_REFRESH_CHARACTERS])
            self.refresh = match[1] if match else ""


def _kind(attributes: Mapping[str, str | None]) -> str:
    return (attributes.get("type") or "").partition(";")[0].strip().lower()


def _in_picture(node: LexborNode) -> bool:
    # A title inside an svg element is the tooltip of an icon.
    return node.parent is not None and node.parent.tag == "svg"
