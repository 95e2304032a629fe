from __future__ import annotations

from email.utils import formatdate

import pytest

from clew.fetch._answer import READABLE, retry_after


def test_header_bytes_survive(get, serve, answer):
    got = get(serve({"/": answer(b"", X_Name="t").replace(b": t\r", b": \xfft\xc3\xa4\r")}), "/")
    assert got.header("X-Name").encode("latin-1") == b"\xfft\xc3\xa4"


@pytest.mark.parametrize(
    ("location", "target"),
    [
        ("/b c", "/b%20c"),
        ("../x?q=1#part", "/x?q=1"),
        ("http://other.example", "http://other.example/"),
        ("//other.example/é", "http://other.example/%C3%A9"),
        ("http://0x7f.1/", "http://127.0.0.1/"),
    ],
)
def test_redirects_are_recorded_not_followed(get, serve, answer, location, target):
    site = serve({"/a/": answer(b"moved", 301, Location=location), "/x": answer(b"no")})
    got = get(site, "/a/")
    assert (got.status, got.error, got.ok) == (301, "", False)
    assert got.location == (target if target.startswith("http") else site.url(target))
    assert site.paths == ["/a/"]


def test_redirect_with_bytes_that_are_no_text(get, serve, answer):
    site = serve({"/": answer(b"", 302, Location="/X").replace(b"/X", b"/\xe4")})
    assert get(site, "/").location == site.url("/%E4")


@pytest.mark.parametrize("location", ["ftp://example.org/", "javascript:alert(1)", "http://[", "mailto:a@b"])
def test_redirect_to_nowhere(get, serve, answer, location):
    got = get(serve({"/": answer(b"", 302, Location=location)}), "/")
    assert (got.error, got.location, got.status) == ("bad answer", "", 302)


def test_a_status_says_it_all(get, serve, answer):
    site = serve({f"/{code}": answer(b"oh", code) for code in (204, 304, 404, 410, 429, 500, 502, 503, 504)})
    for code in (404, 410, 429, 500, 502, 503, 504):
        got = get(site, f"/{code}", host_failures=0)
        assert (got.status, got.error, got.ok, got.body) == (code, "", False, b"oh")
        assert got.transient is (code in (429, 500, 502, 503, 504))


def test_what_matters_of_a_redirect_is_in_its_headers(get, serve, answer):
    site = serve({"/": answer(b"no gzip", 302, Location="/x", Content_Encoding="gzip", Content_Type="image/png")})
    got = get(site, "/")
    assert (got.error, got.location) == ("", site.url("/x"))


def test_only_what_can_be_read_is_read(get, serve, answer):
    kinds = ["image/png", "application/zip", "application/octet-stream", "video/mp4", "application/pdf"]
    site = serve({f"/{i}": answer(b"x" * 100, Content_Type=kind) for i, kind in enumerate(kinds)})
    for got in get(site, *site.pages):
        assert (got.error, got.status, got.body) == ("content type", 200, b"")


@pytest.mark.parametrize(
    "kind",
    [
        "",
        "text/html",
        "TEXT/HTML;charset=x",
        "text/plain",
        "application/xhtml+xml ; q=1",
        "application/xml",
        "application/rss+xml",
        "application/atom+xml;type=feed",
        ";charset=utf-8",
    ],
)
def test_readable(kind):
    assert READABLE.fullmatch(kind)


@pytest.mark.parametrize("kind", ["image/svg+xml", "image/png", "application/json", "application/xmlish", "x"])
def test_not_readable(kind):
    assert not READABLE.fullmatch(kind)


def test_retry_after_in_both_forms(get, serve, answer):
    site = serve(
        {
            "/s": answer(b"", 503, Retry_After="120"),
            "/d": answer(b"", 429, Retry_After=formatdate(usegmt=True, timeval=4e9)),
            "/x": answer(b"", 503, Retry_After="soon"),
        }
    )
    seconds, date, nonsense = get(site, "/s", "/d", "/x", host_failures=0)
    assert seconds.retry_after == 120
    assert date.retry_after > 3600
    assert nonsense.retry_after == 0


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("0", 0),
        (" 7 ", 7),
        ("-5", 0),
        ("9" * 5000, 31_536_000),
        ("", 0),
        ("1.5", 0),
        ("²", 0),
        ("Thu, 01 Jan 1970 00:02:00 GMT", 20),
        ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
    ],
)
def test_retry_after_values(value, seconds):
    assert retry_after(value, now=lambda: 100) == seconds
