from __future__ import annotations

import asyncio
import gzip
import ssl
import subprocess
import zlib
from email.utils import formatdate

import brotli
import pytest

from clew.config import Fetch
from clew.errors import ConfigError
from clew.fetch import HttpFetcher
from clew.fetch._answer import READABLE, retry_after


def get(site, *paths, **settings):
    """The answers of a site for some paths, one after the other, through one fetcher."""

    async def run():
        async with site:
            fetcher = site.fetcher(**settings)
            answers = [await fetcher.get(site.url(path)) for path in paths]
            await fetcher.close()
            return answers if len(answers) > 1 else answers[0]

    return asyncio.run(run())


def test_a_page_comes_with_body_headers_and_time(serve, answer):
    got = get(serve({"/": answer(b"<p>hello", Server="nginx", X_Name="a")}), "/")
    assert (got.status, got.body, got.raw, got.error) == (200, b"<p>hello", b"<p>hello", "")
    assert got.ok
    assert ("Server", "nginx") in got.headers
    assert got.header("x-name") == "a"
    assert got.seconds > 0


def test_header_bytes_survive(serve, answer):
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
def test_redirects_are_recorded_not_followed(serve, answer, location, target):
    site = serve({"/a/": answer(b"moved", 301, Location=location), "/x": answer(b"no")})
    got = get(site, "/a/")
    assert (got.status, got.error, got.ok) == (301, "", False)
    assert got.location == (target if target.startswith("http") else site.url(target))
    assert site.paths == ["/a/"]


def test_redirect_with_bytes_that_are_no_text(serve, answer):
    site = serve({"/": answer(b"", 302, Location="/X").replace(b"/X", b"/\xe4")})
    assert get(site, "/").location == site.url("/%E4")


@pytest.mark.parametrize("location", ["ftp://example.org/", "javascript:alert(1)", "http://[", "mailto:a@b"])
def test_redirect_to_nowhere(serve, answer, location):
    got = get(serve({"/": answer(b"", 302, Location=location)}), "/")
    assert (got.error, got.location, got.status) == ("bad answer", "", 302)


def test_a_status_says_it_all(serve, answer):
    site = serve({f"/{code}": answer(b"oh", code) for code in (204, 304, 404, 410, 429, 500, 502, 503, 504)})
    for code in (404, 410, 429, 500, 502, 503, 504):
        got = get(site, f"/{code}", host_failures=0)
        assert (got.status, got.error, got.ok, got.body) == (code, "", False, b"oh")
        assert got.transient is (code in (429, 500, 502, 503, 504))


DEFLATE = zlib.compressobj(wbits=-15)
TEXT = b"thread of Ariadne " * 5000
CODED = {
    "gzip": gzip.compress(TEXT),
    "x-gzip": gzip.compress(TEXT[:100]) + gzip.compress(TEXT[100:]),
    "GZIP": gzip.compress(TEXT) + b"\0\0trailing",
    "deflate": zlib.compress(TEXT),
    "Deflate": DEFLATE.compress(TEXT) + DEFLATE.flush(),
    "br": brotli.compress(TEXT),
    "identity": TEXT,
    "utf-8": TEXT,
}


@pytest.mark.parametrize("coding", CODED)
def test_encodings(serve, answer, coding):
    wire = CODED[coding]
    got = get(serve({"/": answer(wire, Content_Encoding=coding)}), "/")
    assert (got.error, got.body == TEXT, got.raw == wire) == ("", True, True)


def test_only_what_we_can_decode_is_asked_for(serve, answer):
    site = serve({"/": answer(b"")})
    get(site, "/")
    assert site.requests[0][1]["accept-encoding"] == "gzip, deflate, br"


def test_chunks_are_joined(serve):
    wire = gzip.compress(TEXT)
    parts = b"".join(b"%x\r\n%s\r\n" % (len(wire[i : i + 7]), wire[i : i + 7]) for i in range(0, len(wire), 7))
    head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n\r\n"
    got = get(serve({"/": head + parts + b"0\r\n\r\n"}), "/")
    assert (got.raw, got.body) == (wire, TEXT)


@pytest.mark.parametrize("kind", ["gzip", "deflate", "br", "zstd"])
def test_bombs_are_stopped(serve, answer, shared, kind):
    bomb = (shared / "suites" / "bombs" / f"bomb-{kind}.bin").read_bytes()
    got = get(serve({"/": answer(bomb, Content_Encoding=kind)}), "/", max_body=1_000_000)
    assert got.error == ("bad answer" if kind == "zstd" else "too large")
    assert got.detail
    assert (got.body, got.status) == (b"", 200)


