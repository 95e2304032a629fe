"""The named URL rules: what they remove, what they keep, and that applying them twice changes nothing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.errors import ConfigError
from clew.parse import canonical, host
from clew.parse.rules import RULES, check, tidy

ID = "0123456789abcdef0123"


@pytest.mark.parametrize(
    ("url", "tidied"),
    [
        ("http://a.org/?utm_source=x&utm_medium=y", "http://a.org/"),
        ("http://a.org/x?id=3&gclid=abc&b=", "http://a.org/x?id=3&b="),
        ("http://a.org/x?FBCLID=1", "http://a.org/x"),
        ("http://a.org/x;jsessionid=12AB.node1?c=1", "http://a.org/x?c=1"),
        ("http://a.org/x?PHPSESSID=1", "http://a.org/x"),
        (f"http://a.org/x?sid={ID}", "http://a.org/x"),
        (f"http://a.org/(S({ID}))/x.aspx", "http://a.org/x.aspx"),
        ("http://a.org./x", "http://a.org/x"),
        ("http://a.org.:8080/x", "http://a.org:8080/x"),
    ],
)
def test_taken_away(url: str, tidied: str):
    assert tidy(url) == tidied


@pytest.mark.parametrize(
    "url",
    [
        "http://a.org/?sid=12",  # a section, not a session
        "http://a.org/?s=search+words",
        "http://a.org/utm_source=x",
        "http://a.org/?q=utm_source",
        "http://a.org/?",
        "http://a.org/?a&&b",
        "http://a.org/x;v=1/y",
    ],
)
def test_left_alone(url: str):
    assert tidy(url) == url


def test_rules_can_be_switched_off():
    url = "http://a.org./x?utm_source=1&PHPSESSID=2"
    assert tidy(url, ()) == tidy(url, ("none",)) == url
    assert tidy(url, ("sessions",)) == "http://a.org./x?utm_source=1"
    check(("none",))
    with pytest.raises(ConfigError, match="no URL rule 'trakcing'; there are: tracking"):
        check(("trakcing",))


pieces = st.sampled_from(
    ["a", "utm_source=1", "&", ";", "?", "/", "=", "jsessionid=", ID, "sid=", "(S(", "))", ".", "gclid", "..", "@", ":"]
)


@given(st.lists(pieces, max_size=14), st.sampled_from(["a.org", "a.org.", "www.b.co.uk:81", "[::1]"]))
def test_twice_is_once_and_the_host_stays(parts: list[str], name: str):
    url = canonical(f"http://{name}/{''.join(parts)}")
    assert url
    once = tidy(url, RULES)
    assert tidy(once, RULES) == once
    assert canonical(once) == once
    assert host(once).replace(".:", ":").rstrip(".") == host(url).replace(".:", ":").rstrip(".")
