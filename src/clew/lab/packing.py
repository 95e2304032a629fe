"""Documents in a compact form that loads fast and is unpacked one page at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from itertools import repeat
from typing import Any, Final

import numpy as np
from isal import isal_zlib
from numpy.typing import NDArray

from clew.lab.lazy_docs import LazyDoc, LazyTerms
from clew.lab.link_graph import LinkGraph
from clew.types import Doc, Link

Arrays = Mapping[str, NDArray[Any]]

FORMAT: Final = 4  # version of the arrays; raise it when they change
END: Final = "\0"  # the separator; the parser leaves this character in plain text only
FACTS: Final = 7  # numbers per page: title, language, charset, canonical, meta, nofollow, noindex
COLUMNS: Final = 8  # numbers per link: url, anchor, heading, path, position, kind, nofollow, block
# Strategies on one world visit much the same pages, so their links stay unpacked. These take about 50 MB.
MAX_UNPACKED_PAGES: Final = 5_000

# Like Link._make, in a third of the time.
_link = partial(tuple.__new__, Link)


@dataclass(frozen=True, eq=False)
class Packed:
    """The documents of a closed set of pages; the URLs of the pages come first among the addresses."""

    arrays: Arrays
    digest: str = ""  # identifies the content

    @property
    def warnings(self) -> list[str]:
        """Problems found when the pages were read."""
        return parted(self.arrays["warnings"])

    @cached_property
    def addresses(self) -> list[str]:
        """The pages' own URLs, then those that redirect to them."""
        return parted(self.arrays["addresses"])

    @cached_property
    def urls(self) -> list[str]:
        """The URL of each page."""
        return self.addresses[: len(self)]

    @cached_property
    def pages(self) -> dict[str, int]:
        """The page to which each address leads."""
        return dict(zip(self.addresses, self.arrays["leads"].tolist(), strict=True))

    @cached_property
    def graph(self) -> LinkGraph:
        """The links between pages, redirects followed."""
        counts = np.diff(self.arrays["link_starts"])
        sources = np.repeat(np.arange(len(self), dtype=np.int32), counts)
        targets = self.arrays["leads"][self.arrays["links"][0]]
        # A link of a page to itself leads nowhere.
        others = sources != targets
        return LinkGraph.of(np.column_stack((sources[others], targets[others])), len(self))

    def __len__(self) -> int:
        return len(self.arrays["facts"])

    def doc(self, page: int) -> Doc:
        """The document of a page; its terms and text are unpacked on first use."""
        title, language, charset, canonical, meta, nofollow, noindex = self.arrays["facts"][page].tolist()
        return LazyDoc.of(
            partial(self.text, page),
            url=self.addresses[page],
            title=self._strings[title],
            terms=LazyTerms(partial(self._terms, page), self._words),
            links=self.links(page),
            language=self._strings[language],
            charset=self._strings[charset],
            canonical=self._strings[canonical],
            meta=self._strings[meta],
            nofollow=bool(nofollow),
            noindex=bool(noindex),
        )

    def text(self, page: int) -> str:
        """The text of a page."""
        return self._decompressed("text", page)

    @cached_property
    def links(self) -> Callable[[int], tuple[Link, ...]]:
        """A function that returns the links of a page; those of the latest pages stay unpacked."""
        # A cache of each object: one for the method would keep every world alive.
        return lru_cache(MAX_UNPACKED_PAGES)(self._links)

    def _links(self, page: int) -> tuple[Link, ...]:
        text = self._strings.__getitem__
        first, last = self._starts["link"][page : page + 2]
        url, anchor, heading, path, position, kind, nofollow, block = self.arrays["links"][:, first:last].tolist()
        rows = zip(
            repeat(self.addresses[page]),
            map(self.addresses.__getitem__, url),
            map(text, anchor),
            self._decompressed("around", page).split(END),
            map(text, heading),
            map(text, path),
            position,
            map(text, kind),
            map(bool, nofollow),
            block,
            repeat(False),
            # Not strict: `repeat` has no end, and a page without links still splits into one empty text.
            strict=False,
        )
        return tuple(map(_link, rows))

    def _terms(self, page: int, row: int) -> list[int]:
        """The word numbers of a page (row 0), or how often each word occurs (row 1)."""
        first, last = self._starts["term"][page : page + 2]
        return list(self.arrays["terms"][row, first:last].tolist())

    def _decompressed(self, kind: str, page: int) -> str:
        first, last = self._starts[kind][page : page + 2]
        return isal_zlib.decompress(self.arrays[f"{kind}s"][first:last]).decode("utf-8", "surrogatepass")

    @cached_property
    def _words(self) -> list[str]:
        return parted(self.arrays["words"])

    @cached_property
    def _strings(self) -> list[str]:
        return parted(self.arrays["strings"])

    @cached_property
    def _starts(self) -> dict[str, list[int]]:
        return {kind: self.arrays[f"{kind}_starts"].tolist() for kind in ("link", "term", "text", "around")}


def joined(texts: Iterable[str]) -> NDArray[np.uint8]:
    """Texts as bytes, each followed by the separator."""
    return np.frombuffer("".join(text + END for text in texts).encode("utf-8", "surrogatepass"), np.uint8)


def parted(data: NDArray[np.uint8]) -> list[str]:
    """The texts that `joined` has joined."""
    return data.tobytes().decode("utf-8", "surrogatepass").split(END)[:-1]
