"""Bytes to a Doc: title, text, terms, language, and the links in their context. Nothing raises."""

from __future__ import annotations

from typing import Final

from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser, LexborNode

from clew.parse import links, mime, pdf, scripts
from clew.parse.charset import utf8
from clew.parse.head import TITLE, Head
from clew.parse.nesting import tame
from clew.parse.sniff import magic, noise
from clew.parse.url import canonical
from clew.text import terms as words
from clew.types import Doc, Link

BYTES: Final = 5_000_000  # read of a page; what it is about and where it leads shows long before
TEXT: Final = 500_000  # characters of text kept and counted: a thick book
SNIFF: Final = 1024  # bytes in which HTML shows a tag

HEADINGS: Final = ("h1", "h2", "h3", "h4", "h5", "h6")
ABOUT: Final = ("base", "link", "meta", "title")
NO_TEXT: Final = ("image/", "audio/", "video/", "font/", "application/pdf", "application/zip")
UNTOLD: Final = ("", "application/octet-stream", "unknown/unknown")
QUICK: Final = int(LexborDocumentOptions.WO_EVENTS)  # we never change a tree that somebody watches


def parse(body: bytes, url: str, content_type: str = "", script_links: bool = False) -> Doc:
    """What a page says and where it leads; with `script_links` also where its scripts and attributes lead.

    >>> doc = parse(b"<title>Boats</title><p>We build <a href='/sail'>sailing boats</a> of oak.", "http://a.org/")
    >>> doc.title, doc.terms
    ('Boats', {'boat': 2, 'build': 1, 'sail': 1, 'oak': 1})
    >>> doc.links[0].url, doc.links[0].anchor, doc.links[0].around, doc.links[0].path
    ('http://a.org/sail', 'sailing boats', 'We build\\tof oak.', 'p>a')
    """
    if pdf.is_one(body):
        return _file(pdf.read(body), url)
    kind = mime.of(content_type)
    if not body or magic(body) or kind.essence.startswith(NO_TEXT):
        return Doc(url)
    source, charset = utf8(body[:BYTES], content_type)
    if noise(source):
        return Doc(url)
    if kind.markup or (kind.essence in UNTOLD and b"<" in source[:SNIFF]):
        return _page(source, url, charset, script_links)
    text = " ".join(source.decode("utf-8", "replace").split())[:TEXT]
    language, terms = words.read(text)
    return Doc(url, text=text, terms=terms, language=language, charset=charset)


def _file(read: pdf.Read, url: str) -> Doc:
    title = " ".join(read.title.split())[:TITLE]
    text = f"{title}\n{' '.join(read.text.split())}"[:TEXT].strip()
    language, terms = words.read(text)
    targets = dict.fromkeys(target for link in read.links if (target := canonical(link)) and target != url)
    found = [Link(url, target, position=place) for place, target in enumerate(targets)]
    return Doc(url, title, text, terms, tuple(found), language)


def _page(source: bytes, url: str, charset: str, script_links: bool) -> Doc:
    # As a browser with scripts reads it: what stands in <noscript> is no markup, and the head stays whole.
    tree = LexborHTMLParser(tame(source.replace(b"\0", b" ")), options=QUICK, scripting=True)
    if tree.root is None:
        return Doc(url, charset=charset)
    head = Head(canonical(url) or url)
    named = scripts.named(tree) if script_links else []
    found = _read(tree.root, head)
    text, spans = links.unmark(tree.root.text(separator=" ", skip_empty=True))
    described = links.describe(url, found, spans, text, head.refreshed(url))
    if named:
        described += scripts.links(url, named, head.base, described)
    text = f"{head.title}\n{text}"[:TEXT].strip()
    language, terms = words.read(text, _declared(tree.root))
    return Doc(
        url=url,
        title=head.title,
        text=text,
        terms=terms,
        links=tuple(described),
        language=language,
        charset=charset,
        canonical=head.canonical,
        nofollow=head.nofollow,
        noindex=head.noindex,
        feeds=tuple(head.feeds),
    )


def _read(root: LexborNode, head: Head) -> list[links.Found]:
    """One walk over the tree: fill the head, mark headings and links, take out what nobody sees."""
    tags = [(tag, node) for node in root.traverse() if (tag := _TAGS.get(node.tag_id))]
    elements, unseen = [], []
    for pair in tags:
        tag, node = pair
        if tag == "a":
            elements.append(pair)
            continue
        if tag in links.TAGS:
            elements.append(pair)
        elif tag in HEADINGS:
            links.mark_heading(node)
        elif tag in ABOUT:
            head.read_element(tag, node)
        if tag in links.UNSEEN:
            unseen.append(node)
    head.settle()
    found = links.find(elements, head.base, head.url)
    for node in unseen:
        node.decompose(recursive=False)
    return found


def _declared(root: LexborNode) -> str:
    name = (root.attributes.get("lang") or "")[:2].lower()
    return name if name in words.LANGUAGES else ""


def _numbers() -> dict[int, str]:
    """Tags by the parser's own numbers: comparing these spares a string for each element of a page."""
    blank = LexborHTMLParser("")
    return {blank.create_node(tag).tag_id: tag for tag in (*links.TAGS, *HEADINGS, *ABOUT, *links.UNSEEN)}


_TAGS: Final = _numbers()
