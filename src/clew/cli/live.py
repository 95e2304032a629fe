"""The crawl as it runs: a small panel in a terminal, a line now and then in a log."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.panel import Panel
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from clew.cli.terminal import duration, err, forecast, number, percent, size, words
from clew.config import Config
from clew.types import Doc, Page, Stats

BARS = "▁▂▃▄▅▆▇█"


@contextmanager
def watching(config: Config, quiet: bool = False) -> Iterator[dict[str, Any]]:
    """What `crawl` must be given (watch, sinks, tell) to be seen; what they show goes to stderr."""
    console = err()

    def tell(message: str) -> None:
        name = config.what.strategy.partition("(")[0]
        console.print(f"{name} goes on without {message}", markup=False, soft_wrap=True)

    if quiet:
        yield {}
    elif console.is_terminal:
        view = LiveView(config)
        with Live(view, console=console, refresh_per_second=5, transient=True):
            yield {"watch": view.watch, "sinks": [view.write], "notify": tell}
    else:
        yield {"watch": Lines(console).watch, "notify": tell}


class LiveView:
    """The panel; rich's own thread draws it, so that a page costs one assignment only.

    >>> view = LiveView(Config())
    >>> view.watch(Stats(visited=10, relevant=5))
    """

    def __init__(self, config: Config) -> None:
        self.config = config
        self.stats = Stats()
        self.trail = Trail()
        self.found: deque[Page] = deque(maxlen=4)

    def watch(self, stats: Stats) -> None:
        """Take note; called after every page."""
        self.stats = stats

    def write(self, page: Page, doc: Doc | None) -> None:
        """Take note of a relevant page; the view is a sink too."""
        if page.relevant:
            self.found.append(page)

    def __rich__(self) -> RenderableType:
        stats, what = self.stats, self.config.what
        self.trail.add(stats)
        grid = Table.grid(padding=(0, 2))
        grid.add_column(style="dim", justify="right")
        grid.add_column()
        for name, value in _rows(stats, self.config, self.trail).items():
            grid.add_row(name, value)
        if self.found:
            grid.add_row("found", Group(*map(_page, reversed(tuple(self.found)))))
        title = Text.assemble((" clew ", "bold"), words(what.interest, width=60), " ")
        return Panel(grid, title=title, title_align="left", border_style="cyan", width=88)


def _best(stats: Stats) -> str:
    """Nothing while no host is ready for another visit."""
    return f", best score {number(stats.best)}" if math.isfinite(stats.best) else ""


def _rows(stats: Stats, config: Config, trail: Trail) -> dict[str, RenderableType]:
    harvest = f"{percent(stats.harvest)} of all pages, {percent(stats.recent)} of the last 100"
    rows: dict[str, RenderableType] = {
        "pages": _progress(stats, config.until.pages),
        "relevant": Text(f"{stats.relevant:,}", style="bold green"),
        "harvest": Group(harvest, Text(trail.drawn(), style="green")),
        "speed": f"{_speed(stats):.1f} pages/s, {size(stats.bytes)}, {stats.failed:,} failed",
        "frontier": f"{stats.waiting:,} waiting, {stats.hosts:,} hosts visited{_best(stats)}",
        "strategy": words(config.what.strategy),
    }
    if told := forecast(stats):
        rows["forecast"] = told
    if stats.focus:
        rows["focus"] = words(stats.focus, "yellow", 70)
    return rows | {"time": _time(stats, config.until.pages, config.until.minutes)}


def _page(page: Page) -> Text:
    title = words(page.title or page.url, width=42)
    return Text.assemble((number(page.relevance), "green"), "  ", title, no_wrap=True, overflow="ellipsis")


def _progress(stats: Stats, limit: int | None) -> RenderableType:
    if not limit:
        return f"{stats.visited:,}"
    row = Table.grid(padding=(0, 2))
    bar = ProgressBar(total=limit, completed=min(stats.visited, limit), width=40)
    row.add_row(f"{stats.visited:,} of {limit:,}", bar)
    return row


def _time(stats: Stats, limit: int | None, minutes: float | None) -> str:
    speed = _speed(stats)
    ends = [(limit - stats.visited) / speed] if limit and speed else []
    ends += [minutes * 60 - stats.seconds] if minutes is not None else []
    return duration(stats.seconds) + (f", about {duration(max(0.0, min(ends)))} left" if ends else "")


def _speed(stats: Stats) -> float:
    return stats.visited / stats.seconds if stats.seconds else 0.0


class Trail:
    """A bounded memory of the harvest for the sparkline: when it is full, every other point goes.

    >>> trail = Trail(width=4)
    >>> for visited, relevant in [(10, 0), (20, 5), (30, 15)]:
    ...     trail.add(Stats(visited=visited, relevant=relevant))
    >>> trail.drawn()
    '▁▅█'
    """

    def __init__(self, width: int = 64) -> None:
        self.width = width
        self.step = 5  # visits for one bar at least, so that one page does not make a spike
        self.points = [(0, 0)]

    def add(self, stats: Stats) -> None:
        """A point of the curve, unless the last one is too near."""
        if stats.visited - self.points[-1][0] >= self.step:
            self.points.append((stats.visited, stats.relevant))
        if len(self.points) > self.width:
            self.points = self.points[::2]
            self.step *= 2

    def drawn(self) -> str:
        """Each bar is the harvest rate between two points; the highest is 100 %."""
        pairs = zip(self.points, self.points[1:], strict=False)
        shares = [(r2 - r1) / (v2 - v1) for (v1, r1), (v2, r2) in pairs]
        return "".join(BARS[min(int(share * len(BARS)), len(BARS) - 1)] for share in shares)


class Lines:
    """For logs and pipes: one plain line every few seconds of the crawl."""

    def __init__(self, console: Console, every: float = 5.0) -> None:
        self.console, self.every, self.due = console, every, every

    def watch(self, stats: Stats) -> None:
        """Print if it is time; the crawl's own clock tells."""
        if stats.seconds >= self.due:
            self.due = stats.seconds + self.every
            self.console.print(line(stats), markup=False)


def line(stats: Stats) -> str:
    """A crawl in one line.

    >>> line(Stats(visited=200, relevant=50, seconds=20, recent=0.4, waiting=900))
    '0:20  200 pages, 50 relevant, harvest 25 % (last 100: 40 %), 10.0 pages/s, 900 waiting'
    """
    told = forecast(stats)
    return (
        f"{duration(stats.seconds)}  {stats.visited:,} pages, {stats.relevant:,} relevant, "
        f"harvest {percent(stats.harvest)} (last 100: {percent(stats.recent)}), "
        f"{_speed(stats):.1f} pages/s, {stats.waiting:,} waiting" + (f"; forecast: {told}" if told else "")
    )
