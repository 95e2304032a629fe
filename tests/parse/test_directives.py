from __future__ import annotations

import pytest

from clew.parse import parse
from clew.parse.directives import directives

URL = "http://a.example/"


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("", (False, False)),
        ("all", (False, False)),
        ("index, follow", (False, False)),
        ("NOINDEX,NOFOLLOW", (True, True)),
        ("noindex;nofollow", (True, True)),
        ("none", (True, True)),
        ("nonesuch, xnofollow", (False, False)),
        ("googlebot: noindex, nofollow", (False, False)),
        ("googlebot: noindex, clew: nofollow", (True, False)),
        ("max-snippet: 5, nofollow", (True, False)),
        ("unavailable_after: 25 Jun 2030 15:00:00 PST, noindex", (False, True)),
        (":", (False, False)),
    ],
)
def test_directives(content, expected):
    assert tuple(directives(content)) == expected


def test_a_page_may_speak_to_us_by_name():
    assert parse(b"<meta name=CLEW content=nofollow>", URL).nofollow
    assert not parse(b"<meta name=otherbot content=nofollow>", URL).nofollow
