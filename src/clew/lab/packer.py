"""Packs documents into the compact form that `Packed` reads."""

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
    """Packs documents in the order of their pages; links that leave the set of pages are dropped.

    `follow` returns the page to which a URL leads after redirects, or None.
    """

    urls: Sequence[str]
    follow: Callable[[str], int | None]
    words: dict[str, int] = field(default_factory=dict)
    strings: dict[str, int] = field(default_factory=dict)
    texts: list[bytes] = field(default_factory=list)
    arounds: list[bytes] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.addresses = {url: page for page, url in enumerate(self.urls)}
        self.leads: list[int | None] = list(range(len(self.urls)))  # the page of each address
        self.facts = array("i")
        self.links = array("i")
        self.terms = array("i")
        self.counts = array("i")
        self.n_links = array("i")
        self.n_terms = array("i")

    def add(self, doc: Doc) -> None:
        """Pack the document of the next page."""
        inside = [(address, link) for link in doc.links if (address := self._address(link.url)) is not None]
        for address, link in inside:
            texts = map(self._string, (link.anchor, link.heading, link.path))
            self.links.extend((address, *texts, link.position, self._string(link.kind), link.nofollow, link.block))
        self.n_links.append(len(inside))
        texts = map(self._string, (doc.title, doc.language, doc.charset, doc.canonical, doc.meta))
        self.facts.extend((*texts, doc.nofollow, doc.noindex))
        self.terms.extend(self.words.setdefault(word, len(self.words)) for word in doc.terms)
        self.counts.extend(doc.terms.values())
        self.n_terms.append(len(doc.terms))
        # The texts around links are long and rarely the same, so they are compressed by page, not stored as strings.
        self.arounds.append(_compressed(END.join(link.around.replace(END, "") for _, link in inside)))
        self.texts.append(_compressed(doc.text))

    def arrays(self) -> dict[str, NDArray[Any]]:
        """All arrays of `Packed`, without the addresses that lead to no page."""
        leads = np.array([-1 if page is None else page for page in self.leads], np.int32)
        places = np.cumsum(leads >= 0, dtype=np.int32) - 1
        links = np.array(self.links, np.int32).reshape(-1, COLUMNS)
        # Dropping addresses shifts those behind them, so links get the new numbers.
        links[:, 0] = places[links[:, 0]]
        known = [url for url, place in self.addresses.items() if leads[place] >= 0]
        return {
            "addresses": joined(known),
            "leads": leads[leads >= 0],
            "words": joined(self.words),
            "strings": joined(self.strings),
            "facts": np.array(self.facts, np.int32).reshape(-1, FACTS),
            # By column: the reader turns each column of a page's links into a list at once.
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
            # Addresses that lead nowhere are remembered too: following the same dead link again would be slow.
            place = self.addresses[url] = len(self.leads)
            self.leads.append(self.follow(url))
        return None if self.leads[place] is None else place

    def _string(self, text: str) -> int:
        return self.strings.setdefault(text.replace(END, ""), len(self.strings))


def _compressed(text: str) -> bytes:
    return isal_zlib.compress(text.encode("utf-8", "surrogatepass"), level=2)


def _starts(counts: Iterable[int]) -> NDArray[np.int64]:
    return np.concatenate(([0], np.cumsum(np.fromiter(counts, np.int64))))
