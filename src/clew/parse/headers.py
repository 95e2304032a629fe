"""Links in the headers of a response (RFC 8288)."""

from __future__ import annotations

import re
from itertools import islice
from typing import Final, NamedTuple

from clew.parse.url import canonical

MAX_LINKS_PER_HEADER: Final = 100
MAX_CHARACTERS: Final = 32_768  # of one header; the rest is ignored
# Possessive quantifiers (++ and *+) never backtrack, so a hostile header costs no more than its length.
LINK: Final = re.compile(
    r"""<([^<>]*+)>((?:\s*+;\s*+[^\s=;,<>"]*+(?:\s*+=\s*+(?:"(?:[^"\\]++|\\.)*+"|[^\s;,"<>]*+))?+)*+)"""
)
PARAMETER: Final = re.compile(r""";\s*+([^\s=;,"]++)(?:\s*+=\s*+(?:"((?:[^"\\]++|\\.)*+)"|([^\s;,"]*+)))?+""")


class HeaderLink(NamedTuple):
    """The target, its relations in lower case, and the type and title of the target, if the header names them."""

    url: str
    rel: tuple[str, ...] = ()
    type: str = ""
    title: str = ""


def header_links(value: str, base: str) -> list[HeaderLink]:
    """The links of a Link header to pages; links whose context is another document are left out.

    >>> header_links('</p2>; rel="next last", <mailto:me>; rel=author', "http://a.org/p1")
    [HeaderLink(url='http://a.org/p2', rel=('next', 'last'), type='', title='')]
    """
    found: list[HeaderLink] = []
    for target, parameters in islice(LINK.findall(value[:MAX_CHARACTERS]), MAX_LINKS_PER_HEADER):
        about = _parameters(parameters)
        url = canonical(target.strip(), base)
        # The parameter `anchor` gives the link another context than this page.
        if url and "anchor" not in about:
            rel = tuple(about.get("rel", "").lower().split())
            found.append(HeaderLink(url, rel, about.get("type", "").lower(), about.get("title", "")))
    return found


def _parameters(text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for name, quoted, plain in PARAMETER.findall(text):
        # Of repeated parameters the first counts (RFC 8288, 3.3 and 3.4).
        found.setdefault(name.lower(), re.sub(r"\\(.)", r"\1", quoted) or plain)
    return found
