from __future__ import annotations

from clew.learning.clusters import clusters, unit_rows

BOATS = [{"sail": 2, "wind": 1}, {"sail": 1, "yacht": 2}, {"yacht": 1, "wind": 2, "sail": 1}]
CARS = [{"road": 2, "wheel": 1}, {"wheel": 3, "motor": 1}, {"road": 1, "motor": 1}]


def test_groups_share_words() -> None:
    assert sorted(clusters(unit_rows([*BOATS, *CARS]), 2)) == [[0, 1, 2], [3, 4, 5]]


def test_more_groups_than_documents() -> None:
    assert sorted(clusters(unit_rows(BOATS), 9)) == [[0], [1], [2]]


def test_equal_and_empty_documents() -> None:
    groups = clusters(unit_rows([{"sail": 1}, {"sail": 1}, {}]), 2)
    assert sorted(row for group in groups for row in group) == [0, 1, 2]
