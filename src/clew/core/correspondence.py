"""What shards write to each other about links, redirects and lessons: letters go out, and what comes in is taken in.

A crawl of one process has nobody to write to, and hears from nobody.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from clew.core.port import Home, Lesson, Letter, Links, News, Port, Redirect
from clew.core.teaching import Teaching
from clew.filters import Filters
from clew.filters.scope import ScopeFilter
from clew.filters.sitemaps import Sitemaps
from clew.frontier import Frontier
from clew.frontier.frontier import Refuse
from clew.store import Record
from clew.strategies import ALL, Stale, _optional
from clew.types import Page


@dataclass
class Correspondence:
    """Writes letters about visits, and brings those of others into the frontier and to the strategy."""

    frontier: Frontier
    filters: Filters
    scope_filter: ScopeFilter
    sitemaps: Sitemaps
    teaching: Teaching
    refuse: Callable[..., str]  # why a URL must not become a candidate, or ""
    port: Callable[[], Port]

    def __post_init__(self) -> None:
        self.inlinks_only = _optional.rescoring(self.teaching.strategy).inlinks_only

    def receive(self, letters: Sequence[Letter]) -> tuple[list[int], Stale]:
        """Take in a piece of mail: the slots that it touches, and the URLs whose score is stale."""
        touched: list[int] = []
        stale: list[str] = []
        is_all_stale = False
        for letter in letters:
            slots, urls = self._receive(letter)
            touched += slots
            if urls is ALL:
                is_all_stale = True
            else:
                stale += urls
        return touched, ALL if is_all_stale else stale

    def redirect(self, record: Record, refuse: Refuse) -> list[int]:
        """What spoke for a URL speaks for the one that it leads to; the candidates to score."""
        if self.port().is_home(record.location):
            return self.frontier.redirect(record.slot, record.location, refuse)
        start = record.url if record.depth == 0 and not record.is_robots_file else ""
        moved = self.frontier.moved(record.slot)
        relevances = tuple(self.frontier.relevance_of(link.source) for link in moved.links)
        letter = Redirect(record.location, moved, relevances, record.score, start)
        self.port().send(self.port().home_of(record.location), letter)
        return []

    def send_links(self, page: Page) -> None:
        """Tell other shards which of their pages this one links to."""
        _, away = self.port().split(page.links)
        if not away:
            return
        relevance = self.frontier.relevance_of(page.url)
        note = self.teaching.ask("note", page.url, _optional.note, page)
        for shard, links in away.items():
            self.port().send(shard, Links(page.url, page.depth, relevance, tuple(links), note))

    def send_lesson(self) -> None:
        """Tell other shards what the strategy has learned from the visit."""
        if (lesson := self.teaching.ask("lesson", "a lesson", _optional.lesson)) is not None:
            self.port().send(None, Lesson(lesson))

    def _receive(self, letter: Letter) -> tuple[list[int], Stale]:
        """The slots that a letter touches, and the URLs whose score is stale."""
        if isinstance(letter, Links):
            return self._receive_links(letter)
        if isinstance(letter, News):
            return self._receive_news(letter)
        if isinstance(letter, Redirect):
            self._receive_redirect(letter)
        elif isinstance(letter, Home):
            self.scope_filter.add_home(letter.url)
        elif isinstance(letter, Lesson):
            return [], self.teaching.ask("study", "a lesson", _optional.study_lesson, letter.state) or ()
        return [], ()

    def _receive_links(self, letter: Links) -> tuple[list[int], Stale]:
        """Links from a page of another shard; each page speaks once."""
        if self.frontier.has_spoken(self.frontier.guest(letter.url, letter.relevance)):
            return [], ()
        refuse: Refuse = partial(self.refuse, source=letter.url)
        if self.sitemaps.list_sitemaps(letter.links):
            refuse = self.scope_filter.sitemap
        # What this shard has learnt of its hosts, the other one cannot know.
        links = self.filters.fold_links(letter.links)
        fresh, again = self.frontier.add(links, letter.depth + 1, letter.relevance, refuse)
        touched = fresh if self.inlinks_only else fresh + again
        stale = self.teaching.ask("meet", letter.url, _optional.meet, letter.url, links, letter.relevance, letter.note)
        return touched, stale or ()

    def _receive_news(self, letter: News) -> tuple[list[int], Stale]:
        """A page of another shard was visited again, and has links that it had not before."""
        self.frontier.guest(letter.url, letter.relevance)
        folded = self.filters.fold_links(letter.links)
        unknown = tuple(link for link in folded if self.frontier.find(link.url) is None)
        refuse: Refuse = partial(self.refuse, source=letter.url)
        fresh, _ = self.frontier.add(unknown, letter.depth + 1, letter.relevance, refuse)
        return fresh, ()

    def _receive_redirect(self, letter: Redirect) -> None:
        """A visit of another shard led here."""
        if letter.start:
            self.scope_filter.add_home(letter.url)
        for link, relevance in zip(letter.moved.links, letter.relevances, strict=True):
            if not self.port().is_home(link.source):
                # Evidence counts only if its source is known.
                self.frontier.guest(link.source, relevance)
        refuse: Refuse = partial(self.scope_filter.of_start_page, letter.start) if letter.start else self.refuse
        touched = self.frontier.inherit(letter.url, letter.moved, refuse)
        self.frontier.set(touched, [max(letter.score, self.frontier.score(slot)) for slot in touched])
