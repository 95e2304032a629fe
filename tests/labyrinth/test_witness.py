from __future__ import annotations

import asyncio
from pathlib import Path

from clew.labyrinth import Labyrinth, serve
from clew.labyrinth.witness import Seen, early, seen


def test_it_sees_two_connections_at_once_and_one_after_the_other(web: Labyrinth, tmp_path: Path):
    host = web.hosts[0]

    async def talk() -> None:
        async with await serve(web, witness=tmp_path / "log") as server:

            async def ask(path: str) -> None:
                reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
                writer.write(f"GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
                await reader.read()
                writer.close()

            for n in range(3):
                await ask(f"/one/{n}")

    asyncio.run(talk())
    requests = seen(tmp_path / "log")[host]
    assert [request.path for request in requests] == ["/one/0", "/one/1", "/one/2"]
    assert [request.busy for request in requests] == [0, 0, 0]
    assert all(request.begun <= request.ended for request in requests)


def test_it_sees_answers_that_are_under_way(tmp_path: Path):
    from clew.labyrinth import Hostile

    async def talk() -> None:
        async with await serve(Hostile(pages=100, sites=8), witness=tmp_path / "log") as server:
            lines = []
            for n in range(3):
                lines.append(await asyncio.open_connection("127.0.0.1", server.port))
                lines[-1][1].write(f"GET /{n + 1} HTTP/1.1\r\nHost: hang1.labyrinth\r\n\r\n".encode())
                await asyncio.sleep(0.05)
                if n == 1:
                    lines[0][1].close()
                    await asyncio.sleep(0.05)
            for _, writer in lines:
                writer.close()

    asyncio.run(talk())
    assert [request.busy for request in seen(tmp_path / "log")["hang1.labyrinth"]] == [0, 1, 1]


def test_early_requests_are_found():
    def request(begun: float, path: str = "/x", **more: float) -> Seen:
        return Seen(begun, begun + 0.1, "a", path, 200, **more)  # type: ignore[arg-type]

    requests = [request(0, "/robots.txt"), request(0.1), request(1.3), request(2.0), request(3.5, wish=9), request(8)]
    assert [(before.begun, after.begun) for before, after in early(requests, 1.0)] == [(1.3, 2.0), (3.5, 8)]
    assert len(list(early(requests, 1.0, robots=True))) == 3
