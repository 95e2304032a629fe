"""Takes in what users say of visited pages."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from clew.core.state import CrawlState
from clew.types import Judgement, Page


@dataclass
class Labelling:
    """Applies labels to the state of a crawl, then teaches them to the strategy, once after many."""

    state: CrawlState
    _labels: list[tuple[Page, bool]] = field(default_factory=list)  # that the strategy has not been taught yet
    _users: list[str] = field(default_factory=list)  # who gave each of them
    _touched: list[int] = field(default_factory=list)  # the candidates whose evidence they changed

    def apply(self, url: str, relevant: bool, user: str = "") -> bool:
        """Take in what the user says of a page, which overrides the judge; False while there is no such page."""
        state = self.state
        page = state.view.page(url)
        if page is None or not page.ok:
            return False
        relevance = float(relevant)
        slot = state.frontier.slot_for(url)
        self._touched += state.frontier.change_relevance(slot, relevance, page.links)
        state.set_judgement(page, Judgement(relevance, relevant, page.topics))
        state.verdicts.label(slot, relevant)
        self._labels.append((replace(page, relevance=relevance, relevant=relevant), relevant))
        self._users.append(user)
        state.view.forget()
        return True

    def teach(self) -> None:
        """Teach the strategy the labels applied since the last call, and score again what they have changed."""
        if not self._labels:
            return
        labels = self._labels
        users = self._users
        touched = self._touched
        self._labels = []
        self._users = []
        self._touched = []
        self.state.scoring.after_page(touched, self.state.teaching.labels(labels, users))
        self.state.verdicts.refit_if_due()
