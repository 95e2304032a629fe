"""A call that takes too long is cut off, in the main thread and in others; what follows it is left alone."""

from __future__ import annotations

import re
import signal
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import pytest

from clew.core.time_limit import limited
from clew.errors import TimeIsUp

SECONDS = 0.05
T = TypeVar("T")


def here(work: Callable[[], T]) -> T:
    return work()


def elsewhere(work: Callable[[], T]) -> T:
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(work).result()


def spin() -> None:
    while True:
        pass


def stubborn() -> None:
    """Catches what it can, then goes on."""
    try:
        while True:
            try:
                spin()
            except Exception:
                continue
    except BaseException:
        spin()


@pytest.mark.parametrize("place", [here, elsewhere])
@pytest.mark.parametrize("function", [spin, stubborn])
def test_python_code_is_cut_off_anywhere(place: Callable[..., None], function: Callable[[], None]) -> None:
    with pytest.raises(TimeIsUp):
        place(lambda: limited(SECONDS, function))


def test_the_main_thread_is_cut_off_in_a_regular_expression_and_in_sleep() -> None:
    for call in (lambda: re.search(r"(a+)+$", "a" * 50 + "b"), lambda: time.sleep(600)):
        with pytest.raises(TimeIsUp):
            limited(SECONDS, call)


@pytest.mark.parametrize("place", [here, elsewhere])
def test_a_call_in_time_is_left_alone_and_so_is_what_follows(place: Callable[..., None]) -> None:
    def work() -> None:
        for number in range(200):
            assert limited(SECONDS, abs, -number) == number
        until = time.monotonic() + 5 * SECONDS
        while time.monotonic() < until:
            pass

    place(work)


def test_without_a_limit_nothing_is_set() -> None:
    assert limited(0, threading.get_ident) == threading.get_ident()


def test_the_timer_of_somebody_else_survives() -> None:
    handler = signal.getsignal(signal.SIGALRM)
    before = signal.getitimer(signal.ITIMER_REAL)
    limited(SECONDS, abs, 1)
    assert signal.getsignal(signal.SIGALRM) == handler
    assert bool(signal.getitimer(signal.ITIMER_REAL)[0]) == bool(before[0])
