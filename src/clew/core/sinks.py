"""Where pages go beside the store: each sink is opened, written to and closed, and its failures are its own."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from clew.errors import ClewError, ConfigError
from clew.store import CrawlInfo, Sink
from clew.store.sinks import sink_name
from clew.types import Doc, Page

log = logging.getLogger("clew.sinks")


@dataclass
class SinkRunner:
    """Hands pages to sinks and keeps their failures away from the crawl."""

    sinks: Sequence[Sink]
    stop: Callable[[str], None]  # asks the crawl for a clean end
    errors: dict[str, int] = field(default_factory=dict)  # by sink: pages that it could not take
    _open: list[Sink] = field(default_factory=list)

    def open(self, info: CrawlInfo) -> None:
        """Before the first page of a run. A sink that cannot be opened is the user's mistake: it is raised."""
        for sink in self.sinks:
            try:
                sink.open(info)
            except ClewError:
                raise
            except (Exception, SystemExit) as error:
                problem = f"{type(error).__name__}: {error}"
                raise ConfigError(f"the sink {sink_name(sink)} cannot be opened: {problem}") from error
            self._open.append(sink)

    def write(self, page: Page, doc: Doc) -> None:
        """Hand a page to the sinks that want it."""
        for sink in self.sinks:
            if page.relevant or (page.ok and sink.pages == "all"):
                self._write(sink, page, doc)

    def close(self) -> None:
        """After the last page of a run."""
        while self._open:
            sink = self._open.pop()
            try:
                sink.close()
            except (Exception, SystemExit) as error:
                self._failed(sink, "close", error)

    def _write(self, sink: Sink, page: Page, doc: Doc) -> None:
        try:
            sink.write(page, doc)
        # Whatever a user's sink does, also sys.exit, the page is already the crawl's.
        except (Exception, SystemExit) as error:
            self._failed(sink, page.url, error)

    def _failed(self, sink: Sink, what: str, error: BaseException) -> None:
        name = sink_name(sink)
        self.errors[name] = self.errors.get(name, 0) + 1
        log.warning("sink %s failed on %s: %s: %s", name, what, type(error).__name__, error, exc_info=error)
        if sink.on_error == "stop":
            self.stop(f"sink {name} failed on {what}: {type(error).__name__}: {error}")
