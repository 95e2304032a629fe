"""Bytes to a Doc: title, text, terms, language, and links in context."""

from __future__ import annotations

import logging
from typing import Final, NamedTuple

from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser, LexborNode

from clew.base.described import described
from clew.parse import blocks, forms, links, media, pdf, scripts
from clew.parse import main_text as content
from clew.parse.cost import unbroken
from clew.parse.head import MAX_TITLE_CHARACTERS, Head
from clew.parse.marks import mark_before
from clew.parse.source import source_of
from clew.parse.url import canonical
from clew.text import terms as words
from clew.types import Doc, Link

MAX_TEXT_CHARACTERS: Final = 500_000  # kept and counted: a thick book
MAX_COMPLAINT_CHARACTERS: Final = 200  # in <noscript> or <noframes>; more is what the page is about

HEADINGS: Final = ("h1", "h2", "h3", "h4", "h5", "h6")
ABOUT: Final = ("base", "link", "meta", "title")
NAMES: Final = (*links.ADDRESSES, *HEADINGS, *ABOUT, *links.UNSEEN, "noscript")  # of elements of interest
log = logging.getLogger("clew.parse")

# Events would tell watchers about changes of the tree, and nobody watches.
WITHOUT_EVENTS: Final = int(LexborDocumentOptions.WO_EVENTS)


class Wishes(NamedTuple):
    """What is wanted of a page beside its title, its text and its links."""

    script_links: bool
    rendered: bool  # it has run its scripts
    with_forms: bool
    with_main_text: bool
    with_media: bool


def parse(
    body: bytes,
    url: str,
    content_type: str = "",
    script_links: bool = False,
    rendered: bool = False,
    with_forms: bool = False,
    with_main_text: bool = False,
    with_media: bool = False,
) -> Doc:
    """Parse a page; `script_links` adds the URLs in its scripts and attributes to its links, `with_media` its images.

    A page that a browser has `rendered` has run its scripts, and <noscript> is not for its readers.

    >>> doc = parse(b"<title>Boats</title><p>We build <a href='/sail'>sailing boats</a> of oak.", "http://a.org/")
    >>> doc.title, doc.terms
    ('Boats', {'boat': 2, 'build': 1, 'sail': 1, 'oak': 1})
    >>> doc.links[0].url, doc.links[0].anchor, doc.links[0].around, doc.links[0].path
    ('http://a.org/sail', 'sailing boats', 'We build\\tof oak.', 'p>a')
    """
    if pdf.is_one(body):
        return _file(pdf.read(body), url, with_main_text)
    source = source_of(body, content_type)
    if source is None:
        return Doc(url)
    if source.is_markup:
        wishes = Wishes(script_links, rendered, with_forms, with_main_text, with_media)
        return _page(source.markup, url, source.charset, wishes)
    text = " ".join(source.text.decode("utf-8", "replace").split())[:MAX_TEXT_CHARACTERS]
    language, terms = words.read(text)
    main = content.tidy(text) if with_main_text else ""
    return Doc(url, text=text, terms=terms, language=language, charset=source.charset, main_text=main)


def _file(read: pdf.Read, url: str, with_main_text: bool) -> Doc:
    title = " ".join(read.title.split())[:MAX_TITLE_CHARACTERS]
    text = f"{title}\n{' '.join(read.text.split())}"[:MAX_TEXT_CHARACTERS].strip()
    language, terms = words.read(text)
    targets: dict[str, None] = {}
    for link in read.links:
        target = canonical(link)
        if target and target != url:
            targets[target] = None
    found = [Link(url, target, position=place) for place, target in enumerate(targets)]
    main = content.tidy(text.removeprefix(title)) if with_main_text else ""
    return Doc(url, title, text, terms, tuple(found), language, main_text=main)


