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
    state.set_interest(interest)
    state.filters.forms.forget_words()
    labels = labels or {}
    count = 0
    for record, doc in docs:
        count += 1
        _judge_again(state, record, doc, labels)
    state.view.forget()
    state.verdicts.refit()
    state.forecast.forget()
    state.frontier.reweigh_sources()
    if state.teaching.ask("interest_changed", "the new interest", _optional.interest_changed):
        state.teaching.everything(labels, by_users)
    state.scoring.score_all()
    return count


def _judge_again(state: CrawlState, record: Record, doc: Doc, labels: Mapping[str, bool]) -> None:
    judgement, relevance = _judged(state, doc)
    content = state.filters.content(doc, state.order)
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
    state.faults.check()
    if judgement is None:
        return NOT_RELEVANT, 0.0
    return judgement, state.view.interest.value(judgement.topics)
