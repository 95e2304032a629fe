"""Another scope in the middle of a crawl: candidates that are out of scope now leave, others come back."""

from __future__ import annotations

from typing import NamedTuple

from clew.core.state import CrawlState
from clew.filters import sitemaps
from clew.filters.scope import is_by_pattern
from clew.types import UrlEntry, UrlState


class ScopeChange(NamedTuple):
    """What a change of scope has done to the frontier."""

    dropped: int
    readmitted: int


def follow_scope(state: CrawlState) -> ScopeChange:
    """Let the frontier follow the scope of now.

    What is in flight lands, but is not asked for again. This is not replayed: the next commit must have a checkpoint.
    """
    dropped = 0
    for waiting in (UrlState.QUEUED, UrlState.IN_FLIGHT):
        for slot, entry in state.frontier.in_state(waiting):
            if reason := _refusal(state, slot, entry):
                state.frontier.exclude(slot, reason)
                dropped += 1
    return ScopeChange(dropped, _readmit(state))


def _refusal(state: CrawlState, slot: int, entry: UrlEntry) -> str:
    if sitemaps.is_list(entry.url, entry.links):
        return state.scope_filter.sitemap(entry.url, 0)
    return state.scope_filter(entry.url, state.frontier.depth(slot))


def _readmit(state: CrawlState) -> int:
    """Bring back what only the patterns of before have kept out."""
    back: list[int] = []
    for slot, entry in state.frontier.in_state(UrlState.OUT_OF_SCOPE):
        source = entry.links[0].source if entry.links else ""
        if is_by_pattern(entry.reason) and not state.refuse(entry.url, state.frontier.depth(slot), source):
            state.frontier.readmit(slot)
            back.append(slot)
    state.scoring.score_slots(back)
    return len(back)
