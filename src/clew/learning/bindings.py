"""What the variables of a rule's body can stand for: a table that grows with every literal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clew.learning.facts import Facts, Literal

Numbers = NDArray[np.int64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Relation:
    """Pairs of numbers, to be joined from the left.

    >>> few = Relation.of([(0, 7), (2, 8), (2, 9)], size=3)
    >>> [column.tolist() for column in few.join(np.array([2, 1, 0]))]
    [[0, 0, 2], [8, 9, 7]]
    """

    starts: Numbers
    items: Numbers

    @classmethod
    def of(cls, pairs: Iterable[tuple[int, int]], size: int) -> Relation:
        """From pairs with left sides below `size`."""
        left, right = np.array([*pairs], dtype=np.int64).reshape(-1, 2).T
        order = np.argsort(left, kind="stable")
        return cls(np.concatenate([[0], np.cumsum(np.bincount(left, minlength=size))]), right[order])

    def join(self, keys: Numbers) -> tuple[Numbers, Numbers]:
        """For each pair with one of these keys: the key's place, and the right side."""
        first = self.starts[keys]
        counts = self.starts[keys + 1] - first
        rows = np.repeat(np.arange(len(keys)), counts)
        within = np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts)
        return rows, self.items[first[rows] + within]


class BindingIndex:
    """Facts by number, for joins."""

    def __init__(self, facts: Facts) -> None:
        self.pages = _numbers([*facts.judged, *(page for row in facts.links for page in row[:2])])
        elements = [*facts.parent, *facts.parent.values(), *(row[2] for row in facts.links)]
        self.elements = _numbers([*elements, *(name for table in facts.has.values() for name in table)])
        pages, elements_of, size = self.pages, self.elements, len(self.elements)
        up = [(elements_of[child], elements_of[parent]) for child, parent in facts.parent.items()]
        self.up, self.down = Relation.of(up, size), Relation.of([(b, a) for a, b in up], size)
        rows = np.array([(pages[y], pages[x], elements_of[a]) for y, x, a in facts.links], dtype=np.int64)
        self.source, self.target, self.anchor = rows.reshape(-1, 3).T
        self.into = Relation.of(zip(self.target.tolist(), range(len(rows)), strict=True), len(pages))
        self.out = Relation.of(zip(self.source.tolist(), range(len(rows)), strict=True), len(pages))
        self.leads = np.full(size, -1)
        self.leads[self.anchor] = self.target
        # One more for "no page", at the end where -1 finds it: never visited, never relevant.
        visits = [at if page in facts.judged else len(pages) for page, at in pages.items()]
        self.when: Numbers = np.array([*visits, len(pages)])
        self.read = np.where(
            self.when < len(pages), self.when, -1
        )  # a page with links that is not judged was read first
        self.good: Mask = np.array([facts.judged.get(page, False) for page in pages] + [False])
        self.constants = _numbers(word for table in facts.has.values() for words in table.values() for word in words)
        self.has = {name: self._relation(table, size) for name, table in facts.has.items()}

    def _relation(self, table: dict[str, list[str]], size: int) -> Relation:
        words, names = self.constants, self.elements
        return Relation.of([(names[name], words[word]) for name, found in table.items() for word in found], size)


