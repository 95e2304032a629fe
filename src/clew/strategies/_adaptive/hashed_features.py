"""What a link says, as numbers: the words on and around it, its address, its place on the page."""

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

ANCHOR, PAIRS, BEFORE, AFTER, HEADING, PATH = 5, 2, 4, 4, 4, 6  # how many words of each count
CALLED: Final = 8  # words of what a page is called
WORDS: Final = {
    "anchor": slice(0, ANCHOR),
    "pairs": slice(5, 7),
    "around": slice(7, 15),
    "heading": slice(15, 19),
    "path": slice(19, 25),
}  # groups of words: their columns in a row of keys
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
)
GROUPS: Final = (*WORDS, "source_words", "called")  # in their roles
BARE: Final = tuple(name for name in WORDS if name != "pairs")  # that also mean something wherever they stand
_WORDS: Final = 25
_BARE: Final = np.concatenate([np.arange(WORDS[name].start, WORDS[name].stop) for name in BARE])
WIDTH: Final = _WORDS + len(SINGLE) + len(_BARE)
SINGLES: Final = slice(_WORDS, _WORDS + len(SINGLE))
_SALT: Final = np.repeat(np.array([11, 1, 13, 17, 19], np.uint32), [part.stop - part.start for part in WORDS.values()])
_SOURCE, _CALLED = np.uint32(23), np.uint32(29)
NEAR: Final = 4  # links in a row that count as neighbours
MEMO: Final = 1 << 17  # words whose numbers are remembered
_DIGITS: Final = re.compile(r"\d+")

Row = tuple[int, ...]


def slots(links: Sequence[Link]) -> Slots:
    """Where everything that links say is counted: the words in their roles, what stands for itself, the bare words."""
    table = np.array([row_of(link) for link in links], np.uint32)
    return slots_of(np.hstack((_salted(table[:, :_WORDS], _SALT), table[:, _WORDS:], table[:, _BARE])))


def of_page(words: NDArray[np.uint32], names: Row) -> Slots:
    """A page as the source of links: its words in that role, what it is called, and the words bare."""
    called = np.array(names, np.uint32)
    return slots_of(np.concatenate((_salted(words, _SOURCE), _salted(called, _CALLED), words)))


def called(page: Page) -> Row:
    """What others call a page, what it calls itself and its address: a list of students is known by its name."""
    anchors = " ".join(link.anchor for link in page.inlinks[:2])
    told = map(word, (*stems(anchors)[:6], *stems(page.title)[:6]))
    return _fill(filter(None, dict.fromkeys((*told, *_path_words(page.url)[:3]))), CALLED)


def _salted(table: NDArray[np.uint32], salt: NDArray[np.uint32] | np.uint32) -> NDArray[np.uint32]:
    """The same words in another role; no word stays no word."""
    return np.where(table == 0, np.uint32(0), table * (2 * salt + 1) + salt)


def row_of(link: Link) -> Row:
    """All keys of a link, 0 where there is none; words first, then what stands for itself."""
    before, _, after = link.around.partition("\t")
    url, source = link.url, link.source
    here, there = host(source), host(url)
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
        hashed("near", f"{source} {link.position // NEAR}"),
        hashed("hosts", f"{here} {there}"),
    )


def side_by_side(*widths: int) -> list[slice]:
    """The columns of parts that stand next to each other.

    >>> side_by_side(2, 3)
    [slice(0, 2, None), slice(2, 5, None)]
    """
    return [slice(stop - width, stop) for width, stop in zip(widths, accumulate(widths), strict=True)]


def single(*names: str) -> list[int]:
    """The columns of what stands for itself."""
    return [SINGLES.start + SINGLE.index(name) for name in names]


def hashed(kind: str, text: str) -> int:
    """A number from 1 for a text; the same in every process."""
    return crc32(text.encode("utf-8", "replace"), crc32(kind.encode())) | 1


class _Words(dict[str, int]):
    """The number of each word; a plain look-up, for all words of every page pass through here."""

    def __missing__(self, stem: str) -> int:
        if len(self) >= MEMO:
            self.clear()
        number = self[stem] = crc32(stem.encode("utf-8", "replace")) | 1
        return number


word: Final = _Words().__getitem__
"""The number of a word, wherever it stands."""


@lru_cache(maxsize=1 << 15)
def _anchor(text: str) -> Row:
    found = stems(text)
    pairs = [hashed("pair", f"{a} {b}") for a, b in pairwise(found)]
    return _fill(map(word, found), ANCHOR) + _fill(pairs, PAIRS)


@lru_cache(maxsize=1 << 15)
def _near_words(text: str, most: int, last: bool) -> Row:
    found = stems(text)
    return _fill(map(word, reversed(found) if last else found), most)


@lru_cache(maxsize=1 << 13)
def _heading(text: str) -> Row:
    return _fill(map(word, stems(text)), HEADING)


@lru_cache(maxsize=1 << 15)
def _path_words(url: str) -> Row:
    found = stems(_DIGITS.sub("", " ".join(path_names(url))))
    return _fill(map(word, reversed(found)), PATH)


@lru_cache(maxsize=1 << 15)
def path_names(url: str) -> tuple[str, ...]:
    """The words of an address behind its host."""
    return tuple(tokens("//" + url[url.find("/", 8) :]))


@lru_cache(maxsize=1 << 15)
def _address(url: str) -> Row:
    """Its first folder, its pattern with numbers left open, and the pattern of its last part."""
    path = url[url.find("//") + 2 :].partition("?")[0]
    name, _, rest = path.partition("/")
    first, slash, _ = rest.partition("/")
    folder, _, file = rest.rpartition("/")
    open_file = _DIGITS.sub("#", file)
    return (
        hashed("folder", f"{name}/{first}" if slash else name),
        hashed("pattern", f"{name}/{_DIGITS.sub('#', folder)}"),
        hashed("file", open_file),
    )


@lru_cache(maxsize=1 << 13)
def _place(path: str) -> int:
    return hashed("place", ">".join(path.split(">")[-4:]))


def _fill(numbers: Iterable[int], width: int) -> Row:
    found = tuple(numbers)[:width]
    return found + (0,) * (width - len(found))
