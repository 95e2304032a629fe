from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from clew.base import codec
from clew.config import Topic, migration
from clew.core.simulation import Simulation, run_simulation
from clew.errors import InterestError, StrategyError
from clew.interests import Formula, build
from clew.strategies import ALL, make
from clew.strategies._shared.criteria import LETTERS, mean, words
from clew.strategies._shared.rarity import frequencies, lowering
from clew.strategies.ariadne import Ariadne
from clew.testing.random_web import random_web
from clew.testing.tiny_web import TinyWeb, TinyWebFetcher, explore, name_of, order, url_of
from clew.types import Candidate, Link, Page

TAXONOMY = {
    "tourism": Topic(keywords=("tourism", "hotel")),
    "sports": Topic(parent="tourism", keywords=("sports",)),
    "water sports": Topic(parent="sports", keywords=("surfing", "diving")),
    "sailing": Topic(parent="water sports", keywords=("sailing", "yacht")),
    "Mecklenburg-Vorpommern": Topic(keywords=("Mecklenburg", "Schwerin")),
    "ruegen": Topic(parent="Mecklenburg-Vorpommern", keywords=("ruegen", "Binz")),
}
PATH = [
    "",
    "water sports AND ruegen",
    "sports AND ruegen",
    "tourism AND ruegen",
    "tourism AND Mecklenburg-Vorpommern",
]
ONLY: dict[str, float] = dict.fromkeys(LETTERS, 0.0)


def paper(threshold: float = 0.3) -> Formula:
    return build("sailing AND ruegen", TAXONOMY, threshold=threshold)


def page(desk: Any, number: int, relevant: bool, **topics: float) -> Page:
    """A visit as the engine tells of it: first counted, then learnt."""
    found = Page(f"http://h/{number}", relevant=relevant, topics=topics, links=(Link(f"http://h/{number}", "x"),))
    desk.seen[found.url] = found
    desk.relevant += relevant
    return found


def crawl(web: str, strategy: Ariadne, interest: Formula, **settings: Any) -> Simulation:
    sketch = TinyWeb.read(web)
    seeds = [url_of(sketch.first)]
    return run_simulation(
        TinyWebFetcher(sketch), interest, seeds, strategy=strategy, **{"pages": None, "threshold": 0.3} | settings
    )


@pytest.mark.parametrize(
    ("values", "eps", "score"),
    [
        ((0.5, 0.0, 0.8, 0.3), 0.01, 0.3235),
        ((0.5, 0.0, 0.8, 0.3), 1e-300, 0.0),
        ((0.5, 0.6, 0.8, 0.3), 0.01, 0.5397),
        ((0.9, 0.0, 0.0, 0.3), 0.01, 0.1451),
    ],
)
def test_t1d_the_geometric_mean_has_a_floor(values: tuple[float, ...], eps: float, score: float) -> None:
    weights = {name: getattr(Ariadne(), name) for name in ("source", "url", "anchor", "host")}
    columns = {name: np.array([value]) for name, value in zip(weights, values, strict=True)}
    assert mean(columns, weights, eps)[0] == pytest.approx(score, abs=5e-5)


def test_t1e_sessions_that_fall_behind_widen_the_focus_and_good_ones_take_it_back(desk: Any) -> None:
    ariadne, levels = Ariadne(session=20), []
    desk.interest = paper()
    ariadne.start(desk)
    for session, finds in enumerate((8, 6, 2, 1, 5)):
        stale = [ariadne.learn(page(desk, 20 * session + i, i < finds)) for i in range(20)]
        levels.append(len(ariadne.steps))
        assert stale[:-1] == [()] * 19
        assert (stale[-1] is ALL) == (session >= 2)
    assert levels == [0, 0, 1, 2, 1]
    assert ariadne.focus == "water sports AND ruegen"


def test_the_path_of_the_paper_up_to_the_ceiling(desk: Any) -> None:
    ariadne, path = Ariadne(session=10), []
    desk.interest = paper()
    ariadne.start(desk)
    ariadne.learn(page(desk, 0, True, **{"sailing": 0.9, "ruegen": 0.9}))
    for i in range(1, 60):
        topics = {"sailing": 0.0, "water sports": 0.0, "sports": 0.0, "tourism": 0.9, "ruegen": 0.9 * (i % 2)}
        ariadne.learn(page(desk, i, False, **topics, **{"Mecklenburg-Vorpommern": 0.9}))
        if i % 10 == 9:
            path.append(ariadne.focus)
            assert ariadne.at_ceiling == (i > 50)
    assert path == [*PATH, PATH[-1]]
    assert desk.interest.threshold == 0.3