def _page(source: bytes, url: str, charset: str, wishes: Wishes) -> Doc:
    script_links, rendered, with_forms, with_main_text, with_media = wishes
    # Where no scripts run, the content of <noscript> is markup.
    tree = LexborHTMLParser(source, options=WITHOUT_EVENTS, scripting=rendered)
    if tree.root is None:
        return Doc(url, charset=charset)
    head = Head(canonical(url) or url)
    # Before `_read`, which takes the scripts out of the tree.
    in_scripts = scripts.find_links(tree) if script_links else []
    in_forms = forms.find_forms(tree) if with_forms else []
    found = _read(tree, head, rendered, with_main_text, with_media)
    head.title = unbroken(head.title)
    main_text = _main_text(tree, url) if with_main_text else ""
    marked = unbroken(tree.root.text(separator=" ", skip_empty=True))
    text, spans, lines = links.unmark(content.without_marks(marked) if with_main_text else marked)
    described = links.describe(url, found, spans, text, head.refreshed(url))
    described += head.series_links(url, described)
    if in_scripts:
        described += scripts.links(url, in_scripts, head.base, described)
    text = f"{head.title}\n{lines}"[:MAX_TEXT_CHARACTERS].strip()
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
        forms=forms.resolved(url, in_forms, head.base, charset),
        meta=unbroken(head.meta),
        main_text=main_text,
    )


def _main_text(tree: LexborHTMLParser, url: str) -> str:
    try:
        return content.main_text(tree)
    # Whatever is in a stranger's page, a crawl can do without its main text.
    except Exception as error:
        log.warning("no main text of %s: %s", url, described(error), exc_info=error)
        return ""


def _read(
    tree: LexborHTMLParser, head: Head, rendered: bool, with_main_text: bool, with_media: bool
) -> list[links.Found]:
    """One walk over the tree: fill the head, mark headings, links and content, remove invisible elements."""
    elements = []
    unseen = []
    # The walk ends before the tree changes: it must not meet the marks.
    tagged = _opened(tree, _MEDIA_TAGS if with_media else _TAGS)
    if with_main_text:
        content.mark_content(tagged)
    for pair in tagged:
        tag, node = pair
        # Links and blocks are by far the most frequent of these elements, so they are asked for first.
        if tag == "a":
            elements.append(pair)
            continue
        if tag in blocks.ELEMENTS:
            mark_before(node, blocks.START)
            continue
        if tag in links.ADDRESSES:
            elements.append(pair)
        elif tag in HEADINGS:
            links.mark_heading(node)
        elif tag in ABOUT:
            head.read_element(tag, node)
        elif tag in media.ELEMENTS:
            elements.append(pair)
        if tag in links.UNSEEN or (tag == "noscript" and (rendered or _is_complaint(node))):
            unseen.append(node)
    head.settle()
    found = links.find(elements, head.base, head.url, unseen, with_media)
    for node in unseen:
        node.decompose(recursive=False)
    return found


def _tagged(tree: LexborHTMLParser, tags: dict[int, str]) -> list[tuple[str, LexborNode]]:
    """The elements of interest, in the order of the page."""
    return [(tag, node) for node in tree.root.traverse() if (tag := tags.get(node.tag_id))] if tree.root else []


def _opened(tree: LexborHTMLParser, tags: dict[int, str]) -> list[tuple[str, LexborNode]]:
    """These elements, with those inside <noframes>: to a parser it is text, to readers the same as <noscript>."""
    tagged = _tagged(tree, tags)
    without_frames = [node for tag, node in tagged if tag == "noframes"]
    for node in without_frames:
        content = tree.create_node("noscript")
        content.inner_html = node.text()
        node.insert_before(content, move=True)
        node.decompose(recursive=False)
    return _tagged(tree, tags) if without_frames else tagged


def _is_complaint(node: LexborNode) -> bool:
    """Whether all that an element has to say is that a browser should do more, as "please enable JavaScript"."""
    return node.css_first("[href]") is None and len(node.text()) < MAX_COMPLAINT_CHARACTERS


def _declared_language(root: LexborNode) -> str:
    name = (root.attributes.get("lang") or "")[:2].lower()
    return name if name in words.LANGUAGES else ""


def _numbers(*more: str) -> dict[int, str]:
    """Tags by the parser's own numbers, which spare making a string for each element of a page."""
    blank = LexborHTMLParser("")
    return {blank.create_node(tag).tag_id: tag for tag in (*NAMES, *blocks.ELEMENTS, *content.ELEMENTS, *more)}


_TAGS: Final = _numbers()
_MEDIA_TAGS: Final = _numbers(*media.ELEMENTS)
