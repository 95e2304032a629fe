"""Subgroup discovery: a best-first search for rules that cover many relevant pages and few others."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import count
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from clew.learning.rules import START, Body, Numbers, Rule, bits, bound


@dataclass(frozen=True, eq=False)
class CountTable:
    """The rows of a rule's body, and for each further condition the rows in which it holds.

    Rows are links (or bindings of more variables), ordered by the instance that owns them. `grow` returns the tables of
    bodies with one more structural literal.
    """

    owner: Numbers
    conditions: Sequence[Body]
    holds: NDArray[np.bool_]  # conditions x rows
    body: Body = START
    grow: Callable[[], Iterable[CountTable]] = tuple

    def covered(self, rows: Numbers, conditions: Numbers) -> tuple[NDArray[np.bool_], Numbers]:
        """For each condition which of the instances behind these rows it covers; and those instances."""
        owner = self.owner[rows]
        starts = np.flatnonzero(np.diff(owner, prepend=-1))
        holds = self.holds[np.ix_(conditions, rows)]
        # An instance is covered if the condition holds in any of its rows, which stand together.
        if len(starts) < len(rows):
            holds = np.logical_or.reduceat(holds, starts, axis=1)
        return holds, owner[starts]


class Node(NamedTuple):
    """A rule in the search: the conditions chosen from a table, and those that may still be added."""

    table: CountTable
    chosen: tuple[int, ...]
    further: Numbers

    def rows(self) -> Numbers:
        """The rows in which all chosen conditions hold."""
        return np.flatnonzero(self.table.holds[list(self.chosen)].all(axis=0))

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
    found: dict[int, Rule] = field(default_factory=dict, init=False)  # by cover

    def __post_init__(self) -> None:
        self.total = len(self.relevant)
        self.base = float(self.relevant.mean()) if self.total else 0.0
        self._heap: list[tuple[float, int, int, Node]] = []
        self._serial = count()
        self._worst = 0.0  # quality that a rule must exceed: that of the worst rule kept

    def run(self, table: CountTable) -> list[Rule]:
        """The best rules that begin with the body of the table, the best first."""
        self._push_table(table)
        for _ in range(self.effort):
            if not self._heap or -self._heap[0][0] <= self._worst:
                break
            node = heappop(self._heap)[-1]
            if not node.chosen:
                for grown in node.table.grow():
                    self._push_table(grown)
            self._refine(node)
        return self._best()

    def _push_table(self, table: CountTable) -> None:
        instances = np.unique(table.owner)
        node = Node(table, (), np.arange(len(table.conditions)))
        self._push(node, instances, int(self.relevant[instances].sum()))

    def _refine(self, node: Node) -> None:
        """Add each condition that comes after the last one, so that no rule comes twice."""
        table = node.table
        rows = node.rows()
        covered, instances = table.covered(rows, node.further)
        positives = (covered.astype(np.float32) @ self.relevant[instances].astype(np.float32)).astype(int)
        # A condition that covers too little here does so in every specialisation, too.
        # One that holds everywhere says nothing.
        useful = (positives >= self.support) & ~table.holds[np.ix_(node.further, rows)].all(axis=1)
        further = node.further[useful]
        for at, place in enumerate(np.flatnonzero(useful).tolist()):
            if bound(positives[place], self.total, self.base) > self._worst:
                finer = Node(table, (*node.chosen, int(further[at])), further[at + 1 :])
                self._push(finer, instances[covered[place]], int(positives[place]))

    def _push(self, node: Node, instances: Numbers, positives: int) -> None:
        body = node.body()
        if positives < self.support or len(body) > self.literals:
            return
        negatives = len(instances) - positives
        # A rule without negatives has reached its bound: no special case of it is better.
        if negatives or not node.chosen:
            promise = bound(positives, self.total, self.base)
            heappush(self._heap, (-promise, len(body), next(self._serial), node))
        rule = Rule(body, positives, negatives, bits(instances, self.total), node.chosen)
        if rule.confidence < self.confidence:
            return
        if self._quality(rule) > self._worst or rule.cover in self.found:
            self._keep(rule)

    def _keep(self, rule: Rule) -> None:
        """Keep a rule, unless one that is as short covers the same pages."""
        known = self.found.get(rule.cover)
        if known is None or len(rule.body) < len(known.body):
            self.found[rule.cover] = rule
        # Sorting is expensive: there may be twice as many rules before the worst half is thrown away.
        if known is None and len(self.found) >= 2 * self.most:
            self.found = {one.cover: one for one in self._best()}
            self._worst = min(map(self._quality, self.found.values()))

    def _best(self) -> list[Rule]:
        # The literals of a rule break ties, so that the order does not depend on the search.
        order = sorted(self.found.values(), key=lambda rule: (-self._quality(rule), len(rule.body), rule.body))
        return order[: self.most]

    def _quality(self, rule: Rule) -> float:
        return rule.quality(self.total, self.base)
