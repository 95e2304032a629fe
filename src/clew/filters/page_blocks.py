"""The blocks of a page, which may repeat on other pages: lines of its text, headings, parts of its title, and links.

A block is a number that stands for its words; what is of another kind has another number, so that a heading is no menu
item, even if it has the same words. Digits do not count, for they number and date.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Self
from zlib import crc32

from clew.types import Doc, Link

# Menus stand at the top and at the end of a page.
FIRST_BLOCKS: Final = 200  # that are counted
LAST_BLOCKS: Final = 100

_HEADING: Final = 1
_LINK: Final = 2
_TITLE: Final = 3
_NOTHING: Final = frozenset(crc32(b"", kind) for kind in range(4))
_TITLE_PARTS: Final = re.compile(r"\s+[|/\\:·•»«>—–-]+\s+|:\s+")


@dataclass(frozen=True, slots=True)
class PageBlocks:
    """A document with its blocks.

    >>> one, other = (PageBlocks.of(Doc("", "Oak - Boats", f"Oak - Boats\\nPage {number}")) for number in (1, 2))
    >>> one.lines == other.lines, one.title_parts
    (True, ['Oak', 'Boats'])
    """

    doc: Doc
    texts: list[str]  # the lines of its text without the title
    lines: list[int]
    title_parts: list[str]
    title: list[int]
    links: list[int]

    @classmethod
    def of(cls, doc: Doc) -> Self:
        """The blocks of a document."""
        # The title is the first line of the text.
        text = doc.text.removeprefix(doc.title).removeprefix("\n") if doc.title else doc.text
        title_parts = _TITLE_PARTS.split(doc.title)
        texts = text.split("\n")
        return cls(doc, texts, _lines(texts), title_parts, _numbers(title_parts, _TITLE), _links(doc.links))

    def counted(self) -> dict[int, None]:
        """Every block once; of many, the first and the last."""
        found = dict.fromkeys(_ends(self.lines))
        found |= dict.fromkeys(_ends(self.links))
        found |= dict.fromkeys(self.title)
        for nothing in _NOTHING:
            found.pop(nothing, None)
        return found


def heading_block(heading: str) -> int:
    """The number of a heading."""
    return _numbers([heading], _HEADING)[0]


def _numbers(texts: Iterable[str], kind: int = 0) -> list[int]:
    # One call for all texts: most of them are short.
    data = "\n".join(texts).encode("utf-8", "surrogatepass").translate(None, b"0123456789")
    return [crc32(text, kind) for text in data.split(b"\n")]


def _lines(texts: list[str]) -> list[int]:
    found = _numbers(texts)
    # A blank line belongs to the heading below it.
    for blank, text in enumerate(texts[:-1]):
        if not text:
            found[blank] = found[blank + 1] = heading_block(texts[blank + 1])
    return found


def _links(links: tuple[Link, ...]) -> list[int]:
    # A number in a URL is part of the address.
    data = "\n".join([link.url + " " + link.anchor for link in links]).encode("utf-8", "surrogatepass")
    return [crc32(text, _LINK) for text in data.split(b"\n")] if links else []


def _ends(blocks: list[int]) -> list[int]:
    if len(blocks) <= FIRST_BLOCKS + LAST_BLOCKS:
        return blocks
    return [*blocks[:FIRST_BLOCKS], *blocks[-LAST_BLOCKS:]]
