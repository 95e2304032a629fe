"""A guide that knows the truth of a world: what a strategy could do if its judge never erred."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

from clew.interests import Formula
from clew.interests.keywords import Keywords
from clew.interests.reading import Reading
from clew.interests.syntax import atoms
from clew.lab.worlds import World
from clew.text.terms import terms


def truth_interest(world: World, topic: str) -> Knowing:
    """Judges pages by their labels, and short texts by the words in the topic's name.

    The topic may be a formula over topics; it widens along the taxonomy of the labels. A page that nobody has
    labelled counts as irrelevant here; whoever evaluates a crawl leaves it out.
    """
    node, tree = world.formula(topic), world.taxonomy
    named = [str(getattr(atom, "name", "")) for atom in atoms(node)]
    names = dict.fromkeys(each for name in named for each in (name, *tree.ancestors(name)))
    return Knowing(node, {name: Labelled.of(world, name) for name in names}, tree)


class Knowing(Formula):
    """A formula over topics whose truth is known."""

    __slots__ = ()

    def starting_from(self, relevances: Iterable[float]) -> Self:
        """The threshold is known too: start pages may be links away from the topic."""
        return self


@dataclass(frozen=True, slots=True, kw_only=True)
class Labelled(Keywords):
    """The label of a page, or the share of the words in the topic's name that occur in a short text."""

    world: World
    members: bytes  # for every page 1 or 0
    stems: frozenset[str]

    @classmethod
    def of(cls, world: World, topic: str) -> Labelled:
        """One topic of a world."""
        name = world.title(topic).replace("_", " ")
        return cls(words=(name,), world=world, members=bytes(world.truth(topic) == 1), stems=frozenset(terms(name)))

    def __call__(self, text: Reading) -> float:
        if text.short:
            return len(self.stems.intersection(text.doc.terms)) / (len(self.stems) or 1)
        page = self.world.id_of(text.doc.url)
        return 0.0 if page is None else float(self.members[page])
