"""Queries of search forms as candidates: which ones come next, and their way into the frontier."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from clew.core.view import CrawlView
from clew.filters import Filters
from clew.filters.forms import FormQuery
from clew.frontier import Frontier
from clew.frontier.frontier import Refuse
from clew.types import Doc, Form, Page


@dataclass
class FormCandidates:
    """Asks the forms on relevant pages, as far as the user wants that."""

    filters: Filters
    frontier: Frontier
    view: CrawlView
    refuse: Refuse

    def after_page(self, page: Page, content: Doc, forms: Sequence[Form], refused: bool) -> list[FormQuery]:
        """Learn from a page; what forms are asked next."""
        if not self.filters.forms.wanted:
            return []
        self.filters.forms.record_visit(page, content, forms, refused)
        return self._next()

    def after_redirect(self, url: str, location: str, is_new: bool) -> list[int]:
        """Learn where a query has led; the new candidates."""
        if not self.filters.forms.wanted:
            return []
        self.filters.forms.redirect_query(url, location, is_new)
        return self.add(self._next())

    def add(self, queries: Sequence[FormQuery]) -> list[int]:
        """Into the frontier with queries of forms on pages that were visited before; the new candidates."""
        fresh: list[int] = []
        for query in queries:
            relevance = self.frontier.relevance_of(query.link.source)
            fresh += self.frontier.add([query.link], query.depth, relevance, self.refuse)[0]
        return fresh

    def _next(self) -> list[FormQuery]:
        return list(self.filters.forms.next_queries(self._is_known, self.view.interest.rate))

    def _is_known(self, url: str) -> bool:
        return self.frontier.find(url) is not None