@pytest.mark.parametrize(
    ("widen", "focus"), [("drop", "sailing"), ("reweight", "sailing^0.6 AND ruegen^0.4"), ("", "")]
)
def test_the_other_ways_to_widen(desk: Any, widen: str, focus: str) -> None:
    ariadne = make(f"ariadne(session=5, widen={widen!r})")
    desk.interest = paper()
    ariadne.start(desk)
    for i in range(10):
        ariadne.learn(page(desk, i, i < 5, sailing=0.2, ruegen=0.5))
    assert (ariadne.focus, ariadne.at_ceiling) == (focus, False)


def test_a_ceiling_of_the_users_own(desk: Any) -> None:
    ariadne = Ariadne(session=1, ceiling="water sports AND ruegen")
    desk.interest = paper()
    ariadne.start(desk)
    for i in range(3):
        ariadne.learn(page(desk, i, False, sailing=0.0, ruegen=0.1))
    assert (ariadne.focus, ariadne.at_ceiling) == ("water sports AND ruegen", True)


def test_a_crawl_without_a_find_widens_too(desk: Any) -> None:
    ariadne = Ariadne(session=1)
    desk.interest = paper()
    ariadne.start(desk)
    assert ariadne.learn(page(desk, 0, False)) is ALL


def test_which_topic_is_rarer() -> None:
    hits, lowered = {"x": 5, "y": 5, "z": 2}, {"x": 1, "y": 4, "z": 4}
    pages = frequencies(hits, lowered, 20, "pages")
    assert sorted(pages, key=pages.__getitem__) == ["z", "y", "x"]
    scores = frequencies(hits, lowered, 20, "scores")
    assert sorted(scores, key=scores.__getitem__) == ["z", "y", "x"]
    assert scores["x"] > scores["y"] + 2


def test_the_topic_that_lowers_a_score() -> None:
    interest = build("sailing AND ruegen", {})
    assert lowering(interest, {"sailing": 0.9, "ruegen": 0.2}) == ["ruegen"]
    assert lowering(build("sailing OR ruegen", {}), {"sailing": 0.9, "ruegen": 0.2}) == ["sailing", "ruegen"]
    assert lowering(interest, {"sailing": 0.4, "ruegen": 0.4}) == []  # neither alone


def test_short_texts_by_any_topic_or_by_the_rarest(desk: Any) -> None:
    candidate = Candidate("http://h/x", links=(Link("http://h/0", "http://h/x", "Sailing"),), n_links=1)
    for short, rating in (("any", 0.798), ("rarest", 0.01)):
        ariadne = make(f"ariadne(session=1, source=0.0, url=0.0, host=0.0, short={short!r}, widen='')")
        desk.interest = paper()
        ariadne.start(desk)
        ariadne.learn(page(desk, 0, False, sailing=0.9, ruegen=0.1))
        assert ariadne.score([candidate]) == pytest.approx([rating], abs=1e-3)


def test_the_words_of_the_url_tell_links_apart(desk: Any) -> None:
    ariadne = Ariadne(**ONLY | {"url": 1.0})
    ariadne.start(desk)
    links = [Link("http://h/0", f"http://g/{rating}/b", "boats") for rating in (0, 1)]
    found = ariadne.score([Candidate(link.url, depth=1, links=(link,), n_links=1) for link in links])
    assert found == pytest.approx([ariadne.eps, 1.0])


