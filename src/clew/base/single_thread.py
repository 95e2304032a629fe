"""Single-threaded arithmetic: for small matrices, threads cost more in waiting for each other than they save."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from threading import Lock
from typing import Any

from threadpoolctl import threadpool_limits


def shared(change: Callable[[], AbstractContextManager[Any]]) -> Callable[[], AbstractContextManager[None]]:
    """Share a change to the whole process: it lasts until the last user has left, in whatever order they leave."""
    lock = Lock()
    changes = ExitStack()
    inside = 0

    @contextmanager
    def held() -> Iterator[None]:
        nonlocal inside
        with lock:
            changes.enter_context(change())
            inside += 1
        try:
            yield
        finally:
            with lock:
                inside -= 1
                # Each user saved the state it found. Only undoing all of them together restores the original one.
                if not inside:
                    changes.close()

    return held


@shared
def one_thread() -> AbstractContextManager[Any]:
    """Limit the numeric libraries that are loaded to one thread: half the cost, and the same sums on every machine."""
    limits: AbstractContextManager[Any] = threadpool_limits(1)
    return limits
