"""Results go to stdout, everything else to stderr, and nothing from the web reaches the terminal raw."""

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

PIPE_WIDTH = 160  # a pipe has no width of its own, and URLs are long


def out() -> Console:
    """The console for results."""
    return _console(stderr=False)


def err() -> Console:
    """The console for progress and advice."""
    return _console(stderr=True)


def _console(stderr: bool) -> Console:
    stream = sys.stderr if stderr else sys.stdout
    width = None if stream.isatty() or "COLUMNS" in os.environ else PIPE_WIDTH
    return Console(stderr=stderr, width=width, highlight=False)


def dump(data: Any) -> None:
    """One JSON value on stdout, on one line."""
    print(json.dumps(plain(data), ensure_ascii=False))


def plain(value: Any) -> Any:
    """Records, paths and infinite scores as what JSON knows.

    >>> plain({"file": Path("a"), "score": float("-inf")})
    {'file': 'a', 'score': None}
    """
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f.name: plain(getattr(value, f.name)) for f in dataclasses.fields(value)}
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return plain(value._asdict())
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return str(value) if isinstance(value, Path) else value


def clean(text: str, width: int = 0) -> str:
    """Text of the web on one line, without control characters: a title must not steer the terminal.

    >>> clean("a\\x1b[31m  title\\n", 5)
    'a[31…'
    """
    spaced = " ".join(text.split())
    shown = "".join(c for c in spaced if unicodedata.category(c) not in ("Cc", "Cf", "Cs"))
    return shown[: width - 1] + "…" if width and len(shown) > width else shown


def words(text: str, style: str = "", width: int = 0) -> Text:
    """Cleaned text that rich takes literally, brackets and all."""
    return Text(clean(text, width), style=style)


def percent(share: float) -> str:
    """A share as people read it.

    >>> percent(0.284)
    '28 %'
    >>> percent(0.0284)
    '2.8 %'
    """
    return f"{share:.1%}".replace("%", " %") if 0 < share < 0.0995 else f"{share:.0%}".replace("%", " %")


def number(value: float) -> str:
    """A score or relevance, short.

    >>> number(0.12345), number(float("-inf"))
    ('0.123', 'on hold')
    """
    return f"{value:.3f}" if math.isfinite(value) else "on hold"


def forecast(stats: Stats) -> str:
    """What a crawl may still expect, or "" while that cannot be told.

    >>> forecast(Stats(forecast=119.6, expected_waiting=1301.2, waiting=9000))
    'about 120 more in the next 500 visits; about 1,301 of those waiting'
    >>> forecast(Stats(forecast=0.2, waiting=9))
    'fewer than 1 more in the next 500 visits at the recent rate'
    """
    if stats.forecast is None or not stats.waiting:
        return ""
    more = f"{_about(stats.forecast)} more in the next {HORIZON} visits"
    if stats.expected_waiting is None:
        return f"{more} at the recent rate"
    return f"{more}; {_about(stats.expected_waiting)} of those waiting"


def _about(count: float) -> str:
    return f"about {count:,.0f}" if count >= 1 else "fewer than 1"


def duration(seconds: float) -> str:
    """Hours, minutes and seconds.

    >>> duration(75), duration(3675)
    ('1:15', '1:01:15')
    """
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def size(count: float) -> str:
    """Bytes with a unit.

    >>> size(1234567)
    '1.2 MB'
    """
    units = ("bytes", "kB", "MB", "GB", "TB")
    step = min(int(math.log10(count) // 3), 4) if count >= 1 else 0
    return f"{count / 1000**step:.1f} {units[step]}" if step else f"{count:.0f} bytes"
