"""Documents in a compact form that is read quickly and unpacked one page at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from itertools import repeat
from typing import Any, Final

import numpy as np
from isal import isal_zlib
from numpy.typing import NDArray

from clew.lab.lazy_docs import LateDoc, LateTerms
from clew.lab.link_graph import LinkGraph
from clew.types import Doc, Link

Arrays = Mapping[str, NDArray[Any]]

FORMAT: Final = 3  # of the arrays
END: Final = "\0"  # the parser leaves no such character in what it keeps, plain text aside
FACTS: Final = 6  # numbers of a page: title, language, charset, canonical, nofollow, noindex
COLUMNS: Final = 8  # numbers of a link: url, anchor, heading, path, position, kind, nofollow, block
KEPT: Final = 5_000  # pages whose links stay unpacked, about 50 MB: strategies on one world visit much the same ones

_link = partial(tuple.__new__, Link)  # Link._make in a third of its time


@dataclass(frozen=True, eq=False)
class Packed:
    """The documents of a closed set of pages; the urls of the pages come first among the addresses."""

    arrays: Arrays
    digest: str = ""  # names the content

    @property
    def warnings(self) -> list[str]:
        """What was amiss when the pages were read."""
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
        others = sources != targets
        return LinkGraph.of(np.column_stack((sources[others], targets[others])), len(self))

    def __len__(self) -> int:
        return len(self.arrays["facts"])

    def doc(self, page: int) -> Doc:
        """The document of a page; words and text are unpacked when somebody asks for them."""
        title, language, charset, canonical, nofollow, noindex = self.arrays["facts"][page].tolist()
        return LateDoc.of(
            partial(self.text, page),
            url=self.addresses[page],
            title=self._strings[title],
            terms=LateTerms(partial(self._terms, page), self._words),
            links=self.links(page),
            language=self._strings[language],
            charset=self._strings[charset],
            canonical=self._strings[canonical],
            nofollow=bool(nofollow),
            noindex=bool(noindex),
        )

    def text(self, page: int) -> str:
        """The text of a page."""
        return self._grown("text", page)

    @cached_property
    def links(self) -> Callable[[int], tuple[Link, ...]]:
        """Asked with a page: its links; those of the latest pages stay unpacked."""
        return lru_cache(KEPT)(self._links)

    def _links(self, page: int) -> tuple[Link, ...]:
        text = self._strings.__getitem__
        first, last = self._starts["link"][page : page + 2]
        url, anchor, heading, path, position, kind, nofollow, block = self.arrays["links"][:, first:last].tolist()
        named = map(text, anchor), self._grown("around", page).split(END), map(text, heading), map(text, path)
        urls, kinds = map(self.addresses.__getitem__, url), map(text, kind)
        plain = position, kinds, map(bool, nofollow), block
        rows = zip(repeat(self.addresses[page]), urls, *named, *plain, strict=False)  # no text at all parts into one
        return tuple(map(_link, rows))

    def _terms(self, page: int, row: int) -> list[int]:
        """The numbers of the words of a page (row 0), and how often each occurs (row 1)."""
        first, last = self._starts["term"][page : page + 2]
        return list(self.arrays["terms"][row, first:last].tolist())

    def _grown(self, kind: str, page: int) -> str:
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
    """Texts as bytes, each with the separator behind it."""
    return np.frombuffer("".join(text + END for text in texts).encode("utf-8", "surrogatepass"), np.uint8)


def parted(data: NDArray[np.uint8]) -> list[str]:
    """The texts that `joined` put together."""
    return data.tobytes().decode("utf-8", "surrogatepass").split(END)[:-1]
