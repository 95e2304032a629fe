"""What a server may send around its answer, and that it cannot take the time of other hosts."""

from __future__ import annotations

import asyncio

import aiohttp
import pytest

from clew.fetch._connection import MAX_FRAMING_BYTES, MAX_HEAD_BYTES, MAX_INTERIM_RESPONSES, Connector
from clew.types import Fetched

HINTS = b"HTTP/1.1 103 Early Hints\r\nLink: </style.css>\r\n\r\n"
OK = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
CHUNKED = OK + b"Transfer-Encoding: chunked\r\n\r\n"
FLOODS = {
    "interim responses": (b"", HINTS * 100, f"more than {MAX_INTERIM_RESPONSES} interim responses (1xx)"),
    "tiny interim responses": (b"", b"HTTP/1.1 100 \r\n\r\n" * 9000, "interim responses (1xx)"),
    "blank lines": (b"", b"\r\n" * 9000, f"more than {MAX_HEAD_BYTES} bytes before the body"),
    "tiny chunks": (CHUNKED, b"1\r\nx\r\n" * 1000, "bytes around a body of"),
    "chunk extensions": (CHUNKED, b"1;" + b"x" * 8000 + b"\r\nx\r\n", "bytes around a body of"),
    "a chunk extension without an end": (CHUNKED + b"1;", b"x" * 9000, "bytes around a body of"),
    "header lines": (OK, b"X-More: yes\r\n" * 1000, ""),
    "trailers": (CHUNKED + b"1\r\nx\r\n0\r\n", b"X-More: yes\r\n" * 1000, ""),
}


@pytest.mark.parametrize("name", FLOODS)
def test_a_flood_is_an_answer_that_failed(get, serve, drip, name):
    head, piece, reason = FLOODS[name]
    found = get(serve({"/": drip(head, piece, pause=0.0)}), "/")
    assert found.error == "bad answer"
    assert reason in found.detail


def test_other_hosts_go_on_beside_a_flood(serve, drip, answer):
    site = serve({"/flood": drip(b"", HINTS * 2000, pause=0.0), "/": answer(b"<p>sailing")})

    async def run() -> tuple[list[Fetched], list[Fetched]]:
        async with site:
            fetcher = site.fetcher(resolve=[f"*.example=127.0.0.1:{site.port}"], timeout=60.0)
            floods = [fetcher.get(f"http://f{n}.example/flood") for n in range(2)]
            others = [fetcher.get(f"http://h{n}.example/") for n in range(50)]
            found = await asyncio.gather(*floods, *others)
            await fetcher.close()
            return found[:2], found[2:]

    floods, others = asyncio.run(run())
    assert all(found.ok for found in others)
    assert {found.detail for found in floods} == {f"more than {MAX_INTERIM_RESPONSES} interim responses (1xx)"}


def test_some_interim_responses_are_fine(get, serve, answer):
    page = HINTS * MAX_INTERIM_RESPONSES + answer(b"<p>sailing")
    # Twice over one connection: each answer is counted for itself.
    found = get(serve({"/1": page, "/2": page}), "/1", "/2")
    assert [each.body for each in found] == [b"<p>sailing"] * 2


def test_small_chunks_are_fine_as_long_as_there_are_not_too_many(get, serve):
    body = b"sailing on " * (MAX_FRAMING_BYTES // 12)
    chunks = b"".join(b"%x\r\n%s\r\n" % (11, body[n : n + 11]) for n in range(0, len(body), 11))
    found = get(serve({"/": CHUNKED + chunks + b"0\r\n\r\n"}), "/")
    assert found.body == body


def test_an_answer_that_nobody_asked_for_is_ignored(get, serve, answer):
    page = answer(b"<p>sailing")
    found = get(serve({"/": page + page * 1000}), "/", "/")
    assert [each.body for each in found] == [b"<p>sailing"] * 2


def test_bytes_that_wait_for_a_slow_reader_are_no_framing(serve):
    body = bytes(range(256)) * 20_000
    chunks = b"".join(b"3e8\r\n%s\r\n" % body[n : n + 1000] for n in range(0, len(body), 1000))

    async def run() -> bytes:
        site = serve({"/": CHUNKED + chunks + b"0\r\n\r\n"})
        async with site, aiohttp.ClientSession(connector=Connector()) as session:
            response = await session.get(site.url("/"))
            read = bytearray()
            while piece := await response.content.readany():
                read += piece
                await asyncio.sleep(0.005)
            return bytes(read)

    assert asyncio.run(run()) == body
