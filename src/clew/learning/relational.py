"""The search for rules over relational facts: which pages a rule covers, and which rules describe the relevant ones.

The parents of an element, and the page that a link is on, are determined by the link; so a rule about them needs no
choice, and all of them are conditions on the link (determinate literals). Other links are a choice: a link beside this
one, another link of the page, or another link to the same page. Each such relation gives a table of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from clew.learning.bindings import BindingIndex, Bindings, Numbers, Relation
from clew.learning.facts import Facts, Literal
from clew.learning.kin import TargetIndex
from clew.learning.rules import START, Body, Rule, bits
from clew.learning.subgroups import CountTable, Search

ANCESTORS: Final = "ABCF"
"""The anchor and the elements above it; D and E are for elements beside them, as in the paper."""
SECOND: Final = (Literal("links_to", ("V", "X", "G")), Literal("!=", ("V", "Y")))
"""Another page with a link to X."""
OTHER_NAMES: Final = {"A": "G", "Y": "V"}
"""What the anchor and the source are called for the second link."""

Mask = NDArray[np.bool_]
Condition = tuple[Body, Numbers]
"""The literals of a condition, and the rows in which it holds, in ascending order."""


def discover(facts: Facts, pages: Sequence[str], support: int, **limits: int | float) -> list[Rule]:
    """The best rules over relational facts that say which of these visited pages are relevant.

    >>> facts = Facts(judged={"u": False})
    >>> for n in range(20):
    ...     facts.links.append(("u", f"v{n}", f"e{n}"))
    ...     facts.judged[f"v{n}"] = n < 10
    >>> facts.has["text_has"] = {f"e{n}": ["sails"] for n in range(10)}
    >>> print(discover(facts, [f"v{n}" for n in range(20)], support=5)[0])
    relevant(X) :- links_to(Y, X, A), text_has(A, sails).  % +10 -0
    """
    relevant = np.array([facts.judged[page] for page in pages], dtype=bool)
    search = Search(relevant, support, **limits)  # type: ignore[arg-type]
    links = Bindings.start(BindingIndex(facts), pages).all(START)
    return search.run(_Tables(links, relevant, support).of_links())


def cover(body: Body, facts: Facts, pages: Sequence[str]) -> int:
    """The pages for which a rule's body holds, as bits."""
    found = Bindings.start(BindingIndex(facts), pages).all(body)
    return bits(np.unique(found.owner), len(pages))


