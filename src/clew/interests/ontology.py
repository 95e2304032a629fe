"""Topics as concepts of an ontology: mentions count the more, the nearer their concept is to the wanted ones.

Ehrig and Maedche, Ontology-focused crawling of web documents, SAC 2003.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from statistics import median
from typing import Final

from clew.errors import InterestError
from clew.interests.concepts import read, steps
from clew.interests.reading import Reading
from clew.text.terms import stems
from clew.types import Doc

FADE: Final = 0.5  # what a mention loses with every step away from the focus
FLOOR: Final = 100  # words that a page counts for at least: tiny ones would be favoured
SHORT: Final = 10  # the same for the few words of a link
TYPICAL: Final = 0.05  # score of a typical page, where no examples say it

Label = tuple[tuple[str, ...], float]
"""The stems of a label, and what a mention is worth."""


@dataclass(frozen=True, slots=True)
class Mentions:
    """Mentions of concepts in a hundred words, weighted by nearness and squashed: 1 - exp(-score / typical).

    >>> measure = Mentions({"hotel": 1.0, "bed and breakfast": 0.5})
    >>> round(measure.score(Reading.of_words("Hotel with bed and breakfast")), 3)
    0.15
    """

    closeness: Mapping[str, float]  # label -> 0.5 ** distance
    typical: float = TYPICAL
    _labels: dict[str, dict[str, list[Label]]] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __call__(self, text: Reading) -> float:
        return 1.0 - math.exp(-self.score(text) / self.typical)

    def score(self, text: Reading) -> float:
        """The sum over all mentions, the longest label at each place, for each word."""
        words = stems(text.doc.text, text.doc.language) or [w for w, n in text.terms.items() for _ in range(n)]
        labels, at, total = self._in(text.doc.language), 0, 0.0
        while at < len(words):
            for label, closeness in labels.get(words[at], ()):
                if words[at : at + len(label)] == [*label]:
                    total += closeness
                    at += len(label) - 1
                    break
            at += 1
        return total / max(len(words), SHORT if text.short else FLOOR)

    def _in(self, language: str) -> dict[str, list[Label]]:
        """Labels as stems by their first, the longest first; of equal ones the nearest concept counts."""
        if language not in self._labels:
            found: dict[tuple[str, ...], float] = {}
            for label, closeness in self.closeness.items():
                if key := tuple(stems(label, language)):
                    found[key] = max(closeness, found.get(key, 0.0))
            self._labels[language] = {}
            for key in sorted(found, key=len, reverse=True):
                self._labels[language].setdefault(key[0], []).append((key, found[key]))
        return self._labels[language]


def measure(path: str, names: Sequence[str], examples: Sequence[Doc] = ()) -> Mentions:
    """The concepts of a file around its focus, or around those of these names; examples say what is typical."""
    found = read(path)
    focus = found.focus or found.named(names)
    if not focus:
        some = ", ".join([*found.concepts][:10])
        raise InterestError(f"the ontology {path} has no concept {names[0]!r}; there are: {some}")
    near = steps(found.concepts, focus)
    closeness: dict[str, float] = {}
    for name, concept in found.concepts.items():
        # A concept out of reach is worth nothing, but its longer label hides a shorter one inside.
        value = FADE ** near[name] if name in near else 0.0
        for label in concept.labels:
            closeness[label] = max(value, closeness.get(label, 0.0))
    made = Mentions(closeness)
    typical = median([made.score(Reading(doc)) for doc in examples]) if examples else TYPICAL
    return replace(made, typical=typical or TYPICAL)
