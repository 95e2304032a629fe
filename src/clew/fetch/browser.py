"""Pages that say something only after their scripts have run, run in a browser that reaches nothing but through us."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from clew.config import Fetch
from clew.fetch._bare import bare, is_html
from clew.fetch._chromium import Chromium
from clew.fetch._showing import Showing
from clew.fetch._traffic import ResourceCache, Traffic
from clew.fetch.http import NONE, HttpFetcher
from clew.types import Fetched

AT_ONCE: Final = 2  # pages in the browser
TOLD: Final = 5  # refusals of one page in the journal
ROOT = "the browser runs without its sandbox, because clew runs as root; better run it as an ordinary user"


class Rendering:
    """An HttpFetcher whose pages are rendered where `render` says so; robots, guard, limits and delays hold for all.

    >>> from clew.config import configure
    >>> with_browser(configure(render="never").fetch).__class__.__name__
    'HttpFetcher'
    """

    def __init__(self, fetcher: HttpFetcher) -> None:
        self.fetcher, self.config, self.politeness = fetcher, fetcher.config, fetcher.politeness
        self._browser = Chromium(self.config.browser, fetcher.user_agent)
        self._cache, self._places = ResourceCache(), asyncio.Semaphore(AT_ONCE)
        self._left = self.config.render_pages
        self._news = () if self._browser.sandboxed else (ROOT,)

    async def get(self, url: str, conditions: Mapping[str, str] = NONE) -> Fetched:
        """One request; if its answer is a page to be rendered, then those that its scripts make, too."""
        answer = await self.fetcher.get(url, conditions)
        if not self._wanted(answer):
            return answer
        if self._left <= 0:
            return self._spent(answer)
        self._left -= 1
        async with self._places:
            return self._with_news(await self._render(answer))

    def pause(self, url: str) -> float:
        """Seconds to leave this URL's host alone."""
        return self.fetcher.pause(url)

    async def close(self) -> None:
        """End the browser, let go of connections."""
        await self._browser.close()
        await self.fetcher.close()

    def _wanted(self, answer: Fetched) -> bool:
        if not answer.ok or not answer.body or not is_html(answer.header("content-type")):
            return False
        return self.config.render == "always" or bare(answer.body)

    def _spent(self, answer: Fetched) -> Fetched:
        if self._left < 0:
            return answer
        self._left = -1
        told = f"{self.config.render_pages} pages were rendered, the others are read as they come (render_pages)"
        return replace(answer, notes=(*answer.notes, told))

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
            notes=(*answer.notes, *traffic.notes, *_told(showing)),
        )

    def _with_news(self, answer: Fetched) -> Fetched:
        news, self._news = self._news, ()
        return replace(answer, notes=(*answer.notes, *news)) if news else answer


def with_browser(config: Fetch) -> HttpFetcher | Rendering:
    """The fetcher that the settings want."""
    fetcher = HttpFetcher(config)
    return fetcher if config.render == "never" else Rendering(fetcher)


def _told(showing: Showing) -> list[str]:
    """For the journal: what went wrong, and from what the page was kept."""
    url, refused = showing.answer.url, showing.traffic.refused
    told = [f"{url} is read as it came: {showing.trouble}"] if showing.trouble else []
    told += [f"{url} was kept from {target[:200]}: {why}" for target, why in [*refused.items()][:TOLD]]
    if len(refused) > TOLD:
        told.append(f"{url} was kept from {len(refused) - TOLD} more")
    return told
