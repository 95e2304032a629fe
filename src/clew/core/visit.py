"""What a fetch amounts to: the one place where a visit gets its state, its judgement and its record."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Final, NamedTuple

from clew.config import Config, Scope
from clew.filters import Filters
from clew.frontier import Frontier
from clew.interests import Interest
from clew.parse import host
from clew.parse.document import unfollowed
from clew.store import Record, page_of
from clew.types import Doc, Fetched, Judgement, Page, UrlState

NOT_RELEVANT: Final = Judgement(0.0, False, {})


@dataclass(frozen=True, slots=True)
class Visit:
    """One visit with everything that follows from the answer alone."""

    record: Record
    page: Page | None  # None for a redirect, which is no page
    doc: Doc


class Verdict(NamedTuple):
    """Where a URL stands after an answer, why, and what the page is worth."""

    state: UrlState
    reason: str
    judgement: Judgement = NOT_RELEVANT


@dataclass
class Assessor:
    """Turns answers into visits."""

    config: Config
    frontier: Frontier
    filters: Filters

    def visit(self, order: int, slot: int, fetched: Fetched, doc: Doc, interest: Interest) -> Visit:
        """The visit of a slot; `order` counts the visits before it."""
        state, reason, judgement = self._verdict(slot, fetched, doc, interest)
        record = Record(
            order=order,
            slot=slot,
            url=fetched.url,
            host=host(fetched.url),
            depth=self.frontier.depth(slot),
            state=state,
            reason=reason,
            status=fetched.status,
            relevance=judgement.relevance,
            relevant=judgement.relevant,
            topics=judgement.topics,
            title=doc.title,
            language=doc.language,
            words=sum(doc.terms.values()),
            score=self.frontier.score(slot),
            bytes=len(fetched.raw),
            seconds=fetched.seconds,
            at=time.time(),
            location=fetched.location,
        )
        if state == UrlState.REDIRECTED:
            return Visit(record, None, doc)
        inlinks = self.frontier.entries([slot])[0].links
        return Visit(record, page_of(record, doc, inlinks), doc)

    def judge(self, doc: Doc, interest: Interest) -> Judgement:
        """A document under the interest; one that says noindex does not count as found."""
        judgement = interest.judge(doc)
        if doc.noindex and self.config.scope.noindex == "drop":
            return judgement._replace(relevant=False)
        return judgement

    def _verdict(self, slot: int, fetched: Fetched, doc: Doc, interest: Interest) -> Verdict:
        most = self.config.fetch.max_redirects
        if fetched.location and self.frontier.hops(slot) >= most:
            return Verdict(UrlState.FAILED, f"more than {most} redirects")
        if not fetched.ok:
            return Verdict(state_of(fetched), reason_of(fetched))
        judgement = self.judge(doc, interest)
        twin, error = self.filters.examine(doc)
        if error:
            return Verdict(UrlState.FAILED, error, judgement._replace(relevant=False))
        if twin is not None:
            reason = f"same as {self.frontier.url(twin)}"
            return Verdict(UrlState.DUPLICATE, reason, judgement._replace(relevant=False))
        return Verdict(UrlState.FETCHED, _wishes(doc, self.config.scope), judgement)


def state_of(fetched: Fetched) -> UrlState:
    """Where a URL stands after an answer, by the answer alone."""
    if fetched.error in ("robots", "host given up"):
        return UrlState.REFUSED
    if fetched.is_redirect:
        return UrlState.REDIRECTED
    return UrlState.FETCHED if fetched.ok else UrlState.FAILED


def reason_of(fetched: Fetched) -> str:
    """The reason for a state in words; "" for a document."""
    if fetched.error:
        # "robots: robots.txt of … says no" would say it twice.
        if fetched.detail.startswith(fetched.error):
            return fetched.detail
        return f"{fetched.error}: {fetched.detail}".rstrip(": ")
    if fetched.location:
        return f"to {fetched.location}"
    return "" if fetched.ok else f"HTTP {fetched.status}"


def _wishes(doc: Doc, scope: Scope) -> str:
    """What the page itself asks for, and gets."""
    wishes: list[str] = []
    if unfollowed(doc, scope):
        wishes.append("nofollow: its links are not followed")
    if doc.noindex and scope.noindex == "drop":
        wishes.append("noindex: it does not count as found")
    return "; ".join(wishes)
