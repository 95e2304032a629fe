from __future__ import annotations

import json
import math
import sys

import pytest

from clew import config
from clew.config import Topic
from clew.errors import ConfigError, InterestError
from clew.interests import build
from clew.interests.concepts import Concept, plain, read, steps
from clew.interests.ontology import Mentions, measure
from clew.interests.reading import Reading
from clew.text.terms import terms
from clew.types import Doc

TOML = """
[concepts.hotel]
labels = ["hotel", "inn"]
broader = ["accommodation"]

[concepts.accommodation]
labels = ["accommodation", "place to stay"]
related = ["tourism"]

[concepts.bed]
broader = ["accommodation"]

[concepts.city]
related = ["hotel", "bed"]
"""
SKOS = """
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix : <http://example.org/> .
:hotel a skos:Concept ; skos:prefLabel "hotel"@en ; skos:altLabel "inn" ; skos:broader :lodging .
:lodging a skos:Concept ; skos:prefLabel "lodging" ; skos:narrower :BedAndBreakfast ; skos:related :tourism .
"""
OWL = """
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix : <http://example.org/terms#> .
:Hotel a owl:Class ; rdfs:subClassOf :Lodging, [ a owl:Restriction ] .
:Lodging a owl:Class ; rdfs:label "lodging" .
:liesIn a owl:ObjectProperty ; rdfs:label "lies in" ; rdfs:domain :Hotel ; rdfs:range :City .
"""


@pytest.fixture
def file(tmp_path):
    def write(name: str, text: str) -> str:
        (tmp_path / name).write_text(text, encoding="utf-8")
        return str(tmp_path / name)

    return write


def page(text: str) -> Doc:
    return Doc(url="", text=text, terms=terms(text), language="en")


def test_t13(file):
    found = measure(file("hotels.toml", TOML.replace('related = ["hotel", "bed"]', "")), ["hotel"])
    words = ["hotel"] * 3 + ["accommodation"] * 2 + ["bed"] + ["city"] * 4
    text = Reading(page(" ".join([*words, *(f"filler{n}" for n in range(90))])))
    assert found.score(text) == pytest.approx(0.0425)
    assert found(text) == pytest.approx(0.5726, abs=5e-5)


def test_steps_over_is_a_and_other_relations(file):
    concepts = read(file("hotels.toml", TOML)).concepts
    assert steps(concepts, ["hotel"]) == {"hotel": 0, "accommodation": 1, "bed": 2, "city": 2}
    assert steps(concepts, ["bed", "city"]) == {"bed": 0, "city": 0, "accommodation": 1, "hotel": 2}


def test_the_longest_label_counts_and_homonyms_once():
    found = Mentions({"bed": 1.0, "bed and breakfast": 0.5, "hotel california": 0.0, "hotel": 1.0})
    assert found.score(Reading.of_words("bed and breakfast")) == pytest.approx(0.05)
    assert found.score(Reading.of_words("Hotel California, hotels")) == pytest.approx(0.1)


def test_tiny_pages_have_no_advantage():
    found = Mentions({"hotel": 1.0})
    assert found.score(Reading(page("hotel"))) == pytest.approx(0.01)
    assert found(Reading(Doc(url=""))) == 0.0
    assert found(Reading(Doc(url="", terms={"hotel": 5}))) == pytest.approx(1 - math.exp(-1))


def test_examples_say_what_is_typical(file):
    docs = [page("hotel " * n + "word " * (100 - n)) for n in (10, 20, 90)]
    assert measure(file("h.toml", TOML), ["hotel"], docs).typical == pytest.approx(0.2)


def test_json_says_the_same_as_toml(file):
    tables = {"focus": ["bed"], "concepts": {"bed": {"labels": "bed", "broader": ["furniture"]}}}
    found = read(file("beds.JSON", json.dumps(tables)))
    assert found.focus == ("bed",)
    assert found.concepts == {"bed": Concept(("bed",), ("furniture",)), "furniture": Concept(("furniture",))}


def test_skos(file):
    pytest.importorskip("rdflib", reason="the extra clew-crawler[ontology] is not installed")
    found = read(file("hotels.ttl", SKOS)).concepts
    near = steps(found, ["http://example.org/hotel"])
    assert {name.rpartition("/")[2]: steps for name, steps in near.items()} == {
        "hotel": 0, "lodging": 1, "BedAndBreakfast": 2
    }  # fmt: skip
    assert found["http://example.org/hotel"].labels == ("hotel", "inn")
    assert found["http://example.org/BedAndBreakfast"].labels == ("Bed And Breakfast",)
    assert measure(file("again.ttl", SKOS), ["Inn"]).closeness["lodging"] == 0.5


def test_owl(file):
    pytest.importorskip("rdflib", reason="the extra clew-crawler[ontology] is not installed")
    found = read(file("hotels.ttl", OWL)).concepts
    names = {name.rpartition("#")[2]: concept for name, concept in found.items()}
    assert names["Hotel"].broader == ("http://example.org/terms#Lodging",)
    assert names["Hotel"].related == ("http://example.org/terms#City",)
    assert "liesIn" not in names


def test_without_rdflib_the_extra_is_named(file, monkeypatch):
    path = file("hotels.ttl", SKOS)
    monkeypatch.setitem(sys.modules, "rdflib", None)
    with pytest.raises(ConfigError, match=r"clew-crawler\[ontology\]"):
        read(path)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.toml", "[concepts.hotel]\nlabel = 'x'", "did you mean 'labels'"),
        ("b.toml", "x = 1", "must contain tables"),
        ("c.json", "{", "cannot read the ontology"),
        ("d.toml", "focus = ['inn']\n[concepts.hotel]", "there is no concept 'inn'"),
        ("e.toml", "[concepts.hotel]\nlabels = [1]", "must be a list of strings"),
        ("f.ttl", "this is no turtle", "cannot read the ontology|clew-crawler"),
    ],
)
def test_mistakes_are_named(file, name, text, message):
    with pytest.raises(InterestError, match=message):
        read(file(name, text))


def test_a_topic_with_an_ontology(file, tmp_path):
    file("hotels.toml", TOML)
    setting = 'interest = "lodging"\n[topics.lodging]\nontology = "hotels.toml"\nkeywords = ["hotel"]'
    settings = config.read(file("crawl.toml", setting))
    assert settings.topics["lodging"].ontology == str(tmp_path / "hotels.toml")
    config.write(settings, tmp_path / "again.toml")
    assert config.read(tmp_path / "again.toml").topics == settings.topics
    interest = build("lodging", settings.topics)
    inn, town = page("An inn is a place to stay. " * 20), page("The town hall has a clock. " * 20)
    assert interest.judge(inn).relevance > 0.9
    assert interest.judge(town).relevance == 0.0
    assert interest.rate("our hotel") > interest.rate("places to stay") > interest.rate("the clock") == 0.0


def test_an_ontology_that_does_not_know_the_topic(file):
    with pytest.raises(InterestError, match="has no concept 'golf'; its concepts include: hotel"):
        build("golf", {"golf": Topic(ontology=file("hotels.toml", TOML))})
    with pytest.raises(InterestError, match=r"cannot read the ontology .*: No such file"):
        build("golf", {"golf": Topic(ontology="nowhere.toml")})
    assert plain({"concepts": {"a": {}}}).matching(["A"]) == ["a"]
