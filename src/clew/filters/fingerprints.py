"""The fingerprint of a page, made from its own words: menus repeat on every page, teasers change each time."""

from __future__ import annotations

from typing import Final

from clew.text.simhash import MAX_TEXT_BYTES, simhash
from clew.types import Doc

MIN_WORDS: Final = 80  # on a page with fewer, the links count as well
MAX_LINKS: Final = 1000  # of a page, the rest is ignored
MAX_REPEATS: Final = 8  # of a few own words, to give them the weight of many links


def fingerprint(doc: Doc) -> int:
    """64 bits that change little if the page changes little; 0 for a page without words.

    >>> from clew.types import Link
    >>> text = " ".join(f"word{number}" for number in range(90))
    >>> one, other = (Doc("", text=f"{text} {a}", links=(Link("", "", a),)) for a in ("a menu", "its items"))
    >>> fingerprint(one) == fingerprint(other)
    True
    """
    # On one line: anchors may reach over several blocks.
    text = doc.text[:MAX_TEXT_BYTES].replace("\n\n", "\n").replace("\n", " ")
    # The links of a menu are left out together with its text.
    links = [link for link in doc.links[:MAX_LINKS] if not link.menu]
    # The start is enough to tell a short text, and cheaper than a count of the whole.
    if text.count(" ", 0, 2000) < MIN_WORDS:
        return simhash(" ".join((doc.title, text, *(link.url for link in links))))
    own = own_words(text, [link.anchor for link in links])
    if 2 * len(own) >= len(text):
        return simhash(own)
    # Mostly links. Neither two lists in the same frame nor two short texts with the same menu are the same page, so
    # both the whole text and the page's own words must weigh.
    repeats = min(MAX_REPEATS, len(text) // (len(own) + 1))
    return simhash(f"{text[: MAX_TEXT_BYTES // 2]} " + f"{own} " * repeats)


def own_words(text: str, anchors: list[str]) -> str:
    """A text without the anchors of its links, which must come in the order of the text.

    >>> own_words("Home News The boat sails on Contact", ["Home", "News", "Contact"])
    'The boat sails on'
    """
    parts: list[str] = []
    position = 0
    for anchor in anchors:
        if anchor and (found := text.find(anchor, position)) >= 0:
            parts.append(text[position:found].strip())
            position = found + len(anchor)
    parts.append(text[position:].strip())
    return " ".join(filter(None, parts))
