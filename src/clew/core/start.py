"""The beginning of a crawl: the start pages are read first, and set the threshold where the user gave none."""

from __future__ import annotations

from typing import Final, NamedTuple

from clew.core.state import CrawlState
from clew.core.visit import reason_of
from clew.errors import StartError
from clew.store import Store
from clew.types import Doc, Fetched

MAX_START_PAGES: Final = 100
"""So many start pages are read before anything else; further ones are plain candidates."""
START_PAGE_WAIT_SECONDS: Final = 30.0
"""A start page that asks for a longer wait comes later, or not at all."""
MAX_LISTED: Final = 20  # start pages that an error message lists


class StartPage(NamedTuple):
    """A start page that has answered, before it is judged."""

    slot: int
    fetched: Fetched
    doc: Doc


def queue_start_pages(state: CrawlState) -> int:
    """Queue the first start pages, as many as the page budget allows; how many they are."""
    limit = state.config.until.pages
    count = MAX_START_PAGES if limit is None else min(MAX_START_PAGES, limit)
    slots = [state.frontier.slot_for(url) for url in state.config.what.seeds[:count]]
    state.frontier.set(slots, [1.0] * len(slots))
    return len(slots)


def set_threshold(state: CrawlState, pages: list[StartPage], store: Store) -> None:
    """Check that a start page answered, and take the threshold from the start pages unless the user gave one."""
    if not any(page.fetched.ok for page in pages):
        raise StartError(_no_answer(pages))
    if state.config.what.threshold is None:
        _from_start_pages(state, [page.doc for page in pages if page.fetched.ok])
    store.set("threshold", repr(state.interest.threshold))


def failed_start_pages(pages: list[StartPage]) -> str:
    """Say which start pages failed, and why; "" if all answered."""
    failed = [page.fetched for page in pages if not page.fetched.ok]
    if not failed:
        return ""
    listed = [f"{fetched.url} ({reason_of(fetched)})" for fetched in failed[:MAX_LISTED]]
    if len(failed) > MAX_LISTED:
        listed.append("…")
    return f"{len(failed)} of {len(pages)} start pages failed: {', '.join(listed)}"


def _from_start_pages(state: CrawlState, docs: list[Doc]) -> None:
    scores = [state.interest.judge(doc).relevance for doc in docs]
    try:
        state.set_interest(state.interest.starting_from(scores))
    except StartError as error:
        lines = [f"{score:.3f}  {doc.url}  {doc.title}" for score, doc in zip(scores, docs, strict=True)]
        raise StartError("\n  ".join([str(error), *lines[:MAX_LISTED]])) from None


def _no_answer(pages: list[StartPage]) -> str:
    lines = [f"{page.fetched.url}: {reason_of(page.fetched)}" for page in pages[:MAX_LISTED]]
    if not lines:
        lines = ["they redirect out of scope or in a circle, or ask for a long wait"]
    return "\n  ".join(["no start page answers; check the addresses, or give others: seeds (--seeds URL)", *lines])
