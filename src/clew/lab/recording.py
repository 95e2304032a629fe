"""Recorded answers as a closed web: which URLs are pages, and which lead to one."""

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
from clew.lab.warc_reader import Salvage
from clew.parse import canonical, parse
from clew.parse.charset import utf8
from clew.types import Doc, Fetched

Progress = Callable[[int, int], None]
"""Called with the pages that are parsed, and with all that are to be."""

PAGES: Final = ("", "text/html", "application/xhtml+xml", "text/plain")
HOPS: Final = 10  # redirects in a row


class Source(Protocol):
    """Where the documents of a world come from before they are packed."""

    @property
    def place(self) -> tuple[object, ...]:
        """What is asked for: the same place may hold other content another day."""
        ...

    @property
    def inputs(self) -> tuple[object, ...]:
        """All that the packed form depends on."""
        ...

    @property
    def warnings(self) -> Sequence[str]:
        """What was amiss with the source."""
        ...

    @property
    def urls(self) -> Sequence[str]:
        """Of the pages, in order."""
        ...

    def docs(self) -> Iterator[Doc]:
        """The pages in the same order, with all their links."""
        ...

    def follow(self, url: str) -> int | None:
        """The page to which a URL leads, through redirects if need be."""
        ...


@dataclass(frozen=True)
class Recording:
    """Every page of some WARC files but those under the excluded prefixes; elements that are to be stripped are cut."""

    paths: tuple[Path, ...]
    exclude: tuple[str, ...] = ()
    strip: tuple[str, ...] = ()

    @property
    def place(self) -> tuple[object, ...]:
        """The files, and what is left out of them."""
        return (*(str(path.resolve()) for path in self.paths), self.exclude, self.strip)

    @property
    def inputs(self) -> tuple[object, ...]:
        """All that the packed form depends on."""
        return (*map(cache.digest, self.paths), self.exclude, self.strip)

    @property
    def warnings(self) -> Sequence[str]:
        """Files that could not be read in full."""
        return self._known.warnings

    @property
    def urls(self) -> Sequence[str]:
        """Of the pages, in order."""
        return list(self._known.pages)

    def docs(self) -> Iterator[Doc]:
        """The pages parsed; of several answers for a URL the first counts."""
        due = set(self._known.pages)
        for path in self.paths:
            for url, fetched in self._inside(Salvage(path)):
                if url in due and _is_page(fetched):
                    due.remove(url)
                    yield read(fetched, url, self.strip)

    def follow(self, url: str) -> int | None:
        """The page to which a URL leads."""
        pages, redirects, _ = self._known
        for _ in range(HOPS):
            if url in pages or url not in redirects:
                break
            url = redirects[url]
        return pages.get(url)

    @cached_property
    def _known(self) -> _Known:
        """By a first look at the files: parsing must know which links stay inside."""
        known, files = _Known({}, {}, []), list(map(Salvage, self.paths))
        for file in files:
            for url, fetched in self._inside(file):
                known.take(url, fetched)
            if file.lost or not file.records:
                known.warnings.append(_damage(file))
        if not known.pages:
            raise ConfigError(_nothing(files))
        return known

    def _inside(self, file: Salvage) -> Iterator[tuple[str, Fetched]]:
        for fetched in file.answers():
            url = canonical(fetched.url.strip("<>"))  # some writers put brackets around it
            if url and not url.startswith(self.exclude):
                yield url, fetched


class _Known(NamedTuple):
    """What a first look at the files has told."""

    pages: dict[str, int]
    redirects: dict[str, str]
    warnings: list[str]

    def take(self, url: str, fetched: Fetched) -> None:
        if _is_page(fetched):
            self.pages.setdefault(url, len(self.pages))
        elif 300 <= fetched.status < 400 and (target := canonical(fetched.header("location"), url)):
            self.redirects.setdefault(url, target)


def opened(name: str, source: Source, progress: Progress | None = None) -> Packed:
    """The pages of a source, parsed the first time and from the cache later."""
    inputs = source.inputs
    arrays = cache.cached(name, source.place, inputs, lambda: pack(source, progress))
    return Packed(arrays, cache.key(inputs))


def pack(source: Source, progress: Progress | None = None) -> dict[str, NDArray[Any]]:
    """Parse everything once."""
    urls = source.urls
    packer = Packer(urls, source.follow)
    for done, doc in enumerate(source.docs(), 1):
        packer.add(doc)
        if progress:
            progress(done, len(urls))
    return {**packer.arrays(), "warnings": joined(source.warnings)}


def read(fetched: Fetched, url: str, strip: Iterable[str] = ()) -> Doc:
    """A page as the parser sees it, without the elements that these CSS selectors find.

    >>> page = Fetched("http://a.org/", 200, body=b"<p class=label>sports</p><p>Boats")
    >>> read(page, "http://a.org/", ["p.label"]).text
    'Boats'
    """
    body, kind = fetched.body, fetched.header("content-type")
    if strip and not kind.startswith("text/plain"):
        tree = LexborHTMLParser(utf8(body, kind)[0])
        for selector in strip:
            while node := tree.css_first(selector):  # one by one: a match may lie inside another
                node.decompose()
        body, kind = (tree.html or "").encode("utf-8", "replace"), "text/html; charset=utf-8"
    return parse(body, url, kind)


def _is_page(fetched: Fetched) -> bool:
    kind = fetched.header("content-type").partition(";")[0].strip().lower()
    return fetched.ok and kind in PAGES and not fetched.url.endswith("/robots.txt")


def _damage(file: Salvage) -> str:
    if not file.records:
        return f"{file.path} holds no WARC record that can be read: it is something else, or cut off at its beginning"
    return (
        f"{file.path} is damaged or cut off: at least {file.lost:,} of its records are lost, {file.records:,} were read"
    )


def _nothing(files: Sequence[Salvage]) -> str:
    """Why there is no page at all."""
    if unread := [_damage(file) for file in files if not file.records]:
        return "; ".join(unread)
    where = ", ".join(str(file.path) for file in files) or "no files"
    records = sum(file.records for file in files)
    return f"no pages in {where}: of {records:,} records none is HTML or text with status 200 and not excluded"
