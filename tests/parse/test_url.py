from __future__ import annotations

import json
import string
from pathlib import Path
from urllib.parse import unquote_to_bytes

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.parse.url import canonical, depth, domain, host, join, resolve, tokens

SUITE = Path(__file__).resolve().parents[2] / ".." / "shared" / "suites" / "whatwg-urls.json"
PIECES = st.sampled_from(
    [
        "http://",
        "https://",
        "HTTP:",
        "//",
        "/",
        "..",
        ".",
        "a",
        "B%2e",
        "ü",
        "@",
        ":",
        "80",
        "?",
        "#",
        " ",
        "\t",
        "x.org",
        "[::1]",
        "%",
        "%7e",
        "%c3",
        "%4",
        "37",
        "\\",
    ]
)
URLS = st.text() | st.lists(PIECES, max_size=12).map("".join)


def test_every_case_of_the_whatwg_suite_is_right():
    if not SUITE.exists():
        pytest.skip("the WHATWG test vectors (shared/suites/whatwg-urls.json) are not here")
    cases = [case for case in json.loads(SUITE.read_text(encoding="utf-8")) if isinstance(case, dict)]
    assert len(cases) == 891
    wrong = [case["input"] for case in cases if resolve(case["input"], case["base"]) != case.get("href")]
    assert wrong == []


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("HTTP://Example.ORG:80", "http://example.org/"),
        ("https://example.org:443/a/../b/./c", "https://example.org/b/c"),
        ("http://user:pass@example.org/a@b", "http://example.org/a@b"),
        ("http://example.org/a#b?c", "http://example.org/a"),
        ("http://example.org/?q=a@b#", "http://example.org/?q=a@b"),
        ("http://rügen.de/häfen", "http://xn--rgen-0ra.de/h%C3%A4fen"),
        ("  http://example.org/a b\n", "http://example.org/a%20b"),
        ("http://0x7f.1/", "http://127.0.0.1/"),
        # Escapes in one spelling (RFC 3986, 6.2.2).
        ("http://example.org/%7Ejoe/%70%c3%bc?%5f=%2f", "http://example.org/~joe/p%C3%BC?_=%2F"),
        ("http://example.org/a%2Eb/%2e/c/%2e%2E/d", "http://example.org/a.b/d"),
        ("http://example.org/%2525%257e", "http://example.org/%2525%257e"),
        ("http://example.org/%%37E%4%31%zz", "http://example.org/%%37E%4%31%zz"),
        ("ftp://example.org/", None),
        ("mailto:me@example.org", None),
        ("javascript:void(0)", None),
        ("http://", None),
        ("http:///", None),
        ("no scheme", None),
        ("", None),
        ("http://\ud800.org/", None),
    ],
)
def test_canonical(url: str, expected: str | None):
    assert canonical(url) == expected


def test_canonical_differs_from_the_standard_in_nothing_but_the_spelling_of_escapes():
    if not SUITE.exists():
        pytest.skip("the WHATWG test vectors (shared/suites/whatwg-urls.json) are not here")
    cases = [case for case in json.loads(SUITE.read_text(encoding="utf-8")) if isinstance(case, dict)]
    pages = [case for case in cases if case.get("href", "").startswith(("http:", "https:")) and "@" not in case["href"]]
    assert len(pages) > 200
    for case in pages:
        found = canonical(case["input"], case["base"])
        assert found is not None
        assert unquote_to_bytes(found) == unquote_to_bytes(case["href"].partition("#")[0])


@pytest.mark.parametrize("byte", range(256))
def test_every_escape_has_one_spelling(byte: int):
    unreserved = chr(byte) in string.ascii_letters + string.digits + "-._~"
    expected = chr(byte) if unreserved else f"%{byte:02X}"
    for escape in (f"%{byte:02X}", f"%{byte:02x}"):
        assert canonical(f"http://a.org/x{escape}") == f"http://a.org/x{expected}"


@given(URLS)
def test_canonical_never_raises_is_idempotent_and_has_no_fragment(url: str):
    found = canonical(url)
    if found is not None:
        assert canonical(found) == found
        assert "#" not in found
        assert host(found)
        assert "@" not in host(found)


@given(URLS, st.lists(URLS, max_size=6))
def test_join_is_canonical_for_each(base: str, hrefs: list[str]):
    base = canonical(base) or "http://a.org/b/c?d"
    assert join(base, hrefs) == {href: canonical(href, base) for href in hrefs}


@given(URLS)
def test_parts_of_any_canonical_url(url: str):
    found = canonical(url)
    if found is not None:
        assert depth(found) >= 0
        assert domain(found) in host(found)
        assert all(token == token.lower() for token in tokens(found))


@given(
    st.lists(
        st.sampled_from(
            ["a", "b-c.html", ".", "..", "/", "//", "~", "?", "#", "http://a.org", ":80", "/x.y", "-", "\n"]
        )
    ).map("".join)
)
def test_join_of_plain_paths_is_no_different(href: str):
    for base in (
        "http://a.org/",
        "http://a.org/b/c?d=/e/",
        "http://a.org/b/",
        "http://u:p@a.org:81/b#c/d",
        "http://a.org/b//c/",
    ):
        assert join(base, [href]) == {href: canonical(href, base)}


def test_join_of_paths_upwards():
    targets = join(
        "http://a.org/b/c/d", ["../e", "../", "../../f?g=../", "../../../h", "../" * 20 + "i", "..//j", ".."]
    )
    expected = ["b/e", "b/", "f?g=../", "h", "i", "b//j", "b/"]
    assert list(targets.values()) == [f"http://a.org/{path}" for path in expected]


def test_join_of_a_base_that_is_no_page():
    assert join("about:blank", ["a", "#b", "http://a.org"]) == {"a": None, "#b": None, "http://a.org": "http://a.org/"}


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://example.org/", "example.org"),
        ("http://www.example.org:8080/", "example.org"),
        ("http://www.bbc.co.uk/", "bbc.co.uk"),
        ("http://co.uk/", "co.uk"),
        ("http://a.b.github.io/", "b.github.io"),
        ("http://localhost:8000/", "localhost"),
        ("http://[::1]:8000/", "[::1]"),
        ("http://10.1.2.3/", "10.1.2.3"),
        ("http://example.de./", "example.de"),
    ],
)
def test_domain(url: str, expected: str):
    assert domain(url) == expected


def test_host_of_a_url_without_path_and_with_query():
    assert host("http://a.org/") == "a.org"
    assert host("http://a.org:81/?u=http://b.org/") == "a.org:81"


def test_tokens_are_read_as_people_write_them():
    assert tokens("http://xn--rgen-0ra.de/H%C3%A4fen-2024/%FF") == ["rügen", "de", "häfen", "2024"]
