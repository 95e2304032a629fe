"""What a page says about itself: title, base, canonical address, robots, refresh."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from selectolax.lexbor import LexborNode

from clew.parse.url import canonical, resolve
from clew.types import Link

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

    def take(self, tag: str, node: LexborNode) -> None:
        """Read one element: base, link, meta or title."""
        if tag == "title":
            if not self.title and not _in_picture(node):
                self.title = " ".join(node.text()[: 4 * TITLE].split())[:TITLE]
            return
        attributes = node.attributes
        if tag == "base":
            self.base = self.base or resolve(attributes.get("href") or "", self.url) or ""
        elif tag == "link":
            if "canonical" in (attributes.get("rel") or "").lower().split():
                self.canonical = self.canonical or attributes.get("href") or ""
        elif content := attributes.get("content"):
            if (attributes.get("name") or "").lower() == "robots":
                self._robots(content.lower())
            elif (attributes.get("http-equiv") or "").lower() == "refresh":
                found = REFRESH.match(content[:4000])
                self.refresh = self.refresh or (found[1] if found else "")

    def settle(self) -> None:
        """Once every element was seen: relative addresses become absolute."""
        self.base = self.base or self.url
        self.canonical = canonical(self.canonical, self.base) or "" if self.canonical else ""

    def refreshed(self, source: str) -> list[Link]:
        """The link of a meta refresh that leads elsewhere."""
        target = canonical(self.refresh, self.base) if self.refresh else None
        return [Link(source, target, kind="refresh")] if target and target != self.url else []

    def _robots(self, content: str) -> None:
        self.nofollow |= "nofollow" in content or "none" in content
        self.noindex |= "noindex" in content or "none" in content


def _in_picture(node: LexborNode) -> bool:
    return node.parent is not None and node.parent.tag == "svg"
