"""Bookmarks as browsers export them: the HTML file of all browsers, and the JSON files of Chromium and Firefox."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from html import unescape
from typing import Any, Final, NamedTuple

from clew.errors import ConfigError
from clew.parse.url import canonical

# The format is older than any standard and no valid HTML: definition lists that are never closed where they should be.
TOKEN: Final = re.compile(
    r"<h3\b[^>]*>(?P<folder>.*?)</h3>|(?P<open><dl\b)|(?P<close></dl\b)|"
    r"""<a\s[^>]*?href\s*=\s*(?:"(?P<url>[^"]*)"|'(?P<url1>[^']*)')[^>]*>(?P<title>.*?)</a>""",
    re.I | re.S,
)
NETSCAPE: Final = re.compile(rb"<!doctype\s+netscape-bookmark-file|<dl\b[^>]*>\s*(?:<p>\s*)?<dt>", re.I)
SNIFF_BYTES: Final = 4096
COMPRESSED: Final = b"mozLz40\0"  # the automatic backups of Firefox
TAG: Final = re.compile(r"<[^>]*>")
FIREFOX_PAGE: Final = "text/x-moz-place"


class Bookmark(NamedTuple):
    """A bookmark with the folders that it lies in, from the outermost on."""

    url: str
    title: str = ""
    folders: tuple[str, ...] = ()


def read_bookmarks(data: bytes) -> list[Bookmark] | None:
    """The bookmarks in a file, in its order; None if it is no export of bookmarks.

    >>> html = b"<DL><DT><H3>Sport</H3><DL><p><DT><A HREF='http://a.org/'>A</A></DL></DL>"
    >>> read_bookmarks(html)
    [Bookmark(url='http://a.org/', title='A', folders=('Sport',))]
    """
    if data.startswith(COMPRESSED):
        raise ConfigError(
            "it is a compressed backup of Firefox: in Firefox, open the library of bookmarks and export them to HTML "
            "or JSON (Import and Backup)"
        )
    if NETSCAPE.search(data[:SNIFF_BYTES]):
        return list(_from_html(data.decode("utf-8", "replace")))
    if not data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
        return None
    try:
        document = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return None
    return _from_json(document)


def web_pages(bookmarks: Sequence[Bookmark]) -> list[str]:
    """The addresses of the bookmarks that lead to the web, each once: not bookmarklets, local files and queries."""
    found = [canonical(bookmark.url) for bookmark in bookmarks]
    return list(dict.fromkeys(url for url in found if url))


def in_folder(bookmarks: Sequence[Bookmark], folder: str) -> list[Bookmark]:
    """The bookmarks in a folder and in those inside it; "Sport/Sailing" tells two folders of one name apart.

    >>> marks = [Bookmark("http://a.org/", "", ("Bar", "Sport", "Sailing")), Bookmark("http://b.org/", "", ("Bar",))]
    >>> [mark.url for mark in in_folder(marks, "sport/sailing")]
    ['http://a.org/']
    """
    wanted = f"/{folder.strip('/').lower()}/"
    return [mark for mark in bookmarks if wanted in f"/{'/'.join(mark.folders).lower()}/"]


def folders_of(bookmarks: Sequence[Bookmark]) -> list[str]:
    """The names of all folders that hold bookmarks, in the order of the file."""
    names: dict[str, None] = {}
    for bookmark in bookmarks:
        names |= dict.fromkeys(name for name in bookmark.folders if name)
    return list(names)


def _from_html(text: str) -> Iterator[Bookmark]:
    folders: list[str] = []
    heading = ""
    for token in TOKEN.finditer(text):
        if token["folder"] is not None:
            heading = _plain(token["folder"])
        elif token["open"]:
            # A list belongs to the heading before it; the outermost has none.
            folders.append(heading)
            heading = ""
        elif token["close"]:
            del folders[-1:]
        else:
            url = unescape(token["url"] if token["url"] is not None else token["url1"])
            yield Bookmark(url, _plain(token["title"]), tuple(filter(None, folders)))


def _from_json(document: Any) -> list[Bookmark] | None:
    if not isinstance(document, dict):
        return None
    roots = document.get("roots")
    if isinstance(roots, dict):
        nodes = [node for node in roots.values() if isinstance(node, dict)]
    elif document.get("root") == "placesRoot" or str(document.get("type", "")).startswith(FIREFOX_PAGE):
        nodes = [child for child in document.get("children", []) if isinstance(child, dict)]
    else:
        return None
    found: list[Bookmark] = []
    for node in nodes:
        found += _from_node(node, ())
    return found


def _from_node(node: dict[str, Any], folders: tuple[str, ...]) -> Iterator[Bookmark]:
    """The bookmarks at and below a node: Chromium writes name and url, Firefox title and uri."""
    title = str(node.get("name") or node.get("title") or "")
    url = node.get("url") or node.get("uri")
    if isinstance(url, str):
        yield Bookmark(url, title, folders)
    for child in node.get("children") or ():
        if isinstance(child, dict):
            yield from _from_node(child, (*folders, title) if title else folders)


def _plain(text: str) -> str:
    return " ".join(unescape(TAG.sub("", text)).split())
