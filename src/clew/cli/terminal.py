"""Consoles and number formats: results go to stdout, everything else to stderr, and web text is cleaned first."""

from __future__ import annotations

import dataclasses
import json
import math
import os
import sys
import unicodedata
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.text import Text

from clew.types import HORIZON, Stats

PIPE_WIDTH = 160  # columns; a pipe has no width of its own, and URLs are long
RECENT_VISITS = 100  # visits that `Stats.recent` is about
CONTROL_CATEGORIES = ("Cc", "Cf", "Cs")  # control characters, invisible format characters, lone surrogates


def out() -> Console:
    """Return the console for results."""
    return _console(stderr=False)


def err() -> Console:
    """Return the console for progress, warnings and advice."""
    return _console(stderr=True)


def _console(stderr: bool) -> Console:
    stream = sys.stderr if stderr else sys.stdout
    # Rich would also colour numbers and paths on its own; here, colour always means something.
    width = None if stream.isatty() or "COLUMNS" in os.environ else PIPE_WIDTH
    return Console(stderr=stderr, width=width, highlight=False)


def dump(data: Any) -> None:
    """Print one JSON value on one line of stdout."""
    print(json.dumps(plain(data), ensure_ascii=False))


def plain(value: Any) -> Any:
    """Convert records, paths and infinite scores to values that JSON knows.

    >>> plain({"file": Path("a"), "score": float("-inf")})
    {'file': 'a', 'score': None}
    """
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f.name: plain(getattr(value, f.name)) for f in dataclasses.fields(value)}
    # A NamedTuple is a tuple too; only its field names tell the two apart.
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return plain(value._asdict())
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    # JSON has no infinity, and a candidate on hold has a score of minus infinity.
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return str(value) if isinstance(value, Path) else value


def clean(text: str, width: int = 0) -> str:
    """Put text from the web on one line without control characters, so that a title cannot steer the terminal.

    >>> clean("a\\x1b[31m  title\\n", 5)
    'a[31…'
    """
    shown = printable(" ".join(text.split()))
    return shown[: width - 1] + "…" if width and len(shown) > width else shown


def printable(line: str) -> str:
    """Remove control characters from a line.

    >>> printable("  a\\x1b[31m")
    '  a[31m'
    """
    return "".join(c for c in line if unicodedata.category(c) not in CONTROL_CATEGORIES)


def words(text: str, style: str = "", width: int = 0) -> Text:
    """Return cleaned text that rich prints literally, brackets included."""
    return Text(clean(text, width), style=style)


def reason(error: Exception) -> str:
    """Say why a file cannot be read or written, without the number of the error and its name once more.

    >>> reason(FileNotFoundError(2, "No such file or directory", "pages.txt"))
    'No such file or directory'
    """
    return getattr(error, "strerror", None) or str(error)


def percent(share: float) -> str:
    """Format a share as a percentage; small ones get a decimal.

    >>> percent(0.284)
    '28 %'
    >>> percent(0.0284)
    '2.8 %'
    """
    # From 9.95 % on, one decimal would round to "10.0 %".
    digits = 1 if 0 < share < 0.0995 else 0
    return f"{100 * share:.{digits}f} %"


def number(value: float) -> str:
    """Format a score or relevance.

    >>> number(0.12345), number(float("-inf"))
    ('0.123', 'on hold')
    """
    return f"{value:.3f}" if math.isfinite(value) else "on hold"


def counted(count: int, noun: str) -> str:
    """Format a count with its noun, in the plural where needed.

    >>> counted(1, "page"), counted(1200, "page")
    ('1 page', '1,200 pages')
    """
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def harvest(stats: Stats) -> str:
    """Say which share of the visits found relevant pages, and of the last ones once there are enough of them.

    >>> harvest(Stats(visited=200, relevant=50, recent=0.4)), harvest(Stats(visited=20, relevant=5, recent=0.25))
    ('25 % of all visits, 40 % of the last 100', '25 % of all visits')
    """
    overall = f"{percent(stats.harvest)} of all visits"
    if stats.visited < RECENT_VISITS:
        return overall
    return f"{overall}, {percent(stats.recent)} of the last {RECENT_VISITS}"


def forecast(stats: Stats) -> str:
    """Say how many relevant pages a crawl can still expect; "" while there is no forecast.

    >>> forecast(Stats(forecast=119.6, expected_waiting=1301.2, waiting=9000))
    'about 120 relevant in the next 500 visits, about 1,301 of all candidates'
    >>> forecast(Stats(forecast=0.2, waiting=9))
    'fewer than 1 relevant in the next 500 visits, at the recent rate'
    """
    if stats.forecast is None or not stats.waiting:
        return ""
    soon = f"{_about(stats.forecast)} relevant in the next {HORIZON} visits"
    if stats.expected_waiting is None:
        return f"{soon}, at the recent rate"
    return f"{soon}, {_about(stats.expected_waiting)} of all candidates"


def _about(count: float) -> str:
    return f"about {count:,.0f}" if count >= 1 else "fewer than 1"


def duration(seconds: float) -> str:
    """Format seconds as hours, minutes and seconds.

    >>> duration(75), duration(3675)
    ('1:15', '1:01:15')
    """
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def size(count: float) -> str:
    """Format a number of bytes with a unit.

    >>> size(1234567)
    '1.2 MB'
    """
    units = ("bytes", "kB", "MB", "GB", "TB")
    step = min(int(math.log10(count) // 3), 4) if count >= 1 else 0
    return f"{count / 1000**step:.1f} {units[step]}" if step else f"{count:.0f} bytes"
