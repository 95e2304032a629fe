"""What a crawl makes of pages that are not HTML, from the wire to the archive and back."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator

import pytest

import clew
from clew.parse import pdf

PDF = (
    b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Count 1/Kids[3 0 R]>>endobj\n"
    b"3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>endobj\n"
    b"4 0 obj<</Length 47>>stream\nBT /F 12 Tf 0 0 Td (sailing boats of oak) Tj ET\nendstream endobj\n"
    b"5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj\ntrailer\n<</Root 1 0 R>>\nstartxref\n0\n%%EOF"
)
PAGES = {
    "/": (b"text/html", b"sailing <a href=/paper>a</a> <a href=/photo>b</a> <p data-href=/deep onclick=x()>sailing"),
    "/paper": (b"application/pdf", PDF),
    "/photo": (b"text/html", b"\x89PNG\r\n\x1a\n" + b"x" * 3000),
    "/deep": (b"text/plain", b"sailing in plain words"),
}


@pytest.fixture
def site() -> Iterator[str]:
    loop = asyncio.new_event_loop()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        path = (await reader.readuntil(b"\r\n\r\n")).split()[1].decode()
        kind, body = PAGES.get(path, (b"text/plain", b""))
        status = b"200 OK" if path in PAGES else b"404 Not Found"
        head = b"HTTP/1.1 %b\r\nConnection: close\r\nContent-Type: %b\r\nContent-Length: %d\r\n\r\n"
        writer.write(head % (status, kind, len(body)) + body)
        await writer.drain()
        writer.close()

    server = loop.run_until_complete(asyncio.start_server(serve, "127.0.0.1", 0))
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    loop.call_soon_threadsafe(loop.stop)
    thread.join()
    server.close()
    loop.run_until_complete(asyncio.sleep(0.05))
    loop.close()


def test_files_and_scripts(site, tmp_path):
    settings = {"script_links": True, "allow_private": True, "delay": 0.0, "threshold": 0.01}
    result = clew.crawl("sailing", [f"{site}/"], folder=str(tmp_path / "crawl"), **settings)
    with result.records as records:
        found = {record.url.removeprefix(site): record for record in records.pages()}
        assert found["/deep"].state == "fetched"
        assert found["/photo"].reason == "content type: image/png by its first bytes, not text"
        if pdf.installed():
            assert records.text(found["/paper"]) == "sailing boats of oak"
            assert found["/paper"].words == 3
        else:
            assert found["/paper"].state == "failed"
