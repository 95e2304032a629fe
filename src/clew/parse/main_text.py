"""The main text of a page: what it says, without menus, headers and footers, as light Markdown.

Headings begin with #, list items with - or a number, code stands between fences, and a blank line ends a paragraph.
Nothing else is marked up. Where a page has no main content, as a list of links has none, its whole text is taken.

Each block, list and region gets a mark in the tree, and all text is taken out in one go. The marks then tell what a
text is, and what is left out: what the page, by its elements, roles or class names, declares to be navigation,
advertising and the like, what lies outside of the main element if there is one, and lists that are nothing but links.
A region around the main heading is never left out, and no list that is most of the page.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import accumulate, chain, compress
from typing import Final

from selectolax.lexbor import LexborHTMLParser, LexborNode

from clew.parse import blocks
from clew.parse.cost import unbroken
from clew.parse.light_markdown import Writer
from clew.parse.marks import mark_after, mark_before
from clew.parse.regions import REGIONS, region

MAX_MAIN_CHARACTERS: Final = 200_000  # kept of one page: forty times the usual length
MAX_MARKED_CHARACTERS: Final = 2 * MAX_MAIN_CHARACTERS  # with what is left out
MIN_MAIN_CHARACTERS: Final = 100  # less than that is no content, but a page of links
MIN_SHARE_OF_MAIN: Final = 0.2  # of a page's text; a main element with less is an empty frame
MAX_SHARE_LEFT_OUT: Final = 0.5  # of a page's text; a region with more is what the page is about
MIN_SHARE_OF_LINKS: Final = 0.9  # of the letters of a list that says nothing but where else to go
MIN_LINKS: Final = 3  # in such a list

# NUL is removed from every page before it is parsed, so marks cannot be forged. Marks of links have other letters.
MARK: Final = "\0"
REGION_END: Final = b"\0)"
BLOCK: Final = b"\0p"
END: Final = b"\0e"  # of anything without a mark of its own
ROW: Final = b"\0r"
CELL: Final = b"\0c"
BREAK: Final = b"\0b"
ITEM: Final = b"\0i"
CODE: Final = b"\0k"
LISTS: Final = {"ul": b"\0u", "menu": b"\0u", "ol": b"\0o"}
LIST_LETTERS: Final = "uo"  # of these marks
LIST_END: Final = b"\0l"

HEADINGS: Final = {f"h{level}": b"\0%d" % level for level in range(1, 7)}
STARTS: Final = {**HEADINGS, **LISTS, "pre": CODE, "br": BREAK, "li": ITEM, "tr": ROW, "td": CELL, "th": CELL}
ENDS: Final = {"ul": LIST_END, "menu": LIST_END, "ol": LIST_END}
SINGLE: Final = frozenset(["br", "hr"])
ELEMENTS: Final = blocks.ELEMENTS | STARTS.keys() | REGIONS | {"center"}

_OF_LINKS: Final = frozenset("a./h")  # the marks of links and headings
# Tabs and line feeds stay. The zero-width space is what the index puts between characters.
_CONTROLS: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b]")


def tidy(text: str) -> str:
    """A main text without control characters, but with its lines and tabs, and not too long."""
    return _CONTROLS.sub("", text)[:MAX_MAIN_CHARACTERS].strip()


def mark_content(elements: Iterable[tuple[str, LexborNode]]) -> None:
    """Set marks at all blocks, lists and regions, before invisible elements are removed."""
    for name, node in elements:
        if name not in ELEMENTS:
            continue
        mark_before(node, STARTS.get(name, BLOCK))
        if name in SINGLE:
            continue
        if mark := region(name, node):
            mark_before(node, mark)
            mark_after(node, REGION_END)
        mark_after(node, ENDS.get(name, END))


def without_marks(text: str) -> str:
    """A text without the marks of content; those of links stay."""
    # Faster than a regular expression by far.
    first, *pieces = text.split(MARK)
    return first + "".join([MARK + piece if piece[0] in _OF_LINKS else piece[1:] for piece in pieces])


def main_text(tree: LexborHTMLParser) -> str:
    """The main text of a page whose content is marked."""
    if tree.body is None:
        return ""
    marked = unbroken(tree.body.text(separator=""))[:MAX_MARKED_CHARACTERS].rstrip(MARK)
    marks, texts, linked = _parts(marked)
    found = _written(marks, texts, _kept(marks, texts, linked))
    if len(found) < MIN_MAIN_CHARACTERS:
        found = _written(marks, texts, [True] * len(marks)) or found
    return tidy(found)


def _parts(marked: str) -> tuple[list[str], list[str], list[list[int]]]:
    """The marks of content, the text behind each, and the lengths of the links in it."""
    for mark in blocks.MARKS:
        marked = marked.replace(mark.decode(), "")
    first, *pieces = marked.split(MARK)
    marks = ["p"]
    texts = [first]
    linked: list[list[int]] = [[]]
    for piece in pieces:
        kind = piece[0]
        if kind in _OF_LINKS:
            texts[-1] += piece[1:]
            if kind == "a":
                linked[-1].append(len(piece) - 1)
        else:
            marks.append(kind)
            texts.append(piece[1:])
            linked.append([])
    return marks, texts, linked


def _kept(marks: list[str], texts: list[str], linked: list[list[int]]) -> list[bool]:
    """Which texts belong to the main content."""
    sums = [0, *accumulate(map(len, texts))]
    regions = list(_regions(marks))
    mains = [(start, end) for mark, start, end in regions if mark == "["]
    # A region around what the page is about was only given an unlucky name.
    heart = mains[-1][0] if mains else marks.index("1") if "1" in marks else None
    kept = [True] * len(marks)
    for mark, start, end in regions:
        is_large = sums[end] - sums[start] > MAX_SHARE_LEFT_OUT * sums[-1]
        is_content = is_large if heart is None else start <= heart < end
        is_left_out = mark == "(" and not is_content
        if is_left_out or (mark in LIST_LETTERS and not is_large and _is_of_links(texts[start:end], linked[start:end])):
            kept[start:end] = [False] * (end - start)
    if sum(sums[end] - sums[start] for start, end in mains) < MIN_SHARE_OF_MAIN * sums[-1]:
        return kept
    inside = [not mains] * len(marks)
    for start, end in mains:
        inside[start:end] = [True] * (end - start)
    return [keeps and within for keeps, within in zip(kept, inside, strict=True)]


def _is_of_links(texts: list[str], linked: list[list[int]]) -> bool:
    """Whether a list is nothing but links."""
    lengths = [*chain.from_iterable(linked)]
    letters = sum(len(text.strip()) for text in texts)
    return len(lengths) >= MIN_LINKS and sum(lengths) >= MIN_SHARE_OF_LINKS * letters


def _regions(marks: list[str]) -> Iterator[tuple[str, int, int]]:
    """The mark of each region, and of each list that is in no other, with its first and last place."""
    opened: list[tuple[str, int]] = []
    lists: list[tuple[str, int]] = []
    for place, mark in enumerate(marks):
        if mark == "(" or mark == "[":
            opened.append((mark, place))
        elif mark == ")" and opened:
            yield *opened.pop(), place
        elif mark in LIST_LETTERS:
            lists.append((mark, place))
        elif mark == "l" and lists:
            outermost = lists.pop()
            if not lists:
                yield *outermost, place
    # A long page is cut off within some.
    for mark, start in (*opened, *lists[:1]):
        yield mark, start, len(marks)


def _written(marks: list[str], texts: list[str], kept: list[bool]) -> str:
    writer = Writer()
    for mark, text in zip(compress(marks, kept), compress(texts, kept), strict=True):
        writer.add(mark, text)
    return writer.text
