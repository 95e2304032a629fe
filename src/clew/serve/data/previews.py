"""The part of a main text where the words of the interest stand, with these words marked."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from clew.base.clean_text import clean
from clew.config import Config
from clew.errors import ClewError
from clew.interests.guidance import guided
from clew.interests.parser import parse
from clew.interests.syntax import atoms
from clew.store import Records
from clew.store.texts import has_texts, readable
from clew.text.terms import stems

MAX_READ: Final = 8_000  # characters of the text in which words are looked for
MAX_PREVIEW: Final = 320  # characters
BEFORE: Final = 60  # characters shown before the first match
_WORD: Final = re.compile(r"[^\W_]+")
_MARKUP: Final = re.compile(r"^#{1,6} |^```.*$", re.M)

Parts = list[tuple[str, bool]]
"""Pieces of text; True for what matches."""


@dataclass(frozen=True)
class Previews:
    """Makes previews for one crawl."""

    records: Records
    wanted: frozenset[str]  # words of the interest, in lower case

    @classmethod
    def of(cls, records: Records) -> Previews:
        """For the interest of a crawl."""
        return cls(records, frozenset(_words(records.config)))

    def preview(self, order: int, language: str) -> Parts:
        """The beginning of a page, or the first place where a word of the interest stands; [] without a text."""
        db = self.records.store.db
        if not has_texts(db):
            return []
        row = db.execute(f"SELECT substr(text, 1, {MAX_READ}) FROM texts WHERE visit = ?", (order,)).fetchone()
        return marked(readable(row[0]), self.wanted, language or "en") if row else []


def marked(text: str, wanted: frozenset[str], language: str = "en") -> Parts:
    """A part of the text, in pieces; True for words with a stem that is wanted.

    >>> marked("# Harbours\\nOld sailing boats", frozenset(["sail"]))
    [('Harbours Old ', False), ('sailing', True), (' boats', False)]
    """
    flat = clean(_MARKUP.sub("", text))
    targets = _stems(wanted, language)
    first = next((match.start() for match in _WORD.finditer(flat) if _matches(match[0], targets, language)), 0)
    begin = flat.rfind(" ", 0, max(0, first - BEFORE)) + 1 if first > BEFORE else 0
    shown = flat[begin : begin + MAX_PREVIEW]
    parts: Parts = [("… ", False)] if begin else []
    parts += _pieces(shown, targets, language)
    if begin + MAX_PREVIEW < len(flat):
        parts.append((" …", False))
    return parts


def _pieces(text: str, targets: frozenset[str], language: str) -> Parts:
    parts: Parts = []
    done = 0
    for match in _WORD.finditer(text):
        if _matches(match[0], targets, language):
            parts += [(text[done : match.start()], False), (match[0], True)]
            done = match.end()
    parts.append((text[done:], False))
    return [(piece, is_match) for piece, is_match in parts if piece]


def _words(config: Config) -> set[str]:
    """The words of the formula and of its topics, but for those that are not wanted."""
    found: set[str] = set()
    try:
        wanted = list(atoms(guided(parse(config.what.interest))))
    except ClewError:
        # The interest of a crawl may be an object of the program that started it.
        wanted = []
    for atom in wanted:
        text = getattr(atom, "argument", "") or atom.name
        topic = config.topics.get(atom.name)
        for words in (text, *(topic.keywords if topic else ())):
            found.update(_WORD.findall(words.lower()))
    return found


def _matches(word: str, targets: frozenset[str], language: str) -> bool:
    return not targets.isdisjoint(_stem(word, language))


@lru_cache(maxsize=50_000)
def _stem(word: str, language: str) -> tuple[str, ...]:
    return tuple(stems(word, language))


@lru_cache(maxsize=1_000)
def _stems(words: frozenset[str], language: str) -> frozenset[str]:
    found: set[str] = set()
    for word in words:
        found.update(_stem(word, language))
    return frozenset(found)
