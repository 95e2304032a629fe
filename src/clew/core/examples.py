"""Reads example documents from files, folders, URLs and profiles of users."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path

from clew.config import Fetch
from clew.core.polite_get import polite_get
from clew.core.users import PLACE as PROFILE
from clew.core.users import profile_docs
from clew.core.visit import reason_of
from clew.errors import InterestError
from clew.fetch import HttpFetcher
from clew.parse import canonical, document
from clew.types import Doc, Fetched

_HTML_SUFFIXES = {".html", ".htm", ".xhtml", ".php"}


class ExampleReader:
    """Reads the documents of an example, each place only once, and from the web as politely as a crawl.

    `known` holds the documents that were read before: a resumed crawl judges by the examples it began with.
    """

    def __init__(self, config: Fetch, known: Mapping[str, list[Doc]] | None = None) -> None:
        self.config = config
        self.docs: dict[str, list[Doc]] = dict(known or {})
        self._web: tuple[asyncio.Runner, HttpFetcher] | None = None

    def __call__(self, place: str) -> list[Doc]:
        """The documents of a place: a URL, a file, a folder or a profile."""
        if place not in self.docs:
            self.docs[place] = self._read(place)
        return self.docs[place]

    def __enter__(self) -> ExampleReader:
        return self

    def __exit__(self, *_: object) -> None:
        if self._web:
            runner, fetcher = self._web
            runner.run(fetcher.close())
            runner.close()

    def _read(self, place: str) -> list[Doc]:
        if place.startswith(PROFILE):
            return profile_docs(place)
        return [self._from_web(place)] if "://" in place else _from_disk(Path(place))

    def _from_web(self, url: str) -> Doc:
        # One fetcher for all examples: it remembers what their hosts ask for.
        if self._web is None:
            self._web = (asyncio.Runner(), HttpFetcher(self.config))
        runner, fetcher = self._web
        fetched = runner.run(polite_get(fetcher, fetcher.get, self.config, canonical(url) or url))
        if not fetched.ok:
            raise InterestError(f"the example {url} cannot be fetched: {reason_of(fetched)}; choose another one")
        return _readable(document(fetched), url)


def _from_disk(path: Path) -> list[Doc]:
    if not path.exists():
        raise InterestError(f"there is no example at {path}; check the path, or give a URL with its scheme")
    if not path.is_dir():
        return [_from_file(path)]
    # Sorted: file systems list a folder in any order, and a crawl must be repeatable.
    files = sorted(file for file in path.rglob("*") if file.is_file())
    return [_from_file(file) for file in files]


def _from_file(path: Path) -> Doc:
    body = path.read_bytes()
    is_html = path.suffix.lower() in _HTML_SUFFIXES or b"<html" in body[:1000].lower()
    kind = "text/html" if is_html else "text/plain"
    fetched = Fetched(path.absolute().as_uri(), 200, (("Content-Type", kind),), body)
    return _readable(document(fetched), str(path))


def _readable(doc: Doc, place: str) -> Doc:
    if doc.error:
        raise InterestError(f"the example {place} cannot be parsed: {doc.error}; choose another one")
    return doc
