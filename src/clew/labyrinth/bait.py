"""What hostile hosts share: the request that they answer, and pages that look like those of honest hosts."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from random import Random
from typing import Final, NamedTuple
from zlib import crc32

from clew.labyrinth.answer import Answer
from clew.labyrinth.prose import SENTENCES, TITLES, speech

SENTENCES_PER_PAGE: Final = 14


class Request(NamedTuple):
    """One request to a hostile host, with everything that the answer depends on."""

    host: str  # without the front part of a wildcard name
    path: str  # with the query
    seed: int
    topic: int
    nth: int = 0  # requests this host has had before
    now: float = 0.0  # for dates in headers
    name: str = ""  # the whole host name of the request

    def number(self, salt: str = "") -> int:
        """A pseudo-random number that depends on host, path and salt only."""
        return crc32(f"{self.seed} {self.host}{self.path} {salt}".encode())

    def chance(self, key: str = "") -> Random:
        """A generator that depends on the host, and on the key or else the path."""
        return Random(f"{self.seed} {self.host} {key or self.path}")


class Kind(NamedTuple):
    """One kind of hostile host."""

    name: str
    group: str  # rude: breaks rules; trap: has no end; copy: repeats other pages
    answer: Callable[[Request], Answer]
    robots: Callable[[Request], Answer] | None = None
    about: str = ""  # what it does, in one line
    original: Callable[[Request], str] | None = None  # the URL that a page repeats; its own if it is an original


def page(request: Request, links: Iterable[tuple[str, str]], key: str = "", extra: str = "", head: str = "") -> str:
    """A page on the host's topic with these links (URL, anchor); the same key gives the same text."""
    chance = request.chance(key)
    words = speech(request.topic, False, request.seed)
    title = words.titles[int(TITLES * chance.random())]
    sentences = [words.sentences[int(SENTENCES * chance.random())] for _ in range(SENTENCES_PER_PAGE)]
    items = "".join(f'<li><a href="{href}">{anchor}</a></li>' for href, anchor in links)
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>{head}</head>'
        f"<body><main><h1>{title}</h1><p>{words.leads[0]} {' '.join(sentences)}</p><p>{extra}</p>"
        f"<ul>{items}</ul></main></body></html>\n"
    )


def anchor(request: Request, key: str) -> str:
    """The anchor of a link, on the host's topic."""
    return speech(request.topic, False, request.seed).titles[crc32(key.encode()) % TITLES]


def entrance(request: Request, paths: Iterable[str]) -> str:
    """A home page with links to these paths."""
    return page(request, [(path, anchor(request, path)) for path in paths], "entrance")
