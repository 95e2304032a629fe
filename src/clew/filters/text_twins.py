"""Finds the HTML page of which a plain text is the source: documentation shows both x.html and _sources/x.rst.txt.

Fingerprints do not tell, because the page has menus and the source has markup. The words do.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from clew.parse.url import host
from clew.types import Doc, Link

Terms = Mapping[str, int]

MIN_SHARED: Final = 0.5  # share of the words of a text in the page of the same name; 488 of 500 real sources have it
MIN_SHARED_WITH_OTHERS: Final = 0.8  # in a page of another name that links to the text
MAX_SIZE_RATIO: Final = 4  # of a page of another name to the text: a long page has the words of many short ones
TEXT_ENDING: Final = re.compile(r"\.(?:rst|md|py|ipynb)\.txt$|\.(?:txt|text|rst|md|py|tex|c|h|java)$")
PAGE_ENDING: Final = re.compile(r"\.html?$")
SOURCES: Final = "/_sources/"
PAGE_ENDINGS: Final = (".html", ".htm", "/", "")


def is_source(doc: Doc, essence: str) -> bool:
    """Whether a document of this media type may be the source of an HTML page: plain text of any kind."""
    return not doc.links and not doc.title and essence.startswith("text/") and essence != "text/html"


def find_page(doc: Doc, inlinks: Sequence[Link], terms_of: Callable[[str], Terms]) -> str | None:
    """The URL of the page with the words of this text, or None; `terms_of` knows the words of visited pages.

    >>> words = {"oak": 2, "mast": 3, "sail": 1}
    >>> pages = {"http://a.example/boats.html": {**words, "menu": 1}}
    >>> find_page(Doc("http://a.example/_sources/boats.rst.txt", terms=words), (), lambda url: pages.get(url, {}))
    'http://a.example/boats.html'
    """
    name = _name(doc.url)
    named_alike = _named_alike(doc.url)
    # Sphinx keeps nothing but sources there, and some are a few commands that make a long page.
    if SOURCES in doc.url and (page := next(filter(terms_of, named_alike), None)):
        return page
    linking = [link.source for link in inlinks if host(link.source) == host(doc.url)]
    for url in dict.fromkeys((*named_alike, *linking)):
        if _is_contained(doc.terms, terms_of(url), _name(url) == name):
            return url
    return None


def _is_contained(text: Terms, page: Terms, same_name: bool) -> bool:
    size = sum(text.values())
    if not size or not page:
        return False
    shared = sum(min(count, page.get(word, 0)) for word, count in text.items()) / size
    if same_name:
        return shared >= MIN_SHARED
    return shared >= MIN_SHARED_WITH_OTHERS and sum(page.values()) <= MAX_SIZE_RATIO * size


def _named_alike(url: str) -> list[str]:
    """The URLs under which the page of a text usually is.

    >>> _named_alike("http://a.example/_sources/boats.rst.txt")[:2]
    ['http://a.example/boats.html', 'http://a.example/boats.htm']
    """
    stem = TEXT_ENDING.sub("", url.partition("?")[0])
    stem = stem.replace(SOURCES, "/", 1)
    return [stem + ending for ending in PAGE_ENDINGS]


def _name(url: str) -> str:
    """The last part of a path without its ending.

    >>> _name("http://a.example/_downloads/3f2c/oak.boats.py"), _name("http://a.example/gallery/oak.boats.html")
    ('oak.boats', 'oak.boats')
    """
    last = url.partition("?")[0].rstrip("/").rpartition("/")[2]
    return PAGE_ENDING.sub("", TEXT_ENDING.sub("", last))
