from __future__ import annotations

import gzip
import io
import zipfile

import pytest

from clew.parse import parse
from clew.parse.sniff import magic, noise
from clew.types import Doc


def archive() -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as inner:
        inner.writestr("a.txt", "a")
    return file.getvalue()


FILES = {
    "image/png": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
    "image/gif": b"GIF87a\x01\0",
    "image/jpeg": b"\xff\xd8\xff\xe0\0\x10JFIF",
    "image/webp": b"RIFF\x10\x20\0\0WEBPVP8 ",
    "application/pdf": b"%PDF-1.4\n%",
    "application/gzip": gzip.compress(b"x"),
    "application/zip": archive(),
    "application/x-executable": b"\x7fELF\x02\x01\x01",
    "video/mp4": b"\0\0\0\x18ftypmp42",
    "video/webm": b"\x1a\x45\xdf\xa3\x01",
    "audio/mpeg": b"ID3\x03\0\0\0",
    "font/woff": b"wOF2\0\x01\0\0",
    "application/x-ole": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\0",
    "application/x-sqlite": b"SQLite format 3\0",
}


@pytest.mark.parametrize("kind", FILES)
def test_files_by_their_first_bytes(kind: str):
    assert magic(FILES[kind]) == kind
    assert parse(FILES[kind], "http://a.org/", "text/html") == Doc("http://a.org/")


@pytest.mark.parametrize(
    "text",
    [
        b"", b"<html>", b"BMW builds cars", b"MZ is a letter pair", b"ID3 tags", b"GIF89 is a format", b"PK", b"%PDF",
        b"RIFF raff", b"OTTO was here", b"fLaC", b"\xef\xbb\xbftext", "яыяу".encode("cp1251"), b"II* III*", b"CWS FWS",
        b"a bell \x07 and a \x1b[1mcolour\x1b[0m", "これは".encode("iso2022_jp"), "Это текст".encode("koi8-r"),
    ],
)  # fmt: skip
def test_texts_are_no_files(text: bytes):
    assert magic(text) == ""
    assert not noise(text)


def test_noise():
    assert noise(bytes(range(32)))
    assert noise(b"text and\0")
    assert not noise(b"x" * 2000 + b"\0" * 2000)
