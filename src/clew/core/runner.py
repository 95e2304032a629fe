"""Running the engine from anywhere: on uvloop, in a notebook, with Ctrl-C as a request."""

from __future__ import annotations

import asyncio
import gc
import signal
import threading
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import wraps
from typing import Any, ParamSpec, Protocol, TypeVar

from clew.base.single_thread import one_thread, shared

P = ParamSpec("P")
R = TypeVar("R")


def sync(function: Callable[P, R]) -> Callable[P, R]:
    """Let a function that runs an event loop be called where one is running: in a notebook, in a server."""

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            return function(*args, **kwargs)
        with ThreadPoolExecutor(1) as thread:
            return thread.submit(function, *args, **kwargs).result()

    return call


class Stoppable(Protocol):
    """What can be asked for a clean end."""

    def stop(self) -> None:
        """Come to it soon."""
        ...


class Interruptible:
    """While it lasts, the first Ctrl-C asks for a clean end; the second is an ordinary KeyboardInterrupt."""

    def __init__(self, engine: Stoppable) -> None:
        self.engine = engine
        self.active = threading.current_thread() is threading.main_thread()

    def __enter__(self) -> None:
        if self.active:
            loop = asyncio.get_running_loop()
            for number in (signal.SIGINT, signal.SIGTERM):
                loop.add_signal_handler(number, self._stop)

    def __exit__(self, *_: object) -> None:
        if self.active:
            self._let_go()

    def _stop(self) -> None:
        self.engine.stop()
        self._let_go()

    def _let_go(self) -> None:
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.remove_signal_handler(number)


def run(main: Coroutine[Any, Any, R]) -> R:
    """Run to the end, on uvloop where there is one."""
    with one_thread(), rare_collections(), asyncio.Runner(loop_factory=_new_loop) as runner:
        return runner.run(main)


def _new_loop() -> asyncio.AbstractEventLoop:
    try:
        import uvloop
    except ImportError:
        return asyncio.new_event_loop()
    return uvloop.new_event_loop()


@shared
@contextmanager
def rare_collections() -> Iterator[None]:
    """A crawl keeps very many small values for long; the usual collector would walk over all of them all the time."""
    usual = gc.get_threshold()
    gc.set_threshold(50_000, 20, 100)
    try:
        yield
    finally:
        gc.set_threshold(*usual)
