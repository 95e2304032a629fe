"""Brings what revisits have found to the crawl: new links, and pages that are more or less relevant than before."""

from __future__ import annotations

from contextlib import suppress
from typing import Final

from clew.core.engine import Engine
from clew.core.page_update import add_new_links, apply_new_version
from clew.core.state import CrawlState
from clew.errors import RecordLost
from clew.parse import document
from clew.store import CrawlFolder, Record, Revisit, Revisits
from clew.store.revisits import FOLDER, LAST_ABSORBED
from clew.types import Link, UrlState

REDIRECT_PREFIX: Final = "to "  # of the reason of a redirect


def catch_up(engine: Engine, store: CrawlFolder) -> None:
    """Add the new links that a killed recrawl has left."""
    if (store.folder / FOLDER).exists():
        history = Revisits(store)
        absorb(engine, history)
        history.close()


def absorb(engine: Engine, history: Revisits) -> int:
    """Bring the changes of all revisits that were not absorbed yet to the crawl; return the number of new links.

    One transaction saves the frontier and the last absorbed revisit: after a kill, the next run repeats the work.
    """
    store = history.store
    labelled = {label.url for label in store.applied_labels()}
    found = 0
    last = 0
    for visit in history.all(after=int(store.get(LAST_ABSORBED, "0"))):
        last = visit.id
        record = history.record(visit.url)
        if record:
            found += _follow(engine.state, history, record, visit, record.url in labelled)
    if last:
        store.set(LAST_ABSORBED, str(last))
        engine.commit(checkpoint=True)
    return found


def _follow(state: CrawlState, history: Revisits, record: Record, visit: Revisit, labelled: bool) -> int:
    """Bring the change that one revisit found to the crawl; return the number of new links."""
    if visit.whole:
        # A version that the archive has lost has no links to follow; the next visit will bring them.
        with suppress(RecordLost):
            doc = document(history.archive.read(visit.place, visit.url), state.config.scope)
            judgement = state.judge(doc)
            if judgement and record.state == UrlState.FETCHED:
                return apply_new_version(state, record, doc, judgement, labelled)
            if judgement:
                # A sitemap is no page: it has nothing but links.
                return add_new_links(state, record, doc.links, state.view.interest.value(judgement.topics))
    elif visit.changed and visit.reason.startswith(REDIRECT_PREFIX):
        # The page has moved: its new address is a link, too, with the title in place of an anchor text.
        target = visit.reason.removeprefix(REDIRECT_PREFIX)
        link = Link(visit.url, target, record.title, kind="redirect")
        return add_new_links(state, record, (link,), state.view.interest.value(record.topics))
    return 0
