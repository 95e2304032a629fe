from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from clew.errors import StrategyError
from clew.learning.relational import cover
from clew.learning.rules import START
from clew.strategies import ALL
from clew.strategies._optional import take_over
from clew.strategies._shared.conditions import literals, sibling, still, table
from clew.strategies.first_order import FirstOrder
from clew.testing.tiny_web import explore, order, url_of
from clew.types import Candidate, Link, Page

LIST = "div>ul.plays>li>a"


def link(url: str, **fields: Any) -> Link:
    return Link("p", url, **{"path": LIST, "block": 3, **fields})


def candidate(*links: Link) -> Candidate:
    return Candidate(links[0].url, links=links, n_links=len(links))


def visit(desk: Any, strategy: FirstOrder, url: str, relevance: float, *links: Link) -> Any:
    page = desk.lay(url, relevance, inlinks=links)
    return strategy.learn(page)


@pytest.fixture
def taught(desk: Any) -> FirstOrder:
    """Eight visits behind one list: those named "act" were relevant."""
    strategy = FirstOrder(first=9, every=9, support=3)
    strategy.start(desk)
    links = [link(f"v{n}", anchor="act" if n % 2 else "index", block=n, position=n) for n in range(8)]
    page = Page("p", relevance=0.3, links=tuple(links))
    desk.seen["p"] = page
    strategy.learn(page)
    stale: Any = ()
    for n, one in enumerate(links):
        stale = visit(desk, strategy, f"v{n}", 0.9 if n % 2 else 0.0, one)
    assert stale is ALL
    return strategy


def test_a_rule_lifts_links_above_all_others(taught: FirstOrder) -> None:
    act, other = link("x", anchor="Act"), link("y", anchor="index")
    scores = taught.score([candidate(act), candidate(other), candidate(other, act)])
    assert scores == [1 + 5 / 6, 0.3, 1 + 5 / 6]


def test_explain_names_the_numbers_of_the_rule(taught: FirstOrder) -> None:
    parts = taught.explain(candidate(link("x", anchor="Act")))
    assert parts["positives"], parts["negatives"] == (4.0, 0.0)
    assert parts["laplace"] == pytest.approx(5 / 6)
    assert parts["rule"] == 1.0
    assert taught.explain(candidate(link("y"))) == {"score": 0.3}
    assert taught.score([Candidate("s")]) == [2.0]


def test_rules_are_printed_with_what_they_cover_then_and_later(desk: Any, taught: FirstOrder) -> None:
    assert taught.text == ("1. relevant(X) :- links_to(Y, X, A), text_has(A, act).\n   learning: +4 -0, later: +0 -0")
    visit(desk, taught, "x", 0.9, link("x", anchor="act", block=20))
    visit(desk, taught, "y", 0.0, link("y", anchor="act", block=21))
    visit(desk, taught, "z", 0.0, link("z", anchor="index", block=22))
    assert taught.text.endswith("learning: +4 -0, later: +1 -1")


def test_siblings_of_a_target_become_stale(desk: Any) -> None:
    strategy = FirstOrder(first=3, every=1000)
    strategy.start(desk)
    strategy.rules = [(("sibling",), [20, 0, 0, 0])]
    links = (link("a"), link("b"), link("c", block=4))
    desk.seen["p"] = Page("p", links=links)
    before = strategy.score([candidate(links[1])])
    assert visit(desk, strategy, "a", 0.9, links[0]) == ["a", "b"]
    assert strategy.score([candidate(links[1]), candidate(links[2])]) == [1 + 21 / 22, 0.0]
    assert before == [0.0]
    assert visit(desk, strategy, "b", 0.9, links[1]) == []  # all that can change has changed


def test_a_visit_does_not_make_its_own_sibling(desk: Any) -> None:
    strategy = FirstOrder()
    strategy.start(desk)
    visit(desk, strategy, "a", 0.9, link("a"))
    visit(desk, strategy, "b", 0.9, link("b"))
    assert ["sibling" in row.split("\t") for row in strategy.rows] == [False, True]


