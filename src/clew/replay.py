"""How a crawl comes back to where its last commit was: a checkpoint, and the visits since, taken in once more."""

from __future__ import annotations

import json
from typing import Any

from clew.course import Course
from clew.errors import StoreError
from clew.frontier import State
from clew.maths.threads import one_thread
from clew.parse import document
from clew.store import Durable, Record, latest
from clew.strategies import HOLD
from clew.types import Known


def checkpoint_of(course: Course) -> dict[str, bytes]:
    """Everything but texts."""
    numbers: dict[str, object] = {"order": course.order, "swept": course.swept, "reserve": course.reserve}
    numbers |= {"home": sorted(course.gate.home), "tally": course.tally.save(), "sitemaps": course.sitemaps.read}
    numbers |= {"outlook": course.outlook.save(), "strategy": type(course.strategy).__name__}
    parts = {"strategy": course.strategy.save(), "course": json.dumps(numbers).encode()}
    return {**course.frontier.save(), **course.hygiene.save(), **parts}


def replay(course: Course, store: Durable) -> None:
    """Come to where the last commit was."""
    with one_thread():  # as it was when the crawl ran
        if parts := store.checkpoint():
            saved = json.loads(parts["course"])
            if "others" not in saved["tally"]:  # a checkpoint of an earlier version
                saved["tally"]["others"] = _others(store, saved["order"])
            _restore(course, store, parts, saved)
        for record in store.visits(after=course.order - 1):
            _repeat(course, store, record)


def _restore(course: Course, store: Durable, parts: dict[str, bytes], saved: dict[str, Any]) -> None:
    course.frontier.load(parts)
    course.tally.load(saved["tally"])
    course.order, course.swept, course.reserve = saved["order"], saved["swept"], saved["reserve"]
    course.gate.home = set(saved["home"])
    course.sitemaps.read = saved.get("sitemaps", {})
    if "outlook" in saved:  # not in a checkpoint of an earlier version
        course.outlook.load(saved["outlook"])
    course.hygiene.load(parts)
    for name in course.hygiene.budgets.visits:
        course.allow(name)
    now = type(course.strategy).__name__
    if saved.get("strategy", now) == now:  # an earlier version did not say whose state it was
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


def _others(store: Durable, order: int) -> list[int]:
    """The turns before this one that were no visits."""
    return [r.order for r in store.visits() if r.order < order and r.state in ("redirected", "refused")]
