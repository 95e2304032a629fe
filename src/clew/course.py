"""The course of a crawl: everything that follows from its visits, and nothing else.

No clock and no network: the same visits in the same order give the same course, whether they come from the web or from
the archive. That is what makes a resumed crawl equal to one that never stopped.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from clew.config import Config
from clew.errors import StoreError
from clew.frontier import Frontier, State, Web
from clew.interests import Interest
from clew.scope import Gate
from clew.stats import Tally
from clew.store import Durable, Record, Store
from clew.strategies import ALL, HOLD, Outside, Stale, Strategy
from clew.types import Page
from clew.view import View


@dataclass(repr=False)  # it would be the whole crawl
class Course:
    """Frontier, numbers and strategy, moved forward by one visit at a time."""

    config: Config
    interest: Interest
    strategy: Strategy
    store: Store
    frontier: Frontier
    outside: Outside | None = None
    tally: Tally = field(default_factory=Tally)
    order: int = 0  # of the next visit
    swept: int = 0  # visits at the last time that everything was scored

    def __post_init__(self) -> None:
        what = self.config.what
        self.gate = Gate(self.config.scope, what.seeds)
        self.reserve = list(what.reserve)
        if self.strategy.graph:
            self.frontier.web = Web()
        self.view = View(self.interest.guide(), what, self.frontier, self.store, self.tally, self.outside)
        self.strategy.start(self.view)

    def aim(self, interest: Interest) -> None:
        """Take over the interest with its threshold, once that is known."""
        self.interest = interest
        self.view.interest = interest.guide()

    def take(self, record: Record, page: Page | None) -> None:
        """Take in a visit; a redirect has no page."""
        self.order = record.order + 1
        if page is None:
            return self._redirect(record)
        worth = self.view.interest.value(page.topics) if page.ok else 0.0
        fresh, again = self.frontier.add(page.links, page.depth + 1, worth, self.gate, record.slot)
        self.frontier.close(record.slot, State.named(record.state), worth)
        if record.state == State.REFUSED.text:
            self.tally.refuse()
        else:
            self.tally.visit(page, record.bytes)
        self._rescore(fresh if self.strategy.settled else fresh + again, self.strategy.learn(page) or ())

    def name(self, urls: Iterable[str], touched: Sequence[int] = ()) -> None:
        """Score these URLs, known or not, beside what a page has touched."""
        named = (self.frontier.name(url, refuse=self.gate) for url in urls)
        self._score([slot for slot in dict.fromkeys((*touched, *named)) if self.frontier.is_queued(slot)])

    def refresh(self) -> None:
        """Before a choice: score the best few again, if the strategy asks for it."""
        if self.strategy.refresh:
            self._score(self.frontier.queues.tops(self.strategy.refresh))

    def rouse(self) -> bool:
        """Nothing can be fetched: look whether what is held back, or the reserve, helps."""
        if self.frontier.waiting:
            self.frontier.set_all(self.strategy.score)
            if self.frontier.best() > HOLD:
                return True
        reserve, self.reserve = self.reserve, []
        self.name(reserve)
        return bool(reserve)

    def save(self) -> dict[str, bytes]:
        """Everything but texts, for a checkpoint."""
        numbers: dict[str, object] = {"order": self.order, "swept": self.swept, "reserve": self.reserve}
        numbers |= {"home": sorted(self.gate.home), "tally": self.tally.save()}
        return {**self.frontier.save(), "strategy": self.strategy.save(), "course": json.dumps(numbers).encode()}

    def replay(self, store: Durable) -> None:
        """Come to where the last commit was."""
        if parts := store.checkpoint():
            saved = json.loads(parts["course"])
            self.frontier.load(parts)
            self.strategy.load(parts["strategy"])
            self.tally.load(saved["tally"])
            self.order, self.swept, self.reserve = saved["order"], saved["swept"], saved["reserve"]
            self.gate.home = set(saved["home"])
        for record in store.visits(after=self.order - 1):
            self._catch_up(record)
            self.refresh()
            self.take(record, None if record.state == State.REDIRECTED.text else store.whole(record)[0])

    def _catch_up(self, record: Record) -> None:
        """Before a replayed visit: what the crawl did then when it could not go on."""
        slot = self.frontier.table.find(record.url)
        if slot is None or self.frontier.table.score[slot] == HOLD:
            self.rouse()
        if self.frontier.table.find(record.url) != record.slot:
            raise StoreError(f"cannot replay {record.url}: the folder is damaged or was made by another version")

    def _redirect(self, record: Record) -> None:
        if record.depth == 0:
            self.gate.welcome(record.location)  # a start page's new address is as good as the old one
        touched = self.frontier.redirect(record.slot, record.location, self.gate)
        self.frontier.close(record.slot, State.REDIRECTED)
        self.frontier.set(touched, [max(record.score, self.frontier.table.score[slot]) for slot in touched])
        self.tally.redirect(record.bytes)

    def _rescore(self, touched: list[int], stale: Stale) -> None:
        """What the page touched, what the strategy names, and at times everything."""
        if stale is not ALL:
            self.name(stale, touched)
        if stale is ALL or (self.strategy.sweep and self.tally.visited - self.swept >= self.strategy.sweep):
            self.swept = self.tally.visited
            self.frontier.set_all(self.strategy.score)

    def _score(self, slots: list[int]) -> None:
        if slots:
            self.frontier.set(slots, self.strategy.score(self.frontier.candidates(slots)))
