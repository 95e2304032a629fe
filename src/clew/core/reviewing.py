"""Asks a user about the pages whose label would teach the judge most, and sees what each answer has changed."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple, Self

from clew.core import feedback
from clew.store import Record, Records

AHEAD: Final = 20  # pages that are looked for at once: the user may skip some
WAIT_SECONDS: Final = 5.0  # until a running crawl has taken a label
LOOK_SECONDS: Final = 0.1


class Effect(NamedTuple):
    """What an answer has changed.

    >>> Effect(count_now=9, no_longer=3).sentence
    '12 pages moved: 9 count now, 3 no longer'
    >>> Effect(count_now=0, no_longer=1).sentence
    '1 page moved: it no longer counts'
    """

    count_now: int = 0  # other pages that were not relevant before
    no_longer: int = 0  # other pages that were
    is_applied: bool = True  # whether the crawl has taken the label

    @property
    def sentence(self) -> str:
        """The change in words."""
        if not self.is_applied:
            return "the crawl takes your label with one of its next commits"
        moved = self.count_now + self.no_longer
        if moved == 0:
            return "no other page moved"
        if moved == 1:
            return f"1 page moved: it {'counts now' if self.count_now else 'no longer counts'}"
        parts = [f"{self.count_now:,} count now" if self.count_now else ""]
        parts.append(f"{self.no_longer:,} no longer" + ("" if self.count_now else " count") if self.no_longer else "")
        return f"{moved:,} pages moved: {', '.join(filter(None, parts))}"


class Review:
    """One user, one page at a time; the crawl may be running."""

    def __init__(self, folder: str | Path, user: str = "", sleep: Callable[[float], None] = time.sleep) -> None:
        self.folder = Path(folder)
        self.user = user
        self.sleep = sleep
        self.records = Records(folder)
        self.page: Record | None = None  # that the user is asked about
        self.answers: dict[str, bool] = {}  # by page, in the order in which they were first given
        self._seen: list[Record] = []  # pages before this one
        self._skipped: set[str] = set()
        self._next()

    def answer(self, relevant: bool) -> Effect:
        """Label the page, go on to the next one, and say what has changed."""
        if self.page is None:
            return Effect()
        before = self.records.counting()
        [label] = feedback.label(self.folder, self.page.url, relevant, user=self.user)
        is_applied = label.is_applied or self._wait_for(self.page.url)
        after = self.records.counting()
        # The page itself is no surprise.
        changed = (after ^ before) - {self.page.order}
        self.answers[self.page.url] = relevant
        self._go_on()
        return Effect(len(changed & after), len(changed & before), is_applied)

    def skip(self) -> None:
        """Leave the page as it is."""
        if self.page:
            self._skipped.add(self.page.url)
            self._go_on()

    def back(self) -> bool:
        """Go back to the page before, whose next answer replaces the one that was given; False if there is none."""
        if not self._seen:
            return False
        self.page = self._seen.pop()
        self._skipped.discard(self.page.url)
        return True

    def close(self) -> None:
        """Close the folder."""
        self.records.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _go_on(self) -> None:
        if self.page:
            self._seen.append(self.page)
        self._next()

    def _next(self) -> None:
        """The most telling page that was neither answered nor skipped."""
        done = self._skipped | self.answers.keys()
        asked = self.records.unsure(AHEAD + len(done))
        self.page = next((page for page in asked if page.url not in done), None)

    def _wait_for(self, url: str) -> bool:
        """Whether the running crawl takes the label within a few seconds."""
        if not self.records.running:
            return False
        for _ in range(round(WAIT_SECONDS / LOOK_SECONDS)):
            if (label := self.records.label(url)) and label.is_applied:
                return True
            self.sleep(LOOK_SECONDS)
        return False
