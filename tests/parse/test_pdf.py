from __future__ import annotations

import zlib

import pytest

from clew.parse import parse, pdf
from clew.types import Doc

URL = "http://a.org/paper.pdf"

pytestmark = pytest.mark.skipif(not pdf.installed(), reason="the extra [pdf] is not installed")


def made(*contents: bytes, annotation: bytes = b"", kids: bytes = b"", packed: bool = False, filters: int = 1) -> bytes:
    """A file with one page per content; `packed` says that the contents are compressed already."""
    pages = range(5, 5 + 2 * len(contents), 2)
    kids = kids or b" ".join(b"%d 0 R" % page for page in pages)
    objects = {
        1: b"<</Type/Catalog/Pages 2 0 R>>",
        2: b"<</Type/Pages/Count %d/Kids[%b]>>" % (len(contents), kids),
        3: b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
        4: b"<</Title(The art of boats)>>",
    }
    for page, content in zip(pages, contents, strict=True):
        objects[page] = (
            b"<</Type/Page/Parent 2 0 R/Resources<</Font<</F 3 0 R>>>>/Contents %d 0 R/Annots[%b]/MediaBox[0 0 9 9]>>"
            % (page + 1, annotation)
        )
        stream = content if packed else zlib.compress(content)
        names = b"/FlateDecode" * filters
        objects[page + 1] = b"<</Length %d/Filter[%b]>>stream\n%b\nendstream" % (len(stream), names, stream)
    body, places = b"%PDF-1.4\n", {}
    for number, content in objects.items():
        places[number] = len(body)
        body += b"%d 0 obj\n%b\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % place for place in places.values())
    trailer = b"trailer\n<</Size %d/Root 1 0 R/Info 4 0 R>>\nstartxref\n%d\n%%%%EOF" % (len(objects) + 1, len(body))
    return body + b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1) + table + trailer


def words(text: bytes) -> bytes:
    return b"BT /F 12 Tf 50 700 Td (%b) Tj ET" % text


def test_title_text_and_links():
    link = b"<</Type/Annot/Subtype/Link/A<</S/URI/URI(http://a.org/more)>>>>" * 2
    doc = parse(made(words(b"We build sailing boats"), words(b"of oak"), annotation=link), URL, "application/pdf")
    assert doc.title == "The art of boats"
    assert doc.text == "The art of boats\nWe build sailing boats of oak"
    assert doc.terms["boat"] == 2
    assert [(link.url, link.kind, link.position) for link in doc.links] == [("http://a.org/more", "a", 0)]


def test_the_content_tells_what_it_is():
    assert parse(made(words(b"boats")), URL, "text/html").text.endswith("boats")
    assert parse(b"no file of that kind", URL, "application/pdf") == Doc(URL)


def test_pages_are_limited():
    doc = parse(made(*[words(b"page %d" % number) for number in range(pdf.MAX_PAGES_PER_FILE + 20)]), URL)
    assert doc.text.endswith(f"page {pdf.MAX_PAGES_PER_FILE - 1}")


@pytest.mark.parametrize(
    "body",
    [
        b"%PDF-1.7",
        b"%PDF-" + bytes(range(256)) * 100,
        made(words(b"x"))[:-200],
        made(words(b"x")).replace(b"startxref\n", b"startxref\n-"),
        made(words(b"x"), kids=b"2 0 R"),
        made(words(b"x"), annotation=b"2 0 R 5 0 R (x) <</A 5 0 R>>"),
        b"%PDF-1.7\n1 0 obj\n" + b"[" * 200_000,
        b"%PDF-1.7\n1 0 obj\n" + b"<<" * 200_000,
    ],
    ids=["head", "noise", "cut", "xref", "loop", "notes", "arrays", "dictionaries"],
)
def test_broken_and_hostile_files_end(body: bytes):
    assert parse(body, URL, "application/pdf").url == URL


@pytest.mark.parametrize("layers", [1, 3])
def test_bombs(layers: int):
    stream = bytes(200_000_000)
    for _ in range(layers):
        stream = zlib.compress(stream, 1)
    assert parse(made(stream, packed=True, filters=layers), URL).text == "The art of boats"


def test_what_takes_too_long_or_too_much_gives_nothing(monkeypatch):
    many = made(*[words(b"boats and ships " * 2000)] * 50)
    assert pdf.read(many).text
    monkeypatch.setattr(pdf, "MAX_CPU_SECONDS", 0)
    assert pdf.read(many) == pdf.Read()
    monkeypatch.setattr(pdf, "MAX_CPU_SECONDS", 20)
    monkeypatch.setattr(pdf, "MAX_MEMORY_BYTES", 20_000_000)
    assert pdf.read(many) == pdf.Read()
    monkeypatch.setattr(pdf, "MAX_MEMORY_BYTES", 1 << 30)
    monkeypatch.setattr(pdf, "PDF_WAIT_SECONDS", 0.01)
    assert pdf.read(many) == pdf.Read()


def test_halves_of_characters_do_not_get_through():
    doc = parse(made(words(b"x")).replace(b"(The art of boats)", b"<FEFFD8000041>"), URL)
    doc.title.encode("utf-8")
