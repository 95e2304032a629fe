"""How a crawl comes back to where its last commit was: a checkpoint, and the visits since, taken in once more."""

from __future__ import annotations

import json
from typing import Any, Final

from clew.base.codec import same_tags
from clew.base.single_thread import one_thread
from clew.config import migration
from clew.config.migration import FORMAT
from clew.core.state import Course
from clew.errors import StoreError
from clew.frontier import State
from clew.parse import document
from clew.store import Durable, Record, latest
from clew.strategies import HOLD, name_of, names
from clew.types import Known

GROUPS: Final = {"frontier", "links", "filters"}
STATE: Final = ("order", "rescored_at", "reserve", "home", "tally", "sitemaps", "forecast", "strategy")


def checkpoint_of(course: Course) -> dict[str, bytes]:
    """Everything but texts."""
    numbers: dict[str, object] = {
        "order": course.order,
        "rescored_at": course.swept,
        "reserve": course.reserve,
        "home": sorted(course.gate.home),
        "tally": course.tally.save(),
        "sitemaps": course.sitemaps.read,
        "forecast": course.outlook.save(),
        "strategy": name_of(course.strategy),
    }
    parts = {
        "format": FORMAT.encode(),
        "strategy": course.strategy.save(),
        "state": json.dumps(numbers).encode(),
    }
    return {**course.frontier.save(), **course.hygiene.save(), **parts}


def replay(course: Course, store: Durable) -> None:
    """Come to where the last commit was."""
    with one_thread():  # as it was when the crawl ran
        if parts := migration.checkpoint(store.checkpoint(), names()):
            _check(parts)
            _restore(course, store, parts, json.loads(parts["state"]))
        for record in store.visits(after=course.order - 1):
            _repeat(course, store, record)


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


def _restore(course: Course, store: Durable, parts: dict[str, bytes], saved: dict[str, Any]) -> None:
    same_tags("the crawl", saved, STATE)
    course.frontier.load(parts)
    course.tally.load(saved["tally"])
    course.order, course.swept, course.reserve = saved["order"], saved["rescored_at"], saved["reserve"]
    course.gate.home = set(saved["home"])
    course.sitemaps.read = saved["sitemaps"]
    course.outlook.load(saved["forecast"])
    course.hygiene.load(parts)
    for name in course.hygiene.budgets.visits:
        course.allow(name)
    if saved["strategy"] == name_of(course.strategy):
        course.strategy.load(parts["strategy"])
    else:
        course.hand_over({url: label.relevant for url, label in latest(store.said()).items()})


def _repeat(course: Course, store: Durable, record: Record) -> None:
    """One visit as it was, its document read from the archive."""
    _catch_up(course, record)
    course.refresh()
    page, fetched = store.whole(record)
    # Links that came while the page was in the air have been added again: it was not judged by them.
    course.frontier.evidence.put(record.slot, Known(record.url, page.inlinks))
    doc = document(fetched, course.config.scope) if course.hygiene.looks and fetched.ok else None
    course.take(record, None if record.state == State.REDIRECTED.text else page, doc)


def _catch_up(course: Course, record: Record) -> None:
    """Before a visit: what the crawl did then when it could not go on."""
    frontier = course.frontier
    slot = frontier.table.find(record.url)
    if slot is None or frontier.table.score[slot] == HOLD or frontier.is_spent(slot):
        course.rouse()
    if frontier.table.find(record.url) != record.slot:
        raise StoreError(f"cannot replay {record.url}: the folder is damaged or was made by another version")
