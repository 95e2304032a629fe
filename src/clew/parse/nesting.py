"""A guard against pages made to choke a parser: a few kilobytes of markup can cost gigabytes or minutes.

A parser compares every attribute of a tag with all the others, searches its stack of open elements for many tags, and
opens each unclosed formatting element again in every new paragraph: all three grow with the square of the page.
Real pages stay far below the limits.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import Any, Final

import numpy as np

HARMLESS: Final = 2000  # tags; whatever they are, they make at most half a million elements
LARGE: Final = 10_000  # tags; as deep as so many can be nested takes a third of a second
DEEPEST: Final = 300  # open elements; of 20,000 real pages none had more than 160
COPIES: Final = 500_000  # formatting elements opened again, 250 MB of them
BLOCK: Final = 20_000  # bytes; a tag so long may be one picture, but not a thousand attributes
MAX_ATTRIBUTES_PER_TAG: Final = 1000  # attributes of such a tag

# Elements that hold nothing, or that end by themselves where the next one begins.
SINGLE: Final = "area base br col dd dt embed hr img input li link meta option p param source td th tr track wbr"
FORMATTING: Final = "b big code em font i nobr s small strike strong tt u"
FORMAT_TAG: Final = re.compile(rf"</?(?:{FORMATTING.replace(' ', '|')})(?:[\s/][^<>]*)?>".encode(), re.I)
CONTAINER_TAG: Final = re.compile(
    rb"</?(?!(?:a|area|base|frame|iframe|img|link|meta|noscript|script|style|title)[\s/>])[a-z][^<>]*>", re.I
)

TAG: Final = re.compile(rb"""<[a-z](?:[^>"']++|"[^"]*+"|'[^']*+'|["'])*+>?""", re.I)
ATTRIBUTE: Final = re.compile(rb"""[^\s/"']*+(?:"[^"]*+"|'[^']*+'|[\s/"']+|\Z)""")


def tame(html: bytes) -> bytes:
    """The page as it is, or what is left of it when the costly parts are taken out."""
    return flat(html if len(html) < 2 * BLOCK else short(html))


def short(html: bytes) -> bytes:
    """Without tags of thousands of attributes; only blocks that lack an angle bracket can hide one.

    >>> short(b"<p " + b"x " * 40000 + b">text")
    b'text'
    """
    kept: list[bytes] = []
    begin, seen = 0, -1
    for start in range(0, len(html), BLOCK):
        end = start + BLOCK
        if html.find(b">", start, end) >= 0 and html.find(b"<", start, end) >= 0:
            continue
        at = html.rfind(b"<", begin, start + 1)
        tag = TAG.match(html, at) if at > seen else None  # each once, however many blocks it fills
        seen = max(seen, at)
        if tag and tag.end() >= end and _many(html, tag):
            kept.append(html[begin : tag.start()])
            begin = tag.end()
    return b"".join([*kept, html[begin:]]) if kept else html


def _many(html: bytes, tag: re.Match[bytes]) -> bool:
    attributes = ATTRIBUTE.finditer(html, tag.start(), tag.end())
    return sum(1 for _ in islice(attributes, MAX_ATTRIBUTES_PER_TAG + 1)) > MAX_ATTRIBUTES_PER_TAG


def flat(html: bytes) -> bytes:
    """The page as it is, or without formatting or any containers when these are nested beyond reason.

    >>> flat(b"<div>" * 20000 + b"<a href=x>y</a>").strip()
    b'<a href=x>y</a>'
    """
    total = html.count(b"<")
    if total < HARMLESS:
        return html
    data = np.frombuffer(html + b"        ", dtype=np.uint8)
    tags = np.flatnonzero(data[:-8] == ord("<")) + 1
    depth, formatting = nesting(data, _formatting(data, tags) if total < LARGE else tags)
    if depth > DEEPEST:
        return CONTAINER_TAG.sub(b" ", html)
    return FORMAT_TAG.sub(b" ", html) if total * formatting > COPIES else html


def nesting(data: Any, tags: Any) -> tuple[int, int]:
    """Upper bounds for the depth of open elements and of formatting ones, by start and end tags of each name."""
    closing = data[tags] == ord("/")
    tags = tags + closing
    names = _names(data, tags)
    length = _LENGTH[names]
    counted = (names > 0) & ((length == 0) | ~_ENDS[data[tags + length]])
    names, steps = names[counted], np.where(closing[counted], -1, 1)
    if not len(names):
        return 0, 0
    order = np.argsort(names, kind="stable")
    return _rises(names[order], steps[order])


def _formatting(data: Any, tags: Any) -> Any:
    """The tags that may be formatting; counting only these spares most of the work."""
    at = tags + (data[tags] == ord("/"))
    return tags[_FORMATS[data[at].astype(np.uint16) << 8 | data[at + 1]]]


def _names(data: Any, at: Any) -> Any:
    """The first three letters of each tag's name in 15 bits, which NumPy sorts in linear time."""
    names = np.zeros(len(at), dtype=np.uint16)
    letters = np.ones(len(at), dtype=bool)
    for offset in range(3):
        letter = (data[at + offset] | 32) - np.uint8(ord("a"))  # wraps around below "a"
        letters &= letter < 26
        names = (names << 5) + (letter + np.uint8(1)) * letters
    return names


def _rises(names: Any, steps: Any) -> tuple[int, int]:
    """The greatest rise of the count within each name: a stray end tag must not hide a later start."""
    starts = np.ones(len(names), dtype=bool)
    starts[1:] = names[1:] != names[:-1]
    # Each name begins far below the one before, so that its lowest point is looked for among its own tags.
    count = np.cumsum(steps - starts * (2 * len(names)))
    first = np.flatnonzero(starts)
    rises = np.maximum.reduceat(count - np.minimum.accumulate(count - steps), first).clip(0)
    return int(rises.sum()), int(rises[_IS_FORMATTING[names[first]]].sum())


def _keys(names: str) -> list[int]:
    return [int(_names(np.frombuffer(f"{name:3}".encode(), np.uint8), np.zeros(1, int))[0]) for name in names.split()]


def _formats() -> Any:
    """By the first two characters of a tag: whether it can be a formatting one."""
    table = np.zeros(1 << 16, dtype=bool)
    for name in FORMATTING.split():
        for second in b" \t\r\n\f/>" if len(name) == 1 else (ord(name[1]), ord(name[1].upper())):
            table[[ord(first) << 8 | second for first in (name[0], name[0].upper())]] = True
    return table


_IS_FORMATTING: Final = np.zeros(1 << 15, dtype=bool)
_IS_FORMATTING[_keys(FORMATTING)] = True
_FORMATS: Final = _formats()
# By the key of a name: its full length if it needs no end tag. <link-list> is not <link>: the name must end there.
_LENGTH: Final = np.zeros(1 << 15, dtype=np.uint8)
_LENGTH[_keys(SINGLE)] = [len(name) for name in SINGLE.split()]
_ENDS: Final = np.isin(np.arange(256), list(b" \t\r\n\f/>"))