@dataclass
class _Tables:
    """The tables of a search: one of links, and one for each relation of links to others."""

    links: Bindings
    relevant: Mask
    support: int

    def of_links(self) -> CountTable:
        """Each row is a link to a page; its conditions are those on the link, the elements above, and the source."""
        self._climb()
        conditions = list(self._distinct(self._conditions()))
        self.bodies = [body for body, _ in conditions]
        self.holds = Relation.of_groups([rows for _, rows in conditions])
        return CountTable(self.links.owner, self.bodies, self.holds, START, self._related)

    def _climb(self) -> None:
        """Columns for the elements above the anchor; -1 where there is none."""
        index = self.links.index
        above = np.full(len(index.elements) + 1, -1)
        above[np.repeat(np.arange(len(index.elements)), np.diff(index.up.starts))] = index.up.items
        self.columns = {"A": self.links.columns["A"], "Y": self.links.columns["Y"]}
        for child, parent in pairwise(ANCESTORS):
            self.columns[parent] = above[self.columns[child]]

    def _conditions(self) -> Iterator[Condition]:
        yield (Literal("relevant", ("Y",)),), np.flatnonzero(self.links.known("Y"))
        index = self.links.index
        for variable, column in self.columns.items():
            way_up = _way_up(variable) if variable in ANCESTORS else ()
            tables = index.about if variable == "Y" else index.has
            bound = np.flatnonzero(column >= 0)
            for name, relation in tables.items():
                rows, constants = relation.join(column[bound])
                for constant, where in self._supported(bound[rows], constants):
                    yield (*way_up, Literal(name, (variable, constant))), where

    def _supported(self, rows: Numbers, constants: Numbers) -> Iterator[tuple[str, Numbers]]:
        """The constants that hold for enough relevant pages, and the rows of each."""
        if not len(rows):
            return
        owners = self.links.owner[rows]
        good = self.relevant[owners]
        # A page counts once for a constant, however many of its links have it.
        pairs = np.unique(constants[good] * len(self.relevant) + owners[good])
        counts = np.bincount(pairs // len(self.relevant), minlength=len(self.links.index.constants))
        words = list(self.links.index.constants)
        order = np.argsort(constants, kind="stable")
        ends = np.searchsorted(constants[order], np.arange(len(words) + 1))
        for constant in np.flatnonzero(counts >= self.support).tolist():
            yield words[constant], np.unique(rows[order[ends[constant] : ends[constant + 1]]])

    def _distinct(self, conditions: Iterator[Condition]) -> Iterator[Condition]:
        """Of conditions that hold for the same links, the shortest and first is enough."""
        seen: set[bytes] = set()
        for body, rows in sorted(conditions, key=lambda condition: len(condition[0])):
            if (key := rows.tobytes()) not in seen and self._has_support(rows):
                seen.add(key)
                yield body, rows

    def _has_support(self, rows: Numbers) -> bool:
        return bool(self.relevant[np.unique(self.links.owner[rows])].sum() >= self.support)

    def _related(self) -> Iterator[CountTable]:
        """The tables in which a link is seen together with another one."""
        targets = TargetIndex(self.links.index)
        when = self.links.index.when[self.links.columns["X"]]
        for child, parent in pairwise(ANCESTORS):
            for depth, body in enumerate(_beside(child, parent), 1):
                kin = targets.below(depth).join(self.columns[parent], self.columns[child], when)
                yield self._with_tags((*_way_up(parent), *body), kin.rows, {"D": kin.tag, "E": kin.tag_below})
        kin = targets.in_block().join(self.links.index.block[self.columns["A"]], self.columns["A"], when)
        block = (Literal("same_block", ("E", "A")), Literal("target", ("E",)))
        yield self._with_tags(block, kin.rows, {})
        kin = targets.on_page().join(self.columns["Y"], self.links.columns["X"], when)
        links = (Literal("links_to", ("Y", "Z")), Literal("!=", ("Z", "X")), Literal("relevant", ("Z",)))
        yield self._with_tags(links, kin.rows, {})
        yield self._with_second_link()

    def _with_tags(self, body: Body, rows: Numbers, tags: dict[str, Numbers]) -> CountTable:
        """The table of links that have a target beside them; `tags` are those of the elements beside."""
        words = list(self.links.index.constants)
        bodies = list(self.bodies)
        groups: list[Numbers] = []
        for variable, column in tags.items():
            for tag in np.unique(column[column >= 0]).tolist():
                bodies.append((Literal("tag", (variable, words[tag])),))
                groups.append(np.flatnonzero(column == tag))
        holds = self._spread(rows).followed_by(Relation.of_groups(groups))
        return CountTable(self.links.owner[rows], bodies, holds, (*START, *body))

    def _spread(self, rows: Numbers) -> Relation:
        """Where the conditions hold in a table whose rows are these rows of links, some of them more than once."""
        order = np.argsort(rows, kind="stable")
        places = Relation.grouped(rows[order], order, len(self.links.owner))
        items, where = places.join(self.holds.items)
        conditions = self.holds.left()[items]
        order = np.lexsort((where, conditions))
        return Relation.grouped(conditions[order], where[order], len(self.bodies))

    def _with_second_link(self) -> CountTable:
        """The table of pairs of links from two pages to the same one."""
        owner = self.links.owner
        starts = np.searchsorted(owner, owner, side="left")
        ends = np.searchsorted(owner, owner, side="right")
        first = np.repeat(np.arange(len(owner)), ends - starts)
        within = np.arange(len(first)) - np.repeat(np.cumsum(ends - starts) - (ends - starts), ends - starts)
        second = starts[first] + within
        differ = self.columns["Y"][first] != self.columns["Y"][second]
        first = first[differ]
        second = second[differ]
        renamed = [(place, other) for place, body in enumerate(self.bodies) if (other := _renamed(body))]
        bodies = [*self.bodies, *(other for _, other in renamed)]
        of_second = self._spread(second)
        groups = [of_second.right_of(place) for place, _ in renamed]
        holds = self._spread(first).followed_by(Relation.of_groups(groups))
        return CountTable(owner[first], bodies, holds, (*START, *SECOND))


def _way_up(variable: str) -> Body:
    """The literals from the anchor up to an element."""
    chain = ANCESTORS[: ANCESTORS.index(variable) + 1]
    return tuple(Literal("parent", pair) for pair in pairwise(chain))


def _beside(child: str, parent: str) -> tuple[Body, Body]:
    """A target beside an element: it is an anchor itself, or has one below it."""
    beside = (Literal("parent", ("D", parent)), Literal("!=", ("D", child)))
    below = (Literal("parent", ("E", "D")), Literal("target", ("E",)))
    return (*beside, Literal("target", ("D",))), (*beside, *below)


def _renamed(body: Body) -> Body:
    """A condition on the first link as one on the second; nothing if it says nothing new there."""
    [*way_up, literal] = body
    name = OTHER_NAMES.get(literal.args[0])
    # The second link has the same URL.
    if way_up or name is None or literal.name == "url_has":
        return ()
    return (Literal(literal.name, (name, *literal.args[1:])),)
