"""Topics as vocabularies of their subdomains: a page belongs to a topic if it uses the topic's words.

Jamali, Sayyadi, Hariri and Abolhassani, A method for focused crawling using combination of link structure and content
similarity, WI 2006.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

from clew.interests.reading import Reading
from clew.learning.clusters import clusters, unit_rows
from clew.types import Doc

EXAMPLES_PER_CLUSTER: Final = 3  # at least, on average


@dataclass(frozen=True, slots=True)
class VocabularyModel:
    """How topics learn vocabularies, with the paper's values: `topic_model = "vocabulary(k=1, min_occurrence=3)"`.

    The examples of a topic form subdomains: those of its subtopics, or `clusters` groups of like examples if it has
    none. With `subdomains="clusters"` examples are always grouped by likeness. `clusters=1` does not group them.

    >>> VocabularyModel(min_occurrence=3).learnt([Group([Doc(url="", terms={"sail": 3, "wind": 2})])]).domains
    (frozenset({'sail'}),)
    """

    k: int = 2  # nearest subdomains, over which the similarity of a page is averaged
    min_occurrence: int = 2  # how often a word must occur in the examples of a subdomain
    clusters: int = 5  # groups into which examples are divided, at most
    sample: int = 10  # examples that are read of each subdomain: with more of them, every word occurs twice
    subdomains: Literal["topics", "clusters"] = "topics"

    def __post_init__(self) -> None:
        for name in ("k", "min_occurrence", "clusters", "sample"):
            number = getattr(self, name)
            if not isinstance(number, int) or number < 1:
                raise ValueError(f"{name} must be a whole number of at least 1, not {number!r}")
        if self.subdomains not in ("topics", "clusters"):
            raise ValueError(f"subdomains must be 'topics' or 'clusters', not {self.subdomains!r}")

    def learnt(self, groups: Sequence[Group]) -> Vocabulary:
        """Learn the vocabularies of subdomains from their examples."""
        if self.subdomains == "clusters":
            groups = [_united(groups)]
        # A topic without subtopics has one group; clusters of its examples stand in for the subdomains.
        if len(groups) == 1:
            groups = self._clustered(groups[0])
        return Vocabulary(tuple(self._words(group) for group in groups), self.k)

    def _clustered(self, group: Group) -> list[Group]:
        docs, against = group
        number = max(1, min(self.clusters, len(docs) // EXAMPLES_PER_CLUSTER))
        found = clusters(unit_rows([doc.terms for doc in docs]), number)
        return [Group([docs[row] for row in rows], against) for rows in found]

    def _words(self, group: Group) -> frozenset[str]:
        """The words that occur often in the examples, and at least as often as in the counter-examples."""
        step = max(1, len(group.docs) // self.sample)
        counts = _counts(group.docs[::step][: self.sample])
        against = _counts(group.against)
        least = self.min_occurrence
        return frozenset(word for word, count in counts.items() if count >= least and count >= against[word])


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The share of a text's words in the vocabulary of a subdomain, as the mean of the k best subdomains.

    >>> domains = (frozenset({"sail", "yacht"}), frozenset({"golf", "ball"}), frozenset({"sail", "ball"}))
    >>> Vocabulary(domains)(Reading.of_words("sailing with a ball on the sea"))
    0.5
    """

    domains: tuple[frozenset[str], ...]
    k: int = 2

    def __call__(self, text: Reading) -> float:
        words = text.doc.terms.keys()
        if not words or not self.domains:
            return 0.0
        shares = sorted((len(words & domain) / len(words) for domain in self.domains), reverse=True)
        nearest = shares[: self.k]
        return sum(nearest) / len(nearest)

    def telling_stems(self, text: Reading) -> list[str]:
        """The stems of the text that a vocabulary has, the most frequent first."""
        known = [stem for stem in text.terms if any(stem in domain for domain in self.domains)]
        return sorted(known, key=lambda stem: -text.terms[stem])


class Group(NamedTuple):
    """The examples of a subdomain, the most important first, and its counter-examples."""

    docs: Sequence[Doc]
    against: Sequence[Doc] = ()


def _united(groups: Sequence[Group]) -> Group:
    docs: list[Doc] = []
    against: list[Doc] = []
    for group in groups:
        docs += group.docs
        against += [doc for doc in group.against if doc not in against]
    return Group(docs, against)


def _counts(docs: Sequence[Doc]) -> Counter[str]:
    counts: Counter[str] = Counter()
    for doc in docs:
        counts.update(doc.terms)
    return counts
