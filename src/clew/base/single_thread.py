"""Arithmetic in one thread: where matrices are small, threads that wait for each other cost more than they bring."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from threading import Lock
from typing import Any

from threadpoolctl import threadpool_limits


def shared(change: Callable[[], AbstractContextManager[Any]]) -> Callable[[], AbstractContextManager[None]]:
    """A change to the whole process that lasts until the last of those who asked for it has left, in whatever order."""
    lock, changes, inside = Lock(), ExitStack(), list[object]()

    @contextmanager
    def held() -> Iterator[None]:
        with lock:
            changes.enter_context(change())
            inside.append(None)
        try:
            yield
        finally:
            with lock:
                inside.pop()
                if not inside:
                    changes.close()

    return held


@shared
def one_thread() -> AbstractContextManager[Any]:
    """While it lasts, what is loaded calculates in one thread: half the cost, and the same sums on every machine."""
    limits: AbstractContextManager[Any] = threadpool_limits(1)
    return limits
