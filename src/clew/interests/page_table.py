"""The pages that a crawl has seen, as the judge remembers them: words, hits of keywords, links among each other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, Final, NamedTuple
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from clew.interests.evidence import Hits
from clew.learning.sparse import Floats, Integers, SparseRows

WORD_COLUMNS: Final = 1 << 18  # words are hashed to so many columns, and few of them share one
MAX_WORDS_PER_PAGE: Final = 400  # the most telling ones
MAX_NEIGHBOURS: Final = 30  # pages that are linked with a page, both ways
MAX_PAGES: Final = 5000  # that are remembered
MAX_CACHED_WORDS: Final = 300_000
UNLABELLED: Final = -1


class Measured(NamedTuple):
    """What is known of pages one by one, a row each: hits of keywords, lengths, memberships as measured alone."""

    hits: Hits
    lengths: Floats
    memberships: Floats


Arrays = NDArray[Any]
Columns = NDArray[np.int32]
Values = NDArray[np.float32]


class _WordColumns(dict[str, int]):
    """The columns of words, each computed once: pages of a crawl share most of their words."""

    def __missing__(self, stem: str) -> int:
        if len(self) >= MAX_CACHED_WORDS:
            self.clear()
        column = self[stem] = crc32(stem.encode("utf-8", "surrogatepass")) % WORD_COLUMNS
        return column


word_columns: Final = _WordColumns()


def word_row(terms: Mapping[str, int], frequency: NDArray[np.int32]) -> tuple[Columns, Values]:
    """The columns of the words of a page, each with 1 + ln(count); of a long page the most telling words.

    >>> columns, values = word_row({"sail": 1, "boat": 3}, np.zeros(WORD_COLUMNS, np.int32))
    >>> len(columns), [f"{value:.1f}" for value in sorted(values)]
    (2, ['1.0', '2.1'])
    """
    columns = np.fromiter(map(word_columns.__getitem__, terms), np.int32, len(terms))
    values = (1.0 + np.log(np.fromiter(terms.values(), np.float32, len(terms)))).astype(np.float32)
    columns, first = np.unique(columns, return_index=True)
    values = values[first]
    if len(columns) > MAX_WORDS_PER_PAGE:
        telling = values / (1.0 + np.log1p(frequency[columns]))
        best = np.sort(np.argsort(-telling, kind="stable")[:MAX_WORDS_PER_PAGE])
        columns = columns[best]
        values = values[best]
    return columns, values


@dataclass
class JoinedRows:
    """Rows that never change, one after the other: a checkpoint joins only those that are new since the last one.

    >>> rows = [np.array([1, 2]), np.array([3])]
    >>> joined = JoinedRows(np.zeros(0, np.int64))
    >>> joined.of(rows[:1]).tolist(), joined.of(rows).tolist()
    ([1, 2], [1, 2, 3])
    """

    joined: Arrays
    count: int = 0  # rows

    def of(self, rows: Sequence[Arrays]) -> Arrays:
        """All rows; those of the last call are the first of them."""
        self.joined = np.concatenate([self.joined, *rows[self.count :]])
        self.count = len(rows)
        return self.joined


class PageTable:
    """A row for each page; beyond `MAX_PAGES` the oldest rows go, except for start pages and labelled ones."""

    def __init__(self, keywords: int, topics: int) -> None:
        self.keywords = keywords
        self.topics = topics
        self.slots: list[int] = []
        self.columns: list[Columns] = []
        self.values: list[Values] = []
        self.hits: list[Hits] = []
        self.lengths: list[int] = []
        self.memberships: list[Floats] = []  # in the topics of the formula, as measured alone
        self.limits: list[float] = []  # what predicates and negated parts of the formula allow at most
        self.hosts: list[int] = []
        self.neighbours: list[list[int]] = []  # slots
        self.is_start: list[bool] = []
        self.may_count: list[bool] = []  # whether the page can be relevant: it is no duplicate, and not marked noindex
        self.labels: list[int] = []
        self.drafts: list[float] = []  # relevance by the words of the page alone
        self.row_of: dict[int, int] = {}  # by slot
        self.frequency = np.zeros(WORD_COLUMNS, np.int32)  # pages that have a word
        self.seen = 0  # pages, those that have gone included
        self._join_again()

    def __len__(self) -> int:
        return len(self.slots)

    def link(self, slot: int, others: Iterable[int]) -> list[int]:
        """Note that a page is linked with others, as far as these are in the table; those."""
        known = [other for other in dict.fromkeys(others) if other in self.row_of and other != slot]
        for other in known:
            neighbours = self.neighbours[self.row_of[other]]
            if len(neighbours) < MAX_NEIGHBOURS:
                neighbours.append(slot)
        return known[:MAX_NEIGHBOURS]

    def add(self, slot: int, row: Mapping[str, Any]) -> bool:
        """Append a row: a value for each list of the table but `slots` and `labels`; whether others had to go."""
        self.row_of[slot] = len(self.slots)
        self.slots.append(slot)
        self.labels.append(UNLABELLED)
        for name, value in row.items():
            getattr(self, name).append(value)
        self.frequency[row["columns"]] += 1
        self.seen += 1
        if len(self) <= MAX_PAGES:
            return False
        self._forget()
        return True

    def texts(self, rows: Integers | None = None) -> SparseRows:
        """The words of pages as rows of length 1, rare words with more weight."""
        chosen = range(len(self)) if rows is None else rows.tolist()
        found = SparseRows.of([self.columns[row] for row in chosen], [self.values[row] for row in chosen], WORD_COLUMNS)
        return self.weighted(found)

    def weighted(self, rows: SparseRows) -> SparseRows:
        """Rows of words, each weighted by its rarity among the pages so far; words of a single page do not count."""
        rarity = self._rarity(self.frequency[rows.columns])
        return SparseRows(rows.columns, rows.values * rarity, rows.sizes, rows.width).normalised()

    def rarity(self) -> Floats:
        """The rarity of every word; 0 for those of a single page."""
        return self._rarity(self.frequency)

    def _rarity(self, frequency: NDArray[np.int32]) -> Floats:
        return np.where(frequency < 2, 0.0, np.log((self.seen + 1) / (frequency + 0.5)).clip(0.0))

    def measured(self, rows: Integers) -> Measured:
        """What is known of these pages one by one."""
        shape = (len(rows), self.keywords)
        parts = [self.hits[row] for row in rows.tolist()]
        text = np.array([part.text for part in parts]).reshape(shape)
        title = np.array([part.title for part in parts]).reshape(shape)
        anchors = np.array([part.anchors for part in parts]).reshape(shape)
        memberships = np.array([self.memberships[row] for row in rows.tolist()]).reshape(len(rows), self.topics)
        return Measured(
            Hits(text, title, anchors), np.array([float(self.lengths[row]) for row in rows.tolist()]), memberships
        )

    def link_sums(self, drafts: Floats, rows: Integers) -> tuple[Floats, Floats]:
        """For each page, the sum of the drafts of its neighbours, and how many these are."""
        sums = np.zeros(len(rows))
        counts = np.zeros(len(rows))
        for place, row in enumerate(rows.tolist()):
            known = [self.row_of[slot] for slot in self.neighbours[row] if slot in self.row_of]
            counts[place] = len(known)
            sums[place] = drafts[known].sum() if known else 0.0
        return sums, counts

    def save(self) -> dict[str, Arrays]:
        """Everything as arrays, for a checkpoint."""
        measured = self.measured(np.arange(len(self)))
        found = {name: np.array(getattr(self, name)) for name in PLAIN}
        words = np.flatnonzero(self.frequency > 0).astype(np.int32)
        return found | {
            "seen": np.array(self.seen),
            "sizes": np.array([len(row) for row in self.columns], np.int32),
            "columns": self._joined_columns.of(self.columns),
            "values": self._joined_values.of(self.values),
            "neighbour_counts": np.array([len(row) for row in self.neighbours], np.int32),
            "neighbours": np.array([*chain.from_iterable(self.neighbours)], np.int64),
            "hits": np.stack(measured.hits),
            "memberships": measured.memberships,
            "words": words,
            "frequency": self.frequency[words],
        }

    def load(self, saved: Mapping[str, Arrays]) -> None:
        """Take over what `save` returned."""
        for name in PLAIN:
            setattr(self, name, saved[name].tolist())
        self.seen = int(saved["seen"])
        self.columns = _rows(saved["columns"], saved["sizes"])
        self.values = _rows(saved["values"], saved["sizes"])
        self.neighbours = [row.tolist() for row in _rows(saved["neighbours"], saved["neighbour_counts"])]
        text, title, anchors = saved["hits"]
        self.hits = [Hits(text[row], title[row], anchors[row]) for row in range(len(self))]
        self.memberships = list(saved["memberships"])
        self.frequency = np.zeros(WORD_COLUMNS, np.int32)
        self.frequency[saved["words"]] = saved["frequency"]
        self._join_again()
        self.row_of = {slot: row for row, slot in enumerate(self.slots)}

    def _join_again(self) -> None:
        self._joined_columns = JoinedRows(np.zeros(0, np.int32))
        self._joined_values = JoinedRows(np.zeros(0, np.float32))

    def _forget(self) -> None:
        """Drop the older half of the rows."""
        half = len(self) // 2
        kept = [row for row in range(half) if self.is_start[row] or self.labels[row] != UNLABELLED]
        kept += range(half, len(self))
        for name in LISTS:
            old = getattr(self, name)
            setattr(self, name, [old[row] for row in kept])
        self._join_again()
        self.row_of = {slot: row for row, slot in enumerate(self.slots)}


def _rows(joined: Any, sizes: Any) -> list[Any]:
    """Rows of these sizes, one after the other."""
    return np.split(joined, np.cumsum(sizes)[:-1]) if len(sizes) else []


LISTS: Final = (
    *("slots", "columns", "values", "hits", "lengths", "memberships", "limits", "hosts"),
    *("neighbours", "is_start", "may_count", "labels", "drafts"),
)
PLAIN: Final = ("slots", "lengths", "limits", "hosts", "is_start", "may_count", "labels", "drafts")
