"""A bound for the memory and time that the parser spends on one page, whatever the page.

The parser frees nothing before the whole tree is dropped, and five costs can grow beyond all measure:

- each element, text and attribute takes some hundred bytes;
- a text that goes on behind a tag which made no element there (a stray tag, or a row that stands before the text in the
  page but after it in the tree) is copied as a whole, and the old copy stays;
- formatting elements that were not closed are made again, with all attributes, in each block that follows;
- the stack of open elements is searched for many tags;
- each attribute is compared with all others of its tag.

All are bounded by counting, before the page is parsed. A count may be too high and is never too low: what looks like a
tag counts as one, although it may be part of a comment, a script or an attribute. Counts depend on nothing but the
page, so a page is read in the same way whenever it is read.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Any, Final

import numpy as np

from clew.parse.nesting import FORMATTING, MAX_ATTRIBUTES_PER_TAG, containers, has_name, tame

# Together these are about 300 MB and three seconds at worst. Of 7,700 real pages, 1 in 100 passes the first limit, and
# none the others.
MAX_COPIED_BYTES: Final = 90_000_000
MAX_REOPENED: Final = 500_000  # formatting elements and their attributes, 230 bytes each
MAX_NODE_BYTES: Final = 130_000_000
MAX_STEPS: Final = 1_000_000_000  # down the stack of open elements

MAX_SEPARATED_MARKS: Final = 100_000  # tags behind breaks, which take 300 bytes each
MARK_BYTES: Final = 320  # an element and the text behind it
ATTRIBUTE_BYTES: Final = 230
HARMLESS_BYTES: Final = 2 * MAX_NODE_BYTES // ATTRIBUTE_BYTES  # <p a b c ...>: an attribute for every two bytes
HARMLESS_MARKS: Final = 40_000
HARMLESS_ATTRIBUTES: Final = 30_000  # in one tag, they take a second
MAX_ODD_BYTES: Final = 20_000_000  # of tags that are examined one by one, and may overlap
MAX_ODD_TAG_BYTES: Final = 200_000
MAX_ODD_TAGS: Final = 150_000  # no real page has a hundredth of them
EQUAL_ELEMENTS: Final = 3  # so many equal formatting elements are made again, by the standard
HARMLESS_FORMATTING: Final = 2 * MAX_REOPENED  # tags times bytes

# An element and a comment end a text wherever they stand: the parser moves only one of them in front of a table. Nobody
# uses <keygen> any more; the slash closes it inside of <svg>. The comment is one that cannot end another comment.
BREAK: Final = "<!><keygen/>"
_BREAK: Final = BREAK.encode()

_EITHER_CASE: Final = ["".join(f"[{letter}{letter.upper()}]" for letter in name) for name in FORMATTING.split()]
# The test of the first two letters, or of a letter and what ends it, makes the search fast: most tags fail it.
_FIRST: Final = "".join(dict.fromkeys("".join(name[1:3] for name in _EITHER_CASE)))
_SECOND: Final = r"\s/>" + "".join(dict.fromkeys("".join(name[5:7] for name in _EITHER_CASE)))
_NAME: Final = f"(?=[{_FIRST}][{_SECOND}])(?:{'|'.join(_EITHER_CASE)})".encode()
FORMAT_TAG: Final = re.compile(rb"<%b(?=[\s/>])[^<>]*+>?" % _NAME)
FORMAT_NAME: Final = re.compile(rb"</?(?=%b[\s/>])" % _NAME)
# No sign in an odd place: such a tag ends with its first ">".
ATTRIBUTE: Final = re.compile(
    rb"""\s++[^\s"'<>/=\0]++(?:\s*+=\s*+(?:"[^"<>\0]*+"|'[^'<>\0]*+'|[^\s"'<>=\0][^\s<>\0]*+))?+"""
)
_ATTRIBUTES: Final = rb"(?:%b){0,200}+[\s/]*+>" % ATTRIBUTE.pattern
PLAIN_TAG: Final = re.compile(rb"<[^\s<>/]++" + _ATTRIBUTES)
# Nothing in it can keep the end tag from closing the element.
CLOSED: Final = re.compile(rb"<(%b)%b(?:[^<]|</?(?:span|a)%b)*+</\1>" % (_NAME, _ATTRIBUTES, _ATTRIBUTES))
LEAF: Final = re.compile(rb"<([a-z][a-z0-9]*+)%b[^<]*+</\1>" % _ATTRIBUTES, re.I)
ODD_TAG: Final = re.compile(rb"<(?=[a-z])(?!%b)" % PLAIN_TAG.pattern[1:], re.I)
# As the standard reads tags: any sign can be part of a name, and values are quoted only directly behind "=".
_ANY: Final = rb"""[\s/]*+[^\s/>][^\s/>=]*+(?:\s*+=\s*+(?:"[^"]*+"|'[^']*+'|[^\s"'>][^\s>]*+)?+)?+"""
OPEN_TAG: Final = re.compile(rb"<[a-z][^\s/>]*+(?:%b){0,%d}+" % (_ANY, MAX_ATTRIBUTES_PER_TAG), re.I)
LARGE_TAG: Final = re.compile(rb"<[a-z][^\s/>]*+(?:%b){%d}" % (_ANY, MAX_ATTRIBUTES_PER_TAG), re.I)
INLINE: Final = "a b code em i span strong tt"  # made wherever they stand
FRAMESET: Final = re.compile(rb"<frameset", re.I)
FOREIGN: Final = re.compile(rb"<(?:svg|math)", re.I)


def bounded(html: bytes) -> bytes:
    """The page with bounded cost: with breaks between texts, without formatting, or cut off; most are unchanged."""
    return separated(affordable(unformatted(slender(tame(html)))))


def slender(html: bytes) -> bytes:
    """The page up to the first tag with too many attributes, or where too many tags have quotes in odd places.

    >>> slender(b"text<p x\\" " + b" ".join(b"a%d" % i for i in range(50_000)))
    b'text'
    """
    # All but a few hundred attributes have two letters, and something before them.
    if len(html) < 3 * HARMLESS_ATTRIBUTES or _attributes(html) < HARMLESS_ATTRIBUTES:
        return html
    examined = 0
    for number, odd in enumerate(ODD_TAG.finditer(html)):
        # Each is read as if it were a tag, even if it is only part of a script: the state of the parser is unknown.
        size = _odd_size(html, odd.start())
        examined += size
        is_large = size > MAX_ATTRIBUTES_PER_TAG and LARGE_TAG.match(html, odd.start())
        if is_large or examined > MAX_ODD_BYTES or number >= MAX_ODD_TAGS:
            return html[: odd.start()]
    return html


def unformatted(html: bytes) -> bytes:
    """The page with other names for its formatting elements if these could be made again too often.

    >>> unformatted(b"".join(b"<b id=%d><p>" % i for i in range(1000)))[:16]
    b'<plain-b id=0><p'
    """
    total = _count(html, b"<")
    if total * len(html) <= HARMLESS_FORMATTING:
        return html
    if total * _formatting(FORMAT_TAG.findall(html)) <= MAX_REOPENED:
        return html
    # NUL makes a tag an odd one: it must not hide that there was more in it.
    unclosed = CLOSED.sub(b"\0", CLOSED.sub(b"\0", html))
    if total * _formatting(FORMAT_TAG.findall(unclosed)) <= MAX_REOPENED:
        return html
    return FORMAT_NAME.sub(rb"\g<0>plain-", html)


def affordable(html: bytes) -> bytes:
    """The page up to the tag where its elements cost too much memory or time.

    >>> len(affordable(b"<p>" * 1_000_000)) < len(affordable(b"<p>word</p>" * 1_000_000)) < 6_000_000
    True
    """
    total = _count(html, b"<")
    if (len(html) <= HARMLESS_BYTES and total <= HARMLESS_MARKS) or _is_cheap(html, total):
        return html
    data = _padded(html)
    marks = _marks(data)
    nodes = np.cumsum(MARK_BYTES + ATTRIBUTE_BYTES * _attributes_of_tags(html, data, marks))
    # Each tag may search a stack of all elements before it.
    steps = np.cumsum(np.cumsum(_opened(html, data, marks)), dtype=np.int64)
    return _until(html, marks, min(np.searchsorted(nodes, MAX_NODE_BYTES), np.searchsorted(steps, MAX_STEPS)))


def _is_cheap(html: bytes, total: int) -> bool:
    """Whether a page is affordable however its attributes and start tags are spread; `total` is the number of tags."""
    starts = total if FOREIGN.search(html) else total - html.count(b"</")
    # All start tags come first, and then each tag may search a stack of all of them.
    steps = starts * total - starts**2 // 2
    return steps <= MAX_STEPS and MARK_BYTES * total + ATTRIBUTE_BYTES * _attributes(html) <= MAX_NODE_BYTES


def separated(html: bytes) -> bytes:
    """The page with a break before each tag from the place on where continued texts could have cost too much.

    >>> page = separated(b"x<tr a=b>" * 100_000)
    >>> page.startswith(b"x<tr a=b>x<tr"), page.endswith(b"x<!><keygen/><tr a=b>")
    (True, True)
    """
    if _count(html, b"<") * len(html) <= MAX_COPIED_BYTES:
        return html
    data = _padded(html)
    marks = _marks(data)
    texts = _texts(data, marks)
    # Each text may continue all texts before it.
    if int(texts.sum()) * int(np.count_nonzero(texts)) <= MAX_COPIED_BYTES:
        return html
    copied = np.cumsum(np.cumsum(texts) * _continued(html, data, marks, texts))
    first = int(np.searchsorted(copied, MAX_COPIED_BYTES))
    if first >= len(marks):
        return html
    begin = int(marks[first])
    rest = _until(html, marks, first + MAX_SEPARATED_MARKS)[begin:]
    return html[:begin] + rest.replace(b"<", _BREAK + b"<")


def unbroken(text: str) -> str:
    """A text of the page without the breaks that a title or text field shows as they are."""
    return text.replace(BREAK, "") if BREAK in text else text


def _formatting(tags: list[bytes]) -> int:
    """How many elements and attributes these tags can make in one block."""
    return sum(_size(tag) * min(count, EQUAL_ELEMENTS) for tag, count in Counter(tags).items())


def _size(tag: bytes) -> int:
    """The number of attributes of a formatting tag, and one for itself."""
    # Where the tag has a quote or bracket in an odd place, its end and its attributes are unknown.
    return 1 + len(ATTRIBUTE.findall(tag)) if PLAIN_TAG.fullmatch(tag) else MAX_REOPENED


def _attributes(html: bytes) -> int:
    """The greatest possible number of attributes."""
    # Attributes are separated by blanks and slashes, or follow the second of two quotes.
    return _count(html, b" \t\r\n\f/") + _count(html, b"\"'") // 2


def _count(html: bytes, letters: bytes) -> int:
    """How many bytes of a page are one of these; several times faster than `bytes.count` where there are many."""
    data = np.frombuffer(html, dtype=np.uint8)
    return sum(int(np.count_nonzero(data == letter)) for letter in letters)


def _padded(html: bytes) -> Any:
    """The bytes of a page; padded, so that names can be read behind the last "<" without a check for the end."""
    return np.frombuffer(html + b"        ", dtype=np.uint8)


def _marks(data: Any) -> Any:
    """Where tags, comments and declarations begin, and perhaps some that are inside of others."""
    at = np.flatnonzero(data == ord("<"))
    return at[_BEGINS[data[at + 1]]]


def _ends(data: Any, marks: Any) -> Any:
    """The first ">" behind each mark, which in an odd tag can be part of an attribute."""
    ends = np.append(np.flatnonzero(data == ord(">")), len(data))
    return ends[np.searchsorted(ends, marks)]


def _texts(data: Any, marks: Any) -> Any:
    """The greatest possible length of the text before each mark."""
    # Where a tag ends later than it seems, the text only seems longer.
    return np.concatenate((marks[:1], (marks[1:] - _ends(data, marks[:-1]) - 1).clip(0)))


def _continued(html: bytes, data: Any, marks: Any, texts: Any) -> Any:
    """Whether the text before each mark may continue another one."""
    continued = texts > 0
    # Behind these tags a word begins a new text; only between framesets the parser keeps nothing but blanks.
    if not FRAMESET.search(html):
        before = marks[:-1] + 1
        first = data[(marks[1:] - texts[1:])]
        continued[1:] &= ~(_IS_WORD[first] & has_name(data, before, INLINE))
    return continued


def _odd_size(html: bytes, at: int) -> int:
    """The bytes of an odd tag."""
    tag = OPEN_TAG.match(html, at, at + MAX_ODD_TAG_BYTES)
    return tag.end() - at if tag else 0


def _attributes_of_tags(html: bytes, data: Any, marks: Any) -> Any:
    """The greatest possible number of attributes of each tag, or zeros if they do not matter."""
    if _attributes(html) < HARMLESS_ATTRIBUTES:
        return np.zeros(len(marks), dtype=np.int32)
    blanks = np.cumsum(_IS_BLANK[data], dtype=np.int32)
    found = blanks[_ends(data, marks).clip(max=len(data) - 1)] - blanks[marks]
    odd = np.array([tag.start() for tag in ODD_TAG.finditer(html)], dtype=np.int64)
    # Their attributes may lie anywhere up to where they really end.
    ends = odd + np.array([_odd_size(html, at) for at in odd.tolist()], dtype=np.int64)
    slashes = np.cumsum(data == ord("/"), dtype=np.int32)
    quotes = np.cumsum(_IS_QUOTE[data], dtype=np.int32)
    separators = blanks[ends] - blanks[odd] + slashes[ends] - slashes[odd]
    found[np.searchsorted(marks, odd)] = separators + (quotes[ends] - quotes[odd] + 1) // 2
    return found


def _opened(html: bytes, data: Any, marks: Any) -> Any:
    """Which tags may open an element that stays open."""
    # In these two, anything nests.
    opened = np.ones(len(marks), dtype=bool) if FOREIGN.search(html) else containers(data, marks + 1)
    opened[np.searchsorted(marks, [tag.start() for tag in LEAF.finditer(html)])] = False
    return opened


def _until(html: bytes, marks: Any, number: Any) -> bytes:
    return html[: int(marks[number])] if number < len(marks) else html


_IS_WORD: Final = np.array([byte > 127 or chr(byte).isalnum() for byte in range(256)])
_IS_QUOTE: Final = np.isin(np.arange(256), list(b"\"'"))
_IS_BLANK: Final = np.isin(np.arange(256), list(b" \t\r\n\f"))
_BEGINS: Final = np.isin(np.arange(256), list(b"/!?abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"))
