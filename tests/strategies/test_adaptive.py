"""adaptive: its counts have the worked numbers, it learns what pays, and it says why."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from clew.base import codec
from clew.errors import StoreError, StrategyError
from clew.interests import LearningInterest, build
from clew.strategies import make
from clew.strategies._adaptive import hashed_features as hashing
from clew.strategies._adaptive.calibration import Calibration
from clew.strategies._adaptive.counts import Counts, strongest
from clew.strategies._adaptive.embedding_model import EmbeddingModel
from clew.strategies._adaptive.features import NAMES, Features
from clew.strategies._adaptive.grading import Grades, soft_find
from clew.strategies._adaptive.hubs import Hubs
from clew.strategies._adaptive.inlink_votes import InlinkVotes
from clew.strategies._adaptive.memory import FIXED, Links, PageMemory
from clew.strategies._adaptive.model import LINEAR, Model, prior
from clew.strategies._adaptive.reasons import TOTAL, Behind, _names
from clew.strategies._optional import NewVerdict
from clew.strategies.adaptive import LABEL_WEIGHT_VISITS, VERDICT_SLICES, Adaptive
from clew.testing.tiny_web import explore, name_of, order, url_of
from clew.types import Candidate, Link, Page


def counted(good: int, seen: int) -> float:
    counts, key = Counts(), np.array([7], np.int32)
    for visit in range(seen):
        counts.add(key, float(visit < good))
    return round(float(counts.odds(key, base=0.1)[0]), 4)


def test_how_far_counts_shift_the_odds() -> None:
    assert (counted(10, 20), counted(0, 30), counted(1, 1), counted(0, 0)) == (2.0515, -2.8717, 1.7918, 0.0)


def test_a_group_is_its_three_strongest_within_limits() -> None:
    assert strongest(np.array([[1.0, -3.0, 0.1, 2.0], [3.0, 3.0, 3.0, 3.0]], np.float32)).tolist() == [0.0, 4.0]


def test_no_key_counts_for_nothing() -> None:
    counts = Counts()
    counts.add(np.array([0, 0], np.int32), 1.0)
    assert counts.seen.sum() == 0


def test_a_visit_speaks_once_for_each_key() -> None:
    counts = Counts()
    counts.add(np.array([7, 7, 7], np.int32), 1.0)
    assert counts.seen.max() == 1


def test_links_of_one_list_share_a_key_and_neighbours_do() -> None:
    rows = [
        hashing.row_of(Link("http://a.org/", f"http://a.org/{n}", "word", block=b, position=p))
        for n, b, p in ((1, 1, 0), (2, 1, 9), (3, 2, 1))
    ]
    block, near = (len(rows[0]) - len(hashing.SINGLE) + hashing.SINGLE.index(name) for name in ("block", "near"))
    assert rows[0][block] == rows[1][block] != rows[2][block]
    assert rows[0][near] == rows[2][near] != rows[1][near]


def test_numbers_in_addresses_make_one_pattern() -> None:
    one, two = (hashing.row_of(Link("http://a.org/", f"http://b.org/news/{n}/x.html")) for n in (17, 99))
    place = len(one) - len(hashing.SINGLE) + hashing.SINGLE.index("pattern")
    assert one[place] == two[place]


@pytest.mark.parametrize("name", ["hand", "trained", "trained without webkb"])
def test_a_prior_believes_in_relevant_sources_and_in_good_words(name: str) -> None:
    weights = prior(name)
    assert len(weights) == len(LINEAR) + 1
    assert weights[-1] < 0 < weights[:-1].sum()


@pytest.mark.parametrize("given", [{"every": 0}, {"hubs": -1.0}, {"novelty": np.inf}, {"novelty": np.nan}])
def test_parameters_that_make_no_sense_are_refused(given: dict[str, float]) -> None:
    with pytest.raises(StrategyError, match="every must be at least 1"):
        Adaptive(**given)  # type: ignore[arg-type]


CALLED = (("http://a.org/x", "Our students"), ("http://b.org/y", "Students"), ("http://c.org/z", "Courses"))


def test_what_more_relevant_pages_link_to_comes_first() -> None:
    web = "s .99 -> p [boats] q [boats]; p .99 -> c [page] d [page]; q .99 -> d [page]"
    assert order("adaptive", web) == ["s", "p", "q", "d", "c"]
    assert order("adaptive(without='inlink_votes')", web) == ["s", "p", "q", "c", "d"]
    assert order("adaptive", web.replace("q .99", "q .1")) == ["s", "p", "q", "c", "d"]


@pytest.mark.parametrize(
    ("page", "said", "witnesses"), [("p", True, 2), ("p", False, 1), ("q", False, 2), ("q", True, 3)]
)
def test_a_label_takes_back_only_the_praise_that_was_given(page: str, said: bool, witnesses: int) -> None:
    strategy = Adaptive()
    explore(strategy, "s .99 -> p [boats] q [cars] r [boats]; p .99 -> d [page]; q .1 -> d [page]; r .99 -> d [page]")
    crawl = strategy._crawl
    labelled = crawl.page(url_of(page))
    assert labelled is not None
    strategy.learn_label(labelled, said)
    assert strategy.features.inlink_votes.finds[crawl.number(url_of("d"))] == witnesses


def test_a_label_takes_back_no_more_than_a_poor_page_gave() -> None:
    strategy = Adaptive()
    explore(strategy, "s .99 -> p [boats] b [boats]; p .99 -> d [page]; b .55 -> d [page]")
    inlink_votes, place, poor = (
        strategy.features.inlink_votes,
        strategy._crawl.number(url_of("d")),
        strategy._crawl.page(url_of("b")),
    )
    assert poor is not None
    assert 1 < inlink_votes.finds[place] < 1.5
    strategy.learn_label(poor, False)
    assert inlink_votes.finds[place] == pytest.approx(1.0)
    strategy.learn_label(poor, True)
    assert inlink_votes.finds[place] == pytest.approx(2.0)


def test_praise_of_an_earlier_version_is_taken_over() -> None:
    inlink_votes = InlinkVotes()
    inlink_votes.set(3, [7], 0.5)
    again, older = (InlinkVotes.load(kept) for kept in (inlink_votes.save(), inlink_votes.save()[:2]))
    assert (again.given, older.given) == ({3: 0.5}, {})
    assert again.finds[7] == older.finds[7] == 0.5


def test_praise_goes_to_the_url_under_which_a_page_is_known() -> None:
    strategy = Adaptive()
    explore(strategy, "s .99 -> x.org/d?utm_source=a [boats]; x.org/d .1", url_rules=("tracking",))
    inlink_votes, number = strategy.features.inlink_votes, strategy._crawl.number("http://x.org/d")
    page = strategy._crawl.page(url_of("s"))
    assert page is not None
    assert [link.url for link in page.links] == ["http://x.org/d"]
    assert inlink_votes.finds[number] == 1
    strategy.learn_label(page, relevant=False)
    assert inlink_votes.finds[number] == 0


def test_links_of_pages_that_are_called_alike_pay_alike() -> None:
    """Two lists on other hosts: one is called like a list that paid, and nothing else tells them apart."""
    rows = [hashing.called(Page(url, inlinks=(Link("s", url, anchor),))) for url, anchor in CALLED]
    assert set(rows[0]) & set(rows[1]) > {0}
    assert not set(rows[0]) & set(rows[2]) - {0}


def test_words_that_paid_are_followed() -> None:
    """Nothing rates the anchors: only what came of their words tells the boats from the roads."""
    names = [f"{kind}{n}" for n in range(60) for kind in ("boat", "road")]
    web = "s .9 -> " + " ".join(f"{name} [{name[:4]} number]" for name in names)
    web += ";" + ";".join(f"{name} .9 {{boat sail}}" for name in names if name.startswith("boat"))
    visits = order("adaptive", web)[1:]
    assert sum(name.startswith("boat") for name in visits[-60:]) < 6


BIRDS = ["sparrow", "eagle", "falcon", "owl", "heron", "stork", "gull", "finch", "swallow", "robin", "thrush", "crane"]
TAXES = [
    "mortgage",
    "pension",
    "tariff",
    "invoice",
    "audit",
    "budget",
    "ledger",
    "bond",
    "dividend",
    "lawsuit",
    "salary",
    "treasury",
]


def web_of(words: list[str]) -> str:
    """A start page that links to one page for each word; what has to do with birds is relevant."""
    pages = ";".join(f"{word} .9 {{{word}}}" for word in words if word in BIRDS)
    return "s .9 -> " + " ".join(f"{word} [{word}]" for word in words) + ";" + pages


def test_words_that_mean_the_same_pay_the_same() -> None:
    """None of the words was ever seen before, and nothing else tells the birds from the taxes."""
    words = [word for pair in zip(TAXES, BIRDS, strict=True) for word in pair]
    assert set(order("adaptive", web_of(words))[13:][:6]) < set(BIRDS)
    assert not set(order("adaptive(without='embeddings')", web_of(words))[13:][:6]) < set(BIRDS)


def test_the_interest_speaks_for_words_of_like_meaning() -> None:
    """It knows one word, and no anchor has it."""
    links, urls = Links(lambda text: float(text == "bird")), ("http://a.org/x", "http://a.org/y")
    given = [Link("http://a.org/", url, word) for url, word in zip(urls, ("sparrow", "pension"), strict=True)]
    meant = links.of([Candidate(link.url, n, 1, (link,), 1) for n, link in enumerate(given)], PageMemory())[0]
    sparrow, pension = links.fixed[meant, FIXED.index("interest_anchor")]
    assert sparrow > 1 > pension


def test_what_was_sensed_is_saved_and_believed_in_part_elsewhere() -> None:
    strategy = Adaptive()
    explore(strategy, web_of(BIRDS + TAXES))
    embedding_model = strategy.features.embedding_model
    kept = EmbeddingModel.load(codec.loads(codec.dumps(embedding_model.save())))
    assert np.array_equal(kept.features(slots_for("pelican")), embedding_model.features(slots_for("pelican")))
    assert (
        0 < kept.faded(0.5).features(slots_for("pelican"))[0, 0] < embedding_model.features(slots_for("pelican"))[0, 0]
    )


def test_a_crawl_without_finds_still_follows_the_words_of_the_interest() -> None:
    """Everything has failed so far: that must not drown what the interest says of an anchor."""
    web = "s -> " + " ".join(f"x{n} [dull]" for n in range(80)) + "; x79 -> g [.9 good]; g .9"
    assert "g" in order("adaptive", web)[:90]


def test_reasons_are_told_in_words() -> None:
    strategy = Adaptive()
    crawl = explore(strategy, "s .8 -> a [about us] b [.9 boats]", pages=1)
    assert crawl.stats.visited == 1
    link = Link("http://sketch.example/s", "http://sketch.example/b", ".9 boats")
    told = strategy.explain(Candidate(link.url, 99, 1, (link,), 1))
    assert 0 < told["chance"] < 1
    assert told["relevance of the page that links to it: http://sketch.example/s"] > 0
    assert len(told) <= 10


@pytest.mark.parametrize("trained", [False, True])
def test_the_parts_of_the_log_odds_add_up(trained: bool) -> None:
    strategy = learnt() if trained else Adaptive()
    if not trained:
        explore(strategy, "s .8 -> a [about us] b [.9 boats]", pages=1)
    link = Link("http://sketch.example/s", "http://sketch.example/new", "boat")
    parts = strategy.explain(Candidate(link.url, 999, 1, (link,), 1))
    names = list(parts)
    start = names.index(TOTAL)
    assert sum(parts[name] for name in names[start + 1 :]) == pytest.approx(parts[TOTAL])


def test_labels_of_the_user_count() -> None:
    strategy = Adaptive()
    explore(strategy, "s .8 -> a [boats] b [roads]", pages=1)
    links = [
        Link("http://sketch.example/s", f"http://sketch.example/{n}", word)
        for n, word in (("c", "boats"), ("d", "roads"))
    ]
    before = strategy.score([Candidate(link.url, 50 + n, 1, (link,), 1) for n, link in enumerate(links)])
    strategy.learn_label(Page("http://sketch.example/b", inlinks=(links[1],), terms={"road": 1}), relevant=True)
    after = strategy.score([Candidate(link.url, 50 + n, 1, (link,), 1) for n, link in enumerate(links)])
    assert after[1] - before[1] > after[0] - before[0]


def test_what_was_learnt_serves_another_crawl() -> None:
    teacher, pupil, novice = Adaptive(), Adaptive(), Adaptive()
    names = " ".join(f"b{n} [boat]" for n in range(20)) + " " + " ".join(f"r{n} [road]" for n in range(20))
    explore(teacher, f"s .9 -> {names};" + ";".join(f"b{n} .9" for n in range(20)))
    pupil.inherit(codec.loads(teacher.save()))
    web = "s .9 -> x [road] y [boat]"
    first = {}
    for name, strategy in (("pupil", pupil), ("novice", novice)):
        first[name] = [name_of(url) for url in explore(strategy, web).order]
    assert first["pupil"] == ["s", "y", "x"]
    assert first["novice"] == ["s", "x", "y"]


def test_what_was_saved_changes_no_settings() -> None:
    learnt, other = Adaptive(), Adaptive(novelty=0.5, without="embeddings")
    explore(learnt, "s .9 -> a [boats] b [roads]")
    other.load(learnt.save())
    assert (other.novelty, other.without, other.grades) == (0.5, "embeddings", learnt.grades)
    assert other._dropped
    assert other.features.visits == learnt.features.visits


def test_an_unknown_prior_is_an_error() -> None:
    with pytest.raises(StrategyError, match="prior"):
        make("adaptive(prior='moon')")


def test_an_unknown_part_is_an_error() -> None:
    with pytest.raises(StrategyError, match="part"):
        make("adaptive(without='moon')")


def slots_for(anchor: str, url: str = "http://a.org/x") -> np.ndarray:
    return hashing.slots([Link("http://a.org/", url, anchor)])


def test_finds_pay_back_to_the_pages_that_led_there() -> None:
    hubs = Hubs()
    for parent, anchor, found in ((-1, "", 0.0), (0, "our students", 0.0), (1, "ann", 1.0), (1, "bob", 1.0)):
        hubs.add(parent, slots_for(anchor)[0], found)
    assert hubs.led == [1.0, 2.0, 0.0, 0.0]
    assert hubs.expected_finds(slots_for("students", "http://b.org/y"))[0] > hubs.expected_finds(slots_for("roads"))[0]


def test_a_hub_is_saved_and_loaded() -> None:
    hubs = Hubs()
    hubs.add(-1, slots_for("one")[0], 0.0)
    hubs.add(0, slots_for("two")[0], 1.0)
    again = Hubs.load(codec.loads(codec.dumps(hubs.save())))
    assert (again.parents, again.led, again.total) == (hubs.parents, hubs.led, hubs.total)
    assert again.expected_finds(slots_for("one")).tolist() == hubs.expected_finds(slots_for("one")).tolist()


def test_in_a_drought_new_hosts_come_before_one_more_page_of_a_barren_one() -> None:
    strategy = Adaptive()
    explore(strategy, "s -> " + " ".join(f"x{n} [dull]" for n in range(150)), pages=120)
    source = "http://sketch.example/s"
    links = [Link(source, url, "dull") for url in ("http://sketch.example/more", "http://new.example/")]
    here, there = strategy.score([Candidate(link.url, 900 + n, 1, (link,), 1) for n, link in enumerate(links)])
    assert strategy.features.drought > 0.8
    assert there > here + 0.05


def test_a_crawl_with_finds_knows_no_drought() -> None:
    features = Features(recent=[1.0] * 50, visits=50, finds=50.0)
    assert features.drought < 0.01


def test_a_young_crawl_looks_at_other_hosts_before_it_knows_hubs() -> None:
    rows = np.zeros((1, len(NAMES)), np.float32)
    newness = [Features(recent=[0.0] * visits).newness(rows)[0] for visits in (0, 40, 100)]
    assert newness[0] == 0
    assert newness[1:] == pytest.approx([1 + 0.4 / 5, 1 + 1 / 5])
    assert [Features(recent=[0.0] * visits).age for visits in (0, 40, 100)] == [0, 0.4, 1]


def test_a_page_counts_the_more_the_better_it_is() -> None:
    strategy = Adaptive()
    explore(strategy, "s .9 -> a [x]; a .6", pages=2)
    grades, threshold = strategy.grades, strategy._crawl.interest.threshold
    assert grades.best == 0.9
    assert grades.of(threshold - 0.01, threshold) == 0
    assert 0 < grades.of(threshold + 0.01, threshold) < grades.of(0.7, threshold) < grades.of(0.9, threshold) == 1


@pytest.mark.parametrize("threshold", [0.05, 0.5, 0.95, 1.0])
def test_whatever_the_threshold_the_surest_page_counts_in_full(threshold: float) -> None:
    grades = Grades()
    grades.see(1.0, threshold)
    assert grades.of(1.0, threshold) == 1
    assert grades.of(threshold - 0.01, threshold) == 0


def test_chances_are_corrected_by_what_came_of_them() -> None:
    table = Calibration()
    for _ in range(200):
        table.note(0.9, 0.0)
    assert table.corrected(np.array([0.9, 0.1])).round(2).tolist() == [0.02, 0.1]


def test_the_words_behind_a_reason_are_told() -> None:
    strategy = Adaptive()
    names = " ".join(f"b{n} [boat]" for n in range(20)) + " " + " ".join(f"r{n} [road]" for n in range(20))
    explore(strategy, f"s .9 -> {names};" + ";".join(f"b{n} .9" for n in range(20)))
    link = Link("http://sketch.example/s", "http://sketch.example/new", "boat")
    told = strategy.explain(Candidate(link.url, 999, 1, (link,), 1))
    assert any(reason.endswith(": boat") for reason in told)


def test_words_that_the_interest_is_about_are_told_as_they_are_written() -> None:
    around = "a hesitating crew of the college went\tearly, long before they knew about Sailing"
    behind = Behind(Link("http://a.org/", "http://a.org/b", "boats", around), Features(), lambda word: "sail" in word)
    assert behind.said("rate_around") == ": sailing"
    assert behind.said("rate_anchor") == ""
    assert {"hesitating", "early", "college"} <= set(_names(around).values())


def test_a_visited_page_is_explained_by_what_was_known_before() -> None:
    strategy = Adaptive()
    explore(strategy, "s .8 -> " + " ".join(f"b{n} [boat]" for n in range(9)) + "; b1 .9")
    page = strategy._crawl.page(url_of("b1"))
    assert page is not None
    told = strategy.explain(Candidate(page.url, 3, 1, page.inlinks, 1))
    before = strategy.model.recall(hashing.hashed("source", page.url))
    assert before is not None
    assert told["chance"] == pytest.approx(1 / (1 + np.exp(-strategy.model.margin(before[None])[0])))
    assert "what pages like it led to" not in told


def test_words_behind_a_meaning_are_told() -> None:
    strategy = Adaptive()
    explore(strategy, web_of(BIRDS + TAXES))
    link = Link("http://elsewhere.org/", "http://elsewhere.org/9", "pelican of the year")
    told = strategy.explain(Candidate(link.url, 999, 1, (link,), 1))
    assert told["past success of anchors with a similar meaning: pelican, year"] > 0


def test_labels_change_neither_the_drought_nor_what_is_best() -> None:
    """A user's word is 0 or 1 where a judge says 0.6, and an old page says nothing of the latest visits."""
    strategy = Adaptive()
    explore(strategy, "s .7 -> " + " ".join(f"b{n} [boat]" for n in range(60)) + "; b1 .6")
    before = strategy.features.drought, replace(strategy.grades)
    page = strategy._crawl.page(url_of("b1"))
    assert page is not None
    for relevant in (True, False):
        strategy.learn_label(page, relevant)
    assert strategy.features.recent.count(0.0) == 59
    assert strategy.grades == before[1]
    assert strategy.features.drought == pytest.approx(before[0], abs=0.1)  # the base rate has changed


