"""What a sink is, and the one that ships with clew."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, Literal, NamedTuple

from clew.config import Config
from clew.errors import ConfigError
from clew.types import Doc, Page


class CrawlInfo(NamedTuple):
    """What a sink is told when it is opened."""

    folder: Path | None  # None for a crawl that keeps everything in memory
    config: Config


class Sink:
    """Takes pages as they are visited: derive from it and define `write`.

    >>> class Titles(Sink):
    ...     def write(self, page, doc):
    ...         print(page.title)
    >>> Titles().write(Page("http://a.example/", title="A page"), Doc("http://a.example/"))
    A page
    """

    pages: Literal["relevant", "all"] = "relevant"
    """Which pages it takes: the relevant ones, or every document."""
    on_error: Literal["log", "stop"] = "log"
    """What happens if it raises: the error is logged and counted, or the crawl stops cleanly."""

    def open(self, info: CrawlInfo) -> None:
        """Called before the first page of a run."""

    def write(self, page: Page, doc: Doc) -> None:
        """Take one page, with what the parser made of it."""
        raise TypeError(f"{type(self).__name__} must define write(page, doc)")

    def close(self) -> None:
        """Called after the last page of a run, also when the crawl was interrupted."""


@dataclass
class FunctionSink(Sink):
    """A plain function as a sink."""

    function: Callable[[Page, Doc], Any]

    def write(self, page: Page, doc: Doc) -> None:
        """Call the function."""
        self.function(page, doc)


def sink_name(sink: Sink) -> str:
    """The name of a sink in messages: its class, or the function that it wraps."""
    part = sink.function if isinstance(sink, FunctionSink) else sink
    return getattr(part, "__name__", type(part).__name__)


@dataclass
class JsonLines(Sink):
    """One JSON object for each page, appended to a file: url, title, relevance, language, text.

    >>> JsonLines(path="pages.jsonl").pages
    'relevant'
    """

    path: str = "pages.jsonl"
    pages: Literal["relevant", "all"] = "relevant"
    # A full disk would lose every further page.
    on_error: Literal["log", "stop"] = "stop"
    _file: IO[str] | None = field(default=None, init=False, repr=False)

    def open(self, info: CrawlInfo) -> None:
        """Append to the file: a resumed crawl goes on where the last run ended."""
        try:
            self._file = Path(self.path).open("a", encoding="utf-8")  # noqa: SIM115
        except OSError as error:
            raise ConfigError(f"the sink jsonl cannot write to {self.path}: {error.strerror}") from error

    def write(self, page: Page, doc: Doc) -> None:
        """One line."""
        row = {
            "url": page.url,
            "title": page.title,
            "relevance": page.relevance,
            "relevant": page.relevant,
            "language": page.language,
            "text": doc.text,
        }
        assert self._file is not None, "a sink is opened before it is written to"
        self._file.write(json.dumps(row, ensure_ascii=False) + "\n")

    def close(self) -> None:
        """Write what is buffered."""
        if self._file:
            self._file.close()


BUILT_IN: dict[str, type[Sink]] = {"jsonl": JsonLines}
