"""A bar on the terminal while a world is read for the first time."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

from clew.cli.terminal import clean, err

if TYPE_CHECKING:
    from clew.lab.recording import Progress as Tell

PROGRESS_AFTER_SECONDS = 2.0  # seconds before progress is shown


@contextmanager
def progress(name: str, silent: bool = False) -> Iterator[Tell | None]:
    """What to call with the pages done and all pages; None where nobody looks."""
    columns = TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn()
    bar, began = Progress(*columns, console=err(), transient=True), time.monotonic()
    task = bar.add_task(f"reading {clean(name)} for the first time")

    def tell(done: int, total: int) -> None:
        if not bar.live.is_started and time.monotonic() - began > PROGRESS_AFTER_SECONDS:
            bar.start()
        bar.update(task, completed=done, total=total)

    try:
        yield tell if bar.console.is_terminal and not silent else None
    finally:
        if bar.live.is_started:
            bar.stop()