def test_a_label_is_learnt_with_what_was_known_before_the_visit() -> None:
    strategy = Adaptive()
    explore(strategy, "s .9 -> " + " ".join(f"b{n} [boat]" for n in range(9)) + "; b1 .9")
    before = {visit.page: visit.features for visit in strategy.model.visits}
    page = strategy._crawl.page(url_of("b1"))
    assert page is not None
    strategy.load(strategy.save())
    strategy.learn_label(page, False)
    *_, heard = strategy.model.visits
    assert heard.found == 0
    assert heard.features.tolist() == before[heard.page].tolist() != strategy._known(page)[0][0].tolist()


def test_many_labels_are_learnt_from_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    strategy = Adaptive()
    explore(strategy, "s .9 -> " + " ".join(f"b{n} [boat]" for n in range(45)) + "; b1 .9")
    refits, whole = [], Model.refit
    monkeypatch.setattr(Model, "refit", lambda model: refits.append(len(model.visits)) or whole(model))
    seen = len(strategy.model.visits)
    pages = [strategy._crawl.page(url_of(name)) for name in ("b2", "b3")]
    strategy.learn_labels([(page, True) for page in pages if page])
    strategy.score([])
    strategy.save()
    assert refits == [seen + 2 * LABEL_WEIGHT_VISITS]


