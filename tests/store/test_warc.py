"""The records of the archive, as other tools and later versions of clew see them."""

from __future__ import annotations

import gzip
from dataclasses import replace
from pathlib import Path
from typing import Any

from warcio.archiveiterator import ArchiveIterator

from clew.store.warc import Archive, ArchivePosition
from clew.types import Fetched

PAGE = Fetched(
    "http://a.org/x?y=1",
    200,
    (("Content-Type", "text/html"), ("Transfer-Encoding", "chunked")),
    b"came",
    b"came",
    address="192.0.2.7",
    request_headers=(("Host", "a.org"), ("User-Agent", "clew")),
)


def records(folder: Path) -> list[Any]:
    """Every record with its content, its digests verified."""
    found = []
    for path in sorted(folder.glob("*.warc.gz")):
        with path.open("rb") as file:
            for record in ArchiveIterator(file, check_digests="raise"):
                record.text = record.content_stream().read()
                found.append(record)
    return found


def test_an_answer_stands_beside_its_request(tmp_path: Path) -> None:
    archive = Archive(tmp_path)
    place = archive.append(PAGE, 1.25)
    archive.close()
    info, response, request = records(tmp_path)
    assert [record.rec_type for record in (info, response, request)] == ["warcinfo", "response", "request"]
    assert request.rec_headers["WARC-Concurrent-To"] == response.rec_headers["WARC-Record-ID"]
    assert request.rec_headers["WARC-Target-URI"] == response.rec_headers["WARC-Target-URI"] == PAGE.url
    assert request.http_headers.protocol == "GET"
    assert request.http_headers.statusline == "/x?y=1 HTTP/1.1"
    assert request.http_headers.headers == list(PAGE.request_headers)
    assert response.rec_headers["WARC-IP-Address"] == "192.0.2.7"
    assert response.rec_headers["WARC-Date"] == "1970-01-01T00:00:01.250000Z"
    assert all(record.rec_headers["WARC-Block-Digest"] for record in (info, response, request))
    assert response.rec_headers["WARC-Payload-Digest"]
    assert archive.read(place, PAGE.url).raw == b"came"


def test_an_answer_whose_request_is_unknown_stands_alone(tmp_path: Path) -> None:
    archive = Archive(tmp_path)
    archive.append(replace(PAGE, address="", request_headers=()), 1.0)
    archive.close()
    _, response = records(tmp_path)
    assert "WARC-IP-Address" not in response.rec_headers


def test_a_fetcher_need_not_know_what_came_over_the_wire(tmp_path: Path) -> None:
    archive = Archive(tmp_path)
    place = archive.append(Fetched(PAGE.url, 200, (("Content-Encoding", "gzip"),), b"decoded"), 1.0)
    archive.close()
    fetched = archive.read(place, PAGE.url)
    assert (fetched.body, fetched.headers) == (b"decoded", (("Content-Length", "7"),))


def test_a_body_that_was_not_read_is_marked(tmp_path: Path) -> None:
    archive = Archive(tmp_path)
    archive.append(replace(PAGE, body=b"", raw=b"", truncated="length"), 1.0)
    archive.close()
    assert records(tmp_path)[1].rec_headers["WARC-Truncated"] == "length"


def test_a_rendered_page_does_not_take_the_place_of_the_answer(tmp_path: Path) -> None:
    archive = Archive(tmp_path)
    first = replace(PAGE, rendered="größer".encode())
    places = [archive.append(first, 1.0), archive.append(PAGE, 2.0)]
    archive.close()
    _, response, _, rendered, *_ = records(tmp_path)
    assert (rendered.rec_type, rendered.text) == ("resource", first.rendered)
    assert rendered.rec_headers["WARC-Target-URI"] == f"urn:clew:rendered:{PAGE.url}"
    assert rendered.rec_headers["WARC-Concurrent-To"] == response.rec_headers["WARC-Record-ID"]
    assert [archive.read(place, "").rendered for place in places] == [first.rendered, b""]
    assert [archive.read(place, "").raw for place in places] == [b"came", b"came"]
    assert places[1].offset == places[0].offset + places[0].length


def test_a_revisit_refers_to_the_date_of_the_earlier_record_to_the_letter(tmp_path: Path) -> None:
    archive = Archive(tmp_path)
    unchanged = replace(PAGE, status=304, body=b"", raw=b"")
    for n, at in enumerate((1e9, 1e9 + 0.1234567, 1e9 + 1 / 3)):
        archive.append(replace(PAGE, url=f"http://a.org/{n}"), at)
        archive.refer(replace(PAGE, url=f"http://a.org/{n}"), at + 10, at)
        archive.refer(replace(unchanged, url=f"http://a.org/{n}"), at + 20, at)
    archive.close()
    found = [record for record in records(tmp_path) if record.rec_type in ("response", "revisit")]
    for first, same, not_modified in zip(found[::3], found[1::3], found[2::3], strict=True):
        date = first.rec_headers["WARC-Date"]
        assert same.rec_headers["WARC-Refers-To-Date"] == not_modified.rec_headers["WARC-Refers-To-Date"] == date
        assert same.rec_headers["WARC-Payload-Digest"] == first.rec_headers["WARC-Payload-Digest"]
        assert same.rec_headers["WARC-Profile"].endswith("identical-payload-digest")
        assert not_modified.rec_headers["WARC-Profile"].endswith("server-not-modified")
    requests = [record for record in records(tmp_path) if record.rec_type == "request"]
    assert len(requests) == 9


def test_the_form_of_earlier_versions_is_read(tmp_path: Path) -> None:
    """A rendered page was a conversion record with the URL of the response before it."""
    head = b"WARC/1.1\r\nWARC-Date: 2026-01-01T00:00:00Z\r\nWARC-Target-URI: http://a.org/\r\n"
    answer = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 4\r\n\r\ncame"
    response = (
        b"WARC-Type: response\r\nWARC-Record-ID: <urn:uuid:1>\r\nContent-Type: application/http; msgtype=response"
    )
    conversion = b"WARC-Type: conversion\r\nWARC-Record-ID: <urn:uuid:2>\r\nWARC-Refers-To: <urn:uuid:1>"
    data = b"".join(
        gzip.compress(head + kind + b"\r\nContent-Length: %d\r\n\r\n" % len(block) + block + b"\r\n\r\n")
        for kind, block in ((response, answer), (conversion, b"became"))
    )
    (tmp_path / "00001.warc.gz").write_bytes(data)
    fetched = Archive(tmp_path).read(ArchivePosition("00001.warc.gz", 0, len(data)), "http://a.org/")
    assert (fetched.raw, fetched.rendered) == (b"came", b"became")
