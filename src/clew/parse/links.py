"""The links of a page, each with its anchor, the text around it, its heading and its place in the DOM.

Marks are set around every link and heading, and the text of the page is taken once: a link is then a span of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import accumulate
from typing import Any, Final

from selectolax.lexbor import LexborNode

from clew.parse.url import join
from clew.types import Link

TAGS: Final = ("a", "area", "frame", "iframe")
UNSEEN: Final = frozenset(["iframe", "noembed", "noframes", "noscript", "script", "style", "template", "title"])

OUTER: Final = frozenset(["-document", "html", "body"])
NO_STEP: Final = UNSEEN | OUTER
BLOCKS: Final = frozenset(
    ["ul", "ol", "dl", "menu", "table", "p", "nav", "header", "footer", "aside", "section", "article", "main"]
)  # links of one block are siblings: a list, a menu, a paragraph

MAX_LINKS_PER_PAGE: Final = 10_000  # links of a page; the few pages with more are dumps of addresses
ANCHOR: Final = 300  # characters; a longer anchor was never closed
AROUND: Final = 50  # characters on each side of a link, cut at words
LABEL: Final = 40  # characters of an id or class in a path
PATH: Final = 500  # characters of a path, after which deeper elements are left out
MEMO: Final = 10_000  # paths remembered, 3 MB of them

BLANKS: Final = "\n\t\r\f\v\xa0\u2003\u2009\u3000"

# The parser drops NUL from every page, so it can only come from us; the letter says what begins or ends.
MARK: Final = "\0"
LINK: Final = b"\0a"
POINT: Final = b"\0."
HEADING: Final = b"\0h"
END: Final = b"\0/"


Found = tuple[LexborNode, str, str, str, bool, int]
"""A link element with its kind, target, path, nofollow and block; a plain tuple because there are so many."""

Place = tuple[str | None, int]
"""The path of an element, None inside of what nobody sees, and the number of the block that it is in."""


Span = tuple[int, int, str]
"""Where the text of a link begins and ends, and the heading above it."""


class Steps(dict[tuple[str, str, str | None, str | None], str]):
    """From the path of an element, a tag in it, its id and its classes to the path of that.

    Siblings share one, and so do the pages of a site: they are made from few templates.

    >>> Steps()["ul.menu", "li", None, "first wide"]
    'ul.menu>li.first'
    """

    def __missing__(self, key: tuple[str, str, str | None, str | None]) -> str:
        path, step, name, names = key
        if name:
            step = f"{step}#{name[:LABEL]}"
        elif names and (classes := names.split(None, 1)):
            step = f"{step}.{classes[0][:LABEL]}"
        path = f"{path}>{step}" if path else step
        if len(path) + len(names or "") + len(name or "") < 2 * PATH:
            if len(self) >= MEMO:
                self.clear()
            self[key] = path
        return path


_steps: Final = Steps()


def find(elements: Iterable[tuple[str, LexborNode]], base: str, own: str) -> list[Found]:
    """The elements that lead to other pages; marks are set around them."""
    hrefs = _hrefs(elements)
    targets = join(base, [row[3] for row in hrefs])
    places: dict[int, Place] = {}
    found: list[Found] = []
    for tag, node, attributes, href in hrefs:
        target = targets[href]
        if target is None or target == own:
            continue
        above, block = _place(node.parent, places)
        if above is None:
            continue
        nofollow = "rel" in attributes and "nofollow" in (attributes["rel"] or "").lower()
        path = _steps[above, tag, attributes.get("id"), attributes.get("class")]
        found.append((node, tag, target, path, nofollow, block))
        if tag == "a":
            _before(node, LINK)
            _after(node, END)
        else:
            _before(node, POINT)
        if len(found) == MAX_LINKS_PER_PAGE:
            break
    return found


def mark_heading(node: LexborNode) -> None:
    """Let a heading be found again in the text."""
    _before(node, HEADING)
    _after(node, END)


def unmark(marked: str) -> tuple[str, list[Span]]:
    """The text without its marks, and the spans of the links in order."""
    first, *pieces = collapse(marked).split(MARK)
    parts = [first, *[piece[2:] for piece in pieces]]
    links: list[list[int]] = []  # start, end and how many headings came before
    headings: list[list[int]] = []
    opened: list[list[int]] = []
    for piece, at in zip(pieces, accumulate(map(len, parts)), strict=False):
        mark = piece[0]
        if mark == "/":
            opened.pop()[1] = at
            continue
        span = [at, at, len(headings)]
        (headings if mark == "h" else links).append(span)
        if mark != ".":
            opened.append(span)
    text = "".join(parts)
    above = ["", *[_cut(text, start, end) for start, end, _ in headings]]
    return text, [(start, end, above[count]) for start, end, count in links]


def collapse(text: str) -> str:
    """Every run of blanks as one space; splitting only at runs costs a third of splitting and joining all words."""
    for blank in BLANKS:
        if blank in text:
            text = text.replace(blank, " ")
    return " ".join([piece.lstrip(" ") for piece in text.split("  ") if piece and piece != " "]).strip()


def describe(source: str, found: list[Found], spans: list[Span], text: str, before: list[Link]) -> list[Link]:
    """The links with their context; of those with equal target and anchor only the first."""
    links = before.copy()
    seen = {(link.url, link.anchor) for link in before}
    for (node, tag, url, path, nofollow, block), (start, end, above) in zip(found, spans, strict=True):
        anchor = _cut(text, start, end) or _picture(node)
        if (key := (url, anchor)) in seen:
            continue
        kind = "frame" if tag == "iframe" else tag
        row = (source, url, anchor, _around(text, start, end), above, path, len(seen), kind, nofollow, block)
        links.append(tuple.__new__(Link, row))  # as Link(*row) does in twice the time
        seen.add(key)
    return links


def one_for_each_target(links: Iterable[Link]) -> Iterable[Link]:
    """A page speaks once for each target: with the first link that has words, else with the first."""
    chosen: dict[str, Link] = {}
    for link in links:
        if link.url not in chosen or (link.anchor and not chosen[link.url].anchor):
            chosen[link.url] = link
    return chosen.values()


def _for_bytes(insert: Any) -> Callable[[LexborNode, bytes], None]:
    """The variant of a compiled method for bytes; choosing it anew for each mark costs as much as the mark."""
    return insert[bytes] if hasattr(insert, "__signatures__") else insert  # type: ignore[no-any-return]


_before: Final = _for_bytes(LexborNode.insert_before)
_after: Final = _for_bytes(LexborNode.insert_after)


def _hrefs(
    elements: Iterable[tuple[str, LexborNode]],
) -> list[tuple[str, LexborNode, dict[str, str | None], str]]:
    found = []
    for tag, node in elements:
        attributes = node.attributes
        if href := attributes.get("href" if tag == "a" or tag == "area" else "src"):
            found.append((tag, node, attributes, href))
    return found


def _place(node: LexborNode | None, known: dict[int, Place]) -> Place:
    """Where an element is, each worked out once."""
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
        elif path is not None and len(path) <= PATH:
            attributes = element.attributes
            path = _steps[path, tag, attributes.get("id"), attributes.get("class")]
        if tag in BLOCKS:
            block = len(known) + 1
        known[number] = path, block
    return path, block


def _cut(text: str, start: int, end: int) -> str:
    return text[start : end if end - start < ANCHOR else start + ANCHOR].strip()


def _around(text: str, start: int, end: int) -> str:
    if start > AROUND:
        before = text[start - AROUND : start]
        before = before[before.find(" ") + 1 :]
    else:
        before = text[:start]
    after = text[end : end + AROUND]
    if len(text) > end + AROUND:
        after = after.rpartition(" ")[0]
    before, after = before.strip(), after.strip()
    return f"{before}\t{after}" if before or after else ""


def _picture(node: LexborNode) -> str:
    """The words for an image inside a link that has none of its own, or for an area of an image."""
    for element in node.traverse():
        alt = element.attributes.get("alt") if element.tag in ("img", "area") else None
        if alt:
            return " ".join(alt[:ANCHOR].split())
    return ""
