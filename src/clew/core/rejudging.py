"""All pages are judged again under another interest while the crawl goes on: some of them between two visits.

First the judge goes through the pages; then, if the strategy must forget what it has learned, it is taught them again.
None of this is replayed: as long as it lasts, each commit has a checkpoint and says how far it has come. After a kill
it goes on from there.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from clew.core.new_interest import all_judged, judge_again
from clew.core.state import CrawlState
from clew.core.teaching import UserLabel
from clew.store import CrawlFolder, Record
from clew.store.rows import loaded
from clew.types import UrlState

REJUDGING: Final = "judged again so far"
"""The fact that says how far it has come; "" when it is over."""
SLICE_SECONDS: Final = 0.02


@dataclass
class Rejudging:
    """How far the pages of a crawl are judged again; `until` is the order of the first visit that need not be."""

    state: CrawlState
    store: CrawlFolder
    until: int
    labels: Mapping[str, bool] = field(default_factory=dict)
    by_users: Sequence[UserLabel] = ()
    place: int = 0  # the order of the next visit
    is_teaching: bool = False
    clock: Callable[[], float] = time.perf_counter
    _visits: Iterator[object] | None = field(default=None, init=False)

    @classmethod
    def going_on(
        cls, state: CrawlState, store: CrawlFolder, labels: Mapping[str, bool], by_users: Sequence[UserLabel]
    ) -> Rejudging | None:
        """What an earlier run has not finished; None if there is nothing."""
        saved = store.get(REJUDGING)
        if not saved:
            return None
        until, place, is_teaching = loaded(saved)
        return cls(state, store, until, labels, by_users, place, is_teaching)

    def step(self, seconds: float = SLICE_SECONDS) -> bool:
        """Go on for so long; whether all is done. All visits before `until` must be committed."""
        end = self.clock() + seconds
        if self._visits is None:
            self._visits = self._taught() if self.is_teaching else self._judged()
        for _ in self._visits:
            if self.clock() >= end:
                return False
        self._visits = None
        if not self.is_teaching and all_judged(self.state):
            self.is_teaching = True
            self.place = 0
            # What came meanwhile was learned by the strategy that has just forgotten everything.
            self.until = self.state.order
            return False
        if self.is_teaching:
            self.state.teaching.labelled(self.labels, self.by_users)
        self.state.scoring.score_all()
        return True

    def note(self) -> None:
        """Before a commit: let the store know how far it is."""
        self.store.set(REJUDGING, json.dumps([self.until, self.place, self.is_teaching]))

    def _judged(self) -> Iterator[object]:
        for record, doc in self.store.docs(self.place - 1):
            if record.order >= self.until:
                return
            judge_again(self.state, record, doc, self.labels)
            self.place = record.order + 1
            yield record

    def _taught(self) -> Iterator[object]:
        for record in self._committed():
            page = self.state.view.page(record.url)
            if page and record.state not in (UrlState.REDIRECTED, UrlState.SITEMAP):
                self.state.teaching.page(page)
            self.place = record.order + 1
            yield record

    def _committed(self) -> Iterator[Record]:
        for record in self.store.visits(self.place - 1):
            if record.order >= self.until:
                return
            yield record
