"""Recorded answers as a closed web: which URLs are pages, and which lead to one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final, Protocol

from numpy.typing import NDArray
from selectolax.lexbor import LexborHTMLParser

from clew.errors import ConfigError
from clew.lab import cache
from clew.lab.packing import Packer
from clew.parse import canonical, parse
from clew.parse.charset import utf8
from clew.store.warc import answers
from clew.types import Doc, Fetched

Progress = Callable[[int, int], None]
"""Called with the pages that are parsed, and with all that are to be."""

PAGES: Final = ("", "text/html", "application/xhtml+xml", "text/plain")
HOPS: Final = 10  # redirects in a row


class Source(Protocol):
    """Where the documents of a world come from before they are packed."""

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
    def inputs(self) -> tuple[object, ...]:
        """All that the packed form depends on."""
        return (*map(cache.digest, self.paths), self.exclude, self.strip)

    @property
    def urls(self) -> Sequence[str]:
        """Of the pages, in order."""
        return list(self._known[0])

    def docs(self) -> Iterator[Doc]:
        """The pages parsed; of several answers for a URL the first counts."""
        due = set(self._known[0])
        for url, fetched in self._answers():
            if url in due and _is_page(fetched):
                due.remove(url)
                yield read(fetched, url, self.strip)

    def follow(self, url: str) -> int | None:
        """The page to which a URL leads."""
        pages, redirects = self._known
        for _ in range(HOPS):
            if url in pages or url not in redirects:
                break
            url = redirects[url]
        return pages.get(url)

    @cached_property
    def _known(self) -> tuple[dict[str, int], dict[str, str]]:
        """Pages and redirects, by a first look at the files: parsing must know which links stay inside."""
        pages, redirects = dict[str, int](), dict[str, str]()
        for url, fetched in self._answers():
            if _is_page(fetched):
                pages.setdefault(url, len(pages))
            elif 300 <= fetched.status < 400 and (target := canonical(fetched.header("location"), url)):
                redirects.setdefault(url, target)
        if not pages:
            raise ConfigError(f"no pages in {', '.join(map(str, self.paths)) or 'no files'}")
        return pages, redirects

    def _answers(self) -> Iterator[tuple[str, Fetched]]:
        for path in self.paths:
            if not path.is_file():
                raise ConfigError(f"there is no file {path}")
            for fetched in answers(path):
                url = canonical(fetched.url.strip("<>"))  # some writers put brackets around it
                if url and not url.startswith(self.exclude):
                    yield url, fetched


def pack(source: Source, progress: Progress | None = None) -> dict[str, NDArray[Any]]:
    """Parse everything once."""
    urls = source.urls
    packer = Packer(urls, source.follow)
    for done, doc in enumerate(source.docs(), 1):
        packer.add(doc)
        if progress:
            progress(done, len(urls))
    return packer.arrays()


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
