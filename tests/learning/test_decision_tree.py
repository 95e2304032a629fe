"""Trees over yes-or-no features: what they ask, and that they are scikit-learn's to the last tie."""

from __future__ import annotations

import random
from typing import Any

import pytest

from clew.learning.decision_tree import LEAF, DecisionTree, grow

Rows = list[list[int]]


def drawn(seed: int, rows: int, features: int) -> tuple[Rows, list[bool]]:
    """Rows with few features each, so that many splits are equally good."""
    chance = random.Random(seed)
    table = [sorted(chance.sample(range(features), min(features, int(chance.expovariate(1 / 8))))) for _ in range(rows)]
    return table, [chance.random() < 0.3 + 0.4 * (0 in row) for row in table]


def leaf_of(tree: DecisionTree, row: list[int]) -> int:
    node = 0
    while tree.questions[node] != LEAF:
        node = tree.branches[node][tree.questions[node] in row]
    return node


def test_the_feature_that_tells_most_is_asked_first() -> None:
    rows = [[0, 1], [0], [0, 2], [0, 1, 2], [1], [2], [], [1, 2]]
    tree = grow(rows, [True] * 4 + [False] * 4, features=3)
    assert tree.questions == [0, LEAF, LEAF]
    assert tree.leaves == [(0, 0), (0, 4), (4, 4)]


@pytest.mark.parametrize("rows", [[[0], [1]], [[0], [], []], [[], [], [], []]])
def test_without_two_rows_on_each_side_there_is_one_leaf(rows: Rows) -> None:
    labels = [n == 0 for n in range(len(rows))]
    assert grow(rows, labels, features=2).leaves == [(1, len(rows))]


def test_no_features_at_all() -> None:
    assert grow([[], []], [True, False], features=0).leaves == [(1, 2)]


@pytest.mark.parametrize("seed", range(5))
def test_leaves_hold_all_rows(seed: int) -> None:
    rows, labels = drawn(seed, rows=120, features=40)
    tree = grow(rows, labels, features=40)
    found = [leaf_of(tree, row) for row in rows]
    for node, (good, total) in enumerate(tree.leaves):
        inside = [label for label, leaf in zip(labels, found, strict=True) if leaf == node]
        assert (good, total) == (sum(inside), len(inside))
        assert total != 1


@pytest.mark.parametrize(("seed", "rows", "features"), [(1, 5, 3), (2, 50, 200), (3, 300, 20), (4, 300, 1000)])
def test_scikit_learn_grows_the_same_tree(seed: int, rows: int, features: int) -> None:
    sparse: Any = pytest.importorskip("scipy.sparse")
    trees: Any = pytest.importorskip("sklearn.tree")
    table, labels = drawn(seed, rows, features)
    data = sparse.dok_matrix((rows, features), dtype="float32")
    for number, row in enumerate(table):
        for feature in row:
            data[number, feature] = 1.0
    theirs = trees.DecisionTreeClassifier(criterion="entropy", min_samples_leaf=2, random_state=0)
    theirs = theirs.fit(data.tocsr(), [int(label) for label in labels]).tree_
    ours = grow(table, labels, features)
    assert ours.branches == [*zip(theirs.children_left.tolist(), theirs.children_right.tolist(), strict=True)]
    inner = [node for node, question in enumerate(ours.questions) if question != LEAF]
    assert [ours.questions[node] for node in inner] == theirs.feature[inner].tolist()
