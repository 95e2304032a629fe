"""The links of a page, each with its anchor, the text around it, its heading and its place in the DOM.

Marks are set around every link and heading, and the text of the page is taken once: a link is then a span of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from selectolax.lexbor import LexborNode

from clew.parse.url import join
from clew.types import Link

TAGS: Final = ("a", "area", "frame", "iframe")
UNSEEN: Final = frozenset(["iframe", "noembed", "noframes", "noscript", "script", "style", "template", "title"])

OUTER: Final = ("-document", "html", "body")

MOST: Final = 10_000  # links of a page; the few pages with more are dumps of addresses
ANCHOR: Final = 300  # characters; a longer anchor was never closed
AROUND: Final = 50  # characters on each side of a link, cut at words
LABEL: Final = 40  # characters of an id or class in a path
PATH: Final = 500  # characters of a path, after which deeper elements are left out

BLANKS: Final = "\n\t\r\f\v\xa0\u2003\u2009\u3000"

# The parser drops NUL from every page, so it can only come from us; the letter says what begins or ends.
MARK: Final = "\0"
LINK: Final = b"\0a"
POINT: Final = b"\0."
HEADING: Final = b"\0h"
END: Final = b"\0/"


Found = tuple[LexborNode, str, str, str, bool]
"""A link element with its kind, target, path and nofollow; a plain tuple because there are so many."""


@dataclass(slots=True)
class Span:
    """A stretch of the text, and the heading above it."""

    start: int
    end: int
    heading: Span | None = None


def find(elements: Iterable[tuple[str, LexborNode]], base: str, own: str) -> list[Found]:
    """The elements that lead to other pages; marks are set around them."""
    hrefs = list(_hrefs(elements))
    targets = join(base, [href for *_, href in hrefs])
    paths: dict[int, str | None] = {}
    found: list[Found] = []
    for tag, node, attributes, href in hrefs:
        target = targets[href]
        if target is None or target == own or (above := _path(node.parent, paths)) is None:
            continue
        nofollow = "rel" in attributes and "nofollow" in (attributes["rel"] or "").lower()
        found.append((node, tag, target, _step(above, tag, attributes), nofollow))
        _mark(tag, node)
        if len(found) == MOST:
            break
    return found


def mark_heading(node: LexborNode) -> None:
    """Let a heading be found again in the text."""
    node.insert_before(HEADING)
    node.insert_after(END)


def unmark(marked: str) -> tuple[str, list[Span]]:
    """The text without its marks, and the spans of the links in order."""
    pieces = collapse(marked).split(MARK)
    at = len(pieces[0])
    parts, links = [pieces[0]], []
    open_spans: list[Span] = []
    heading = None
    for piece in pieces[1:]:
        mark = piece[0]
        if mark == "/":
            open_spans.pop().end = at
        else:
            span = Span(at, at, heading)
            if mark == "h":
                heading = span
            else:
                links.append(span)
            if mark != ".":
                open_spans.append(span)
        parts.append(piece[2:])
        at += len(parts[-1])
    return "".join(parts), links


def collapse(text: str) -> str:
    """Every run of blanks as one space; a third of the cost of splitting and joining all words."""
    for blank in BLANKS:
        if blank in text:
            text = text.replace(blank, " ")
    while "  " in text:
        text = text.replace("  ", " ")
    return text.strip()


def describe(source: str, found: list[Found], spans: list[Span], text: str, before: list[Link]) -> Iterator[Link]:
    """The links with their context; of those with equal target and anchor only the first."""
    yield from before
    seen = {(link.url, link.anchor) for link in before}
    heading, above = None, ""
    for (node, tag, url, path, nofollow), span in zip(found, spans, strict=True):
        start, end = span.start, span.end
        anchor = text[start : min(end, start + ANCHOR)].strip() or _picture(node)
        if (url, anchor) in seen:
            continue
        if span.heading is not heading and (heading := span.heading):
            above = text[heading.start : min(heading.end, heading.start + ANCHOR)].strip()
        kind = "frame" if tag == "iframe" else tag
        yield Link(source, url, anchor, _around(text, start, end), above, path, len(seen), kind, nofollow)
        seen.add((url, anchor))


def _hrefs(
    elements: Iterable[tuple[str, LexborNode]],
) -> Iterator[tuple[str, LexborNode, dict[str, str | None], str]]:
    for tag, node in elements:
        attributes = node.attributes
        href = attributes.get("src" if tag == "iframe" or tag == "frame" else "href")
        if href:
            yield tag, node, attributes, href


def _mark(tag: str, node: LexborNode) -> None:
    if tag == "a":
        node.insert_before(LINK)
        node.insert_after(END)
    else:
        node.insert_before(POINT)


def _path(node: LexborNode | None, known: dict[int, str | None]) -> str | None:
    """The path of an element, each worked out once; None inside of what nobody sees."""
    fresh = []
    while node is not None and node.mem_id not in known:
        fresh.append(node)
        node = node.parent
    path = known[node.mem_id] if node is not None else ""
    for element in reversed(fresh):
        tag = element.tag
        if path is None or tag in UNSEEN:
            path = None
        elif tag not in OUTER and len(path) <= PATH:
            path = _step(path, tag or "", element.attributes)
        known[element.mem_id] = path
    return path


def _step(path: str, tag: str, attributes: dict[str, str | None]) -> str:
    name = attributes.get("id")
    if name:
        tag = f"{tag}#{name[:LABEL]}"
    elif names := attributes.get("class"):
        classes = names.split(None, 1)
        tag = f"{tag}.{classes[0][:LABEL]}" if classes else tag
    return f"{path}>{tag}" if path else tag


def _around(text: str, start: int, end: int) -> str:
    before = text[max(0, start - AROUND) : start]
    if start > AROUND:
        before = before[before.find(" ") + 1 :]
    after = text[end : end + AROUND]
    if len(text) > end + AROUND:
        after = after.rpartition(" ")[0]
    return f"{before.rstrip()} {after}".strip()


def _picture(node: LexborNode) -> str:
    """The words for an image inside a link that has none of its own, or for an area of an image."""
    for element in node.traverse():
        alt = element.attributes.get("alt") if element.tag in ("img", "area") else None
        if alt:
            return " ".join(alt[:ANCHOR].split())
    return ""
