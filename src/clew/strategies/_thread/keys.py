"""What a link says, as numbers: the words on and around it, its address, its place on the page."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import pairwise
from typing import Final
from zlib import crc32

from clew.maths.text import stems
from clew.parse import host, tokens
from clew.types import Link

ANCHOR, PAIRS, BEFORE, AFTER, HEADING, PATH = 5, 2, 4, 4, 4, 6  # how many words of each count
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
WIDTH: Final = 25 + len(SINGLE)
NEAR: Final = 4  # links in a row that count as neighbours
_DIGITS: Final = re.compile(r"\d+")

Row = tuple[int, ...]


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


def hashed(kind: str, text: str) -> int:
    """A number from 1 for a text; the same in every process."""
    return crc32(text.encode("utf-8", "replace"), crc32(kind.encode())) | 1


@lru_cache(maxsize=1 << 17)
def word(stem: str) -> int:
    """The number of a word, wherever it stands."""
    return crc32(stem.encode("utf-8", "replace")) | 1


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
    names = tokens(url)[len(tokens(home(url))) :]
    found = stems(" ".join(_DIGITS.sub("", name) for name in names))
    return _fill(map(word, reversed(found)), PATH)


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


def home(url: str) -> str:
    """The address without its path."""
    return url[: url.find("/", 8) + 1]


def _fill(numbers: Iterable[int], width: int) -> Row:
    found = tuple(numbers)[:width]
    return found + (0,) * (width - len(found))
