from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from clew.base import codec
from clew.errors import StrategyError
from clew.strategies import make
from clew.strategies._shared.lexicon import SEEN, count, forget, lexicon, places, telling
from clew.strategies.intelligent import FACTORS, Intelligent
from clew.testing.random_web import random_web
from clew.testing.tiny_web import HOME, explore, order, url_of
from clew.types import Candidate, Page

# Two hubs: behind the first all is wanted, behind the second nothing is.
HUBS = """
    s .9 {start} -> good bad
    good .1 {boats} -> g1 g2 g3 g4 g5 g6
    bad .1 {roads} -> b1 b2 b3 b4 b5 b6
""" + "".join(f"g{n} .9 {{boats}}; b{n} .0 {{roads}};" for n in range(1, 7))


def crawled(web: str = HUBS, **parameters: Any) -> Intelligent:
    strategy = Intelligent(**parameters)
    explore(strategy, web)
    return strategy


def candidate(strategy: Intelligent, name: str) -> Candidate:
    number = strategy._crawl.number(url_of(name))
    assert number is not None
    return Candidate(url_of(name), number)


def test_k_counts_pages_words_tokens_and_links() -> None:
    strategy = crawled("s .9 {boats} -> a b; a .9 {boats} -> s; b .1 {roads} -> a b")
    assert (strategy.visited, strategy.hits) == (3.0, 2.0)
    words = {word: strategy.words["seen"][place] for word, place in strategy.words["ids"].items()}
    assert (words["boat"], words["road"]) == (2.0, 1.0)
    assert strategy.words["hits"][strategy.words["ids"]["boat"]] == 2.0
    assert strategy.tokens["seen"][strategy.tokens["ids"]["a"]] == 1.0
    assert strategy.links == (2.0, 1.0, 1.0, 0.0)  # s-a, a-s; s-b; b-a; b to itself does not count


def test_labels_take_back_no_more_links_than_were_counted() -> None:
    """Both links of s lead to a in the end, but when a was counted, one of them did not yet."""
    strategy = crawled("s .9 -> a r; a .9; r => a")
    assert strategy.links == (1.0, 0.0, 0.0, 0.0)
    for name in ("a", "s"):
        page = strategy._crawl.page(url_of(name))
        assert page
        strategy.learn_label(page, relevant=False)
    assert min(strategy.links) == 0.0


def test_failed_pages_teach_nothing() -> None:
    strategy = crawled("s .9 -> a b; a 404; b 500")
    assert strategy.visited == 1.0


def test_siblings_of_hits_come_first() -> None:
    seen = order("intelligent(factors='sibling')", HUBS)
    assert sum(name[0] == "g" for name in seen[4:9]) >= 4


@pytest.mark.parametrize("factors", FACTORS)
def test_each_factor_runs_alone(factors: Any) -> None:
    strategy = crawled(str(HUBS), factors=factors)
    parts = strategy.explain(candidate(strategy, "g1"))
    assert parts["priority"] == pytest.approx(parts[f"ln I {factors}"])
    assert [parts[f"weight {name}"] for name in FACTORS] == [float(name == factors) for name in FACTORS]


def test_explain_adds_up() -> None:
    strategy = crawled()
    parts = strategy.explain(candidate(strategy, "g1"))
    assert parts["priority"] == pytest.approx(sum(parts[f"ln I {f}"] * parts[f"weight {f}"] for f in FACTORS))
    weights = [parts[f"weight {name}"] for name in FACTORS]
    assert sum(weights) == pytest.approx(4.0)
    assert min(weights) > 0


def test_link_factor_is_the_paper_s() -> None:
    strategy = crawled("s .9 -> a b; a .9 -> b c; b .1 -> d; c .9 -> d; d .1")
    p, q = strategy._locality().ratios(strategy.rate)
    parts = strategy.explain(candidate(strategy, "d"))  # linked from b, no hit, and c, a hit
    assert parts["ln I link"] == pytest.approx(math.log(p) + math.log(q))
    family = strategy._kin.siblings(strategy._kin.parents(candidate(strategy, "b").found))
    assert family == (2, 3)  # children of s and a, each once: a and c are hits, b is none


def test_random_until_the_first_hit() -> None:
    links = " ".join(f"p{n}" for n in range(20))
    web = f"s .1 -> {links}; p19 .9"
    one, other = order("intelligent", web, seed=1), order("intelligent", web, seed=2)
    assert one != other
    assert one == order("intelligent", web, seed=1)
    strategy = crawled("s .1 -> a")
    assert set(strategy.explain(candidate(strategy, "a"))) == {"chance"}


