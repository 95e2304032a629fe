"""Links in the header of an answer (RFC 8288)."""

from __future__ import annotations

import re
from itertools import islice
from typing import Final, NamedTuple

from clew.parse.url import canonical

MAX_LINKS_PER_HEADER: Final = 100  # links of one header
LENGTH: Final = 32_768  # characters that are read
LINK: Final = re.compile(
    r"""<([^<>]*+)>((?:\s*+;\s*+[^\s=;,<>"]*+(?:\s*+=\s*+(?:"(?:[^"\\]++|\\.)*+"|[^\s;,"<>]*+))?+)*+)"""
)
PARAMETER: Final = re.compile(r""";\s*+([^\s=;,"]++)(?:\s*+=\s*+(?:"((?:[^"\\]++|\\.)*+)"|([^\s;,"]*+)))?+""")


class HeaderLink(NamedTuple):
    """Where it leads, its relations in small letters, and the type and title of what is there, if it tells them."""

    url: str
    rel: tuple[str, ...] = ()
    type: str = ""
    title: str = ""


def header_links(value: str, base: str) -> list[HeaderLink]:
    """The links of a Link header to pages; those about another document than this one are left out.

    >>> header_links('</p2>; rel="next last", <mailto:me>; rel=author', "http://a.org/p1")
    [HeaderLink(url='http://a.org/p2', rel=('next', 'last'), type='', title='')]
    """
    found: list[HeaderLink] = []
    for target, told in islice(LINK.findall(value[:LENGTH]), MAX_LINKS_PER_HEADER):
        about = _parameters(told)
        url = canonical(target.strip(), base)
        if url and "anchor" not in about:
            rel = tuple(about.get("rel", "").lower().split())
            found.append(HeaderLink(url, rel, about.get("type", "").lower(), about.get("title", "")))
    return found


def _parameters(told: str) -> dict[str, str]:
    """Of a parameter that is given twice the first counts."""
    found: dict[str, str] = {}
    for name, quoted, plain in PARAMETER.findall(told):
        found.setdefault(name.lower(), re.sub(r"\\(.)", r"\1", quoted) or plain)
    return found
