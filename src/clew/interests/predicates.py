"""Predicates: tests of a page that a formula can use beside topics, each with a value from 0 to 1."""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import repeat
from operator import mul
from typing import Any, Final

from clew.errors import InterestError
from clew.interests.asking import ask, share
from clew.interests.keywords import Keywords, compiled
from clew.interests.reading import Measure, Reading
from clew.interests.syntax import quote
from clew.interests.topic_words import heaviest
from clew.text.terms import LANGUAGES
from clew.text.unspaced import is_unspaced
from clew.types import Doc

Read = Callable[[str], list[Doc]]
"""Turns the path or URL of an example into documents; the caller does the I/O."""


@dataclass(frozen=True, slots=True)
class Word:
    """Whether a word occurs in any inflected form; of several words, all must occur.

    >>> Word("boat")(Reading.of_words("Sailing boats"))
    1.0
    """

    word: str

    def __post_init__(self) -> None:
        if not compiled((self.word,), "en"):
            reason = "stop words and single letters are ignored"
            raise _InvalidArgument(f'{quote(self.word)} has no searchable word: {reason}; use phrase("…")')

    def __call__(self, text: Reading) -> float:
        terms = text.doc.terms
        for keyword in compiled((self.word,), text.doc.language):
            for spelling in keyword:
                if all(stem in terms or stem in text.title for stem in spelling):
                    return 1.0
        return 0.0

    def telling_stems(self, text: Reading) -> list[str]:
        """The stems of the word, as far as they occur."""
        return Keywords((self.word,)).telling_stems(text)


@dataclass(frozen=True, slots=True)
class Matches:
    """Whether a pattern occurs in the title or the text."""

    pattern: re.Pattern[str]

    @classmethod
    def phrase(cls, words: str) -> Matches:
        """These exact words in this order, ignoring case.

        >>> Matches.phrase("water sports")(Reading.of_words("All about Water-Sports"))
        1.0
        """
        inner = r"\W+".join(map(re.escape, words.split()))
        # Not \b: it would need a letter at both ends, and a phrase may begin or end with a sign, as in "C++".
        before = "" if is_unspaced(words.strip()[:1]) else r"(?<!\w)"
        after = "" if is_unspaced(words.strip()[-1:]) else r"(?!\w)"
        return cls(re.compile(before + inner + after, re.IGNORECASE))

    @classmethod
    def regex(cls, pattern: str) -> Matches:
        """A regular expression, case-sensitive unless it begins with `(?i)`."""
        try:
            return cls(re.compile(pattern))
        except re.error as error:
            raise _InvalidArgument(f"invalid regular expression: {error.msg}", error.pos or 0) from None

    def __call__(self, text: Reading) -> float:
        search = self.pattern.search
        # On one line: what belongs together may stand in several blocks.
        return float(bool(search(text.doc.title) or search(text.doc.text.replace("\n", " "))))


@dataclass(frozen=True, slots=True)
class Url:
    """Whether the URL contains a text, ignoring case."""

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
        # Callers may pass documents whose URLs are not canonical: strip credentials, port, query and fragment.
        authority = text.doc.url.lower().partition("://")[2].partition("/")[0].rpartition("@")[2]
        host = re.sub(r":\d*$", "", re.split(r"[?#]", authority)[0])
        wanted = self.host.lower().strip(".")
        return float(host == wanted or host.endswith("." + wanted))


@dataclass(frozen=True, slots=True)
class Language:
    """Whether the page is in a language, given by its two-letter code."""

    code: str

    def __post_init__(self) -> None:
        if not re.fullmatch(r"[A-Za-z]{2}", self.code):
            raise _InvalidArgument(f'{quote(self.code)} is not a language code; use two letters, such as "de"')
        # No page would ever match: a declared language counts only if it is one of these, too.
        if self.code.lower() not in LANGUAGES:
            known = ", ".join(sorted(LANGUAGES))
            raise _InvalidArgument(f"{quote(self.code)} is not a language that clew recognises; it knows {known}")

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
    """The cosine similarity of damped word counts with a given document.

    >>> round(Similar.to([Doc(url="", terms={"sail": 1, "boat": 1})])(Reading.of_words("sailing")), 2)
    0.71
    """

    weights: Mapping[str, float]
    norm: float

    @classmethod
    def to(cls, docs: list[Doc]) -> Similar:
        """Compare with these documents, taken together as one."""
        terms: dict[str, int] = {}
        for doc in docs:
            for stem, count in doc.terms.items():
                terms[stem] = terms.get(stem, 0) + count
        if not terms:
            raise _InvalidArgument("the document to compare with contains no text")
        whole = Reading(Doc(url="", terms=terms))
        return cls(dict(zip(terms, whole.damped, strict=True)), whole.norm)

    def __call__(self, text: Reading) -> float:
        if not text.doc.terms:
            return 0.0
        dot: float = sum(map(mul, map(self.weights.get, text.doc.terms, repeat(0.0)), text.damped))
        return min(1.0, dot / (self.norm * text.norm))

    def telling_stems(self, text: Reading) -> list[str]:
        """The stems that both documents share."""
        pairs = zip(text.terms, text.damped, strict=True)
        return heaviest({stem: self.weights.get(stem, 0.0) * damped for stem, damped in pairs})


@dataclass(frozen=True, slots=True)
class Python:
    """The verdict of a user-supplied function on a page: a bool or a number from 0 to 1."""

    name: str
    function: Callable[[Doc], Any]

    @classmethod
    def load(cls, name: str) -> Python:
        """Import `module:function`."""
        module, colon, attribute = name.partition(":")
        if not (module and colon and attribute):
            raise _InvalidArgument('python needs a module and a function: python("module:function")')
        try:
            function = getattr(importlib.import_module(module), attribute)
        except ImportError as error:
            raise _InvalidArgument(f"cannot import {module}: {error}") from error
        except AttributeError:
            raise _InvalidArgument(f"{module} has no function {attribute}", len(module) + 1) from None
        if not callable(function):
            raise _InvalidArgument(f"{name} is not callable; name a function", len(module) + 1)
        return cls(name, function)

    def __call__(self, text: Reading) -> float:
        return share(self.name, ask(self.name, self.function, text.doc))


class _InvalidArgument(ValueError):
    """An argument that cannot be used, with the position of the mistake in it."""

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
    "python": Python.load,
}
FOR_SHORT_TEXTS: Final = ("word", "phrase", "regex", "similar")
"""The predicates that also apply to anchors and URLs: the others need a whole page."""


def make(name: str, argument: str, read: Read, formula: str, at: int) -> Measure:
    """The predicate of this name; an invalid argument is reported at its position in the formula."""
    try:
        return Similar.to(read(argument)) if name == "similar" else WITHOUT_READING[name](argument)
    except _InvalidArgument as error:
        # One more than `at`, which is the position of the opening quote.
        raise InterestError(str(error), formula, at + 1 + error.offset) from error.__cause__
