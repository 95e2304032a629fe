"""Parsing: bytes become text and links in context, URLs get their canonical form."""

from __future__ import annotations

from typing import Final

from clew.parse.document import document, packed
from clew.parse.headers import header_links
from clew.parse.html import parse
from clew.parse.url import canonical, depth, domain, host, tokens

VERSION: Final = 5  # of the result of `parse`; code that stores a Doc stores this number with it

__all__ = ["VERSION", "canonical", "depth", "document", "domain", "header_links", "host", "packed", "parse", "tokens"]
