from __future__ import annotations

import asyncio
import gzip
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from clew.labyrinth import Labyrinth, Server, serve

Reply = tuple[int, dict[str, str], bytes]


class Client:
    """A plain HTTP client on one connection."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    async def ask(self, url: str, method: str = "GET", proxy: bool = False, extra: str = "") -> Reply:
        host, _, path = url.removeprefix("http://").partition("/")
        target = url if proxy else f"/{path}"
        self.writer.write(f"{method} {target} HTTP/1.1\r\nHost: {'x' if proxy else host}\r\n{extra}\r\n".encode())
        return await self.read(method != "HEAD")

    async def read(self, with_body: bool = True) -> Reply:
        head = (await self.reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        headers = {name.lower(): value for name, value in (line.split(": ", 1) for line in head[1:-2])}
        body = await self.reader.readexactly(int(headers["content-length"])) if with_body else b""
        return int(head[0].split()[1]), headers, body


Talk = Callable[[Server, Client], Awaitable[Any]]


def talk(web: Labyrinth, conversation: Talk, **options: Any) -> Any:
    async def whole() -> Any:
        async with await serve(web, **options) as server:
            reader, writer = await asyncio.open_connection("127.0.0.1", server.port, limit=1 << 20)
            try:
                return await conversation(server, Client(reader, writer))
            finally:
                writer.close()
                await writer.wait_closed()

    return asyncio.run(whole())


def test_one_connection_serves_many_hosts(web: Labyrinth):
    async def conversation(server: Server, client: Client) -> None:
        for number in range(0, web.pages, 101):
            status, headers, body = await client.ask(web.url(number))
            assert (status, body) == (200, web.page(web.url(number)).body)
            assert headers["content-type"].startswith("text/html")
            assert headers["connection"] == "keep-alive"
        assert server.requests == 20
        assert len(server.connections) == 1

    talk(web, conversation)


def test_head_has_the_length_and_no_body(web: Labyrinth):
    async def conversation(_: Server, client: Client) -> None:
        status, headers, body = await client.ask(web.url(5), "HEAD")
        assert (status, body) == (200, b"")
        assert int(headers["content-length"]) == len(web.page(web.url(5)).body)
        assert (await client.ask(web.url(6)))[0] == 200

    talk(web, conversation)


def test_errors_and_redirects(web: Labyrinth):
    async def conversation(_: Server, client: Client) -> None:
        home = web.home(web.hosts[0])
        assert (await client.ask(f"{home}no/such/page"))[0] in (404, 410)
        assert (await client.ask("http://unknown.labyrinth/"))[0] == 404
        assert (await client.ask(web.url(1), "POST"))[0] == 405
        status, headers, _body = await client.ask(f"{home}go/1")
        assert (status, headers["location"]) == (301, web.url(1))
        ruled = next(site.name for site in web.graph.sites if site.robots)
        status, headers, body = await client.ask(f"http://{ruled}/robots.txt")
        assert (status, headers["content-type"]) == (200, "text/plain; charset=utf-8")
        assert body.startswith(b"User-agent: *")

    talk(web, conversation)


def test_it_is_a_proxy_too(web: Labyrinth):
    async def conversation(_: Server, client: Client) -> None:
        for number in (3, 900):
            assert (await client.ask(web.url(number), proxy=True))[2] == web.page(web.url(number)).body

    talk(web, conversation)


def test_the_port_in_the_host_header_is_ignored(web: Labyrinth):
    async def conversation(server: Server, client: Client) -> None:
        url = web.url(7).replace(".labyrinth", f".LABYRINTH:{server.port}", 1)
        assert (await client.ask(url))[2] == web.page(web.url(7)).body

    talk(web, conversation)


@pytest.mark.parametrize("delay", [0.0, 0.01])
def test_pipelined_requests_are_answered_in_order(web: Labyrinth, delay: float):
    async def conversation(_: Server, client: Client) -> None:
        numbers = [900, 3, 512]
        for number in numbers:
            host, _, path = web.url(number)[7:].partition("/")
            client.writer.write(f"GET /{path} HTTP/1.1\r\nhost: {host}\r\n\r\n".encode())
        for number in numbers:
            assert (await client.read())[2] == web.page(web.url(number)).body

    talk(web, conversation, delay=delay)


@pytest.mark.parametrize(
    ("request_", "status"),
    [(b"nonsense\r\n\r\n", 400), (b"GET / HTTP/1.0\r\n\r\n", 404), (b"x" * 70_000, 431)],
)
def test_it_hangs_up_when_asked_or_confused(web: Labyrinth, request_: bytes, status: int):
    async def conversation(_: Server, client: Client) -> None:
        client.writer.write(request_)
        answer = await client.read()
        assert (answer[0], answer[1]["connection"]) == (status, "close")
        assert await client.reader.read() == b""

    talk(web, conversation)


def test_close_is_honoured(web: Labyrinth):
    async def conversation(_: Server, client: Client) -> None:
        assert (await client.ask(web.url(1), extra="Connection: close\r\n"))[0] == 200
        assert await client.reader.read() == b""

    talk(web, conversation)


def test_gzip_for_those_who_accept_it(web: Labyrinth):
    async def conversation(_: Server, client: Client) -> None:
        plain = await client.ask(web.url(9))
        packed = await client.ask(web.url(9), extra="Accept-Encoding: br, gzip\r\n")
        assert "content-encoding" not in plain[1]
        assert packed[1]["content-encoding"] == "gzip"
        assert len(packed[2]) < len(plain[2])
        assert gzip.decompress(packed[2]) == plain[2]

    talk(web, conversation, zipped=True)


def test_the_log_has_time_host_and_path(web: Labyrinth, tmp_path: Path):
    async def conversation(_: Server, client: Client) -> None:
        for number in (4, 1500):
            await client.ask(web.url(number))

    talk(web, conversation, log=tmp_path / "requests.tsv")
    lines = [line.split("\t") for line in (tmp_path / "requests.tsv").read_text().splitlines()]
    assert [f"http://{host}{path}" for _, host, path in lines] == [web.url(4), web.url(1500)]
    assert float(lines[0][0]) <= float(lines[1][0])
