"""Lists of addresses: sitemaps and their indexes, feeds, and the Sitemap lines of a robots.txt.

All are read with patterns instead of an XML parser: most of the web's are broken somewhere, and what a pattern does not
know, such as entities that unfold without end, cannot hurt.
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

BYTES: Final = 50_000_000  # of a sitemap, unpacked: what the protocol allows
MAX_URLS_PER_SITEMAP: Final = 50_000  # addresses of a sitemap, likewise
ITEMS: Final = 1000  # of a feed
TITLE: Final = 300
SUMMARY: Final = 1000
SNIFF: Final = 2048  # bytes in which the kind shows

NAMES: Final = rb"(urlset|sitemapindex|rss|feed|RDF)[\s>]"
LIKELY: Final = re.compile(NAMES + rb"|\A\s*+https?://|\A\x1f\x8b|\A\xff\xfe|\A\xfe\xff", re.I)
ROOT: Final = re.compile(rb"\s*+(?:<[?!][^>]{0,1000}+>\s*+){0,10}+<(?:([\w.-]+):)?" + NAMES)
VALUE: Final = rb"\s*+(?:<!\[CDATA\[((?:(?!\]\]>).){0,4000}+)|([^<]{0,4000}+))"
ITEM: Final = re.compile(rb"<(?:item|entry)[\s>]")
HREF: Final = re.compile(rb"""<(?:atom:)?link\s([^<>]{0,2000}+)""")
PAIR: Final = re.compile(rb"""(?<![\w:-])([\w:-]++)\s*+=\s*+(?:"([^"]*)"|'([^']*)')""")
MARKUP: Final = re.compile(r"<[^<>]*>")
TITLED: Final = re.compile(rb"<title(?:\s[^<>]{0,500})?>" + VALUE, re.S)
LINKED: Final = re.compile(rb"<link>" + VALUE, re.S)
TOLD: Final = re.compile(rb"<(?:description|summary|content)(?:\s[^<>]{0,500})?>" + VALUE, re.S)


class Entry(NamedTuple):
    """An address that a list names, with what is said of it."""

    url: str
    changed: str = ""  # lastmod as it stands
    title: str = ""
    summary: str = ""


class Listing(NamedTuple):
    """A list: its kind (index, sitemap or feed), its entries and its title."""

    kind: str
    entries: list[Entry]
    title: str = ""


def listing(body: bytes, content_type: str = "") -> Listing | None:
    """What a body lists; None if it is no sitemap and no feed.

    >>> listing(b"<urlset><url><loc> http://a.org/x?a=1&amp;b=2 </loc><lastmod>2026-01-01</lastmod></url></urlset>")
    Listing(kind='sitemap', entries=[Entry(url='http://a.org/x?a=1&b=2', changed='2026-01-01', ...)], title='')
    """
    if not LIKELY.search(body, 0, SNIFF):
        return None
    source = _uncommented(utf8(unpacked(body), content_type)[0])
    root = ROOT.match(source)
    if root is None:
        lines = _plain(source)
        return Listing("sitemap", lines) if lines else None
    if root[2] in (b"urlset", b"sitemapindex"):
        kind = "sitemap" if root[2] == b"urlset" else "index"
        return Listing(kind, _located(source, root[1]))
    first, *items = ITEM.split(source, maxsplit=ITEMS)
    return Listing("feed", [entry for item in items if (entry := _item(item)).url], _text(TITLED, first, TITLE))


def listed(body: bytes, url: str, content_type: str = "") -> Doc | None:
    """A list as a document whose links are its entries; None if it is none."""
    if url.endswith("/robots.txt") and url.count("/") == 3:
        entries = [Entry(place) for place in robots_txt(body, "").sitemaps]
        return Doc(url, links=_links(url, entries, "index"), noindex=True)
    found = listing(body, content_type)
    if found is None:
        return None
    text = "\n".join([found.title, *[f"{entry.title}\n{entry.summary}" for entry in found.entries]]).strip()
    language, terms = words.read(text) if found.kind == "feed" else ("", {})
    return Doc(url, found.title, text, terms, _links(url, found.entries, found.kind), language, noindex=True)


def unpacked(body: bytes) -> bytes:
    """A file that is compressed by itself, as sitemaps often are; of too large a one the beginning."""
    if not body.startswith(b"\x1f\x8b"):
        return body[:BYTES]
    unpacking = Body("gzip", len(body), BYTES)
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
    first, *rest = source.split(b"<!--")
    return b"".join([first, *[piece.partition(b"-->")[2] for piece in rest]])


def _located(source: bytes, prefix: bytes | None) -> list[Entry]:
    """Addresses in the elements of the list's own namespace: those of pictures and news have another prefix."""
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
    url = _text(LINKED, item, 4000) or next(_hrefs(item), "")
    return Entry(url, "", _text(TITLED, item, TITLE), _text(TOLD, item, SUMMARY))


def _hrefs(item: bytes) -> Iterator[str]:
    for found in HREF.finditer(item):
        attributes = {name: double or single for name, double, single in PAIR.findall(found[1])}
        if attributes.get(b"rel", b"alternate") == b"alternate" and b"href" in attributes:
            yield _decoded(attributes[b"href"])


def _text(pattern: re.Pattern[bytes], source: bytes, most: int) -> str:
    found = pattern.search(source)
    if not found:
        return ""
    text = unescape(MARKUP.sub(" ", _decoded(found[1] or found[2] or b"")))
    return " ".join(text.split())[:most]


def _decoded(value: bytes) -> str:
    return unescape(value.decode("utf-8", "replace")).strip()


def _plain(source: bytes) -> list[Entry]:
    """A text file with an address on each line."""
    if not source[:8].lower().startswith((b"http://", b"https://")):
        return []
    lines = [line.strip() for line in source.decode("utf-8", "replace").splitlines()[:MAX_URLS_PER_SITEMAP]]
    lines = [line for line in lines if line]
    return [Entry(line) for line in lines] if all("://" in line and " " not in line for line in lines) else []
