from __future__ import annotations

import pytest

from clew.strategies.distiller import Distiller
from clew.testing.tiny_web import explore, order, url_of
from clew.types import Candidate

HUB = "h/ .6 -> a/ b/ h/new; a/ .9 -> a/x; b/ .9; a/x .8; o/ .7 -> o/x"


def test_links_of_hubs_rise() -> None:
    assert order("distiller(every=1)", HUB, start="h/ a/ b/ o/")[4:] == ["a/x", "h/new", "o/x"]
    assert order("best_first", HUB, start="h/ a/ b/ o/")[4:] == ["a/x", "o/x", "h/new"]


def test_only_links_between_hosts_make_hubs() -> None:
    web = "h .6 -> a b new; a .9 -> x; b .9; x .8; o .7 -> y"
    assert order("distiller(every=1)", web, start="h a b o") == order("best_first", web, start="h a b o")


def test_t10_the_hub_of_the_more_relevant_pages_is_the_best() -> None:
    web = "h1/ .8 -> a1/ a2/ h1/x; h2/ .4 -> a1/ a3/; a1/ .9; a2/ .6; a3/ .05"
    strategy = Distiller(every=1)
    explore(strategy, web, start="h1/ h2/ a1/ a2/ a3/")
    numbers = [strategy._crawl.number(url_of(name)) for name in ("h1/", "h2/")]
    assert strategy.hubs == {numbers[0]: 1.0}
    whole = Distiller(every=1, top=1.0)
    explore(whole, web, start="h1/ h2/ a1/ a2/ a3/")
    assert whole.hubs == {numbers[1]: 0.5, numbers[0]: 1.0}


def test_a_host_that_repeats_itself_has_no_more_votes() -> None:
    """m/1 to m/3 link to the friend f/; an honest hub links to two hosts."""
    web = "m/1 .9 -> f/ f/2; m/2 .9 -> f/ f/2; m/3 .9 -> f/ f/2; h/ .9 -> a/ b/; f/ .9; f/2 .9; a/ .9; b/ .9"
    strategy = Distiller(every=1)
    explore(strategy, web, start="m/1 m/2 m/3 h/ f/ f/2 a/ b/")
    assert list(strategy.hubs) == [strategy._crawl.number(url_of("h/"))]


def test_distils_when_the_links_have_grown() -> None:
    strategy = Distiller(growth=0.5)
    explore(strategy, "s/ .9 -> a/ b/; a/ .9 -> c/; b/ .9 -> d/")
    assert strategy.distilled == (3, 4)


def test_explains_hub_and_parent() -> None:
    strategy = Distiller(every=1)
    explore(strategy, HUB, start="h/ a/ b/ o/", pages=5)
    number = strategy._crawl.number(url_of("h/new")) or 0
    found = strategy._crawl.candidate(url_of("h/new")) or Candidate("")
    assert found.found == number
    assert strategy.explain(found) == {"own": 0.6, "hub percentile": 1.0, "best recent": pytest.approx(0.9)}
