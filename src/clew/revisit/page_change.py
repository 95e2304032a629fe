"""Decides whether a page has changed since the last visit."""

from __future__ import annotations

from dataclasses import replace
from http import HTTPStatus
from typing import Final

from clew.core.page_update import unknown_links
from clew.core.state import CrawlState
from clew.core.visit import reason_of
from clew.parse import document
from clew.revisit.schedule import DuePage
from clew.store import Revisit
from clew.text.simhash import NEAR, hamming, simhash
from clew.types import Doc, Fetched

GONE_STATUSES: Final = (HTTPStatus.NOT_FOUND, HTTPStatus.GONE)
VALIDATORS: Final = {"If-None-Match": "ETag", "If-Modified-Since": "Last-Modified"}  # request header: answer header


def conditions(earlier: Fetched) -> dict[str, str]:
    """The request headers that let a server answer that nothing has changed.

    >>> conditions(Fetched("http://a.org/", 200, (("ETag", '"x"'),)))
    {'If-None-Match': '"x"'}
    """
    values = {condition: earlier.header(name) for condition, name in VALIDATORS.items()}
    # Servers send all kinds of bytes; in a request header only printable ASCII is safe.
    return {name: value for name, value in values.items() if value and value.isascii() and value.isprintable()}


def verdict(page: DuePage, earlier: Fetched, fetched: Fetched, state: CrawlState, at: float) -> Revisit:
    """The revisit of a page, with what the answer shows; temporary failures leave open whether it has changed."""
    visit = Revisit(page.url, at, fetched.status, reason=reason_of(fetched), hinted=page.hinted)
    # A page that was gone or had moved at the last visit and is back has changed, whatever it contains.
    is_back = page.last is not None and bool(page.last.reason)
    if fetched.status == HTTPStatus.NOT_MODIFIED:
        return replace(visit, changed=is_back, reason="")
    if not fetched.ok:
        changed = _is_news(page, visit) if _is_final(fetched) else None
        return replace(visit, changed=changed)
    if (fetched.raw, fetched.rendered) == (earlier.raw, earlier.rendered):
        return replace(visit, changed=is_back)
    new = document(fetched, state.config.scope)
    judgement = state.judge(new)
    if judgement is None:
        return replace(visit, changed=True, reason=state.faults.last, whole=True)
    old = document(earlier, state.config.scope)
    unknown = unknown_links(state, new.links)
    links = sum(not state.refuse(link.url, page.record.depth + 1) for link in unknown)
    # Of a media file, whose bytes are others now, nothing else can be compared.
    changed = is_back or new.media or bool(links) or differ(old, new)
    return replace(visit, changed=changed, links=links, relevance=judgement.relevance, whole=True)


def differ(old: Doc, new: Doc) -> bool:
    """Whether the texts differ by more than a date, a counter and the like."""
    return old.text != new.text and hamming(simhash(old.text), simhash(new.text)) > NEAR


def _is_final(fetched: Fetched) -> bool:
    """Whether the answer says that the page has moved or is gone, rather than that a visit failed."""
    return not fetched.error and (bool(fetched.location) or fetched.status in GONE_STATUSES)


def _is_news(page: DuePage, visit: Revisit) -> bool:
    """Whether the page was not gone, or had not moved to the same place, at the last visit."""
    return page.last is None or (page.last.status, page.last.reason) != (visit.status, visit.reason)
