from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clew.parse.robots import MAX_LINE_BYTES, SIZE, RobotsGroup, path_of, robots_txt
from clew.parse.url import canonical

SHARED = Path(__file__).resolve().parents[2].parent / "shared"
URL = "http://a.example"


def allows(text, path, agent="clew"):
    return robots_txt(text.encode() if isinstance(text, str) else text, agent).allows(URL + path)


def test_googles_own_vectors():
    file = SHARED / "suites" / "robots-google.json"
    if not file.exists():
        pytest.skip("the shared test vectors are not beside this repository")
    cases = json.loads(file.read_text())
    wrong = [c for c in cases if robots_txt(c["robots"].encode(), c["ua"]).allows(c["url"]) != c["allowed"]]
    assert wrong == []
    assert len(cases) == 142


def test_of_two_readings_of_an_escaped_letter_the_one_that_allows_less_counts():
    rules = "user-agent: *\ndisallow: /x\ndisallow: /%70rivate\nallow: /x/%61"
    assert not allows(rules, "/private")
    assert not allows(rules, "/%70rivate")
    assert not allows(rules, "/x/a")
    assert allows(rules, "/x/%61")


def fits(path, pattern):
    """Slow but obviously right: a star stands for any prefix of the rest."""
    if not pattern:
        return True
    if pattern == "$":
        return not path
    if pattern[0] == "*":
        return any(fits(path[at:], pattern[1:]) for at in range(len(path) + 1))
    return path[:1] == pattern[0] and fits(path[1:], pattern[1:])


def judge(path, rules):
    best = {True: 0, False: 0}
    for pattern, allow in rules:
        if fits(path, pattern):
            best[allow] = max(best[allow], len(pattern))
    return best[False] <= best[True]


PATTERN = st.text("ab/*$", max_size=7).map(lambda text: f"/{text}")


@settings(max_examples=500, deadline=None)
@given(st.text("ab/$", max_size=9), st.lists(st.tuples(PATTERN, st.booleans()), max_size=6))
def test_the_matcher_does_as_a_slow_one(tail, rules):
    group = RobotsGroup()
    for pattern, allow in rules:
        group.add(pattern, allow)
    group.settle()
    assert group.allows(f"/{tail}") == judge(f"/{tail}", rules)


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=300), st.text(max_size=30))
def test_no_bytes_are_too_odd(body, path):
    txt = robots_txt(b"User-agent: *\nDisallow: " + body, "clew")
    assert txt.allows(f"{URL}/{path}") in (True, False)
    assert txt.delay >= 0


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n", "\n\r", "\r\r\n"])
def test_line_ends(end):
    assert not allows(f"user-agent: *{end}disallow: /x{end}", "/x")


@pytest.mark.parametrize("mark", [b"\xef\xbb\xbf", b"\xef\xbb", b"\xef"])
def test_a_byte_order_mark_is_skipped_also_half_of_one(mark):
    assert not allows(mark + b"User-agent: *\nDisallow: /", "/")


@pytest.mark.parametrize("key", ["disallow", "DISALOW", "dissallow", "diasllow", "disallaw", "disallow ", "disallows"])
def test_typos(key):
    assert not allows(f"user agent: *\n{key}: /x", "/x")
    assert not allows(f"useragent *\n{key} : /x", "/x")


def test_three_words_without_a_colon_are_no_rule():
    assert allows("user-agent *\ndisallow /x y", "/x")


def test_a_line_counts_up_to_its_limit():
    long = "/x/" + "a" * MAX_LINE_BYTES
    limit = MAX_LINE_BYTES - len("disallow: ")
    text = f"user-agent: *\ndisallow: {long}"
    assert not allows(text, long[:limit])
    assert allows(text, long[: limit - 1])


def test_half_a_megabyte_is_read():
    pad = b"#" * (SIZE - 27)
    assert not allows(b"user-agent: *\ndisallow: /x\n" + pad + b"\nallow: /x", "/x")


def test_percent_encoding():
    assert not allows("user-agent: *\ndisallow: /%c3%bc", "/%C3%BC")
    assert not allows("user-agent: *\ndisallow: /ü", "/%c3%bc")


