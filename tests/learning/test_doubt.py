"""Which pages to ask about."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from clew.learning.doubt import Doubtful, most_telling

BOATS = {"boat": 3, "sail": 2}
HARBOURS = {"harbour": 2, "fee": 1}

texts = st.dictionaries(st.sampled_from(["boat", "sail", "harbour", "golf"]), st.integers(1, 5), max_size=4)
pages = st.builds(Doubtful, st.floats(0, 1), st.sampled_from(["a.example", "b.example"]), texts)


def test_the_nearest_page_comes_first() -> None:
    assert most_telling([Doubtful(0.4, "a", BOATS), Doubtful(0.1, "b", HARBOURS)], 1) == [1]


def test_a_page_like_one_that_is_labelled_teaches_little() -> None:
    doubtful = [Doubtful(0.1, "a", BOATS), Doubtful(0.2, "b", HARBOURS), Doubtful(0.9, "c", {"golf": 1})]
    assert most_telling(doubtful, 1) == [0]
    assert most_telling(doubtful, 1, known=[BOATS]) == [1]


def test_other_hosts_are_asked_about_before_the_same_one_again() -> None:
    doubtful = [Doubtful(0.1, "a", BOATS), Doubtful(0.1, "a", HARBOURS), Doubtful(0.3, "b", {"golf": 1})]
    assert most_telling(doubtful, 3) == [0, 2, 1]


@given(st.lists(pages, max_size=8), st.integers(0, 10))
def test_each_page_is_chosen_once_at_most(found: list[Doubtful], n: int) -> None:
    chosen = most_telling(found, n)
    assert len(set(chosen)) == len(chosen) == min(n, len(found))
