"""What another visit tells: whether a page has changed."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from clew.core.state import CrawlState
from clew.core.visit import reason_of
from clew.parse import document
from clew.revisit.schedule import Due
from clew.store import Revisit
from clew.text.simhash import NEAR, hamming, simhash
from clew.types import Doc, Fetched

GONE: Final = (404, 410)
SAME: Final = 304
VALIDATORS: Final = {"If-None-Match": "ETag", "If-Modified-Since": "Last-Modified"}


def conditions(earlier: Fetched) -> dict[str, str]:
    """The headers by which a server can say that nothing is new.

    >>> conditions(Fetched("http://a.org/", 200, (("ETag", '"x"'),)))
    {'If-None-Match': '"x"'}
    """
    values = {condition: earlier.header(name) for condition, name in VALIDATORS.items()}
    return {name: value for name, value in values.items() if value and value.isascii() and value.isprintable()}


def verdict(due: Due, earlier: Fetched, fetched: Fetched, state: CrawlState, at: float) -> Revisit:
    """The visit, with what it tells of the page; failures that may pass tell nothing."""
    visit = Revisit(due.url, at, fetched.status, reason=reason_of(fetched), hinted=due.hinted)
    away = due.last is not None and bool(due.last.reason)  # gone or moved, when last we looked
    if fetched.status == SAME:
        return replace(visit, changed=away, reason="")
    if not fetched.ok:
        return replace(visit, changed=_left(due, visit) if _tells(fetched) else None)
    if (fetched.raw, fetched.rendered) == (earlier.raw, earlier.rendered):
        return replace(visit, changed=away)
    doc, old = document(fetched, state.config.scope), document(earlier, state.config.scope)
    links = sum(not state.refuse(link.url, due.record.depth + 1) for link in state.unknown(doc.links))
    changed = away or bool(links) or differ(old, doc)
    return replace(visit, changed=changed, links=links, relevance=state.judge(doc).relevance, whole=True)


def differ(old: Doc, new: Doc) -> bool:
    """Whether the words are other ones, but for a date, a counter and the like."""
    return old.text != new.text and hamming(simhash(old.text), simhash(new.text)) > NEAR


def _tells(fetched: Fetched) -> bool:
    return not fetched.error and (bool(fetched.location) or fetched.status in GONE)


def _left(due: Due, visit: Revisit) -> bool:
    """The page is not there any more; whether that is news."""
    return due.last is None or (due.last.status, due.last.reason) != (visit.status, visit.reason)
