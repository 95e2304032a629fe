"""Explains a crawl, finished or running: why a URL was visited or not, and which rules were learnt."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from html import escape
from pathlib import Path
from typing import Final

from clew.core import feedback
from clew.core.build import address
from clew.core.checkpoint import replay
from clew.core.media import doc_as_judged
from clew.core.notebook import html_rows
from clew.core.runner import sync
from clew.core.state import CrawlState
from clew.errors import InterestError, StrategyError
from clew.interests import LEARNED, Formula, LearningInterest, TopicWords
from clew.interests.crawl_judge import EVIDENCE, LIMIT
from clew.interests.telling_words import TELLING_WORDS, TellingWords
from clew.interests.topic_words import as_written
from clew.learning.facts import Facts
from clew.store import Label, PathStep, Reason, Record, Records, Revisit
from clew.strategies import LearnedRule, Ruled, _optional
from clew.types import Candidate, UrlState

EXPLAINABLE: Final = (UrlState.QUEUED, UrlState.FETCHED)  # states of URLs that have a score


@dataclass(frozen=True)
class Explanation:
    """Why a URL was visited, or why it was not."""

    url: str
    state: str
    reason: str
    record: Record | None  # of the newest version
    path: list[PathStep]
    parts: dict[
        str, float
    ]  # of its score: when it was chosen if `is_then`, else as they are weighed at the last commit
    topics: list[TopicWords] = field(default_factory=list)  # the words behind its relevance, where the judge knows them
    label: Label | None = None  # of the user
    revisits: list[Revisit] = field(default_factory=list)  # later visits, in order
    nearest: list[str] = field(default_factory=list)  # known URLs like it, if the crawl has never seen it
    is_then: bool = False  # whether `parts`, `source` and `focus` were noted when the URL was chosen
    source: str = ""  # the page of the link that decided
    anchor: str = ""  # of that link
    focus: str = ""  # the interest that the strategy followed then; "" for the user's own

    def _repr_html_(self) -> str:
        rows: dict[str, object] = {"state": self.state, "reason": self.reason}
        if self.record:
            rows["relevance"] = f"{self.record.relevance:.3f}"
            rows["score"] = f"{self.record.score:.3f}"
        rows["path"] = " > ".join(step.url for step in self.path)
        rows |= {name: f"{value:.3f}" for name, value in self.parts.items()}
        return f"<h4>{escape(self.url)}</h4>" + html_rows(rows.items())


@sync
def explain(folder: str | Path, url: str, *, parts: bool = True) -> Explanation:
    """Explain why a URL is relevant, why it was visited, and the path of links that led to it.

    The reasons of a visit were noted when it was made. The parts of the score of a candidate take longer, because the
    crawl is restored for them as its last commit left it; `parts=False` leaves them out.
    """
    with Records(folder) as records:
        url = address(url)
        record = records.find(url)
        if record is None:
            reason = "the crawl has never seen this URL"
            nearest = records.nearest(url)
            return Explanation(url, "unknown", reason, None, [], {}, label=records.label(url), nearest=nearest)
        url = record.url
        if record.order >= 0 and (noted := records.why(record)):
            return _as_noted(records, record, noted)
        whole = records
        records = whole.at_home(url)
        record = records.find(url) or record
        crawl = _restored(records, record) if parts else None
        newest = records.latest(record)
        state, shares, record = _with_score(crawl, record)
        return Explanation(
            url=url,
            state=state,
            reason=newest.reason,
            record=replace(newest, depth=record.depth, score=record.score),
            path=whole.path(url),
            parts=shares,
            topics=_topics(crawl, records, newest),
            label=records.label(url),
            revisits=records.revisits(url),
        )


def _as_noted(records: Records, record: Record, reason: Reason) -> Explanation:
    """The explanation of a visit whose reasons were kept: nothing is replayed."""
    newest = records.latest(record)
    return Explanation(
        url=record.url,
        state=record.state,
        reason=newest.reason,
        record=replace(newest, depth=record.depth, score=record.score),
        path=records.path(record.url),
        parts=dict(reason.parts),
        topics=noted_topics(records, newest, reason),
        label=records.label(record.url),
        revisits=records.revisits(record.url),
        is_then=True,
        source=reason.source,
        anchor=reason.anchor,
        focus=reason.focus,
    )


def noted_topics(records: Records, record: Record, reason: Reason) -> list[TopicWords]:
    """The words behind the judgement of a page, as it has them."""
    if not reason.topics or record.state != UrlState.FETCHED:
        return []
    doc = doc_as_judged(records, record)
    parts = (*EVIDENCE, LIMIT)
    found = [as_written(*topic, doc) for topic in reason.topics if topic.topic not in parts]
    evidence = [as_written(*topic, doc) for topic in reason.topics if topic.topic in parts]
    named = {stem for topic in reason.topics for stem in topic.stems}
    learned = TellingWords.loads(records.store.get(TELLING_WORDS)) if LEARNED in record.topics else None
    return found + ([learned.of(doc, named)] if learned else []) + evidence


@sync
def rules(folder: str | Path) -> list[LearnedRule]:
    """The rules that the strategy of a crawl has learnt, as the last commit left them."""
    with Records(folder) as records:
        return _rule_learner(records).learnt()


@sync
def facts(folder: str | Path) -> Facts:
    """The facts about the visited pages and their links from which such rules are learnt."""
    with Records(folder) as records:
        return _rule_learner(records).facts()


def _restored(records: Records, record: Record) -> CrawlState | None:
    """The crawl as the last commit left it: only its strategy and its judge know their reasons."""
    if record.state not in EXPLAINABLE:
        return None
    try:
        state = feedback.state_of_folder(records.config, records.store)
        replay(state, records.store)
    except (InterestError, StrategyError):
        # The crawl was made with objects that only the caller of `crawl` had.
        return None
    return state


def _topics(state: CrawlState | None, records: Records, record: Record) -> list[TopicWords]:
    """The words behind the judgement of a fetched page."""
    if state is None or record.state != UrlState.FETCHED:
        return []
    interest = state.interest
    formula = interest.formula if isinstance(interest, LearningInterest) else interest
    if not isinstance(formula, Formula):
        return []
    doc = state.filters.content(doc_as_judged(records, record), record.order)
    learned = state.verdicts.judge.telling_words(doc) if state.verdicts.judge else []
    return formula.topic_words(doc) + learned


def _with_score(state: CrawlState | None, record: Record) -> tuple[str, dict[str, float], Record]:
    """The state and the parts of the score of a URL, and its record, with depth and score if it is a candidate."""
    if state is None:
        return record.state, {}, record
    slot = state.frontier.find(record.url)
    if slot is None:
        # An earlier version took something else for a link.
        return record.state, {}, record
    url_state = state.frontier.state(slot)
    candidate = state.view.candidate(record.url)
    if candidate:
        record = replace(record, depth=candidate.depth, score=candidate.score)
    elif page := state.view.page(record.url):
        # A visited page is explained as the candidate that it was.
        links = state.view.links_to(record.url)
        candidate = Candidate(page.url, slot, page.depth, page.inlinks, links, page.score)
    if candidate is None:
        return url_state, {}, record
    ask = state.faults.attempt
    parts = ask("strategy", "explain", record.url, _optional.explain, state.strategy, candidate)
    return url_state, parts or {}, record


def _rule_learner(records: Records) -> Ruled:
    """The strategy as the last commit left it, if it learns rules."""
    state = feedback.state_of_folder(records.config, records.store)
    if not isinstance(state.strategy, Ruled):
        name = records.config.what.strategy.partition("(")[0]
        problem = f"{records.folder} was crawled by {name}, which learns no rules"
        raise StrategyError(f"{problem}; crawl with --strategy first_order to learn some")
    replay(state, records.store)
    return state.strategy
