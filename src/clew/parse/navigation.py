"""Addresses that a page names outside of plain links: in javascript: URLs and in the options of a menu."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from clew.parse.url import canonical

MAX_SCRIPT_CHARACTERS: Final = 100_000  # read of one script; the long ones are libraries, which link nowhere
SCRIPT_URL: Final = re.compile(r"[\x00-\x20]*+javascript:", re.I)
# Only whole literals: an address that is put together from pieces cannot be known without running the script.
NAVIGATION: Final = re.compile(
    r"""\b(?:location(?:\.href)?\s*=\s*|location\.(?:assign|replace)\(\s*|window\.open\(\s*)"""
    r"""(?:"([^"\\<>\s]{1,2000})"|'([^'\\<>\s]{1,2000})')\s*(?=[;,)}\n]|\Z)"""
)
# "text/html" and "Europe/Berlin" are values of forms, not paths: a path begins with a slash or ends like a page.
ADDRESS: Final = re.compile(
    r"(?:https?:/)?/[\w~.%/-]\S{0,2000}+|[\w~.%/-]{1,500}\.(?:[sx]?html?|php|aspx?|jsp|cgi)(?:[?#]\S{0,1500})?", re.I
)


def script_targets(code: str) -> Iterator[str]:
    """The addresses to which a script leads, as they are written.

    >>> list(script_targets("if (x) window.location.href = '/a'; else y = '/b'"))
    ['/a']
    """
    for match in NAVIGATION.finditer(code, 0, MAX_SCRIPT_CHARACTERS):
        yield match[1] or match[2]


def script_url_target(href: str, base: str) -> str | None:
    """The page to which a javascript: URL leads; None if it names no address, or several.

    >>> script_url_target("javascript:window.open('b.html', 'help')", "http://a.org/")
    'http://a.org/b.html'
    """
    if not SCRIPT_URL.match(href):
        return None
    targets = set(script_targets(href))
    return canonical(targets.pop(), base) if len(targets) == 1 else None


def is_address(value: str) -> bool:
    """Whether the value of an option is plainly a URL or the path of a page.

    >>> [value for value in ("/de/", "b.html", "http://a.org/", "Europe/Berlin", "1.5", "/") if is_address(value)]
    ['/de/', 'b.html', 'http://a.org/']
    """
    return ADDRESS.fullmatch(value.strip()) is not None
