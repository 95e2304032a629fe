"""A text as topics and predicates see it: a whole page, or the few words of an anchor or a URL."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from clew.text.terms import stems, terms
from clew.types import Doc

# Most counts are small, and the logarithm is needed for every term of every page.
_damped: Final = [0.0, *(1.0 + math.log(count) for count in range(1, 256))]


@dataclass(frozen=True)
class Reading:
    """A document with the derived values that several topics share, each computed once and on demand.

    >>> Reading.of_words("Sailing boats").terms
    {'sail': 1, 'boat': 1}
    """

    doc: Doc
    short: bool = False  # an anchor or URL: with so few words, each one says more

    @classmethod
    def of_words(cls, text: str, language: str = "en") -> Reading:
        """A short text that is not part of a page."""
        return cls(Doc(url="", text=text, terms=terms(text, language), language=language), short=True)

    @property
    def terms(self) -> Mapping[str, int]:
        """The count of each stem."""
        return self.doc.terms

    @cached_property
    def length(self) -> int:
        """The number of words without stop words."""
        return sum(self.doc.terms.values())

    @cached_property
    def title(self) -> frozenset[str]:
        """The stems of the title; empty for a short text."""
        return frozenset(stems(self.doc.title, self.doc.language))

    @cached_property
    def damped(self) -> list[float]:
        """1 + ln(count) for each term, in the order of the terms."""
        table = _damped
        return [table[count] if count < 256 else 1.0 + math.log(count) for count in self.doc.terms.values()]

    @cached_property
    def norm(self) -> float:
        """Euclidean length of the damped counts."""
        return math.sqrt(sum(value * value for value in self.damped))


Measure = Callable[[Reading], float]
"""The membership of a text in a topic or predicate, from 0 to 1."""
