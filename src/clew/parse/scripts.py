"""Links in the scripts and attributes of a page: plain URLs in `data-href`, `onclick`, `location = …`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

from selectolax.lexbor import LexborHTMLParser, LexborNode

from clew.parse.links import MAX_ANCHOR_CHARACTERS, UNSEEN
from clew.parse.navigation import script_targets
from clew.parse.url import join
from clew.types import Link

ATTRIBUTES: Final = ("data-href", "data-url", "data-link")
WITH_CODE: Final = ("onclick", "onmousedown")
MAX_SCRIPT_LINKS_PER_PAGE: Final = 200

Named = tuple[str, str]
"""A URL as it is written, and the text that serves as its anchor."""


def find_links(tree: LexborHTMLParser) -> list[Named]:
    """The distinct URLs named by attributes, then by scripts; call this before scripts are removed from the tree.

    >>> html = "<li data-href=/a>one<b onclick=\\"location='/b'\\">two</b><script>x = '/c'</script>"
    >>> find_links(LexborHTMLParser(html))
    [('/a', 'one two'), ('/b', 'two')]
    """
    found: dict[Named, None] = {}
    for name in _all(tree):
        found.setdefault(name)
        if len(found) == MAX_SCRIPT_LINKS_PER_PAGE:
            break
    return list(found)


def links(source: str, names: Sequence[Named], base: str, known: Sequence[Link]) -> list[Link]:
    """These URLs as links, except those that the page links to anyway."""
    seen = {link.url for link in known} | {source}
    targets = join(base, [address for address, _ in names])
    found: list[Link] = []
    for address, anchor in names:
        url = targets[address]
        if url and url not in seen:
            seen.add(url)
            found.append(Link(source, url, anchor, kind="script", position=len(known) + len(found)))
    return found


def _all(tree: LexborHTMLParser) -> Iterator[Named]:
    for attribute in ATTRIBUTES:
        for node in tree.css(f"[{attribute}]")[:MAX_SCRIPT_LINKS_PER_PAGE]:
            address = (node.attributes[attribute] or "").strip()
            if address:
                yield address, _words(node)
    for attribute in WITH_CODE:
        for node in tree.css(f"[{attribute}]")[:MAX_SCRIPT_LINKS_PER_PAGE]:
            for address in script_targets(node.attributes[attribute] or ""):
                yield address, _words(node)
    for node in tree.css("script:not([src])")[:MAX_SCRIPT_LINKS_PER_PAGE]:
        for address in script_targets(node.text()):
            yield address, ""


def _words(node: LexborNode) -> str:
    """The first words in an element."""
    words: list[str] = []
    # The element may be as large as the page, so only its first nodes are visited.
    for part in islice(node.traverse(include_text=True), MAX_ANCHOR_CHARACTERS):
        if part.tag == "-text" and part.parent is not None and part.parent.tag not in UNSEEN:
            words += (part.text_content or "")[:MAX_ANCHOR_CHARACTERS].split()
    return " ".join(words)[:MAX_ANCHOR_CHARACTERS]
