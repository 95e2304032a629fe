"""Lists of URLs: sitemaps and their indexes, feeds, and the Sitemap lines of a robots.txt.

They are read with patterns instead of an XML parser: many on the web are broken somewhere, and features that a pattern
does not know, such as entities that expand without end, cannot do harm.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from html import unescape
from typing import Final, NamedTuple

from clew.parse.body import Body, BodyFailure
from clew.parse.charset import utf8
from clew.parse.robots import robots_txt
from clew.parse.url import canonical
from clew.text import terms as words
from clew.types import Doc, Link

MAX_SITEMAP_BYTES: Final = 50_000_000  # uncompressed, as in the sitemaps protocol
MAX_URLS_PER_SITEMAP: Final = 50_000  # likewise
MAX_ITEMS_PER_FEED: Final = 1000
MAX_URL_CHARACTERS: Final = 4000
MAX_TITLE_CHARACTERS: Final = 300
MAX_SUMMARY_CHARACTERS: Final = 1000
SNIFF_BYTES: Final = 2048  # in which the kind of a list shows

NAMES: Final = rb"(urlset|sitemapindex|rss|feed|RDF)[\s>]"
# These patterns run over megabytes of anything, hence the bounded and possessive quantifiers.
WORDS: Final = (b"urlset", b"sitemapindex", b"rss", b"feed", b"rdf")
BEGINS: Final = re.compile(rb"(?:\xef\xbb\xbf)?+\s*+https?://|\x1f\x8b|\xff\xfe|\xfe\xff")
LIKELY: Final = re.compile(NAMES + rb"|\A(?:" + BEGINS.pattern + rb")", re.I)
ROOT: Final = re.compile(rb"\s*+(?:<[?!][^>]{0,1000}+>\s*+){0,10}+<(?:([\w.-]+):)?" + NAMES)
VALUE: Final = rb"\s*+(?:<!\[CDATA\[((?:(?!\]\]>).){0,4000}+)|([^<]{0,4000}+))"
ITEM: Final = re.compile(rb"<(?:item|entry)[\s>]")
HREF: Final = re.compile(rb"""<(?:atom:)?link\s([^<>]{0,2000}+)""")
PAIR: Final = re.compile(rb"""(?<![\w:-])([\w:-]++)\s*+=\s*+(?:"([^"]*)"|'([^']*)')""")
MARKUP: Final = re.compile(r"<[^<>]*>")
TITLED: Final = re.compile(rb"<title(?:\s[^<>]{0,500})?>" + VALUE, re.S)
LINKED: Final = re.compile(rb"<link>" + VALUE, re.S)
PERMALINK: Final = re.compile(
    rb"""<guid(?!\s[^<>]{0,500}?isPermaLink\s{0,9}=\s{0,9}["']?\s{0,9}false)(?:\s[^<>]{0,500})?>""" + VALUE, re.S | re.I
)
SUMMARISED: Final = re.compile(rb"<(?:description|summary|content)(?:\s[^<>]{0,500})?>" + VALUE, re.S)


class Entry(NamedTuple):
    """A URL in a list, with its description."""

    url: str
    changed: str = ""  # lastmod as it is written
    title: str = ""
    summary: str = ""


class Listing(NamedTuple):
    """A list of URLs: its kind (index, sitemap or feed), its entries and its title."""

    kind: str
    entries: list[Entry]
    title: str = ""


def listing(body: bytes, content_type: str = "") -> Listing | None:
    """The list in a body; None if it is neither a sitemap nor a feed.

    >>> listing(b"<urlset><url><loc> http://a.org/x?a=1&amp;b=2 </loc><lastmod>2026-01-01</lastmod></url></urlset>")
    Listing(kind='sitemap', entries=[Entry(url='http://a.org/x?a=1&b=2', changed='2026-01-01', ...)], title='')
    """
    # Asked of every page, so most answers must come fast, from the first bytes.
    head = body[:SNIFF_BYTES].lower()
    if not (BEGINS.match(head) or any(name in head for name in WORDS)) or not LIKELY.search(head):
        return None
    source = _uncommented(utf8(unpacked(body), content_type)[0])
    root = ROOT.match(source)
    if root is None:
        lines = _plain(source)
        return Listing("sitemap", lines) if lines else None
    if root[2] in (b"urlset", b"sitemapindex"):
        kind = "sitemap" if root[2] == b"urlset" else "index"
        return Listing(kind, _located(source, root[1]))
    first, *items = ITEM.split(source, maxsplit=MAX_ITEMS_PER_FEED)
    entries = [entry for entry in map(_item, items) if entry.url]
    return Listing("feed", entries, _text(TITLED, first, MAX_TITLE_CHARACTERS))


