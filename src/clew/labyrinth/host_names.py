"""Host names and paths that look real; the number of a page can be read back from its path."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final

from clew.labyrinth.prose import ENGLISH, TITLES, Speech
from clew.labyrinth.wordlists import GENERAL, LEAVES, NOISE, WORDS

NAMING: Final = ("dated", "folder")  # styles of paths that name the topic of a page
STYLES: Final = ("query", "node", "user", "blog", "plain")  # the others
# Repeated entries are drawn more often.
CHARSETS: Final = ("iso-8859-1", "windows-1252", "iso-8859-1", "windows-1252", "utf-16")
ENDINGS: Final = ("news", "club", "journal", "online", "gazette", "notes", "forum", "corner", "weekly", "times")
USERS: Final = ("anna", "ben", "clara", "david", "emma", "felix", "greta", "hugo", "ida", "jonas", "lena", "tim")


def host_names(topics: Sequence[int], naming_topics: set[int], chance: Random) -> list[str]:
    """A name for each host, given its topic; those of some hosts contain a word of it."""
    nouns = ENGLISH["n"].split()
    adjectives = ENGLISH["a"].split()
    # Hosts of many users, who share a registered domain.
    farms = [_word_and_ending(adjectives, chance) for _ in range(5)]
    names: dict[str, None] = {}
    for index, topic in enumerate(topics):
        words: Sequence[str] = nouns
        if topic > GENERAL:
            words = NOISE
        elif index in naming_topics:
            words = WORDS[LEAVES[topic]][:12]
        name = _word_and_ending(words, chance)
        if index not in naming_topics and chance.random() < 0.15:
            name = f"u{index}.{farms[int(len(farms) * chance.random())]}"
        unique = f"{name}{index}" if name in names else name
        names[unique] = None
    return [f"{name}.labyrinth" for name in names]


def _word_and_ending(words: Sequence[str], chance: Random) -> str:
    return f"{words[int(len(words) * chance.random())]}-{ENDINGS[int(len(ENDINGS) * chance.random())]}"


def path(style: str, local: int, number: int, speech: Speech) -> str:
    """The path of a page: it always has the number on the host, and sometimes names the topic."""
    if not local:
        return "/"
    if style == "query":
        return f"/show.php?id={local}"
    if style == "node":
        return f"/node/{local}"
    if style == "user":
        return f"/~{USERS[local // 5 % len(USERS)]}/{local}.html"
    if style == "plain":
        return f"/archive/{local}.htm"
    slug = speech.slugs[number * 37 % TITLES]
    if style == "folder":
        return f"/{speech.folder}/{slug}-{local}/"
    if style == "dated":
        return f"/{2004 + number % 21}/{speech.folder}/{slug}-{local}.html"
    return f"/{2004 + number % 21}/{number % 12 + 1:02}/{slug}-{local}.html"
