"""Naive Bayes along the taxonomy: the chance of a topic is that of the topic above it, times its own there.

Chakrabarti, van den Berg and Dom, Focused crawling: a new approach to topic-specific web resource discovery, Computer
Networks 31, 1999.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from clew.interests.background import background
from clew.interests.formula import Formula
from clew.interests.guidance import guided
from clew.interests.reading import Reading
from clew.interests.syntax import ANY, Or, Topic, atoms
from clew.interests.taxonomy import Taxonomy
from clew.learning.bayes import Bag, NaiveBayes, train
from clew.types import Doc

FAMILIAR: Final = 0.15  # share of known words that is enough for a judgement
Docs = Mapping[str, Sequence[Doc]]  # by topic
SAID: Final = 3  # refused pages that weigh as much as everything else which is none of the topics
REST: Final = ""  # the class of what belongs to a topic, but to none of those below it


@dataclass(frozen=True, eq=False)
class Hierarchy:
    """A choice at every topic that has others below it; Pr(ANY) = 1."""

    choices: Mapping[str, tuple[tuple[str, ...], NaiveBayes]]  # topic -> its classes, and what tells them apart
    numbers: Mapping[str, int]  # of words
    _last: list[tuple[Reading, dict[str, float]]] = field(default_factory=list, repr=False)

    def chances(self, text: Reading) -> dict[str, float]:
        """Pr(c|d) of all topics; worked out once for one text, though each topic asks for it."""
        if not self._last or self._last[0][0] is not text:
            self._last[:] = [(text, self._chances(self.bag(text)))]
        return self._last[0][1]

    def bag(self, text: Reading) -> Bag:
        """A text by the numbers of its known words."""
        pairs = [(self.numbers[w], v) for w, v in zip(text.terms, text.damped, strict=True) if w in self.numbers]
        words, values = zip(*pairs, strict=True) if pairs else ((), ())
        return np.array(words, np.int64), np.array(values) / (text.norm or 1.0)

    def nothing(self) -> dict[str, float]:
        """What is said of a text without a known word."""
        return self._chances((np.zeros(0, np.int64), np.zeros(0)))

    def _chances(self, bag: Bag) -> dict[str, float]:
        found = {ANY: 1.0}
        for above, (classes, model) in self.choices.items():  # more general ones first
            for name, chance in zip(classes, model(bag).tolist(), strict=True):
                if name != REST:
                    found[name] = found[above] * chance
        return found


@dataclass(frozen=True, slots=True)
class Branch:
    """One topic of a hierarchy as a measure."""

    hierarchy: Hierarchy
    name: str
    unread: float  # its chance before anything is read

    def __call__(self, text: Reading) -> float:
        if not text.terms:
            return 0.0
        chance = self.hierarchy.chances(text).get(self.name, 0.0)
        if text.short:  # words that say nothing must rate 0
            return max(0.0, (chance - self.unread) / (1.0 - self.unread)) if self.unread < 1.0 else 0.0
        known = sum(map(self.hierarchy.numbers.__contains__, text.terms))
        return chance * min(1.0, known / (FAMILIAR * len(text.terms)))


def branches(tree: Taxonomy, own: Docs, against: Docs | None = None) -> dict[str, Branch]:
    """Every topic that has examples, its own or those of topics below it.

    What speaks against a topic is something else where that topic is chosen; of more general ones it says nothing.
    """
    refused, docs = against or {}, {**own, ANY: [*background(), Doc(url="")]}
    texts = {id(doc): Reading(doc) for each in (*docs.values(), *refused.values()) for doc in each}
    words = dict.fromkeys(word for text in texts.values() for word in text.terms)
    made = Hierarchy({}, {word: number for number, word in enumerate(words)})
    bags = {key: made.bag(text) for key, text in texts.items()}
    below = {name: [doc for each in tree.subtree(name) for doc in docs[each]] for name in tree.topics}
    choices = {}
    for above in (ANY, *sorted(tree.topics, key=tree.level)):
        parts = {name: below[name] for name in tree.topics if tree.parent(name) == above and below[name]}
        said = [doc for name in parts for doc in refused.get(name, ())]
        rest = docs[above] or (docs[ANY] if said else ())
        if parts:
            choices[above] = _choice(parts | {REST: rest} if rest else parts, said, bags, len(words))
    made = Hierarchy(choices, made.numbers)
    unread = made.nothing()
    return {name: Branch(made, name, unread[name]) for name in tree.topics if below[name]}


def _choice(
    parts: Docs, said: Sequence[Doc], bags: Mapping[int, Bag], words: int
) -> tuple[tuple[str, ...], NaiveBayes]:
    """The classes and what tells them apart; what the user has refused belongs to the last one, REST."""
    texts = [(bags[id(doc)], label, 1.0) for label, part in enumerate(parts.values()) for doc in part]
    weight = max(1.0, len(parts.get(REST, ())) / max(SAID, len(said)))
    texts += [(bags[id(doc)], len(parts) - 1, weight) for doc in said]
    return tuple(parts), train(texts, len(parts), words)


class Classed(Formula):
    """A formula over topics of which each page has one: their chances add up."""

    __slots__ = ()

    def value(self, topics: Mapping[str, float]) -> float:
        """R(d), the sum over the good topics, where the formula says nothing but which ones are good."""
        match self.node:
            case Or(parts, ()) if all(isinstance(part, Topic) for part in parts):
                names = [part.name for part in parts if isinstance(part, Topic)]
                most_general = [name for name in names if not {*names} & {*self.taxonomy.ancestors(name)}]
                return min(1.0, sum(topics.get(name, 0.0) for name in most_general))
        return Formula.value(self, topics)

    def wants(self, topics: Mapping[str, float]) -> bool:
        """Hard focus: whether the best leaf, or a topic above it, is one that the formula asks for."""
        tree, own = self.taxonomy, {ANY: 1.0} | {name: topics.get(name, 0.0) for name in self.taxonomy.topics}
        for name in tree.topics:
            own[tree.parent(name)] -= topics.get(name, 0.0)
        best = max(own, key=own.__getitem__)
        good = {atom.name for atom in atoms(guided(self.node)) if isinstance(atom, Topic)}
        return not good.isdisjoint((best, *(tree.ancestors(best) if best != ANY else ())))
