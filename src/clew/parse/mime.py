"""Content types, parsed as in the MIME Sniffing standard, and which of them the crawler can read."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Final, NamedTuple

BLANKS: Final = "\t\n\r "
TOKEN: Final = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
VALUE: Final = re.compile(r"[\t\x20-\x7e\x80-\xff]*")
ESSENCE: Final = re.compile(r"([^/]*)/([^;]*)")
# Possessive quantifiers, here and below: a hostile header must not make a pattern backtrack.
PARAMETER: Final = re.compile(r""";[\t\n\r ]*+([^;=]*+)(?:=(?:"((?:[^"\\]++|\\.|\\\Z)*+)"?+[^;]*+|([^;]*+)))?+""", re.S)
PARTS: Final = re.compile(r"""(?:[^",]++|"(?:[^"\\]++|\\.)*+"?+)++""", re.S)

HTML: Final = ("text/html", "application/xhtml+xml")
NO_PAGE: Final = ("text/css", "text/javascript")
MEDIA: Final = ("image/", "audio/", "video/")
ANIMATIONS: Final = ("application/ogg", "application/x-shockwave-flash", "application/vnd.adobe.flash.movie")
UNSPECIFIED: Final = ("", "unknown/unknown", "application/unknown", "*/*")


class Mime(NamedTuple):
    """A content type: its essence in lower case, and its parameters.

    >>> Mime("text/html", {"charset": "utf-8", "x": "a b"})
    Mime(essence='text/html', parameters={'charset': 'utf-8', 'x': 'a b'})
    >>> str(_)
    'text/html;charset=utf-8;x="a b"'
    """

    essence: str = ""
    parameters: Mapping[str, str] = MappingProxyType({})

    def __str__(self) -> str:
        return self.essence + "".join(f";{name}={_quoted(value)}" for name, value in self.parameters.items())

    @property
    def charset(self) -> str:
        """The charset label, or "" if there is none."""
        return self.parameters.get("charset", "")

    @property
    def unspecified(self) -> bool:
        """Whether the type says nothing, so that only the content can tell."""
        return self.essence in UNSPECIFIED

    @property
    def markup(self) -> bool:
        """Whether it is HTML or XML."""
        if self.essence in HTML or self.essence in ("text/xml", "application/xml"):
            return True
        # An SVG image is XML, but an image.
        return self.essence.endswith("+xml") and not self.essence.startswith("image/")

    @property
    def media(self) -> bool:
        """Whether it is an image, a sound, a film or an animation.

        >>> Mime("image/svg+xml").media, Mime("text/html").media
        (True, False)
        """
        return self.essence.startswith(MEDIA) or self.essence in ANIMATIONS

    @property
    def readable(self) -> bool:
        """Whether it may contain text for people."""
        return self.unspecified or self.markup or (self.essence.startswith("text/") and self.essence not in NO_PAGE)


@lru_cache(maxsize=256)
def parse(text: str) -> Mime:
    """Parse one content type; the essence is empty if it is invalid.

    >>> parse('Text/HTML; charset="utf-8"; charset=other; =x')
    Mime(essence='text/html', parameters={'charset': 'utf-8'})
    >>> parse("html").essence
    ''
    """
    text = text.strip(BLANKS)
    match = ESSENCE.match(text)
    if not match:
        return Mime()
    main = match[1]
    subtype = match[2].rstrip(BLANKS)
    if not (TOKEN.fullmatch(main) and TOKEN.fullmatch(subtype)):
        return Mime()
    return Mime(f"{main}/{subtype}".lower(), _parameters(text, match.end()))


@lru_cache(maxsize=256)
def of(header: str) -> Mime:
    """The meaning of a Content-Type header; of several types in one line the last valid one, as in browsers.

    >>> str(of("text/plain, text/html;charset=gbk, text/html, nonsense"))
    'text/html;charset=gbk'
    """
    if "," not in header:
        return parse(header)
    result = Mime()
    for part in PARTS.findall(header):
        mime = parse(part)
        if not mime.essence or mime.essence == "*/*":
            continue
        # A repeated type without a charset keeps the charset of the one before (Fetch standard).
        if mime.essence == result.essence and not mime.charset and result.charset:
            mime = Mime(mime.essence, {**mime.parameters, "charset": result.charset})
        result = mime
    return result


def _parameters(text: str, start: int) -> dict[str, str]:
    found: dict[str, str] = {}
    for match in PARAMETER.finditer(text, start):
        name = match[1].lower()
        quoted = match[2]
        if quoted is not None:
            value = re.sub(r"\\(.)", r"\1", quoted, flags=re.S)
        else:
            value = (match[3] or "").rstrip(BLANKS)
            # An empty value counts only in quotes.
            if not value:
                continue
        if TOKEN.fullmatch(name) and VALUE.fullmatch(value):
            found.setdefault(name, value)
    return found


def _quoted(value: str) -> str:
    if TOKEN.fullmatch(value):
        return value
    return '"' + re.sub(r'(["\\])', r"\\\1", value) + '"'