def test_only_the_distance_is_breadth_first() -> None:
    assert order(Ariadne(**ONLY | {"distance": 1.0}), random_web()) == order("breadth_first", random_web())


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("source", 0.6),
        ("url", 1.0),
        ("anchor", 0.7),
        ("host", (1 + 2 * 0.5) / (2 + 2)),
        ("distance", 1 / 4),
        ("level", 1 / 3),
        ("transversal", 1.0),
        ("hub", np.log(4) / np.log(101)),
        ("meta", 0.3),
        # The folder is unknown, so as good as its host; of files called "b#", one of one was relevant.
        ("path", (0.5 + (1 + 2 * 0.5) / (1 + 2)) / 2),
    ],
)
def test_each_criterion(desk: Any, name: str, value: float) -> None:
    ariadne = Ariadne(**ONLY | {name: 2.0})
    ariadne.start(desk)
    desk.relevant = 1
    for url, worth in (("http://h/0", 0.6), ("http://g/b1", 0.9), ("http://g/2", 0.1)):
        links = tuple(Link(url, target) for target in ("x", "y", "z", "z"))
        desk.seen[url] = Page(url, relevant=worth > 0.8, topics={"given": worth}, links=links, meta="about .3")
        ariadne.learn(desk.seen[url])
    desk.seen.popitem()  # one find in two visits
    link = Link("http://h/0", "http://g/1/b2", "boats", "near .7\tand .2")
    candidate = Candidate(link.url, depth=3, links=(link,), n_links=1)
    assert ariadne.score([candidate]) == pytest.approx([value])
    assert ariadne.explain(candidate) == pytest.approx({"score": value, f"({LETTERS[name]}) {name}": value})


def test_the_anchor_stands_in_the_middle_of_the_words_around_it() -> None:
    assert words(Link("a", "b", "sails", "red\tand boats")) == "red sails and boats"
    assert words(Link("a", "b", "sails")) == "sails"


def test_the_best_link_counts_and_start_pages_come_first(desk: Any) -> None:
    ariadne = Ariadne()
    ariadne.start(desk)
    weak, strong = Link("http://h/0", "http://h/x", "more"), Link("http://h/0", "http://h/x", ".9")
    one, two = (Candidate("http://h/x", links=links) for links in ((weak,), (weak, strong)))
    lone, both, start = ariadne.score([one, two, Candidate("http://h/s")])
    assert lone < both < start == 1.0
    assert ariadne.explain(Candidate("http://h/s")) == {"score": 1.0}
    assert ariadne.score([]) == []


RUEGEN = """
    s {sailing yacht sailing off ruegen} -> golf0 water0
    golf0 {golf} -> golf1 golf2 golf3 golf4 golf5 golf6 golf7 golf8 golf9
    water0 {surfing near ruegen} -> hotel1 hotel2; hotel1 {hotel on ruegen} -> golf9
    hotel2 {diving on ruegen} -> far; far {sailing yacht sailing regatta around ruegen}
"""


def test_tunnelling_finds_what_simple_focused_crawling_finds_late() -> None:
    def found(widen: Any) -> int:
        ariadne = Ariadne(session=2, widen=widen, host=0.0)
        visits = [name_of(url) for url in crawl(RUEGEN, ariadne, paper()).order]
        assert sorted(visits) == sorted(TinyWeb.read(RUEGEN).pages)
        return visits.index("far")

    assert found("taxonomy") == 6
    assert found("") == 14


def test_waiting_links_follow_the_new_focus_on_request() -> None:
    orders = [crawl(RUEGEN, Ariadne(session=2, rescore=rescore), paper()).order for rescore in (True, False)]
    assert orders[0] != orders[1]


def test_the_crawl_can_end_at_the_ceiling() -> None:
    result = crawl(RUEGEN, Ariadne(session=1, ceiling="sports AND ruegen"), paper(), at_ceiling=True)
    assert result.reason == "the interest cannot be widened any further"
    assert explore(Ariadne(session=1), random_web(), at_ceiling=True).reason.startswith("the interest")
    assert not explore(Ariadne(session=1, widen=""), random_web(), at_ceiling=True).reason.startswith("the interest")


def test_relevance_stays_that_of_the_users_interest() -> None:
    wide = crawl(RUEGEN, Ariadne(session=1), paper())
    simple = crawl(RUEGEN, Ariadne(widen=""), paper())
    assert (wide.stats.relevant, wide.stats.visited) == (simple.stats.relevant, simple.stats.visited) == (2, 15)


