"""Hashed features of a link: its words, its address and its place on the page as numbers to count under."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import accumulate, pairwise
from typing import Final
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from clew.parse import host, tokens
from clew.strategies._adaptive.counts import Slots, slots_of
from clew.text.terms import stems
from clew.types import Link, Page

Row = tuple[int, ...]


def side_by_side(*widths: int) -> list[slice]:
    """The columns of blocks that stand next to each other.

    >>> side_by_side(2, 3)
    [slice(0, 2, None), slice(2, 5, None)]
    """
    return [slice(stop - width, stop) for width, stop in zip(widths, accumulate(widths), strict=True)]


# How many words of each text count.
ANCHOR: Final = 5
PAIRS: Final = 2
BEFORE: Final = 4
AFTER: Final = 4
HEADING: Final = 4
PATH: Final = 6
CALLED: Final = 8  # of what a page is called: anchors of its in-links, title and address

WORDS: Final = dict(
    zip(
        ("anchor", "pairs", "around", "heading", "path"),
        side_by_side(ANCHOR, PAIRS, BEFORE + AFTER, HEADING, PATH),
        strict=True,
    )
)  # groups of words: their columns in a row of keys
SINGLE: Final = (
    "anchor_text",
    "host",
    "folder",
    "pattern",
    "file",
    "place",
    "place_here",
    "source",
    "block",
    "near",
    "hosts",
)  # features with one key each
GROUPS: Final = (*WORDS, "source_words", "called")  # groups of words that are counted by role
# Pairs have no bare form: visited pages are counted by single words.
BARE: Final = tuple(name for name in WORDS if name != "pairs")  # groups that are also counted whatever their role


def columns(*groups: str) -> list[int]:
    """The columns of some groups of words."""
    found: list[int] = []
    for group in groups:
        found += range(WORDS[group].start, WORDS[group].stop)
    return found


_WORDS: Final = WORDS["path"].stop  # columns of words in a row
_BARE: Final = np.array(columns(*BARE))
WIDTH: Final = _WORDS + len(SINGLE) + len(_BARE)  # slots of a link
SINGLES: Final = slice(_WORDS, _WORDS + len(SINGLE))
# A word counts apart in each role. The salt turns its number into another one for each group.
_SALT: Final = np.repeat(np.array([11, 1, 13, 17, 19], np.uint32), [part.stop - part.start for part in WORDS.values()])
_SOURCE_SALT: Final = np.uint32(23)
_CALLED_SALT: Final = np.uint32(29)
NEIGHBOURS: Final = 4  # consecutive links of a page that share a key
MAX_CACHED_WORDS: Final = 1 << 17
_DIGITS: Final = re.compile(r"\d+")


def slots(links: Sequence[Link]) -> Slots:
    """The slots of each link: words by role, single keys, bare words."""
    table = np.array([row_of(link) for link in links], np.uint32)
    by_role = _salted(table[:, :_WORDS], _SALT)
    return slots_of(np.hstack((by_role, table[:, _WORDS:], table[:, _BARE])))


def of_page(words: NDArray[np.uint32], names: Row) -> Slots:
    """The slots of a page as a source of links: its words in that role, what it is called, and its bare words."""
    called = np.array(names, np.uint32)
    return slots_of(np.concatenate((_salted(words, _SOURCE_SALT), _salted(called, _CALLED_SALT), words)))


def called(page: Page) -> Row:
    """Words that name a page: from the anchors of its in-links, its title and its address.

    A list of students, for example, is known by such words on many sites.
    """
    anchors = " ".join(link.anchor for link in page.inlinks[:2])
    names = map(word, (*stems(anchors)[:6], *stems(page.title)[:6]))
    distinct = dict.fromkeys((*names, *_path_words(page.url)[:3]))
    return _fill(filter(None, distinct), CALLED)


def _salted(table: NDArray[np.uint32], salt: NDArray[np.uint32] | np.uint32) -> NDArray[np.uint32]:
    """The numbers of words in a certain role; 0 (no word) stays 0."""
    return np.where(table == 0, np.uint32(0), table * (2 * salt + 1) + salt)


def row_of(link: Link) -> Row:
    """All keys of a link, 0 where there is none: first the groups of words, then the single keys."""
    before, _, after = link.around.partition("\t")
    url = link.url
    source = link.source
    here = host(source)
    there = host(url)
    folder, pattern, file = _address(url)
    return (
        *_anchor(link.anchor),
        *_near_words(before, BEFORE, last=True),
        *_near_words(after, AFTER, last=False),
        *_heading(link.heading),
        *_path_words(url),
        hashed("text", link.anchor.lower()) if link.anchor else 0,
        hashed("host", there),
        folder,
        pattern,
        file,
        _place(link.path),
        hashed("here", f"{here} {link.path}"),
        hashed("source", source),
        hashed("block", f"{source} {link.block}"),
        hashed("near", f"{source} {link.position // NEIGHBOURS}"),
        hashed("hosts", f"{here} {there}"),
    )


def single(*names: str) -> list[int]:
    """The columns of some single keys."""
    return [SINGLES.start + SINGLE.index(name) for name in names]


def hashed(kind: str, text: str) -> int:
    """A positive number for a text of some kind; the same in every process, unlike `hash`."""
    # The lowest bit is set because 0 means "no key".
    return crc32(text.encode("utf-8", "replace"), crc32(kind.encode())) | 1


class _Words(dict[str, int]):
    """The number of each word: a dict, because every word of every page is looked up here."""

    def __missing__(self, stem: str) -> int:
        if len(self) >= MAX_CACHED_WORDS:
            self.clear()
        number = crc32(stem.encode("utf-8", "replace")) | 1
        self[stem] = number
        return number


word: Final = _Words().__getitem__
"""The number of a word, whatever its role."""


@lru_cache(maxsize=1 << 15)
def _anchor(text: str) -> Row:
    found = stems(text)
    pairs = [hashed("pair", f"{a} {b}") for a, b in pairwise(found)]
    return _fill(map(word, found), ANCHOR) + _fill(pairs, PAIRS)


@lru_cache(maxsize=1 << 15)
def _near_words(text: str, most: int, last: bool) -> Row:
    """The words nearest to the link: the last ones of the text before it, the first ones of the text after it."""
    found = stems(text)
    return _fill(map(word, reversed(found) if last else found), most)


@lru_cache(maxsize=1 << 13)
def _heading(text: str) -> Row:
    return _fill(map(word, stems(text)), HEADING)


@lru_cache(maxsize=1 << 15)
def _path_words(url: str) -> Row:
    """The words of an address, the last ones first."""
    found = stems(_DIGITS.sub("", " ".join(path_names(url))))
    return _fill(map(word, reversed(found)), PATH)


@lru_cache(maxsize=1 << 15)
def path_names(url: str) -> tuple[str, ...]:
    """The words of an address after its host."""
    return tuple(tokens("//" + url[url.find("/", 8) :]))


@lru_cache(maxsize=1 << 15)
def _address(url: str) -> Row:
    """Keys for the first folder, for the pattern of all folders and for that of the file name; `#` for numbers."""
    path = url[url.find("//") + 2 :].partition("?")[0]
    name, _, rest = path.partition("/")
    first, slash, _ = rest.partition("/")
    folder, _, file = rest.rpartition("/")
    return (
        hashed("folder", f"{name}/{first}" if slash else name),
        hashed("pattern", f"{name}/{_DIGITS.sub('#', folder)}"),
        hashed("file", _DIGITS.sub("#", file)),
    )


@lru_cache(maxsize=1 << 13)
def _place(path: str) -> int:
    # Only the four innermost elements, so that places on different sites can share a key.
    return hashed("place", ">".join(path.split(">")[-4:]))


def _fill(numbers: Iterable[int], width: int) -> Row:
    """The first numbers, with zeros for missing ones."""
    found = tuple(numbers)[:width]
    return found + (0,) * (width - len(found))
