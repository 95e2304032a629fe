"""What hostile hosts have in common: where a request came in, and pages that look like those of honest hosts."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from random import Random
from typing import NamedTuple
from zlib import crc32

from clew.labyrinth.answer import Answer
from clew.labyrinth.prose import SENTENCES, TITLES, speech

SHOWN = 14  # sentences of a page


class Place(NamedTuple):
    """One request to a hostile host, with all that its answer depends on."""

    host: str  # without what a wildcard name has in front
    path: str  # with the query
    seed: int
    topic: int
    nth: int = 0  # requests this host has had before
    now: float = 0.0  # for dates in headers
    name: str = ""  # the whole name that was asked for

    def number(self, salt: str = "") -> int:
        """A number that belongs to this host and path."""
        return crc32(f"{self.seed} {self.host}{self.path} {salt}".encode())

    def chance(self, key: str = "") -> Random:
        """Chance that belongs to this host, and to the key or the path."""
        return Random(f"{self.seed} {self.host} {key or self.path}")


class Kind(NamedTuple):
    """One kind of hostile host: what it does to whom it lures."""

    name: str
    group: str  # rude: breaks rules; trap: has no end; copy: says again what was said
    answer: Callable[[Place], Answer]
    robots: Callable[[Place], Answer] | None = None
    says: str = ""  # what it is, in a line
    original: Callable[[Place], str] | None = None  # the address of which this one is a copy; its own for originals


def page(at: Place, links: Iterable[tuple[str, str]], key: str = "", extra: str = "", head: str = "") -> str:
    """A page on the host's topic with these links (address, anchor); the same key gives the same text."""
    chance, words = at.chance(key), speech(at.topic, False, at.seed)
    title = words.titles[int(TITLES * chance.random())]
    said = [words.sentences[int(SENTENCES * chance.random())] for _ in range(SHOWN)]
    listed = "".join(f'<li><a href="{href}">{anchor}</a></li>' for href, anchor in links)
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>{head}</head>'
        f"<body><main><h1>{title}</h1><p>{words.leads[0]} {' '.join(said)}</p><p>{extra}</p>"
        f"<ul>{listed}</ul></main></body></html>\n"
    )


def anchor(at: Place, key: str) -> str:
    """What a link on the host's topic says."""
    return speech(at.topic, False, at.seed).titles[crc32(key.encode()) % TITLES]


def entrance(at: Place, paths: Iterable[str]) -> str:
    """A home page that leads to these paths."""
    return page(at, [(path, anchor(at, path)) for path in paths], "entrance")
