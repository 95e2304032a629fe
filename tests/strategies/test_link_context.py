from __future__ import annotations

from typing import Any

import pytest

from clew.strategies import ALL
from clew.strategies._optional import take_over
from clew.strategies.link_context import LinkContext
from clew.testing.tiny_web import order
from clew.types import Candidate, Link


def candidate(*links: Link) -> Candidate:
    return Candidate("c", links=links, n_links=len(links))


def with_tree(desk: Any, **parameters: Any) -> LinkContext:
    """One question: "sails"? With it 22 of 25 links were relevant, without it 1 of 10."""
    strategy = LinkContext(**parameters)
    strategy.start(desk)
    strategy.questions, strategy.branches = ["sail", "", ""], [(1, 2), (-1, -1), (-1, -1)]
    strategy.leaves = [(0, 0), (1, 10), (22, 25)]
    return strategy


def test_t21_leaf_and_priority(desk: Any) -> None:
    desk.lay("p", 0.4)
    link = Link("p", "c", "Sails")
    assert with_tree(desk).score([candidate(link)])[0] == pytest.approx(0.8519, abs=5e-5)
    parts = with_tree(desk, quality="relevance").explain(candidate(link))
    assert parts["link relevance"] == pytest.approx(0.8519, abs=5e-5)
    assert parts["source quality"] == 0.4
    assert parts["priority"] == pytest.approx(0.3407, abs=5e-5)
    assert (parts["leaf relevant"], parts["leaf links"]) == (22.0, 25.0)


@pytest.mark.parametrize(
    "link",
    [
        Link("p", "c", anchor="sailing"),
        Link("p", "http://sails.example/"),
        Link("p", "c", around="old sails\t"),
        Link("p", "c", around="\tand sails"),
    ],
)
def test_anchor_url_and_both_sides_are_asked(desk: Any, link: Link) -> None:
    assert with_tree(desk).score([candidate(link)])[0] > 0.8
    assert with_tree(desk).score([candidate(Link("p", "c", heading="sails"))])[0] < 0.2


def test_the_best_link_counts(desk: Any) -> None:
    strategy = with_tree(desk)
    good, bad = Link("p", "c", "sails"), Link("p", "c", "roads")
    assert strategy.score([candidate(bad, good)]) == strategy.score([candidate(good)])


def test_a_tree_is_grown_every_so_many_pages(desk: Any) -> None:
    strategy = LinkContext(every=10)
    strategy.start(desk)
    stale = [
        strategy.learn(desk.lay(f"v{n}", float(n % 2), inlinks=[Link("p", f"v{n}", "sails" if n % 2 else "roads")]))
        for n in range(10)
    ]
    assert stale == [()] * 9 + [ALL]
    good, bad = strategy.score([candidate(Link("p", "c", "sails")), candidate(Link("p", "c", "roads"))])
    assert (good, bad) == (6 / 7, 1 / 7)


def test_without_both_kinds_there_is_no_tree(desk: Any) -> None:
    strategy = LinkContext(every=2)
    strategy.start(desk)
    for n in range(4):
        assert strategy.learn(desk.lay(f"v{n}", 1.0, inlinks=[Link("p", f"v{n}")])) == ()
    assert strategy.questions == []


def test_only_the_latest_instances_are_kept(desk: Any) -> None:
    strategy = LinkContext(instances=3)
    strategy.start(desk)
    for n in range(5):
        strategy.learn(desk.lay(f"v{n}", 1.0, inlinks=[Link("p", f"v{n}", f"word{n}")]))
    assert strategy.contexts == ["word2", "word3", "word4"]


def test_links_without_words(desk: Any) -> None:
    strategy = LinkContext(every=2)
    strategy.start(desk)
    strategy.learn(desk.lay("a", 1.0, inlinks=[Link("p", "a")]))
    assert strategy.learn(desk.lay("b", 0.0, inlinks=[Link("p", "b")])) is ALL
    assert strategy.score([candidate(Link("p", "c", "sails"))]) == [0.5]


def test_best_first_until_there_is_a_tree() -> None:
    web = "s .6 -> a b; a .9 -> c; b .7 -> d; c .8 -> e"
    assert order("link_context", web) == order("best_first", web)
    assert LinkContext().explain(Candidate("s")) == {"priority": 1.0}


def test_the_crawl_turns_to_what_was_learnt() -> None:
    names = "abcdefghijkl"
    web = "s .6 -> " + " ".join(f"{name} [{'play' if name in 'bdfhil' else 'news'}]" for name in names)
    web += "; " + "; ".join(f"{name} .9" for name in "bdfhil")
    assert "".join(order(LinkContext(every=9), web)) == "sabcdefghiljk"


def test_the_user_teaches_too(desk: Any) -> None:
    strategy = LinkContext()
    strategy.start(desk)
    strategy.learn_label(desk.lay("a", 0.0, inlinks=[Link("p", "a", "sails")]), True)
    assert (strategy.contexts, strategy.labels) == (["sail"], [True])


def test_a_tree_serves_another_crawl(desk: Any) -> None:
    teacher, heir = with_tree(desk), LinkContext()
    take_over(heir, {name: getattr(teacher, name) for name in LinkContext.transferable})
    heir.start(desk)
    link = candidate(Link("p", "c", "sails"))
    assert heir.score([link]) == teacher.score([link])
