"""The document of a response: its body, completed by its headers."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from clew.base.described import described
from clew.config import Scope
from clew.parse import mime
from clew.parse.body import KEPT_BYTES, decoded
from clew.parse.directives import directives
from clew.parse.head import FEEDS, series
from clew.parse.headers import header_links
from clew.parse.html import parse
from clew.parse.refresh import refresh_target
from clew.parse.sitemap import listed
from clew.types import Doc, Fetched, Link

RENDERED_TYPE: Final = "text/html; charset=utf-8"
MAX_HEADERS: Final = 20
MAX_HEADER_LENGTH: Final = 200
DROPPED_HEADERS: Final = frozenset(
    ["set-cookie", "content-length", "content-encoding", "transfer-encoding", "connection", "keep-alive", "trailer"]
)
"""They say how a response was sent, which an archive may not know any more, or are secrets."""

log = logging.getLogger("clew.parse")


def document(fetched: Fetched, scope: Scope = Scope(), with_main_text: bool = False) -> Doc:  # noqa: B008
    """The document of a response, with the links that may be followed, and with its main text if that is wanted.

    Nothing is raised: a page on which the parser fails is an empty document with an `error`.

    >>> page = Fetched("http://a.org/", 200, (("X-Robots-Tag", "nofollow"),), b"<a href=/b>b</a>")
    >>> document(page).links, document(page, Scope(nofollow="ignore")).links[0].url
    ((), 'http://a.org/b')
    """
    if fetched.doc:
        return fetched.doc
    try:
        return _parsed(fetched, scope, with_main_text)
    # Whatever a stranger's bytes do to the parser, it is the failure of one page.
    except Exception as error:
        log.warning("cannot parse %s: %s", fetched.url, described(error), exc_info=error)
        return Doc(fetched.url, error=described(error))


def body_of(fetched: Fetched) -> tuple[bytes, str]:
    """The body to read, and its content type."""
    if fetched.rendered:
        return fetched.rendered, RENDERED_TYPE
    return fetched.body or decoded(fetched.raw, fetched.header("content-encoding")), fetched.header("content-type")


def _parsed(fetched: Fetched, scope: Scope, with_main_text: bool) -> Doc:
    body, content_type = body_of(fetched)
    if scope.media and mime.of(content_type).media:
        return _with_headers(Doc(fetched.url, media=True), fetched)
    doc = listed(body, fetched.url, content_type, scope.feeds) if scope.sitemaps or scope.feeds else None
    if doc is None:
        wishes = scope.script_links, bool(fetched.rendered), scope.forms, with_main_text, scope.media
        doc = parse(body, fetched.url, content_type, *wishes)
    return _followable(_with_headers(doc, fetched), scope)


def packed(fetched: Fetched) -> Fetched:
    """The answer as it waits to be read: a large body is unpacked again then, for many may wait at the same time."""
    return replace(fetched, body=b"") if len(fetched.raw) < len(fetched.body) > KEPT_BYTES else fetched


def unfollowed(doc: Doc, scope: Scope) -> bool:
    """Whether none of the links of a page may be followed, because it asks so and the settings obey."""
    return doc.nofollow and scope.nofollow != "ignore"


def _with_headers(doc: Doc, fetched: Fetched) -> Doc:
    for name, value in fetched.headers:
        name = name.lower()
        if name in COMPLETE:
            doc = COMPLETE[name](doc, value)
    return replace(doc, headers=kept_headers(fetched.headers))


def kept_headers(headers: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """The headers that strategies may learn from: those that describe the page, not the transfer; a bounded part.

    >>> kept_headers([("Server", "Apache"), ("Set-Cookie", "id=1"), ("Content-Length", "20")])
    (('server', 'Apache'),)
    """
    kept = [(name.lower(), value[:MAX_HEADER_LENGTH]) for name, value in headers if name.lower() not in DROPPED_HEADERS]
    return tuple(kept[:MAX_HEADERS])


def _with_directives(doc: Doc, value: str) -> Doc:
    found = directives(value)
    return replace(doc, nofollow=doc.nofollow or found.nofollow, noindex=doc.noindex or found.noindex)


def _with_links(doc: Doc, value: str) -> Doc:
    """Add what a Link header names: the neighbours in a series, the canonical URL, and feeds."""
    links = [*doc.links]
    feeds = [*doc.feeds]
    canonical = doc.canonical
    for link in header_links(value, doc.url):
        if "canonical" in link.rel:
            canonical = canonical or link.url
        elif (kind := series(link.rel)) and link.url != doc.url:
            links.append(Link(doc.url, link.url, link.title, position=len(links), kind=kind))
        elif "alternate" in link.rel and link.type in FEEDS:
            feeds.append((link.url, link.title))
    return replace(doc, links=tuple(links), feeds=tuple(feeds), canonical=canonical)


def _with_refresh(doc: Doc, value: str) -> Doc:
    """Add where a Refresh header leads."""
    target = refresh_target(value, doc.url)
    if not target:
        return doc
    return replace(doc, links=(*doc.links, Link(doc.url, target, position=len(doc.links), kind="refresh")))


COMPLETE: Final = {"link": _with_links, "refresh": _with_refresh, "x-robots-tag": _with_directives}


def _followable(doc: Doc, scope: Scope) -> Doc:
    """The document without what must not be followed, and with its feeds as links if they are wanted."""
    links = doc.links
    if unfollowed(doc, scope):
        # To fill in a form is to follow it.
        return replace(doc, links=(), forms=()) if links or doc.forms else doc
    if scope.nofollow == "links":
        links = tuple([link for link in links if not link.nofollow])
    if scope.feeds and doc.feeds:
        links += tuple([Link(doc.url, url, title, kind="alternate") for url, title in doc.feeds])
    # Most documents stay as they are and need no copy.
    return doc if links is doc.links else replace(doc, links=links)
