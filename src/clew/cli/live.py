"""Shows a running crawl: a small panel in a terminal, a line every few seconds in a log or a pipe."""

from __future__ import annotations

import itertools
import math
import time
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.panel import Panel
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from clew.cli.terminal import (
    RECENT_VISITS,
    clean,
    counted,
    duration,
    err,
    forecast,
    harvest,
    hurry,
    number,
    percent,
    size,
    words,
)
from clew.config import Config
from clew.types import Doc, Page, Stats

if TYPE_CHECKING:
    from clew.cluster.report import Report

BARS = "▁▂▃▄▅▆▇█"


@contextmanager
def watching(config: Config, quiet: bool = False) -> Iterator[dict[str, Any]]:
    """Yield the arguments of `crawl` (watch, sinks, notify) through which its progress appears on stderr."""
    console = err()

    def notify(message: str) -> None:
        # URLs and reasons come from strangers.
        console.print(clean(message), markup=False, soft_wrap=True)

    if quiet:
        yield {}
    elif console.is_terminal:
        view = LiveView(config)
        # The panel disappears at the end: the summary has the same numbers.
        with Live(view, console=console, refresh_per_second=5, transient=True):
            # Shards are other processes, which no sink of this one can be in: they report what they find.
            sinks = {} if config.fetch.shards > 1 else {"sinks": [view.add]}
            yield {"watch": view, "notify": notify, **sinks}
    else:
        yield {"watch": Lines(console).watch, "notify": notify}


class LiveView:
    """The panel. Rich draws it in a thread of its own, so a visit costs the crawl a single assignment.

    >>> view = LiveView(Config())
    >>> view.watch(Stats(visited=10, relevant=5))
    """

    def __init__(self, config: Config) -> None:
        self.config = config
        self.stats: Stats | None = None
        self.trail = Trail()
        self.found: deque[Page] = deque(maxlen=4)
        self.reports: Sequence[Report] = ()
        self.began = time.monotonic()

    def __call__(self, stats: Stats) -> None:
        self.watch(stats)

    def shards(self, reports: Sequence[Report]) -> None:
        """Remember where the shards stand; called for a crawl that has several."""
        self.reports = reports
        for found in (found for report in reports for found in report.found):
            page = Page(found.url, title=found.title, relevance=found.relevance)
            # A report is shown until the next one comes.
            if page not in self.found:
                self.found.append(page)

    def watch(self, stats: Stats) -> None:
        """Remember the latest numbers; called after every visit."""
        self.stats = stats

    def add(self, page: Page, doc: Doc) -> None:
        """Remember the latest relevant pages; called as a sink."""
        self.found.append(page)

    def __rich__(self) -> RenderableType:
        grid = Table.grid(padding=(0, 2))
        grid.add_column(style="dim", justify="right")
        grid.add_column()
        for name, value in self._rows().items():
            grid.add_row(name, value)
        for report in self.reports:
            grid.add_row(f"shard {report.shard}", shard_line(report))
        if self.found:
            newest_first = reversed(tuple(self.found))
            grid.add_row("found", Group(*map(_page, newest_first)))
        title = Text.assemble((" clew ", "bold"), words(self.config.what.interest, width=60), " ")
        return Panel(grid, title=title, title_align="left", border_style="cyan", width=88)

    def _rows(self) -> dict[str, RenderableType]:
        # Nothing is reported while example and start pages are read, or earlier pages judged again.
        if self.stats is None:
            return {"starting": self._start()}
        self.trail.add(self.stats)
        return _rows(self.stats, self.config, self.trail)

    def _start(self) -> str:
        shards = self.config.fetch.shards
        if shards == 1:
            return "reading the start pages, or the crawl so far"
        # On a busy machine this can take a minute, in which nothing else moves.
        return f"Ray, then {shards} shards; for {duration(time.monotonic() - self.began)}"


def shard_line(report: Report) -> str:
    """Describe a shard in one line.

    >>> from clew.cluster.report import Report
    >>> shard_line(Report(2, Stats(pages=40, relevant=9, waiting=700), in_flight=3, is_running=True, outbox=1))
    '40 pages, 9 relevant, 700 candidates, 3 in flight, 1 letter under way'
    """
    if not report.is_running:
        return "starting"
    stats = report.stats
    parts = [counted(stats.pages, "page"), f"{stats.relevant:,} relevant", counted(stats.waiting, "candidate")]
    parts += [f"{report.in_flight} in flight"] if report.in_flight else []
    parts += [f"{counted(report.outbox, 'letter')} under way"] if report.outbox else []
    return ", ".join(parts)


def _best(stats: Stats) -> str:
    # There is no best candidate while no host is ready for another visit.
    return f", best score {number(stats.best)}" if math.isfinite(stats.best) else ""


def _rows(stats: Stats, config: Config, trail: Trail) -> dict[str, RenderableType]:
    rows: dict[str, RenderableType] = {
        "pages": _progress(stats, config.until.pages),
        "visits": f"{stats.visited:,}, {stats.failed:,} failed, {counted(stats.duplicates, 'duplicate')}",
        "relevant": Text(counted(stats.relevant, "page"), style="bold green"),
        "harvest": Group(harvest(stats), Text(trail.drawn(), style="green")),
        "speed": f"{_speed(stats):.1f} pages/s, {size(stats.bytes)}{_from_cache(stats)}",
        "frontier": f"{counted(stats.waiting, 'candidate')}{_best(stats)}; {counted(stats.hosts, 'host')} visited",
        "strategy": words(config.what.strategy),
    }
    if stats.paused:
        rows["paused"] = Text("you told the crawl to pause; to go on: clew tell FOLDER go-on", style="yellow")
    if stats.waited or stats.waits_for:
        # Also between two waits: a row that comes and goes would make the panel jump.
        rows["waiting"] = words(_waiting(stats) or "no better page is out of reach", width=70)
    if stats.faults:
        rows["errors"] = Text(f"{stats.faults:,} in parser, judge or strategy", style="red")
    expected = forecast(stats)
    if expected:
        rows["forecast"] = expected
    if stats.focus:
        rows["focus"] = words(stats.focus, "yellow", 70)
        if stats.focus_reason:
            rows["because"] = words(stats.focus_reason, "dim", 70)
    rows["time"] = _time(stats, config.until.pages, config.until.minutes)
    return rows


