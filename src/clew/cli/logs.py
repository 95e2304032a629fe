"""Log messages of the package `clew`, on stderr or in a file: the flags `--verbose` and `--log-file`."""

from __future__ import annotations

import argparse
import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

from clew.cli.terminal import clean, counted, printable
from clew.errors import ConfigError

LOGGER = "clew"
ON_SCREEN = "%(asctime)s %(levelname)s %(name)s: %(message)s"
IN_FILE = "%(asctime)s.%(msecs)03d %(levelname)s %(name)s: %(message)s"


def add_log_flags(parser: argparse.ArgumentParser, note: str | None = None) -> None:
    """Add `--verbose` and `--log-file` to a command."""
    group = parser.add_argument_group("Log messages", note)
    group.add_argument(
        "-v", "--verbose", action="count", default=0, help="show log messages on stderr; -vv shows every detail"
    )
    group.add_argument("--log-file", metavar="FILE", help="append a detailed log with time stamps to this file")


@contextmanager
def logging_for(args: argparse.Namespace) -> Iterator[None]:
    """Log as the flags say while the block runs; commands without these flags stay quiet."""
    verbose = getattr(args, "verbose", 0)
    file = getattr(args, "log_file", None)
    warnings = _FirstWarnings()
    # Without the flags there is nothing to point the user to; `clew demo` runs other commands, which have them.
    handlers: list[logging.Handler] = [warnings] if hasattr(args, "verbose") and not verbose else []
    if verbose:
        handlers.append(_screen(logging.DEBUG if verbose > 1 else logging.INFO))
    if file:
        handlers.append(_file(file))
    logger = logging.getLogger(LOGGER)
    usual_level = logger.level
    if verbose or file:
        logger.setLevel(min(handler.level for handler in handlers))
    for handler in handlers:
        logger.addHandler(handler)
    try:
        yield
    finally:
        # `main` may be called again in the same process, by a test or a notebook, and must not log twice then.
        for handler in handlers:
            logger.removeHandler(handler)
            handler.close()
        logger.setLevel(usual_level)
        if warnings.hidden:
            place = f"all are in {file}" if file else "--verbose shows all"
            print(f"{counted(warnings.hidden, 'more warning')}; {place}", file=sys.stderr)


class _FirstWarnings(logging.Handler):
    """Without `--verbose`, shows the first warning of each part at once and counts the others.

    So a sink that fails on every page does not go unnoticed, nor does it bury what else there is to say.
    """

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.hidden = 0
        self._parts: set[str] = set()

    def emit(self, record: logging.LogRecord) -> None:
        if record.name in self._parts:
            self.hidden += 1
            return
        self._parts.add(record.name)
        print(f"warning: {clean(record.getMessage())}", file=sys.stderr)


class _StderrHandler(logging.StreamHandler[TextIO]):
    """Writes to whatever `sys.stderr` is at the moment.

    While rich shows a live view, `sys.stderr` is rich's own stream: a line that is written to it appears above the
    view. The stream from before the view would write right into it.
    """

    def __init__(self) -> None:
        super().__init__(sys.stderr)

    def emit(self, record: logging.LogRecord) -> None:
        self.stream = sys.stderr
        super().emit(record)


class _OneLineFormatter(logging.Formatter):
    """Keeps each message on one line and free of control characters: URLs and titles come from strangers."""

    def formatMessage(self, record: logging.LogRecord) -> str:
        return clean(super().formatMessage(record))

    def formatException(self, ei: object) -> str:
        trace = super().formatException(ei)  # type: ignore[arg-type]
        return "\n".join(map(printable, trace.splitlines()))


def _screen(level: int) -> logging.Handler:
    handler = _StderrHandler()
    handler.setLevel(level)
    handler.setFormatter(_OneLineFormatter(ON_SCREEN, datefmt="%H:%M:%S"))
    return handler


def _file(path: str) -> logging.Handler:
    try:
        # Appended to, so that `clew resume` can continue the log of the crawl.
        handler = logging.FileHandler(path, mode="a", encoding="utf-8")
    except OSError as error:
        raise ConfigError(f"cannot write the log file {path}: {error.strerror or error}") from None
    handler.setLevel(logging.DEBUG)
    handler.setFormatter(_OneLineFormatter(IN_FILE, datefmt="%Y-%m-%d %H:%M:%S"))
    return handler
