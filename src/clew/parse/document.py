"""Everything that an answer says: its body, and what its headers add."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from clew.config import Scope
from clew.parse.directives import directives
from clew.parse.head import FEEDS
from clew.parse.headers import header_links
from clew.parse.html import parse
from clew.parse.sitemap import listed
from clew.types import Doc, Fetched, Link

TOLD: Final = frozenset(["link", "x-robots-tag"])
RENDERED: Final = "text/html; charset=utf-8"


def document(fetched: Fetched, scope: Scope = Scope()) -> Doc:  # noqa: B008
    """The document of an answer, with those of its links that may be followed.

    >>> page = Fetched("http://a.org/", 200, (("X-Robots-Tag", "nofollow"),), b"<a href=/b>b</a>")
    >>> document(page).links, document(page, Scope(nofollow="ignore")).links[0].url
    ((), 'http://a.org/b')
    """
    if fetched.doc:
        return fetched.doc
    body, kind = fetched.body, fetched.header("content-type")
    if fetched.rendered:
        body, kind = fetched.rendered, RENDERED
    doc = listed(body, fetched.url, kind) if scope.sitemaps or scope.feeds else None
    doc = doc or parse(body, fetched.url, kind, scope.script_links)
    return _heeding(_with_headers(doc, fetched), scope)


def unfollowed(doc: Doc, scope: Scope) -> bool:
    """Whether the page wants none of its links followed, and is obeyed."""
    return doc.nofollow and scope.nofollow != "ignore"


def _with_headers(doc: Doc, fetched: Fetched) -> Doc:
    for name, value in fetched.headers:
        if (name := name.lower()) in TOLD:
            doc = _with_links(doc, value) if name == "link" else _with_directives(doc, value)
    return doc


def _with_directives(doc: Doc, value: str) -> Doc:
    said = directives(value)
    return replace(doc, nofollow=doc.nofollow or said.nofollow, noindex=doc.noindex or said.noindex)


def _with_links(doc: Doc, value: str) -> Doc:
    """A Link header may name the next page of several, the page's own address, and its feeds."""
    links, feeds, own = [*doc.links], [*doc.feeds], doc.canonical
    for link in header_links(value, doc.url):
        if "canonical" in link.rel:
            own = own or link.url
        elif "next" in link.rel and link.url != doc.url:
            links.append(Link(doc.url, link.url, link.title, position=len(links), kind="next"))
        elif "alternate" in link.rel and link.type in FEEDS:
            feeds.append((link.url, link.title))
    return replace(doc, links=tuple(links), feeds=tuple(feeds), canonical=own)


def _heeding(doc: Doc, scope: Scope) -> Doc:
    links = doc.links
    if unfollowed(doc, scope):
        links = ()
    elif scope.nofollow == "links":
        links = tuple([link for link in links if not link.nofollow])
    if scope.feeds and doc.feeds and not unfollowed(doc, scope):
        links += tuple([Link(doc.url, url, title, kind="alternate") for url, title in doc.feeds])
    return doc if links is doc.links else replace(doc, links=links)
