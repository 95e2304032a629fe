from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from clew.core.standstill import HELD
from clew.strategies import HOLD
from clew.strategies.hard_focus import HardFocus
from clew.testing.tiny_web import TinyWeb, TinyWebInterest, explore, order
from clew.types import Candidate, Link


class Leafy(TinyWebInterest):
    """An interest with a taxonomy: the best leaf decides, not the relevance."""

    def wants(self, topics: Mapping[str, float]) -> bool:
        return max(topics, key=topics.__getitem__) == "sailing"


def candidate(*sources: str) -> Candidate:
    return Candidate("c", links=tuple(Link(source, "c") for source in sources))


def test_irrelevant_pages_are_not_expanded() -> None:
    assert order("hard_focus", "s .9 -> a b; a .9 -> c; b .1 -> d; c .2 -> e") == ["s", "a", "b", "c"]


def test_it_stagnates_and_says_so() -> None:
    crawl = explore("hard_focus", "s .9 -> a; a .1 -> b; b .9")
    assert crawl.reason == HELD


def test_a_start_page_is_always_expanded() -> None:
    assert order("hard_focus", "s .1 -> a; a .9 -> b") == ["s", "a", "b"]


def test_the_best_leaf_decides_where_there_is_a_taxonomy(desk: Any) -> None:
    desk.interest = Leafy(TinyWeb(), threshold=0.2)
    hard = HardFocus()
    hard.start(desk)
    way = [Link("s", "p")]
    pages = {"p": {"sailing": 0.42, "golf": 0.28, "physics": 0.27}, "q": {"sailing": 0.3, "golf": 0.4}}
    for name, topics in pages.items():
        page = desk.lay(name, 0.42, "c", inlinks=way)
        object.__setattr__(page, "topics", topics)
        hard.learn(page)
    assert hard.score([candidate("p"), candidate("q")]) == [0.42, HOLD]
    assert hard.explain(candidate("p", "q")) == {"relevance": 0.42, "expanded parents": 1.0}


def test_users_have_the_last_word(desk: Any) -> None:
    hard = HardFocus()
    hard.start(desk)
    page = desk.lay("p", 0.9, "c", inlinks=[Link("s", "p")])
    hard.learn(page)
    assert list(hard.learn_label(page, relevant=False)) == ["c"]
    assert hard.score([candidate("p")]) == [HOLD]
    hard.learn_label(page, relevant=True)
    assert hard.score([candidate("p")]) == [0.9]