@pytest.mark.parametrize(
    ("rule", "path"),
    [
        # Escapes of unreserved characters are the characters themselves.
        ("/~mak", "/%7Emak/"),
        ("/%7Ejoe/", "/~joe/"),
        ("/%7ejoe/", "/%7Ejoe/"),
        ("/private", "/%70rivate/"),
        ("/foo/bar/%62%61%7A", "/foo/bar/baz"),
        # Others are escaped, in rules and in URLs, raw and in either case.
        ("/a b", "/a%20b"),
        ("/a%20b", "/a b"),
        ('/{x}"<y>', "/%7Bx%7D%22%3Cy%3E"),
        ("/%7bx%7d", "/{x}"),
        ("/x?f={y}|'z'", "/x?f={y}|%27z%27"),
        ("/foo/bar/ツ", "/foo/bar/%E3%83%84"),
        ("/foo/bar/%e3%83%84", "/foo/bar/%E3%83%84"),
        ("/a%2fb", "/a%2Fb"),
        # Stars and dollars that are no signs.
        ("/a%2ab", "/a*b"),
        ("/a%2Ab", "/a%2ab"),
        ("/a%24", "/a$b"),
        ("/a$b", "/a%24b"),
        ("/*/%7Ejoe$", "/x/~joe"),
        ("/a b*{c}$", "/a%20b/%7Bc%7D"),
        # A stray percent sign.
        ("/100%", "/100%"),
        ("/100%/a", "/100%/%61"),
    ],
)
def test_rules_and_urls_are_compared_in_one_form(rule, path):
    assert not allows(f"user-agent: *\ndisallow: {rule}", path)
    assert not allows(f"user-agent: *\ndisallow: {rule}", canonical(URL + path).removeprefix(URL))


@pytest.mark.parametrize(
    ("rule", "path"),
    [("/a%2Fb", "/a/b"), ("/a/b", "/a%2Fb"), ("/a%2Ab", "/axb"), ("/a%24", "/a"), ("/a%3Fb", "/a?b"), ("/a%24$", "/a")],
)
def test_an_escaped_reserved_character_is_another_character(rule, path):
    assert allows(f"user-agent: *\ndisallow: {rule}", path)


def test_of_two_spellings_of_a_rule_neither_is_longer():
    assert allows("user-agent: *\ndisallow: /%7E%61\nallow: /~a", "/~a")


def test_groups_are_merged_and_others_ignored():
    text = "User-agent: clew\nDisallow: /a\n\nUser-agent: *\nDisallow: /\n\nUser-agent: CLEW/2\nDisallow: /b\n"
    assert [allows(text, path) for path in ("/a", "/b", "/c")] == [False, False, True]
    assert not allows(text, "/c", agent="other")


def test_an_agent_without_a_name_is_nobody_in_particular():
    text = "User-agent:\nAllow: /\n\nUser-agent: 1\nAllow: /\n\nUser-agent: *\nDisallow: /"
    assert not allows(text, "/x", agent="")


def test_crawl_delay_of_our_group():
    text = b"User-agent: *\nCrawl-delay: 9\nDisallow:\n\nUser-agent: clew\nCrawl-delay: 2.5\nCrawl-delay: nan\nAllow: /"
    assert robots_txt(text, "clew").delay == 2.5
    assert robots_txt(text, "other").delay == 9


def test_sitemaps_stand_anywhere_and_once():
    text = "Sitemap: http://a.example/ü.xml\nUser-agent: x\nSITE-MAP: /b.xml\nSitemap: /b.xml\nDisallow: /"
    assert robots_txt(text.encode(), "clew").sitemaps == ("http://a.example/ü.xml", "/b.xml")


def test_hostile_patterns_are_read_once():
    """Matching would take years if a star were ever tried at a second place."""
    pattern = "/" + "*a" * 5000
    assert allows(f"user-agent: *\ndisallow: {pattern}b", "/" + "a" * 2000)
    rules = "".join(f"disallow: /*a*{n}*a*b$\n" for n in range(20_000))
    assert allows(f"user-agent: *\n{rules}", "/" + "a" * 2000)


@pytest.mark.parametrize(
    ("url", "path"),
    [("", "/"), ("http://a", "/"), ("http://a?b", "/?b"), ("http://a/b;c#d", "/b;c"), ("//a/b", "/b"), ("a/b", "/b")],
)
def test_path(url, path):
    assert path_of(url) == (path if url != "a/b" else "/a/b")
