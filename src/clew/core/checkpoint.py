"""How a crawl returns to its last commit: load the checkpoint, then apply the visits since once more."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from clew.base.codec import same_tags
from clew.base.described import described
from clew.base.single_thread import one_thread
from clew.config import migration
from clew.config.migration import FORMAT
from clew.core.faults import is_fault
from clew.core.start import queue_start_pages
from clew.core.state import CrawlState
from clew.core.teaching import UserLabel
from clew.core.visit import Visit
from clew.errors import ClewError, StoreError
from clew.parse import document
from clew.store import Durable, Label, Record, latest
from clew.store.checksums import REMEDY
from clew.strategies import HOLD, names
from clew.types import Doc, UrlState

GROUPS: Final = {"frontier", "links", "filters"}


def checkpoint_of(state: CrawlState) -> dict[str, bytes | None]:
    """Everything but texts; None where the last checkpoint has it already."""
    return {"format": FORMAT.encode(), **state.save()}


def replay(state: CrawlState, store: Durable) -> None:
    """Bring a state to where the last commit left it."""
    # Sums depend on the number of threads: a replay calculates as the crawl did.
    with one_thread():
        state.know_spellings(store.spellings())
        written = store.checkpoint()
        if parts := migration.checkpoint(written, names()):
            store.rewind_judgements()
            _load(state, parts, store.applied_labels())
            if written.get("format") != parts["format"]:
                state.filters.write_whole()
        _apply_visits(state, store)


def replay_all(state: CrawlState, store: Durable) -> None:
    """Bring a state to where the last commit left it without a checkpoint: every visit is applied again."""
    with one_thread():
        state.know_spellings(store.spellings())
        queue_start_pages(state)
        _apply_visits(state, store)


def _apply_visits(state: CrawlState, store: Durable) -> None:
    """Apply the visits that the state does not know yet."""
    if store.is_parsed_today():
        for record in store.visits(after=state.order - 1):
            _receive_again(state, record.order)
            _repeat(state, store, record, record.slot)
            state.faults.check()
    else:
        _renumber(state, store)
    _receive_again(state, math.inf)
    state.faults.forget_runs()


def _receive_again(state: CrawlState, order: float) -> None:
    """Take in the letters of other shards that came before a visit."""
    for letters in state.port.received_before(order):
        state.receive(letters)


def _renumber(state: CrawlState, store: Durable) -> None:
    """Apply visits whose pages another version has read: today's parser may find other links, in other slots."""
    first = len(state.frontier)
    visits: list[Record] = []
    for record in store.visits(after=state.order - 1):
        _receive_again(state, record.order)
        slot = state.frontier.slot_for(record.url)
        _repeat(state, store, record, slot)
        state.faults.check()
        visits.append(replace(record, slot=slot))
    store.renumber(first, visits)


def _load(state: CrawlState, parts: Mapping[str, bytes], labels: Sequence[Label]) -> None:
    verdicts = {url: label.relevant for url, label in latest(labels).items()}
    try:
        _check(parts)
        state.load(parts, verdicts, [UserLabel(label.url, label.relevant, label.user) for label in labels])
    except ClewError:
        raise
    # Each part has a format of its own, so a damaged one can raise anything.
    except Exception as error:
        problem = f"the checkpoint is damaged, or its strategy cannot read it ({described(error)})"
        raise StoreError(f"{problem}: {REMEDY}") from error


def _check(parts: Mapping[str, bytes]) -> None:
    """Refuse what this version cannot read, rather than go on without it."""
    written = parts["format"].decode()
    if written != FORMAT:
        raise StoreError(f"the checkpoint has format {written}; this clew reads format {FORMAT}: use a newer clew")
    single = {tag for tag in parts if "/" not in tag}
    same_tags("the crawl", single, ["format", "strategy", "state", "judge"])
    groups = {tag.partition("/")[0] for tag in parts if "/" in tag}
    if unknown := sorted(groups - GROUPS):
        raise StoreError(f"the checkpoint has an unknown part {unknown[0]!r}: another version of clew wrote it")


def _repeat(state: CrawlState, store: Durable, record: Record, slot: int) -> None:
    """Apply one visit as it was, its document read from the archive."""
    _catch_up(state, record.url, slot)
    state.rescore_best()
    page, fetched = store.read_visit(record)
    # Links that came while the page was in flight have been added again: it was not judged by them.
    state.frontier.set_inlinks(slot, record.url, page.inlinks)
    doc = Doc(record.url)
    if state.filters.reads and fetched.ok and not is_fault(record):
        doc = document(fetched, state.config.scope)
    state.faults.count += is_fault(record)
    is_redirect = record.state == UrlState.REDIRECTED
    visit = Visit(replace(record, slot=slot), None if is_redirect else page, doc)
    # The record may hold a later verdict: what followed from the visit followed from the one of then.
    state.apply_visit(state.verdicts.of_then(visit))
    state.judge_again()


def _catch_up(state: CrawlState, url: str, expected: int) -> None:
    """Before a visit: repeat what the crawl did then when nothing could be fetched."""
    frontier = state.frontier
    slot = frontier.find(url)
    if slot is None or frontier.score(slot) == HOLD or frontier.is_spent(slot):
        state.unblock()
    if frontier.find(url) != expected:
        raise StoreError(f"cannot replay {url}: the folder is damaged or was made by another version")
