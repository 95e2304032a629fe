"""What a page says about itself: title, base, canonical address, robots, refresh."""

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
MAX_FEEDS_PER_PAGE: Final = 20  # feeds of a page
TITLE: Final = 500  # characters; a longer title is a title element that was never closed
REFRESH: Final = re.compile(r"""\s*+[\d.]*+\s*+[;,]?+\s*+(?:url\s*=\s*)?+["']?\s*+([^"']+?)\s*["']?\s*$""", re.I)


@dataclass(slots=True)
class Head:
    """Filled element by element, in the order of the page; the first of a kind counts."""

    url: str
    base: str = ""
    title: str = ""
    canonical: str = ""
    refresh: str = ""
    nofollow: bool = False
    noindex: bool = False
    feeds: list[tuple[str, str]] = field(default_factory=list)  # address and title

    def read_element(self, tag: str, node: LexborNode) -> None:
        """Read one element: base, link, meta or title."""
        if tag == "title":
            if not self.title and not _in_picture(node):
                self.title = " ".join(node.text()[: 4 * TITLE].split())[:TITLE]
            return
        attributes = node.attributes
        if tag == "base":
            self.base = self.base or resolve(attributes.get("href") or "", self.url) or ""
        elif tag == "link":
            self._link(attributes)
        elif content := attributes.get("content"):
            if (attributes.get("name") or "").strip().lower() in NAMES:
                self._robots(content)
            elif (attributes.get("http-equiv") or "").lower() == "refresh":
                found = REFRESH.match(content[:4000])
                self.refresh = self.refresh or (found[1] if found else "")

    def settle(self) -> None:
        """Once every element was seen: relative addresses become absolute."""
        self.base = self.base or self.url
        self.canonical = canonical(self.canonical, self.base) or "" if self.canonical else ""
        self.feeds = [(url, title) for href, title in self.feeds if (url := canonical(href, self.base))]

    def refreshed(self, source: str) -> list[Link]:
        """The link of a meta refresh that leads elsewhere."""
        target = canonical(self.refresh, self.base) if self.refresh else None
        return [Link(source, target, kind="refresh")] if target and target != self.url else []

    def _link(self, attributes: Mapping[str, str | None]) -> None:
        rel, href = (attributes.get("rel") or "").lower().split(), attributes.get("href")
        if not href:
            return
        if "canonical" in rel:
            self.canonical = self.canonical or href
        elif "alternate" in rel and len(self.feeds) < MAX_FEEDS_PER_PAGE and _kind(attributes) in FEEDS:
            self.feeds.append((href, " ".join((attributes.get("title") or "")[:TITLE].split())))

    def _robots(self, content: str) -> None:
        said = directives(content)
        self.nofollow |= said.nofollow
        self.noindex |= said.noindex


def _kind(attributes: Mapping[str, str | None]) -> str:
    return (attributes.get("type") or "").partition(";")[0].strip().lower()


def _in_picture(node: LexborNode) -> bool:
    return node.parent is not None and node.parent.tag == "svg"
