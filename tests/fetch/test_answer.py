from __future__ import annotations

import asyncio
import gzip
from email.utils import formatdate

import pytest

from clew.fetch import _answer
from clew.fetch._answer import retry_after, wanted


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


def test_a_server_that_insists_on_its_spelling_of_escapes_gets_it(get, serve, answer):
    site = serve(
        {"/~a": answer(b"", 301, Location="/%7Ea"), "/%7Ea": answer(b"here"), "/b": answer(b"", 301, Location="/%7Ea")}
    )
    assert get(site, "/~a").location == site.url("/%7Ea")
    assert get(site, "/%7Ea").body == b"here"
    assert get(site, "/b").location == site.url("/~a")


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
    assert wanted(kind)


@pytest.mark.parametrize("kind", ["image/svg+xml", "image/png", "application/json", "application/xmlish", "text/css"])
def test_not_readable(kind):
    assert not wanted(kind)


def test_pdf_is_wanted_where_it_can_be_read():
    assert wanted("application/pdf", pdf=True)
    assert not wanted("application/pdf")


def test_what_makes_no_sense_is_left_to_the_content(get, serve, answer):
    png = b"\x89PNG\r\n\x1a\n" + b"x" * 2000
    kinds = ["nonsense", "text/html; charset=x", "text/plain", "text/html, text/html"]
    site = serve({f"/{i}": answer(png, Content_Type=kind) for i, kind in enumerate(kinds)})
    for got in get(site, *site.pages):
        assert (got.error, got.detail) == ("content type", "image/png by its first bytes, not text")
    assert get(serve({"/": answer(b"<p>a page", Content_Type="nonsense")}), "/").ok


@pytest.mark.parametrize("rest", [b"", b"\x01" * 3000])
def test_short_and_coded_binaries_are_noticed_too(get, serve, answer, rest):
    site = serve(
        {
            "/plain": answer(b"\0\x01\x02" + rest),
            "/coded": answer(gzip.compress(b"PK\x03\x04" + rest), Content_Encoding="gzip"),
        }
    )
    plain, coded = get(site, "/plain", "/coded")
    assert (plain.error, coded.error) == ("content type", "content type")
    assert "application/zip" in coded.detail


def test_a_binary_is_not_read_to_its_end(get, serve):
    sent = []

    async def endless(writer):
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n\x89PNG\r\n\x1a\n")
        while not writer.is_closing() and len(sent) < 10_000:
            sent.append(writer.write(b"x" * 1000))
            await writer.drain()
            await asyncio.sleep(0.001)

    assert get(serve({"/": endless}), "/").error == "content type"
    assert len(sent) < 1000


@pytest.mark.parametrize("kind", ["text/html; charset=utf-16le", "text/html"])
def test_utf_16_is_text(get, serve, answer, kind):
    mark = b"" if "charset" in kind else b"\xff\xfe"
    assert get(serve({"/": answer(mark + ("<p>wide" * 300).encode("utf-16-le"), Content_Type=kind)}), "/").ok


def test_a_trickle_is_cut_off_before_the_deadline(get, serve, drip, monkeypatch):
    async def silence(writer):
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 10\r\n\r\nx")
        await writer.drain()
        await asyncio.sleep(60)

    monkeypatch.setattr(_answer, "GRACE_SECONDS", 0.1)
    site = serve({"/drip": drip(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n", b"x"), "/silence": silence})
    for got in (get(site, path, min_rate=10_000.0, timeout=60.0) for path in site.pages):
        assert (got.error, got.detail, got.transient) == ("timeout", "slower than 10000 bytes per second", True)


def test_a_slow_answer_above_the_rate_is_read(get, serve, monkeypatch):
    async def slow(writer):
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 5000\r\n\r\n")
        for _ in range(5):
            await asyncio.sleep(0.02)
            writer.write(b"x" * 1000)
            await writer.drain()

    monkeypatch.setattr(_answer, "GRACE_SECONDS", 0.05)
    got = get(serve({"/": slow}), "/", min_rate=500.0)
    assert (got.error, len(got.body)) == ("", 5000)


def test_a_lie_about_the_length(get, serve, answer):
    site = serve({"/more": answer(b"x" * 100, length=10), "/after": answer(b"fine")})
    more, after = get(site, "/more", "/after")
    assert (more.error, more.body) in [("", b"x" * 10), ("bad answer", b"")]  # as the rest comes, later or at once
    assert (after.error, after.body) == ("", b"fine")


@pytest.mark.parametrize("length", ["-1", "+5", "5, 6", "0x5", "9" * 30, "five"])
def test_a_length_that_is_none(get, serve, length):
    wire = f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {length}\r\n\r\nhello".encode()
    got = get(serve({"/": wire}), "/", timeout=0.5)
    assert got.error in ("bad answer", "too large")


def test_two_lengths_that_differ(get, serve):
    wire = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 5\r\nContent-Length: 9\r\n\r\nhello"
    assert get(serve({"/": wire}), "/").error == "bad answer"


def test_retry_after_in_both_forms(get, serve, answer):
    site = serve(
        {
            "/s": answer(b"", 503, Retry_After="120"),
            "/d": answer(b"", 429, Retry_After=formatdate(usegmt=True, timeval=4e9)),
            "/x": answer(b"", 503, Retry_After="soon"),
        }
    )
    seconds, date, nonsense = (get(site, path, host_failures=0) for path in site.pages)
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
