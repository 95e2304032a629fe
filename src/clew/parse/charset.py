"""Bytes to characters: the byte order mark, the header, the page itself, then a guess."""

from __future__ import annotations

import codecs
import re
from functools import lru_cache
from typing import Final

from resiliparse.parse.encoding import detect_encoding, map_encoding_to_html5

from clew.parse import mime

MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
HEAD: Final = 1024  # bytes in which the standard wants the declaration
GUESSED: Final = 200_000  # bytes by which a charset is guessed, around the first that does not fit
CUT: Final = 3  # bytes of a character that was cut off at the end
COMMENT: Final = re.compile(rb"<!--(?:>|->|.*?(?:-->|\Z))", re.S)
META: Final = re.compile(rb"""<meta[\s/]((?:[^>"']++|"[^"]*+"|'[^']*+')*+)""", re.I)
ATTRIBUTE: Final = re.compile(rb"""([^\s/>=]++)\s*+(?:=\s*+(?:"([^"]*+)"|'([^']*+)'|([^\s>"']++)))?+""")
CHARSET: Final = re.compile(rb"""charset\s*+=\s*+(?:"([^"]*+)"|'([^']*+)'|([^\s;"']++))""", re.I)
XML: Final = re.compile(rb"""<\?xml\s[^>]*?encoding\s*=\s*["']([^"'>]+)""")
# Labels whose encoding in browsers is wider than Python's of that name.
WIDER: Final = {
    "euc_kr": "cp949",
    "shift_jis": "cp932",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "big5": "big5hkscs",
    "iso8859-11": "cp874",
}
UNMAPPED: Final = {"x-mac-cyrillic": "mac-cyrillic", "x-mac-ukrainian": "mac-cyrillic"}


def decode(body: bytes, content_type: str = "") -> tuple[str, str]:
    """The text and the charset it was read with; never fails.

    >>> decode("Rügen".encode("latin-1"), "text/html; charset=ISO-8859-1")
    ('Rügen', 'cp1252')
    """
    for mark, name in MARKS:
        if body.startswith(mark):
            return body[len(mark) :].decode(name, "replace"), name
    name = _from_header(content_type) or _from_page(body) or "utf-8"
    try:
        return body.decode(name), name
    except UnicodeDecodeError as error:
        if error.start >= len(body) - CUT:
            return body.decode(name, "replace"), name
        return _guess(body, name, error.start)


def utf8(body: bytes, content_type: str = "") -> tuple[bytes, str]:
    """The same as UTF-8, for parsers that read it; a body that is UTF-8 already is not copied."""
    text, name = decode(body, content_type)
    return (body.removeprefix(codecs.BOM_UTF8) if name == "utf-8" else text.encode("utf-8", "replace")), name


@lru_cache(maxsize=256)
def _from_header(content_type: str) -> str:
    return known(mime.of(content_type).charset)


def _from_page(body: bytes) -> str:
    """The prescan of the standard: comments do not count, and neither does a charset in a description."""
    head = body[:HEAD]
    if b"<!--" in head:
        head = COMMENT.sub(b"", head)
    for match in META.finditer(head):
        if label := _declared(match[1]):
            name = "cp1252" if label == b"x-user-defined" else known(label.decode("ascii", "replace"))
            if name:
                return _bytewise(name)
    xml = XML.match(head)
    return _bytewise(known(xml[1].decode("ascii", "replace"))) if xml else ""


def _declared(tag: bytes) -> bytes:
    """The label in the attributes of a meta element."""
    if b"charset" not in tag.lower():
        return b""
    found: dict[bytes, bytes] = {}
    for name, *values in ATTRIBUTE.findall(tag):
        found.setdefault(name.lower(), b"".join(values))
    if b"charset" in found:
        return found[b"charset"].strip().lower()
    told = CHARSET.search(found.get(b"content", b""))
    pragma = found.get(b"http-equiv", b"").lower() == b"content-type"
    return b"".join(told.groups(b"")).strip().lower() if told and pragma else b""


def _bytewise(name: str) -> str:
    """Whoever could read the declaration byte by byte is not reading UTF-16."""
    return "utf-8" if name.startswith("utf-16") else name


@lru_cache(maxsize=256)
def known(label: str) -> str:
    """The codec for a label as browsers understand it ("latin-1" is Windows-1252), or "".

    >>> known("Latin1"), known("klingon")
    ('cp1252', '')
    """
    label = label.strip("\t\n\f\r ").lower()
    try:
        name = map_encoding_to_html5(label, fallback_utf8=False) or UNMAPPED.get(label)
        return codecs.lookup(WIDER.get(name, name)).name if name else ""
    except (LookupError, UnicodeError, ValueError):
        return ""


def _guess(body: bytes, declared: str, broken: int) -> tuple[str, str]:
    """For bytes that are not in the charset they claim: another one if it fits, else holes in the text."""
    sample = body if len(body) <= GUESSED else body[max(0, broken - GUESSED // 2) :][:GUESSED]
    guessed = known(detect_encoding(sample) or "")
    if guessed and guessed != declared:
        try:
            return body.decode(guessed), guessed
        except UnicodeError:
            pass
    return body.decode(declared, "replace"), declared
