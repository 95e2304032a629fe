"""Meta refresh and the HTTP Refresh header, as the HTML standard reads them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.parse import parse
from clew.parse.refresh import refresh_target, refresh_url

BASE = "http://a.org/dir/page"
BLANKS = "\t\n\f\r "


@pytest.mark.parametrize(
    ("value", "url"),
    [
        # Quoted, and followed by more.
        ("0; url='next' and a text", "next"),
        ('0; url="next"; also', "next"),
        ("0; url='a\"b' c", 'a"b'),
        ("0; 'next' text", "next"),
        # A quote that is never closed, or stands inside the URL.
        ("0; url='next", "next"),
        ("0; url=it's", "it's"),
        # "url" is optional, and may be the URL itself.
        ("0; next", "next"),
        ("0 next", "next"),
        ("0, next", "next"),
        ("0;;next", ";next"),
        ("0; url", "url"),
        ("0; url next", "url next"),
        ("0; urn=next", "urn=next"),
        ("0; URL = next", "next"),
        ("0;uRl='next'", "next"),
        ("0; url=url=next", "url=next"),
        # The delay.
        (".5; next", "next"),
        (".; next", "next"),
        ("1.5.9; next", "next"),
        ("\t0\n; next", "next"),
        # Only a reload.
        ("0", ""),
        ("5.2", ""),
        ("5;", ""),
        ("5; url=", ""),
        ("5; url=''", ""),
        # Invalid.
        ("", None),
        ("next", None),
        ("url=next", None),
        ("; url=next", None),
        ("-1; url=next", None),
        ("+1; url=next", None),
        ("0x; url=next", None),
        ("0s; url=next", None),
        ("\u0661; url=next", None),
        ("0\u00a0; url=next", None),
        ("\u00a00; url=next", None),
    ],
)
def test_values(value: str, url: str | None) -> None:
    assert refresh_url(value) == url


def step_by_step(value: str) -> str | None:
    """The standard's steps, one after the other."""
    rest = value.lstrip(BLANKS)
    digits = len(rest) - len(rest.lstrip("0123456789"))
    if not digits and rest[:1] != ".":
        return None
    rest = rest.lstrip("0123456789.")
    if rest:
        if rest[0] not in ";," + BLANKS:
            return None
        rest = rest.lstrip(BLANKS)
        if rest[:1] in (";", ","):
            rest = rest[1:]
        rest = rest.lstrip(BLANKS)
    if rest[:3].lower() == "url":
        after = rest[3:].lstrip(BLANKS)
        if after[:1] != "=":
            return rest
        rest = after[1:].lstrip(BLANKS)
    if rest[:1] in ("'", '"'):
        return rest[1:].split(rest[0])[0]
    return rest


@given(st.lists(st.sampled_from(["url", "URL", "u", "=", ";", ",", " ", "\n", "'", '"', "0", ".", "x"])).map("".join))
def test_any_value_is_read_as_the_steps_of_the_standard_read_it(value: str) -> None:
    assert refresh_url(value) == step_by_step(value)


def test_the_target_is_canonical_and_elsewhere() -> None:
    assert refresh_target("0;url=../b#c", BASE) == "http://a.org/b"
    assert refresh_target("0;url=page#c", BASE) is None
    assert refresh_target("0;url=mailto:me@a.org", BASE) is None
    assert refresh_target("0", BASE) is None
    assert refresh_target("soon", BASE) is None


@pytest.mark.parametrize(
    ("first", "second", "targets"),
    [
        ("soon; url=a", "0; url=b", ["http://a.org/dir/b"]),
        ("0; url=a", "0; url=b", ["http://a.org/dir/a"]),
        # The page is loaded again and never comes to the second.
        ("0", "0; url=b", []),
    ],
)
def test_the_first_valid_one_of_a_page_counts(first: str, second: str, targets: list[str]) -> None:
    metas = "".join(f'<meta http-equiv=refresh content="{content}">' for content in (first, second))
    assert [link.url for link in parse(metas.encode(), BASE).links] == targets
