"""Another interest for a crawl that has visited pages: all of them are judged again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from clew.core.choices import topics_of
from clew.core.state import CrawlState
from clew.core.teaching import UserLabel
from clew.core.visit import NOT_RELEVANT
from clew.interests import Interest
from clew.store import KeepsReasons, Record
from clew.strategies import _optional
from clew.types import Doc, Judgement


def change_interest(
    state: CrawlState,
    interest: Interest,
    docs: Iterable[tuple[Record, Doc]],
    labels: Mapping[str, bool] | None = None,
    by_users: Sequence[UserLabel] = (),
) -> int:
    """Follow another interest: every page is judged again, then every candidate scored; the number of pages.

    Labels still override the judge. The strategy is told when all pages are judged.
    """
    begin(state, interest)
    labels = labels or {}
    count = 0
    for record, doc in docs:
        count += 1
        judge_again(state, record, doc, labels)
        state.faults.check()
    if all_judged(state):
        state.teaching.everything(labels, by_users)
    state.scoring.score_all()
    return count


def begin(state: CrawlState, interest: Interest) -> None:
    """From now on new pages are judged by this interest."""
    state.set_interest(interest)
    state.filters.forms.forget_words()


def all_judged(state: CrawlState) -> bool:
    """All pages are judged again; whether the strategy, which is told now, must be taught all of them."""
    state.view.forget()
    state.verdicts.refit()
    state.forecast.forget()
    state.frontier.reweigh_sources()
    return bool(state.teaching.ask("interest_changed", "the new interest", _optional.interest_changed))


def judge_again(state: CrawlState, record: Record, doc: Doc, labels: Mapping[str, bool]) -> None:
    """Judge one visited page by the interest of now; a label overrides the judge."""
    judgement, relevance = _judged(state, doc)
    content = state.read(doc)
    state.verdicts.learn_again(record, content, judgement)
    if record.url in labels:
        state.verdicts.label(record.slot, labels[record.url])
        relevance = float(labels[record.url])
        judgement = Judgement(relevance, labels[record.url], judgement.topics)
    if isinstance(state.store, KeepsReasons):
        state.store.keep_topics(record.order, topics_of(state.interest, content, judgement.topics) or ())
    state.frontier.change_relevance(record.slot, relevance)
    if state.filters.forms.wanted:
        state.filters.forms.learn_words(judgement.relevant, content)
    state.set_judgement(record, judgement)


def _judged(state: CrawlState, doc: Doc) -> tuple[Judgement, float]:
    """The judgement of a page that was fetched before, and its relevance to the strategy; 0 after a fault."""
    judgement = state.judge(doc)
    if judgement is None:
        return NOT_RELEVANT, 0.0
    return judgement, state.view.interest.value(judgement.topics)
