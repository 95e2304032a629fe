"""An interest that knows the truth of a world: it shows what a strategy can do if its judge never errs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

from clew.interests import Formula
from clew.interests.keywords import Keywords
from clew.interests.reading import Measure, Reading
from clew.interests.syntax import Predicate, atoms
from clew.lab.predicate_truth import predicate_measure
from clew.lab.worlds import World
from clew.text.terms import terms


def truth_interest(world: World, topic: str) -> TruthFormula:
    """Judges pages by their labels, and short texts by the words in the topic's name.

    The topic may be a formula over topics and predicates, such as `boats AND word("sail")`; predicates test the page
    itself. It can be widened along the taxonomy of the labels. An unlabelled page counts as irrelevant here;
    evaluations leave it out.
    """
    node = world.formula(topic)
    taxonomy = world.taxonomy
    measures: dict[str, Measure] = {}
    for atom in atoms(node):
        if isinstance(atom, Predicate):
            measures[str(atom)] = predicate_measure(world, atom)
            continue
        # A widened formula asks for the ancestors of its topics as well.
        for name in (atom.name, *taxonomy.ancestors(atom.name)):
            measures[name] = LabelledTopic.of(world, name)
    return TruthFormula(node, measures, taxonomy)


class TruthFormula(Formula):
    """A formula over topics whose pages are known."""

    __slots__ = ()

    def starting_from(self, relevances: Iterable[float]) -> Self:
        """Keeps its threshold: the start pages may lie several links from the topic."""
        return self


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledTopic(Keywords):
    """Rates a page by its label, and a short text by the share of the words of the topic's name that it contains."""

    world: World
    members: bytes  # one for each page: 1 if it is on the topic, else 0
    stems: frozenset[str]

    @classmethod
    def of(cls, world: World, topic: str) -> LabelledTopic:
        """One topic of a world."""
        name = world.title(topic).replace("_", " ")
        return cls(words=(name,), world=world, members=bytes(world.truth(topic) == 1), stems=frozenset(terms(name)))

    def __call__(self, text: Reading) -> float:
        # Anchors have no labels, so a guide that knows all pages still has to guess by words where a link leads.
        if text.short:
            return len(self.stems.intersection(text.doc.terms)) / (len(self.stems) or 1)
        page = self.world.id_of(text.doc.url)
        return 0.0 if page is None else float(self.members[page])