def listed(body: bytes, url: str, content_type: str = "", feeds: bool = True) -> Doc | None:
    """A list as a document with its entries as links; None if the body is not a list, or a feed and none are wanted."""
    if url.endswith("/robots.txt") and url.count("/") == 3:
        entries = [Entry(sitemap) for sitemap in robots_txt(body, "").sitemaps]
        return Doc(url, links=_links(url, entries, "index"), noindex=True)
    found = listing(body, content_type)
    if found is None or (found.kind == "feed" and not feeds):
        return None
    text = "\n".join([found.title, *[f"{entry.title}\n{entry.summary}" for entry in found.entries]]).strip()
    language, terms = words.read(text) if found.kind == "feed" else ("", {})
    return Doc(url, found.title, text, terms, _links(url, found.entries, found.kind), language, noindex=True)


def unpacked(body: bytes) -> bytes:
    """The content of a gzip file, as which sitemaps are often served; a file that is too large is cut off."""
    if not body.startswith(b"\x1f\x8b"):
        return body[:MAX_SITEMAP_BYTES]
    unpacking = Body("gzip", len(body), MAX_SITEMAP_BYTES)
    with suppress(BodyFailure):
        unpacking.feed(body)
    return unpacking.both()[1]


def _links(source: str, entries: Iterable[Entry], kind: str) -> tuple[Link, ...]:
    found: dict[str, Link] = {}
    for entry in entries:
        url = canonical(entry.url, source)
        if url and url != source and url not in found:
            around = f"\t{entry.summary}" if entry.summary else ""
            found[url] = Link(source, url, entry.title, around, position=len(found), kind=kind)
    return tuple(found.values())


def _uncommented(source: bytes) -> bytes:
    if b"<!--" not in source:
        return source
    # Splitting is linear; a pattern for comments would not be when none of them is closed.
    first, *rest = source.split(b"<!--")
    return b"".join([first, *[piece.partition(b"-->")[2] for piece in rest]])


def _located(source: bytes, prefix: bytes | None) -> list[Entry]:
    """The URLs in loc elements."""
    # Only those of the list's own namespace: the elements of images and news have another prefix.
    own = re.escape(prefix) + b":" if prefix else b""
    entries: list[Entry] = []
    for found in re.compile(rb"<" + own + rb"(loc|lastmod)\s*>" + VALUE, re.S).finditer(source):
        value = _decoded(found[2] or found[3] or b"")
        if found[1] == b"loc":
            if len(entries) == MAX_URLS_PER_SITEMAP:
                break
            entries.append(Entry(value))
        elif entries:
            entries[-1] = entries[-1]._replace(changed=value)
    return [entry for entry in entries if entry.url]


def _item(item: bytes) -> Entry:
    """An item of RSS or an entry of Atom."""
    # RSS writes the URL as text, Atom as an attribute.
    url = _text(LINKED, item, MAX_URL_CHARACTERS) or next(_hrefs(item), "") or _permalink(item)
    title = _text(TITLED, item, MAX_TITLE_CHARACTERS)
    summary = _text(SUMMARISED, item, MAX_SUMMARY_CHARACTERS)
    return Entry(url, title=title, summary=summary)


def _hrefs(item: bytes) -> Iterator[str]:
    for found in HREF.finditer(item):
        attributes = {name: double or single for name, double, single in PAIR.findall(found[1])}
        if attributes.get(b"rel", b"alternate") == b"alternate" and b"href" in attributes:
            yield _decoded(attributes[b"href"])


def _permalink(item: bytes) -> str:
    """The guid of an item of RSS, which is its URL unless it says otherwise."""
    guid = _text(PERMALINK, item, MAX_URL_CHARACTERS)
    # Many that are plain identifiers do not say so.
    return guid if guid.startswith(("http://", "https://")) else ""


def _text(pattern: re.Pattern[bytes], source: bytes, limit: int) -> str:
    found = pattern.search(source)
    if not found:
        return ""
    # Feeds escape HTML in their texts: entities are decoded before tags are removed, and again for those in the HTML.
    text = unescape(MARKUP.sub(" ", _decoded(found[1] or found[2] or b"")))
    return " ".join(text.split())[:limit]


def _decoded(value: bytes) -> str:
    return unescape(value.decode("utf-8", "replace")).strip()


def _plain(source: bytes) -> list[Entry]:
    """The entries of a text file with one URL per line; none if any line is something else."""
    if not source[:SNIFF_BYTES].lstrip()[:8].lower().startswith((b"http://", b"https://")):
        return []
    lines = [line.strip() for line in source.decode("utf-8", "replace").splitlines()[:MAX_URLS_PER_SITEMAP]]
    urls = [line for line in lines if line]
    if not all("://" in url and " " not in url for url in urls):
        return []
    return [Entry(url) for url in urls]
