from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.lab import metrics as m
from clew.lab.link_graph import LinkGraph

Y = [1, 1, 0, 1, 0, 0, 1, 0, 0, 0]
GAPS = [-1, 1, 1, -1, 0, 1, 0, -1, -1, 0, 1, 0, 0, 0, -1]
labels = st.lists(st.sampled_from((-1, 0, 1)), max_size=40)


@pytest.mark.parametrize("y", [Y, GAPS], ids=["all known", "some unknown"])
def test_the_worked_example(y: list[int]) -> None:
    assert m.harvest(y)[[4, 9]].tolist() == [0.6, 0.4]
    assert m.aulc(y) == pytest.approx(0.6433, abs=5e-5)
    assert m.recall(y, 8)[[4, 9]].tolist() == [0.375, 0.5]
    assert m.aurc(y, 8) == 0.375
    assert m.windowed_harvest(y, 5).tolist() == [0.6, 0.2]
    assert m.found(y).tolist() == [1, 2, 2, 3, 3, 3, 4, 4, 4, 4]
    assert m.pages_to(y, 8) == 7
    assert m.average_harvest_rate(y, 5) == pytest.approx((0.6 + 0.4) / 2)


@given(labels)
def test_unlabelled_pages_count_neither_way(y: list[int]) -> None:
    known = m.judged(y)
    for metric in (m.found, m.harvest, m.aulc, lambda y: m.windowed_harvest(y, 3), lambda y: m.moving_harvest(y, 3)):
        assert np.array_equal(metric(y), metric(known))
    assert m.pages_to(y, 5) == m.pages_to(known, 5)
    assert 0 <= m.aulc(y) <= 1
    assert m.oracle_area(y, np.arange(1, 41)) == m.oracle_area(known, np.arange(1, 41))


def test_an_empty_crawl() -> None:
    assert m.aulc([]) == m.aurc([], 3) == m.average_harvest_rate([]) == 0.0
    assert m.harvest([]).size == m.windowed_harvest([], 5).size == m.moving_harvest([], 5).size == 0
    assert m.hosts_found([], []).size == m.link_distances([], []).size == 0
    assert m.oracle_share([], [0, 1]).tolist() == [1.0, 0.0]
    assert m.oracle_area([], []) == m.overlap([], []) == m.drift_tolerance([], []) == 1.0
    assert m.pages_to([], 3) is None
    assert m.refocus_delay([], 0) is None
    assert m.reuse_gain([], [1]) == 0.0


def test_precision_counts_pages_judged_relevant() -> None:
    accepted = [False, True, True, True, False, False]
    assert m.precision([1, 1, -1, 0, 0, 1], accepted).tolist() == [0.0, 1.0, 0.5, 0.5, 0.5]
    assert m.precision(GAPS, [True] * len(GAPS)).tolist() == m.harvest(GAPS).tolist()


def test_the_last_block_may_be_shorter() -> None:
    assert m.windowed_harvest([1, 0, 1, 1, 1], 2).tolist() == [0.5, 1.0, 1.0]
    assert m.average_relevance([0.5, -1, 0.25, 1.0], 2).tolist() == [0.375, 1.0]
    assert m.average_harvest_rate([1, 0, 0], 2) == pytest.approx((1 / 2 + 1 / 3) / 2)


def test_average_harvest_rate_is_not_relevant_by_total() -> None:
    # 19,904 relevant of 25,000 are .7962 over all; found early, the mean of the cumulative rates is higher.
    y = np.zeros(25_000, dtype=int)
    y[:19_904] = 1
    assert m.harvest(y)[-1] == pytest.approx(0.7962, abs=5e-5)
    assert m.average_harvest_rate(y) > 0.95
    assert m.average_harvest_rate(y[::-1]) < 0.7962


def test_moving_harvest_is_the_mean_of_each_window() -> None:
    assert m.moving_harvest(Y, 5).tolist() == [np.mean(Y[n : n + 5]) for n in range(6)]
    assert m.moving_harvest(Y, 11).size == 0


def test_target_recall_counts_a_target_once() -> None:
    assert m.target_recall(np.array([3, 5, 3, 8]), [3, 8, 8, 1]).round(4).tolist() == [0.3333, 0.3333, 0.3333, 0.6667]
    assert m.target_recall(["a", "b"], ["b"]).tolist() == [0.0, 1.0]
    assert m.target_recall([1, 2], []).tolist() == [0.0, 0.0]


def test_hosts_count_with_their_first_relevant_page() -> None:
    hosts = ["a", "b", "b", "c", "a", "d"]
    assert m.hosts_found([0, 1, 1, -1, 1, 0], hosts).tolist() == [0, 1, 1, 2, 2]


def test_link_distances_of_relevant_pages_only() -> None:
    assert m.link_distances([1, 1, 0, -1, 1], [0, 3, 1, 9, 3]).tolist() == [1, 0, 0, 2]


