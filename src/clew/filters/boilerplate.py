"""Leaves out what repeats on most pages of a host: menus, sidebars and footers say nothing about a single page."""

from __future__ import annotations

from array import array
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from clew.base import codec
from clew.base.chance import key_of
from clew.base.codec import same_tags
from clew.filters.kept import Kept, tags_of
from clew.filters.link_contexts import in_context
from clew.filters.page_blocks import PageBlocks
from clew.parse.url import host
from clew.text.terms import terms
from clew.types import Doc

MIN_PAGES: Final = 4  # of a host, before anything can be said to repeat
MIN_SHARE: Final = 0.5  # of these pages, above which a block repeats
# The counts of a host are halved then: what repeats today matters, and not what did so in another part of the site.
MAX_COUNTED_PAGES: Final = 64
MAX_BLOCKS_PER_HOST: Final = 1000  # counted; those seen only once make room
MAX_BLOCKS: Final = 200_000  # counted, of all hosts together, about 20 MB; hosts visited long ago make room
MAX_REPEATED: Final = 200_000  # known to repeat, of all hosts together; then nothing more is learnt

TITLE_SEPARATOR: Final = " | "
HOSTS: Final = "hosts"
COLUMNS: Final = ("hosts", "sizes", "blocks", "counts")


@dataclass(slots=True)
class HostBlocks:
    """The blocks of one host, by their hashes."""

    pages: int = 0  # counted
    counts: dict[int, int] = field(default_factory=dict)  # how many of these pages have a block
    repeated: dict[int, int] = field(default_factory=dict)  # the visit that has shown that a block repeats

    def count(self, blocks: Iterable[int]) -> None:
        """Count one page."""
        counts = self.counts
        for block in blocks:
            counts[block] = counts.get(block, 0) + 1
        self.pages += 1
        if len(counts) > MAX_BLOCKS_PER_HOST:
            self.counts = {block: count for block, count in counts.items() if count > 1}
        if self.pages >= MAX_COUNTED_PAGES or len(self.counts) > MAX_BLOCKS_PER_HOST:
            self.pages //= 2
            self.counts = {block: count // 2 for block, count in self.counts.items() if count > 1}

    def fresh(self, blocks: Iterable[int]) -> list[int]:
        """Those of the blocks that repeat and were not known to."""
        if self.pages < MIN_PAGES:
            return []
        least = self.pages * MIN_SHARE
        counts = self.counts
        return [block for block in blocks if counts.get(block, 0) > least and block not in self.repeated]

    def repeated_before(self, order: int) -> Mapping[int, int]:
        """The blocks that were known to repeat before that visit."""
        # Later visits stand last, and most questions are about the visit of now.
        if not self.repeated or next(reversed(self.repeated.values())) < order:
            return self.repeated
        return {block: since for block, since in self.repeated.items() if since < order}


@dataclass(slots=True)
class Boilerplate:
    """Learns from visits which blocks of a host repeat, and shows documents without them.

    What was learnt is never forgotten, and it is known by which visit: the document of an earlier visit looks the same
    whenever it is read again.

    >>> known = Boilerplate()
    >>> pages = [Doc(f"http://a.org/{n}", text=f"Boats for sale\\nThe {word}") for n, word in enumerate("abcde")]
    >>> for order, page in enumerate(pages):
    ...     known.learn(page, order)
    >>> known.content(pages[4], order=4).text, known.content(pages[2], order=2).text
    ('The e', 'Boats for sale\\nThe c')
    """

    hosts: Kept[int, HostBlocks] = field(  # those visited last stand last
        default_factory=lambda: Kept(dumps=_packed, loads=_unpacked)
    )
    blocks: int = 0  # in all counts
    repeated: int = 0
    last: PageBlocks | None = None  # of the document that was asked for last

    def learn(self, doc: Doc, order: int) -> None:
        """Take in the whole document of a visit."""
        if not doc.text:
            return
        key = key_of(host(doc.url))
        known = self.hosts.pop(key, None) or HostBlocks()
        self.hosts[key] = known
        found = self._blocks_of(doc).counted()
        before = len(known.counts)
        known.count(found)
        self.blocks += len(known.counts) - before
        for block in known.fresh(found)[: MAX_REPEATED - self.repeated]:
            known.repeated[block] = order
            self.repeated += 1
        self._make_room()

    def content(self, doc: Doc, order: int) -> Doc:
        """The document without what repeats, as far as it was known before that visit.

        A document of which nothing would be left stays as it is.
        """
        known = self.hosts.get(key_of(host(doc.url)))
        repeated = known.repeated_before(order) if known else None
        if not repeated:
            return doc
        return _without(repeated, doc, self._blocks_of(doc))

    def save(self) -> dict[str, bytes | None]:
        """The parts of a checkpoint; None where the last one has it already."""
        return self.hosts.save(HOSTS)

    def load(self, data: dict[str, bytes]) -> None:
        """Take over the parts of a checkpoint."""
        same_tags("the boilerplate", data, tags_of(HOSTS, data))
        self.hosts.load(HOSTS, data)
        self.blocks = sum(len(known.counts) for known in self.hosts.values())
        self.repeated = sum(len(known.repeated) for known in self.hosts.values())

    def _blocks_of(self, doc: Doc) -> PageBlocks:
        # Asked for the content first, then to learn from the same document.
        last = self.last
        if last is None or last.doc is not doc:
            last = self.last = PageBlocks.of(doc)
        return last

    def _make_room(self) -> None:
        """Forget the counts of hosts that were not visited for long; what repeats there stays known."""
        if self.blocks <= MAX_BLOCKS:
            return
        for key, known in list(self.hosts.items())[:-1]:
            self.blocks -= len(known.counts)
            if known.repeated:
                self.hosts[key] = HostBlocks(repeated=known.repeated)
            else:
                del self.hosts[key]
            if self.blocks <= MAX_BLOCKS // 2:
                return


def _packed(hosts: Mapping[int, HostBlocks]) -> bytes:
    """As columns of numbers."""
    sizes = array("Q")
    blocks = array("Q")
    counts = array("Q")
    for known in hosts.values():
        sizes.extend((known.pages, len(known.counts), len(known.repeated)))
        for column in (known.counts, known.repeated):
            blocks.extend(column)
            counts.extend(column.values())
    columns = zip(COLUMNS, (array("Q", hosts), sizes, blocks, counts), strict=True)
    return codec.dumps({name: np.array(column) for name, column in columns})


def _unpacked(data: bytes) -> dict[int, HostBlocks]:
    saved = codec.loads(data)
    hosts, sizes, blocks, counts = (saved[name].tolist() for name in COLUMNS)
    pairs = iter(zip(blocks, counts, strict=True))
    # The same iterator three times: each step of zip takes three numbers.
    size = iter(sizes)
    found: dict[int, HostBlocks] = {}
    for key, pages, n_counts, n_repeated in zip(hosts, size, size, size, strict=True):
        counted = dict(next(pairs) for _ in range(n_counts))
        found[key] = HostBlocks(pages, counted, dict(next(pairs) for _ in range(n_repeated)))
    return found


def _without(repeated: Container[int], doc: Doc, blocks: PageBlocks) -> Doc:
    """A document without the blocks that repeat."""
    body, left_out = _parted(blocks.texts, blocks.lines, repeated)
    text = "\n".join(body)
    if not text.strip():
        return doc
    title = doc.title
    own_names, names = _parted(blocks.title_parts, blocks.title, repeated)
    if own_names and names:
        title = TITLE_SEPARATOR.join(own_names)
        left_out += names
    return replace(
        doc,
        title=title,
        text=f"{title}\n{text}".strip("\n"),
        terms=_difference(doc.terms, terms("\n".join(left_out), doc.language)) if left_out else doc.terms,
        links=in_context(doc.links, blocks.links, text, repeated),
    )


def _parted(texts: list[str], blocks: list[int], repeated: Container[int]) -> tuple[list[str], list[str]]:
    """The texts that do not repeat, and those that do."""
    kept: list[str] = []
    left_out: list[str] = []
    for text, block in zip(texts, blocks, strict=True):
        (left_out if block in repeated else kept).append(text)
    return kept, left_out


def _difference(whole: Mapping[str, int], part: Mapping[str, int]) -> dict[str, int]:
    """Counts without those of a part.

    >>> _difference({"oak": 2, "menu": 1}, {"oak": 1, "menu": 1})
    {'oak': 1}
    """
    left = dict(whole)
    for term, count in part.items():
        rest = left.get(term, 0) - count
        if rest > 0:
            left[term] = rest
        else:
            left.pop(term, None)
    return left
