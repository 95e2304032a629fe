"""clew, a focused web crawler: say what you want and where to start; it brings back the part that matters."""

from __future__ import annotations

import importlib
import logging
from typing import TYPE_CHECKING, Any

from clew.version import __version__ as __version__

if TYPE_CHECKING:
    from clew.api import (
        Explanation,
        Recrawl,
        Result,
        acrawl,
        aresume,
        crawl,
        explain,
        label,
        recrawl,
        resume,
        rules,
        search,
        stream,
        tell,
    )
    from clew.config import Config, Settings, configure
    from clew.core.simulation import Simulation
    from clew.core.stop import StopRule
    from clew.errors import ClewError
    from clew.fetch import Fetcher
    from clew.interests import Interest, Judge
    from clew.lab.compare import compare
    from clew.lab.simulation import simulate
    from clew.store import CrawlInfo, Hit, MemoryStore, Order, Record, Records, Sink, Store
    from clew.strategies import ALL, HOLD, Crawl, SearchSource, Strategy
    from clew.types import Candidate, Doc, Fetched, Judgement, Link, Page, Stats, UrlState

_HOMES = {
    "api": (
        "Explanation",
        "Recrawl",
        "Result",
        "acrawl",
        "aresume",
        "crawl",
        "explain",
        "label",
        "recrawl",
        "resume",
        "rules",
        "search",
        "stream",
        "tell",
    ),
    "config": ("Config", "Settings", "configure"),
    "core.simulation": ("Simulation",),
    "core.stop": ("StopRule",),
    "errors": ("ClewError",),
    "fetch": ("Fetcher",),
    "interests": ("Interest", "Judge"),
    "lab.compare": ("compare",),
    "lab.simulation": ("simulate",),
    "store": ("CrawlInfo", "Hit", "MemoryStore", "Order", "Record", "Records", "Sink", "Store"),
    "strategies": ("ALL", "HOLD", "Crawl", "SearchSource", "Strategy"),
    "types": ("Candidate", "Doc", "Fetched", "Judgement", "Link", "Page", "Stats", "UrlState"),
}
"""Where the public names live; tests/public_api.txt lists them, and a test compares."""

__all__ = [
    "ALL",
    "HOLD",
    "Candidate",
    "ClewError",
    "Config",
    "Crawl",
    "CrawlInfo",
    "Doc",
    "Explanation",
    "Fetched",
    "Fetcher",
    "Hit",
    "Interest",
    "Judge",
    "Judgement",
    "Link",
    "MemoryStore",
    "Order",
    "Page",
    "Record",
    "Records",
    "Recrawl",
    "Result",
    "SearchSource",
    "Settings",
    "Simulation",
    "Sink",
    "Stats",
    "StopRule",
    "Store",
    "Strategy",
    "UrlState",
    "acrawl",
    "aresume",
    "compare",
    "configure",
    "crawl",
    "explain",
    "label",
    "recrawl",
    "resume",
    "rules",
    "search",
    "simulate",
    "stream",
    "tell",
]

# Silent unless the program that uses clew configures logging.
logging.getLogger("clew").addHandler(logging.NullHandler())


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])


def __getattr__(name: str) -> Any:
    """Public names load their modules when they are first used: `clew --help` needs no engine."""
    for home, names in _HOMES.items():
        if name in names:
            return getattr(importlib.import_module(f"clew.{home}"), name)
    raise AttributeError(f"module 'clew' has no attribute {name!r}")