def taken_in(strategy: Adaptive) -> tuple[object, ...]:
    """What labels change, less the order in which it came."""
    features, told = strategy.features, sorted((visit.page, visit.found) for visit in strategy.model.visits)
    return features.visits, round(features.finds, 5), features.links.good.tolist(), features.words.seen.tolist(), told


def test_the_last_label_of_a_page_replaces_those_before() -> None:
    web = "s .9 -> " + " ".join(f"b{n} [boat]" for n in range(9)) + "; b1 .9"
    once, often = Adaptive(), Adaptive()
    for strategy, said in ((once, [False]), (often, [True, True, True, False])):
        explore(strategy, web)
        for relevant in said:
            page = strategy._crawl.page(url_of("b1"))
            assert page is not None
            strategy.learn_label(page, relevant)
            strategy.load(strategy.save())
    assert taken_in(once) == taken_in(often)


def test_another_crawl_believes_hubs_only_in_part() -> None:
    hubs = Hubs()
    for parent, anchor, found in ((-1, "", 0.0), (0, "our students", 0.0), (1, "ann", 1.0), (1, "bob", 1.0)):
        hubs.add(parent, slots_for(anchor)[0], found)
    told = hubs.expected_finds(slots_for("our students"))[0]
    heard = Hubs.load(codec.loads(codec.dumps(hubs.save()))).faded(0.5)
    assert not heard.parents
    assert 0 < heard.expected_finds(slots_for("our students"))[0] < told


