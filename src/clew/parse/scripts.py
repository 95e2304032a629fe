"""The plain URLs that a page's scripts and attributes name: `data-href`, `onclick`, `location = …`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

from selectolax.lexbor import LexborHTMLParser, LexborNode

from clew.parse.links import ANCHOR, UNSEEN
from clew.parse.url import join
from clew.types import Link

ATTRIBUTES: Final = ("data-href", "data-url", "data-link")
WITH_CODE: Final = ("onclick", "onmousedown")
MAX_SCRIPT_LINKS_PER_PAGE: Final = 200  # links of this kind on a page
CODE: Final = 100_000  # characters of one script; what leads elsewhere is not in libraries
GOES: Final = re.compile(
    r"""\b(?:location(?:\.href)?\s*=\s*|location\.(?:assign|replace)\(\s*|window\.open\(\s*)"""
    r"""(?:"([^"\\<>\s]{1,2000})"|'([^'\\<>\s]{1,2000})')\s*(?=[;,)}\n]|\Z)"""
)

Named = tuple[str, str]
"""An address as it is written, and the words that stand for it."""


def named(tree: LexborHTMLParser) -> list[Named]:
    """What is named so, in the order of kinds; to be asked before scripts are taken out of the tree.

    >>> named(LexborHTMLParser("<li data-href=/a>one<b onclick=\\"location='/b'\\">two</b><script>x = '/c'</script>"))
    [('/a', 'one two'), ('/b', 'two')]
    """
    found: dict[Named, None] = {}
    for name in _all(tree):
        found.setdefault(name)
        if len(found) == MAX_SCRIPT_LINKS_PER_PAGE:
            break
    return list(found)


def links(source: str, names: Sequence[Named], base: str, known: Sequence[Link]) -> list[Link]:
    """The names as links, but for those that the page links to anyway."""
    seen = {link.url for link in known} | {source}
    targets = join(base, [address for address, _ in names])
    found: list[Link] = []
    for address, anchor in names:
        if (url := targets[address]) and url not in seen:
            seen.add(url)
            found.append(Link(source, url, anchor, kind="script", position=len(known) + len(found)))
    return found


def _all(tree: LexborHTMLParser) -> Iterator[Named]:
    for attribute in ATTRIBUTES:
        for node in tree.css(f"[{attribute}]")[:MAX_SCRIPT_LINKS_PER_PAGE]:
            if address := (node.attributes[attribute] or "").strip():
                yield address, _words(node)
    for attribute in WITH_CODE:
        for node in tree.css(f"[{attribute}]")[:MAX_SCRIPT_LINKS_PER_PAGE]:
            for address in _goes(node.attributes[attribute] or ""):
                yield address, _words(node)
    for node in tree.css("script:not([src])")[:MAX_SCRIPT_LINKS_PER_PAGE]:
        for address in _goes(node.text()):
            yield address, ""


def _goes(code: str) -> Iterator[str]:
    for match in GOES.finditer(code, 0, CODE):
        yield match[1] or match[2]


def _words(node: LexborNode) -> str:
    """The first words in an element; it may be as large as the page."""
    words: list[str] = []
    for part in islice(node.traverse(include_text=True), ANCHOR):
        if part.tag == "-text" and part.parent is not None and part.parent.tag not in UNSEEN:
            words += (part.text_content or "")[:ANCHOR].split()
    return " ".join(words)[:ANCHOR]
