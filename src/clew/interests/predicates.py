"""Tests of a page that a formula can use beside topics: each is 0, 1 or a number between."""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import repeat
from operator import mul
from typing import Any, Final

from clew.errors import InterestError
from clew.interests.keywords import compiled
from clew.interests.reading import Measure, Reading
from clew.interests.syntax import quote
from clew.types import Doc

Read = Callable[[str], list[Doc]]
"""Turns the path or URL of an example into documents; the caller does the reading."""


@dataclass(frozen=True, slots=True)
class Word:
    """Whether a word occurs, in any of its forms; of several words, all of them.

    >>> Word("boat")(Reading.of_words("Sailing boats"))
    1.0
    """

    word: str

    def __post_init__(self) -> None:
        if not compiled((self.word,), "en"):
            raise _Wrong(f'{quote(self.word)} holds no word that counts; use phrase("…")')

    def __call__(self, text: Reading) -> float:
        terms = text.doc.terms
        return float(
            any(
                all(stem in terms or stem in text.title for stem in spelling)
                for keyword in compiled((self.word,), text.doc.language)
                for spelling in keyword
            )
        )


@dataclass(frozen=True, slots=True)
class Matches:
    """Whether a pattern is found in the title or the text."""

    pattern: re.Pattern[str]

    @classmethod
    def phrase(cls, words: str) -> Matches:
        """The words as they are, one after the other, in any case of letters.

        >>> Matches.phrase("water sports")(Reading.of_words("All about Water-Sports"))
        1.0
        """
        inner = r"\W+".join(map(re.escape, words.split()))
        return cls(re.compile(rf"(?<!\w){inner}(?!\w)", re.IGNORECASE))

    @classmethod
    def regex(cls, pattern: str) -> Matches:
        """A regular expression; `(?i)` at its begin makes the case of letters indifferent."""
        try:
            return cls(re.compile(pattern))
        except re.error as error:
            raise _Wrong(f"the regular expression is wrong: {error.msg}", error.pos or 0) from None

    def __call__(self, text: Reading) -> float:
        search = self.pattern.search
        return float(bool(search(text.doc.title) or search(text.doc.text)))


@dataclass(frozen=True, slots=True)
class Url:
    """Whether the URL contains a text, in any case of letters."""

    part: str

    def __call__(self, text: Reading) -> float:
        return float(self.part.lower() in text.doc.url.lower())


@dataclass(frozen=True, slots=True)
class Host:
    """Whether the page is on a host or one of its subdomains.

    >>> Host("example.org")(Reading(Doc(url="https://www.example.org:8080/a")))
    1.0
    """

    host: str

    def __call__(self, text: Reading) -> float:
        authority = text.doc.url.lower().partition("://")[2].partition("/")[0].rpartition("@")[2]
        host = re.sub(r":\d*$", "", re.split(r"[?#]", authority)[0])
        wanted = self.host.lower().strip(".")
        return float(host == wanted or host.endswith("." + wanted))


@dataclass(frozen=True, slots=True)
class Language:
    """Whether the page is in a language, given by its two letters."""

    code: str

    def __post_init__(self) -> None:
        if not re.fullmatch(r"[A-Za-z]{2}", self.code):
            raise _Wrong(f'{quote(self.code)} is no language; give two letters, such as "de"')

    def __call__(self, text: Reading) -> float:
        return float(text.doc.language == self.code.lower())


@dataclass(frozen=True, slots=True)
class LinksTo:
    """Whether the page has a link whose URL contains a text."""

    part: str

    def __call__(self, text: Reading) -> float:
        wanted = self.part.lower()
        return float(any(wanted in link.url.lower() for link in text.doc.links))


@dataclass(frozen=True, slots=True)
class Similar:
    """The cosine of damped word counts with a given document.

    >>> round(Similar.to([Doc(url="", terms={"sail": 1, "boat": 1})])(Reading.of_words("sailing")), 2)
    0.71
    """

    weights: Mapping[str, float]
    norm: float

    @classmethod
    def to(cls, docs: list[Doc]) -> Similar:
        """Several documents count as one long one."""
        terms: dict[str, int] = {}
        for doc in docs:
            for stem, count in doc.terms.items():
                terms[stem] = terms.get(stem, 0) + count
        if not terms:
            raise _Wrong("the document to compare with holds no text")
        whole = Reading(Doc(url="", terms=terms))
        return cls(dict(zip(terms, whole.damped, strict=True)), whole.norm)

    def __call__(self, text: Reading) -> float:
        if not text.doc.terms:
            return 0.0
        dot: float = sum(map(mul, map(self.weights.get, text.doc.terms, repeat(0.0)), text.damped))
        return min(1.0, dot / (self.norm * text.norm))


@dataclass(frozen=True, slots=True)
class Python:
    """What a function of the user's says to a page: a bool, or a number from 0 to 1."""

    name: str
    function: Callable[[Doc], Any]

    @classmethod
    def named(cls, name: str) -> Python:
        """Import `module:function`."""
        module, colon, attribute = name.partition(":")
        if not (module and colon and attribute):
            raise _Wrong('python needs a module and a function: python("module:function")')
        try:
            function = getattr(importlib.import_module(module), attribute)
        except ImportError as error:
            raise _Wrong(f"cannot import {module}: {error}") from error
        except AttributeError:
            raise _Wrong(f"there is no {attribute} in {module}", len(module) + 1) from None
        if not callable(function):
            raise _Wrong(f"{name} cannot be called", len(module) + 1)
        return cls(name, function)

    def __call__(self, text: Reading) -> float:
        try:
            answer = self.function(text.doc)
        except Exception as error:
            what = f"{type(error).__name__}: {error}"
            raise InterestError(f"{self.name} failed on {text.doc.url or 'a text'} with {what}") from error
        try:
            value = float(answer)
        except (TypeError, ValueError):
            value = -1.0
        if not 0.0 <= value <= 1.0:
            raise InterestError(f"{self.name} must return a bool or a number from 0 to 1, not {answer!r}")
        return value


class _Wrong(ValueError):
    """An argument that cannot be used, and where in it the mistake is."""

    def __init__(self, message: str, offset: int = 0) -> None:
        super().__init__(message)
        self.offset = offset


WITHOUT_READING: Final[Mapping[str, Callable[[str], Measure]]] = {
    "word": Word,
    "phrase": Matches.phrase,
    "regex": Matches.regex,
    "url": Url,
    "host": Host,
    "language": Language,
    "links_to": LinksTo,
    "python": Python.named,
}
SHORT: Final = ("word", "phrase", "regex", "similar")
"""The predicates that say something about an anchor or a URL too."""


def make(name: str, argument: str, read: Read, formula: str, at: int) -> Measure:
    """The predicate of that name; a wrong argument is shown in its place."""
    try:
        return Similar.to(read(argument)) if name == "similar" else WITHOUT_READING[name](argument)
    except _Wrong as error:
        raise InterestError(str(error), formula, at + 1 + error.offset) from error.__cause__
