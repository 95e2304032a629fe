"""Another interest in the middle of a simulation."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from clew.core.engine import Engine
from clew.core.new_interest import change_interest
from clew.interests import Interest
from clew.store import Record, Sink
from clew.types import Doc, Page, Stats, UrlState


@dataclass
class InterestChange(Sink):
    """Another interest after so many visits; it keeps the documents, for a simulation has no archive."""

    visits: int
    interest: Interest
    docs: list[Doc] = field(default_factory=list)
    done: bool = False
    pages: Literal["relevant", "all"] = "all"

    def attach(self, engine: Engine, records: list[Record]) -> None:
        """Look on at a crawl."""
        watch = engine.watch
        engine.sinks = (*engine.sinks, self)

        def watching(stats: Stats) -> None:
            watch(stats)
            self.watch(engine, records, stats)

        engine.watch = watching

    def write(self, page: Page, doc: Doc) -> None:
        """Keep a document: the change is a sink, too."""
        self.docs.append(doc)

    def watch(self, engine: Engine, records: list[Record], stats: Stats) -> None:
        """Change when it is time."""
        if not self.done and stats.visited >= self.visits:
            self.done = True
            fetched = (record for record in records if record.state == UrlState.FETCHED)
            change_interest(engine.state, self.interest, zip(fetched, self.docs, strict=True))
