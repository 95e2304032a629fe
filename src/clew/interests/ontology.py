"""Topics from ontologies: mentions of concepts count, the more the nearer the concept is to the focus.

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

DECAY_PER_STEP: Final = 0.5  # factor by which a mention loses value with each step away from the focus
MIN_PAGE_WORDS: Final = 100  # shorter pages count as this long, or tiny ones would be favoured
MIN_LINK_WORDS: Final = 10  # likewise for the few words of a link
TYPICAL_SCORE: Final = 0.05  # score of a typical relevant page, if no examples tell

Label = tuple[tuple[str, ...], float]
"""The stems of a label, and the value of a mention."""


@dataclass(frozen=True, slots=True)
class Mentions:
    """Mentions of concepts per word, weighted by closeness and squashed: 1 - exp(-score / typical).

    >>> measure = Mentions({"hotel": 1.0, "bed and breakfast": 0.5})
    >>> round(measure.score(Reading.of_words("Hotel with bed and breakfast")), 3)
    0.15
    """

    closeness: Mapping[str, float]  # label -> 0.5 ** distance
    typical: float = TYPICAL_SCORE
    _labels: dict[str, dict[str, list[Label]]] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __call__(self, text: Reading) -> float:
        return 1.0 - math.exp(-self.score(text) / self.typical)

    def score(self, text: Reading) -> float:
        """The closeness of all mentions per word; at each place the longest label counts."""
        words = _words(text)
        labels = self._labels_in(text.doc.language)
        total = 0.0
        at = 0
        while at < len(words):
            for label, closeness in labels.get(words[at], ()):
                if words[at : at + len(label)] == [*label]:
                    total += closeness
                    # The words of a mention are used up: "hotel" does not count again inside "hotel bar".
                    at += len(label) - 1
                    break
            at += 1
        return total / max(len(words), MIN_LINK_WORDS if text.short else MIN_PAGE_WORDS)

    def _labels_in(self, language: str) -> dict[str, list[Label]]:
        """Labels as stems, by their first stem, the longest first."""
        if language not in self._labels:
            found: dict[tuple[str, ...], float] = {}
            for label, closeness in self.closeness.items():
                # Different labels can have equal stems: the one of the nearest concept counts.
                if key := tuple(stems(label, language)):
                    found[key] = max(closeness, found.get(key, 0.0))
            self._labels[language] = {}
            for key in sorted(found, key=len, reverse=True):
                self._labels[language].setdefault(key[0], []).append((key, found[key]))
        return self._labels[language]


def _words(text: Reading) -> list[str]:
    words = stems(text.doc.text, text.doc.language)
    if not words:
        # Some documents come with their terms only; the order is lost, but labels of one word can still be counted.
        for word, count in text.terms.items():
            words += [word] * count
    return words


def measure(path: str, names: Sequence[str], examples: Sequence[Doc] = ()) -> Mentions:
    """Measure by the concepts around the focus of a file, or around those with one of these names.

    The examples tell the score of a typical relevant page.
    """
    found = read(path)
    focus = found.focus or found.matching(names)
    if not focus:
        some = ", ".join([*found.concepts][:10])
        raise InterestError(f"the ontology {path} has no concept {names[0]!r}; its concepts include: {some}")
    near = steps(found.concepts, focus)
    closeness: dict[str, float] = {}
    for name, concept in found.concepts.items():
        # A concept out of reach counts 0, but its labels are needed: a longer one hides a shorter one inside it.
        value = DECAY_PER_STEP ** near[name] if name in near else 0.0
        for label in concept.labels:
            closeness[label] = max(value, closeness.get(label, 0.0))
    mentions = Mentions(closeness)
    if not examples:
        return mentions
    typical = median([mentions.score(Reading(doc)) for doc in examples])
    return replace(mentions, typical=typical or TYPICAL_SCORE)