def test_words_of_the_user_replace_those_of_the_judge(desk: Any) -> None:
    strategy = FirstOrder()
    strategy.start(desk)
    visit(desk, strategy, "a", 0.0, link("a"))
    strategy.learn_label(desk.seen["a"], True)
    assert strategy.labels == [True]
    assert strategy.targets == {"p": [3]}
    strategy.learn_label(Page("unknown"), False)


def test_best_first_until_there_are_rules() -> None:
    web = "s .6 -> a b; a .9 -> c; b .7 -> d; c .8 -> e"
    assert order("first_order", web) == order("best_first", web)


def test_the_crawl_turns_to_what_a_rule_promises() -> None:
    names = "abcdefghijkl"
    web = "s .6 -> " + " ".join(f"{name} [{'play' if name in 'cfil' else 'news'}]" for name in names)
    web += "; " + "; ".join(f"{name} .9" for name in "cfil")
    assert "".join(order(FirstOrder(first=8, every=100, support=2), web)) == "sabcdefgilhjk"


def test_conditions_of_a_link() -> None:
    one = Link("p", "http://plays.example/hamlet.html", "Act II", "Scene\tBoats", "Tragedies", "div>p.x>a")
    assert list(still(one)) == [
        "url play", "url exampl", "url hamlet", "text act", "text ii", "before scene", "inside scene", "inside boat",
        "heading tragedi", "tag1 p", "tag2 div",
    ]  # fmt: skip
    assert sibling(one) == "beside"
    assert sibling(link("x")) == "sibling"
    assert sibling(link("x", path="table>tr>td>a")) == sibling(link("x", path="a")) == "near"
    printed = ", ".join(map(str, literals(["tag1 li", "tag2 ul", "sibling"])))
    assert printed == (
        "parent(A, B), tag(B, li), parent(B, C), tag(C, ul), parent(D, C), D != B, parent(E, D), tag(E, a), target(E)"
    )


def test_conditions_that_hold_for_the_same_links_are_one() -> None:
    names, found = table(["text a\turl b\nurl c", "text a\turl b", "url c"], np.array([True, True, False]), support=1)
    assert len(names) == 2
    assert found.owner.tolist() == [0, 0, 1, 2]
    assert found.holds.sum() == 4


def test_the_facts_of_a_crawl_support_its_rules() -> None:
    """What the practical form finds is true of the relational facts, under the exact reading of the rule."""
    names = "abcdefghijkl"
    web = "s .6 -> " + " ".join(f"{name} [{'play' if name in 'bdfhil' else 'news'}]" for name in names)
    web += "; " + "; ".join(f"{name} .9" for name in "bdfhil")
    strategy = FirstOrder(first=13, every=13, support=2)
    explore(strategy, web)
    facts = strategy.facts()
    assert "text_has('http://sketch.example/s#1.1', play)." in facts.prolog().splitlines()
    [(conditions, (good, bad, *_)), *_] = strategy.rules
    pages = [url_of(name) for name in names]
    found = cover((*START, *literals(conditions)), facts, pages)
    assert [page for at, page in enumerate(pages) if found >> at & 1] == [url_of(name) for name in "bdfhil"]
    assert (good, bad) == (6, 0)


def test_old_visits_are_forgotten(desk: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("clew.strategies.first_order.MAX_VISITS_LEARNT_FROM", 2)
    strategy = FirstOrder()
    strategy.start(desk)
    for name in "abc":
        visit(desk, strategy, name, 0.9, link(name))
    assert strategy.pages == ["b", "c"]
    assert len(strategy.rows) == len(strategy.labels) == 2


def test_what_was_learnt_serves_another_crawl(taught: FirstOrder, desk: Any) -> None:
    heir = FirstOrder()
    take_over(heir, {name: getattr(taught, name) for name in taught.transferable})
    heir.start(desk)
    assert heir.score([candidate(link("x", anchor="act"))]) == [1 + 5 / 6]


def test_parameters_must_make_sense() -> None:
    with pytest.raises(StrategyError, match="at least 1"):
        FirstOrder(every=0)
