"""The contexts of links on a page from which menus were left out."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass, field
from typing import Final

from clew.filters.page_blocks import heading_block
from clew.parse.links import around
from clew.types import Link

MAX_MISSES: Final = 100  # links of a page that are looked for in vain; the others keep their contexts


def in_context(links: tuple[Link, ...], blocks: Sequence[int], text: str, repeated: Container[int]) -> tuple[Link, ...]:
    """The links of a page of which only this text is left; links that repeat are marked and have no context.

    >>> menu = Link("", "/home", "Home", "\\tSailing boats The")
    >>> link = Link("", "/oak", "oak", "Home Sailing boats The\\tboat")
    >>> for found in in_context((menu, link), [7, 8], "The oak boat", {7}):
    ...     print(found.anchor, repr(found.around), found.menu)
    Home '' True
    oak 'The\\tboat' False
    """
    contexts = _Contexts(text.replace("\n\n", "\n").replace("\n", " "), repeated)
    found: list[Link] = []
    for link, block in zip(links, blocks, strict=True):
        if block in repeated:
            found.append(link._replace(around="", heading="", menu=True))
            continue
        context = contexts.around(link)
        heading = contexts.heading(link)
        # Most links stay as they are and need no copy.
        is_same = context is link.around and heading is link.heading
        found.append(link if is_same else link._replace(around=context, heading=heading))
    return tuple(found)


@dataclass
class _Contexts:
    """Looks for links in a text, in which they must come in order."""

    text: str
    repeated: Container[int]
    place: int = 0  # behind the last link that was found
    misses: int = 0
    headings: dict[str, str] = field(default_factory=dict)

    def heading(self, link: Link) -> str:
        """The heading above a link, or "" if it repeats."""
        name = link.heading
        if name not in self.headings:
            self.headings[name] = "" if heading_block(name) in self.repeated else name
        return self.headings[name]

    def around(self, link: Link) -> str:
        """What stands around a link in this text; where it cannot be found, what stood around it before."""
        if not link.around or not link.anchor or self.misses >= MAX_MISSES:
            return link.around
        start = self.text.find(link.anchor, self.place)
        end = start + len(link.anchor)
        context = around(self.text, start, end) if start >= 0 else ""
        if context != link.around and not _agree(context, link.around):
            self.misses += 1
            return link.around
        self.place = end
        return context


def _agree(one: str, other: str) -> bool:
    """Whether two contexts are the same on one side of the link, up to their length.

    The words of an anchor may stand elsewhere, too; there, both sides differ.
    """
    before, _, after = one.partition("\t")
    other_before, _, other_after = other.partition("\t")
    if before and other_before and (before.endswith(other_before) or other_before.endswith(before)):
        return True
    return bool(after and other_after and (after.startswith(other_after) or other_after.startswith(after)))