def test_a_widened_focus_survives_saving(desk: Any) -> None:
    ariadne, again = Ariadne(session=2), Ariadne(session=2)
    desk.interest = paper()
    ariadne.start(desk)
    for i in range(5):
        ariadne.learn(page(desk, i, False, sailing=0.1, ruegen=0.5, **{"water sports": 0.7}))
    again.start(desk)
    assert again.focus == ""
    again.load(ariadne.save())
    assert again.focus == ariadne.focus == "water sports AND Mecklenburg-Vorpommern"  # of equals that which lowers more
    candidate = Candidate("http://h/x", links=(Link("http://h/1", "http://h/x"),))
    assert again.score([candidate]) == ariadne.score([candidate])


def test_a_layered_focus_prefers_what_the_user_asked_for(desk: Any) -> None:
    """A focus that replaces the user's own cannot tell a page on sailing from one on surfing."""
    ways = {0.0: (0.9, 0.9), 0.5: (0.9, 0.5 * 0.9)}
    for fade, scores in ways.items():
        ariadne = Ariadne(**ONLY | {"source": 1.0}, session=1, fade=fade)
        desk.interest, desk.seen, desk.relevant = paper(), {}, 0
        ariadne.start(desk)
        ariadne.learn(page(desk, 0, False, **{"sailing": 0.9, "water sports": 0.9, "ruegen": 0.9}))
        ariadne.learn(page(desk, 1, False, **{"sailing": 0.0, "water sports": 0.9, "ruegen": 0.9}))
        del ariadne.steps[1:], ariadne._way.foci[2:]
        assert ariadne.focus == "water sports AND ruegen"
        links = [Link(f"http://h/{number}", "http://h/x") for number in (0, 1)]
        candidates = [Candidate("http://h/x", links=(link,)) for link in links]
        assert ariadne.score(candidates) == pytest.approx(scores)
        assert [ariadne.explain(each)["score"] for each in candidates] == pytest.approx(scores)


def test_the_more_frequent_topic_is_specialised_on_request(desk: Any) -> None:
    for narrow, focus in (("undo", "water sports AND ruegen"), ("frequent", "sailing AND Mecklenburg-Vorpommern")):
        ariadne, again = (Ariadne(session=10, narrow=narrow) for _ in range(2))
        desk.interest, desk.seen, desk.relevant = paper(), {}, 0
        ariadne.start(desk)
        # First sailing is rarer than Rügen; then Rügen is rarer, and sports on water are everywhere.
        plans = [(5, "ruegen"), (0, "ruegen"), (0, "water sports"), (10, "water sports")]
        for session, (finds, frequent) in enumerate(plans):
            for i in range(10):
                visits = 3 * session if frequent == "water sports" else 1
                found = page(desk, 10 * session + i, i < finds, **{frequent: 0.9})
                for _ in range(visits):
                    ariadne.hits[frequent] = ariadne.hits.get(frequent, 0) + 1
                ariadne.learn(found)
        assert ariadne.focus == focus
        again.start(desk)
        again.load(ariadne.save())
        assert again.focus == focus


def test_the_lexicographic_order_asks_one_criterion_after_the_other(desk: Any) -> None:
    sources = {"http://h/0": 0.9, "http://h/1": 0.2}
    for combine, first in (("geometric", "weak"), ("lexicographic", "strong")):
        ariadne = Ariadne(**ONLY | {"source": 2.0, "anchor": 1.0}, combine=combine)
        ariadne.start(desk)
        for url, worth in sources.items():
            desk.seen[url] = Page(url, topics={"given": worth}, links=(Link(url, "x"),))
            ariadne.learn(desk.seen[url])
        candidates = {
            "strong": Candidate("http://h/a", links=(Link("http://h/0", "http://h/a", "nothing"),)),
            "strong and named": Candidate("http://h/b", links=(Link("http://h/0", "http://h/b", ".8"),)),
            "weak": Candidate("http://h/c", links=(Link("http://h/1", "http://h/c", ".9"),)),
        }
        scores = dict(zip(candidates, ariadne.score(list(candidates.values())), strict=True))
        assert max(scores, key=scores.__getitem__) == "strong and named"
        assert max(("strong", "weak"), key=scores.__getitem__) == first


def test_links_with_low_scores_are_pruned() -> None:
    web = "s .9 -> good [.9 boats] bad [about]; bad .1 -> far [.9 boats]"
    assert order(Ariadne(), web) == ["s", "good", "bad", "far"]
    assert order(Ariadne(prune=0.5), web) == ["s", "good"]


