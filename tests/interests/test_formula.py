from __future__ import annotations

import pickle

import pytest

from clew.config import Topic
from clew.errors import InterestError, StartError
from clew.interests import Formula, Interest, build
from clew.types import Doc


def counted(**counts):
    return {name.replace("_", " "): count for name, count in counts.items()}


def test_a_bare_query_needs_no_preparation(doc):
    interest: Interest = build("sailing AND (ruegen OR hiddensee) AND NOT advertising", {})
    good = interest.judge(doc("Sailing around Hiddensee"))
    assert good.relevance > 0.7
    assert good.relevant
    assert set(good.topics) == {"sailing", "ruegen", "hiddensee", "advertising"}
    assert interest.judge(doc("Sailing around Hiddensee: advertising")).relevance < 0.3
    assert interest.judge(doc("Sailing around Elba")).relevance == 0
    assert interest.judge(Doc(url="")).relevance == 0


def test_value_of_the_stored_topics_is_the_relevance(doc, taxonomy):
    interest = build('sailing AND NOT ruegen > 0.9 OR word("hotel")', taxonomy)
    for text in ("a yacht near Binz", "a hotel", "sailing"):
        judgement = interest.judge(doc(text))
        assert interest.value(judgement.topics) == judgement.relevance


def test_all_topics_above_are_judged_too(doc, taxonomy):
    topics = build("Sailing", taxonomy).judge(doc("a yacht")).topics
    assert list(topics) == ["sailing", "water sports", "sports", "tourism"]
    assert topics["sailing"] == topics["water sports"] > 0.7
    assert build("water sports", taxonomy).judge(doc("a yacht")).topics["water sports"] > 0.7


def test_links_are_guided_without_negated_parts(doc):
    interest = build("sailing AND NOT advertising", {})
    assert str(interest.guide()) == "sailing"
    assert interest.rate("advertising") == 0
    assert interest.rate("sailing advertising") > 0.7
    stored = {"sailing": 0.8, "advertising": 0.9}
    assert interest.value(stored) == pytest.approx(0.1)
    assert interest.guide().value(stored) == 0.8
    assert interest.guide().guide() == interest.guide()


@pytest.mark.parametrize(
    ("formula", "positive"),
    [
        ("xa AND NOT xb", "xa"),
        ("xa AND xb < 0.3", "xa"),
        ("NOT (xa OR NOT xb)", "xb"),
        ("NOT (NOT xa AND xb)", "xa"),
        ("NOT xa < 0.3", "xa >= 0.3"),
        ("NOT xa", "ANY"),
        ("xa^0.2 AND xb^0.3 AND NOT xc^0.5", "xa^0.2 AND xb^0.3"),
        ("(xa AND NOT xb) OR (xa AND NOT xc)", "xa"),
    ],
)
def test_what_is_left_without_negation(formula, positive):
    assert str(build(formula, {}).guide()) == positive


def test_a_short_text_needs_only_one_of_the_topics():
    interest = build("sailing AND ruegen", {})
    assert interest.rate("Sailing school") > 0.7
    assert interest.rate("Rügen") > 0.7
    assert interest.rate("click here") == interest.rate("") == 0
    rarest = interest.rarest({"sailing": 5, "ruegen": 2})
    assert rarest.rate("Sailing school") == 0
    assert rarest.rate("ruegen de") > 0.7


def test_negation_alone_rates_nothing():
    assert build("NOT golf", {}).rate("golf") == 0


def test_threshold_is_the_least_positive_start_score():
    interest = build("sailing", {})
    assert interest.starting_from([0, 0.35, 0.2, 0.55, 0]).threshold == 0.2
    assert interest.threshold == 0.5
    assert build("sailing", {}, threshold=0.3).threshold == 0.3
    assert interest.at(0.7).threshold == 0.7


@pytest.mark.parametrize(
    ("scores", "words"),
    [([], "no start page"), ([0.0], "the start page is not about"), ([0.0, 0.0], "none of the 2 start pages is about")],
)
def test_no_threshold_without_a_relevant_start_page(scores, words):
    with pytest.raises(StartError, match=words) as caught:
        build("sailing", {}).starting_from(scores)
    assert "--threshold" in str(caught.value)


