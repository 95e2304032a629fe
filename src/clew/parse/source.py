"""The source of a page as every reader of it wants it: in UTF-8, without forged marks, with bounded cost."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final

from clew.parse import blocks, links, mime
from clew.parse.charset import utf8
from clew.parse.cost import bounded
from clew.parse.sniff import magic, noise

MAX_PAGE_BYTES: Final = 5_000_000  # the rest of a longer page is ignored: its subject and links show long before
SNIFF_BYTES: Final = 1024  # in which HTML shows a tag

NO_TEXT: Final = ("image/", "audio/", "video/", "font/", "application/pdf", "application/zip")
UNDECLARED: Final = ("", "application/octet-stream", "unknown/unknown")  # only the content can tell
MARKS: Final = (links.MARK.encode(), *blocks.MARKS)


@dataclass(frozen=True)
class Source:
    """A text, which may be markup."""

    text: bytes  # in UTF-8
    charset: str  # in which it came
    is_markup: bool

    @cached_property
    def markup(self) -> bytes:
        """What a parser of HTML may be given."""
        text = self.text
        # A page that has marks of its own could forge links and blocks.
        for mark in MARKS:
            text = text.replace(mark, b" ")
        return bounded(text)


def source_of(body: bytes, content_type: str = "") -> Source | None:
    """The source of a page; None if it is no text.

    >>> source_of(b"<p>Boats", "text/html").is_markup, source_of(b"GIF89a...")
    (True, None)
    """
    global _latest
    latest_body, latest_type, latest = _latest
    if latest_body is body and latest_type == content_type:
        return latest
    source = _made(body, content_type)
    _latest = body, content_type, source
    return source


def _made(body: bytes, content_type: str) -> Source | None:
    kind = mime.of(content_type)
    if not body or magic(body) or kind.essence.startswith(NO_TEXT):
        return None
    text, charset = utf8(body[:MAX_PAGE_BYTES], content_type)
    # Asked after decoding: UTF-16 is full of NUL bytes, which would look like noise.
    if noise(text):
        return None
    # Without a declared type, markup is known by its beginning.
    is_markup = kind.markup or (kind.essence in UNDECLARED and b"<" in text[:SNIFF_BYTES])
    return Source(text, charset, is_markup)


# A page is parsed, and then its main text is made of the same bytes: the work on its source is done once.
_latest: tuple[bytes, str, Source | None] = (b"", "", None)