def test_hosts_without_relevant_pages_are_pruned() -> None:
    web = "s/s .9 -> dull/1 dull/2 dull/3 [.9] fine/1 [.8]; fine/1 .9 -> fine/2; fine/2 -> fine/3; dull/1 -> dull/4"
    everything = order(Ariadne(), web, "s/s")
    pruned = order(Ariadne(prune_hosts=2), web, "s/s")
    assert len([name for name in everything if name.startswith("dull")]) == 4
    assert len([name for name in pruned if name.startswith("dull")]) == 2
    assert [name for name in pruned if name.startswith("fine")] == ["fine/1", "fine/2", "fine/3"]
    assert order(Ariadne(prune_hosts=1), "s/1 -> s/2", "s/1 s/3") == ["s/1", "s/3"]  # start pages are never pruned


def test_states_of_earlier_versions_can_be_loaded(desk: Any) -> None:
    ariadne, again = Ariadne(session=1), Ariadne(session=1)
    desk.interest = paper()
    ariadne.start(desk)
    ariadne.learn(page(desk, 0, False, sailing=0.1, ruegen=0.5))
    state = codec.loads(ariadne.save())
    later = ("meta", "path", "combine", "prune", "prune_hosts", "narrow", "fade", "metas", "folders", "files")
    old = {name: value for name, value in state.items() if name not in later}
    old["steps"] = [counts for _, counts in state["steps"]]
    parts = {"format": migration.FORMAT.encode(), "state": b'{"strategy": "ariadne"}', "strategy": codec.dumps(old)}
    again.start(desk)
    again.load(migration.checkpoint(parts, ["ariadne"])["strategy"])
    assert (again.focus, again.fade) == (ariadne.focus, Ariadne().fade)
    assert again.focus


@pytest.mark.parametrize(
    "wrong",
    ["a=0.9", "eps=0.0", "session=0", "source=-1.0", "widen='up'", "fade=2.0", "prune=-1.0", "combine='sum'"],
)
def test_parameters_that_cannot_be(wrong: str) -> None:
    with pytest.raises(StrategyError):
        make(f"ariadne({wrong})")


def test_a_change_of_focus_says_why_and_a_told_one_stays(desk: Any) -> None:
    ariadne = Ariadne(session=4)
    desk.interest = paper().guide()
    ariadne.start(desk)
    found = [True] * 4 + [False] * 4
    for number, relevant in enumerate(found):
        ariadne.learn(page(desk, number, relevant, sailing=0.5, ruegen=0.5))
    # Session: 0 of 4; overall: 4 of 8.
    assert ariadne.focus == "water sports AND ruegen"
    assert ariadne.focus_reason == "widened, session precision s = 0.000 is below a * r, 0.5 * 0.500"
    ariadne.set_focus("sports OR ruegen")
    for number in range(8, 12):
        ariadne.learn(page(desk, number, False, sailing=0.5, ruegen=0.5))
    assert ariadne.focus == "sports OR ruegen"
    with pytest.raises(InterestError, match="there is no topic 'golf'"):
        ariadne.set_focus("golf")
    ariadne.set_focus("")
    assert ariadne.focus == "water sports AND ruegen"
    for number in range(12, 16):
        ariadne.learn(page(desk, number, True, sailing=0.5, ruegen=0.5))
    assert ariadne.focus == ""
    assert ariadne.focus_reason == "narrowed, session precision s = 1.000 is above b * r, 0.8 * 0.500"


def test_what_the_user_knows_of_frequencies_counts_from_the_first_session_on(desk: Any) -> None:
    for shares, dropped in (({}, "sailing"), ({"sailing": 0.001, "ruegen": 0.2}, "ruegen")):
        ariadne = Ariadne(session=1, widen="drop", shares=shares)
        desk.interest = build("sailing AND ruegen", {})
        desk.seen = {}
        ariadne.start(desk)
        # One page is about sailing and none about the island: by the pages, sailing is the more frequent topic.
        ariadne.learn(page(desk, 0, False, sailing=0.9, ruegen=0.1))
        assert dropped not in str(ariadne._focus())


def test_shares_of_topics_are_checked() -> None:
    with pytest.raises(StrategyError, match="between 0 and 1"):
        Ariadne(shares={"sailing": 40})