def test_many_small_gzip_streams_are_a_bomb_too(serve, answer):
    got = get(serve({"/": answer(gzip.compress(b"") * 5000, Content_Encoding="gzip")}), "/")
    assert (got.error, "streams in a row" in got.detail) == ("bad answer", True)


def test_the_wire_is_limited(serve, answer):
    async def endless(writer):
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n")
        while not writer.is_closing():
            writer.write(b"x" * 10_000)
            await writer.drain()

    site = serve({"/announced": answer(b"x" * 3000), "/endless": endless, "/fits": answer(b"x" * 2000)})
    announced, endlessly, fits = get(site, "/announced", "/endless", "/fits", max_bytes=2000)
    assert (announced.error, "3000 bytes announced" in announced.detail) == ("too large", True)
    assert (endlessly.error, "more than 2000" in endlessly.detail) == ("too large", True)
    assert fits.ok


def test_the_plain_body_is_limited(serve, answer):
    site = serve({"/": answer(b"x" * 3000), "/gz": answer(gzip.compress(b"x" * 3000), Content_Encoding="gzip")})
    assert [got.error for got in get(site, "/", "/gz", max_body=2999)] == ["too large"] * 2
    assert [got.error for got in get(site, "/", "/gz", max_body=3000)] == [""] * 2


@pytest.mark.parametrize(
    "wire", [b"no gzip at all", gzip.compress(TEXT)[:-20], gzip.compress(TEXT)[:50] + b"?" * 200]
)
def test_broken_gzip(serve, answer, wire):
    got = get(serve({"/": answer(wire, Content_Encoding="gzip")}), "/")
    assert (got.error, got.body, got.transient) == ("bad answer", b"", False)


def test_what_matters_of_a_redirect_is_in_its_headers(serve, answer):
    site = serve({"/": answer(b"no gzip", 302, Location="/x", Content_Encoding="gzip", Content_Type="image/png")})
    got = get(site, "/")
    assert (got.error, got.location) == ("", site.url("/x"))


def test_slow_loris_meets_the_deadline(serve):
    async def drip(writer):
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n")
        while not writer.is_closing():
            writer.write(b"x")
            await writer.drain()
            await asyncio.sleep(0.01)

    async def headers(writer):
        writer.write(b"HTTP/1.1 200 OK\r\n")
        while not writer.is_closing():
            writer.write(b"X-More: x\r\n")
            await writer.drain()
            await asyncio.sleep(0.05)

    async def silence(writer):
        await asyncio.sleep(1)

    site = serve({"/drip": drip, "/headers": headers, "/silence": silence})
    for got in get(site, "/drip", "/headers", "/silence", timeout=0.3):
        assert (got.error, got.transient) == ("timeout", True)


def test_a_flood_of_headers(serve):
    flood = b"HTTP/1.1 200 OK\r\n" + b"".join(b"X-%d: x\r\n" % i for i in range(100_000)) + b"\r\n"
    long = b"HTTP/1.1 200 OK\r\nX: " + b"x" * 1_000_000 + b"\r\n\r\n"
    for got in get(serve({"/flood": flood, "/long": long}), "/flood", "/long"):
        assert (got.error, got.status) == ("bad answer", 0)


@pytest.mark.parametrize("wire", [b"hello\r\n\r\n", b"HTTP/1.1 banana\r\n\r\n", b"HTTP/1.1 200 OK\r\nno colon\r\n\r\n"])
def test_what_is_not_http(serve, wire):
    assert get(serve({"/": wire}), "/").error == "bad answer"


def test_broken_chunks(serve):
    wire = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nzzz\r\n"
    assert get(serve({"/": wire}), "/").error == "bad answer"


def test_connection_lost(serve, answer):
    async def cut(writer):
        writer.write(answer(b"half", length=8))
        await writer.drain()
        writer.close()

    async def reset(writer):
        writer.write(answer(b"half", length=8))
        await writer.drain()
        writer.transport.abort()

    async def mute(writer):
        writer.transport.abort()

    for got in get(serve({"/cut": cut, "/reset": reset, "/mute": mute}), "/cut", "/reset", "/mute"):
        assert (got.error, got.transient, got.body) == ("refused", True, b"")


def test_nobody_listens_and_nobody_knows_the_name():
    async def run():
        server = await asyncio.start_server(lambda reader, writer: None, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        server.close()
        fetcher = HttpFetcher(Fetch(allow_private=True, robots=False))
        answers = [await fetcher.get(f"http://127.0.0.1:{port}/"), await fetcher.get("http://no.such.invalid/")]
        await fetcher.close()
        return answers

    refused, unknown = asyncio.run(run())
    assert (refused.error, refused.transient) == ("refused", True)
    assert unknown.error == "dns"


def test_tls_is_verified(serve, answer, tmp_path):
    try:
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "key", "-out", "cert"]
            + ["-days", "1", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"],
            cwd=tmp_path,
            check=True,
            capture_output=True,
        )
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("there is no openssl to make a certificate with")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tmp_path / "cert", tmp_path / "key")
    site = serve({"/": answer(b"secret")}, tls=context)
    got = get(site, "/")
    assert (got.error, got.transient, site.requests) == ("tls", False, [])


