from __future__ import annotations

import asyncio
import ssl
import subprocess

import pytest

from clew.config import Fetch
from clew.errors import ConfigError
from clew.fetch import HttpFetcher


def test_a_page_comes_with_body_headers_and_time(get, serve, answer):
    got = get(serve({"/": answer(b"<p>hello", Server="nginx", X_Name="a")}), "/")
    assert (got.status, got.body, got.raw, got.error) == (200, b"<p>hello", b"<p>hello", "")
    assert got.ok
    assert ("Server", "nginx") in got.headers
    assert got.header("x-name") == "a"
    assert got.seconds > 0


def test_only_what_we_can_decode_is_asked_for(get, serve, answer):
    site = serve({"/": answer(b"")})
    get(site, "/")
    assert site.requests[0][1]["accept-encoding"] == "gzip, deflate, br, zstd"


def test_the_wire_is_limited(get, serve, answer):
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


def test_slow_loris_meets_the_deadline(get, serve, drip):
    async def silence(writer):
        await asyncio.sleep(1)

    body = drip(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n", b"x")
    headers = drip(b"HTTP/1.1 200 OK\r\n", b"X-More: x\r\n", pause=0.05)
    site = serve({"/drip": body, "/headers": headers, "/silence": silence})
    for got in get(site, "/drip", "/headers", "/silence", timeout=0.3):
        assert (got.error, got.transient) == ("timeout", True)


def test_a_flood_of_headers(get, serve):
    flood = b"HTTP/1.1 200 OK\r\n" + b"".join(b"X-%d: x\r\n" % i for i in range(100_000)) + b"\r\n"
    long = b"HTTP/1.1 200 OK\r\nX: " + b"x" * 1_000_000 + b"\r\n\r\n"
    for got in get(serve({"/flood": flood, "/long": long}), "/flood", "/long"):
        assert (got.error, got.status) == ("bad answer", 0)


@pytest.mark.parametrize("wire", [b"hello\r\n\r\n", b"HTTP/1.1 banana\r\n\r\n", b"HTTP/1.1 200 OK\r\nno colon\r\n\r\n"])
def test_what_is_not_http(get, serve, wire):
    assert get(serve({"/": wire}), "/").error == "bad answer"


@pytest.mark.parametrize(
    "wire",
    [
        b"x" * 5000 + b"\r\n\r\n",
        b"HTTP/1.1 200 OK\r\n" + b"no colon " * 500 + b"\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n<p>" + b"a page " * 500,
        b"HTTP/1.1 302 Go\r\nLocation: http://[" + b"x" * 5000 + b"/\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Type: x/" + b"x" * 5000 + b"\r\n\r\n",
    ],
)
def test_the_reason_is_one_short_line_whatever_the_server_says(get, serve, wire):
    got = get(serve({"/": wire}), "/")
    assert got.detail or not got.error
    assert len(got.detail) <= 200
    assert "\n" not in got.detail
    assert "a page" not in got.detail


def test_broken_chunks(get, serve):
    wire = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nzzz\r\n"
    assert get(serve({"/": wire}), "/").error == "bad answer"


def test_connection_lost(get, serve, answer):
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
        answers = [await fetcher.get(f"http://127.0.0.1:{port}/"), await fetcher.get(f"http://{'a' * 64}.invalid/")]
        await fetcher.close()
        return answers

    refused, unknown = asyncio.run(run())
    assert (refused.error, refused.transient) == ("refused", True)
    assert (unknown.error, unknown.transient) == ("dns", False)


def test_tls_is_verified(get, serve, answer, tmp_path):
    try:
        subprocess.run(
            [
                "openssl",
                "req",
                "-x509",
                "-newkey",
                "rsa:2048",
                "-nodes",
                "-keyout",
                "key",
                "-out",
                "cert",
                "-days",
                "1",
                "-subj",
                "/CN=localhost",
                "-addext",
                "subjectAltName=DNS:localhost",
            ],
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
    assert got.detail.startswith("certificate verify failed: self")


def test_who_we_are(get, serve, answer):
    site = serve({"/": answer(b"")})
    for settings in ({"contact": "me@example.org"}, {"user_agent": "mybot/2 (hello)"}):
        get(site, "/", **settings)
    agents = [headers["user-agent"] for _, headers in site.requests]
    assert agents[0].startswith("clew/")
    assert agents[0].endswith(" (+me@example.org)")
    assert agents[1] == "mybot/2 (hello)"
    with pytest.raises(ConfigError, match="ASCII"):
        HttpFetcher(Fetch(contact="me\r\nX-Evil: 1"))


def test_no_cookies_are_sent_back(get, serve, answer):
    site = serve({"/": answer(b"", Set_Cookie="id=1; Path=/")})
    get(site, "/", "/")
    assert [headers.get("cookie") for _, headers in site.requests] == [None, None]


def test_the_url_goes_out_as_it_stands(get, serve, answer):
    path = "/%7Ea/b%2Fc?q=%C3%A9+x&r=[1]"
    site = serve({path: answer(b"yes")})
    assert get(site, path).body == b"yes"


def test_connections_are_used_again(get, serve, answer):
    ports = set()

    async def port(writer):
        ports.add(writer.get_extra_info("peername")[1])
        writer.write(answer(b"x"))

    assert all(got.ok for got in get(serve({"/": port}), "/", "/", "/"))
    assert len(ports) == 1


def test_pause_and_given_up(serve, answer):
    site = serve({"/": answer(b"", 503)})

    async def run():
        async with site:
            fetcher = site.fetcher(host_failures=3, delay=2.0)
            pauses, errors = [], []
            for _ in range(4):
                errors.append((await site.get(fetcher, site.url("/"))).error)
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


NO_URLS = ["ftp://example.org/", "file:///etc/passwd", "data:text/html,x", "nonsense", "", "http://[::1", "http://"]
NO_URLS += ["http://a:99999/", "http://:80/", "http:///x", "http://a:b/"]


@pytest.mark.parametrize("url", NO_URLS)
def test_only_http(url):
    async def run():
        fetcher = HttpFetcher(Fetch())
        got = await fetcher.get(url)
        await fetcher.close()
        return got

    assert asyncio.run(run()).error == "address"


def test_no_line_breaks_into_the_request(get, serve):
    site = serve({})
    got = get(site, "/a\r\nX-Evil:1\r\n\r\n", "/a HTTP/1.1", "/\x00", "/é")
    assert [answer.error for answer in got] == ["address"] * 4
    assert site.requests == []


def test_the_same_on_uvloop(serve, answer):
    uvloop = pytest.importorskip("uvloop")

    async def drip(writer):
        writer.write(b"HTTP/1.1 200 OK\r\n\r\nx")
        await asyncio.sleep(1)

    async def cut(writer):
        writer.write(answer(b"half", length=8))
        await writer.drain()
        writer.transport.abort()

    async def run():
        async with serve({"/": answer(b"x"), "/drip": drip, "/cut": cut}) as site:
            fetcher = site.fetcher(timeout=0.3)
            urls = [site.url("/"), site.url("/drip"), site.url("/cut"), f"http://{'a' * 64}.invalid/"]
            errors = [(await site.get(fetcher, url)).error for url in urls]
            await fetcher.close()
            return errors

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        assert runner.run(run()) == ["", "timeout", "refused", "dns"]
