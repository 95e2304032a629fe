"""Subgroup discovery: a best-first search for rules that cover many relevant pages and few others."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from heapq import heappop, heappush
from itertools import count
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from clew.learning.best_rules import BestRules
from clew.learning.bindings import Relation
from clew.learning.rules import START, Body, Numbers, Rule, bound


@dataclass(frozen=True, eq=False)
class CountTable:
    """The rows of a rule's body, and for each further condition the rows in which it holds, in ascending order.

    Rows are links (or bindings of more variables), ordered by the instance that owns them. `grow` returns the tables of
    bodies with one more structural literal.
    """

    owner: Numbers
    conditions: Sequence[Body]
    # A word holds for one link in a hundred: only the rows in which it does are kept.
    holds: Relation
    body: Body = START
    grow: Callable[[], Iterable[CountTable]] = tuple

    @cached_property
    def condition_of(self) -> Numbers:
        """By item of `holds`: the condition."""
        return self.holds.left()

    def within(self, rows: NDArray[np.bool_], conditions: Numbers) -> Coverage:
        """What each of these conditions covers within some of the rows."""
        wanted = np.zeros(len(self.conditions), dtype=bool)
        wanted[conditions] = True
        chosen = rows[self.holds.items] & wanted[self.condition_of]
        condition = self.condition_of[chosen]
        owner = self.owner[self.holds.items[chosen]]
        # The rows of an instance stand together: it is new where the row before belongs to another one.
        new = np.diff(owner, prepend=-1) != 0
        new |= np.diff(condition, prepend=-1) != 0
        frequency = np.bincount(condition, minlength=len(self.conditions))
        return Coverage(frequency, Relation.grouped(condition[new], owner[new], len(self.conditions)))


class Coverage(NamedTuple):
    """What conditions cover."""

    frequency: Numbers  # by condition: the rows in which it holds
    instances: Relation  # by condition: the instances behind these rows, each once

    def positives(self, relevant: NDArray[np.bool_]) -> Numbers:
        """By condition: how many of its instances are relevant."""
        before = np.concatenate([[0], np.cumsum(relevant[self.instances.items])])
        return np.diff(before[self.instances.starts])


class Node(NamedTuple):
    """A rule in the search: the conditions chosen from a table, and those that may still be added."""

    table: CountTable
    chosen: tuple[int, ...]
    further: Numbers

    def rows(self) -> NDArray[np.bool_]:
        """The rows in which all chosen conditions hold."""
        times = np.zeros(len(self.table.owner), dtype=np.int64)
        for at in self.chosen:
            times[self.table.holds.right_of(at)] += 1
        return np.equal(times, len(self.chosen))

    def body(self) -> Body:
        """The literals, each once."""
        literals = list(self.table.body)
        for at in self.chosen:
            literals += self.table.conditions[at]
        return tuple(dict.fromkeys(literals))


@dataclass
class Search:
    """Best-first search: once no rule left has a bound above the quality of those found, these are the best.

    A rule needs `support` relevant pages, a minimum `confidence` and at most `literals` literals; the best `most` rules
    are kept. `effort` limits the number of rules that are refined: without good rules the search would try them all.
    """

    relevant: NDArray[np.bool_]
    support: int
    confidence: float = 0.8
    most: int = 50
    literals: int = 12
    effort: int = 2000

    def __post_init__(self) -> None:
        self.total = len(self.relevant)
        self.base = float(self.relevant.mean()) if self.total else 0.0
        self._heap: list[tuple[float, int, int, Node]] = []
        self._serial = count()
        self._found = BestRules(self.most, self.total, self.base)

    def run(self, table: CountTable) -> list[Rule]:
        """The best rules that begin with the body of the table, the best first."""
        self._push_table(table)
        for _ in range(self.effort):
            if not self._heap or -self._heap[0][0] <= self._found.worst:
                break
            node = heappop(self._heap)[-1]
            if not node.chosen:
                for grown in node.table.grow():
                    self._push_table(grown)
            self._refine(node)
        return self._found.rules()

    def _push_table(self, table: CountTable) -> None:
        instances = np.unique(table.owner)
        node = Node(table, (), np.arange(len(table.conditions)))
        self._push(node, node.body(), instances, int(self.relevant[instances].sum()))

    def _refine(self, node: Node) -> None:
        """Add each condition that comes after the last one, so that no rule comes twice."""
        table = node.table
        body = node.body()
        rows = node.rows()
        coverage = table.within(rows, node.further)
        positives = coverage.positives(self.relevant)
        # A condition that covers too little here does so in every specialisation, too.
        # One that holds everywhere says nothing.
        useful = (positives >= self.support) & (coverage.frequency < rows.sum())
        further = node.further[useful[node.further]]
        known = set(body)
        for at, condition in enumerate(further.tolist(), 1):
            good = int(positives[condition])
            if bound(good, self.total, self.base) > self._found.worst:
                more = [literal for literal in table.conditions[condition] if literal not in known]
                finer = Node(table, (*node.chosen, condition), further[at:])
                self._push(finer, (*body, *more), coverage.instances.right_of(condition), good)

    def _push(self, node: Node, body: Body, instances: Numbers, positives: int) -> None:
        if positives < self.support or len(body) > self.literals:
            return
        covered = len(instances)
        # A rule without negatives has reached its bound: no special case of it is better.
        if positives < covered or not node.chosen:
            promise = bound(positives, self.total, self.base)
            heappush(self._heap, (-promise, len(body), next(self._serial), node))
        if positives / covered >= self.confidence:
            self._found.add(body, instances, positives, node.chosen)
