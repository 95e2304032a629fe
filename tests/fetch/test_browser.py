from __future__ import annotations

import asyncio
import socket

import pytest

from clew.config import Fetch
from clew.errors import ConfigError
from clew.fetch import NOT_YET, HttpFetcher
from clew.fetch._bare import bare
from clew.fetch._chromium import Chromium
from clew.fetch.browser import Rendering, with_browser
from clew.parse import document
from clew.types import Fetched

try:
    Rendering(HttpFetcher(Fetch()))
    MISSING = ""
except ConfigError as error:
    MISSING = str(error)

browser = pytest.mark.skipif(bool(MISSING), reason=MISSING or "there is a browser")
WRITES = "document.body.insertAdjacentHTML('beforeend', '<p>written by script <a href=/next>on</a>')"


def scripted(code: str) -> bytes:
    return f"<!DOCTYPE html><body><div id=app></div><script>{code}</script>".encode()


def notes_of(page: Fetched) -> str:
    return "\n".join(page.notes)


async def rendered(site, *urls: str, **settings: object) -> list[Fetched]:
    fetcher = Rendering(site.fetcher(**{"render": "auto", "render_seconds": 5.0, **settings}))

    async def one(url: str) -> Fetched:
        while (page := await fetcher.get(url)).error == NOT_YET:
            await asyncio.sleep(page.retry_after or 0.01)
        return page

    try:
        if settings.get("per_host", 1) == 1:
            return [await one(url) for url in urls]
        return await asyncio.gather(*map(one, urls))
    finally:
        await fetcher.close()


@pytest.fixture
def show(serve):
    """The pages of a site, each in a fresh context of one browser."""

    def shown(pages: dict[str, object], *paths: str, **settings: object) -> list[Fetched]:
        async def run() -> list[Fetched]:
            async with serve(pages) as site:
                return await rendered(site, *map(site.url, paths), **settings)

        return asyncio.run(run())

    return shown


@browser
def test_what_scripts_write_is_read_and_what_came_is_kept(show, answer):
    pages = {
        "/late": answer(scripted("setTimeout(() => fetch('/data.json').then(a => a.json()).then(show), 100);"
                                 "show = a => document.body.append(a.words)")),
        "/data.json": answer(b'{"words": "sailing boats of oak"}', Content_Type="application/json"),
        "/loads": answer(b"<div id=root></div><script src=/app.js></script>"),
        "/app.js": answer(WRITES.encode(), Content_Type="application/javascript"),
        "/latin": answer(scripted("document.body.append('Grüße')").decode().encode("latin-1"),
                         Content_Type="text/html; charset=iso-8859-1"),
        "/plain": answer(b"<p>" + b"words " * 60 + b"<script>document.body.append('never')</script>"),
    }  # fmt: skip
    late, loads, latin, plain = show(pages, "/late", "/loads", "/latin", "/plain")
    assert document(late).text == "sailing boats of oak"
    assert (late.raw, b"sailing" in late.raw) == (late.body, False)
    assert [link.url.rpartition("/")[2] for link in document(loads).links] == ["next"]
    assert document(latin).text == "Grüße"
    assert plain.rendered == b""


@browser
@pytest.mark.slow
def test_only_scripts_and_data_are_asked_for_and_scripts_once(serve, answer):
    html = b"<div id=root></div><img src=/i.png><link rel=stylesheet href=/s.css><iframe src=/f></iframe>"
    html += b"<script src=/app.js></script>"
    pages = {"/a": answer(html), "/b": answer(html), "/app.js": answer(WRITES.encode(), Content_Type="text/javascript")}

    async def run():
        async with serve(pages) as site:
            await rendered(site, site.url("/a"), site.url("/b"))
            return site

    site = asyncio.run(run())
    assert site.paths == ["/a", "/app.js", "/b"]
    assert all(headers["user-agent"].startswith("clew/") for _, headers in site.requests)


