"""Topics as vocabularies of their subdomains: a page belongs to a topic if it uses the topic's words.

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

NEAREST_DOMAINS: Final = 2  # subdomains that count: the paper's k
MIN_OCCURRENCES: Final = 2  # of a word in the examples of a vocabulary: the paper's minOccurence
MAX_CLUSTERS: Final = 5  # groups into which examples without subtopics are divided
EXAMPLES_PER_CLUSTER: Final = 3  # at least, on average
MAX_EXAMPLES_READ: Final = 10  # per group: with more of them, every word occurs twice


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The share of a text's words in the vocabulary of a subdomain, as the mean of the two best subdomains.

    >>> domains = (frozenset({"sail", "yacht"}), frozenset({"golf", "ball"}), frozenset({"sail", "ball"}))
    >>> Vocabulary(domains)(Reading.of_words("sailing with a ball on the sea"))
    0.5
    """

    domains: tuple[frozenset[str], ...]

    def __call__(self, text: Reading) -> float:
        words = text.doc.terms.keys()
        if not words or not self.domains:
            return 0.0
        shares = sorted((len(words & domain) / len(words) for domain in self.domains), reverse=True)
        nearest = shares[:NEAREST_DOMAINS]
        return sum(nearest) / len(nearest)

    def telling_stems(self, text: Reading) -> list[str]:
        """The stems of the text that a vocabulary has, the most frequent first."""
        known = [stem for stem in text.terms if any(stem in domain for domain in self.domains)]
        return sorted(known, key=lambda stem: -text.terms[stem])


class Group(NamedTuple):
    """The examples of a subdomain, the most important first, and its counter-examples."""

    docs: Sequence[Doc]
    against: Sequence[Doc] = ()


def learnt(groups: Sequence[Group]) -> Vocabulary:
    """Learn the vocabularies of subdomains from their examples."""
    # A topic without subtopics has one group; clusters of its examples stand in for the subdomains.
    if len(groups) == 1:
        groups = _clustered(groups[0])
    return Vocabulary(tuple(_words(group) for group in groups))


def _clustered(group: Group) -> list[Group]:
    docs, against = group
    number = max(1, min(MAX_CLUSTERS, len(docs) // EXAMPLES_PER_CLUSTER))
    found = clusters(unit_rows([doc.terms for doc in docs]), number)
    return [Group([docs[row] for row in rows], against) for rows in found]


def _words(group: Group) -> frozenset[str]:
    """The words that occur often in the examples, and at least as often as in the counter-examples."""
    step = max(1, len(group.docs) // MAX_EXAMPLES_READ)
    counts = _counts(group.docs[::step][:MAX_EXAMPLES_READ])
    against = _counts(group.against)
    return frozenset(word for word, count in counts.items() if count >= MIN_OCCURRENCES and count >= against[word])


def _counts(docs: Sequence[Doc]) -> Counter[str]:
    counts: Counter[str] = Counter()
    for doc in docs:
        counts.update(doc.terms)
    return counts
