"""`clew export` as a web archive: the chosen pages, and everything that other tools need to show them."""

from __future__ import annotations

import gzip
import io
import json
import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from typing import Any
from zipfile import ZIP_STORED, ZipFile

import pytest
from warcio.archiveiterator import ArchiveIterator

from clew.cli.main import main
from clew.config import Config
from clew.parse import host
from clew.store import Record, Records, Revisit, Revisits, SqliteStore, page_of, wacz
from clew.types import Doc, Fetched

LOCAL_HEADER = b"PK\x03\x04"
NEW_YEAR = b"WARC/1.1\r\nWARC-Date: 2026-01-01T00:00:00Z\r\nWARC-Target-URI: http://a.org/\r\n"


def exported(folder: Path, file: Path, *more: str) -> bytes:
    assert main(["export", str(folder), "-o", str(file), "--quiet", *more]) == 0
    return file.read_bytes()


def records(data: bytes) -> list[Any]:
    """Every record, its digests verified."""
    found = []
    for record in ArchiveIterator(io.BytesIO(data), check_digests="raise"):
        record.body = record.content_stream().read()
        found.append(record)
    return found


def urls(data: bytes, kind: str = "response") -> list[str]:
    return [record.rec_headers["WARC-Target-URI"] for record in records(data) if record.rec_type == kind]


def relevant_urls(folder: Path) -> list[str]:
    with Records(folder) as crawl:
        return [record.url for record in crawl.pages(relevant=True)]


def test_a_warc_file_holds_the_chosen_pages_their_requests_and_robots_files(crawl_folder: Path, tmp_path: Path) -> None:
    data = exported(crawl_folder, tmp_path / "pages.warc.gz", "--relevant")
    expected = relevant_urls(crawl_folder)
    found = urls(data)
    robots = found[len(expected) :]
    assert found[: len(expected)] == expected
    assert {host(url) for url in robots} == {host(url) for url in expected}
    assert all(url.endswith("/robots.txt") for url in robots)
    assert urls(data, "request") == found
    subprocess.run([Path(sys.executable).with_name("warcio"), "check", tmp_path / "pages.warc.gz"], check=True)


def test_all_visits_bring_failures_and_redirects(crawl_folder: Path, tmp_path: Path) -> None:
    with Records(crawl_folder) as crawl:
        answered = [record.url for record in crawl.pages() if record.status]
    assert urls(exported(crawl_folder, tmp_path / "all.warc.gz", "--all"))[: len(answered)] == answered


def test_a_wacz_file_is_complete_and_its_digests_are_right(crawl_folder: Path, tmp_path: Path) -> None:
    exported(crawl_folder, tmp_path / "pages.wacz", "--relevant", "--text")
    with ZipFile(tmp_path / "pages.wacz") as package:
        about = json.loads(package.read("datapackage.json"))
        seal = json.loads(package.read("datapackage-digest.json"))
        assert seal == {"path": "datapackage.json", "hash": digest(package.read("datapackage.json"))}
        assert (about["profile"], about["wacz_version"], about["title"]) == ("data-package", "1.1.1", "sailing")
        for resource in about["resources"]:
            data = package.read(resource["path"])
            assert (resource["hash"], resource["bytes"]) == (digest(data), len(data))
        listed = {resource["path"] for resource in about["resources"]}
        assert {*package.namelist()} - listed == {"datapackage.json", "datapackage-digest.json"}
        assert package.getinfo("archive/00001.warc.gz").compress_type == ZIP_STORED
        head, *pages = map(json.loads, package.read("pages/pages.jsonl").splitlines())
    assert (head["format"], head["hasText"]) == ("json-pages-1.0", True)
    assert [page["url"] for page in pages] == relevant_urls(crawl_folder)
    assert all(page["title"] and len(page["text"]) > 100 for page in pages)


def digest(data: bytes) -> str:
    return f"sha256:{sha256(data).hexdigest()}"


def test_the_index_of_a_wacz_file_leads_to_each_record(
    crawl_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wacz, "MAX_WARC_BYTES", 20_000)  # several WARC files
    exported(crawl_folder, tmp_path / "pages.wacz")
    with ZipFile(tmp_path / "pages.wacz") as package:
        warcs = {name: package.read(name) for name in package.namelist() if name.startswith("archive/")}
        lines = package.read("indexes/index.cdx").decode().splitlines()
        pages = {
            page["url"]: page["ts"] for page in map(json.loads, package.read("pages/pages.jsonl").splitlines()[1:])
        }
    assert len(warcs) > 1
    assert lines == sorted(lines)
    for line in lines:
        key, stamp, fields = line.split(" ", 2)
        entry = json.loads(fields)
        start = int(entry["offset"])
        [record] = records(warcs[f"archive/{entry['filename']}"][start : start + int(entry["length"])])
        assert record.rec_headers["WARC-Target-URI"] == entry["url"]
        assert record.rec_headers["WARC-Payload-Digest"] == entry["digest"]
        assert record.http_headers.get_statuscode() == entry["status"]
        assert key.startswith("labyrinth,")
        date = record.rec_headers["WARC-Date"]
        assert stamp == "".join(filter(str.isdigit, date))[:14]
        assert pages.get(entry["url"], date) == date
    assert {json.loads(line.split(" ", 2)[2])["url"] for line in lines} >= set(pages)


