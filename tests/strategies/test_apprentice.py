from __future__ import annotations

from typing import Any

import pytest

from clew.strategies import ALL
from clew.strategies._optional import take_over
from clew.strategies._shared.link_bayes import Bayes
from clew.strategies.apprentice import Apprentice, offsets
from clew.testing.random_web import random_web
from clew.testing.tiny_web import explore, order
from clew.types import Candidate, Link

MODELS = ["bayes", "logistic"]


def candidate(*links: Link) -> Candidate:
    return Candidate("c", links=links, n_links=len(links))


def test_t19_log_odds() -> None:
    counts = {"ski@0": [1.5, 6.5], "ski@-1": [2.0, 2.0], "login@0": [7.5, 0.5]}
    judge = Bayes(counts, examples=[7.0, 3.0], mass=[11.0, 9.0, 3.0], cut=3)
    bad, good = judge.logs(["ski@0", "ski@-1"])
    assert good - bad == pytest.approx(0.5596, abs=5e-5)


def test_t19_as_the_strategy_says_it(desk: Any) -> None:
    apprentice = Apprentice(first=10)
    apprentice.start(desk)
    apprentice.instances = 10
    apprentice.counts = {"ski@0": [1.5, 6.5], "ski@-1": [2.0, 2.0], "login@0": [7.5, 0.5]}
    apprentice.examples, apprentice.mass = [7.0, 3.0], [11.0, 9.0, 3.0]
    parts = apprentice.explain(candidate(Link("p", "c", "ski", "ski\t")))
    assert parts["log-odds"] == parts["log-odds, link 1"] == pytest.approx(0.5596, abs=5e-5)
    assert parts["Pr(good)"] == pytest.approx(0.6364, abs=5e-5)


def test_counts_are_fractions_and_rare_words_come_in_late() -> None:
    judge = Bayes.of(2, cut=3)
    for _ in range(2):
        judge.add_example(["ski"], [0.25, 0.75])
    assert judge.mass == [0.0, 0.0, 0.0]
    judge.add_example(["ski", "alps"], [0.25, 0.75])
    assert judge.counts["ski"] == [0.75, 2.25]
    assert judge.mass == [0.75, 2.25, 1.0]
    judge.add_example(["ski"], [1.0, 0.0])
    assert judge.mass == [1.75, 2.25, 1.0]
    assert judge.examples == [1.75, 2.25]
    assert judge.logs(["alps"]) == judge.logs([])


def test_offsets_grow_coarse() -> None:
    right = " ".join(f"word{n}" for n in range(10))
    found = [feature.partition("@")[2] for feature in offsets(Link("p", "c", "", f"\t{right}"))]
    assert found == ["1", "2", "3", "3", "4", "4", "4", "4", "5", "5"]


@pytest.mark.parametrize("model", MODELS)
def test_the_critic_alone_until_there_are_instances(desk: Any, model: Any) -> None:
    apprentice = Apprentice(first=2, model=model)
    apprentice.start(desk)
    apprentice.learn(desk.lay("p", 0.4))
    one = Link("p", "c", "sails")
    assert apprentice.explain(candidate(one)) == {"critic": 0.4}
    assert apprentice.learn(desk.lay("a", 0.9, inlinks=[Link("p", "a", "sails")])) == ()
    assert apprentice.learn(desk.lay("b", 0.0, inlinks=[Link("p", "b", "roads")])) is ALL
    assert "log-odds" in apprentice.explain(candidate(one))


@pytest.mark.parametrize("model", MODELS)
def test_words_beside_an_anchor_and_in_it_are_different_things(desk: Any, model: Any) -> None:
    apprentice = Apprentice(first=1, model=model)
    apprentice.start(desk)
    for n in range(10):
        apprentice.learn(desk.lay(f"a{n}", 1.0, inlinks=[Link("p", f"a{n}", "sails", "roads\t", block=n)]))
        apprentice.learn(desk.lay(f"b{n}", 0.0, inlinks=[Link("p", f"b{n}", "roads", "sails\t", block=20 + n)]))
    good, bad = Link("p", "c", "sails", "roads\t", block=99), Link("p", "c", "roads", "sails\t", block=99)
    up, down, both = apprentice.score([candidate(good), candidate(bad), candidate(good, bad)])
    assert up > 0 > down
    assert both == pytest.approx((up + down) / 2)


@pytest.mark.parametrize("model", MODELS)
def test_links_beside_good_ones_gain(desk: Any, model: Any) -> None:
    apprentice = Apprentice(first=1, model=model)
    apprentice.start(desk)
    for block in range(8):
        for n in range(4):  # even lists are all good, odd ones all bad
            name = f"v{block}{n}"
            apprentice.learn(desk.lay(name, float(block % 2 == 0), inlinks=[Link("p", name, block=block)]))
    good, bad = apprentice.score([candidate(Link("p", "c", block=0)), candidate(Link("p", "c", block=1))])
    assert good > bad


def test_at_most_five_links_speak(desk: Any) -> None:
    apprentice = Apprentice(first=0)
    apprentice.start(desk)
    links = [Link(f"p{n}", "c", "sails") for n in range(8)]
    assert len([name for name in apprentice.explain(candidate(*links)) if "link" in name]) == 5


@pytest.mark.parametrize("model", MODELS)
def test_the_user_teaches_too(desk: Any, model: Any) -> None:
    apprentice = Apprentice(first=1, model=model)
    apprentice.start(desk)
    page = desk.lay("a", 0.0, inlinks=[Link("p", "a", "sails")])
    apprentice.learn(page)
    before = apprentice.score([candidate(Link("p", "c", "sails"))])
    for _ in range(4):
        apprentice.learn_label(page, True)
    assert apprentice.instances == 5
    assert apprentice.score([candidate(Link("p", "c", "sails"))]) > before


@pytest.mark.parametrize("model", MODELS)
def test_the_crawl_turns_to_what_was_learnt(model: Any) -> None:
    names = "abcdefghijkl"
    web = "s .6 -> " + " ".join(f"{name} [{'play' if name in 'bdfhil' else 'news'}]" for name in names)
    web += "; " + "; ".join(f"{name} .9" for name in "bdfhil")
    assert "".join(order(Apprentice(first=8, model=model), web)) == "sabcdefghiljk"


def test_what_was_learnt_serves_another_crawl(desk: Any) -> None:
    teacher, heir = Apprentice(first=1), Apprentice(first=1)
    teacher.start(desk)
    for n in range(5):
        teacher.learn(desk.lay(f"a{n}", 1.0, inlinks=[Link("p", f"a{n}", "sails", block=n)]))
    take_over(heir, {name: getattr(teacher, name) for name in Apprentice.transferable})
    heir.start(desk)
    fresh = candidate(Link("q", "c", "sails"))
    assert heir.score([fresh]) == teacher.score([fresh])


def test_failed_visits_teach_nothing() -> None:
    apprentice = Apprentice()
    explore(apprentice, "s .9 -> a b; a 404; b .8")
    assert apprentice.instances == 1
    explore(Apprentice(first=10), random_web(seed=3))
