"""Every registered strategy keeps every promise, also when it has learnt."""

from __future__ import annotations

import pytest

from clew.strategies import find, make, names
from clew.testing.checks import Check, checks, run, tuned
from clew.testing.promises import cites_a_paper
from clew.testing.random_web import random_web
from clew.testing.tiny_web import explore

LEARNT = {
    "apprentice(first=10)": "due",
    "apprentice(first=10, model='logistic')": "due",
    "context_graph(least=2, every=10)": "model",
    "fab(day=10)": "match",
    "first_order(first=10, every=10, support=3, confidence=0.5)": "rules",
    "link_context(every=10)": "questions",
    "pagerank(every=10)": "ranked",
    "pagerank(every=10, hot=True)": "away",
    "reinforcement(every=10)": "means",
    "adaptive(every=7)": "due",
    "tunnel(least=2)": "reach",
}
"""Strategies that learn late, made to learn early, so that small webs see it; and what they have then."""


@pytest.mark.parametrize("promise", checks(), ids=lambda promise: promise.__name__)
@pytest.mark.parametrize("name", names())
def test_contract(name: str, promise: Check) -> None:
    assert run(promise, find(name)) == []


@pytest.mark.parametrize("name", names())
def test_it_cites_a_paper(name: str) -> None:
    assert run(cites_a_paper, find(name)) == []


@pytest.mark.parametrize("promise", checks(), ids=lambda promise: promise.__name__)
@pytest.mark.parametrize("spec", LEARNT)
def test_contract_when_it_learns_early(spec: str, promise: Check) -> None:
    assert run(promise, tuned(spec)) == []


@pytest.mark.parametrize(("spec", "learnt"), LEARNT.items())
def test_the_checks_see_what_is_learnt(spec: str, learnt: str) -> None:
    early, late = tuned(spec)(), make(spec.partition("(")[0])
    explore(early, random_web(hosts=4))
    explore(late, random_web(hosts=4))
    assert getattr(early, learnt)
    assert getattr(early, learnt) != getattr(late, learnt)
