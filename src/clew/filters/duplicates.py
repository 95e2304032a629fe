"""Pages that were seen before, under another address."""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field
from typing import Final
from zlib import crc32

from clew.base.chance import key_of
from clew.base.codec import same_tags
from clew.filters._bounded import remember
from clew.parse.url import host
from clew.text.simhash import Neighbours, hamming

AKIN: Final = 16
"""Bits of 64 in which two pages may differ that name the same canonical address; strangers differ in 32."""
MAX_CANONICAL_URLS: Final = 200_000  # canonical addresses remembered


@dataclass(slots=True)
class Duplicates:
    """Knows the first of each kind by its slot. A page under the title of one on another host may differ a bit more.

    >>> seen = Duplicates()
    >>> seen.add("http://a.example/", 0b1011, "", "Boats", slot=4)
    >>> seen.find("http://b.example/", 0b0011, "", ""), seen.find("http://b.example/", 0b1111011, "", "Boats")
    (4, 4)
    """

    canonical: bool = True  # whether rel=canonical is heard
    known: Neighbours = field(default_factory=Neighbours)
    claims: dict[int, tuple[int, int]] = field(default_factory=dict)  # canonical address -> fingerprint, slot

    def find(self, url: str, bits: int, canonical: str, title: str) -> int | None:
        """The slot of the page that this one repeats; pages without words repeat none."""
        if not bits:
            return None
        name, place = divmod(_mark(url, title), 1 << 32)
        # Mirrors add a line of their own; within a host, pages of one title are as often made after one pattern.
        found = self.known.find(bits, lambda mark: bool(title) and mark >> 32 == name and mark & 0xFFFFFFFF != place)
        if found is not None or not canonical or canonical == url or not self.canonical:
            return found
        # What other pages claim of a host is not kept, so across hosts this asks for the consent of both.
        claim = self.claims.get(key_of(canonical))
        return claim[1] if claim and hamming(bits, claim[0]) <= AKIN else None

    def add(self, url: str, bits: int, canonical: str, title: str, slot: int) -> None:
        """Keep a page that repeats none."""
        if not bits:
            return
        self.known.add(bits, slot, _mark(url, title))
        if canonical and (canonical == url or host(canonical) == host(url)) and key_of(canonical) not in self.claims:
            remember(self.claims, key_of(canonical), (bits, slot), MAX_CANONICAL_URLS)

    def save(self) -> dict[str, bytes]:
        """As columns."""
        claims = [number for key, (bits, slot) in self.claims.items() for number in (key, bits, slot)]
        return {
            "prints": self.known.fingerprints.tobytes(),
            "numbers": self.known.numbers.tobytes(),
            "marks": self.known.marks.tobytes(),
            "claims": array("Q", claims).tobytes(),
        }

    def load(self, data: dict[str, bytes]) -> None:
        """What `save` gave."""
        same_tags("the duplicates", data, ["prints", "numbers", "marks", "claims"])
        fingerprints = array("Q", data["prints"])
        self.known.load(fingerprints, array("i", data["numbers"]), array("Q", data["marks"]))
        claims = iter(array("Q", data["claims"]))
        self.claims = {key: (bits, slot) for key, bits, slot in zip(claims, claims, claims, strict=True)}


def _mark(url: str, title: str) -> int:
    """Title and host in a number."""
    return crc32(title.encode("utf-8", "replace")) << 32 | crc32(host(url).encode())
