"""Runs a labyrinth in its own process, which ends with the one that started it."""

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
from typing import Any, cast

from clew.base.extras import installed
from clew.errors import ClewError
from clew.labyrinth.hidden import Hidden
from clew.labyrinth.hostile import Hostile
from clew.labyrinth.making import ALL_REGIMES, KINDS, REGIONS, Kind, made
from clew.labyrinth.regional import Regional
from clew.labyrinth.server import Server, resolve, resolve_inside, serve
from clew.labyrinth.web import Web

# uvloop is optional and only makes the server faster.
LOOPS = import_module("uvloop" if installed("uvloop") else "asyncio")


@dataclass(frozen=True, slots=True)
class Serving:
    """A labyrinth served by another process."""

    labyrinth: Web
    port: int
    pid: int

    @property
    def resolve(self) -> str:
        """The value of clew's `resolve` setting for this labyrinth."""
        return resolve(self.port)

    @property
    def addresses(self) -> tuple[str, ...]:
        """All entries of that setting: a hostile labyrinth also has names that lead to a private address."""
        if isinstance(self.labyrinth, Hostile):
            return resolve(self.port), resolve_inside(self.port)
        return (resolve(self.port),)


@contextmanager
def serving(
    labyrinth: Web,
    port: int = 0,
    delay: float = 0.0,
    log: str | Path | None = None,
    zipped: bool = False,
    witness: str | Path | None = None,
) -> Iterator[Serving]:
    """Serve a labyrinth from a separate process while the block runs.

    >>> with serving(Regional(pages=2000)) as web:
    ...     web.resolve.startswith("*.labyrinth=127.0.0.1:")
    True
    """
    settings = fields(cast(Any, labyrinth))
    flags = [f"{_flag(setting.name)}={getattr(labyrinth, setting.name)}" for setting in settings]
    flags += [f"--port={port}", f"--delay={delay}", "--watch"]
    if log:
        flags.append(f"--log={log}")
    if zipped:
        flags.append("--zipped")
    if witness:
        flags.append(f"--witness={witness}")
    if isinstance(labyrinth, Hostile):
        flags.append("--hostile")
    if isinstance(labyrinth, Hidden):
        flags.append("--hidden")
    if isinstance(labyrinth, Regional):
        flags.append(f"--regime={REGIONS}")
    command = [sys.executable, "-m", "clew.labyrinth", *flags]
    pipe = subprocess.PIPE
    # In a session of its own: Ctrl-C is meant for the crawl, which still needs its web in order to stop cleanly.
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, start_new_session=True) as process:
        try:
            assert process.stdout
            first_line = process.stdout.readline().split()
            if first_line[:1] != ["port"]:
                raise ClewError("the server of the labyrinth did not start; its error message is above")
            yield Serving(labyrinth, int(first_line[1]), process.pid)
        finally:
            process.terminate()


def run(
    labyrinth: Web,
    port: int = 8000,
    delay: float = 0.0,
    log: str | Path | None = None,
    zipped: bool = False,
    witness: str | Path | None = None,
    watch: bool = False,
) -> None:
    """Serve until interrupted; with `watch`, until standard input closes, as it does when the parent process dies."""
    # Pages are short-lived and make no cycles, so there is little to collect.
    gc.set_threshold(100_000)

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
    """Wait until standard input closes."""
    # In a thread, because standard input may be a pipe, a file or nothing at all, and not all of them can be polled.
    loop = asyncio.get_running_loop()
    closed = asyncio.Event()

    def watch() -> None:
        while os.read(0, 1024):
            pass
        loop.call_soon_threadsafe(closed.set)

    threading.Thread(target=watch, daemon=True).start()
    await closed.wait()


def main(arguments: Sequence[str] | None = None) -> None:
    """The command `python -m clew.labyrinth`."""
    parser = argparse.ArgumentParser(prog="python -m clew.labyrinth", description="Serve a synthetic web.")
    parser.add_argument("--regime", choices=list(ALL_REGIMES), default="plain")
    parser.add_argument("--port", type=int, default=8000, help="port to listen on; 0 takes a free one (8000)")
    parser.add_argument("--delay", type=float, default=0.0, help="seconds to wait before each answer")
    parser.add_argument("--log", help="file to log requests to: time, host and path")
    parser.add_argument("--zipped", action="store_true", help="compress answers for clients that accept gzip")
    parser.add_argument("--witness", help="file to log requests to as their hosts saw them")
    parser.add_argument("--hostile", action="store_true", help="add hostile hosts")
    parser.add_argument("--hidden", action="store_true", help="add archives whose pages only a search form finds")
    parser.add_argument("--watch", action="store_true", help="exit when standard input closes")
    for setting in {setting.name: setting for kind in KINDS.values() for setting in fields(kind)}.values():
        # No defaults here: those of the regime come first.
        parser.add_argument(_flag(setting.name), type=type(setting.default), default=None)
    args = parser.parse_args(arguments)
    kind: Kind = "hostile" if args.hostile else "hidden" if args.hidden else ""
    settings = {setting.name: getattr(args, setting.name) for setting in fields(KINDS[kind])}
    chosen = {name: value for name, value in settings.items() if value is not None}
    labyrinth = made(args.regime, kind, **chosen)
    try:
        run(labyrinth, args.port, args.delay, args.log, args.zipped, args.witness, args.watch)
    except OSError as error:
        raise SystemExit(f"the labyrinth cannot be served: {error}") from None


def _flag(setting: str) -> str:
    """The command-line flag of a setting."""
    return f"--{setting.replace('_', '-')}"
