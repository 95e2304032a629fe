"""What a crawl can tell afterwards, or while it runs: why a URL was visited or was not, and which rules were learnt."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from html import escape
from pathlib import Path
from typing import Final

from clew.core import feedback
from clew.core.build import address
from clew.core.checkpoint import replay
from clew.core.notebook import html_rows
from clew.core.runner import sync
from clew.errors import InterestError, StrategyError
from clew.learning.facts import Facts
from clew.store import Label, Record, Records, Revisit, Step
from clew.strategies import LearnedRule, Ruled, _optional
from clew.types import Candidate, UrlState

EXPLAINABLE: Final = (UrlState.QUEUED, UrlState.FETCHED)  # states that a strategy can give reasons for


@dataclass(frozen=True)
class Explanation:
    """Why a URL was visited, or was not."""

    url: str
    state: str
    reason: str
    record: Record | None  # of the newest version
    path: list[Step]
    parts: dict[str, float]  # of its score, as the strategy weighs them at the last commit
    label: Label | None = None  # what the user says of it
    revisits: list[Revisit] = field(default_factory=list)  # later visits, in their order

    def _repr_html_(self) -> str:
        rows: dict[str, object] = {"state": self.state, "reason": self.reason}
        if self.record:
            rows["relevance"] = f"{self.record.relevance:.3f}"
            rows["score"] = f"{self.record.score:.3f}"
        rows["path"] = " > ".join(step.url for step in self.path)
        rows |= {name: f"{value:.3f}" for name, value in self.parts.items()}
        return f"<h4>{escape(self.url)}</h4>" + html_rows(rows.items())


@sync
def explain(folder: str | Path, url: str) -> Explanation:
    """Where a URL stands, the path of links that led to it, and the parts of its score."""
    with Records(folder) as records:
        url = address(url)
        record = records.find(url)
        if record is None:
            reason = "no page that was visited links to it"
            return Explanation(url, "unknown", reason, None, [], {}, records.label(url))
        state, parts, record = _weighed(records, record)
        record, label, later = records.latest(record), records.label(url), records.revisits(url)
        return Explanation(url, state, record.reason, record, records.path(url), parts, label, later)


@sync
def rules(folder: str | Path) -> list[LearnedRule]:
    """The rules that a crawl's strategy has learnt, as the last commit left them."""
    with Records(folder) as records:
        return _ruled(records).learnt()


@sync
def facts(folder: str | Path) -> Facts:
    """What the visited pages say of links: that of which such rules are made."""
    with Records(folder) as records:
        return _ruled(records).facts()


def _weighed(records: Records, record: Record) -> tuple[str, dict[str, float], Record]:
    """State and parts of the score of a candidate or a page, asked of the strategy as the last commit left it."""
    if record.state not in EXPLAINABLE:
        return record.state, {}, record
    try:
        state = feedback.state_of_folder(records.config, records.store)
        replay(state, records.store)
    except (InterestError, StrategyError):  # made with parts that only the caller of `crawl` had
        return record.state, {}, record
    url_state = state.frontier.state(record.slot)
    if candidate := state.view.candidate(record.url):
        record = replace(record, depth=candidate.depth, score=candidate.score)
    elif page := state.view.page(record.url):
        links = state.view.links_to(record.url)
        candidate = Candidate(page.url, record.slot, page.depth, page.inlinks, links, page.score)
    return url_state, _optional.explain(state.strategy, candidate) if candidate else {}, record


def _ruled(records: Records) -> Ruled:
    """The strategy as the last commit left it, if it learns rules."""
    state = feedback.state_of_folder(records.config, records.store)
    if not isinstance(state.strategy, Ruled):
        name = records.config.what.strategy.partition("(")[0]
        told = f"{records.folder} was crawled by {name}, which learns no rules"
        raise StrategyError(f"{told}; crawl with --strategy first_order to have some")
    replay(state, records.store)
    return state.strategy
