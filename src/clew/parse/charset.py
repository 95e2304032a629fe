"""Character encodings: the byte order mark decides, then the header, the page itself, and last a guess."""

from __future__ import annotations

import codecs
import re
from functools import lru_cache
from typing import Final

from resiliparse.parse.encoding import map_encoding_to_html5

from clew.parse import mime
from clew.parse.guess import OTHERWISE, from_pattern, guess

MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
PRESCAN_BYTES: Final = 1024  # in which the standard requires the declaration
MAX_DECLARATION_BYTES: Final = 100_000  # in which a later one is found, as by browsers while they parse
GAP: Final = "\ufffd"  # in place of bytes that do not fit
MIN_GAIN: Final = 10  # times fewer gaps than the declared charset leaves, before a guessed one counts
MAX_SAMPLE_BYTES: Final = 200_000  # for guessing a charset, around the first byte that does not fit
MAX_CUT_BYTES: Final = 3  # of a character that is cut off at the end
COMMENT: Final = re.compile(rb"<!--(?:>|->|.*?(?:-->|\Z))", re.S)
META: Final = re.compile(rb"""<meta[\s/]((?:[^>"']++|"[^"]*+"|'[^']*+')*+)""", re.I)
ATTRIBUTE: Final = re.compile(rb"""([^\s/>=]++)\s*+(?:=\s*+(?:"([^"]*+)"|'([^']*+)'|([^\s>"']++)))?+""")
LATE: Final = re.compile(rb"<meta[\s/][^>]{0,500}?charset", re.I)
# What only looks like markup when it is not parsed.
NO_MARKUP: Final = re.compile(
    rb"<!--(?:>|->|.*?(?:-->|\Z))|<(script|style|textarea|title)\b.*?(?:</\1|\Z)", re.S | re.I
)
CHARSET: Final = re.compile(rb"""charset\s*+=\s*+(?:"([^"]*+)"|'([^']*+)'|([^\s;"']++))""", re.I)
XML: Final = re.compile(rb"""<\?xml\s[^>]*?encoding\s*=\s*["']([^"'>]+)""")
# Browsers read these labels as an encoding with more characters than Python's codec of the same name.
WIDER: Final = {
    "euc_kr": "cp949",
    "shift_jis": "cp932",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "big5": "big5hkscs",
    "iso8859-11": "cp874",
}
# Labels of the standard that resiliparse does not know.
UNMAPPED: Final = {"x-mac-cyrillic": "mac-cyrillic", "x-mac-ukrainian": "mac-cyrillic"}


def decode(body: bytes, content_type: str = "") -> tuple[str, str]:
    """The text and the charset it was decoded with; never fails.

    >>> decode("Rügen".encode("latin-1"), "text/html; charset=ISO-8859-1")
    ('Rügen', 'cp1252')
    """
    for mark, name in MARKS:
        if body.startswith(mark):
            return body[len(mark) :].decode(name, "replace"), name
    name = _from_header(content_type) or _from_page(body) or from_pattern(body) or "utf-8"
    try:
        return body.decode(name), name
    except UnicodeDecodeError as error:
        # A page that was cut off within a character is otherwise what it claims to be.
        if error.start >= len(body) - MAX_CUT_BYTES:
            return body.decode(name, "replace"), name
        return _guess(body, name, error.start)


def utf8(body: bytes, content_type: str = "") -> tuple[bytes, str]:
    """The body in UTF-8, as the HTML parser wants it, and the charset it came in."""
    text, name = decode(body, content_type)
    # Bytes that are UTF-8 already are not copied.
    if name == "utf-8":
        return body.removeprefix(codecs.BOM_UTF8), name
    return text.encode("utf-8", "replace"), name


@lru_cache(maxsize=256)
def _from_header(content_type: str) -> str:
    return known(mime.of(content_type).charset)


def _from_page(body: bytes) -> str:
    """The charset that the page declares, by the prescan of the standard or further down, or ""."""
    head = body[:PRESCAN_BYTES]
    # A declaration inside a comment does not count.
    if b"<!--" in head:
        head = COMMENT.sub(b"", head)
    if name := _from_meta(head):
        return name
    if xml := XML.match(head):
        return _bytewise(known(xml[1].decode("ascii", "replace")))
    # Most pages without a label have none further down either, and are not taken apart.
    if not LATE.search(body, PRESCAN_BYTES // 2, MAX_DECLARATION_BYTES):
        return ""
    return _from_meta(NO_MARKUP.sub(b"", body[:MAX_DECLARATION_BYTES]))


def _from_meta(source: bytes) -> str:
    for match in META.finditer(source):
        if label := _declared(match[1]):
            name = "cp1252" if label == b"x-user-defined" else known(label.decode("ascii", "replace"))
            if name:
                return _bytewise(name)
    return ""


def _declared(tag: bytes) -> bytes:
    """The charset label in the attributes of a meta element, or b""."""
    if b"charset" not in tag.lower():
        return b""
    attributes: dict[bytes, bytes] = {}
    for name, *values in ATTRIBUTE.findall(tag):
        attributes.setdefault(name.lower(), b"".join(values))
    if b"charset" in attributes:
        return attributes[b"charset"].strip().lower()
    # A description may mention a charset too: only the pragma declares one.
    if attributes.get(b"http-equiv", b"").lower() != b"content-type":
        return b""
    label = CHARSET.search(attributes.get(b"content", b""))
    return b"".join(label.groups(b"")).strip().lower() if label else b""


def _bytewise(name: str) -> str:
    """The declared charset, corrected if it cannot be true."""
    # A declaration that can be read byte by byte is not in UTF-16.
    return "utf-8" if name.startswith("utf-16") else name


@lru_cache(maxsize=256)
def known(label: str) -> str:
    """The codec for a label as browsers understand it ("latin-1" is Windows-1252), or "" for an unknown label.

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
    """Decode bytes that do not fit their declared charset: with a guessed one if it fits, else with gaps."""
    sample = body
    if len(body) > MAX_SAMPLE_BYTES:
        # Most of a long page is plain ASCII and says nothing; the bytes that matter are around the broken one.
        sample = body[max(0, broken - MAX_SAMPLE_BYTES // 2) :][:MAX_SAMPLE_BYTES]
    text = body.decode(declared, "replace")
    guessed = known(guess(sample)) or (OTHERWISE if declared == "utf-8" else declared)
    found = body.decode(guessed, "replace")
    if found.count(GAP) * MIN_GAIN <= text.count(GAP):
        return found, guessed
    return text, declared
