"""Progress on the terminal for work that may take more than two seconds."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

from clew.cli.terminal import clean, err

PROGRESS_AFTER_SECONDS = 2.0

Advance = Callable[[int, int], None]
"""Called with the number of steps done and the number of all steps."""


@contextmanager
def progress(text: str, silent: bool = False) -> Iterator[Advance | None]:
    """Show a bar if the work takes long; yields the function to report steps to, or None where nobody looks."""
    columns = TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn()
    bar = Progress(*columns, console=err(), transient=True)
    task = bar.add_task(clean(text))
    began = time.monotonic()

    def advance(done: int, total: int) -> None:
        # A bar that flashes up and vanishes is only a nuisance, so short work shows none.
        if not bar.live.is_started and time.monotonic() - began > PROGRESS_AFTER_SECONDS:
            bar.start()
        bar.update(task, completed=done, total=total)

    try:
        yield advance if bar.console.is_terminal and not silent else None
    finally:
        if bar.live.is_started:
            bar.stop()


@contextmanager
def spinner(text: str, silent: bool = False) -> Iterator[None]:
    """Show on the terminal that something is being done, where there are no steps to count."""
    console = err()
    if silent or not console.is_terminal:
        yield
        return
    with console.status(clean(text)):
        yield
