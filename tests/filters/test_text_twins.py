from __future__ import annotations

from collections.abc import Mapping

import pytest

from clew.filters.text_twins import find_page, is_source
from clew.types import Doc, Link

SITE = "http://a.example/"
TEXT = {f"word{number}": 1 for number in range(40)}
PAGE = {**TEXT, "menu": 5, "next": 2}
HALF = {**dict(list(TEXT.items())[:22]), "menu": 5}
LONG = {**TEXT, **{f"other{number}": 1 for number in range(400)}}


def found(path: str, pages: Mapping[str, Mapping[str, int]], source: str = "", terms: Mapping[str, int] = TEXT) -> str:
    inlinks = (Link(source, SITE + path),) if source else ()
    url = find_page(Doc(SITE + path, terms=terms), inlinks, lambda url: pages.get(url, {})) or ""
    return url.removeprefix(SITE)


@pytest.mark.parametrize(
    ("path", "page"),
    [
        ("_sources/boats.rst.txt", "boats.html"),
        ("docs/_sources/boats/oak.md.txt", "docs/boats/oak.html"),
        ("_sources/boats.txt", "boats/"),
        ("_sources/boats.text.rst.txt", "boats.text.html"),
        ("boats.txt", "boats.html"),
        ("boats.py", "boats.htm"),
        ("boats.md", "boats"),
    ],
)
def test_a_text_and_the_page_of_its_name(path: str, page: str) -> None:
    assert found(path, {SITE + page: PAGE}) == page
    assert found(path, {SITE + "other.html": PAGE}) == ""


def test_half_of_the_words_are_enough_under_the_same_name_only() -> None:
    assert found("boats.txt", {SITE + "boats.html": HALF}) == "boats.html"
    assert found("boats.txt", {SITE + "list.html": HALF}, source=SITE + "list.html") == ""
    assert found("boats.txt", {SITE + "boats.html": {"menu": 9}}) == ""


def test_a_page_that_shows_the_text_and_links_to_it() -> None:
    gallery = SITE + "gallery/boats.html"
    assert found("_downloads/3f2c/boats.py", {gallery: HALF}, source=gallery) == "gallery/boats.html"
    assert found("code.py", {gallery: PAGE}, source=gallery) == "gallery/boats.html"
    # A long page has the words of many short texts.
    assert found("code.py", {gallery: LONG}, source=gallery) == ""
    other = "http://b.example/boats.html"
    assert found("code.py", {other: PAGE}, source=other) == ""


def test_a_source_of_a_few_commands() -> None:
    commands = {"automodul": 1, "member": 1}
    assert found("_sources/api.rst.txt", {SITE + "api.html": PAGE}, terms=commands) == "api.html"
    assert found("api.rst.txt", {SITE + "api.html": PAGE}, terms=commands) == ""
    assert found("api.txt", {SITE + "api.html": PAGE}, terms={}) == ""


def test_only_plain_text_can_be_a_source() -> None:
    text = Doc(SITE, terms=TEXT)
    assert is_source(text, "text/plain")
    assert is_source(text, "text/x-python")
    assert not is_source(text, "text/html")
    assert not is_source(text, "application/pdf")
    assert not is_source(Doc(SITE, "Boats", terms=TEXT), "text/plain")
    assert not is_source(Doc(SITE, terms=TEXT, links=(Link(SITE, SITE + "b"),)), "text/plain")
