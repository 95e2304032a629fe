"""How a crawl comes back to where its last commit was: a checkpoint, and the visits since, taken in once more."""

from __future__ import annotations

import json
from typing import Any, Final

from clew.base.codec import same_tags
from clew.base.single_thread import one_thread
from clew.config import migration
from clew.config.migration import FORMAT
from clew.core.state import CrawlState
from clew.errors import StoreError
from clew.frontier import State
from clew.parse import document
from clew.store import Durable, Record, latest
from clew.strategies import HOLD, name_of, names
from clew.types import UrlEntry

GROUPS: Final = {"frontier", "links", "filters"}
STATE: Final = ("order", "rescored_at", "reserve", "home", "tally", "sitemaps", "forecast", "strategy")


def checkpoint_of(state: CrawlState) -> dict[str, bytes]:
    """Everything but texts."""
    numbers: dict[str, object] = {
        "order": state.order,
        "rescored_at": state.rescored_at,
        "reserve": state.reserve,
        "home": sorted(state.scope_filter.home),
        "tally": state.tally.save(),
        "sitemaps": state.sitemaps.read,
        "forecast": state.forecast.save(),
        "strategy": name_of(state.strategy),
    }
    parts = {
        "format": FORMAT.encode(),
        "strategy": state.strategy.save(),
        "state": json.dumps(numbers).encode(),
    }
    return {**state.frontier.save(), **state.filters.save(), **parts}


def replay(state: CrawlState, store: Durable) -> None:
    """Come to where the last commit was."""
    with one_thread():  # as it was when the crawl ran
        if parts := migration.checkpoint(store.checkpoint(), names()):
            _check(parts)
            _restore(state, store, parts, json.loads(parts["state"]))
        for record in store.visits(after=state.order - 1):
            _repeat(state, store, record)


def _check(parts: dict[str, bytes]) -> None:
    """Refuse what this version cannot read, rather than go on without it."""
    written = parts["format"].decode()
    if written != FORMAT:
        raise StoreError(f"the checkpoint has format {written}; this clew reads format {FORMAT}: use a newer clew")
    single = {tag for tag in parts if "/" not in tag}
    same_tags("the crawl", single, ["format", "strategy", "state"])
    groups = {tag.partition("/")[0] for tag in parts if "/" in tag}
    if unknown := sorted(groups - GROUPS):
        raise StoreError(
            f"the checkpoint has an unknown part {unknown[0]!r}; it was written by another version of clew"
        )


def _restore(state: CrawlState, store: Durable, parts: dict[str, bytes], saved: dict[str, Any]) -> None:
    same_tags("the crawl", saved, STATE)
    state.frontier.load(parts)
    state.tally.load(saved["tally"])
    state.order, state.rescored_at, state.reserve = saved["order"], saved["rescored_at"], saved["reserve"]
    state.scope_filter.home = set(saved["home"])
    state.sitemaps.read = saved["sitemaps"]
    state.forecast.load(saved["forecast"])
    state.filters.load(parts)
    for name in state.filters.budgets.visits:
        state.allow(name)
    if saved["strategy"] == name_of(state.strategy):
        state.strategy.load(parts["strategy"])
    else:
        state.teach_strategy({url: label.relevant for url, label in latest(store.said()).items()})


def _repeat(state: CrawlState, store: Durable, record: Record) -> None:
    """One visit as it was, its document read from the archive."""
    _catch_up(state, record)
    state.rescore_best()
    page, fetched = store.whole(record)
    # Links that came while the page was in the air have been added again: it was not judged by them.
    state.frontier.evidence.put(record.slot, UrlEntry(record.url, page.inlinks))
    doc = document(fetched, state.config.scope) if state.filters.looks and fetched.ok else None
    state.apply_visit(record, None if record.state == State.REDIRECTED.text else page, doc)


def _catch_up(state: CrawlState, record: Record) -> None:
    """Before a visit: what the crawl did then when it could not go on."""
    frontier = state.frontier
    slot = frontier.table.find(record.url)
    if slot is None or frontier.table.score[slot] == HOLD or frontier.is_spent(slot):
        state.unblock()
    if frontier.table.find(record.url) != record.slot:
        raise StoreError(f"cannot replay {record.url}: the folder is damaged or was made by another version")
