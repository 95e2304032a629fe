"""What is relevant, as the crawl learns it: new pages are judged by the latest model, earlier ones after each fit.

Before the first fit, and where the judge does not learn, a page is judged by the interest alone.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

import numpy as np

from clew.base import codec
from clew.core.media import link_language, page_by_links
from clew.core.visit import NOINDEX, Visit
from clew.frontier import Frontier
from clew.interests import LEARNED, CrawlJudge, Formula, Interest, LearningInterest
from clew.store import Record, page_of
from clew.store.record import RESULTS
from clew.types import Doc, Judgement, Page, UrlState

ZIP: Final = b"PK"
MIN_CHANGE: Final = 0.05  # of a relevance, that is worth writing down


def _ignore(judge: CrawlJudge) -> None:
    """Nobody wants to know."""


class Verdict(NamedTuple):
    """The judgement of a visited page."""

    slot: int
    order: int  # of the visit
    judgement: Judgement


class Verdicts:
    """Judges visits, and earlier pages again when the judge has learned."""

    def __init__(
        self,
        frontier: Frontier,
        apply: Callable[[Sequence[Verdict]], None],
        interest: Interest,
        fitted: Callable[[CrawlJudge], None] = _ignore,
    ) -> None:
        self.frontier = frontier
        self.apply = apply  # takes in new verdicts on earlier pages
        self.fitted = fitted  # is told when the judge has learned
        self.judge = CrawlJudge.of(interest)
        self._interest = interest
        self._latest: dict[int, Verdict] = {}  # by slot, of the pages that the judge remembers
        self._looked_up: tuple[list[str], list[int]] = ([], [])  # the latest page: what is linked with it

    @property
    def cut(self) -> float:
        """The chance from which on a page counts."""
        return self.judge.model.cut if self.judge and self.judge.model else 0.5

    def follow(self, interest: Interest) -> None:
        """Another interest: the judge begins anew, unless only the threshold is another."""
        is_same = _formula(interest) is not None and _formula(interest) is _formula(self._interest)
        self._interest = interest
        if is_same and self.judge:
            self.judge.threshold = interest.threshold
            return
        self.judge = CrawlJudge.of(interest)
        self._latest = {}

    def of(self, visit: Visit) -> Visit:
        """A visit with the judgement of now."""
        page = visit.page
        if self.judge is None or page is None or visit.record.state not in (UrlState.FETCHED, UrlState.DUPLICATE):
            return visit
        read = page_by_links(page, link_language(self._interest)) if visit.record.is_media else page
        judgement = self.judge.judge(read, self._linked(page))
        if not _may_count(visit.record):
            judgement = judgement._replace(relevant=False)
        return Visit(replace(visit.record, **judgement._asdict()), replace(page, **judgement._asdict()), visit.doc)

    def of_then(self, visit: Visit) -> Visit:
        """A visit of earlier as it was judged then, before anybody judged it again."""
        interest = self._interest
        page = visit.page
        if page is None or not isinstance(interest, LearningInterest) or visit.record.state != UrlState.FETCHED:
            return visit
        topics = {name: membership for name, membership in page.topics.items() if name != LEARNED}
        relevance = interest.formula.value(topics)
        plain = Judgement(relevance, relevance >= interest.threshold and _may_count(visit.record), topics)
        record = replace(visit.record, **plain._asdict())
        return self.of(Visit(record, replace(page, **plain._asdict()), visit.doc))

    def of_document(self, doc: Doc, judgement: Judgement) -> Judgement:
        """The judgement of now on a document that is no visit of the crawl."""
        if self.judge is None or self.judge.model is None:
            return judgement
        page = Page(
            doc.url, title=doc.title, terms=doc.terms, links=doc.links, language=doc.language, **judgement._asdict()
        )
        learned = self.judge.judge(page, self._linked(page))
        return learned._replace(relevant=learned.relevant and not doc.noindex)

    def learn(self, record: Record, page: Page) -> None:
        """Remember a visit."""
        # Captions are no pages: they would teach the judge how short a page may be.
        if self.judge is None or record.state != UrlState.FETCHED or record.is_media:
            return
        self.judge.add(record.slot, page, self._linked(page), record.depth == 0, _may_count(record))
        judgement = Judgement(page.relevance, page.relevant, page.topics)
        self._latest[record.slot] = Verdict(record.slot, record.order, judgement)
        if len(self._latest) > len(self.judge.table):
            self._latest = {slot: self._latest[slot] for slot in self.judge.table.slots}

    def learn_again(self, record: Record, doc: Doc, judgement: Judgement) -> None:
        """Remember a visit of earlier under another interest; `refit` comes when all are there."""
        if self.judge is None or record.is_media:
            return
        [entry] = self.frontier.entries([record.slot])
        page = page_of(replace(record, **judgement._asdict()), doc, entry.links)
        self.judge.add(record.slot, page, self._linked(page), record.depth == 0, _may_count(record))
        self._latest[record.slot] = Verdict(record.slot, record.order, judgement)

    def label(self, slot: int, relevant: bool) -> None:
        """The user says what a page is: the judge learns from it within one fit."""
        if self.judge:
            self.judge.label(slot, relevant)

    def refit_if_due(self) -> None:
        """Learn if there is enough news; judge a bounded number of earlier pages again, if the judge has learned."""
        if self.judge and self.judge.is_due:
            self._fit(self.judge)
        self._step()

    def refit(self) -> None:
        """Learn from all pages, and judge them again."""
        if self.judge:
            self._fit(self.judge)
        self.finish()

    def finish(self) -> None:
        """Judge all pages again that the latest model has not judged yet."""
        while self.judge and self.judge.is_behind:
            self._step()

    def _fit(self, judge: CrawlJudge) -> None:
        judge.fit()
        self.fitted(judge)

    def _step(self) -> None:
        if self.judge is None or not self.judge.is_behind:
            return
        changed: list[Verdict] = []
        for slot, relevance, relevant in self.judge.step():
            before = self._latest[slot]
            moved = abs(relevance - before.judgement.relevance) > MIN_CHANGE
            if moved or relevant != before.judgement.relevant:
                judgement = self.judge.verdict(before.judgement.topics, relevance)._replace(relevant=relevant)
                changed.append(before._replace(judgement=judgement))
        if changed:
            self._latest |= {verdict.slot: verdict for verdict in changed}
            self.apply(changed)

    def save(self) -> bytes:
        """Everything that was learned, for a checkpoint; nothing if the judge does not learn."""
        if self.judge is None:
            return b""
        latest = [(slot, verdict.order, *verdict.judgement) for slot, verdict in self._latest.items()]
        return codec.dumps({**self.judge.save(), "latest": latest})

    def load(self, data: bytes) -> None:
        """Take over what `save` returned."""
        if not data or self.judge is None:
            return
        saved = _of_earlier_version(data) if data.startswith(ZIP) else codec.loads(data)
        self.judge.load(saved)
        self._latest = {slot: Verdict(slot, order, Judgement(*said)) for slot, order, *said in saved["latest"]}

    def _linked(self, page: Page) -> list[int]:
        """The slots of the visited pages that are linked with a page."""
        urls = [link.url for link in page.links] + [link.source for link in page.inlinks]
        # A page is judged, and then remembered, with the same links.
        if urls != self._looked_up[0]:
            found = map(self.frontier.find, dict.fromkeys(urls))
            self._looked_up = urls, [slot for slot in found if slot is not None]
        return [slot for slot in self._looked_up[1] if slot in self._latest]


def _of_earlier_version(data: bytes) -> dict[str, Any]:
    """A state that an earlier version saved, with the arrays in a ZIP archive."""
    with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
        table = dict(arrays)
    plain: dict[str, Any] = codec.loads(table.pop("plain").tobytes())
    return {"table": table, "plain": plain, "latest": plain["latest"]}


def _formula(interest: Interest) -> Formula | None:
    return interest.formula if isinstance(interest, LearningInterest) else None


def _may_count(record: Record) -> bool:
    """Whether a page can be relevant at all."""
    return record.state == UrlState.FETCHED and NOINDEX not in record.reason and RESULTS not in record.reason