@browser
def test_data_of_another_host_comes_through_redirects_and_robots(serve, answer):
    async def run():
        data = {
            "/robots.txt": answer(b"User-agent: *\nDisallow: /secret", Content_Type="text/plain"),
            "/moved": answer(b"", 302, Location="/data"),
            "/data": answer(b'"other words"', Content_Type="application/json"),
            "/secret": answer(b'"secret words"', Content_Type="application/json"),
        }
        async with serve(data) as other, serve({}) as site:
            ask = (
                "for (const path of ['moved', 'secret']) fetch('http://other.example/' + path, {headers: {'X-A': 'b'}})"
            )
            site.pages["/"] = answer(scripted(f"{ask}.then(a => a.json()).then(a => document.body.append(a))"))
            resolve = (f"other.example=127.0.0.1:{other.port}",)
            return await rendered(site, site.url("/"), robots=True, resolve=resolve), other.paths

    [page], paths = asyncio.run(run())
    assert document(page).text == "other words"
    assert paths == ["/robots.txt", "/moved", "/data"]
    assert "may not load http://other.example/secret: robots.txt" in notes_of(page)


@browser
def test_private_addresses_are_refused_and_recorded(serve, answer):
    """The page itself is public here: it came by a name; its scripts look around at home."""

    async def run():
        async with serve({"/": answer(b'"home"', Content_Type="application/json")}) as home, serve({}) as site:
            inner = f"127.0.0.1:{home.port}"
            code = (
                f"const show = a => document.body.append(a);"
                f"for (const u of ['http://169.254.169.254/', 'http://{inner}/', 'http://localhost:{home.port}/'])"
                f"  fetch(u, {{mode: 'no-cors'}}).then(() => show('got'), () => show('kept '));"
                f"fetch('/moved').then(() => show('got'), () => show('kept '));"
                f"new WebSocket('ws://{inner}/'); navigator.sendBeacon('http://{inner}/', 'x');"
                f"new Image().src = 'http://{inner}/'; window.open('http://{inner}/');"
                f"fetch('http://{inner}/', {{method: 'POST', body: 'x'}}).catch(() => 0);"
                f"document.write('<iframe src=http://{inner}/></iframe><link rel=prefetch href=http://{inner}/>');"
                f"new Worker(URL.createObjectURL(new Blob(['fetch(\"http://{inner}/\")'])))"
            )
            site.pages["/"] = answer(scripted(code))
            fetcher = Rendering(site.fetcher(allow_private=True, render="auto", render_seconds=5.0))
            page = await fetcher.fetcher.get(site.url("/"))
            fetcher.fetcher.guard.allow_private = False
            page = await fetcher._render(page)
            await fetcher.close()
            return page, home.paths

    page, paths = asyncio.run(run())
    assert paths == []
    assert document(page).text.split() == ["kept"] * 4
    assert "may not load http://169.254.169.254/: 169.254.169.254 is not a global address" in notes_of(page)
    assert "127.0.0.1 is not a global address" in notes_of(page)


@browser
def test_the_browser_alone_reaches_nothing(serve, answer):
    """Should a request ever pass us by, it leads nowhere."""

    async def run():
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as ear:
            ear.bind(("127.0.0.1", 0))
            ear.setblocking(False)
            stun = f"stun:127.0.0.1:{ear.getsockname()[1]}"
            async with serve({"/": answer(b"<p>hello")}) as site:
                chromium = Chromium("", "clew/test")
                context = await chromium.context()
                page = await context.new_page()
                for name in ("127.0.0.1", "localhost", "a.example"):
                    with pytest.raises(Error, match="net::ERR"):
                        await page.goto(site.url("/", name))
                page = await context.new_page()  # the other one is still on its way to the page with the error
                await page.evaluate(
                    "stun => { const peer = new RTCPeerConnection({iceServers: [{urls: stun}]});"
                    "peer.createDataChannel('x'); return peer.createOffer().then(o => peer.setLocalDescription(o)) }",
                    stun,
                )
                await asyncio.sleep(0.5)
                await chromium.close()
                with pytest.raises(BlockingIOError):
                    ear.recv(10)
                return site.paths

    Error = pytest.importorskip("playwright.async_api").Error
    assert asyncio.run(run()) == []


@browser
@pytest.mark.slow
def test_nothing_leaves_by_udp(serve, answer):
    async def run():
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as ear:
            ear.bind(("127.0.0.1", 0))
            ear.setblocking(False)
            port = ear.getsockname()[1]
            dial = f'new WebTransport("https://127.0.0.1:{port}/").ready.catch(() => 0)'
            code = (
                f"try {{ const peer = new RTCPeerConnection({{iceServers: [{{urls: 'stun:127.0.0.1:{port}'}}]}});"
                f"peer.createDataChannel('x'); peer.createOffer().then(o => peer.setLocalDescription(o)) }} catch {{}};"
                f"try {{ {dial} }} catch {{}};"
                f"new Worker(URL.createObjectURL(new Blob(['{dial}'])));"
                f"setTimeout(() => document.body.append('done'), 400)"
            )
            async with serve({"/": answer(scripted(code))}) as site:
                [page] = await rendered(site, site.url("/"))
            with pytest.raises(BlockingIOError):
                ear.recv(10)
            return page

    assert document(asyncio.run(run())).text == "done"


