"""Templates of search services, and the addresses in their answers."""

from __future__ import annotations

import json

import pytest

from clew.errors import ConfigError
from clew.parse.opensearch import expanded, found_urls, is_template

BASE = "https://find.example/api/search"


def test_places_are_filled_in_and_escaped() -> None:
    template = "https://find.example/{searchTerms}?n={count}&page={startPage?}&lang={language?}"
    assert expanded(template, {"searchTerms": "a/b & ü", "count": 5}) == (
        "https://find.example/a%2Fb+%26+%C3%BC?n=5&page=&lang="
    )


def test_a_place_that_nobody_can_fill_in() -> None:
    with pytest.raises(ConfigError, match=r"needs startPage, which nobody knows: write \{startPage\?\}"):
        expanded("https://find.example/?q={searchTerms}&p={startPage}", {"searchTerms": "x"})


@pytest.mark.parametrize("text", ["crawls/one", "mine:Source", "https://find.example/", "{searchTerms}"])
def test_no_template(text: str) -> None:
    assert not is_template(text)


@pytest.mark.parametrize(
    ("answer", "results", "urls"),
    [
        # Datasette, as objects and as arrays
        ({"rows": [{"id": 1, "url": "http://a.example/1"}, {"id": 2, "url": "/2"}]}, "rows.*.url", ["1", "2"]),
        ([["x", "http://a.example/1"], ["y", "http://a.example/2"]], "*.1", ["1", "2"]),
        # Suggestions as OpenSearch defines them (Wikipedia)
        (["q", ["One", "Two"], ["", ""], ["http://a.example/1", "http://a.example/2"]], "", ["1", "2"]),
        (
            {"hits": {"b": {"link": "http://a.example/2"}, "a": {"link": "http://a.example/1"}}},
            "hits.*.link",
            ["2", "1"],
        ),
        ({"text": "see http://a.example/1", "url": "http://a.example/2"}, "", ["2"]),
        ({"rows": [{"url": None}, {"url": 7}, {"url": "mailto:a@b.example"}, {}]}, "rows.*.url", []),
        ({"rows": "none"}, "rows.*.url", []),
        ({"rows": [{"url": "http://a.example/1"}] * 3}, "rows.*.url", ["1"]),
    ],
)
def test_addresses_in_json(answer: object, results: str, urls: list[str]) -> None:
    found = found_urls(json.dumps(answer).encode(), "http://a.example/", results=results)
    assert found == [f"http://a.example/{name}" for name in urls]


def test_addresses_in_atom_and_rss() -> None:
    atom = b'<feed xmlns="http://www.w3.org/2005/Atom"><entry><link href="http://a.example/1"/></entry></feed>'
    rss = b"<rss><channel><item><title>One</title><link>http://a.example/1</link></item></channel></rss>"
    assert found_urls(atom, BASE, "application/atom+xml") == ["http://a.example/1"]
    assert found_urls(rss, BASE, "application/rss+xml") == ["http://a.example/1"]


@pytest.mark.parametrize("body", [b"", b"<html>", b"\xff\xfe", b"[" * 100_000, b'{"a":' * 50_000])
def test_anything_else_finds_nothing(body: bytes) -> None:
    assert found_urls(body, BASE) == []
