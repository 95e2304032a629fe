"""Topics as vocabularies of their sub-domains: a page belongs to a topic whose words it uses.

Jamali, Sayyadi, Hariri and Abolhassani, A method for focused crawling using combination of link structure and content
similarity, WI 2006.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from clew.interests.reading import Reading
from clew.learning.clusters import clusters, unit_rows
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


class Group(NamedTuple):
    """The examples of a sub-domain, those that matter most first, and pages that do not belong to it."""

    docs: Sequence[Doc]
    against: Sequence[Doc] = ()


def learnt(groups: Sequence[Group]) -> Vocabulary:
    """From the examples of sub-domains; a single group is parted into some by its words."""
    found = groups if len(groups) > 1 else [part for whole in groups for part in _parted(whole)]
    return Vocabulary(tuple(_words(group) for group in found))


def _parted(group: Group) -> list[Group]:
    docs, against = group
    number = max(1, min(DOMAINS, len(docs) // FEW))
    found = clusters(unit_rows([doc.terms for doc in docs]), number)
    return [Group([docs[row] for row in rows], against) for rows in found]


def _words(group: Group) -> frozenset[str]:
    """Those that occur often in examples, and not oftener in what does not belong there."""
    docs = group.docs[:: max(1, len(group.docs) // SAMPLE)][:SAMPLE]
    counts, against = _counts(docs), _counts(group.against)
    return frozenset(word for word, count in counts.items() if count >= OFTEN and count >= against[word])


def _counts(docs: Sequence[Doc]) -> Counter[str]:
    counts: Counter[str] = Counter()
    for doc in docs:
        counts.update(doc.terms)
    return counts
