from __future__ import annotations

from typing import Any

import pytest

from clew.strategies.ontology import Ontology
from clew.testing.tiny_web import order
from clew.types import Candidate, Link


def test_half_the_page_and_half_the_words(desk: Any) -> None:
    strategy = Ontology()
    strategy.start(desk)
    strategy.learn(desk.lay("p", 0.4, "c"))
    candidate = Candidate("c", links=(Link("p", "c", anchor=".2", around="a\t.6 b"), Link("q", "c", anchor=".3")))
    assert strategy.explain(candidate) == pytest.approx({"score": 0.5, "page": 0.4, "anchor and context": 0.6})
    assert strategy.score([candidate, Candidate("s")]) == pytest.approx([0.5, 1.0])


def test_words_can_outdo_a_better_page() -> None:
    web = "s .8 -> a [about] b [.6 rooms]; b .3 -> c (.9 hotels) d; a"
    # a .4, b .7; behind b: c .15 + .45, d .15
    assert order("ontology", web) == ["s", "b", "c", "a", "d"]