def test_players_can_find_the_beginning_of_each_file(crawl_folder: Path, tmp_path: Path) -> None:
    """ReplayWeb.page takes the extra field of the central directory for that of the file, so there must be none."""
    data = exported(crawl_folder, tmp_path / "pages.wacz")
    with ZipFile(tmp_path / "pages.wacz") as package:
        starts = [info.header_offset for info in package.infolist()]
    assert all(data[start:].startswith(LOCAL_HEADER) for start in starts)
    assert all(data[start + 28 : start + 30] == b"\0\0" for start in starts)


@pytest.mark.parametrize("form", ["warc", "wacz"])
def test_to_stdout(form: str, crawl_folder: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "clew", "export", str(crawl_folder), "--format", form, "--relevant"]
    written = subprocess.run(command, capture_output=True, check=True).stdout
    if form == "wacz":
        with ZipFile(io.BytesIO(written)) as package:
            assert package.testzip() is None
            written = package.read("archive/00001.warc.gz")
    expected = relevant_urls(crawl_folder)
    assert urls(written)[: len(expected)] == expected


def test_the_newest_version_is_exported(tmp_path: Path) -> None:
    url = "http://a.example/"
    first = Fetched(url, 200, (("Content-Type", "text/html"),), b"<p>old", b"<p>old")
    with SqliteStore(tmp_path / "crawl", new=Config()) as store:
        record = Record(0, 0, url, "a.example", status=200, relevance=1.0, relevant=True, at=1e9)
        store.add(record, first, page_of(record, Doc(url), ()))
        store.set("threshold", "0.5")
        store.commit([], {"visited": 1})
        again = Revisits(store)
        later = Fetched(url, 200, (("Content-Type", "text/html"),), b"<p>new", b"<p>new")
        again.add(Revisit(url, 2e9, 200, changed=True, relevance=1.0, whole=True), later, 1e9)
        again.commit()
        again.close()
    data = exported(tmp_path / "crawl", tmp_path / "pages.warc.gz", "--relevant")
    assert [record.body for record in records(data) if record.rec_type == "response"] == [b"<p>new"]


def test_rendered_pages_of_earlier_versions_get_the_form_of_today(tmp_path: Path) -> None:
    answer = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 4\r\n\r\ncame"
    response = (
        b"WARC-Type: response\r\nWARC-Record-ID: <urn:uuid:1>\r\nContent-Type: application/http; msgtype=response"
    )
    conversion = b"WARC-Type: conversion\r\nWARC-Record-ID: <urn:uuid:2>\r\nWARC-Refers-To: <urn:uuid:1>"
    data = b"".join(
        gzip.compress(NEW_YEAR + kind + b"\r\nContent-Length: %d\r\n\r\n" % len(block) + block + b"\r\n\r\n")
        for kind, block in ((response, answer), (conversion, b"became"))
    )
    with SqliteStore(tmp_path / "crawl", new=Config()) as store:
        record = Record(0, 0, "http://a.org/", "a.org", status=200, at=1e9)
        store.add(record, Fetched("http://a.org/", 200), page_of(record, Doc("http://a.org/"), ()))
        store.commit([], {"visited": 1})
        store.db.execute("UPDATE pages SET offset = 0, length = ?", (len(data),))
        store.db.execute("DROP TABLE other_answers")
        store.db.commit()
    (tmp_path / "crawl" / "pages" / "00001.warc.gz").write_bytes(data)
    _, came, became = records(exported(tmp_path / "crawl", tmp_path / "pages.warc.gz"))
    assert (came.rec_type, came.body) == ("response", b"came")
    assert (became.rec_type, became.body) == ("resource", b"became")
    assert became.rec_headers["WARC-Target-URI"] == "urn:clew:rendered:http://a.org/"
    assert became.rec_headers["WARC-Concurrent-To"] == "<urn:uuid:1>"
    assert became.rec_headers["WARC-Date"] == "2026-01-01T00:00:00Z"


@pytest.mark.parametrize("damage", ["missing", "cut", "flipped"])
def test_a_page_that_the_archive_has_lost_is_left_out(damage: str, tmp_path: Path) -> None:
    with SqliteStore(tmp_path / "crawl", new=Config(), max_warc=100) as store:
        for n in range(3):
            url = f"http://a.example/{n}"
            record = Record(n, n, url, "a.example", status=200, at=1e9 + n)
            store.add(record, Fetched(url, 200, (), b"page", b"page"), page_of(record, Doc(url), ()))
        store.commit([], {"visited": 3})
    file = tmp_path / "crawl" / "pages" / "00002.warc.gz"
    data = file.read_bytes()
    file.unlink()
    if damage == "cut":
        file.write_bytes(data[:-20])
    elif damage == "flipped":
        file.write_bytes(data[:-100] + bytes([data[-100] ^ 255]) + data[-99:])
    assert urls(exported(tmp_path / "crawl", tmp_path / "pages.warc.gz")) == [
        "http://a.example/0",
        "http://a.example/2",
    ]