def test_only_what_can_be_read_is_read(serve, answer):
    kinds = ["image/png", "application/zip", "application/octet-stream", "video/mp4", "application/pdf"]
    site = serve({f"/{i}": answer(b"x" * 100, Content_Type=kind) for i, kind in enumerate(kinds)})
    for got in get(site, *site.pages):
        assert (got.error, got.status, got.body) == ("content type", 200, b"")


@pytest.mark.parametrize(
    "kind",
    ["", "text/html", "TEXT/HTML;charset=x", "text/plain", "application/xhtml+xml ; q=1", "application/xml"]
    + ["application/rss+xml", "application/atom+xml;type=feed", ";charset=utf-8"],
)
def test_readable(kind):
    assert READABLE.fullmatch(kind)


@pytest.mark.parametrize("kind", ["image/svg+xml", "image/png", "application/json", "application/xmlish", "x"])
def test_not_readable(kind):
    assert not READABLE.fullmatch(kind)


def test_who_we_are(serve, answer):
    site = serve({"/": answer(b"")})
    for settings in ({"contact": "me@example.org"}, {"user_agent": "mybot/2 (hello)"}):
        get(site, "/", **settings)
    agents = [headers["user-agent"] for _, headers in site.requests]
    assert agents[0].startswith("clew/")
    assert agents[0].endswith(" (+me@example.org)")
    assert agents[1] == "mybot/2 (hello)"
    with pytest.raises(ConfigError, match="ASCII"):
        HttpFetcher(Fetch(contact="me\r\nX-Evil: 1"))


def test_no_cookies_are_sent_back(serve, answer):
    site = serve({"/": answer(b"", Set_Cookie="id=1; Path=/")})
    get(site, "/", "/")
    assert [headers.get("cookie") for _, headers in site.requests] == [None, None]


def test_the_url_goes_out_as_it_stands(serve, answer):
    path = "/%7Ea/b%2Fc?q=%C3%A9+x&r=[1]"
    site = serve({path: answer(b"yes")})
    assert get(site, path).body == b"yes"


def test_connections_are_used_again(serve, answer):
    ports = set()

    async def port(writer):
        ports.add(writer.get_extra_info("peername")[1])
        writer.write(answer(b"x"))

    assert all(got.ok for got in get(serve({"/": port}), "/", "/", "/"))
    assert len(ports) == 1


def test_retry_after_in_both_forms(serve, answer):
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
    [("0", 0), (" 7 ", 7), ("-5", 0), ("9" * 5000, 31_536_000), ("", 0), ("1.5", 0), ("²", 0)]
    + [("Thu, 01 Jan 1970 00:02:00 GMT", 20), ("Thu, 01 Jan 1970 00:00:00 GMT", 0)],
)
def test_retry_after_values(value, seconds):
    assert retry_after(value, now=lambda: 100) == seconds


def test_pause_and_given_up(serve, answer):
    site = serve({"/": answer(b"", 503)})

    async def run():
        async with site:
            fetcher = site.fetcher(host_failures=3, delay=2.0)
            pauses, errors = [], []
            for _ in range(4):
                errors.append((await fetcher.get(site.url("/"))).error)
                pauses.append(fetcher.pause(site.url("/other")))
            await fetcher.close()
            return pauses, errors

    pauses, errors = asyncio.run(run())
    assert errors == ["", "", "", "host given up"]
    assert len(site.requests) == 3
    assert 7 < pauses[0] < 10 < pauses[1]
    assert pauses[2:] == [0, 0]


def test_a_cancelled_fetch_leaves_nothing_behind(serve, answer):
    async def silence(writer):
        await asyncio.sleep(1)

    async def run():
        async with serve({"/": silence, "/next": answer(b"x")}) as site:
            fetcher = site.fetcher()
            task = asyncio.create_task(fetcher.get(site.url("/")))
            await asyncio.sleep(0.05)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            assert (await fetcher.get(site.url("/next"))).ok
            await fetcher.close()

    asyncio.run(run())


@pytest.mark.parametrize("url", ["ftp://example.org/", "file:///etc/passwd", "data:text/html,x", "nonsense", ""])
def test_only_http(url):
    async def run():
        fetcher = HttpFetcher(Fetch())
        got = await fetcher.get(url)
        await fetcher.close()
        return got

    assert asyncio.run(run()).error == "address"
