"""Host names and URLs that look like real ones and can be read back."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final

from clew.labyrinth.prose import ENGLISH, TITLES, Speech
from clew.labyrinth.wordlists import GENERAL, LEAVES, NOISE, WORDS

NAMING: Final = ("dated", "folder")  # these name the topic of a page
STYLES: Final = ("query", "node", "user", "blog", "plain")
CHARSETS: Final = ("iso-8859-1", "windows-1252", "iso-8859-1", "windows-1252", "utf-16")
ENDINGS: Final = ("news", "club", "journal", "online", "gazette", "notes", "forum", "corner", "weekly", "times")
USERS: Final = ("anna", "ben", "clara", "david", "emma", "felix", "greta", "hugo", "ida", "jonas", "lena", "tim")


def host_names(topics: Sequence[int], telling: set[int], chance: Random) -> list[str]:
    """A name for each host, given its topic; the telling ones contain a word of it."""
    nouns, farms = ENGLISH["n"].split(), [_pair(ENGLISH["a"].split(), chance) for _ in range(5)]
    made: dict[str, None] = {}
    for index, topic in enumerate(topics):
        own = NOISE if topic > GENERAL else WORDS[LEAVES[topic]][:12] if index in telling else nouns
        name = _pair(own, chance)
        if index not in telling and chance.random() < 0.15:
            name = f"u{index}.{farms[int(len(farms) * chance.random())]}"
        made[f"{name}{index}" if name in made else name] = None
    return [f"{name}.labyrinth" for name in made]


def _pair(words: Sequence[str], chance: Random) -> str:
    return f"{words[int(len(words) * chance.random())]}-{ENDINGS[int(len(ENDINGS) * chance.random())]}"


def path(style: str, local: int, number: int, speech: Speech) -> str:
    """The path of a page: always its number on the host, sometimes its topic."""
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
