"""Finds pages that were visited before under another URL."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final
from zlib import crc32

import numpy as np

from clew.base import codec
from clew.base.chance import key_of
from clew.base.codec import same_tags
from clew.filters._bounded import remember
from clew.filters.kept import Kept, tags_of
from clew.parse.url import host
from clew.text.simhash import Neighbours, hamming

# Bits of 64 in which pages with the same canonical URL may differ; unrelated pages differ in 32 on average.
MAX_CANONICAL_DISTANCE: Final = 16
MAX_CANONICAL_URLS: Final = 200_000  # remembered
COLUMNS: Final = ("prints", "numbers", "marks")
CLAIMS: Final = "claims"
HOST_BITS: Final = 32  # of a mark; the title has the bits above


@dataclass(slots=True)
class Duplicates:
    """Knows the first page of each content by its slot; mirrors with the same title may differ a little more.

    >>> seen = Duplicates()
    >>> seen.add("http://a.example/", 0b1011, "", "Boats", slot=4)
    >>> seen.find("http://b.example/", 0b0011, "", ""), seen.find("http://b.example/", 0b1111011, "", "Boats")
    (4, 4)
    """

    canonical: bool = True  # whether rel=canonical counts
    known: Neighbours = field(default_factory=Neighbours)
    claims: Kept[int, tuple[int, int]] = field(default_factory=Kept)  # canonical URL -> fingerprint, slot

    def find(self, url: str, bits: int, canonical: str, title: str) -> int | None:
        """The slot of the page that this one repeats, or None; a page without words repeats none."""
        if not bits:
            return None
        own_title, own_host = divmod(_mark(url, title), 1 << HOST_BITS)

        def is_mirror(mark: int) -> bool:
            return bool(title) and mark >> HOST_BITS == own_title and mark & 0xFFFFFFFF != own_host

        # Mirrors add a line of their own, so they may differ more. Within a host, pages with the same title are often
        # different pages of one template.
        found = self.known.find(bits, is_mirror)
        if found is not None or not canonical or canonical == url or not self.canonical:
            return found
        # `add` keeps no claims about other hosts, so a duplicate across hosts needs the consent of both pages.
        claim = self.claims.get(key_of(canonical))
        if claim is None:
            return None
        fingerprint, slot = claim
        return slot if hamming(bits, fingerprint) <= MAX_CANONICAL_DISTANCE else None

    def add(self, url: str, bits: int, canonical: str, title: str, slot: int) -> None:
        """Remember a page that repeats none."""
        if not bits:
            return
        self.known.add(bits, slot, _mark(url, title))
        if not canonical or key_of(canonical) in self.claims:
            return
        if canonical == url or host(canonical) == host(url):
            remember(self.claims, key_of(canonical), (bits, slot), MAX_CANONICAL_URLS)

    def save(self) -> dict[str, bytes | None]:
        """The parts of a checkpoint; None where the last one has it already."""
        known = self.known
        columns = dict(zip(COLUMNS, (known.fingerprints, known.numbers, known.marks), strict=True))
        # As arrays they are kept in pieces, of which only the last ones are new.
        return {name: codec.dumps(np.array(column)) for name, column in columns.items()} | self.claims.save(CLAIMS)

    def load(self, data: dict[str, bytes]) -> None:
        """Take over the parts of a checkpoint."""
        same_tags("the duplicates", data, [*COLUMNS, *tags_of(CLAIMS, data)])
        fingerprints, numbers, marks = (codec.loads(data[name]).tolist() for name in COLUMNS)
        self.known.load(fingerprints, numbers, marks)
        self.claims.load(CLAIMS, data)


def _mark(url: str, title: str) -> int:
    """A number that stands for title and host."""
    return crc32(title.encode("utf-8", "replace")) << HOST_BITS | crc32(host(url).encode())
