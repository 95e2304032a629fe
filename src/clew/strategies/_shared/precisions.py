"""Precisions by host, by folder and by file name: where pages were relevant, more of them may be."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final
from urllib.parse import urlsplit

from clew.parse.url import host as host_of

PRIOR_VISITS: Final = 2  # a place with so many visits counts as much as what is expected of it
NUMBERS: Final = re.compile(r"\d+")

Counts = dict[str, list[int]]
"""By place: visits and relevant pages."""


def counted(counts: Counts, place: str, relevant: bool) -> None:
    """Add a visit to a place."""
    pair = counts.setdefault(place, [0, 0])
    pair[0] += 1
    pair[1] += relevant


def precision(counts: Mapping[str, list[int]], place: str, expected: float) -> float:
    """The share of relevant pages in a place, smoothed: an unknown place is as good as expected.

    >>> precision({"a.org": [2, 2]}, "a.org", 0.5), precision({}, "b.org", 0.5)
    (0.75, 0.5)
    """
    visits, relevant = counts.get(place, (0, 0))
    return (relevant + PRIOR_VISITS * expected) / (visits + PRIOR_VISITS)


def folder_key(url: str) -> str:
    """The host and the folder of a URL.

    >>> folder_key("http://a.org/boats/sail/7.html?x=1")
    'a.org/boats/sail/'
    """
    return host_of(url) + urlsplit(url).path.rpartition("/")[0] + "/"


def file_key(url: str) -> str:
    """The host and the file name of a URL; names that differ only in numbers are alike.

    >>> file_key("http://a.org/boats/page17.html"), file_key("http://a.org/cars/page3.html")
    ('a.org page#.html', 'a.org page#.html')
    """
    name = urlsplit(url).path.rpartition("/")[2]
    return f"{host_of(url)} {NUMBERS.sub('#', name)}"