@browser
@pytest.mark.slow
def test_hostile_pages_cost_their_limits_and_nothing_else(show, answer, monkeypatch):
    monkeypatch.setattr("clew.fetch._showing.SNAPSHOT_SECONDS", 1.5)
    pages = {
        "/endless": answer(scripted(f"{WRITES}; setTimeout(() => {{ for (;;); }})")),
        "/never": answer(scripted("for (;;);")),
        "/noisy": answer(scripted(f"alert(1); confirm(2); print(); window.open('/popup'); {WRITES};"
                                  "const a = document.createElement('a'); a.href = 'data:application/zip,x';"
                                  "a.download = 'x.zip'; a.click(); onbeforeunload = () => 'stay'")),
        "/huge": answer(scripted("for (let i = 0; i < 250000; i++) document.body.append(document.createElement('i'))")),
        "/liar": answer(scripted(f"{WRITES};"
                                 "Object.defineProperty(Element.prototype, 'outerHTML', {get: () => 'lie'});"
                                 "document.getElementsByTagName = () => []")),
        "/busy": answer(scripted(f"{WRITES}; setInterval(() => fetch('/x' + Math.random()), 50)")),
    }  # fmt: skip
    endless, never, noisy, huge, liar, busy = show(pages, *pages, render_seconds=1.0, per_host=9)
    for page in (noisy, liar, busy, endless):
        assert document(page).text.endswith("written by script on")
    assert all(page.ok for page in (never, huge))
    assert (huge.rendered, "read without scripts" in notes_of(huge)) == (b"", True)


@browser
@pytest.mark.slow
def test_going_elsewhere_by_script_is_a_redirect(show, answer):
    pages = {
        "/": answer(scripted("location = '/there#part'")),
        "/reload": answer(scripted(f"{WRITES}; location.reload()")),
        "/state": answer(scripted(f"history.pushState(0, '', '/other'); location.hash = 'x'; {WRITES}")),
    }
    moved, again, state = show(pages, *pages)
    assert (moved.location.endswith("/there"), moved.ok) == (True, False)
    assert not again.location
    assert document(state).text == "written by script on"


@browser
@pytest.mark.slow
def test_the_budget_holds_and_a_crashed_browser_comes_back(serve, answer):
    async def run():
        async with serve({"/": answer(scripted(WRITES))}) as site:
            fetcher = Rendering(site.fetcher(render="always", render_pages=2))
            first = await fetcher.get(site.url("/"))
            await fetcher._browser._browser.close()
            found = [first, *[await fetcher.get(site.url("/")) for _ in range(3)]]
            await fetcher.close()
            return found

    found = asyncio.run(run())
    assert [bool(page.rendered) for page in found] == [True, True, False, False]
    assert [("render_pages" in notes_of(page)) for page in found] == [False, False, True, False]


def test_the_message_about_a_missing_browser_names_the_next_step(tmp_path, monkeypatch):
    with pytest.raises(ConfigError, match="there is no browser at /no/such"):
        with_browser(Fetch(render="auto", browser="/no/such"))
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path))
    with pytest.raises(ConfigError, match=r"apt install chromium|pip install 'clew-crawler"):
        with_browser(Fetch(render="auto"))
    assert isinstance(with_browser(Fetch()), HttpFetcher)


@pytest.mark.parametrize(
    ("html", "needs"),
    [
        ("<div id=root></div><script src=a.js></script>", True),
        (
            "<noscript>You need to enable JavaScript to run this app.</noscript><p>Loading<script src=a.js></script>",
            True,
        ),
        ("<div id=root></div>", False),
        ("<p>" + "word " * 60 + "<div id=root></div><script></script>", False),
        ("<meta http-equiv=Refresh content='0; url=/b'><script></script>", False),
        ("<a href=1>a</a>" * 6 + "<div id=app></div><script></script>", False),
        ("", False),
    ],
)
def test_pages_that_need_a_browser_are_known_by_their_bytes(html, needs):
    assert bare(html.encode()) is needs