def test_the_path_of_the_paper(taxonomy):
    interest = build("sailing AND ruegen", taxonomy, threshold=0.4)
    counts = counted(sailing=2, water_sports=4, sports=8, tourism=90, ruegen=30)
    counts["Mecklenburg-Vorpommern"] = 200
    path = []
    while interest is not None:
        assert interest.threshold == 0.4
        path.append(str(interest))
        interest = interest.wider("taxonomy", counts)
    assert path == [
        "sailing AND ruegen",
        "water sports AND ruegen",
        "sports AND ruegen",
        "tourism AND ruegen",
        "tourism AND Mecklenburg-Vorpommern",
    ]


def test_a_wider_formula_is_worth_no_less_and_uses_what_was_stored(doc, taxonomy):
    interest = build("sailing AND ruegen", taxonomy)
    topics = interest.judge(doc("A hotel near Schwerin for sports and a yacht to Binz")).topics
    values = [interest.value(topics)]
    while (interest := interest.wider()) is not None:
        values.append(interest.value(topics))
    assert values == sorted(values)
    assert len(values) == 5


def test_drop_leaves_the_rarest():
    interest = build("xa AND xb AND xc AND NOT xd", {})
    first = interest.wider("drop", {"xa": 5, "xb": 1, "xc": 3})
    assert str(first) == "xb AND xc"
    assert str(first.wider("drop", {"xa": 5, "xb": 1, "xc": 3})) == "xb"
    assert first.wider("drop").wider("drop") is None
    assert str(build("xa AND xb", {}).wider("drop")) == "xa"  # ties: the first counts as the rarest


def test_drop_in_inner_parts():
    assert str(build("(xa AND xb) OR (xb AND xc)", {}).wider("drop")) == "xa OR xb AND xc"
    assert build("xa OR xb", {}).wider("drop") is None
    assert str(build("xa AND (xb OR xc)", {}).wider("drop", {"xa": 3, "xb": 2, "xc": 2})) == "xa"


def test_reweight_moves_weight_to_the_rarest_in_steps():
    interest = build("xa AND xb", {})
    values = []
    while interest is not None:
        values.append(interest.value({"xa": 0.2, "xb": 0.9}))
        interest = interest.wider("reweight", {"xa": 9, "xb": 2})
    assert values[0] == pytest.approx(0.2)
    assert values[1] == pytest.approx((0.6 - 0.4) * 0.9 + 2 * 0.4 * 0.2)
    assert values[-1] == pytest.approx(0.9)
    assert values == sorted(values)
    assert len(values) == 6


def test_the_ceiling(taxonomy):
    assert build("tourism AND golf", taxonomy).wider() is None
    assert build("golf", {}).wider("reweight") is None
    with pytest.raises(InterestError, match="did you mean 'taxonomy'"):
        build("golf", {}).wider("taxonomi")


def test_equal_topics_melt_into_one():
    topics = {"sports": Topic(), "golf": Topic("sports"), "sailing": Topic("sports")}
    wide = build("golf AND sailing AND ruegen", topics).wider().wider()
    assert str(wide) == "sports AND ruegen"


def test_weights_of_topics_count_where_none_is_written():
    topics = {"golf": Topic(weight=3.0), "sailing": Topic()}
    assert str(build("golf AND sailing AND ruegen", topics)) == "golf^3.0 AND sailing^1.0 AND ruegen^1.0"
    assert str(build("golf^0.2 AND sailing", topics)) == "golf^0.2 AND sailing^1.0"
    assert str(build("golf AND sailing", {"golf": Topic()})) == "golf AND sailing"


def test_semantics():
    interest = build("xa AND xb", {}, semantics="probabilistic")
    assert interest.value({"xa": 0.5, "xb": 0.5}) == 0.25
    with pytest.raises(InterestError, match="did you mean 'possibilistic'"):
        build("xa", {}, semantics="possibilist")


def test_any_is_always_true(doc):
    assert build("ANY", {}).judge(doc("whatever")).relevance == 1
    assert build("ANY AND sailing", {}).rate("sailing") > 0.7


def test_it_survives_pickling(doc, taxonomy):
    interest = build("sailing AND ruegen", taxonomy, threshold=0.2)
    copy: Formula = pickle.loads(pickle.dumps(interest))
    assert copy == interest
    assert copy.judge(doc("a yacht near Binz")) == interest.judge(doc("a yacht near Binz"))


@pytest.mark.parametrize("threshold", [-0.1, 1.5, float("nan")])
def test_a_threshold_is_a_relevance(threshold):
    with pytest.raises(InterestError, match="between 0 and 1"):
        build("sailing", {}, threshold=threshold)


def test_a_topic_must_have_a_word_that_counts():
    with pytest.raises(InterestError, match="no searchable word"):
        build("nothing", {"nothing": Topic(keywords=("the", "of"))})
