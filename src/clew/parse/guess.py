"""Guesses the charset of bytes that have no label, or a wrong one."""

from __future__ import annotations

import re
from typing import Final

from resiliparse.parse.encoding import detect_encoding

SNIFF_BYTES: Final = 512  # in which UTF-16 shows
MAX_WEIGHED_BYTES: Final = 10_000  # outside ASCII, when charsets are compared by what they make of them
MIN_NUL_SHARE: Final = 0.02  # of the bytes of a text in UTF-16
MIN_PRINTABLE_SHARE: Final = 0.95  # of the characters of a text in UTF-16
MIN_UTF8_SHARE: Final = 0.9  # of the bytes outside ASCII; such a page is UTF-8 with something foreign in it
ASCII: Final = bytes(range(128))
UTF8: Final = re.compile(
    rb"[\xc2-\xdf][\x80-\xbf]|[\xe1-\xef][\x80-\xbf]{2}|\xe0[\xa0-\xbf][\x80-\xbf]|\xf0[\x90-\xbf].."
)
JAPANESE: Final = re.compile(rb"\x1b\$[@B]")
OTHERWISE: Final = "cp1252"  # if nothing is likely, as in browsers
# What the detector says, and the labels that it may mean: it cannot tell some charsets apart, and names one that hardly
# occurs on the web. The first wins a tie.
RELATIVES: Final = {
    "koi8-r": ("koi8-r", "koi8-u"),
    "iso8859-2": ("iso8859-2", "cp1250"),
    "cp1250": ("cp1250", "iso8859-2"),
    "iso8859-7": ("iso8859-7", "cp1253"),
    "iso8859-13": ("cp1257", "iso8859-13"),
    "mac-cyrillic": ("cp1251",),
    "iso8859-3": (OTHERWISE,),
    "iso8859-10": (OTHERWISE,),
    "cp949": ("euc-kr",),
}


def from_pattern(body: bytes) -> str:
    """A charset that shows in its bytes: UTF-16 without a mark, or ISO-2022-JP; else "".

    >>> from_pattern("<p>".encode("utf-16-le")), from_pattern(b"<p>")
    ('utf-16-le', '')
    """
    head = body[:SNIFF_BYTES]
    if b"\0" in head:
        return _utf16(head)
    return "iso2022_jp" if b"\x1b" in body and JAPANESE.search(body) else ""


def guess(sample: bytes) -> str:
    """The likely label of a sample that is not plain UTF-8; "utf-8" if most of it is, "" if nothing is likely."""
    high = sample.translate(None, ASCII)[:MAX_WEIGHED_BYTES]
    if len(UTF8.sub(b"", high)) < (1 - MIN_UTF8_SHARE) * len(high):
        return "utf-8"
    found = detect_encoding(sample, html5_compatible=False) or ""
    relatives = RELATIVES.get(found)
    return max(relatives, key=lambda name: _legibility(high, name)) if relatives else found


def _utf16(head: bytes) -> str:
    # Blanks and markup have a NUL in every other byte, and few characters have one in the other place.
    first = head[::2].count(0)
    second = head[1::2].count(0)
    most = max(first, second)
    if most < MIN_NUL_SHARE * len(head) or min(first, second) * 8 > most:
        return ""
    name = "utf-16-be" if first > second else "utf-16-le"
    # Numbers in a binary file have NULs too, but do not make characters.
    text = "".join(head[: len(head) & ~1].decode(name, "replace").split())
    return name if sum(map(str.isprintable, text)) >= MIN_PRINTABLE_SHARE * len(text) else ""


def _legibility(high: bytes, name: str) -> int:
    """How much of these bytes outside ASCII are letters under a charset, and how little control characters."""
    text = high.decode(name, "replace")
    return sum(map(str.isalpha, text)) + sum(map(str.isprintable, text))
