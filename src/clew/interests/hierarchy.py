"""Naive Bayes along the taxonomy: the probability of a topic is that of its parent times its own among siblings.

Chakrabarti, van den Berg and Dom, Focused crawling: a new approach to topic-specific web resource discovery, Computer
Networks 31, 1999.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from clew.interests.background import background
from clew.interests.formula import Formula
from clew.interests.guidance import guided
from clew.interests.reading import Reading
from clew.interests.syntax import ANY, Or, Topic, atoms
from clew.interests.taxonomy import Taxonomy
from clew.learning.bayes import Bag, NaiveBayes, Text, train
from clew.types import Doc

FAMILIAR_SHARE: Final = 0.15  # share of known words that is enough for a judgement
MIN_REFUSED_PAGES: Final = 3  # from so many on, refused pages together weigh as much as all the rest of their class
REST: Final = ""  # the class of texts that belong to a topic, but to none of the topics below it

Docs = Mapping[str, Sequence[Doc]]
"""Documents by topic."""


@dataclass(frozen=True, eq=False)
class Hierarchy:
    """One classifier per inner node of the taxonomy, which chooses among its children; Pr(ANY) = 1."""

    choices: Mapping[str, tuple[tuple[str, ...], NaiveBayes]]  # topic -> its classes and their classifier
    numbers: Mapping[str, int]  # word -> its number
    _last: list[tuple[Reading, dict[str, float]]] = field(default_factory=list, repr=False)

    def chances(self, text: Reading) -> dict[str, float]:
        """Pr(c|d) of all topics."""
        # Every topic asks about the same text in turn, so the last answer is kept.
        if not self._last or self._last[0][0] is not text:
            self._last[:] = [(text, self._chances(self.bag(text)))]
        return self._last[0][1]

    def bag(self, text: Reading) -> Bag:
        """The known words of a text as numbers, with their normalised counts."""
        words: list[int] = []
        values: list[float] = []
        for word, value in zip(text.terms, text.damped, strict=True):
            if word in self.numbers:
                words.append(self.numbers[word])
                values.append(value)
        return np.array(words, np.int64), np.array(values) / (text.norm or 1.0)

    def nothing(self) -> dict[str, float]:
        """Pr(c|d) of all topics for a text without known words."""
        return self._chances((np.zeros(0, np.int64), np.zeros(0)))

    def _chances(self, bag: Bag) -> dict[str, float]:
        found = {ANY: 1.0}
        # Choices are ordered from general to special, so that the chance of a parent is always known already.
        for above, (classes, model) in self.choices.items():
            for name, chance in zip(classes, model(bag).tolist(), strict=True):
                if name != REST:
                    found[name] = found[above] * chance
        return found


@dataclass(frozen=True, slots=True)
class Branch:
    """One topic of a hierarchy as a measure."""

    hierarchy: Hierarchy
    name: str
    unread: float  # its probability for a text without known words

    def __call__(self, text: Reading) -> float:
        if not text.terms:
            return 0.0
        chance = self.hierarchy.chances(text).get(self.name, 0.0)
        if text.short:
            if self.unread >= 1.0:
                return 0.0
            # Words that say nothing must rate 0, not the prior of the topic.
            return max(0.0, (chance - self.unread) / (1.0 - self.unread))
        known = sum(map(self.hierarchy.numbers.__contains__, text.terms))
        return chance * min(1.0, known / (FAMILIAR_SHARE * len(text.terms)))


def branches(tree: Taxonomy, own: Docs, against: Docs | None = None) -> dict[str, Branch]:
    """A measure for every topic that has examples, its own or those of topics below it.

    A counter-example of a topic trains only the choice between that topic and its siblings; it says nothing about more
    general topics.
    """
    refused = against or {}
    # The background stands for everything that belongs to no topic at all.
    docs = {**own, ANY: [*background(), Doc(url="")]}
    # By identity: documents are not hashable, and those of a topic are used again for each of its ancestors.
    texts: dict[int, Reading] = {}
    for group in (*docs.values(), *refused.values()):
        texts |= {id(doc): Reading(doc) for doc in group}
    numbers = _numbered_words(texts.values())
    vocabulary = Hierarchy({}, numbers)
    bags = {key: vocabulary.bag(text) for key, text in texts.items()}
    below = {name: _subtree_docs(tree, docs, name) for name in tree.topics}
    choices = {}
    for above in (ANY, *sorted(tree.topics, key=tree.level)):
        parts: dict[str, Sequence[Doc]] = {}
        for name in tree.topics:
            if tree.parent(name) == above and below[name]:
                parts[name] = below[name]
        if not parts:
            continue
        refused_here: list[Doc] = []
        for name in parts:
            refused_here += refused.get(name, ())
        # Refused pages need a class to belong to, even if the parent has no examples of its own.
        rest = docs[above] or (docs[ANY] if refused_here else ())
        if rest:
            parts[REST] = rest
        choices[above] = _choice(parts, refused_here, bags, len(numbers))
    hierarchy = Hierarchy(choices, numbers)
    unread = hierarchy.nothing()
    return {name: Branch(hierarchy, name, unread[name]) for name in tree.topics if below[name]}


def _numbered_words(texts: Iterable[Reading]) -> dict[str, int]:
    numbers: dict[str, int] = {}
    for text in texts:
        for word in text.terms:
            numbers.setdefault(word, len(numbers))
    return numbers


def _subtree_docs(tree: Taxonomy, docs: Docs, name: str) -> list[Doc]:
    found: list[Doc] = []
    for each in tree.subtree(name):
        found += docs[each]
    return found


def _choice(
    parts: Docs, refused: Sequence[Doc], bags: Mapping[int, Bag], words: int
) -> tuple[tuple[str, ...], NaiveBayes]:
    """The classes and their classifier; pages that the user has refused belong to the last class, REST."""
    texts: list[Text] = []
    for label, part in enumerate(parts.values()):
        texts += [(bags[id(doc)], label, 1.0) for doc in part]
    # A few refused pages would drown among the background, so together they weigh as much as the rest of the class.
    weight = max(1.0, len(parts.get(REST, ())) / max(MIN_REFUSED_PAGES, len(refused)))
    texts += [(bags[id(doc)], len(parts) - 1, weight) for doc in refused]
    return tuple(parts), train(texts, len(parts), words)


class Classed(Formula):
    """A formula over topics that exclude each other: their probabilities add up."""

    __slots__ = ()

    def value(self, topics: Mapping[str, float]) -> float:
        """R(d), the sum over the good topics, if the formula is nothing but a list of them: `a OR b OR c`."""
        match self.node:
            case Or(parts, ()) if all(isinstance(part, Topic) for part in parts):
                names = [part.name for part in parts if isinstance(part, Topic)]
                # The probability of a topic includes its subtopics, which must not count twice.
                most_general = [name for name in names if not {*names} & {*self.taxonomy.ancestors(name)}]
                return min(1.0, sum(topics.get(name, 0.0) for name in most_general))
        return Formula.value(self, topics)

    def wants(self, topics: Mapping[str, float]) -> bool:
        """Hard focus: whether the most probable leaf, or one of its ancestors, is a topic of the formula."""
        tree = self.taxonomy
        # A topic's own probability is what its subtopics leave of it.
        own = {ANY: 1.0} | {name: topics.get(name, 0.0) for name in tree.topics}
        for name in tree.topics:
            own[tree.parent(name)] -= topics.get(name, 0.0)
        best = max(own, key=own.__getitem__)
        good = {atom.name for atom in atoms(guided(self.node)) if isinstance(atom, Topic)}
        return not good.isdisjoint(tree.upwards(best))