def learnt() -> Adaptive:
    """After enough visits for both learners."""
    strategy = Adaptive()
    names = " ".join(f"b{n} [boat]" for n in range(30)) + " " + " ".join(f"r{n} [road]" for n in range(30))
    explore(strategy, f"s .9 -> {names};" + ";".join(f"b{n} .9" for n in range(30)))
    return strategy


def test_reasons_tell_what_the_learners_add() -> None:
    strategy = learnt()
    link = Link("http://sketch.example/s", "http://sketch.example/new", "boat")
    candidate = Candidate(link.url, 999, 1, (link,), 1)
    model, rows = strategy.model, strategy._rows([candidate])[0]
    weights, share = model.belief
    assert share == 0.5
    assert model.forest is not None
    forest = strategy.explain(candidate)["combinations of reasons (decision trees)"]
    assert forest == pytest.approx(model.forest.margin(rows)[0] / 2)
    assert model.margin(rows)[0] == pytest.approx(rows[0, LINEAR] @ weights[:-1] + weights[-1] + forest)


def test_only_learners_that_are_there_take_over_what_was_learnt() -> None:
    state = codec.loads(learnt().save())
    pupil = Adaptive(without="forest")
    pupil.inherit(state)
    assert pupil.model.weights is not None
    assert pupil.model.forest is None
    state["experience"]["model"]["names"] = ["other", "features"]
    with pytest.raises(StoreError, match="the features of adaptive"):
        Adaptive().inherit(state)


