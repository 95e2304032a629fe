"""A guard against pages made to choke a parser: a few kilobytes of markup can cost gigabytes or minutes.

A parser compares every attribute of a tag with all others, searches its stack of open elements for many tags, and
reopens each unclosed formatting element in every new paragraph: all three costs grow with the square of the page size.
Real pages stay far below the limits.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import Any, Final

import numpy as np

HARMLESS_TAGS: Final = 2000  # whatever they are, they make at most half a million elements
LARGE_PAGE_TAGS: Final = 10_000  # nested as deeply as possible, they take a third of a second
MAX_OPEN_ELEMENTS: Final = 300  # of 20,000 real pages none had more than 160
MAX_REOPENED_ELEMENTS: Final = 500_000  # formatting elements, 250 MB of them
LONG_TAG_BYTES: Final = 20_000  # a tag so long may hold a picture, but not a thousand attributes
MAX_ATTRIBUTES_PER_TAG: Final = 1000

# Elements that are always empty, or that end by themselves where the next one begins: they cannot nest.
SINGLE: Final = "area base br col dd dt embed hr img input li link meta option p param source td th tr track wbr"
END_OF_NAME: Final = " \t\r\n\f/>"
FORMATTING: Final = "b big code em font i nobr s small strike strong tt u"
FORMAT_TAG: Final = re.compile(rf"</?(?:{FORMATTING.replace(' ', '|')})(?:[\s/][^<>]*)?>".encode(), re.I)
CONTAINER_TAG: Final = re.compile(
    rb"</?(?!(?:a|area|base|frame|iframe|img|link|meta|script|style|title)[\s/>])[a-z][^<>]*>", re.I
)

TAG: Final = re.compile(rb"""<[a-z](?:[^>"']++|"[^"]*+"|'[^']*+'|["'])*+>?""", re.I)
ATTRIBUTE: Final = re.compile(rb"""[^\s/"']*+(?:"[^"]*+"|'[^']*+'|[\s/"']+|\Z)""")


def tame(html: bytes) -> bytes:
    """The page without the parts that would choke a parser; a harmless page is returned unchanged."""
    return flat(html if len(html) < 2 * LONG_TAG_BYTES else short(html))


def short(html: bytes) -> bytes:
    """The page without tags that have thousands of attributes.

    >>> short(b"<p " + b"x " * 40000 + b">text")
    b'text'
    """
    kept: list[bytes] = []
    begin = 0
    seen = -1
    for start in range(0, len(html), LONG_TAG_BYTES):
        end = start + LONG_TAG_BYTES
        # Only a block that lacks one of the angle brackets can lie within a long tag; ordinary text has both.
        if html.find(b">", start, end) >= 0 and html.find(b"<", start, end) >= 0:
            continue
        at = html.rfind(b"<", begin, start + 1)
        # Each tag is examined once, however many blocks it fills and whatever is in it.
        tag = TAG.match(html, at) if at > seen else None
        seen = max(seen, tag.end() if tag else at)
        if tag and tag.end() >= end and _has_many_attributes(html, tag):
            kept.append(html[begin : tag.start()])
            begin = tag.end()
    return b"".join([*kept, html[begin:]]) if kept else html


def _has_many_attributes(html: bytes, tag: re.Match[bytes]) -> bool:
    attributes = ATTRIBUTE.finditer(html, tag.start(), tag.end())
    return sum(1 for _ in islice(attributes, MAX_ATTRIBUTES_PER_TAG + 1)) > MAX_ATTRIBUTES_PER_TAG


def flat(html: bytes) -> bytes:
    """The page without formatting, or without any containers, if these are nested beyond reason.

    >>> flat(b"<div>" * 20000 + b"<a href=x>y</a>").strip()
    b'<a href=x>y</a>'
    """
    total = html.count(b"<")
    if total < HARMLESS_TAGS:
        return html
    # Padded, so that names can be read behind the last "<" without a check for the end.
    data = np.frombuffer(html + b"        ", dtype=np.uint8)
    tags = np.flatnonzero(data[:-8] == ord("<")) + 1
    # On a page of medium size only formatting can do harm.
    depth, formatting = nesting(data, _formatting(data, tags) if total < LARGE_PAGE_TAGS else tags)
    if depth > MAX_OPEN_ELEMENTS:
        return CONTAINER_TAG.sub(b" ", html)
    # Each tag may begin a paragraph, in which all open formatting elements are opened again.
    return FORMAT_TAG.sub(b" ", html) if total * formatting > MAX_REOPENED_ELEMENTS else html


def nesting(data: Any, tags: Any) -> tuple[int, int]:
    """Upper bounds for the number of open elements and of open formatting elements, from the tags of each name."""
    closing = data[tags] == ord("/")
    tags = tags + closing
    counted = containers(data, tags)
    names = _names(data, tags)[counted]
    steps = np.where(closing[counted], -1, 1)
    if not len(names):
        return 0, 0
    # Stable: tags of one name stay in the order of the page.
    order = np.argsort(names, kind="stable")
    return _rises(names[order], steps[order])


def containers(data: Any, tags: Any) -> Any:
    """Which of these tags can open an element that others nest in."""
    names = _names(data, tags)
    length = _LENGTH[names]
    return (names > 0) & ((length == 0) | ~_ENDS[data[tags + length]])


def has_name(data: Any, tags: Any, names: str) -> Any:
    """Which of these tags have one of these names."""
    keys = _names(data, tags)
    lengths = np.zeros(1 << 15, dtype=np.uint8)
    lengths[_keys(names)] = [len(name) for name in names.split()]
    length = lengths[keys]
    return (length > 0) & _ENDS[data[tags + length]]


def _formatting(data: Any, tags: Any) -> Any:
    """The tags that may be formatting; counting only these avoids most of the work."""
    at = tags + (data[tags] == ord("/"))
    return tags[_FORMATS[data[at].astype(np.uint16) << 8 | data[at + 1]]]


def _names(data: Any, at: Any) -> Any:
    """The first three letters of each tag name as a 15-bit number, which NumPy sorts in linear time."""
    names = np.zeros(len(at), dtype=np.uint16)
    letters = np.ones(len(at), dtype=bool)
    for offset in range(3):
        # Bytes below "a" wrap around to large numbers, so that one comparison finds the letters.
        letter = (data[at + offset] | 32) - np.uint8(ord("a"))
        letters &= letter < 26
        names = (names << 5) + (letter + np.uint8(1)) * letters
    return names


def _rises(names: Any, steps: Any) -> tuple[int, int]:
    """The sums of the greatest rise of each name's count, for all names and for formatting."""
    starts = np.ones(len(names), dtype=bool)
    starts[1:] = names[1:] != names[:-1]
    # The rise counts from the lowest point, not from 0: stray end tags must not hide later start tags. Each name begins
    # far below the one before, so that its lowest point is sought among its own tags.
    count = np.cumsum(steps - starts * (2 * len(names)))
    first = np.flatnonzero(starts)
    rises = np.maximum.reduceat(count - np.minimum.accumulate(count - steps), first).clip(0)
    return int(rises.sum()), int(rises[_IS_FORMATTING[names[first]]].sum())


def _keys(names: str) -> list[int]:
    return [_key(name) for name in names.split()]


def _key(name: str) -> int:
    data = np.frombuffer(f"{name:3}".encode(), np.uint8)
    return int(_names(data, np.zeros(1, int))[0])


def _formats() -> Any:
    """For the first two characters of a tag, whether it can be a formatting tag."""
    table = np.zeros(1 << 16, dtype=bool)
    for name in FORMATTING.split():
        # A name of one letter is followed by the end of the name.
        seconds = END_OF_NAME if len(name) == 1 else name[1] + name[1].upper()
        for first in (name[0], name[0].upper()):
            for second in seconds:
                table[ord(first) << 8 | ord(second)] = True
    return table


_IS_FORMATTING: Final = np.zeros(1 << 15, dtype=bool)
_IS_FORMATTING[_keys(FORMATTING)] = True
_FORMATS: Final = _formats()
# By the key of a name: its full length if it needs no end tag. <link-list> is not <link>, so the name must end there.
_LENGTH: Final = np.zeros(1 << 15, dtype=np.uint8)
_LENGTH[_keys(SINGLE)] = [len(name) for name in SINGLE.split()]
_ENDS: Final = np.isin(np.arange(256), list(END_OF_NAME.encode()))
