"""Content types as the MIME Sniffing standard reads them, and which of them we can read."""

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
PARAMETER: Final = re.compile(r""";[\t\n\r ]*+([^;=]*+)(?:=(?:"((?:[^"\\]++|\\.|\\\Z)*+)"?+[^;]*+|([^;]*+)))?+""", re.S)
PARTS: Final = re.compile(r"""(?:[^",]++|"(?:[^"\\]++|\\.)*+"?+)++""", re.S)

HTML: Final = ("text/html", "application/xhtml+xml")
NO_PAGE: Final = ("text/css", "text/javascript")
UNTOLD: Final = ("", "unknown/unknown", "application/unknown", "*/*")


class Mime(NamedTuple):
    """A content type: its essence in small letters, and the parameters.

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
        """The label of its charset, or "" where it names none."""
        return self.parameters.get("charset", "")

    @property
    def untold(self) -> bool:
        """Whether only the content can tell what it is."""
        return self.essence in UNTOLD

    @property
    def markup(self) -> bool:
        """Whether it is HTML or XML; pictures made of XML are pictures."""
        if self.essence in HTML or self.essence in ("text/xml", "application/xml"):
            return True
        return self.essence.endswith("+xml") and not self.essence.startswith("image/")

    @property
    def readable(self) -> bool:
        """Whether there may be text for people in it."""
        return self.untold or self.markup or (self.essence.startswith("text/") and self.essence not in NO_PAGE)


@lru_cache(maxsize=256)
def parse(text: str) -> Mime:
    """One content type, with an empty essence where it is none.

    >>> parse('Text/HTML; charset="utf-8"; charset=other; =x')
    Mime(essence='text/html', parameters={'charset': 'utf-8'})
    >>> parse("html").essence
    ''
    """
    text = text.strip(BLANKS)
    match = ESSENCE.match(text)
    if not match:
        return Mime()
    kind, subtype = match[1], match[2].rstrip(BLANKS)
    if not (TOKEN.fullmatch(kind) and TOKEN.fullmatch(subtype)):
        return Mime()
    return Mime(f"{kind}/{subtype}".lower(), _parameters(text, match.end()))


@lru_cache(maxsize=256)
def of(header: str) -> Mime:
    """What a Content-Type header means; of several in one line the last that makes sense, as in browsers.

    >>> str(of("text/plain, text/html;charset=gbk, text/html, nonsense"))
    'text/html;charset=gbk'
    """
    if "," not in header:
        return parse(header)
    result = Mime()
    for part in PARTS.findall(header):
        mime = parse(part)
        if mime.essence and mime.essence != "*/*":
            again = mime.essence == result.essence and not mime.charset and result.charset
            result = Mime(mime.essence, {**mime.parameters, "charset": result.charset}) if again else mime
    return result


def _parameters(text: str, start: int) -> dict[str, str]:
    found: dict[str, str] = {}
    for match in PARAMETER.finditer(text, start):
        name, quoted, plain = match[1].lower(), match[2], (match[3] or "").rstrip(BLANKS)
        if quoted is None and not plain:
            continue
        value = plain if quoted is None else re.sub(r"\\(.)", r"\1", quoted, flags=re.S)
        if TOKEN.fullmatch(name) and VALUE.fullmatch(value):
            found.setdefault(name, value)
    return found


def _quoted(value: str) -> str:
    if TOKEN.fullmatch(value):
        return value
    return '"' + re.sub(r'(["\\])', r"\\\1", value) + '"'
