"""Bytes to characters: the byte order mark, the header, the page itself, then a guess."""

from __future__ import annotations

import codecs
import re
from functools import lru_cache
from typing import Final

from resiliparse.parse.encoding import detect_encoding, map_encoding_to_html5

MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
LABEL: Final = re.compile(r"""charset\s*=\s*["']?\s*([^\s"';,>/]+)""", re.I)
HEAD: Final = 1024  # bytes in which the standard wants the declaration
DECLARED: Final = re.compile(
    rb"""<meta\s[^>]*?charset\s*=\s*["']?\s*([^\s"';,>/]+)|<\?xml\s[^>]*?encoding\s*=\s*["']([^"']+)""", re.I
)


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
    except (UnicodeError, ValueError):
        return _guess(body, name)


def utf8(body: bytes, content_type: str = "") -> tuple[bytes, str]:
    """The same as UTF-8, for parsers that read it; a body that is UTF-8 already is not copied."""
    text, name = decode(body, content_type)
    return (body.removeprefix(codecs.BOM_UTF8) if name == "utf-8" else text.encode("utf-8", "replace")), name


@lru_cache(maxsize=256)
def _from_header(content_type: str) -> str:
    match = LABEL.search(content_type) if content_type else None
    return known(match[1]) if match else ""


def _from_page(body: bytes) -> str:
    match = DECLARED.search(body[:HEAD])
    if not match:
        return ""
    name = known((match[1] or match[2]).decode("ascii", "replace"))
    # Whoever could read this declaration byte by byte is not reading UTF-16.
    return "utf-8" if name.startswith("utf-16") else name


def known(label: str) -> str:
    """The codec for a label as browsers understand it ("latin-1" is Windows-1252), or "".

    >>> known("Latin1"), known("klingon")
    ('cp1252', '')
    """
    try:
        name = map_encoding_to_html5(label.strip().lower(), fallback_utf8=False)
        return codecs.lookup(name).name if name else ""
    except (LookupError, UnicodeError, ValueError):
        return ""


def _guess(body: bytes, declared: str) -> tuple[str, str]:
    """For bytes that are not in the charset they claim: another one if it fits, else holes in the text."""
    guessed = known(detect_encoding(body) or "")
    if guessed and guessed != declared:
        try:
            return body.decode(guessed), guessed
        except UnicodeError:
            pass
    return body.decode(declared, "replace"), declared
