"""Bytes to a Doc: title, text, terms, language, and links in context. Nothing here raises."""

from __future__ import annotations

from typing import Final

from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser, LexborNode

from clew.parse import links, mime, pdf, scripts
from clew.parse.charset import utf8
from clew.parse.head import MAX_TITLE_CHARACTERS, Head
from clew.parse.nesting import tame
from clew.parse.sniff import magic, noise
from clew.parse.url import canonical
from clew.text import terms as words
from clew.types import Doc, Link

MAX_PAGE_BYTES: Final = 5_000_000  # the rest of a longer page is ignored: its subject and links show long before
MAX_TEXT_CHARACTERS: Final = 500_000  # kept and counted: a thick book
SNIFF_BYTES: Final = 1024  # in which HTML shows a tag

HEADINGS: Final = ("h1", "h2", "h3", "h4", "h5", "h6")
ABOUT: Final = ("base", "link", "meta", "title")
NO_TEXT: Final = ("image/", "audio/", "video/", "font/", "application/pdf", "application/zip")
UNDECLARED: Final = ("", "application/octet-stream", "unknown/unknown")  # only the content can tell
# Events would tell watchers about changes of the tree, and nobody watches.
WITHOUT_EVENTS: Final = int(LexborDocumentOptions.WO_EVENTS)


def parse(body: bytes, url: str, content_type: str = "", script_links: bool = False) -> Doc:
    """Parse a page; `script_links` adds the URLs in its scripts and attributes to its links.

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
    source, charset = utf8(body[:MAX_PAGE_BYTES], content_type)
    # Asked after decoding: UTF-16 is full of NUL bytes, which would look like noise.
    if noise(source):
        return Doc(url)
    if kind.markup or (kind.essence in UNDECLARED and b"<" in source[:SNIFF_BYTES]):
        return _page(source, url, charset, script_links)
    text = " ".join(source.decode("utf-8", "replace").split())[:MAX_TEXT_CHARACTERS]
    language, terms = words.read(text)
    return Doc(url, text=text, terms=terms, language=language, charset=charset)


def _file(read: pdf.Read, url: str) -> Doc:
    title = " ".join(read.title.split())[:MAX_TITLE_CHARACTERS]
    text = f"{title}\n{' '.join(read.text.split())}"[:MAX_TEXT_CHARACTERS].strip()
    language, terms = words.read(text)
    targets: dict[str, None] = {}
    for link in read.links:
        target = canonical(link)
        if target and target != url:
            targets[target] = None
    found = [Link(url, target, position=place) for place, target in enumerate(targets)]
    return Doc(url, title, text, terms, tuple(found), language)


def _page(source: bytes, url: str, charset: str, script_links: bool) -> Doc:
    # NUL bytes go because `links` uses them as marks. Parsed as in a browser with scripts: the content of <noscript> is
    # not markup, and cannot end the head of the page.
    tree = LexborHTMLParser(tame(source.replace(b"\0", b" ")), options=WITHOUT_EVENTS, scripting=True)
    if tree.root is None:
        return Doc(url, charset=charset)
    head = Head(canonical(url) or url)
    # Before `_read`, which takes the scripts out of the tree.
    in_scripts = scripts.find_links(tree) if script_links else []
    found = _read(tree.root, head)
    text, spans = links.unmark(tree.root.text(separator=" ", skip_empty=True))
    described = links.describe(url, found, spans, text, head.refreshed(url))
    if in_scripts:
        described += scripts.links(url, in_scripts, head.base, described)
    text = f"{head.title}\n{text}"[:MAX_TEXT_CHARACTERS].strip()
    language, terms = words.read(text, _declared_language(tree.root))
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
    """One walk over the tree: fill the head, mark headings and links, remove invisible elements."""
    # The walk ends before the tree changes: it must not meet the marks.
    tags = [(tag, node) for node in root.traverse() if (tag := _TAGS.get(node.tag_id))]
    elements = []
    unseen = []
    for pair in tags:
        tag, node = pair
        # Links are by far the most frequent of these elements, so they are asked for first.
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


def _declared_language(root: LexborNode) -> str:
    name = (root.attributes.get("lang") or "")[:2].lower()
    return name if name in words.LANGUAGES else ""


def _numbers() -> dict[int, str]:
    """Tags by the parser's own numbers, which spare making a string for each element of a page."""
    blank = LexborHTMLParser("")
    return {blank.create_node(tag).tag_id: tag for tag in (*links.TAGS, *HEADINGS, *ABOUT, *links.UNSEEN)}


_TAGS: Final = _numbers()
