from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from selectolax.lexbor import LexborHTMLParser

from clew.labyrinth import Labyrinth


@pytest.fixture(scope="session")
def web() -> Labyrinth:
    return Labyrinth(pages=2000, seed=1)


@pytest.fixture(scope="session")
def words_of(web: Labyrinth) -> Callable[[int], list[str]]:
    """The words a reader of a page sees, links included."""

    def words(number: int) -> list[str]:
        charset = web.graph.spot(number).site.charset
        tree = LexborHTMLParser(web.page(web.url(number)).body.decode(charset))
        tree.strip_tags(["script", "style"])
        return re.findall(r"\w+", tree.body.text(separator=" ").lower())

    return words
