"""Many trials, over all cores; what is done is kept, so that an interrupted run goes on where it was."""

from __future__ import annotations

import os
import signal
import traceback
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor, as_completed
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import groupby
from multiprocessing import get_context, parent_process
from multiprocessing.process import BaseProcess
from threading import Thread
from typing import Final

from clew.errors import ClewError
from clew.lab import result_cache
from clew.lab.trial import Trial, TrialResult, run

BATCH: Final = 24  # trials that are handed to a process at once

Job = tuple[str, Trial]


@dataclass(frozen=True)
class JobFailure:
    """A trial that broke; the others go on."""

    trial: Trial
    error: str  # in a line
    trace: str = ""  # where it happened, if it is a mistake in the code


Outcome = TrialResult | JobFailure
Watch = Callable[[Outcome], None]


def run_all(
    trials: Sequence[Trial], *, jobs: int | None = None, fresh: bool = False, watch: Watch = lambda outcome: None
) -> tuple[list[Outcome], int]:
    """What came of every trial, in their order whichever core is faster, and how many were done already.

    `fresh` runs everything again. Whatever the end, the results so far are on the shelf.
    """
    named = [(result_cache.key(trial), trial) for trial in trials]
    done: dict[str, Outcome] = {} if fresh else _kept(named, watch)
    missing = list({key: (key, trial) for key, trial in named if key not in done}.values())
    cached = len(trials) - len(missing)
    with closing(_made(missing, min(jobs or os.cpu_count() or 1, len(missing)))) as made:
        for key, outcome in made:
            done[key] = outcome
            watch(outcome)
    return [replace(done[key], trial=trial) for key, trial in named], cached


def _kept(named: Iterable[Job], watch: Watch) -> dict[str, Outcome]:
    done: dict[str, Outcome] = {}
    for key, trial in named:
        if result := result_cache.get(key, trial):
            done[key] = result
            watch(result)
    return done


def _made(jobs: Sequence[Job], processes: int) -> Generator[tuple[str, Outcome], None, None]:
    if processes <= 1:
        yield from ((key, _tried(key, trial)) for key, trial in jobs)
        return
    # A fresh process for each worker: what the caller has open or imported must not leak into the measurements.
    pool = ProcessPoolExecutor(processes, mp_context=get_context("spawn"), initializer=_mortal)
    try:
        batches = {pool.submit(_work, batch): batch for batch in _batches(jobs)}
        for future in as_completed(batches):
            yield from _landed(future, batches[future])
    finally:
        pool.shutdown(cancel_futures=True)


def _batches(jobs: Sequence[Job]) -> Iterator[list[Job]]:
    """Trials of one topic together, so that its judge is trained once, and each oracle is asked once."""
    for _, group in groupby(jobs, key=lambda job: (job[1].world, job[1].topic, job[1].judge)):
        together = list(group)
        yield from (together[first : first + BATCH] for first in range(0, len(together), BATCH))


def _landed(future: Future[list[Outcome]], batch: list[Job]) -> Iterator[tuple[str, Outcome]]:
    try:
        outcomes = future.result()
    except BrokenExecutor as error:  # a process died, of want of memory perhaps
        outcomes = [JobFailure(trial, f"its process died: {error}") for _, trial in batch]
    yield from zip((key for key, _ in batch), outcomes, strict=True)


def _work(batch: list[Job]) -> list[Outcome]:
    return [_tried(key, trial) for key, trial in batch]


def _tried(key: str, trial: Trial) -> Outcome:
    try:
        result = run(trial)
    except ClewError as error:
        return JobFailure(trial, str(error))
    except Exception as error:
        return JobFailure(trial, f"{type(error).__name__}: {error}", traceback.format_exc())
    result_cache.put(key, result)
    return result


def _mortal() -> None:
    """Ctrl-C ends a worker at once and without a word; the parent tells what is kept. Without it nobody works."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    Thread(target=_end_with, args=(parent_process(),), daemon=True).start()


def _end_with(parent: BaseProcess | None) -> None:
    """However the parent was ended, a worker would wait for its next trial for ever."""
    if parent:
        parent.join()
        os._exit(1)