def test_a_word_seen_once_is_no_proof() -> None:
    known = lexicon()
    for number in range(100):
        count(known, places(known, ["common", *(["once"] if number == 7 else [])]), number < 10 or number == 7)
    [paper, binomial] = (telling(known, 0.1, 10.0, mode)[0].tolist() for mode in ("paper", "binomial"))
    assert known["ids"]["once"] in paper
    assert known["ids"]["once"] not in binomial
    assert SEEN == 5
    one, other = crawled(str(HUBS), significance="paper"), crawled(str(HUBS))
    assert "s" in one.naming
    assert "s" not in other.naming


def test_the_published_significance_grows_with_the_hits_and_the_binomial_with_the_pages() -> None:
    """A word on 6 pages, 5 of them relevant, in a crawl of which 40 % are."""
    known = lexicon()
    for number in range(6):
        count(known, places(known, ["sail"]), number < 5)
    spread = math.sqrt(0.4 * 0.6)
    assert (5 / 6 - 0.4) / spread * math.sqrt(6) == pytest.approx(2.17, abs=0.01)
    assert (5 / 6 - 0.4) / spread * math.sqrt(40) == pytest.approx(5.59, abs=0.01)
    for mode, deviations, found in (("binomial", 2.1, 1), ("binomial", 2.2, 0), ("paper", 5.5, 1), ("paper", 5.7, 0)):
        assert len(telling(known, 0.4, 40.0, mode, deviations)[0]) == found


def test_events_near_the_average_are_no_evidence() -> None:
    """The threshold t = 2: with rate 1/2 and 100 pages, a standard deviation is 1/20 by the binomial law."""
    for hits, telling_words in ((59, []), (61, ["boat"]), (39, ["boat"]), (41, [])):
        known = lexicon()
        for number in range(100):
            count(known, places(known, ["boat"]), number < hits)
        found, _ = telling(known, 0.5, 50.0, "binomial")
        assert [word for word, place in known["ids"].items() if place in found] == telling_words


def test_each_factor_is_the_sum_of_its_known_events() -> None:
    """Equations 7 and 10: the logarithms of all significant words of parents, and of all significant URL tokens."""
    strategy = crawled()
    found = candidate(strategy, "g1")
    parts = strategy.explain(found)
    words = dict(zip(*(column.tolist() for column in strategy.speaking), strict=True))
    place = strategy.words["ids"]["boat"]
    seen, hits = strategy.words["seen"][place], strategy.words["hits"][place]
    # "boats" is on seven pages, six of which are hits, as are seven of fifteen pages; smoothed by two such pages.
    assert (seen, hits, strategy.rate) == (7.0, 6.0, 7 / 15)
    assert words[place] == pytest.approx(math.log((6 + 14 / 15) / 9 / (7 / 15)))
    # The parent of g1 has no other word.
    assert parts["ln I content"] == pytest.approx(words[place])
    strategy.naming = {"g1": 0.7, "sketch": -0.2, "b1": 9.0}
    assert strategy.explain(found)["ln I url"] == pytest.approx(0.7 - 0.2)


def test_words_that_speak_against_count_too() -> None:
    known = lexicon()
    for number in range(100):
        count(known, places(known, ["boat" if number < 50 else "road"]), number < 50)
    found, logs = telling(known, 0.5, 50.0, "binomial")
    told = dict(zip(found.tolist(), logs.tolist(), strict=True))
    assert told[known["ids"]["boat"]] > 0 > told[known["ids"]["road"]] > -math.inf


def test_a_first_page_of_many_words_finds_room() -> None:
    known = lexicon()
    count(known, places(known, [f"word{n}" for n in range(5000)]), hit=True)
    assert known["hits"][:5000].sum() == 5000


def test_a_full_vocabulary_forgets_what_is_rare() -> None:
    known = lexicon()
    for number in range(10):
        count(known, places(known, ["often", f"rare{number}"]), True)
    moved = forget(known, 3)
    assert list(known["ids"]) == ["often", "rare0", "rare1"]
    assert moved.tolist() == [0, 1, 2, *[-1] * 8]
    assert known["seen"].tolist() == [10.0, 1.0, 1.0]


def test_content_from_in_links_counts_the_words_before_a_link() -> None:
    strategy = crawled("s .1 {harbour} -> a b; a .9 {boats}; b .9 {boats}", content="inlinks")
    place = strategy.words["ids"]["harbour"]
    assert strategy.words["hits"][place] == strategy.words["seen"][place] == 2.0
    assert strategy.words["seen"][strategy.words["ids"]["boat"]] == 0.0


@pytest.mark.parametrize(("parameters", "share"), [({}, 1.0), ({"inherited_weight": 0.5}, 0.5)])
def test_reuse_takes_over_everything_unless_told_otherwise(parameters: Any, share: float) -> None:
    first = crawled()
    second = Intelligent(**parameters)
    second.inherit(codec.loads(first.save()))
    assert second.visited == first.visited * share
    assert second.hits == first.hits * share
    assert second.links == tuple(number * share for number in first.links)
    assert np.array_equal(second.words["seen"], first.words["seen"] * share)
    assert np.array_equal(second.tokens["hits"], first.tokens["hits"] * share)
    assert second.pages == {}
    # What the first crawl knows about words leads the second from its first page on.
    assert explore(second, HUBS).stats.visited == 15
    assert second.visited == 15 + first.visited * share


