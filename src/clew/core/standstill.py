"""Why a crawl cannot go on: nothing can be fetched now, and nothing will be ready later."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from clew.core.faults import CANNOT_SCORE
from clew.core.scoring import SCORING
from clew.core.state import CrawlState
from clew.core.stop import EXHAUSTED
from clew.filters.scope_report import all_excluded

HELD: Final = "the strategy holds all candidates back"
SPENT: Final = "every remaining host has reached its page budget (host_pages)"


def standstill(state: CrawlState) -> tuple[str, Sequence[str]]:
    """The reason to stop, and what the user should know about it."""
    if not state.frontier.waiting:
        return _exhausted(state)
    if faults := state.faults.in_a_row(*SCORING):
        return f"{CANNOT_SCORE}: {faults[-1]}", ()
    return SPENT if state.filters.budgets.spent() else HELD, ()


def _exhausted(state: CrawlState) -> tuple[str, Sequence[str]]:
    """No candidates are left; if the scope has excluded every link, the user is told."""
    scope_filter = state.scope_filter
    if scope_filter.has_admitted or not scope_filter.excluded:
        return EXHAUSTED, ()
    names = ", ".join(scope_filter.excluded)
    lines = all_excluded(state.config.scope, scope_filter.excluded)
    return f"{EXHAUSTED}: the scope excludes every link ({names})", lines
