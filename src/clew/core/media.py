"""What stands in for the words of a media file: an image has none, but the links that lead there have."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from clew.core.interest_language import LANGUAGE
from clew.interests import Formula, Interest, LearningInterest
from clew.parse.url import tokens
from clew.store import Record, Records
from clew.text.terms import terms
from clew.types import Doc, Link, Page


def doc_by_links(doc: Doc, inlinks: Iterable[Link], language: str = "") -> Doc:
    """A media file as the judge reads it: the texts of its links, in the language of links, and the words of its URL.

    >>> link = Link("http://a.org/", "http://a.org/oak-mast.jpg", "Boats", "Two\\tat sea", "Regatta")
    >>> read = doc_by_links(Doc(link.url), [link])
    >>> read.title, sorted(read.terms)
    ('Boats', ['boat', 'jpg', 'mast', 'oak', 'org', 'regatta', 'sea', 'two'])
    """
    links = list(inlinks)
    title = next((link.anchor for link in links if link.anchor), "")
    # Pages repeat their captions, and several of them may show the same file.
    text = "\n".join(dict.fromkeys([*filter(None, _texts(links)), " ".join(tokens(doc.url))]))
    return replace(doc, title=title, text=text, terms=terms(text, language), language=language)


def page_by_links(page: Page, language: str = "") -> Page:
    """The same of a page: a media file with the words by which it is judged."""
    doc = doc_by_links(Doc(page.url), page.inlinks, language)
    return replace(page, title=doc.title, terms=doc.terms, language=doc.language)


def doc_as_judged(records: Records, record: Record) -> Doc:
    """The document of a visit in a crawl folder, with the words by which it is judged if it is a media file."""
    doc = records.doc(record)
    if not record.is_media:
        return doc
    entry = records.store.entries([record.slot]).get(record.slot)
    return doc_by_links(doc, entry.links if entry else (), records.store.get(LANGUAGE))


def link_language(interest: Interest) -> str:
    """The language in which links are read; "" counts as English."""
    formula = interest.formula if isinstance(interest, LearningInterest) else interest
    return formula.language if isinstance(formula, Formula) else ""


def _texts(links: Iterable[Link]) -> Iterator[str]:
    for link in links:
        yield link.anchor
        yield link.around.replace("\t", " ")
        yield link.heading
