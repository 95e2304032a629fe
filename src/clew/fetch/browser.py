"""Renders pages that need their scripts, in a browser that reaches the web only through our fetcher."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from clew.config import Fetch
from clew.fetch._bare import bare, is_html
from clew.fetch._base import Recall
from clew.fetch._chromium import Chromium
from clew.fetch._showing import Showing
from clew.fetch._traffic import ResourceCache, Traffic
from clew.fetch.http import NONE, HttpFetcher
from clew.types import Fetched, SharedLimit

MAX_OPEN_PAGES: Final = 2
MAX_NOTED_REFUSALS: Final = 5  # of one page, in the journal
NO_SANDBOX: Final = "the browser runs without its sandbox because clew runs as root; run clew as an ordinary user"


class Rendering:
    """An HttpFetcher that renders pages as `render` says; all requests obey robots.txt, guard, limits and delays.

    >>> from clew.config import configure
    >>> with_browser(configure(render="never").fetch).__class__.__name__
    'HttpFetcher'
    """

    def __init__(self, fetcher: HttpFetcher) -> None:
        self.fetcher = fetcher
        self.config = fetcher.config
        self.politeness = fetcher.politeness
        self._browser = Chromium(self.config.browser, fetcher.user_agent)
        self._cache = ResourceCache()
        self._open_pages = asyncio.Semaphore(MAX_OPEN_PAGES)
        self._pages_left = self.config.render_pages
        self._noted_limit = False
        self._news = () if self._browser.sandboxed else (NO_SANDBOX,)

    async def get(self, url: str, conditions: Mapping[str, str] = NONE) -> Fetched:
        """Make one request, and render its answer if that is wanted; then the scripts make requests, too."""
        answer = await self.fetcher.get(url, conditions)
        if not self.wants(answer):
            return answer
        if self._pages_left <= 0:
            return self._with_limit_note(answer)
        self._pages_left -= 1
        async with self._open_pages:
            return self._with_news(await self._render(answer))

    @property
    def keep_answer(self) -> Callable[[Fetched], None]:
        """Called with the answers to requests for what is no page."""
        return self.fetcher.keep_answer

    @keep_answer.setter
    def keep_answer(self, keep: Callable[[Fetched], None]) -> None:
        self.fetcher.keep_answer = keep

    @property
    def recall_answer(self) -> Recall:
        """Called before a robots.txt is asked for."""
        return self.fetcher.recall_answer

    @recall_answer.setter
    def recall_answer(self, recall: Recall) -> None:
        self.fetcher.recall_answer = recall

    async def denial(self, url: str) -> Fetched | None:
        """Why robots.txt forbids a page; None if it allows the page."""
        return await self.fetcher.denial(url)

    def pause(self, url: str) -> float:
        """Seconds until the host of this URL may be asked again."""
        return self.fetcher.pause(url)

    def shared_limits(self, url: str) -> tuple[SharedLimit, ...]:
        """The limits that the URL's host shares with others."""
        return self.fetcher.shared_limits(url)

    async def close(self) -> None:
        """Close the browser and all connections."""
        await self._browser.close()
        await self.fetcher.close()

    def wants(self, answer: Fetched) -> bool:
        """Whether an answer must be rendered before it is read."""
        if not answer.ok or not answer.body or not is_html(answer.header("content-type")):
            return False
        return self.config.render == "always" or bare(answer.body)

    def _with_limit_note(self, answer: Fetched) -> Fetched:
        """The answer as it came, the first time with a note that no more pages are rendered."""
        if self._noted_limit:
            return answer
        self._noted_limit = True
        note = f"{self.config.render_pages} pages were rendered; further pages are read without scripts (render_pages)"
        return replace(answer, notes=(*answer.notes, note))

    async def _render(self, answer: Fetched) -> Fetched:
        traffic = Traffic(self.fetcher.part, self._cache, self.config.max_body)
        showing = Showing(answer, traffic, self.config.render_seconds)
        context = await self._browser.context()
        try:
            await showing.run(context)
        finally:
            await self._browser.done(context)
        return replace(
            answer,
            rendered=showing.html.encode("utf-8", "replace"),
            location=showing.location,
            notes=(*answer.notes, *traffic.notes, *_notes(showing)),
        )

    def _with_news(self, answer: Fetched) -> Fetched:
        news = self._news
        self._news = ()
        return replace(answer, notes=(*answer.notes, *news)) if news else answer


def with_browser(config: Fetch, media: bool = False) -> HttpFetcher | Rendering:
    """The fetcher for these settings, with a browser unless `render` is "never"; `media` as in the scope."""
    fetcher = HttpFetcher(config, media=media)
    return fetcher if config.render == "never" else Rendering(fetcher)


def _notes(showing: Showing) -> list[str]:
    """Notes for the journal: what went wrong, and which requests were refused."""
    url = showing.answer.url
    refused = list(showing.traffic.refused.items())
    notes = [f"{url} is read without scripts: {showing.trouble}"] if showing.trouble else []
    notes += [f"{url} may not load {target[:200]}: {reason}" for target, reason in refused[:MAX_NOTED_REFUSALS]]
    if len(refused) > MAX_NOTED_REFUSALS:
        notes.append(f"{url} may not load {len(refused) - MAX_NOTED_REFUSALS} more URLs")
    return notes