def test_siblings_are_compared_with_the_rate_of_their_own_crawl() -> None:
    first = crawled(";".join(f"p{n} .9 {{boats}} -> p{n + 1}" for n in range(40)))
    second = Intelligent()
    second.inherit(codec.loads(first.save()))
    explore(second, "s .1 {roads} -> a b c d e x y; a .9 {boats}; b; c; d; e", pages=6)
    assert second.rate > 0.8
    # One hit among six pages, and the earlier rate as a seventh.
    own = (1 + second.rate) / 7
    found = second.explain(candidate(second, "x"))["ln I sibling"]
    hits, visited = second._kin.siblings(second._kin.parents(candidate(second, "x").found))
    assert found == pytest.approx(math.log((hits + own) / (visited * own + own)))


def test_one_known_token_does_not_make_the_url_the_weightiest_factor() -> None:
    links = " ".join(f"q{n}" for n in range(60))
    strategy = Intelligent()
    explore(strategy, HUBS.replace("-> good bad", f"-> good bad {links}"), pages=15)
    strategy.naming = {"q7": 1.0}  # on one candidate of many
    strategy._balance()
    assert strategy.weights[1] < 1.3
    # With a token for each candidate, the factor stands on its own feet, and its size counts.
    strategy.naming = {f"q{n}": 4.0 for n in range(60)}
    strategy._balance()
    assert strategy.weights[1] < 0.6


def test_inherited_weight_is_checked() -> None:
    with pytest.raises(ValueError, match="inherited_weight must be above 0"):
        Intelligent(inherited_weight=0.0)


def test_users_correct_what_was_counted() -> None:
    web = "s .9 {boats} -> a b; a .9 {boats} -> b; b .1 {roads} -> a"
    told, right = crawled(web), crawled(web.replace("a .9", "a .1"))
    page = Page(url_of("a"), terms={"boat": 1, "a": 1})
    told._crawl = right._crawl  # the same graph
    assert told.learn_label(page, relevant=True) == ()
    told.learn_label(page, relevant=False)
    assert (told.hits, told.links) == (right.hits, right.links)
    for one, other in ((told.words, right.words), (told.tokens, right.tokens)):
        boats = [one["hits"][one["ids"][word]] for word in other["ids"] if word in one["ids"]]
        assert boats == [other["hits"][other["ids"][word]] for word in other["ids"] if word in one["ids"]]


def test_it_finds_what_is_wanted_before_the_rest() -> None:
    web = random_web(400, seed=3)
    seen = [web.pages[name].relevance > 0.5 for name in order("intelligent", web)]
    plain = [web.pages[name].relevance > 0.5 for name in order("breadth_first", web)]
    assert sum(seen[:150]) > 1.1 * sum(plain[:150])


@pytest.mark.parametrize("spec", ["intelligent(significance='paper')", "intelligent(locality='exact')"])
def test_the_options_run(spec: str) -> None:
    assert len(order(make(spec), random_web(80))) > 40


def test_all_hits_break_nothing() -> None:
    names = "abcdefgh"
    web = ";".join(f"{one} .9 {{boats}} -> {other}" for one, other in pairwise(names))
    assert "".join(name.removeprefix(HOME) for name in order("intelligent", web)) == names


def test_how_many_deviations_make_an_event_count() -> None:
    # "start" is on all pages: it is no deviation at all.
    web = HUBS.replace("boats", "boats start").replace("roads", "roads start")
    found = [len(crawled(web, deviations=deviations).speaking[0]) for deviations in (0.0, 2.0, 1000.0)]
    assert found == [3, 2, 0]


def test_weights_of_the_users_own_replace_the_balance() -> None:
    strategy = crawled(own_weights=(2.0, 0.0, 0.0, 1.0))
    found = candidate(strategy, "g1")
    parts = strategy.explain(found)
    assert [parts[f"weight {name}"] for name in FACTORS] == [2.0, 0.0, 0.0, 1.0]
    assert parts["priority"] == pytest.approx(2 * parts["ln I content"] + parts["ln I sibling"])
    assert strategy.score([found])[0] == pytest.approx(parts["priority"])


@pytest.mark.parametrize("wrong", [{"own_weights": (1.0,)}, {"own_weights": (0, 0, 0, 0)}, {"deviations": -1.0}])
def test_weights_and_deviations_are_checked(wrong: Any) -> None:
    with pytest.raises(StrategyError):
        Intelligent(**wrong)
