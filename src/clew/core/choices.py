"""Why each URL is fetched: noted when it is chosen, kept with the visit that comes of it.

A replay chooses nothing, so it asks nobody for reasons and rewrites none.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from clew.base.described import described
from clew.core.media import doc_by_links, link_language
from clew.core.state import CrawlState
from clew.filters.sitemaps import SITEMAP_SCORE
from clew.interests import Formula, Interest, LearningInterest
from clew.store import KeepsReasons, Reason, Record, Store, TopicReason
from clew.strategies import _optional
from clew.types import Candidate, Doc, Link, Page, UrlState

MAX_PARTS: Final = 12
T = TypeVar("T")

log = logging.getLogger("clew.reasons")


@dataclass
class Choices:
    """The reasons for what is in flight."""

    state: CrawlState
    store: Store
    _reasons: dict[int, Reason] = field(default_factory=dict, init=False)  # by slot
    _has_failed: bool = field(default=False, init=False)  # the strategy, to explain a score

    def chosen(self, slot: int, focus: str) -> None:
        """A candidate is about to be fetched: note why, while the strategy knows no more than it did."""
        if not isinstance(self.store, KeepsReasons):
            return
        [candidate] = self.state.frontier.candidates([slot])
        parts = self._parts(candidate)
        link = self._deciding_link(candidate)
        source, anchor = (link.source, link.anchor) if link else ("", "")
        self._reasons[slot] = Reason(parts, source, anchor, focus)

    def visited(self, record: Record, page: Page | None, doc: Doc) -> None:
        """The visit came of it: its reasons are kept with it."""
        reason = self._reasons.pop(record.slot, None)
        if reason is None or not isinstance(self.store, KeepsReasons):
            return
        if page and record.state == UrlState.FETCHED:
            # The title without the part that all pages of the site share.
            title = self.state.filters.content(doc, record.order).title
            own = Doc(record.url, title, terms=page.terms, language=page.language)
            if doc.media:
                own = doc_by_links(doc, page.inlinks, link_language(self.state.interest))
            topics = topics_of(self.state.interest, own, record.topics)
            reason = reason._replace(topics=topics and (*topics, *self._evidence(page)))
        self.store.keep_reason(record.order, reason)

    def _parts(self, candidate: Candidate) -> Mapping[str, float]:
        if candidate.score >= SITEMAP_SCORE or not isinstance(self.state.strategy, _optional.Explains):
            return {"score": candidate.score}
        parts = self._asked(candidate, self.state.strategy.explain, candidate) or {"score": candidate.score}
        return dict(list(parts.items())[:MAX_PARTS])

    def _evidence(self, page: Page) -> list[TopicReason]:
        """What the relevance of a page is made of, where the judge has learned."""
        judge = self.state.verdicts.judge
        parts = judge.evidence(page) if judge else {}
        return [TopicReason(name, value, {}) for name, value in parts.items() if value]

    def _deciding_link(self, candidate: Candidate) -> Link | None:
        relevance = self.state.view.relevance
        return self._asked(candidate, _optional.deciding_link, self.state.strategy, candidate, relevance)

    def _asked(self, candidate: Candidate, question: Callable[..., T], *args: Any) -> T | None:
        """What the strategy answers; a reason that is missing must not cost a page."""
        try:
            return question(*args)
        # Not a fault of the crawl: a strategy that cannot score is noticed elsewhere.
        except (Exception, SystemExit) as error:
            if not self._has_failed:
                self.store.note("error", f"{candidate.url}: the strategy cannot explain its score: {described(error)}")
                log.warning("%s: the strategy cannot explain its score", candidate.url, exc_info=error)
            self._has_failed = True
            return None


def topics_of(interest: Interest, doc: Doc, memberships: Mapping[str, float]) -> tuple[TopicReason, ...] | None:
    """What a page says of the topics by which it was judged; None where no formula judges."""
    formula = interest.formula if isinstance(interest, LearningInterest) else interest
    if not isinstance(formula, Formula):
        return None
    return tuple(TopicReason(*topic) for topic in formula.topic_stems(doc, memberships))
