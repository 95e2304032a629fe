"""Cuts off a call that takes too long, without a thread or a process for each call.

In the main thread a timer of the operating system interrupts the call, even in a regular expression, in `time.sleep` or
on a socket. Python delivers signals to the main thread only: in any other thread, as in a notebook, a watchdog lets the
next line of Python code raise. Nothing interrupts compiled code that does not look for signals.
"""

from __future__ import annotations

import ctypes
import signal
import threading
import time
from collections.abc import Callable
from typing import Any, Final, TypeVar

from clew.errors import TimeIsUp

AGAIN_SECONDS: Final = 0.5
"""Until a call that has caught the first exception gets the next one."""
LOOK_SECONDS: Final = 0.1  # between two looks of the watchdog

T = TypeVar("T")


def limited(seconds: float, function: Callable[..., T], *args: Any) -> T:
    """The result of a call, or TimeIsUp after so many seconds; 0 for no limit.

    >>> limited(1.0, max, 2, 3)
    3
    """
    if not seconds:
        return function(*args)
    if threading.get_ident() == threading.main_thread().ident:
        return _with_timer(seconds, function, *args)
    return _watchdog.call(seconds, function, *args)


def _with_timer(seconds: float, function: Callable[..., T], *args: Any) -> T:
    def interrupt(*_: object) -> None:
        if is_running:
            raise TimeIsUp

    is_running = True
    handler = signal.signal(signal.SIGALRM, interrupt)
    timer = signal.setitimer(signal.ITIMER_REAL, seconds, AGAIN_SECONDS)
    try:
        try:
            return function(*args)
        finally:
            is_running = False
    # The timer may go off just before the line above; there is no second time before this is done.
    finally:
        is_running = False
        signal.setitimer(signal.ITIMER_REAL, *timer)
        signal.signal(signal.SIGALRM, handler)


class _Watchdog:
    """One thread that looks after the calls of all others; it sleeps while there are none."""

    def __init__(self) -> None:
        self.deadlines: dict[int, float] = {}  # by thread
        self.lock = threading.Lock()
        self.has_calls = threading.Event()
        self.thread: threading.Thread | None = None

    def call(self, seconds: float, function: Callable[..., T], *args: Any) -> T:
        """The result of a call, or TimeIsUp."""
        thread = threading.get_ident()
        with self.lock:
            self.deadlines[thread] = time.monotonic() + seconds
            self._start()
            self.has_calls.set()
        try:
            try:
                return function(*args)
            finally:
                self._forget(thread)
        # As above: the exception may come just before the call is forgotten.
        finally:
            self._forget(thread)

    def _forget(self, thread: int) -> None:
        with self.lock:
            self.deadlines.pop(thread, None)
            # An exception that is on its way must not arrive after the call.
            _raise_in(thread, None)

    def _start(self) -> None:
        if self.thread is None or not self.thread.is_alive():
            self.thread = threading.Thread(target=self._watch, name="clew time limit", daemon=True)
            self.thread.start()

    def _watch(self) -> None:
        while self.has_calls.wait():
            with self.lock:
                self._look(time.monotonic())
            time.sleep(LOOK_SECONDS)

    def _look(self, now: float) -> None:
        if not self.deadlines:
            self.has_calls.clear()
        for thread, deadline in self.deadlines.items():
            if deadline <= now:
                self.deadlines[thread] = now + AGAIN_SECONDS
                _raise_in(thread, TimeIsUp)


def _raise_in(thread: int, error: type[BaseException] | None) -> None:
    """Let a thread raise an exception at its next line; None takes back one that has not arrived yet."""
    what = ctypes.py_object(error) if error else None
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), what)


_watchdog = _Watchdog()
