"""What `allow` and `deny` take, and which URLs each pattern covers."""

from __future__ import annotations

import pytest

from clew.config import Scope
from clew.errors import ConfigError
from clew.filters.scope import ScopeFilter
from clew.filters.url_patterns import UrlPatterns, read_pattern, written


@pytest.mark.parametrize(
    ("text", "covered", "not_covered"),
    [
        (
            "docs.test",
            ["http://docs.test/", "https://docs.test/a?b", "https://docs.test:8000/"],
            ["https://www.docs.test/", "https://docs.test.evil.example/", "https://a.example/docs.test/"],
        ),
        ("Docs.Test", ["http://docs.test/"], []),
        ("docs.test:8000", ["http://docs.test:8000/x"], ["http://docs.test/", "http://docs.test:8001/"]),
        ("docs.test:80", ["http://docs.test/x"], ["https://docs.test/x", "http://docs.test:8000/"]),
        ("localhost:8000", ["http://localhost:8000/"], ["http://localhost/"]),
        ("[::1]:8000", ["http://[::1]:8000/a"], ["http://[::2]:8000/a"]),
        ("[::1]", ["http://[::1]/a", "http://[::1]:8000/a"], ["http://[::2]/a"]),
        ("münchen.example", ["https://xn--mnchen-3ya.example/"], []),
        (
            "*.docs.test",
            ["https://docs.test/", "http://a.b.docs.test:81/x"],
            ["https://mydocs.test/", "https://docs.test.evil.example/"],
        ),
        ("https://docs.test/gui", ["https://docs.test/guide/"], ["http://docs.test/guide/", "https://docs.test/"]),
        (
            "docs.test/guide/",
            ["http://docs.test/guide/", "https://docs.test/guide/a"],
            ["http://docs.test/guides", "http://a.docs.test/guide/"],
        ),
        (
            "https://*.test/*/guide*",
            ["https://docs.test/en/guide", "https://a.docs.test/x/y/guide/z"],
            ["http://docs.test/en/guide", "https://docs.test/guide", "https://evil.example/a.test/b/guide"],
        ),
        ("docs.test/*/2024", ["http://docs.test/a/2024"], ["http://docs.test/a/2024/b"]),
        ("*/tag/*", ["https://a.example/tag/x", "http://b.test/y/tag/"], ["http://b.test/tags/"]),
        ("*.pdf", ["http://a.example/x.pdf", "http://a.example/x.pdf?y"], ["http://a.pdf.example/x"]),
        (r"re:/20\d\d/", ["http://a.example/2024/x"], ["http://a.example/202/"]),
    ],
)
def test_a_pattern_covers_what_it_says(text: str, covered: list[str], not_covered: list[str]) -> None:
    patterns = UrlPatterns([text])
    assert [patterns.match(url) for url in covered] == [text] * len(covered)
    assert [patterns.match(url) for url in not_covered] == [""] * len(not_covered)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("re:a(b", "'re:a(b' is not a regular expression: missing ), unterminated subpattern at character 2 of 'a(b'"),
        ("re:", "empty regular expression"),
        ("/docs/", "'/docs/' names no host or URL of the web; write https://example.org/docs/"),
        ("ftp://docs.test/", "write https://docs.test/"),
        ("ftp://*/x", "write https:// or *://"),
        ("*", "'*' names no host"),
        ("two words", "'two words' is no host, URL, glob (*) or regular expression (re:…)"),
    ],
)
def test_a_bad_pattern_is_refused_with_the_place(text: str, message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        read_pattern(text)
    assert message in str(caught.value)


def test_a_url_without_a_path_means_its_host_only_in_new_crawls() -> None:
    """In the folder of an earlier version it is a prefix like any other."""
    assert written("https://docs.test") == "https://docs.test/"
    assert UrlPatterns(["https://docs.test"]).match("https://docs.test.example/") == "https://docs.test"


def test_each_of_several_patterns_is_found() -> None:
    texts = ["a.test", "https://b.test/x/", "*.c.test", "re:sail"]
    patterns = UrlPatterns(texts)
    urls = ["http://a.test/", "https://b.test/x/y", "http://www.c.test/", "http://d.test/sailing"]
    assert [patterns.match(url) for url in urls] == texts


def test_the_reason_names_the_setting_and_the_pattern() -> None:
    scope = ScopeFilter(Scope(allow=("docs.test",), deny=("docs.test/old/",)))
    assert scope("http://docs.test/new/", 1) == ""
    assert scope("http://docs.test/old/x", 1) == "denied by docs.test/old/ (deny)"
    assert scope("http://other.test/", 1) == "not allowed (allow)"
    assert {name: (each.count, each.examples) for name, each in scope.excluded.items()} == {
        "deny": (1, ["http://docs.test/old/x"]),
        "allow": (1, ["http://other.test/"]),
    }
