"""Recorded responses as a closed web: which URLs are pages, and which redirect to one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final, NamedTuple, Protocol

from numpy.typing import NDArray
from selectolax.lexbor import LexborHTMLParser

from clew.errors import ConfigError
from clew.lab import cache
from clew.lab.packer import Packer
from clew.lab.packing import Packed, joined
from clew.lab.warc_reader import WarcReader
from clew.parse import canonical, parse
from clew.parse.charset import utf8
from clew.parse.cost import bounded
from clew.parse.source import MAX_PAGE_BYTES
from clew.types import Doc, Fetched

Progress = Callable[[int, int], None]
"""Called with the number of pages parsed so far, and the number of all pages."""

PAGE_TYPES: Final = ("", "text/html", "application/xhtml+xml", "text/plain")
MAX_REDIRECTS: Final = 10


class Source(Protocol):
    """Where the documents of a world come from before they are packed."""

    @property
    def place(self) -> tuple[object, ...]:
        """Identifies the source, whose content may change."""
        ...

    @property
    def inputs(self) -> tuple[object, ...]:
        """Everything that the packed form depends on."""
        ...

    @property
    def warnings(self) -> Sequence[str]:
        """Problems with the source."""
        ...

    @property
    def urls(self) -> Sequence[str]:
        """The URLs of the pages, in order."""
        ...

    def docs(self) -> Iterator[Doc]:
        """The parsed pages in the same order, with all their links."""
        ...

    def follow(self, url: str) -> int | None:
        """The page to which a URL leads, after redirects; None if there is none."""
        ...


@dataclass(frozen=True)
class Recording:
    """The pages of WARC files, without URLs under excluded prefixes and without elements that match `strip`."""

    paths: tuple[Path, ...]
    exclude: tuple[str, ...] = ()
    strip: tuple[str, ...] = ()

    @property
    def place(self) -> tuple[object, ...]:
        """The files, and what is left out of them."""
        return (*(str(path.resolve()) for path in self.paths), self.exclude, self.strip)

    @property
    def inputs(self) -> tuple[object, ...]:
        """Everything that the packed form depends on."""
        return (*map(cache.digest, self.paths), self.exclude, self.strip)

    @property
    def warnings(self) -> Sequence[str]:
        """Files that could not be read completely."""
        return self._known.warnings

    @property
    def urls(self) -> Sequence[str]:
        """The URLs of the pages, in order."""
        return list(self._known.pages)

    def docs(self) -> Iterator[Doc]:
        """The parsed pages; if there are several responses for a URL, the first counts."""
        unread = set(self._known.pages)
        for path in self.paths:
            for url, fetched in self._responses(WarcReader(path)):
                if url in unread and _is_page(fetched):
                    unread.remove(url)
                    yield read(fetched, url, self.strip)

    def follow(self, url: str) -> int | None:
        """The page to which a URL leads, after redirects; None if there is none."""
        pages = self._known.pages
        redirects = self._known.redirects
        for _ in range(MAX_REDIRECTS):
            if url in pages or url not in redirects:
                break
            url = redirects[url]
        return pages.get(url)

    @cached_property
    def _known(self) -> _Known:
        # A first pass over the files: packing a page needs to know which of its links stay inside the web.
        known = _Known({}, {}, [])
        files = list(map(WarcReader, self.paths))
        for file in files:
            for url, fetched in self._responses(file):
                known.add(url, fetched)
            if file.lost or not file.records:
                known.warnings.append(_damage(file))
        if not known.pages:
            raise ConfigError(_nothing(files))
        return known

    def _responses(self, file: WarcReader) -> Iterator[tuple[str, Fetched]]:
        for fetched in file.responses():
            # Some programs write the URL in angle brackets.
            url = canonical(fetched.url.strip("<>"))
            if url and not url.startswith(self.exclude):
                yield url, fetched


class _Known(NamedTuple):
    """The URLs in the files, collected by a first pass."""

    pages: dict[str, int]
    redirects: dict[str, str]
    warnings: list[str]

    def add(self, url: str, fetched: Fetched) -> None:
        if _is_page(fetched):
            self.pages.setdefault(url, len(self.pages))
        elif 300 <= fetched.status < 400 and (target := canonical(fetched.header("location"), url)):
            self.redirects.setdefault(url, target)


def opened(name: str, source: Source, progress: Progress | None = None) -> Packed:
    """The packed pages of a source: parsed the first time, read from the cache later."""
    inputs = source.inputs
    arrays = cache.cached(name, source.place, inputs, lambda: pack(source, progress))
    return Packed(arrays, cache.key(inputs))


def pack(source: Source, progress: Progress | None = None) -> dict[str, NDArray[Any]]:
    """Parse and pack all pages of a source."""
    urls = source.urls
    packer = Packer(urls, source.follow)
    for done, doc in enumerate(source.docs(), 1):
        packer.add(doc)
        if progress:
            progress(done, len(urls))
    return {**packer.arrays(), "warnings": joined(source.warnings)}


def read(fetched: Fetched, url: str, strip: Iterable[str] = ()) -> Doc:
    """The parsed page, without the elements that match the CSS selectors in `strip`.

    >>> page = Fetched("http://a.org/", 200, body=b"<p class=label>sports</p><p>Boats")
    >>> read(page, "http://a.org/", ["p.label"]).text
    'Boats'
    """
    body = fetched.body
    kind = fetched.header("content-type")
    if strip and not kind.startswith("text/plain"):
        tree = LexborHTMLParser(bounded(utf8(body[:MAX_PAGE_BYTES], kind)[0]))
        for selector in strip:
            # One by one: a match may lie inside another, and be gone with it.
            while node := tree.css_first(selector):
                node.decompose()
        body = (tree.html or "").encode("utf-8", "replace")
        kind = "text/html; charset=utf-8"
    return parse(body, url, kind)


def _is_page(fetched: Fetched) -> bool:
    kind = fetched.header("content-type").partition(";")[0].strip().lower()
    return fetched.ok and kind in PAGE_TYPES and not fetched.url.endswith("/robots.txt")


def _damage(file: WarcReader) -> str:
    if not file.records:
        return f"{file.path} holds no readable WARC record: it is not a WARC file, or its beginning is missing"
    return f"{file.path} is damaged or truncated: {file.records:,} records were read, at least {file.lost:,} are lost"


def _nothing(files: Sequence[WarcReader]) -> str:
    """Why there are no pages."""
    if unread := [_damage(file) for file in files if not file.records]:
        return "; ".join(unread)
    where = ", ".join(str(file.path) for file in files) or "no files"
    records = sum(file.records for file in files)
    wanted = "an HTML or text page with status 200 that is not excluded"
    return f"no pages in {where}: none of the {records:,} records is {wanted}"
