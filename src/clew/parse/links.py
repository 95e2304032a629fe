"""The links of a page, each with its anchor, the text around it, its heading and its path in the DOM.

Every link and heading is surrounded by marks before the text of the page is extracted, once: each link is then a span
of that text.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import accumulate
from typing import Final

from selectolax.lexbor import LexborNode

from clew.parse import blocks, media, mime
from clew.parse.marks import mark_after, mark_before
from clew.parse.navigation import is_address, script_url_target
from clew.parse.url import join
from clew.types import Link

# The attribute of each element that links to a page.
ADDRESSES: Final = {
    "a": "href",
    "area": "href",
    "embed": "src",
    "frame": "src",
    "iframe": "src",
    "object": "data",
    "option": "value",
}
WITH_TEXT: Final = frozenset(["a", "option"])
UNSEEN: Final = frozenset(["iframe", "noembed", "noframes", "script", "style", "template", "title"])

OUTER: Final = frozenset(["-document", "html", "body", "noscript"])
NO_STEP: Final = UNSEEN | OUTER
# Links of one block are siblings: those of a list, a menu, a paragraph.
BLOCKS: Final = frozenset(
    ["ul", "ol", "dl", "menu", "table", "p", "nav", "header", "footer", "aside", "section", "article", "main"]
)

NO_SIZE: Final = frozenset(["0", "1", "0px", "1px"])

MAX_LINKS_PER_PAGE: Final = 10_000  # the few pages with more are dumps of URLs
MAX_ANCHOR_CHARACTERS: Final = 300  # a longer anchor was never closed
AROUND_CHARACTERS: Final = 50  # on each side of a link, cut at words
MAX_LABEL_CHARACTERS: Final = 40  # of an id or class in a path
MAX_PATH_CHARACTERS: Final = 500  # deeper elements are left out
MAX_CACHED_PATHS: Final = 10_000  # 3 MB of them

BLANKS: Final = "\n\t\r\f\v\xa0\u2003\u2009\u3000"

# NUL is removed from every page before it is parsed, so marks cannot be forged; the letter tells what begins or ends.
MARK: Final = "\0"
LINK: Final = b"\0a"
POINT: Final = b"\0."
END: Final = b"\0/"
# A heading is a block of its own.
HEADING: Final = blocks.ABOVE_HEADING + b"\0h"
HEADING_END: Final = b"\0/ " + blocks.START


Found = tuple[LexborNode, str, str, str, bool, int]
"""A link element with its tag, target, path, nofollow and block; a plain tuple because there are so many."""

Place = tuple[str | None, int]
"""The path of an element (None if it is invisible) and the number of its block."""

Span = tuple[int, int, str]
"""The start and end of a link in the text, and the heading above it."""


class Steps(dict[tuple[str, str, str | None, str | None], str]):
    """A cache of paths: from the path of a parent and the tag, id and classes of a child to the path of the child.

    Siblings share a path, and so do the pages of a site, which are made from a few templates.

    >>> Steps()["ul.menu", "li", None, "first wide"]
    'ul.menu>li.first'
    """

    def __missing__(self, key: tuple[str, str, str | None, str | None]) -> str:
        path, step, name, names = key
        if name:
            step = f"{step}#{name[:MAX_LABEL_CHARACTERS]}"
        elif names and (classes := names.split(None, 1)):
            step = f"{step}.{classes[0][:MAX_LABEL_CHARACTERS]}"
        path = f"{path}>{step}" if path else step
        # Keys hold ids and classes in full: long ones, which repeat nowhere, would only fill the memory.
        if len(path) + len(names or "") + len(name or "") < 2 * MAX_PATH_CHARACTERS:
            if len(self) >= MAX_CACHED_PATHS:
                self.clear()
            self[key] = path
        return path


_steps: Final = Steps()


def find(
    elements: Iterable[tuple[str, LexborNode]],
    base: str,
    own: str,
    unseen: Iterable[LexborNode] = (),
    with_media: bool = False,
) -> list[Found]:
    """The elements that link to other pages, but for those inside `unseen`; marks are set around them."""
    hrefs = _hrefs(elements, with_media)
    targets = join(base, [row[3] for row in hrefs])
    places: dict[int, Place] = {node.mem_id: (None, 0) for node in unseen}
    found: list[Found] = []
    for tag, node, attributes, href in hrefs:
        target = targets[href] or script_url_target(href, base)
        if target is None or target == own:
            continue
        above, block = _place(node.parent, places)
        # Nobody can click a link inside an invisible element.
        if above is None:
            continue
        nofollow = "rel" in attributes and "nofollow" in (attributes["rel"] or "").lower()
        path = _steps[above, tag, attributes.get("id"), attributes.get("class")]
        found.append((node, tag, target, path, nofollow, block))
        if tag in WITH_TEXT:
            mark_before(node, LINK)
            mark_after(node, END)
        else:
            # The others have no text of their own, only a place in it.
            mark_before(node, POINT)
        if len(found) == MAX_LINKS_PER_PAGE:
            break
    return found


def mark_heading(node: LexborNode) -> None:
    """Set marks around a heading."""
    mark_before(node, HEADING)
    mark_after(node, HEADING_END)


def unmark(marked: str) -> tuple[str, list[Span], str]:
    """The text without its marks, the spans of the links in order, and the text in lines, one for each block."""
    in_blocks = blocks.trimmed(collapse(marked))
    first, *pieces = blocks.unmark(in_blocks).split(MARK)
    parts = [first, *[piece[2:] for piece in pieces]]
    links: list[list[int]] = []  # start, end and how many headings came before
    headings: list[list[int]] = []
    opened: list[list[int]] = []
    for piece, at in zip(pieces, accumulate(map(len, parts)), strict=False):
        mark = piece[0]
        # Elements are nested, so an end always belongs to what was opened last.
        if mark == "/":
            opened.pop()[1] = at
            continue
        span = [at, at, len(headings)]
        if mark == "h":
            headings.append(span)
        else:
            links.append(span)
        if mark != ".":
            opened.append(span)
    text = "".join(parts)
    above = ["", *[_cut(text, start, end) for start, end, _ in headings]]
    spans = [(start, end, above[count]) for start, end, count in links]
    first, *pieces = in_blocks.split(MARK)
    return text, spans, blocks.lines(first + "".join([piece[2:] for piece in pieces]))


def collapse(text: str) -> str:
    """The text with every run of whitespace replaced by one space."""
    # Splitting only at runs of spaces costs a third of splitting at every word.
    for blank in BLANKS:
        if blank in text:
            text = text.replace(blank, " ")
    return " ".join([piece.lstrip(" ") for piece in text.split("  ") if piece and piece != " "]).strip()


def describe(source: str, found: list[Found], spans: list[Span], text: str, before: list[Link]) -> list[Link]:
    """The links with their context; of links with equal target and anchor, only the first."""
    links = before.copy()
    seen = {(link.url, link.anchor) for link in before}
    for (node, tag, url, path, nofollow, block), (start, end, above) in zip(found, spans, strict=True):
        anchor = _cut(text, start, end) or (media.caption(node) if tag in media.ELEMENTS else _picture(node))
        key = (url, anchor)
        if key in seen:
            continue
        kind = "frame" if tag == "iframe" else tag
        row = (source, url, anchor, around(text, start, end), above, path, len(seen), kind, nofollow, block, False)
        # The same as Link(*row), in half the time.
        links.append(tuple.__new__(Link, row))
        seen.add(key)
    return links


def one_for_each_target(links: Iterable[Link]) -> Iterable[Link]:
    """One link per target: the first with an anchor text, else the first."""
    # A page counts as one source, however often it repeats a link.
    chosen: dict[str, Link] = {}
    for link in links:
        if link.url not in chosen or (link.anchor and not chosen[link.url].anchor):
            chosen[link.url] = link
    return chosen.values()


def _hrefs(
    elements: Iterable[tuple[str, LexborNode]], with_media: bool
) -> list[tuple[str, LexborNode, dict[str, str | None], str]]:
    found = []
    for tag, node in elements:
        attributes = node.attributes
        name = ADDRESSES.get(tag)
        href = attributes.get(name) if name else media.address(tag, node, attributes)
        if tag == "a":
            # In pictures (SVG) links have the attribute of XLink, too.
            href = href or attributes.get("xlink:href")
        elif href and not _leads_to_page(tag, href, attributes, with_media):
            continue
        if href:
            found.append((tag, node, attributes, href))
    return found


def _leads_to_page(tag: str, href: str, attributes: Mapping[str, str | None], with_media: bool) -> bool:
    """Whether an element other than an ordinary link shows or opens what is wanted, as far as it says."""
    if tag == "option":
        return is_address(href)
    # Frames without a size count visitors.
    if attributes.get("width") in NO_SIZE or attributes.get("height") in NO_SIZE:
        return False
    kind = mime.of(attributes.get("type") or "")
    return kind.readable or kind.essence == "application/pdf" or (with_media and kind.media)


def _place(node: LexborNode | None, known: dict[int, Place]) -> Place:
    """The path and block of an element; those of all its ancestors are remembered in `known`."""
    fresh: list[tuple[int, LexborNode]] = []
    path: str | None = ""
    block = 0
    while node is not None:
        number = node.mem_id
        if number in known:
            path, block = known[number]
            break
        fresh.append((number, node))
        node = node.parent
    for number, element in reversed(fresh):
        tag = element.tag or ""
        if tag in NO_STEP:
            path = None if tag in UNSEEN else path
        elif path is not None and len(path) <= MAX_PATH_CHARACTERS:
            attributes = element.attributes
            path = _steps[path, tag, attributes.get("id"), attributes.get("class")]
        # Any number that differs from those of other blocks will do.
        if tag in BLOCKS:
            block = len(known) + 1
        known[number] = path, block
    return path, block


def _cut(text: str, start: int, end: int) -> str:
    if end - start > MAX_ANCHOR_CHARACTERS:
        end = start + MAX_ANCHOR_CHARACTERS
    return text[start:end].strip()


def around(text: str, start: int, end: int) -> str:
    """The words on both sides of a link, with a tab in its place; "" if there are none."""
    if start > AROUND_CHARACTERS:
        before = text[start - AROUND_CHARACTERS : start]
        before = before[before.find(" ") + 1 :]
    else:
        before = text[:start]
    after = text[end : end + AROUND_CHARACTERS]
    if len(text) > end + AROUND_CHARACTERS:
        after = after.rpartition(" ")[0]
    before = before.strip()
    after = after.strip()
    return f"{before}\t{after}" if before or after else ""


def _picture(node: LexborNode) -> str:
    """The alternative text of the image in a link without words, or of an area."""
    for element in node.traverse():
        alt = element.attributes.get("alt") if element.tag in ("img", "area") else None
        if alt:
            return " ".join(alt[:MAX_ANCHOR_CHARACTERS].split())
    return ""
