from __future__ import annotations

from typing import Any

import pytest

from clew.strategies.soft_focus import SoftFocus
from clew.testing.tiny_web import order
from clew.types import Candidate, Link


def test_the_best_parent_counts(desk: Any) -> None:
    soft = SoftFocus()
    soft.start(desk)
    soft.learn(desk.lay("p", 0.3, "c"))
    soft.learn(desk.lay("q", 0.8, "c"))
    candidate = Candidate("http://a.org/c", links=(Link("p", "c"), Link("q", "c")))
    assert soft.score([candidate])[0] == pytest.approx(0.8)
    assert soft.explain(candidate) == {"relevance": 0.8, "server load": 0.0}


def test_every_page_is_expanded_sooner_or_later() -> None:
    assert order("soft_focus", "s .9 -> a b; a .1 -> c; b .6 -> d; d .7 -> e") == ["s", "a", "b", "d", "e", "c"]


def test_of_equals_the_host_that_was_asked_least() -> None:
    web = "s .9 -> one.org/a one.org/b two.org/c; one.org/a .9"
    assert order("soft_focus", web) == ["s", "one.org/a", "two.org/c", "one.org/b"]
