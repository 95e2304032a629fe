"""How a crawl returns to its last commit: load the checkpoint, then apply the visits since once more."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from clew.base.codec import same_tags
from clew.base.single_thread import one_thread
from clew.config import migration
from clew.config.migration import FORMAT
from clew.core.state import CrawlState
from clew.core.visit import Visit
from clew.errors import StoreError
from clew.parse import document
from clew.store import Durable, Record, latest
from clew.strategies import HOLD, names
from clew.types import Doc, UrlState

GROUPS: Final = {"frontier", "links", "filters"}


def checkpoint_of(state: CrawlState) -> dict[str, bytes]:
    """Everything but texts."""
    return {"format": FORMAT.encode(), **state.save()}


def replay(state: CrawlState, store: Durable) -> None:
    """Bring a state to where the last commit left it."""
    # Sums depend on the number of threads: a replay calculates as the crawl did.
    with one_thread():
        if parts := migration.checkpoint(store.checkpoint(), names()):
            _check(parts)
            state.load(parts, {url: label.relevant for url, label in latest(store.applied_labels()).items()})
        for record in store.visits(after=state.order - 1):
            _repeat(state, store, record)


def _check(parts: Mapping[str, bytes]) -> None:
    """Refuse what this version cannot read, rather than go on without it."""
    written = parts["format"].decode()
    if written != FORMAT:
        raise StoreError(f"the checkpoint has format {written}; this clew reads format {FORMAT}: use a newer clew")
    single = {tag for tag in parts if "/" not in tag}
    same_tags("the crawl", single, ["format", "strategy", "state"])
    groups = {tag.partition("/")[0] for tag in parts if "/" in tag}
    if unknown := sorted(groups - GROUPS):
        raise StoreError(f"the checkpoint has an unknown part {unknown[0]!r}: another version of clew wrote it")


def _repeat(state: CrawlState, store: Durable, record: Record) -> None:
    """Apply one visit as it was, its document read from the archive."""
    _catch_up(state, record)
    state.rescore_best()
    page, fetched = store.read_visit(record)
    # Links that came while the page was in flight have been added again: it was not judged by them.
    state.frontier.set_inlinks(record.slot, record.url, page.inlinks)
    doc = Doc(record.url)
    if state.filters.looks and fetched.ok:
        doc = document(fetched, state.config.scope)
    is_redirect = record.state == UrlState.REDIRECTED
    state.apply_visit(Visit(record, None if is_redirect else page, doc))


def _catch_up(state: CrawlState, record: Record) -> None:
    """Before a visit: repeat what the crawl did then when nothing could be fetched."""
    frontier = state.frontier
    slot = frontier.find(record.url)
    if slot is None or frontier.score(slot) == HOLD or frontier.is_spent(slot):
        state.unblock()
    if frontier.find(record.url) != record.slot:
        raise StoreError(f"cannot replay {record.url}: the folder is damaged or was made by another version")