def _page(page: Page) -> Text:
    title = words(page.title or page.url, width=42)
    return Text.assemble((number(page.relevance), "green"), "  ", title, no_wrap=True, overflow="ellipsis")


def _progress(stats: Stats, limit: int | None) -> RenderableType:
    if not limit:
        return f"{stats.pages:,}"
    row = Table.grid(padding=(0, 2))
    bar = ProgressBar(total=limit, completed=min(stats.pages, limit), width=40)
    row.add_row(f"{stats.pages:,} of {limit:,}", bar)
    return row


def _time(stats: Stats, limit: int | None, minutes: float | None) -> str:
    """Say how long the crawl has run and how long it will, by the limit that comes first."""
    seconds_left = []
    speed = _speed(stats)
    if limit and speed:
        seconds_left.append((limit - stats.pages) / speed)
    if minutes is not None:
        seconds_left.append(minutes * 60 - stats.seconds)
    if not seconds_left:
        return duration(stats.seconds)
    return f"{duration(stats.seconds)}, about {duration(max(0.0, min(seconds_left)))} left{hurry(stats)}"


def _waiting(stats: Stats) -> str:
    """Say which better page is waited for, if any.

    >>> _waiting(Stats(waits_for="docs.example.org", waits_score=0.83, waits_seconds=1.24))
    '1.2 s for docs.example.org (0.830), a better page'
    """
    if not stats.waits_for:
        return ""
    return f"{stats.waits_seconds:.1f} s for {clean(stats.waits_for)} ({number(stats.waits_score)}), a better page"


def _from_cache(stats: Stats) -> str:
    return f", {counted(stats.cached, 'answer')} from the cache" if stats.cached else ""


def _speed(stats: Stats) -> float:
    return stats.pages / stats.seconds if stats.seconds else 0.0


class Trail:
    """The harvest curve behind the sparkline, in bounded memory: when it is full, every other point is dropped.

    >>> trail = Trail(width=5)
    >>> for visited, relevant in [(10, 0), (20, 5), (30, 15), (40, 0)]:
    ...     trail.add(Stats(visited=visited, relevant=relevant))
    >>> trail.drawn()
    '▁▅█▁'
    """

    def __init__(self, width: int = 64) -> None:
        self.width = width
        # At least this many visits for a bar, so that a single page does not make a spike.
        self.step = 5
        self.points = [(0, 0)]

    def add(self, stats: Stats) -> None:
        """Add a point to the curve, unless the last one is too near."""
        if stats.visited - self.points[-1][0] >= self.step:
            self.points.append((stats.visited, stats.relevant))
        if len(self.points) > self.width:
            self.points = self.points[::2]
            self.step *= 2

    def drawn(self) -> str:
        """Draw one bar for each pair of points: the harvest rate between them; a full bar is 100 %."""
        bars = []
        for (visited_before, relevant_before), (visited, relevant) in itertools.pairwise(self.points):
            share = (relevant - relevant_before) / (visited - visited_before)
            # A judge that learns may take back more than a few visits bring.
            bars.append(BARS[max(0, min(int(share * len(BARS)), len(BARS) - 1))])
        return "".join(bars)


class Lines:
    """The view for logs and pipes: one plain line every few seconds."""

    def __init__(self, console: Console, every: float = 5.0) -> None:
        self.console = console
        self.every = every  # seconds
        self.due = every
        self.was_paused = False

    def watch(self, stats: Stats) -> None:
        """Print a line if one is due by the clock of the crawl, which stands still while the crawl pauses."""
        if stats.paused != self.was_paused:
            self.was_paused = stats.paused
            self.console.print("paused" if stats.paused else "going on", markup=False)
        if stats.seconds >= self.due:
            self.due = stats.seconds + self.every
            self.console.print(line(stats), markup=False, soft_wrap=True)


def line(stats: Stats) -> str:
    """Describe a crawl in one line.

    >>> line(Stats(visited=200, pages=180, relevant=50, seconds=20, recent=0.4, waiting=900))
    '0:20  180 pages, 50 relevant; 200 visits, harvest 25 % (last 100: 40 %); 9.0 pages/s, 900 candidates'
    """
    recent = f" (last {RECENT_VISITS}: {percent(stats.recent)})" if stats.visited >= RECENT_VISITS else ""
    text = (
        f"{duration(stats.seconds)}  {counted(stats.pages, 'page')}, {stats.relevant:,} relevant; "
        f"{counted(stats.visited, 'visit')}, harvest {percent(stats.harvest)}{recent}; "
        f"{_speed(stats):.1f} pages/s, {counted(stats.waiting, 'candidate')}"
    )
    if stats.faults:
        text += f", {counted(stats.faults, 'error')}"
    if better := _waiting(stats):
        text += f"; waiting {better}"
    expected = forecast(stats)
    return f"{text}; forecast: {expected}" if expected else text
