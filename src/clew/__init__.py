"""clew, a focused web crawler: say what you want and where to start; it brings back the part that matters."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from clew.version import __version__ as __version__

if TYPE_CHECKING:
    from clew.api import Explanation, Recrawl, Result, Simulation, crawl, explain, label, recrawl, resume, rules
    from clew.config import Config, configure
    from clew.errors import ClewError
    from clew.interests import Interest
    from clew.lab.compare import compare
    from clew.lab.simulation import simulate
    from clew.store import Record, Records
    from clew.strategies import ALL, HOLD, Strategy
    from clew.types import Candidate, Doc, Fetched, Judgement, Link, Page, Stats

__all__ = [
    "ALL",
    "HOLD",
    "Candidate",
    "ClewError",
    "Config",
    "Doc",
    "Explanation",
    "Fetched",
    "Interest",
    "Judgement",
    "Link",
    "Page",
    "Record",
    "Records",
    "Recrawl",
    "Result",
    "Simulation",
    "Stats",
    "Strategy",
    "compare",
    "configure",
    "crawl",
    "explain",
    "label",
    "recrawl",
    "resume",
    "rules",
    "simulate",
]

_HOMES = ("types", "errors", "config", "strategies", "interests", "store", "api")
_LABORATORY = {"compare": "lab.compare", "simulate": "lab.simulation"}


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])


def __getattr__(name: str) -> Any:
    """Public names load their modules when they are first used: `clew --help` needs no scikit-learn."""
    if name in __all__:
        for home in [_LABORATORY[name]] if name in _LABORATORY else _HOMES:
            module = importlib.import_module(f"clew.{home}")
            if hasattr(module, name):
                return getattr(module, name)
    raise AttributeError(f"module 'clew' has no attribute {name!r}")
