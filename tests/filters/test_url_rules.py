"""URL rules are learnt only if the content agrees, and only for that host."""

from __future__ import annotations

from clew.filters.url_rules import MIN_PARAMETER_PAIRS, UrlRules

ONE, OTHER = 0x0F0F, 0xF0F0F0F0F0F0F0F0


def test_a_useless_parameter_is_dropped_on_its_host_only():
    learnt = UrlRules()
    for n in range(MIN_PARAMETER_PAIRS + 1):
        changed = learnt.visit(f"http://a.org/x?id=1&ref={n}", ONE)
    assert changed == ["a.org"]
    assert learnt.fold("http://a.org/y?id=2&ref=9") == "http://a.org/y?id=2"
    assert learnt.fold("http://b.org/y?ref=9") == "http://b.org/y?ref=9"


def test_a_parameter_that_matters_stays():
    learnt = UrlRules()
    for n in range(100):
        assert not learnt.visit(f"http://a.org/x?id={n}", ONE if n % 10 else OTHER)
    assert learnt.fold("http://a.org/x?id=5") == "http://a.org/x?id=5"


def test_www_and_scheme_where_the_content_agrees():
    learnt = UrlRules()
    for path in ("/", "/a"):
        learnt.visit(f"https://a.org{path}", ONE)
        changed = learnt.visit(f"http://www.a.org{path}", ONE)
    assert changed == ["www.a.org"]
    assert learnt.fold("http://www.a.org/b?c") == "https://a.org/b?c"
    for path in ("/", "/a"):
        learnt.visit(f"http://b.org{path}", ONE)
        learnt.visit(f"http://www.b.org{path}", OTHER)
    assert learnt.fold("http://www.b.org/b") == "http://www.b.org/b"


def test_redirects_between_variants_count_too():
    learnt = UrlRules()
    assert learnt.redirect("http://a.org/", "https://www.a.org/") == []
    assert learnt.redirect("http://a.org/x", "https://www.a.org/other") == []
    assert learnt.redirect("http://a.org/y", "https://b.org/y") == []
    assert learnt.redirect("http://a.org/z", "https://www.a.org/z") == ["a.org"]
    assert learnt.fold("http://a.org/q") == "https://www.a.org/q"


def test_no_circles():
    learnt = UrlRules()
    for one, other in [("http://a.org", "https://a.org"), ("https://a.org", "http://a.org")] * 3:
        for path in ("/", "/x"):
            learnt.redirect(one + path, other + path)
    assert learnt.fold(learnt.fold("http://a.org/q")) == learnt.fold("http://a.org/q")
