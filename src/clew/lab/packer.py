"""Documents into the compact form that `Packed` reads."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from isal import isal_zlib
from numpy.typing import NDArray

from clew.lab.packing import COLUMNS, END, FACTS, joined
from clew.types import Doc


@dataclass
class Packer:
    """Takes documents in the order of their pages; links that lead to none of the pages are left out.

    `follow` says which of the pages a URL leads to in the end, or None.
    """

    urls: Sequence[str]
    follow: Callable[[str], int | None]
    words: dict[str, int] = field(default_factory=dict)
    strings: dict[str, int] = field(default_factory=dict)
    texts: list[bytes] = field(default_factory=list)
    arounds: list[bytes] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.addresses = {url: page for page, url in enumerate(self.urls)}
        self.leads: list[int | None] = list(range(len(self.urls)))
        self.facts, self.links, self.terms, self.counts = array("i"), array("i"), array("i"), array("i")
        self.n_links, self.n_terms = array("i"), array("i")

    def add(self, doc: Doc) -> None:
        """The document of the next page."""
        kept = [(address, link) for link in doc.links if (address := self._address(link.url)) is not None]
        for address, link in kept:
            texts = map(self._string, (link.anchor, link.heading, link.path))
            self.links.extend((address, *texts, link.position, self._string(link.kind), link.nofollow, link.block))
        self.n_links.append(len(kept))
        texts = map(self._string, (doc.title, doc.language, doc.charset, doc.canonical))
        self.facts.extend((*texts, doc.nofollow, doc.noindex))
        self.terms.extend(self.words.setdefault(word, len(self.words)) for word in doc.terms)
        self.counts.extend(doc.terms.values())
        self.n_terms.append(len(doc.terms))
        self.arounds.append(_shrunk(END.join(link.around.replace(END, "") for _, link in kept)))
        self.texts.append(_shrunk(doc.text))

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Everything, for `Packed`; addresses that lead nowhere are left out."""
        leads = np.array([-1 if page is None else page for page in self.leads], np.int32)
        places = np.cumsum(leads >= 0, dtype=np.int32) - 1
        links = np.array(self.links, np.int32).reshape(-1, COLUMNS)
        links[:, 0] = places[links[:, 0]]
        known = [url for url, place in self.addresses.items() if leads[place] >= 0]
        return {
            "addresses": joined(known),
            "leads": leads[leads >= 0],
            "words": joined(self.words),
            "strings": joined(self.strings),
            "facts": np.array(self.facts, np.int32).reshape(-1, FACTS),
            "links": np.ascontiguousarray(links.T),
            "link_starts": _starts(self.n_links),
            "terms": np.array([self.terms, self.counts], np.int32),
            "term_starts": _starts(self.n_terms),
            "texts": np.frombuffer(b"".join(self.texts), np.uint8),
            "text_starts": _starts(map(len, self.texts)),
            "arounds": np.frombuffer(b"".join(self.arounds), np.uint8),
            "around_starts": _starts(map(len, self.arounds)),
        }

    def _address(self, url: str) -> int | None:
        place = self.addresses.get(url)
        if place is None:
            place = self.addresses[url] = len(self.leads)
            self.leads.append(self.follow(url))
        return None if self.leads[place] is None else place

    def _string(self, text: str) -> int:
        return self.strings.setdefault(text.replace(END, ""), len(self.strings))


def _shrunk(text: str) -> bytes:
    return isal_zlib.compress(text.encode("utf-8", "surrogatepass"), level=2)


def _starts(counts: Iterable[int]) -> NDArray[np.int64]:
    return np.concatenate(([0], np.cumsum(np.fromiter(counts, np.int64))))
