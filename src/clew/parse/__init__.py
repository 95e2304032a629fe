"""Bytes to text and links in context, and URLs in one spelling."""

from __future__ import annotations

from typing import Final

from clew.parse.document import document
from clew.parse.headers import header_links
from clew.parse.html import parse
from clew.parse.url import canonical, depth, domain, host, tokens

VERSION: Final = 2  # of what `parse` makes of a page: whoever keeps a Doc keeps this number with it

__all__ = ["VERSION", "canonical", "depth", "document", "domain", "header_links", "host", "parse", "tokens"]
