"""The labyrinth in a process of its own, which ends with the one that started it."""

from __future__ import annotations

import argparse
import asyncio
import gc
import os
import subprocess
import sys
import threading
from collections.abc import Coroutine, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from importlib import import_module
from pathlib import Path
from typing import Any

from clew.base.extras import installed
from clew.errors import ClewError
from clew.labyrinth.hostile import Hostile
from clew.labyrinth.labyrinth import Labyrinth
from clew.labyrinth.server import Server, resolve, resolve_inside, serve
from clew.labyrinth.shape import REGIMES

LOOPS = import_module("uvloop" if installed("uvloop") else "asyncio")


@dataclass(frozen=True, slots=True)
class Serving:
    """A labyrinth served by another process."""

    labyrinth: Labyrinth
    port: int
    pid: int

    @property
    def resolve(self) -> str:
        """The value of clew's `resolve` setting that leads there."""
        return resolve(self.port)

    @property
    def addresses(self) -> tuple[str, ...]:
        """All entries of that setting: a hostile labyrinth also has names that lead inside."""
        inside = isinstance(self.labyrinth, Hostile)
        return (resolve(self.port), *([resolve_inside(self.port)] if inside else []))


@contextmanager
def serving(
    labyrinth: Labyrinth,
    port: int = 0,
    delay: float = 0.0,
    log: str | Path | None = None,
    zipped: bool = False,
    witness: str | Path | None = None,
) -> Iterator[Serving]:
    """Serve a labyrinth from a separate process while the block runs.

    >>> with serving(Labyrinth(pages=100)) as web:
    ...     web.resolve.startswith("*.labyrinth=127.0.0.1:")
    True
    """
    flags = [f"--{f.name.replace('_', '-')}={getattr(labyrinth, f.name)}" for f in fields(labyrinth)]
    flags += [f"--port={port}", f"--delay={delay}", "--watch", *([f"--log={log}"] if log else [])]
    flags += [*(["--zipped"] if zipped else []), *([f"--witness={witness}"] if witness else [])]
    flags += ["--hostile"] if isinstance(labyrinth, Hostile) else []
    command = [sys.executable, "-m", "clew.labyrinth", *flags]
    pipe = subprocess.PIPE
    # A session of its own: Ctrl-C is for the crawl, which still needs its web to stop cleanly.
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, start_new_session=True) as process:
        try:
            assert process.stdout
            first = process.stdout.readline().split()
            if first[:1] != ["port"]:
                raise ClewError("the labyrinth's server did not start")
            yield Serving(labyrinth, int(first[1]), process.pid)
        finally:
            process.terminate()


def run(
    labyrinth: Labyrinth,
    port: int = 8000,
    delay: float = 0.0,
    log: str | Path | None = None,
    zipped: bool = False,
    witness: str | Path | None = None,
    watch: bool = False,
) -> None:
    """Serve until interrupted; with `watch`, until standard input closes, as it does when its owner dies."""

    gc.set_threshold(100_000)  # pages are short-lived and make no cycles

    async def forever() -> None:
        async with await serve(labyrinth, port, delay, log, zipped, witness) as server:
            print(_greeting(server), flush=True)
            await (_closed_input() if watch else asyncio.Event().wait())

    _until_interrupted(forever())


def _until_interrupted(work: Coroutine[Any, Any, None]) -> None:
    try:
        LOOPS.run(work)
    except KeyboardInterrupt:
        print("closed")


def _greeting(server: Server) -> str:
    web = server.labyrinth
    hosts = ", ".join(web.hosts[:4])
    topic = web.topics[0]
    start = web.seeds(topic, 1)[0]
    return (
        f"port {server.port}\n"
        f"{web.pages:,} pages on {len(web.hosts):,} hosts: {hosts}, ...\n"
        f"topics: {', '.join(web.topics)}\n"
        f"crawl:  clew crawl '{topic}' -s {start} --resolve '{server.resolve}' --allow-private --delay 0\n"
        f"look:   curl -x http://127.0.0.1:{server.port} {start}"
    )


async def _closed_input() -> None:
    """Wait in a thread: standard input may be a pipe, a file or nothing at all."""
    loop, closed = asyncio.get_running_loop(), asyncio.Event()

    def watch() -> None:
        while os.read(0, 1024):
            pass
        loop.call_soon_threadsafe(closed.set)

    threading.Thread(target=watch, daemon=True).start()
    await closed.wait()


def main(arguments: Sequence[str] | None = None) -> None:
    """The command `python -m clew.labyrinth`."""
    parser = argparse.ArgumentParser(prog="python -m clew.labyrinth", description="Serve a synthetic web.")
    parser.add_argument("--regime", choices=list(REGIMES), default="plain")
    parser.add_argument("--port", type=int, default=8000, help="0 takes a free one")
    parser.add_argument("--delay", type=float, default=0.0, help="seconds before each answer")
    parser.add_argument("--log", help="file for one line a request: time, host, path")
    parser.add_argument("--zipped", action="store_true", help="gzip for clients that accept it")
    parser.add_argument("--witness", help="file for one line a request, as its host saw it")
    parser.add_argument("--hostile", action="store_true", help="with hosts that mean harm")
    parser.add_argument("--watch", action="store_true", help="end when standard input closes")
    for f in fields(Hostile):
        parser.add_argument(f"--{f.name.replace('_', '-')}", type=type(f.default), default=None)
    given = vars(parser.parse_args(arguments))
    web = Hostile if given["hostile"] else Labyrinth
    shape = {f.name: given[f.name] for f in fields(web) if given[f.name] is not None}
    labyrinth = web.regime(given["regime"], **shape)
    try:
        run(labyrinth, *(given[name] for name in ("port", "delay", "log", "zipped", "witness", "watch")))
    except OSError as error:
        raise SystemExit(f"the labyrinth cannot be served: {error}") from None