@dataclass(frozen=True)
class Bindings:
    """Rows are the ways to make a body true; the column X holds the page it is about, rows ordered by it."""

    index: BindingIndex
    owner: Numbers  # the place of X among the pages that are asked about
    columns: dict[str, Numbers]
    pages: frozenset[str] = field(default=frozenset("XY"))  # variables that stand for pages, not elements

    @classmethod
    def start(cls, index: BindingIndex, pages: Sequence[str]) -> Bindings:
        """One row for each page, before any literal."""
        numbers = np.array([index.pages[page] for page in pages], dtype=np.int64)
        return cls(index, np.arange(len(pages)), {"X": numbers})

    def all(self, body: Iterable[Literal]) -> Bindings:
        """With all these literals."""
        found = self
        for literal in body:
            found = found.add(literal)
        return found

    def add(self, literal: Literal) -> Bindings:
        """The rows for which a further literal holds, with what it says of new variables."""
        name, args = literal
        if name == "links_to":
            return self._link(*args)
        if name == "parent":
            return self._parent(*args)
        return self.where(self._holds(name, *args))

    def where(self, rows: Any, **more: Numbers) -> Bindings:
        """Some of the rows, perhaps repeated, with new columns."""
        columns = {name: column[rows] for name, column in self.columns.items()} | more
        return Bindings(self.index, self.owner[rows], columns, self.pages)

    def sayings(self, name: str, variable: str) -> tuple[Numbers, Numbers]:
        """What a predicate says of a variable: pairs of a row and a constant."""
        return self.index.has[name].join(self.columns[variable])

    def known(self, variable: str) -> Mask:
        """Rows where the page, or the page that the anchor leads to, was found relevant before X was visited."""
        index, column = self.index, self.columns[variable]
        page = column if variable in self.pages else index.leads[column]
        return np.logical_and(index.good[page], index.when[page] < index.when[self.columns["X"]])

    def _holds(self, name: str, variable: str, other: str = "") -> Mask:
        if name == "!=":
            return np.not_equal(self.columns[variable], self.columns[other])
        if name in ("target", "relevant"):
            return self.known(variable)
        rows, constants = self.sayings(name, variable)
        mask = np.zeros(len(self.owner), dtype=bool)
        mask[rows[constants == self.index.constants.get(other, -1)]] = True
        return mask

    def _link(self, source: str, target: str, anchor: str = "_") -> Bindings:
        index = self.index
        inward = target in self.columns
        relation, key = (index.into, target) if inward else (index.out, source)
        rows, links = relation.join(self.columns[key])
        early = index.read[index.source[links]] < index.when[self.columns["X"][rows]]  # else nobody knew the link
        rows, links = rows[early], links[early]
        new = {source: index.source[links], target: index.target[links], anchor: index.anchor[links]}
        found = self.where(rows, **{name: column for name, column in new.items() if name not in self.columns})
        found = Bindings(index, found.owner, found.columns, self.pages | {source, target})
        same = [self.columns[name][rows] == new[name] for name in new if name in self.columns]
        found.columns.pop("_", None)
        return found.where(np.logical_and.reduce(same)) if same else found

    def _parent(self, child: str, parent: str) -> Bindings:
        if child in self.columns:
            rows, found = self.index.up.join(self.columns[child])
            if parent in self.columns:
                return self.where(rows[found == self.columns[parent][rows]])
            return self.where(rows, **{parent: found})
        rows, found = self.index.down.join(self.columns[parent])
        return self.where(rows, **{child: found})


def _numbers(names: Iterable[str]) -> dict[str, int]:
    return {name: number for number, name in enumerate(dict.fromkeys(names))}


def growths(body: Sequence[Literal], most: int) -> Iterator[Literal]:
    """Structural literals by which a body can grow, each form of it reached in one way only.

    New variables hang on the one that the last new variable hangs on, or on a later one; at most `most` elements.
    """
    children = {literal.args[0]: literal.args[1] for literal in body if literal.name == "parent"}
    order = [arg for literal in body if literal.name == "parent" for arg in literal.args]
    elements = list(dict.fromkeys(["A", *order]))
    unequal = {frozenset(literal.args) for literal in body if literal.name == "!="}
    if len(body) == 1:
        yield Literal("links_to", ("Y", "Z"))
    if len(body) == 2 and "Z" in body[1].args:
        yield Literal("!=", ("Z", "X"))
    last, latest = _last(body, elements)
    if len(elements) < most:
        fresh = chr(ord("A") + len(elements))
        for element in elements[last:]:
            if element not in children:
                yield Literal("parent", (element, fresh))
            yield Literal("parent", (fresh, element))
    siblings = [name for name in children if children[name] == children.get(latest) and name != latest]
    yield from (Literal("!=", (latest, name)) for name in siblings if frozenset((latest, name)) not in unequal)


def _last(body: Sequence[Literal], elements: list[str]) -> tuple[int, str]:
    """On which element the newest one hangs, and the newest."""
    if len(elements) == 1:
        return 0, "A"
    newest = elements[-1]
    hung = next(literal for literal in body if literal.name == "parent" and newest in literal.args)
    return elements.index(next(arg for arg in hung.args if arg != newest)), newest