def test_a_visit_that_is_undone_under_other_keys_leaves_sound_odds() -> None:
    counts = Counts()
    counts.add(np.array([5], np.int32), 1.0)
    counts.add(np.array([5], np.int32), 0.0, -5.0)
    assert np.isfinite(counts.odds(np.array([[5]], np.int32), 0.1)).all()


def test_new_verdicts_correct_what_was_learned() -> None:
    """The judge takes some pages for relevant at first, and not later: their links stop being good examples."""
    names = " ".join(f"b{n} [boat]" for n in range(20)) + " " + " ".join(f"r{n} [road]" for n in range(20))
    strategy = Adaptive()
    explore(strategy, f"s .9 -> {names};" + ";".join(f"b{n} .9" for n in range(20)))
    links = [Link(url_of("s"), url_of(name), anchor) for name, anchor in (("x", "boat"), ("y", "road"))]
    waiting = [Candidate(link.url, 90 + n, 1, (link,), 1) for n, link in enumerate(links)]
    boat, road = strategy.score(waiting)
    assert boat > road
    changed = [Link(url_of("s"), url_of(f"b{n}"), "boat") for n in range(20)]
    finds = strategy.features.finds
    assert strategy.learn_verdicts([NewVerdict(link.url, [link], 0.0) for link in changed]) == ()
    assert strategy.features.finds == pytest.approx(finds - sum(strategy.grades.of(0.9, 0.5) for _ in changed))
    assert strategy.due <= strategy.features.visits + VERDICT_SLICES
    strategy.model.refit()
    less, _ = strategy.score(waiting)
    assert less < boat - 0.3


def test_a_judge_that_knows_chances_gives_soft_finds() -> None:
    assert [soft_find(chance) for chance in (0.1, 0.3, 0.9)] == [0.0, 0.3, 0.9]
    strategy = Adaptive()
    explore(strategy, "s .4 -> a; a .3")
    assert strategy.features.finds == 0.0
    strategy._crawl.interest = replace(LearningInterest(build("boats")), threshold=0.5)
    assert strategy._found(0.4) == 0.4
