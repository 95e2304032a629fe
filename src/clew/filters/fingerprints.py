"""The fingerprint of a page by its own words: links are the same menu everywhere, or others each time."""

from __future__ import annotations

from typing import Final

from clew.text.simhash import MAX_TEXT_BYTES, simhash
from clew.types import Doc

FEW: Final = 80
"""Words below which a page is the same as another only if its links are, too."""
LINKS: Final = 1000  # of a page that are looked at
WEIGHT: Final = 8  # times at most that few own words are said again to weigh as much as the links


def fingerprint(doc: Doc) -> int:
    """64 bits that change little when the page does; 0 for a page without words.

    >>> from clew.types import Link
    >>> text = " ".join(f"word{number}" for number in range(90))
    >>> one, other = (Doc("", text=f"{text} {a}", links=(Link("", "", a),)) for a in ("a menu", "its items"))
    >>> fingerprint(one) == fingerprint(other)
    True
    """
    text = doc.text[:MAX_TEXT_BYTES]
    if text.count(" ", 0, 2000) < FEW:
        return simhash(" ".join((doc.title, text, *(link.url for link in doc.links[:LINKS]))))
    own = own_words(text, [link.anchor for link in doc.links[:LINKS]])
    if 2 * len(own) >= len(text):
        return simhash(own)
    # A list of links: neither two lists with the same frame nor two short texts with the same menu are one page.
    return simhash(f"{text[: MAX_TEXT_BYTES // 2]} " + f"{own} " * min(WEIGHT, len(text) // (len(own) + 1)))


def own_words(text: str, anchors: list[str]) -> str:
    """A text without its links, whose anchors come in the order of the text.

    >>> own_words("Home News The boat sails on Contact", ["Home", "News", "Contact"])
    'The boat sails on'
    """
    parts, at = list[str](), 0
    for anchor in anchors:
        if anchor and (found := text.find(anchor, at)) >= 0:
            parts.append(text[at:found].strip())
            at = found + len(anchor)
    return " ".join(filter(None, (*parts, text[at:].strip())))
