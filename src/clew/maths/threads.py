"""Arithmetic in one thread: where matrices are small, threads that wait for each other cost more than they bring."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any, cast

from threadpoolctl import threadpool_limits


def one_thread() -> AbstractContextManager[Any]:
    """While it lasts, what is loaded calculates in one thread: half the cost, and the same sums on every machine.

    >>> import numpy as np
    >>> from threadpoolctl import threadpool_info
    >>> with one_thread():
    ...     {library["num_threads"] for library in threadpool_info()}
    {1}
    """
    return cast(AbstractContextManager[Any], threadpool_limits(1))
