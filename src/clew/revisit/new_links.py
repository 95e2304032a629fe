"""Where new versions of pages lead: candidates for the crawl to go on with."""

from __future__ import annotations

from typing import Final

from clew.core.engine import Engine
from clew.core.state import CrawlState
from clew.parse import document
from clew.store import Record, Revisit, Revisits, SqliteStore
from clew.store.revisits import FOLDER, TAKEN
from clew.types import Link

MOVED: Final = "to "  # how the reason of a redirect begins


def catch_up(engine: Engine, store: SqliteStore) -> None:
    """Take in what a recrawl that was killed has left."""
    if (store.folder / FOLDER).exists():
        history = Revisits(store)
        absorb(engine, history)
        history.close()


def absorb(engine: Engine, history: Revisits) -> int:
    """Give the frontier all links to unknown URLs that it was not given yet, for good; how many they were.

    One transaction holds the frontier and how far it came: a kill before it leaves them for the next run.
    """
    store = history.store
    found = 0
    last = 0
    for visit in history.all(after=int(store.get(TAKEN, "0"))):
        last = visit.id
        if record := history.record(visit.url):
            found += _follow(engine.state, history, record, visit)
    if last:
        store.set(TAKEN, str(last))
        engine.commit(checkpoint=True)
    return found


def _follow(state: CrawlState, history: Revisits, record: Record, visit: Revisit) -> int:
    links: tuple[Link, ...] = ()
    relevance = state.view.interest.value(record.topics)
    if visit.whole:
        doc = document(history.archive.read(visit.place, visit.url), state.config.scope)
        links = doc.links
        relevance = state.view.interest.value(state.judge(doc).topics)
    elif visit.changed and visit.reason.startswith(MOVED):
        links = (Link(visit.url, visit.reason.removeprefix(MOVED), record.title, kind="redirect"),)
    return state.add_new_links(record, links, relevance) if links else 0
