"""Topics as vocabularies of their sub-domains: a page belongs to a topic whose words it uses.

Jamali, Sayyadi, Hariri and Abolhassani, A method for focused crawling using combination of link structure and content
similarity, WI 2006.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from clew.interests.reading import Reading
from clew.maths.clusters import clusters, unit_rows
from clew.types import Doc

NEAREST: Final = 2  # sub-domains that count: the paper's k
OFTEN: Final = 2  # occurrences that make a word part of a vocabulary: the paper's minOccurence
DOMAINS: Final = 5  # groups that examples without sub-topics are parted into
FEW: Final = 3  # examples that a group should have on average
SAMPLE: Final = 10  # examples of a group that are read: with more of them every word occurs twice


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The share of a text's words that sub-domains know, as the mean of the two that know most.

    >>> domains = (frozenset({"sail", "yacht"}), frozenset({"golf", "ball"}), frozenset({"sail", "ball"}))
    >>> Vocabulary(domains)(Reading.of_words("sailing with a ball on the sea"))
    0.5
    """

    domains: tuple[frozenset[str], ...]

    def __call__(self, text: Reading) -> float:
        words = text.doc.terms.keys()
        if not words or not self.domains:
            return 0.0
        shares = sorted((len(words & domain) / len(words) for domain in self.domains), reverse=True)[:NEAREST]
        return sum(shares) / len(shares)


def learnt(groups: Sequence[Sequence[Doc]]) -> Vocabulary:
    """From the examples of sub-domains; a single group is parted into some by its words."""
    found = groups if len(groups) > 1 else [group for whole in groups for group in _parted(whole)]
    return Vocabulary(tuple(_words(group) for group in found))


def _parted(docs: Sequence[Doc]) -> list[list[Doc]]:
    number = max(1, min(DOMAINS, len(docs) // FEW))
    return [[docs[row] for row in group] for group in clusters(unit_rows([doc.terms for doc in docs]), number)]


def _words(docs: Sequence[Doc]) -> frozenset[str]:
    counts: Counter[str] = Counter()
    for doc in docs[:: max(1, len(docs) // SAMPLE)][:SAMPLE]:
        counts.update(doc.terms)
    return frozenset(word for word, count in counts.items() if count >= OFTEN)
