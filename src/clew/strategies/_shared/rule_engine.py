"""Tests learned rules on candidates: a small deduction engine for the forms of rules that the search can find."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
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
FIRST_NAMES: Final = {second: first for first, second in OTHER_NAMES.items()}
"""What the anchor and the source of the second link are called for the first one."""

StoredBody = tuple[tuple[str, ...], ...]
"""The literals of a rule, each a name and its arguments."""


@dataclass(frozen=True)
class Premises:
    """A rule in a form that is quick to test: what must hold for a link, and what for another one related to it."""

    link: frozenset[str]
    relation: str = ""  # to the other link: "C2" for two steps below C, "block", "page", "second"; "" if there is none
    other: frozenset[str] = frozenset()  # what must hold for the other one; of a second link said as of the first

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
        if relation == SECOND:
            other = [FIRST_NAMES.get(text[0], text[0]) + text[1:] for text in other]
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
        found: set[int] = set()
        for link in known:
            for number in self._possible(link.holds):
                if number not in found and link.fits(self.rules[number], known):
                    found.add(number)
        return sorted(found)

    @cached_property
    def _by_condition(self) -> dict[str, list[int]]:
        """The rules by the one of their conditions on the link that fewest rules have; "" for rules without any."""
        frequency = Counter(text for rule in self.rules for text in rule.link)
        found: dict[str, list[int]] = {}
        for number, rule in enumerate(self.rules):
            rarest = min(rule.link, key=lambda text: (frequency[text], text), default="")
            found.setdefault(rarest, []).append(number)
        return found

    def _possible(self, holds: set[str]) -> Iterator[int]:
        """The rules that may hold for a link: most ask for a word that it does not have."""
        yield from self._by_condition.get("", ())
        for text in self._by_condition.keys() & holds:
            yield from self._by_condition[text]


class _KnownLink:
    """A link with everything that is known about it now."""

    def __init__(self, link: Link, holds: set[str], places: PagePlaces) -> None:
        self.source = link.source
        self.holds = holds
        self._places = places
        self._around = Surroundings(link)
        self._found: dict[str, list[frozenset[str]]] = {}

    def fits(self, rule: Premises, links: Sequence[_KnownLink]) -> bool:
        """Whether a rule holds for this link, one of the links to its page."""
        if not rule.link <= self.holds:
            return False
        if not rule.relation:
            return True
        if rule.relation == SECOND:
            return any(other.source != self.source and rule.other <= other.holds for other in links)
        if not self._places:
            return False
        return any(rule.other <= found for found in self._beside(rule.relation))

    def _beside(self, relation: str) -> list[frozenset[str]]:
        """What holds for each target that is related to the link in this way; many rules ask for the same."""
        if relation not in self._found:
            self._found[relation] = list(self._around.beside(relation, self._places))
        return self._found[relation]
