"""Example documents from files, folders and URLs, and from the crawl that has read them before."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path

from clew.config import Fetch
from clew.core.visit import reason_of
from clew.errors import InterestError
from clew.fetch import NOT_YET, HttpFetcher
from clew.parse import canonical, parse
from clew.types import Doc, Fetched

_HTML = {".html", ".htm", ".xhtml", ".php"}


class ExampleReader:
    """Turns the place of an example into documents, each place once, and the web as politely as a crawl.

    What is known is not read again: a resumed crawl judges by the examples it began with.
    """

    def __init__(self, config: Fetch, known: Mapping[str, list[Doc]] | None = None) -> None:
        self.config = config
        self.docs: dict[str, list[Doc]] = dict(known or {})
        self._runner: asyncio.Runner | None = None

    def __call__(self, place: str) -> list[Doc]:
        """The documents of one place."""
        if place not in self.docs:
            self.docs[place] = [self._from_web(place)] if "://" in place else _from_disk(Path(place))
        return self.docs[place]

    def __enter__(self) -> ExampleReader:
        return self

    def __exit__(self, *_: object) -> None:
        if self._runner:
            self._runner.run(self._fetcher.close())
            self._runner.close()

    def _from_web(self, url: str) -> Doc:
        if not self._runner:
            self._runner, self._fetcher = asyncio.Runner(), HttpFetcher(self.config)
        fetched = self._runner.run(self._get(canonical(url) or url))
        if not fetched.ok:
            raise InterestError(f"the example {url} cannot be fetched: {reason_of(fetched)}")
        return parse(fetched.body, fetched.url, fetched.header("content-type"))

    async def _get(self, url: str) -> Fetched:
        fetched = Fetched(url, location=url)
        for _ in range(1 + self.config.max_redirects):
            if not fetched.location:
                break
            url = fetched.location
            await asyncio.sleep(self._fetcher.pause(url))
            while (fetched := await self._fetcher.get(url)).error == NOT_YET:
                await asyncio.sleep(fetched.retry_after)
        return fetched


def _from_disk(path: Path) -> list[Doc]:
    if not path.exists():
        raise InterestError(f"there is no example at {path}")
    files = sorted(p for p in path.rglob("*") if p.is_file()) if path.is_dir() else [path]
    return [_from_file(file) for file in files]


def _from_file(path: Path) -> Doc:
    body = path.read_bytes()
    markup = path.suffix.lower() in _HTML or b"<html" in body[:1000].lower()
    return parse(body, path.absolute().as_uri(), "text/html" if markup else "text/plain")
