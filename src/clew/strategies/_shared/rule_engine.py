"""Tests learned rules on candidates: a small deduction engine for the forms of rules that the search can find."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from clew.learning.facts import Literal
from clew.learning.relational import OTHER_NAMES
from clew.strategies._shared.link_facts import condition
from clew.strategies._shared.targets import BLOCK, PAGE, PagePlaces, Surroundings
from clew.types import Link

OF_THE_LINK: Final = "ABCFY"
"""Variables that a link determines."""
STRUCTURE: Final = ("links_to", "parent", "same_block", "!=", "target")
"""Predicates that say how variables are related, not what holds for them."""
SECOND: Final = "second"

StoredBody = tuple[tuple[str, ...], ...]
"""The literals of a rule, each a name and its arguments."""


@dataclass(frozen=True)
class Premises:
    """A rule in a form that is quick to test: what must hold for a link, and what for another one related to it."""

    link: frozenset[str]
    relation: str = ""  # to the other link: "C2" for two steps below C, "block", "page", "second"; "" if there is none
    other: frozenset[str] = frozenset()  # what must hold for the other one

    @classmethod
    def of(cls, body: StoredBody) -> Premises:
        """From the literals of a rule.

        >>> Premises.of((("links_to", "Y", "X", "A"), ("text_has", "A", "ii"))).link
        frozenset({'A text_has ii'})
        """
        link: list[str] = []
        other: list[str] = []
        relation = ""
        for name, *args in body:
            relation = _relation(name, args, relation)
            if name not in STRUCTURE:
                side = link if args[0] in OF_THE_LINK else other
                side.append(condition(Literal(name, tuple(args))))
        return cls(frozenset(link), relation, frozenset(other))


def _relation(name: str, args: Sequence[str], before: str) -> str:
    """How the other link is related to this one, as far as a literal says so."""
    match name, *args:
        case "parent", "D", parent:
            return f"{parent}1"
        case "parent", "E", "D":
            return before[:1] + "2"
        case "same_block", *_:
            return BLOCK
        case "links_to", "Y", "Z":
            return PAGE
        case "links_to", "V", *_:
            return SECOND
    return before


@dataclass(frozen=True)
class RuleEngine:
    """Rules, and how to look up what holds now."""

    rules: Sequence[Premises]
    holds: Callable[[Link], set[str]]  # the conditions that hold for a link
    places: Callable[[str], PagePlaces]  # the targets of a page

    @cached_property
    def relations(self) -> list[str]:
        """The relations to targets that rules ask for: they can become true while a link waits."""
        found = dict.fromkeys(rule.relation for rule in self.rules)
        return [relation for relation in found if relation not in ("", SECOND)]

    def firing(self, links: Iterable[Link]) -> list[int]:
        """The numbers of the rules that hold for one of the links to a page."""
        known = [_KnownLink(link, self.holds(link), self.places(link.source)) for link in links]
        return [number for number, rule in enumerate(self.rules) if any(link.fits(rule, known) for link in known)]


class _KnownLink:
    """A link with everything that is known about it now."""

    def __init__(self, link: Link, holds: set[str], places: PagePlaces) -> None:
        self.source = link.source
        self.holds = holds
        self._places = places
        self._around = Surroundings(link)

    def fits(self, rule: Premises, links: Sequence[_KnownLink]) -> bool:
        """Whether a rule holds for this link, one of the links to its page."""
        if not rule.link <= self.holds:
            return False
        if not rule.relation:
            return True
        if rule.relation == SECOND:
            return any(other.source != self.source and rule.other <= other.as_second for other in links)
        if not self._places:
            return False
        return any(rule.other <= found for found in self._around.beside(rule.relation, self._places))

    @cached_property
    def as_second(self) -> set[str]:
        """What holds for the link, said of the second one."""
        return {OTHER_NAMES[text[0]] + text[1:] for text in self.holds if text[0] in OTHER_NAMES}
