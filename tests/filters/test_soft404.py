"""Error pages with status 200 in several languages; pages about errors are ordinary pages."""

from __future__ import annotations

import pytest

from clew.filters.soft404 import SoftErrors


@pytest.mark.parametrize(
    ("title", "text"),
    [
        ("404", "Oops."),
        ("Error 404 - Boats", "Oops."),
        ("Page not found | Boats", "Look elsewhere."),
        ("Seite nicht gefunden", "Leider."),
        ("Page introuvable", "Pardon."),
        ("Boats", "Sorry, the page you are looking for could not be found."),
    ],
)
def test_errors(title: str, text: str):
    assert SoftErrors().reason("a.example", title, text, 1).startswith("soft 404")


@pytest.mark.parametrize(
    ("title", "text"),
    [
        ("Peugeot 404", "A car of the sixties."),
        ("Lost and found", "What was not found in the harbour."),
        ("How to make a page not found page", "word " * 500),
        ("", ""),
    ],
)
def test_pages(title: str, text: str):
    assert not SoftErrors().reason("a.example", title, text, 1)


def test_their_like_on_the_same_host():
    errors = SoftErrors()
    errors.add("a.example", 0b111)
    assert errors.reason("a.example", "Boats", "Sails", 0b011)
    assert not errors.reason("b.example", "Boats", "Sails", 0b011)
