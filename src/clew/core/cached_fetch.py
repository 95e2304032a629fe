"""Asks the cache first, then the web. A page from the cache asks no host, but robots.txt still decides."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from clew.config import Config
from clew.fetch import Fetcher, MakesOtherRequests, ObeysRobots, RecallsAnswers, Rendering
from clew.parse.url import is_robots_file
from clew.store.page_cache import PageCache
from clew.types import Fetched


def page_cache(config: Config) -> PageCache | None:
    """The cache of a crawl; None if it has none."""
    fetch = config.fetch
    return PageCache([Path(folder) for folder in fetch.cache], fetch.cache_days) if fetch.cache else None


def share_robots(fetcher: Fetcher, cache: PageCache) -> None:
    """Let a fetcher keep the robots.txt files that it reads in the cache, and look for them there."""
    if isinstance(fetcher, RecallsAnswers):
        fetcher.recall_answer = cache.find
    if isinstance(fetcher, MakesOtherRequests):
        keep = fetcher.keep_answer

        def keep_both(answer: Fetched) -> None:
            keep(answer)
            if is_robots_file(answer.url):
                cache.put(answer)

        fetcher.keep_answer = keep_both


def _as_read(found: Fetched | None, fetcher: Fetcher) -> Fetched | None:
    """An answer from a cache as this crawl reads it; None if this crawl would run its scripts first."""
    if found is None or not isinstance(fetcher, Rendering):
        return replace(found, rendered=b"") if found else None
    return found if found.rendered or not fetcher.wants(found) else None


async def get_cached(url: str, fetcher: Fetcher, cache: PageCache | None) -> Fetched:
    """The answer for a URL, from the cache or from the web."""
    if cache is None:
        return await fetcher.get(url)
    found = _as_read(cache.find(url), fetcher)
    if found is None:
        answer = await fetcher.get(url)
        cache.put(answer)
        return answer
    denial = await fetcher.denial(url) if isinstance(fetcher, ObeysRobots) else None
    return denial or found
