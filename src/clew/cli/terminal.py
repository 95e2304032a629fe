"""Consoles and number formats: results go to stdout, everything else to stderr, and web text is cleaned first."""

from __future__ import annotations

import json
import math
import os
import sys
import unicodedata
from collections.abc import Iterable
from typing import Any

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.text import Text

from clew.base.clean_text import CONTROL_CATEGORIES
from clew.base.clean_text import clean as clean
from clew.base.clean_text import printable as printable
from clew.base.plain import plain as plain
from clew.types import HORIZON, Stats

PIPE_WIDTH = 160  # columns; a pipe has no width of its own, and URLs are long
RECENT_VISITS = 100  # visits that `Stats.recent` is about
SLOW_SECONDS = 60  # a crawl that takes longer may be in want of haste
BEFORE_ALL_OTHERS = 1e6  # scores from here on are no strategy's: sitemaps, and pages that the user wants
MAX_RANGE = 6  # from end to end, as a ratio: beyond it, the middle of a forecast is right too seldom


def out() -> Console:
    """Return the console for results."""
    return _console(stderr=False)


def err() -> Console:
    """Return the console for progress, warnings and advice."""
    return _console(stderr=True)


class CleanConsole(Console):
    """Shows text without control characters, wherever it comes from: a title must not steer the terminal.

    Rich itself steers the terminal by styles and control segments, which stay.
    """

    def on_broken_pipe(self) -> None:
        """Leave it to `main`: a reader that has seen enough is no failure."""
        raise BrokenPipeError

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """Render as usual, and clean every piece of text."""
        for segment in super().render(renderable, options):
            is_clean = segment.control or segment.text.isprintable() or segment.text == "\n"
            yield segment if is_clean else Segment(_lines(segment.text), segment.style)


def _console(stderr: bool) -> Console:
    stream = sys.stderr if stderr else sys.stdout
    # Rich would also colour numbers and paths on its own; here, colour always means something.
    width = None if stream.isatty() or "COLUMNS" in os.environ else PIPE_WIDTH
    return CleanConsole(stderr=stderr, width=width, highlight=False)


def dump(data: Any) -> None:
    """Print one JSON value on one line of stdout."""
    print(as_json(plain(data)))


def as_json(value: Any) -> str:
    """Write a plain value as JSON that is safe to look at: control characters are escaped, so nothing is lost.

    >>> as_json("Rügen \\x9b\\u202e")
    '"Rügen \\\\u009b\\\\u202e"'
    """
    text = json.dumps(value, ensure_ascii=False)
    if text.isprintable():
        return text
    return "".join(json.dumps(c)[1:-1] if unicodedata.category(c) in CONTROL_CATEGORIES else c for c in text)


def say(line: str) -> None:
    """Print a plain line to stdout; for a terminal, without control characters."""
    print(_lines(line) if sys.stdout.isatty() else line)


def _lines(text: str) -> str:
    return "\n".join(map(printable, text.split("\n")))


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
    """Format a score or relevance; sitemaps and pages that the user wants have scores above all others.

    >>> number(0.12345), number(float("-inf")), number(1e6)
    ('0.123', 'on hold', 'before all others')
    """
    if value >= BEFORE_ALL_OTHERS:
        return "before all others"
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


def hurry(stats: Stats) -> str:
    """Name the setting that makes a crawl faster, if it has spent most of its time waiting for better pages.

    >>> hurry(Stats(seconds=300, waited=200)), hurry(Stats(seconds=300, waited=20)), hurry(Stats(seconds=30, waited=29))
    (' (waited 67 % of the time for better pages; --patience 0 never waits)', '', '')
    """
    if stats.seconds < SLOW_SECONDS or 2 * stats.waited < stats.seconds:
        return ""
    return f" (waited {percent(stats.waited / stats.seconds)} of the time for better pages; --patience 0 never waits)"


def forecast(stats: Stats) -> str:
    """Say how many relevant pages a crawl can still expect; "" while there is no forecast.

    Where the range is too wide for one number to mean anything, only the range is given.

    >>> forecast(Stats(forecast=119.6, forecast_low=80.4, forecast_high=170, waiting=9000))
    'about 120 more relevant pages in the next 500 visits (80 to 170)'
    >>> forecast(Stats(forecast=30, forecast_low=2.2, forecast_high=140, waiting=9000))
    'between 2 and 140 more relevant pages in the next 500 visits'
    >>> forecast(Stats(forecast=0.2, forecast_low=0, forecast_high=3.9, waiting=9))
    'at most 4 more relevant pages in the next 500 visits'
    """
    low = stats.forecast_low
    high = stats.forecast_high
    if stats.forecast is None or low is None or high is None or not stats.waiting:
        return ""
    # A range that begins below one page has no lower end worth naming, and an end of 3.2 pages includes the fourth.
    least = math.floor(low)
    most = math.ceil(high)
    what = f"more relevant page{'' if most == 1 else 's'} in the next {HORIZON} visits"
    if not least:
        return f"at most {most:,} {what}"
    if most > MAX_RANGE * least:
        return f"between {least:,} and {most:,} {what}"
    return f"about {stats.forecast:,.0f} {what} ({least:,} to {most:,})"


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
