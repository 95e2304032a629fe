"""URLs, parsed as in browsers (WHATWG), and the parts of them that a crawler needs."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote

from ada_url import idna_to_unicode, join_url, normalize_url

if TYPE_CHECKING:
    from publicsuffixlist import PublicSuffixList

# URLs that are in canonical form already and need no parser: no dot segments, nothing to escape, no numeric or punycode
# host.
_NAME: Final = r"[A-Za-z0-9_~-][A-Za-z0-9_.~-]*+"
_PATH: Final = rf"(?:{_NAME}/)*+(?:{_NAME})?+(?:\?[A-Za-z0-9_.~=&+;:,/-]*+)?+"
PLAIN: Final = re.compile(rf"(?!\?)(?:/|(?:\.\./){{1,9}}+)?+{_PATH}")
ABSOLUTE: Final = re.compile(rf"https?://(?:[a-z0-9][a-z0-9-]*+\.)++[a-z][a-z-]*+/{_PATH}")
WORD: Final = re.compile(r"[^\W_]+")
# Escapes of unreserved characters, or in lower case; most URLs have none. A stray % before an escape would make another
# escape of what is decoded: such escapes stay.
_CHANGING: Final = r"2[DE]|3\d|[46][1-9A-F]|[57][\dA]|5F|7E|[\dA-F][a-f]|[a-f][\dA-Fa-f]"
ESCAPE: Final = re.compile(rf"%({_CHANGING})(?<!%%..)(?<!%[\dA-Fa-f]%..)", re.ASCII)
UNRESERVED: Final = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")


def resolve(url: str, base: str | None = None) -> str | None:
    """The absolute URL of any scheme, as the WHATWG standard serialises it; None if it is invalid.

    >>> resolve("../a b", "http://EXAMPLE.org/x/y/z")
    'http://example.org/x/a%20b'
    """
    try:
        return normalize_url(url) if base is None else join_url(base, url)
    except ValueError:
        return None


def canonical(url: str, base: str | None = None) -> str | None:
    """The canonical form of the URL of a page: http or https, no fragment, no credentials; else None.

    >>> canonical("HTTP://me:secret@Example.org:80/%7Ea/./b%c3%bc#top")
    'http://example.org/~a/b%C3%BC'
    >>> canonical("mailto:me@example.org") is None
    True
    """
    if base is None:
        quick = _quick(url, "", "")
        if quick:
            return quick
    page = spelled(url, base)
    return unify_escapes(page) if page and "%" in page else page


def spelled(url: str, base: str | None = None) -> str | None:
    """The same with its escapes as they are spelled, for servers that insist on their spelling.

    >>> spelled("/%7Ea#top", "http://example.org/")
    'http://example.org/%7Ea'
    """
    return _page(resolve(url, base))


def unify_escapes(text: str) -> str:
    """Escapes in one spelling (RFC 3986, 6.2.2): unreserved characters without, the others in upper case.

    >>> unify_escapes("%7ea%2fb%c3%bc")
    '~a%2Fb%C3%BC'
    """
    return ESCAPE.sub(_unified, text)


def join(base: str, hrefs: Iterable[str]) -> dict[str, str | None]:
    """The canonical target of each distinct href on a page.

    >>> join("http://a.org/b/", ["c", "c", "#d", "tel:1"])
    {'c': 'http://a.org/b/c', '#d': 'http://a.org/b/', 'tel:1': None}
    """
    here = canonical(base)
    pages = {"": here}
    root, folder = _places(here)
    found: dict[str, str | None] = {}
    for href in hrefs:
        if href in found:
            continue
        page = href.partition("#")[0] if "#" in href else href
        # Blanks count before a fragment, but are stripped at the end of a URL.
        if page and page[-1] <= " ":
            page = href
        if page not in pages:
            pages[page] = _quick(page, root, folder) or canonical(page, base)
        found[href] = pages[page]
    return found


def host(url: str) -> str:
    """The host and port of a canonical URL.

    >>> host("https://docs.example.org:8080/a?b=/c")
    'docs.example.org:8080'
    """
    return url[url.find("//") + 2 :].partition("/")[0]


def domain(url: str) -> str:
    """The registered domain of a canonical URL, by the Public Suffix List; an IP address is its own domain.

    >>> domain("http://www.cam.ac.uk/"), domain("https://a.b.example.org/"), domain("http://127.0.0.1:80/")
    ('cam.ac.uk', 'example.org', '127.0.0.1')
    """
    return _registered(host(url))


def tokens(url: str) -> list[str]:
    """The words of host and path, in lower case.

    >>> tokens("https://www.example.org/Segeln_auf_R%C3%BCgen/index.html?q=1")
    ['www', 'example', 'org', 'segeln', 'auf', 'rügen', 'index', 'html']
    """
    name, _, path = url[url.find("//") + 2 :].partition("?")[0].partition("/")
    if "xn--" in name:
        name = idna_to_unicode(name)
    if "%" in path:
        path = unquote(path, errors="replace")
    return WORD.findall(f"{name}/{path}".lower())


def depth(url: str) -> int:
    """The number of segments in the path of a canonical URL.

    >>> depth("http://example.org/"), depth("http://example.org/a/b/"), depth("http://example.org/a/b/c.html")
    (0, 2, 3)
    """
    path = url[url.find("//") + 2 :].partition("?")[0].partition("/")[2]
    return len([segment for segment in path.split("/") if segment])


@cache
def _suffixes() -> PublicSuffixList:
    # Imported late: reading the list takes a tenth of a second. It comes with the library, without network access.
    from publicsuffixlist import PublicSuffixList

    return PublicSuffixList()


@lru_cache(100_000)
def _registered(name: str) -> str:
    if name.startswith("["):
        return name.partition("]")[0] + "]"
    name = name.partition(":")[0].rstrip(".")
    # Only an IPv4 address ends with a number.
    if name.rpartition(".")[2].isdigit():
        return name
    return _suffixes().privatesuffix(name) or name


def _unified(escape: re.Match[str]) -> str:
    character = chr(int(escape[1], 16))
    return character if character in UNRESERVED else escape[0].upper()


def _places(here: str | None) -> tuple[str, str]:
    """What absolute paths and relative paths on a page are appended to."""
    if here is None:
        return "", ""
    root = here[: here.index("/", 8)]
    folder = here.partition("?")[0].rpartition("/")[0] + "/"
    return root, folder


def _quick(page: str, root: str, folder: str) -> str:
    """The canonical URL if it needs no parser, else "": plain paths, also upwards, and plain absolute URLs."""
    # Most links are such, and joining strings costs a fraction of parsing a URL.
    if page.startswith("http"):
        return page if "xn--" not in page and ABSOLUTE.fullmatch(page) else ""
    if not root or not PLAIN.fullmatch(page):
        return ""
    if page[0] == "/":
        return root + page
    while page.startswith("../"):
        page = page[3:]
        folder = folder[: max(folder.rfind("/", 0, -1), len(root)) + 1]
    return folder + page


def _page(href: str | None) -> str | None:
    """An absolute URL without fragment and credentials, or None if it is not http or https."""
    if href is None or not href.startswith(("http://", "https://")):
        return None
    href = href.partition("#")[0]
    if "@" in href:
        scheme, _, rest = href.partition("//")
        authority, slash, path = rest.partition("/")
        href = f"{scheme}//{authority.rpartition('@')[2]}{slash}{path}"
    return href


def is_robots_file(url: str) -> bool:
    """Whether a URL is the robots.txt of its host.

    >>> is_robots_file("http://a.example/robots.txt"), is_robots_file("http://a.example/docs/robots.txt")
    (True, False)
    """
    return url.endswith("/robots.txt") and url.count("/") == 3
