"""Targets near a link: links beside it, in its block or on its page whose pages are known to be relevant."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from clew.learning.bindings import BindingIndex, Numbers, Relation

PER_KIND = 2
"""Targets that are kept for a place and its tags: of two, one at least is not the link in question."""


class Kin(NamedTuple):
    """Rows of links with a target near them, once for each pair of tags; -1 stands for no tag."""

    rows: Numbers
    tag: Numbers  # of the element beside
    tag_below: Numbers  # of the target below it


class Entry(NamedTuple):
    """A target at a place: an element, a block or a page."""

    place: int
    beside: int  # what must differ from the link in question
    tag: int
    tag_below: int
    when: int  # the visit that showed its relevance


@dataclass(frozen=True)
class Targets:
    """Targets by their place. For each place and pair of tags only the earliest two matter: a rule asks for one."""

    entries: list[Entry]
    relation: Relation

    @classmethod
    def of(cls, found: Iterable[Entry], places: int) -> Targets:
        """The earliest targets of each place; `places` is the number of places."""
        kept: dict[tuple[int, int, int], list[Entry]] = {}
        for entry in sorted(found, key=lambda entry: entry.when):
            group = kept.setdefault((entry.place, entry.tag, entry.tag_below), [])
            if len(group) < PER_KIND and all(other.beside != entry.beside for other in group):
                group.append(entry)
        entries = [entry for group in kept.values() for entry in group]
        pairs = [(entry.place, number) for number, entry in enumerate(entries)]
        return cls(entries, Relation.of(pairs, places))

    def join(self, places: Numbers, selves: Numbers, when: Numbers) -> Kin:
        """The rows whose place (-1: none) has a target other than themselves that was known before their visit."""
        bound = np.flatnonzero(places >= 0)
        rows, numbers = self.relation.join(places[bound])
        rows = bound[rows]
        table = np.array(self.entries, dtype=np.int64).reshape(-1, len(Entry._fields))[numbers]
        good = (table[:, 1] != selves[rows]) & (table[:, 4] < when[rows])
        # The two earliest of a kind say the same: one row is enough.
        unique = np.unique(np.column_stack([rows, table[:, 2], table[:, 3]])[good], axis=0)
        return Kin(*unique.reshape(-1, 3).T)


class TargetIndex:
    """The targets among facts, by where they are."""

    def __init__(self, index: BindingIndex) -> None:
        self._index = index

    def below(self, depth: int) -> Targets:
        """By the element that they are below: as its children, or as children of these."""
        return Targets.of(self._below(depth), len(self._index.elements))

    def in_block(self) -> Targets:
        """By their block."""
        index = self._index
        found = [Entry(int(index.block[anchor]), anchor, -1, -1, when) for _, anchor, when in self._anchors]
        return Targets.of([entry for entry in found if entry.place >= 0], len(index.in_block.starts) - 1)

    def on_page(self) -> Targets:
        """By the page that has a link to them."""
        index = self._index
        found = [Entry(int(index.source[link]), page, -1, -1, when) for link, page, when in self._links]
        return Targets.of(found, len(index.pages))

    @cached_property
    def _links(self) -> list[tuple[int, int, int]]:
        """The links to relevant pages: the link, its page, and when that was visited."""
        index = self._index
        links = np.flatnonzero(index.good[index.target])
        pages = index.target[links]
        return list(zip(links.tolist(), pages.tolist(), index.when[pages].tolist(), strict=True))

    @cached_property
    def _anchors(self) -> list[tuple[int, int, int]]:
        return [(link, int(self._index.anchor[link]), when) for link, _, when in self._links]

    def _below(self, depth: int) -> Iterator[Entry]:
        for _, anchor, when in self._anchors:
            beside = anchor if depth == 1 else self._parent(anchor)
            place = self._parent(beside) if beside >= 0 else -1
            if place >= 0:
                tag_below = -1 if depth == 1 else self._tag(anchor)
                yield Entry(place, beside, self._tag(beside), tag_below, when)

    def _parent(self, element: int) -> int:
        return self._first(self._index.up, element)

    def _tag(self, element: int) -> int:
        return self._first(self._index.has["tag"], element) if "tag" in self._index.has else -1

    @staticmethod
    def _first(relation: Relation, key: int) -> int:
        start, end = relation.starts[key : key + 2]
        return int(relation.items[start]) if end > start else -1
