"""Runs many trials on all cores; results are cached, so an interrupted run continues where it stopped."""

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

TRIALS_PER_BATCH: Final = 24  # handed to a process at once

Job = tuple[str, Trial]  # the key of the result, and the trial


@dataclass(frozen=True)
class JobFailure:
    """A trial that failed; the others continue."""

    trial: Trial
    error: str  # one line
    trace: str = ""  # the traceback, if the cause is a bug


Outcome = TrialResult | JobFailure
Watch = Callable[[Outcome], None]


def run_all(
    trials: Sequence[Trial], *, jobs: int | None = None, fresh: bool = False, watch: Watch = lambda outcome: None
) -> tuple[list[Outcome], int]:
    """The outcome of every trial, in the order of the trials, and how many of them were cached.

    `fresh` ignores the cache. However the run ends, the results so far are in the cache.
    """
    work = [(result_cache.key(trial), trial) for trial in trials]
    done: dict[str, Outcome] = {} if fresh else _cached(work, watch)
    # Trials that differ only in the name of the strategy have one key, and run once.
    missing = list({key: (key, trial) for key, trial in work if key not in done}.values())
    cached = len(trials) - len(missing)
    processes = min(jobs or os.cpu_count() or 1, len(missing))
    with closing(_outcomes(missing, processes)) as outcomes:
        for key, outcome in outcomes:
            done[key] = outcome
            watch(outcome)
    return [replace(done[key], trial=trial) for key, trial in work], cached


def _cached(work: Iterable[Job], watch: Watch) -> dict[str, Outcome]:
    done: dict[str, Outcome] = {}
    for key, trial in work:
        if result := result_cache.get(key, trial):
            done[key] = result
            watch(result)
    return done


def _outcomes(jobs: Sequence[Job], processes: int) -> Generator[tuple[str, Outcome], None, None]:
    if processes <= 1:
        yield from ((key, _run(key, trial)) for key, trial in jobs)
        return
    # Spawned, not forked: what the caller has open or imported must not leak into the measurements.
    pool = ProcessPoolExecutor(processes, mp_context=get_context("spawn"), initializer=_die_with_parent)
    try:
        batches = {pool.submit(_run_batch, batch): batch for batch in _batches(jobs)}
        for future in as_completed(batches):
            yield from _finished(future, batches[future])
    finally:
        pool.shutdown(cancel_futures=True)


def _batches(jobs: Sequence[Job]) -> Iterator[list[Job]]:
    """Trials of one topic together: its judge is trained once, and each oracle computed once."""
    for _, group in groupby(jobs, key=lambda job: (job[1].world, job[1].topic, job[1].judge)):
        same_topic = list(group)
        for first in range(0, len(same_topic), TRIALS_PER_BATCH):
            yield same_topic[first : first + TRIALS_PER_BATCH]


def _finished(future: Future[list[Outcome]], batch: list[Job]) -> Iterator[tuple[str, Outcome]]:
    try:
        outcomes = future.result()
    except BrokenExecutor as error:
        # A process was killed, perhaps because memory ran out. What it had finished is in the cache for the next run.
        outcomes = [JobFailure(trial, f"its process died: {error}") for _, trial in batch]
    yield from zip((key for key, _ in batch), outcomes, strict=True)


def _run_batch(batch: list[Job]) -> list[Outcome]:
    return [_run(key, trial) for key, trial in batch]


def _run(key: str, trial: Trial) -> Outcome:
    try:
        result = run(trial)
    except ClewError as error:
        return JobFailure(trial, str(error))
    except Exception as error:
        # A bug in one strategy must not cost the results of the others.
        return JobFailure(trial, f"{type(error).__name__}: {error}", traceback.format_exc())
    result_cache.put(key, result)
    return result


def _die_with_parent() -> None:
    """Make a worker end at once and silently on Ctrl-C, and whenever its parent ends."""
    # The default handler kills without a traceback; the parent reports what is cached.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    Thread(target=_exit_after, args=(parent_process(),), daemon=True).start()


def _exit_after(parent: BaseProcess | None) -> None:
    """Exit when the parent has ended: a worker whose parent was killed would wait for its next trial forever."""
    if parent:
        parent.join()
        # sys.exit would end only this thread.
        os._exit(1)
