"""Runs a crawl to its end: with uvloop if available, inside notebooks, and with a clean stop on Ctrl-C."""

from __future__ import annotations

import asyncio
import gc
import signal
import threading
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import wraps
from typing import Any, Final, ParamSpec, Protocol, TypeVar

from clew.base.single_thread import one_thread, shared

STOP_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)

P = ParamSpec("P")
R = TypeVar("R")


def sync(function: Callable[P, R]) -> Callable[P, R]:
    """Let a function that runs an event loop be called where one is already running: in a notebook or a server."""

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        if not _is_loop_running():
            return function(*args, **kwargs)
        # A thread can have only one running loop, so the function gets a thread of its own.
        with ThreadPoolExecutor(1) as thread:
            return thread.submit(function, *args, **kwargs).result()

    return call


def _is_loop_running() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


class Stoppable(Protocol):
    """Anything that can be asked for a clean stop."""

    def stop(self) -> None:
        """Stop soon."""
        ...


class Interruptible:
    """Turns the first Ctrl-C into a request for a clean stop; the second one is an ordinary KeyboardInterrupt."""

    def __init__(self, engine: Stoppable) -> None:
        self.engine = engine
        # Python delivers signals to the main thread only.
        self.active = threading.current_thread() is threading.main_thread()

    def __enter__(self) -> None:
        if self.active:
            loop = asyncio.get_running_loop()
            for number in STOP_SIGNALS:
                loop.add_signal_handler(number, self._stop)

    def __exit__(self, *_: object) -> None:
        if self.active:
            self._restore()

    def _stop(self) -> None:
        self.engine.stop()
        self._restore()

    def _restore(self) -> None:
        loop = asyncio.get_running_loop()
        for number in STOP_SIGNALS:
            loop.remove_signal_handler(number)


@contextmanager
def interruptible_at_once() -> Iterator[None]:
    """Let Ctrl-C end something that keeps the event loop from running; otherwise it would wait until that is over."""
    if threading.current_thread() is not threading.main_thread() or signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        yield
        return
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def new_loop() -> asyncio.AbstractEventLoop:
    """An event loop, of uvloop if it is installed."""
    try:
        import uvloop
    except ImportError:
        return asyncio.new_event_loop()
    return uvloop.new_event_loop()


def run(main: Coroutine[Any, Any, R], make_loop: Callable[[], asyncio.AbstractEventLoop] = new_loop) -> R:
    """Run a coroutine to its end, in a loop of its own."""
    with one_thread(), rare_collections(), asyncio.Runner(loop_factory=make_loop) as runner:
        return runner.run(main)


@shared
@contextmanager
def rare_collections() -> Iterator[None]:
    """Let the garbage collector run rarely."""
    # A crawl keeps very many small objects for long; with the usual thresholds the collector would walk over all of
    # them again and again.
    usual = gc.get_threshold()
    # The young are searched in small lots: a million at once would take longer than thirty pages, and it is no less
    # work in all.
    gc.set_threshold(10_000, 5, 2000)
    try:
        yield
    finally:
        gc.set_threshold(*usual)
