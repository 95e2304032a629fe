"""The bindings of a rule's variables as a table of numbers, to which every literal is joined."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clew.learning.facts import Facts, Literal

Numbers = NDArray[np.int64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Relation:
    """A binary relation over numbers, indexed by its left side for joins.

    >>> few = Relation.of([(0, 7), (2, 8), (2, 9)], size=3)
    >>> [column.tolist() for column in few.join(np.array([2, 1, 0]))]
    [[0, 0, 2], [8, 9, 7]]
    """

    starts: Numbers  # where the items of each left side begin, and last the end of all
    items: Numbers  # the right sides, ordered by the left

    @classmethod
    def of(cls, pairs: Iterable[tuple[int, int]], size: int) -> Relation:
        """From pairs with left sides below `size`."""
        left, right = np.array([*pairs], dtype=np.int64).reshape(-1, 2).T
        order = np.argsort(left, kind="stable")
        starts = np.concatenate([[0], np.cumsum(np.bincount(left, minlength=size))])
        return cls(starts, right[order])

    @classmethod
    def grouped(cls, left: Numbers, right: Numbers, size: int) -> Relation:
        """From pairs that are ordered by their left sides already."""
        starts = np.concatenate([[0], np.cumsum(np.bincount(left, minlength=size))])
        return cls(starts, right)

    @classmethod
    def of_groups(cls, groups: Sequence[Numbers]) -> Relation:
        """The right sides of 0, then those of 1, and so on."""
        starts = np.concatenate([[0], np.cumsum([len(group) for group in groups], dtype=np.int64)])
        return cls(starts, np.concatenate([np.zeros(0, dtype=np.int64), *groups]))

    def followed_by(self, other: Relation) -> Relation:
        """The left sides of this relation, and after them those of another one."""
        starts = np.concatenate([self.starts, other.starts[1:] + self.starts[-1]])
        return Relation(starts, np.concatenate([self.items, other.items]))

    def left(self) -> Numbers:
        """The left sides of all items."""
        return np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))

    def right_of(self, key: int) -> Numbers:
        """The right sides of one left side."""
        return self.items[self.starts[key] : self.starts[key + 1]]

    def join(self, keys: Numbers) -> tuple[Numbers, Numbers]:
        """For each pair whose left side is one of these keys: the place of the key, and the right side."""
        first = self.starts[keys]
        counts = self.starts[keys + 1] - first
        rows = np.repeat(np.arange(len(keys)), counts)
        # 0, 1, 2, ... for the items of each key.
        within = np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts)
        return rows, self.items[first[rows] + within]


class BindingIndex:
    """Facts with numbers instead of names, as relations for joins."""

    def __init__(self, facts: Facts) -> None:
        self.pages = _page_numbers(facts)
        self.elements = _element_numbers(facts)
        self._index_links(facts)
        self._index_parents(facts)
        self._index_visits(facts)
        self._index_blocks(facts)
        self.constants = _constant_numbers(facts)
        self.has = {name: self._relation(table, self.elements) for name, table in facts.has.items()}
        self.about = {name: self._relation(table, self.pages) for name, table in facts.about.items()}

    def _index_links(self, facts: Facts) -> None:
        pages = self.pages
        elements = self.elements
        links = np.array([(pages[y], pages[x], elements[a]) for y, x, a in facts.links], dtype=np.int64)
        self.source, self.target, self.anchor = links.reshape(-1, 3).T
        self.into = Relation.of(zip(self.target.tolist(), range(len(links)), strict=True), len(pages))
        self.out = Relation.of(zip(self.source.tolist(), range(len(links)), strict=True), len(pages))
        self.leads = np.full(len(elements), -1)  # by element: the page that it links to, -1 if it is no anchor
        self.leads[self.anchor] = self.target

    def _index_parents(self, facts: Facts) -> None:
        elements = self.elements
        up = [(elements[child], elements[parent]) for child, parent in facts.parent.items()]
        down = [(parent, child) for child, parent in up]
        self.up = Relation.of(up, len(elements))
        self.down = Relation.of(down, len(elements))

    def _index_visits(self, facts: Facts) -> None:
        """When each page was visited and whether it is relevant; judged pages have the first numbers, in order."""
        never = len(self.pages)
        visits = [number if page in facts.judged else never for page, number in self.pages.items()]
        # One more entry for "no page", at the end where index -1 finds it: never visited, never relevant.
        self.when: Numbers = np.array([*visits, never])
        # A page that has links but no judgement was read before all others.
        self.read = np.where(self.when < never, self.when, -1)
        self.good: Mask = np.array([facts.judged.get(page, False) for page in self.pages] + [False])

    def _index_blocks(self, facts: Facts) -> None:
        """The block of each anchor, -1 for none, and the anchors of each block."""
        numbers = _numbers(facts.block.values())
        self.block = np.full(len(self.elements) + 1, -1)
        for anchor, block in facts.block.items():
            self.block[self.elements[anchor]] = numbers[block]
        members = np.flatnonzero(self.block >= 0)
        self.in_block = Relation.of(zip(self.block[members].tolist(), members.tolist(), strict=True), len(numbers))

    def _relation(self, table: Mapping[str, list[str]], numbers: Mapping[str, int]) -> Relation:
        pairs: list[tuple[int, int]] = []
        for name, words in table.items():
            # A page that nobody links to, and that was never judged, takes part in no rule.
            if (number := numbers.get(name)) is not None:
                pairs += [(number, self.constants[word]) for word in words]
        return Relation.of(pairs, len(numbers))


@dataclass(frozen=True)
class Bindings:
    """The rows are the ways to make a body true; X is the page in question, and rows are ordered by it."""

    index: BindingIndex
    owner: Numbers  # by row: the place of X among the pages in question
    columns: dict[str, Numbers]
    pages: frozenset[str] = field(default=frozenset("XY"))  # variables for pages; all others are for elements

    @classmethod
    def start(cls, index: BindingIndex, pages: Sequence[str]) -> Bindings:
        """One row for each page, before any literal."""
        numbers = np.array([index.pages[page] for page in pages], dtype=np.int64)
        return cls(index, np.arange(len(pages)), {"X": numbers})

    def all(self, body: Iterable[Literal]) -> Bindings:
        """The bindings with all these literals."""
        found = self
        for literal in body:
            found = found.add(literal)
        return found

    def add(self, literal: Literal) -> Bindings:
        """The rows in which a further literal holds, with columns for its new variables."""
        name, args = literal
        if name == "links_to":
            return self._link(*args)
        if name == "parent":
            return self._parent(*args)
        if name == "same_block":
            return self._same_block(*args)
        return self.where(self._holds(name, *args))

    def where(self, rows: Any, **more: Numbers) -> Bindings:
        """Some of the rows, perhaps repeated, with new columns."""
        columns = {name: column[rows] for name, column in self.columns.items()} | more
        return Bindings(self.index, self.owner[rows], columns, self.pages)

    def sayings(self, name: str, variable: str) -> tuple[Numbers, Numbers]:
        """The constants that a predicate has for a variable: pairs of a row and a constant."""
        tables = self.index.about if variable in self.pages else self.index.has
        return tables[name].join(self.columns[variable])

    def known(self, variable: str) -> Mask:
        """Rows where the page, or the page that the anchor leads to, was known to be relevant before X was visited."""
        index = self.index
        column = self.columns[variable]
        page = column if variable in self.pages else index.leads[column]
        return np.logical_and(index.good[page], index.when[page] < index.when[self.columns["X"]])

    def _holds(self, name: str, variable: str, other: str = "") -> Mask:
        if name == "!=":
            return np.not_equal(self.columns[variable], self.columns[other])
        if name in ("target", "relevant"):
            return self.known(variable)
        if name not in (self.index.about if variable in self.pages else self.index.has):
            return np.zeros(len(self.owner), dtype=bool)
        rows, constants = self.sayings(name, variable)
        holds = np.zeros(len(self.owner), dtype=bool)
        holds[rows[constants == self.index.constants.get(other, -1)]] = True
        return holds

    def _link(self, source: str, target: str, anchor: str = "_") -> Bindings:
        index = self.index
        if target in self.columns:
            rows, links = index.into.join(self.columns[target])
        else:
            rows, links = index.out.join(self.columns[source])
        # A link on a page that was read after X was visited could not be known then.
        early = index.read[index.source[links]] < index.when[self.columns["X"][rows]]
        rows = rows[early]
        links = links[early]
        values = {source: index.source[links], target: index.target[links], anchor: index.anchor[links]}
        new = {name: column for name, column in values.items() if name not in self.columns}
        new.pop("_", None)
        found = self.where(rows, **new)
        found = Bindings(index, found.owner, found.columns, self.pages | {source, target})
        # A variable that had a value before must have the same one here.
        same = [self.columns[name][rows] == values[name] for name in values if name in self.columns]
        return found.where(np.logical_and.reduce(same)) if same else found

    def _parent(self, child: str, parent: str) -> Bindings:
        if child in self.columns:
            rows, found = self.index.up.join(self.columns[child])
            if parent in self.columns:
                return self.where(rows[found == self.columns[parent][rows]])
            return self.where(rows, **{parent: found})
        rows, found = self.index.down.join(self.columns[parent])
        return self.where(rows, **{child: found})

    def _same_block(self, other: str, anchor: str) -> Bindings:
        blocks = self.index.block[self.columns[anchor]]
        inside = np.flatnonzero(blocks >= 0)
        rows, found = self.index.in_block.join(blocks[inside])
        rows = inside[rows]
        others = found != self.columns[anchor][rows]
        return self.where(rows[others], **{other: found[others]})


def _page_numbers(facts: Facts) -> dict[str, int]:
    names = list(facts.judged)
    for source, target, _ in facts.links:
        names += (source, target)
    return _numbers(names)


def _element_numbers(facts: Facts) -> dict[str, int]:
    names = [*facts.parent, *facts.parent.values(), *(anchor for _, _, anchor in facts.links)]
    for table in facts.has.values():
        names += table
    return _numbers(names)


def _constant_numbers(facts: Facts) -> dict[str, int]:
    names: list[str] = []
    for table in (*facts.has.values(), *facts.about.values()):
        for words in table.values():
            names += words
    return _numbers(names)


def _numbers(names: Iterable[str]) -> dict[str, int]:
    """A number for each name, in the order of first occurrence."""
    return {name: number for number, name in enumerate(dict.fromkeys(names))}
