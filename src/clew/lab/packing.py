"""Documents in a compact form that is written once, read quickly, and unpacked one page at a time."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import repeat
from typing import Any, Final

import numpy as np
from isal import isal_zlib
from numpy.typing import NDArray

from clew.lab.graph import Graph
from clew.types import Doc, Link

Arrays = Mapping[str, NDArray[Any]]

FORMAT: Final = 2  # of the arrays
END: Final = "\0"  # the parser leaves no such character in what it keeps, plain text aside
FACTS: Final = 7  # numbers of a page: title, language, charset, canonical, nofollow, noindex, distinct terms
COLUMNS: Final = 8  # numbers of a link: url, anchor, heading, path, position, kind, nofollow, block


@dataclass
class Packer:
    """Takes documents in the order of their pages; links that lead to none of the pages are left out.

    `follow` says which of the pages a URL leads to in the end, or None.
    """

    urls: Sequence[str]
    follow: Callable[[str], int | None]
    words: dict[str, int] = field(default_factory=dict)
    strings: dict[str, int] = field(default_factory=dict)
    blobs: list[bytes] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.addresses = {url: page for page, url in enumerate(self.urls)}
        self.leads: list[int | None] = list(range(len(self.urls)))
        self.facts, self.links, self.counts = array("i"), array("i"), array("i")

    def add(self, doc: Doc) -> None:
        """The document of the next page."""
        kept = [(address, link) for link in doc.links if (address := self._address(link.url)) is not None]
        for address, link in kept:
            texts = map(self._string, (link.anchor, link.heading, link.path))
            self.links.extend((address, *texts, link.position, self._string(link.kind), link.nofollow, link.block))
        self.counts.append(len(kept))
        texts = map(self._string, (doc.title, doc.language, doc.charset, doc.canonical))
        self.facts.extend((*texts, doc.nofollow, doc.noindex, len(doc.terms)))
        self.blobs.append(self._blob(doc, [link.around for _, link in kept]))

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Everything, for `Packed`; addresses that lead nowhere are left out."""
        leads = np.array([-1 if page is None else page for page in self.leads], np.int32)
        places = np.cumsum(leads >= 0, dtype=np.int32) - 1
        links = np.array(self.links, np.int32).reshape(-1, COLUMNS)
        links[:, 0] = places[links[:, 0]]
        known = [url for url, place in self.addresses.items() if leads[place] >= 0]
        return {
            "addresses": _joined(known),
            "leads": leads[leads >= 0],
            "words": _joined(self.words),
            "strings": _joined(self.strings),
            "facts": np.array(self.facts, np.int32).reshape(-1, FACTS),
            "links": np.ascontiguousarray(links.T),
            "link_starts": _starts(self.counts),
            "blobs": np.frombuffer(b"".join(self.blobs), np.uint8),
            "blob_starts": _starts(map(len, self.blobs)),
        }

    def _address(self, url: str) -> int | None:
        place = self.addresses.get(url)
        if place is None:
            place = self.addresses[url] = len(self.leads)
            self.leads.append(self.follow(url))
        return None if self.leads[place] is None else place

    def _string(self, text: str) -> int:
        return self.strings.setdefault(text.replace(END, ""), len(self.strings))

    def _blob(self, doc: Doc, arounds: list[str]) -> bytes:
        """Terms and long texts of a page; the text comes last, it alone may have the separator in it."""
        numbers = [self.words.setdefault(word, len(self.words)) for word in doc.terms]
        terms = np.array([*numbers, *doc.terms.values()], "<i4").tobytes()
        texts = END.join([*arounds, doc.text]).encode("utf-8", "surrogatepass")
        return isal_zlib.compress(terms + texts, level=2)


@dataclass(frozen=True, eq=False)
class Packed:
    """The documents of a closed set of pages; the urls of the pages come first among the addresses."""

    arrays: Arrays

    @cached_property
    def addresses(self) -> list[str]:
        """The pages' own URLs, then those that redirect to them."""
        return _parted(self.arrays["addresses"])

    @cached_property
    def urls(self) -> list[str]:
        """The URL of each page."""
        return self.addresses[: len(self)]

    @cached_property
    def pages(self) -> dict[str, int]:
        """The page to which each address leads."""
        return dict(zip(self.addresses, self.arrays["leads"].tolist(), strict=True))

    @cached_property
    def graph(self) -> Graph:
        """The links between pages, redirects followed."""
        counts = np.diff(self.arrays["link_starts"])
        sources = np.repeat(np.arange(len(self), dtype=np.int32), counts)
        targets = self.arrays["leads"][self.arrays["links"][0]]
        others = sources != targets
        return Graph.of(np.column_stack((sources[others], targets[others])), len(self))

    def __len__(self) -> int:
        return len(self.arrays["facts"])

    def doc(self, page: int) -> Doc:
        """The document of a page."""
        strings, url = self._strings, self.addresses[page]
        title, language, charset, canonical, nofollow, noindex, distinct = self.arrays["facts"][page].tolist()
        first, last = self._blob_starts[page : page + 2]
        data = isal_zlib.decompress(self.arrays["blobs"][first:last])
        numbers = np.frombuffer(data, "<i4", 2 * distinct).tolist()
        first, last = self._link_starts[page : page + 2]
        texts = data[8 * distinct :].decode("utf-8", "surrogatepass").split(END, last - first)
        return Doc(
            url=url,
            title=strings[title],
            text=texts.pop(),
            terms=dict(zip(map(self._words.__getitem__, numbers[:distinct]), numbers[distinct:], strict=True)),
            links=tuple(self._links(url, first, last, texts)),
            language=strings[language],
            charset=strings[charset],
            canonical=strings[canonical],
            nofollow=bool(nofollow),
            noindex=bool(noindex),
        )

    def _links(self, source: str, first: int, last: int, arounds: list[str]) -> Iterator[Link]:
        text = self._strings.__getitem__
        url, anchor, heading, path, position, kind, nofollow, block = self.arrays["links"][:, first:last].tolist()
        urls, kinds = map(self.addresses.__getitem__, url), map(text, kind)
        named = map(text, anchor), arounds, map(text, heading), map(text, path)
        return map(Link._make, zip(repeat(source), urls, *named, position, kinds, map(bool, nofollow), block, strict=False))

    @cached_property
    def _words(self) -> list[str]:
        return _parted(self.arrays["words"])

    @cached_property
    def _strings(self) -> list[str]:
        return _parted(self.arrays["strings"])

    @cached_property
    def _blob_starts(self) -> list[int]:
        return list(self.arrays["blob_starts"].tolist())

    @cached_property
    def _link_starts(self) -> list[int]:
        return list(self.arrays["link_starts"].tolist())


def _joined(texts: Iterable[str]) -> NDArray[np.uint8]:
    """Texts as bytes, each with the separator behind it."""
    return np.frombuffer("".join(text + END for text in texts).encode("utf-8", "surrogatepass"), np.uint8)


def _parted(data: NDArray[np.uint8]) -> list[str]:
    return data.tobytes().decode("utf-8", "surrogatepass").split(END)[:-1]


def _starts(counts: Iterable[int]) -> NDArray[np.int64]:
    return np.concatenate(([0], np.cumsum(np.fromiter(counts, np.int64))))
