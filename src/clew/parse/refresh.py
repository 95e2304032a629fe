"""Where a meta refresh or the HTTP Refresh header leads, read as in the HTML standard (shared declarative refresh)."""

from __future__ import annotations

import re
from typing import Final

from clew.parse.url import canonical

MAX_REFRESH_CHARACTERS: Final = 4000
# Seconds, then a separator, which may be blanks alone, then "url=" or nothing.
DELAY: Final = re.compile(r"[\t\n\f\r ]*+[0-9.]++")
SEPARATOR: Final = re.compile(r"(?:[\t\n\f\r ]++[;,]?+|[;,])[\t\n\f\r ]*+(?:url[\t\n\f\r ]*+=[\t\n\f\r ]*+)?+", re.I)


def refresh_url(value: str) -> str | None:
    """The URL as it is written: "" if the page is only loaded again, None if the value is invalid and has no effect.

    >>> refresh_url("5; url='next.html' (please wait)"), refresh_url("5"), refresh_url("next.html")
    ('next.html', '', None)
    """
    value = value[:MAX_REFRESH_CHARACTERS]
    delay = DELAY.match(value)
    if not delay:
        return None
    rest = value[delay.end() :]
    separator = SEPARATOR.match(rest)
    if not separator:
        return None if rest else ""
    return _unquoted(rest[separator.end() :])


def refresh_target(value: str, base: str) -> str | None:
    """The canonical URL that a refresh leads to; None if it is invalid, or leads nowhere else.

    >>> refresh_target("0;url=/b", "http://a.org/"), refresh_target("0;url=#top", "http://a.org/")
    ('http://a.org/b', None)
    """
    url = refresh_url(value)
    target = canonical(url, base) if url else None
    return target if target != canonical(base) else None


def _unquoted(url: str) -> str:
    """A URL up to its closing quote; what follows is a text for people."""
    quote = url[:1]
    return url[1:].partition(quote)[0] if quote in ("'", '"') else url
