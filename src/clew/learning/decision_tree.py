"""A decision tree over yes-or-no features, split by entropy.

It grows the very tree that scikit-learn's `DecisionTreeClassifier(criterion="entropy", min_samples_leaf=2,
random_state=0)` grows on the same data, so that results do not depend on what is installed. Of splits that are equally
good, scikit-learn takes the one whose feature it drew first; drawing is therefore repeated here step by step.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Final

import numpy as np
from numpy.typing import NDArray

LEAF: Final = -1
MIN_ROWS_PER_LEAF: Final = 2
SEED: Final = 209652396  # what NumPy's RandomState(0) hands to the splitter
PURE: Final = float(np.finfo(np.float64).eps)

Numbers = NDArray[np.intp]


@dataclass
class DecisionTree:
    """Node by node: the feature it asks for, where to go without and with it, and the positive and all rows of a leaf.

    >>> tree = grow([[0], [0, 1], [1], []], [True, True, False, False], features=2)
    >>> tree.questions, tree.branches, tree.leaves
    ([0, -1, -1], [(1, 2), (-1, -1), (-1, -1)], [(0, 0), (0, 2), (2, 2)])
    """

    questions: list[int] = field(default_factory=list)
    branches: list[tuple[int, int]] = field(default_factory=list)
    leaves: list[tuple[int, int]] = field(default_factory=list)

    def add(self, parent: int, has_feature: bool) -> int:
        """A new leaf below a parent; its number."""
        node = len(self.questions)
        self.questions.append(LEAF)
        self.branches.append((LEAF, LEAF))
        self.leaves.append((0, 0))
        if parent >= 0:
            without, with_it = self.branches[parent]
            self.branches[parent] = (without, node) if has_feature else (node, with_it)
        return node


@dataclass(frozen=True)
class _Node:
    """Rows that are to be split, and one pair of row and feature for each feature that a row has."""

    rows: Numbers
    pair_rows: Numbers
    pair_features: Numbers
    parent: int = LEAF
    has_feature: bool = False  # on which side of its parent it lies
    known_constants: int = 0  # features that are the same in all rows, as its ancestors found out

    def part(self, wanted: NDArray[np.bool_], parent: int, has_feature: bool, known_constants: int) -> _Node:
        """The rows that are wanted, as a child."""
        pairs = wanted[self.pair_rows]
        return _Node(
            self.rows[wanted[self.rows]],
            self.pair_rows[pairs],
            self.pair_features[pairs],
            parent,
            has_feature,
            known_constants,
        )


def grow(rows: Sequence[Sequence[int]], labels: Sequence[bool], features: int) -> DecisionTree:
    """The tree for rows that are given by the features they have, each of them once."""
    positive = np.array(labels, bool)
    lengths = [len(row) for row in rows]
    flat = list(chain.from_iterable(rows))
    tree = DecisionTree()
    draws = _Draws(features)
    root = _Node(np.arange(len(rows)), np.repeat(np.arange(len(rows)), lengths), np.array(flat, np.intp))
    waiting = [root]
    while waiting:
        node = waiting.pop()
        number = tree.add(node.parent, node.has_feature)
        total = len(node.rows)
        good = int(positive[node.rows].sum())
        best = LEAF
        constants = node.known_constants
        if total >= 2 * MIN_ROWS_PER_LEAF and _entropy(good, total) > PURE:
            best, constants = draws.best(node.known_constants, *_gains(node, positive, good, features))
        if best == LEAF:
            tree.leaves[number] = (good, total)
            continue
        tree.questions[number] = best
        having = np.zeros(len(rows), bool)
        having[node.pair_rows[node.pair_features == best]] = True
        # The last one in is the next one out: the rows without the feature come first.
        waiting.append(node.part(having, number, True, constants))
        waiting.append(node.part(~having, number, False, constants))
    return tree


def _gains(node: _Node, positive: NDArray[np.bool_], good: int, features: int) -> tuple[NDArray[np.bool_], list[float]]:
    """Which features are the same in all rows, and how much better each would leave them; -inf where it must not."""
    total = len(node.rows)
    having = np.bincount(node.pair_features, minlength=features)
    having_good = np.bincount(node.pair_features[positive[node.pair_rows]], minlength=features)
    constant = (having == 0) | (having == total)
    gains = [-math.inf] * features
    known: dict[tuple[int, int], float] = {}
    # Pure Python's logarithm is the one of the C library; NumPy's may differ in the last bit, and decide a tie.
    for feature in np.flatnonzero((having >= MIN_ROWS_PER_LEAF) & (total - having >= MIN_ROWS_PER_LEAF)).tolist():
        key = int(having[feature]), int(having_good[feature])
        if key not in known:
            known[key] = _gain(*key, total, good)
        gains[feature] = known[key]
    return constant, gains


def _gain(having: int, having_good: int, total: int, good: int) -> float:
    without = total - having
    return -having * _entropy(having_good, having) - without * _entropy(good - having_good, without)


def _entropy(good: int, total: int) -> float:
    entropy = 0.0
    for count in (total - good, good):
        if count:
            share = count / total
            entropy -= share * (math.log(share) / math.log(2.0))
    return entropy


class _Draws:
    """Draws features in scikit-learn's order: Fisher and Yates' shuffle with Marsaglia's xorshift.

    The order is kept from node to node. Its first places hold the features that are constant below the present node.
    """

    def __init__(self, features: int) -> None:
        self.order = list(range(features))
        self.constants = [0] * features
        self.state = SEED

    def best(self, known: int, constant: NDArray[np.bool_], gains: list[float]) -> tuple[int, int]:
        """The best feature of those drawn first, or LEAF; and how many features are now known to be constant."""
        order = self.order
        is_constant = constant.tolist()
        best = LEAF
        best_gain = -math.inf
        drawn_constants = 0
        found = 0
        left = len(order)
        state = self.state
        while left > known + found:
            state ^= state << 13 & 0xFFFFFFFF
            state ^= state >> 17
            state ^= state << 5 & 0xFFFFFFFF
            at = drawn_constants + (state & 0x7FFFFFFF) % (left - found - drawn_constants)
            if at < known:
                order[drawn_constants], order[at] = order[at], order[drawn_constants]
                drawn_constants += 1
                continue
            at += found
            feature = order[at]
            if is_constant[feature]:
                order[at], order[known + found] = order[known + found], feature
                found += 1
                continue
            left -= 1
            order[at], order[left] = order[left], feature
            if gains[feature] > best_gain:
                best = feature
                best_gain = gains[feature]
        self.state = state
        # Siblings must find the constants of their ancestors in the order in which these left them.
        order[:known] = self.constants[:known]
        self.constants[known : known + found] = order[known : known + found]
        return best, known + found
