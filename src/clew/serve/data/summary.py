"""The state of a crawl and its numbers."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any, Final

from clew.base.clean_text import clean
from clew.core.advice import advice, quality
from clew.core.engine import INTERRUPTED
from clew.core.faults import ended_by_faults
from clew.core.orders import STOPPED
from clew.serve.data import shown
from clew.serve.data.crawl_folders import LOG, crawl_id
from clew.store import Records
from clew.store.whole import databases
from clew.types import HORIZON, Stats

RECENT_VISITS: Final = 100  # by which the speed of now is measured
MAX_SEEDS: Final = 20
MAX_LOG: Final = 4_000  # bytes at the end of a log
KILLED: Final = "the crawl was killed; it goes on from its last commit"
NOT_BEGUN: Final = "the crawl has not begun yet"


def brief(folder: Path) -> dict[str, Any]:
    """One line of the list of crawls, also for a folder that cannot be read."""
    head = {"id": crawl_id(folder), "name": folder.name}
    if not databases(folder):
        return head | _unread("stopped", last_words(folder))
    with Records(folder) as records:
        stats = records.stats()
        what = records.config.what
        return {
            **head,
            "interest": what.interest,
            "strategy": what.strategy,
            **state(records),
            "visited": stats.visited,
            "relevant": stats.relevant,
            "harvest": stats.harvest,
            "waiting": stats.waiting,
            "seconds": stats.seconds,
            "at": _last_visit(records),
        }


def unreadable(folder: Path, why: str) -> dict[str, Any]:
    """The line of a folder that this version cannot read."""
    return {"id": crawl_id(folder), "name": folder.name} | _unread("unreadable", why)


def change_mark(records: Records) -> tuple[object, ...]:
    """Something that is another when the summary has changed, and takes no time to find out."""
    labels = records.labels()
    return (
        repr(records.store.progress()),
        records.store.get("judged"),
        (len(labels), sum(label.is_applied for label in labels)),
        [order.state for order in records.orders()],
        records.running,
        records.reason,
    )


def summary(records: Records) -> dict[str, Any]:
    """All that the head of a page shows."""
    stats = records.stats()
    config = records.config
    is_running = records.running
    found = {
        "id": crawl_id(records.folder.resolve()),
        "name": records.folder.resolve().name,
        "interest": config.what.interest,
        "strategy": config.what.strategy,
        "judge": config.what.judge,
        "seeds": [shown.url(seed) for seed in config.what.seeds[:MAX_SEEDS]],
        "seeds_total": len(config.what.seeds),
        "focus": clean(stats.focus, shown.MAX_REASON),
        "focus_reason": clean(stats.focus_reason, shown.MAX_REASON),
        **state(records),
    }
    speed = _speed_now(records) if is_running else None
    labels = records.labels()
    orders = records.orders()
    return (
        found
        | _numbers(stats)
        | {
            "pages_per_second": speed,
            "pages_per_second_overall": stats.pages / stats.seconds if stats.seconds else None,
            "at": _last_visit(records),
            "threshold": shown.number(records.threshold),
            "threshold_origin": records.threshold_origin,
            "forecast": forecast(stats),
            "limits": _limits(records, stats),
            **_quality(records),
            "advice": _advice(records, stats),
            "shards": [_shard(number, stats) for number, stats in records.stats_by_shard().items()],
            "orders": len(orders),
            "orders_waiting": [str(order) for order in orders if order.is_waiting],
            "labels": len(labels),
            "labels_waiting": sum(not label.is_applied for label in labels),
        }
    )


def state(records: Records) -> dict[str, Any]:
    """Whether the crawl is running, paused, stopped or finished, and why."""
    if records.running:
        return {"state": "paused" if records.stats().paused else "running", "why": ""}
    reason = records.reason
    if not reason:
        return {"state": "stopped", "why": KILLED if records.stats().visited else NOT_BEGUN}
    was_stopped = reason in (INTERRUPTED, STOPPED) or ended_by_faults(reason)
    return {"state": "stopped" if was_stopped else "finished", "why": clean(reason, shown.MAX_REASON)}


def forecast(stats: Stats) -> dict[str, Any] | None:
    """How many relevant pages the next visits are expected to bring; None while nothing is known."""
    if stats.forecast is None or not stats.waiting:
        return None
    return {
        "visits": HORIZON,
        "pages": stats.forecast,
        "low": stats.forecast_low,
        "high": stats.forecast_high,
    }


def last_words(folder: Path) -> str:
    """The last line of the log of a crawl."""
    try:
        with (folder / LOG).open("rb") as file:
            file.seek(max(0, (folder / LOG).stat().st_size - MAX_LOG))
            lines = file.read().decode("utf-8", "replace").split("\n")
    except OSError:
        return ""
    return clean(next((line for line in reversed(lines) if line.strip()), ""), shown.MAX_REASON)


def _unread(state: str, why: str) -> dict[str, Any]:
    nothing: dict[str, Any] = dict.fromkeys(("visited", "relevant", "waiting"), 0)
    return {
        "interest": "",
        "strategy": "",
        "state": state,
        "why": why or NOT_BEGUN,
        **nothing,
        "harvest": 0.0,
        "seconds": 0.0,
        "at": None,
    }


def _numbers(stats: Stats) -> dict[str, Any]:
    names = ("visited", "pages", "relevant", "failed", "duplicates", "redirects", "refused", "sitemaps", "waiting")
    counts: dict[str, Any] = {name: getattr(stats, name) for name in names}
    return counts | {
        "harvest": stats.harvest,
        "harvest_now": stats.recent,
        "hosts": stats.hosts,
        "best": shown.score(stats.best) if stats.waiting else None,
        "seconds": stats.seconds,
        "bytes": stats.bytes,
        "faults": stats.faults,
        "cached": stats.cached,
        "waits_for": stats.waits_for,
        "waits_seconds": stats.waits_seconds,
    }


def _shard(number: int, stats: Stats) -> dict[str, Any]:
    """One of the processes that share a crawl."""
    names = ("pages", "visited", "relevant", "failed", "waiting", "hosts", "bytes")
    return {"shard": number, "harvest": stats.harvest, **{name: getattr(stats, name) for name in names}}


def _speed_now(records: Records) -> float | None:
    """Pages per second over the last visits."""
    query = f"SELECT at FROM pages ORDER BY {records.sequence} DESC LIMIT ?"
    times = [float(row[0]) for row in records.store.db.execute(query, (RECENT_VISITS,))]
    if len(times) < 2 or max(times) <= min(times):
        return None
    return (len(times) - 1) / (max(times) - min(times))


def _last_visit(records: Records) -> float | None:
    row = records.store.db.execute(f"SELECT at FROM pages ORDER BY {records.sequence} DESC LIMIT 1").fetchone()
    return float(row[0]) if row else None


def _limits(records: Records, stats: Stats) -> list[dict[str, Any]]:
    """The limits that are set, and how much of each is used."""
    until = records.config.until
    used = {
        "pages": (until.pages, stats.pages),
        "visits": (until.visit_limit, stats.visited),
        "minutes": (until.minutes, stats.seconds / 60),
        "megabytes": (until.megabytes, stats.bytes / 1e6),
        "relevant": (until.relevant, stats.relevant),
        "irrelevant": (until.irrelevant, stats.irrelevant),
        "drought": (until.drought, stats.since_relevant),
    }
    return [{"name": name, "limit": limit, "now": now} for name, (limit, now) in used.items() if limit is not None]


def _quality(records: Records) -> dict[str, Any]:
    """How good the relevant pages are expected to be; nothing if the relevances are no probabilities."""
    found = quality(records.chances()) if records.is_calibrated else None
    return {
        "expected_precision": found.precision if found else None,
        "expected_recall": found.recall if found else None,
    }


def _advice(records: Records, stats: Stats) -> list[str]:
    if not stats.visited or math.isnan(records.threshold):
        return []
    query = "SELECT relevance FROM pages WHERE state = 'fetched'"
    relevances = [row[0] for row in records.store.db.execute(query)]
    return [line.strip() for line in advice(stats, records.threshold, relevances, str(records.folder))]