def test_lift_over_the_mean_of_the_baselines() -> None:
    assert m.lift([1, 1, 1, 1], [[0, 1, 0, 1], [0, 0, 0, 1, 1]]).round(4).tolist() == [np.inf, 4.0, 6.0, 2.6667]
    assert m.lift([0, 1], [[0, 1]]).tolist() == [1.0, 1.0]
    assert m.lift([1, -1, 0], [[1, 1, 1, 1]]).tolist() == [1.0, 0.5]


def test_share_of_the_oracle() -> None:
    oracle = [0, 0, 0, 1, 2, 2, 3, 4, 4, 4, 5]
    breadth_first = [0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1]
    assert m.oracle_share(breadth_first, oracle)[6] == pytest.approx(1 / 3)
    assert m.oracle_area(breadth_first, oracle) == pytest.approx(0.60)
    assert m.oracle_area(np.diff(oracle, prepend=0), oracle) == 1.0


def test_a_crawl_that_ended_keeps_its_last_value() -> None:
    assert m.oracle_share([1, 1], [1, 2, 3, 4]).tolist() == [1.0, 1.0, 2 / 3, 0.5]
    assert m.oracle_area([1, 1], [1, 2, 3, 4]) == 0.7
    assert m.oracle_share([1, 1, 1, 1], [1, 2]).tolist() == [1.0, 1.0]


def test_overlap_of_visits_and_of_finds() -> None:
    assert m.overlap([1, 2, 3, 3], [3, 4]) == 0.25
    labels = [0, 1, 0, 1, 1, -1]
    assert m.found_by_both([1, 2, 3, 5], [3, 4, 5], labels) == pytest.approx(1 / 3)
    assert m.found_by_both([0], [2], labels) == 1.0


def test_relative_cpu_and_regret() -> None:
    assert m.relative_cpu(13.0, 1000, 5.0, 500) == pytest.approx(1.3)
    assert m.regret([1, 1], [[1, 0], [0, 1]]) == pytest.approx(1 / 0.75 - 1)
    assert m.regret([0, 0], [[0, 0]]) == 0.0


def test_refocus_delay_looks_only_at_visits_after_the_change() -> None:
    before, lost, back = [1, 0] * 5, [0] * 6, [1, 0] * 5
    assert m.refocus_delay(before + lost + back, 10, width=4) == 6 + 3  # the window 0 1 0 1 is the first at .5
    assert m.refocus_delay(before + back, 10, width=4) == 4
    assert m.refocus_delay([1] * 9 + [0] + [1] * 18 + [0] * 7, 10, width=25) == 25  # .72 is .8 of .9
    assert m.refocus_delay(before + lost, 10, width=4) is None
    assert m.refocus_delay(before + lost + back, 10, width=4, level=1.0) is None
    assert m.refocus_delay([-1, *before, *lost, -1, *back], 11, width=4) == 9


def test_drift_and_reuse_compare_equal_lengths() -> None:
    assert m.drift_tolerance([1, 1, 0], [1, 1, 1, 1, 1]) == pytest.approx(2 / 3)
    assert m.drift_tolerance([1], [0]) == 1.0
    assert m.reuse_gain([1, 1, 0, 0], [0, 1]) == pytest.approx(1 - 0.25)


def test_bootstrap_holds_the_mean_and_repeats_itself() -> None:
    differences = [0.05, 0.12, -0.02, 0.08, 0.01, 0.07, 0.03, 0.11, 0.04, 0.06]
    low, mean, high = m.bootstrap(differences)
    assert mean == pytest.approx(0.055)
    # The percentile interval is close to the normal one: mean ± 1.96 s / sqrt(n), s without the correction.
    half = 1.96 * np.std(differences) / np.sqrt(len(differences))
    assert (low, high) == pytest.approx((mean - half, mean + half), abs=0.003)
    assert m.bootstrap(differences) == (low, mean, high)
    assert m.bootstrap(differences, draws=50, seed=1) != m.bootstrap(differences, draws=50, seed=2)
    assert m.bootstrap([0.5]) == (0.5, 0.5, 0.5)
    with pytest.raises(ValueError, match="no differences"):
        m.bootstrap([])


def test_every_metric_is_public() -> None:
    assert sorted(m.__all__) == m.__all__
    assert all(callable(getattr(m, name)) for name in m.__all__)


def test_the_path_of_a_find_is_the_one_that_led_there() -> None:
    #      0 -> 1 -> 2 -> 3 -> 4, and a short cut 0 -> 4 that page 5 has, visited last
    graph = LinkGraph.of([(0, 1), (1, 2), (2, 3), (3, 4), (0, 5), (5, 4)], 6)
    visits = [0, 1, 2, 3, 4, 5, -1]
    places = m.sources(graph, visits)
    assert places.tolist() == [-1, 0, 1, 2, 3, 0, -1]
    assert m.path_distances(places).tolist() == [0, 1, 2, 3, 4, 1, 0]
    assert m.gaps(places, [1, 0, 0, 0, 1, 0, 0]).tolist() == [0, 0, 1, 2, 3, 0, 0]
    assert graph.distances([0])[4] == 2
