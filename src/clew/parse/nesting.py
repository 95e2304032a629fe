"""A guard against pages made to choke a parser: a few kilobytes of open tags can cost gigabytes.

An HTML parser searches its stack of open elements for many tags, and opens every unclosed formatting element again
in each new paragraph: nested markup costs the square of its length. Pages of real sites stay far below the limit.
"""

from __future__ import annotations

import re
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]

HARMLESS: Final = 2000  # tags; the worst nesting of so many takes 0.2 seconds and 250 MB
DEEPEST: Final = 300  # open elements; of 20,000 real pages none had more than 160

# Elements that hold nothing, or that end by themselves where the next one begins.
SELF_CLOSING: Final = [
    "area",
    "base",
    "br",
    "col",
    "dd",
    "dt",
    "embed",
    "hr",
    "img",
    "input",
    "li",
    "link",
    "meta",
    "option",
    "p",
    "param",
    "source",
    "td",
    "th",
    "tr",
    "track",
    "wbr",
]
KEPT: Final = re.compile(
    rb"</?(?!(?:a|area|base|frame|iframe|img|link|meta|noscript|script|style|title)[\s/>])[a-z][^<>]*>", re.I
)


def flat(html: bytes) -> bytes:
    """The page as it is, or without all its containers when they are nested beyond reason.

    >>> flat(b"<div>" * 2000 + b"<a href=x>y</a>").strip()
    b'<a href=x>y</a>'
    """
    if html.count(b"<") < HARMLESS or nesting(html) <= DEEPEST:
        return html
    return KEPT.sub(b" ", html)


def nesting(html: bytes) -> int:
    """An upper bound for the depth of open elements, by counting start and end tags of each name.

    >>> nesting(b"<ul><li>a<li>b<ul><li>c</ul></ul>")
    2
    """
    data = np.frombuffer(html + b"        ", dtype=np.uint8)
    tags = np.flatnonzero(data[:-8] == ord("<")) + 1
    closing = data[tags] == ord("/")
    tags += closing
    names = _names(data, tags)
    length = _LENGTH[names]
    counted = (names > 0) & ((length == 0) | ~_ENDS[data[tags + length]])
    names, steps = names[counted], np.where(closing[counted], -1, 1)
    order = np.argsort(names, kind="stable")
    return _depth(names[order], steps[order])


def _names(data: Bytes, at: Any) -> Any:
    """The first three letters of each tag's name in 15 bits, which NumPy sorts in linear time."""
    names = np.zeros(len(at), dtype=np.uint16)
    letters = np.ones(len(at), dtype=bool)
    for offset in range(3):
        letter = (data[at + offset] | 32) - np.uint8(ord("a"))  # wraps around below "a"
        letters &= letter < 26
        names = (names << 5) + (letter + np.uint8(1)) * letters
    return names


def _depth(names: Any, steps: Any) -> int:
    """The greatest rise of the count within each name, summed: a stray end tag must not hide a later start."""
    if not len(names):
        return 0
    starts = np.ones(len(names), dtype=bool)
    starts[1:] = names[1:] != names[:-1]
    # Each name begins far below the one before, so that its lowest point is looked for among its own tags.
    count = np.cumsum(steps - starts * (2 * len(names)))
    rise = count - np.minimum.accumulate(count - steps)
    return int(np.maximum.reduceat(rise, np.flatnonzero(starts)).clip(0).sum())


def _lengths() -> Bytes:
    lengths = np.zeros(1 << 15, dtype=np.uint8)
    for name in SELF_CLOSING:
        lengths[_names(np.frombuffer(f"{name:3}".encode(), dtype=np.uint8), np.zeros(1, dtype=int))] = len(name)
    return lengths


# By the key of a name: its full length if it needs no end tag. <link-list> is not <link>: the name must end there.
_LENGTH: Final = _lengths()
_ENDS: Final = np.isin(np.arange(256), list(b" \t\r\n\f/>"))
