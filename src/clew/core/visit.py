"""What a fetch amounts to: the one place where a visit gets its state, its judgement and its record."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from clew.config import Config, Scope
from clew.core.faults import Faults, is_fault
from clew.core.media import doc_by_links, link_language
from clew.filters import Filters, Finding, sitemaps, text_twins
from clew.frontier import Frontier
from clew.interests import Interest
from clew.parse import host, mime
from clew.parse.document import unfollowed
from clew.parse.url import is_robots_file
from clew.store import Record, page_of
from clew.store.record import FROM_CACHE, MEDIA, RESULTS
from clew.types import Doc, Fetched, Judgement, Link, Page, UrlState

NOINDEX: Final = "noindex: it does not count as found"
NOT_RELEVANT: Final = Judgement(0.0, False, {})


@dataclass(frozen=True, slots=True)
class Visit:
    """One visit with everything that follows from the answer alone."""

    record: Record
    page: Page | None  # None for a redirect, which is no page
    doc: Doc  # the whole document, from which `page` may leave something out


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
    terms_of: Callable[[str], Mapping[str, int]]  # the words of a visited page; none for any other URL
    faults: Faults

    def visit(self, order: int, slot: int, fetched: Fetched, doc: Doc, interest: Interest) -> Visit:
        """The visit of a slot; `order` counts the visits before it."""
        inlinks = self.frontier.entries([slot])[0].links
        content = self.filters.content(doc, order)
        read = doc_by_links(doc, inlinks, link_language(interest)) if doc.media else content
        if self._reads_list(slot, inlinks, fetched, doc):
            state, reason, judgement = Verdict(UrlState.SITEMAP, _no_list(fetched, doc))
        else:
            state, reason, judgement = self._verdict(slot, inlinks, fetched, read, interest)
        record = Record(
            order=order,
            slot=slot,
            url=fetched.url,
            host=host(fetched.url),
            depth=self.frontier.depth(slot),
            state=state,
            reason=from_cache(reason, fetched),
            status=fetched.status,
            relevance=judgement.relevance,
            relevant=judgement.relevant,
            topics=judgement.topics,
            title=read.title if doc.media else doc.title,
            language=doc.language,
            words=sum(content.terms.values()),
            score=self.frontier.score(slot),
            bytes=len(fetched.raw),
            seconds=fetched.seconds,
            # A page from a cache is as old as its fetching: a recrawl must know, and the archive dates it so.
            at=fetched.fetched_at or time.time(),
            location=fetched.location,
        )
        if state == UrlState.REDIRECTED:
            return Visit(record, None, doc)
        return Visit(record, page_of(record, content, inlinks), known_content(record, doc))

    def judge(self, doc: Doc, interest: Interest) -> Judgement | None:
        """A document under the interest; None after a fault.

        One that says noindex, or lists the results of a form, does not count as found.
        """
        judgement = self.faults.judge(doc, interest, self.config.what.judge_seconds)
        is_dropped = doc.noindex and self.config.scope.noindex == "drop"
        if judgement and (is_dropped or self.filters.forms.is_results(doc.url)):
            return judgement._replace(relevant=False)
        return judgement

    def _reads_list(self, slot: int, inlinks: tuple[Link, ...], fetched: Fetched, doc: Doc) -> bool:
        """Whether this is a visit to a sitemap, or to the robots.txt that names it, rather than to a page."""
        if not self.config.scope.sitemaps or not sitemaps.is_list(fetched.url, inlinks):
            return False
        if not fetched.ok:
            return state_of(fetched) == UrlState.FAILED
        # A sitemap that has moved to an ordinary page, often the home page, is that page.
        return sitemaps.lists_urls(doc) or not self.frontier.hops(slot)

    def _page_of_text(self, doc: Doc, inlinks: tuple[Link, ...], fetched: Fetched) -> str | None:
        """The visited HTML page whose source this text is, or None."""
        skips = self.config.scope.duplicates == "skip" and doc.url not in self.filters.seeds
        if not skips or not text_twins.is_source(doc, mime.of(fetched.header("content-type")).essence):
            return None
        return text_twins.find_page(doc, inlinks, self.terms_of)

    def _verdict(self, slot: int, inlinks: tuple[Link, ...], fetched: Fetched, doc: Doc, interest: Interest) -> Verdict:
        most = self.config.fetch.max_redirects
        if fetched.location and self.frontier.hops(slot) >= most:
            return Verdict(UrlState.FAILED, f"more than {most} redirects")
        if not fetched.ok:
            return Verdict(state_of(fetched), reason_of(fetched))
        judgement = self.judge(doc, interest)
        if judgement is None:
            return Verdict(UrlState.FAILED, self.faults.last)
        # A caption may stand below two images, and may say that something was not found.
        twin, error = Finding() if doc.media else self.filters.examine(doc)
        if error:
            return Verdict(UrlState.FAILED, error, judgement._replace(relevant=False))
        original = self._page_of_text(doc, inlinks, fetched) if twin is None else self.frontier.url(twin)
        if original is not None:
            return Verdict(UrlState.DUPLICATE, f"same as {original}", judgement._replace(relevant=False))
        is_results = self.filters.forms.is_results(doc.url)
        reasons = [MEDIA if doc.media else "", _wishes(doc, self.config.scope), RESULTS if is_results else ""]
        return Verdict(UrlState.FETCHED, "; ".join(filter(None, reasons)), judgement)


def _no_list(fetched: Fetched, doc: Doc) -> str:
    """Why a robots.txt or sitemap lists nothing, or ""."""
    if fetched.ok and not sitemaps.lists_urls(doc):
        return "it names no sitemap" if is_robots_file(fetched.url) else "not a sitemap"
    return reason_of(fetched)


def known_content(record: Record, doc: Doc) -> Doc:
    """What the filters may learn from a visit: nothing of a page on which a part has failed."""
    return Doc(record.url) if is_fault(record) else doc


def from_cache(reason: str, fetched: Fetched) -> str:
    """The reason of a visit, with the cache from which its answer comes, if it does.

    >>> from_cache("", Fetched("http://a.example/", 200, cache="crawls/web", fetched_at=0.0))
    'from the cache crawls/web'
    """
    return "; ".join(filter(None, (reason, f"{FROM_CACHE} {fetched.cache}"))) if fetched.cache else reason


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
        return f"to {fetched.location}" + (f" ({fetched.detail})" if fetched.detail else "")
    return "" if fetched.ok else f"HTTP {fetched.status}"


def _wishes(doc: Doc, scope: Scope) -> str:
    """What the page itself asks for, and gets."""
    wishes: list[str] = []
    if unfollowed(doc, scope):
        wishes.append("nofollow: its links are not followed")
    if doc.noindex and scope.noindex == "drop":
        wishes.append(NOINDEX)
    return "; ".join(wishes)
