"""The features of a candidate: a row of numbers for each known link to it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from clew.strategies._adaptive import embedding_model, inlink_votes
from clew.strategies._adaptive import hashed_features as hashing
from clew.strategies._adaptive.counts import Counts, Slots, slots_of, strongest
from clew.strategies._adaptive.embedding_model import EmbeddingModel
from clew.strategies._adaptive.hubs import Hubs
from clew.strategies._adaptive.inlink_votes import InlinkVotes
from clew.strategies._adaptive.memory import FACTS, FIXED, ROLES, WORDS, Links, Matrix, PageMemory
from clew.types import Candidate, Link, Page

Places = NDArray[np.intp]

COUNT_PRIOR_FINDS: Final = 1.5  # finds after which the counts have half of their full weight
MIN_COUNT_WEIGHT: Final = 0.1
RECENT_VISITS: Final = 100
NEW_HOSTS_AFTER_VISITS: Final = 40  # visits after which unvisited hosts count in full
DROUGHT_VISITS: Final = 20  # the last visits, by which a drought is measured
DROUGHT_POWER: Final = 12  # how fast finds end a drought: one in the last 20 visits halves it
MAX_TERMS_PER_PAGE: Final = 1000  # the first ones of a page are counted
MAX_IRRELEVANT_RUN: Final = 8.0
MAX_SOURCE_DEPTH: Final = 20
SEEN: Final = ("host", "pattern", "place_here", "source", "block")
OF_CANDIDATE: Final = ("in_links", "evidence", "best_source", "mean_source", "worse_sources", *inlink_votes.NAMES)
OF_CRAWL: Final = ("base", "recent", "visits")
NAMES: Final = (
    *FIXED,
    *FACTS,
    *OF_CANDIDATE,
    *OF_CRAWL,
    *(f"seen_{name}" for name in SEEN),
    *(f"odds_{name}" for name in (*hashing.SINGLE, *hashing.GROUPS)),
    *(f"word_{name}" for name in (*hashing.BARE, "source")),
    *embedding_model.NAMES,
)
COLUMN: Final = {name: place for place, name in enumerate(NAMES)}

_SEEN_KEYS: Final = hashing.single(*SEEN)
_GROUP_SIZES: Final = [
    *(part.stop - part.start for part in hashing.WORDS.values()),
    WORDS,
    hashing.CALLED,
    *(hashing.WORDS[name].stop - hashing.WORDS[name].start for name in hashing.BARE),
    WORDS,
]  # words in each group: first the groups by role, then the bare ones
# All groups are padded to one width, so that one sort serves them all.
_WIDEST: Final = max(_GROUP_SIZES)
_CELLS: Final = np.concatenate([np.arange(size) + group * _WIDEST for group, size in enumerate(_GROUP_SIZES)])
# What is counted by role, without the single keys in its midst.
_ROLE_WORDS: Final = np.delete(np.arange(hashing.SINGLES.stop + ROLES), hashing.SINGLES)
# The columns of each block of features, in the order of `NAMES`.
_FIXED, _FACTS, _CANDIDATE, _CRAWL, _SEEN, _SINGLE, _GROUPS, _EMBEDDING = hashing.side_by_side(
    len(FIXED),
    len(FACTS),
    len(OF_CANDIDATE),
    len(OF_CRAWL),
    len(SEEN),
    len(hashing.SINGLE),
    len(_GROUP_SIZES),
    len(embedding_model.NAMES),
)


PARTS: Final[dict[str, Any]] = {
    "links": Counts,
    "words": Counts,
    "pages": PageMemory,
    "hubs": Hubs,
    "inlink_votes": InlinkVotes,
    "embedding_model": EmbeddingModel,
}  # the learning parts, by the names under which they are saved


class Counted(NamedTuple):
    """What one visit adds to the counts."""

    slots: Slots  # of the links to the page
    of_sources: Slots  # of the pages they are on
    words: Slots
    is_english: bool
    found: float


@dataclass
class Features:
    """Counts which links and words have led to finds so far, and turns links into rows of features."""

    links: Counts = field(default_factory=Counts)
    words: Counts = field(default_factory=Counts)
    pages: PageMemory = field(default_factory=PageMemory)
    visits: int = 0
    finds: float = 0.0
    recent: list[float] = field(default_factory=list)
    hubs: Hubs = field(default_factory=Hubs)
    inlink_votes: InlinkVotes = field(default_factory=InlinkVotes)
    embedding_model: EmbeddingModel = field(default_factory=EmbeddingModel)

    @property
    def base(self) -> float:
        """The chance of a find when nothing is known about a link."""
        rate = (self.finds + 1) / (self.visits + 6)
        # Log odds are taken of it and of its complement: neither may come near 0.
        return min(0.9, max(0.01, rate))

    def visit(self, page: Page, slots: Slots, relevance: float, found: float) -> Counted:
        """Add a page that was just visited; what was counted."""
        counted = self.add(page, slots, relevance, found)
        self._note_recent(found)
        return counted

    def change(self, page: Page, relevance: float, found: float) -> None:
        """Remember what a page is like as a source of links; the visit itself is not counted here."""
        size = min(MAX_TERMS_PER_PAGE, len(page.terms))
        numbers = np.fromiter(map(hashing.word, page.terms), np.uint32, size)
        self._remember(page, relevance, found, numbers, slots_of(numbers))

    def add(self, page: Page, slots: Slots, relevance: float, found: float, weight: float = 1.0) -> Counted:
        """Count the outcome of a visit under the words of the page, its links (`slots`) and the pages they are on."""
        size = min(MAX_TERMS_PER_PAGE, len(page.terms))
        numbers = np.fromiter(map(hashing.word, page.terms), np.uint32, size)
        words = slots_of(numbers)
        sources = [self.pages.place(link.source) for link in page.inlinks]
        # A label counts a page again, but it has only one place in the tree of discovery.
        if page.url not in self.pages.index:
            self._add_to_hubs(sources, slots, found)
        # The embeddings are those of English words: "Gift" on a German page is no present.
        counted = Counted(slots, self.pages.words[sources, :ROLES].ravel(), words, page.language in ("", "en"), found)
        self._count(counted, weight)
        self._remember(page, relevance, found, numbers, words)
        self._sum_up(found, weight)
        return counted

    def study(self, counted: Counted) -> None:
        """Count a visit that another shard has made."""
        self._count(counted, 1.0)
        self._sum_up(counted.found, 1.0)
        # A drought of one shard alone would raise its scores above those of the others.
        self._note_recent(counted.found)

    def meet(self, url: str, facts: Sequence[float], words: Slots) -> None:
        """Know a page of another shard as the source of links."""
        if url not in self.pages.index:
            self.hubs.add_guest()
        self.pages.add(url, facts, words)

    def _count(self, counted: Counted, weight: float) -> None:
        slots, of_sources, words, is_english, found = counted
        of_links = slots[:, : hashing.SINGLES.stop].ravel()
        self.links.add(np.concatenate((of_links, of_sources)), found * weight, weight)
        self.words.add(words, found * weight, weight)
        if is_english:
            self.embedding_model.add(slots, words, found, weight)

    def _sum_up(self, found: float, weight: float) -> None:
        self.visits += int(weight)
        self.finds += found * weight
        self.embedding_model.learn(self.base)

    def _note_recent(self, found: float) -> None:
        self.recent = [*self.recent[1 - RECENT_VISITS :], found]

    def correct(self, url: str, inlinks: Sequence[Link], relevance: float, found: float, earlier: float) -> None:
        """Count another outcome of an earlier visit under its links and the pages that they are on."""
        place = self.pages.place(url)
        if place < 0:
            return
        if inlinks:
            slots = hashing.slots(inlinks)[:, : hashing.SINGLES.stop].ravel()
            sources = [self.pages.place(link.source) for link in inlinks]
            of_sources = self.pages.words[sources, :ROLES].ravel()
            self.links.correct(np.concatenate((slots, of_sources)), found - earlier)
        self.pages.facts[place, :3] = self._handed_down(inlinks, relevance, found)
        self.finds = max(0.0, self.finds + found - earlier)

    def _add_to_hubs(self, sources: list[int], slots: Slots, found: float) -> None:
        if sources:
            self.hubs.add(sources[0], slots[0], found)
        else:
            self.hubs.add(-1, np.zeros(hashing.WIDTH, np.int32), found)

    def rows(self, candidates: Sequence[Candidate], memory: Links) -> tuple[Matrix, Places, Slots]:
        """The features of all links of the candidates, the place of each link's candidate, and the links' slots."""
        places, owned = memory.of(candidates, self.pages)
        owners = np.array(owned, np.intp)
        if not places:
            return np.zeros((0, len(NAMES)), np.float32), owners, np.zeros((0, hashing.WIDTH), np.int32)
        slots = memory.slots[places]
        sources = memory.sources[places]
        facts = self.pages.facts[sources]
        table = np.empty((len(places), len(NAMES)), np.float32)
        table[:, _FIXED] = memory.fixed[places]
        table[:, _FACTS] = facts
        table[:, _CANDIDATE] = self._of_candidates(candidates, owners, facts[:, 0])
        table[:, _CRAWL] = self._of_crawl()
        table[:, _SEEN] = self.links.sightings(slots[:, _SEEN_KEYS])
        self._fill_odds(table, slots, self.pages.words[sources])
        table[:, _EMBEDDING] = self.embedding_model.features(slots)
        return table, owners, slots

    def newness(self, rows: Matrix) -> Matrix:
        """Novelty: high for hosts that were never visited, a little for links near the start pages."""
        # `seen_host` is log(1 + visits), so this is 1 / (1 + visits)**2.
        fresh = np.exp(-2 * rows[:, COLUMN["seen_host"]])
        shallow = 1 / (1 + rows[:, COLUMN["source_depth"]])
        weight = min(1.0, len(self.recent) / NEW_HOSTS_AFTER_VISITS)
        return cast(Matrix, weight * fresh + self.age * shallow / 5)

    @property
    def age(self) -> float:
        """From 0 to 1 in the first visits: a young crawl cannot know yet what leads to finds."""
        return len(self.recent) / RECENT_VISITS

    @property
    def drought(self) -> float:
        """Near 1 if the last visits brought no finds, near 0 if some did."""
        latest = self.recent[-DROUGHT_VISITS:]
        rate = (sum(latest) + self.base) / (len(latest) + 1)
        return (1 - rate) ** DROUGHT_POWER

    def save(self) -> dict[str, Any]:
        """As plain values and arrays."""
        plain = {"visits": self.visits, "finds": self.finds, "recent": self.recent}
        parts = {name: getattr(self, name).save() for name in PARTS}
        return plain | parts

    @classmethod
    def load(cls, saved: dict[str, Any]) -> Features:
        """Restore what `save` returned."""
        plain = {name: saved[name] for name in ("visits", "finds", "recent")}
        parts = {name: kind.load(saved[name]) for name, kind in PARTS.items()}
        return cls(**plain, **parts)

    def _fill_odds(self, table: Matrix, slots: Slots, source_words: Slots) -> None:
        """Write the columns that come from the counts: `odds_` by role, `word_` for bare words."""
        base = self.base
        by_role = np.concatenate((slots[:, : hashing.SINGLES.stop], source_words[:, :ROLES]), axis=1)
        bare = np.concatenate((slots[:, hashing.SINGLES.stop :], source_words[:, ROLES:]), axis=1)
        role_odds = self.links.odds(by_role, base)
        bare_odds = self.words.odds(bare, base)
        cells = np.zeros((len(slots), len(_GROUP_SIZES) * _WIDEST), np.float32)
        cells[:, _CELLS] = np.concatenate((role_odds[:, _ROLE_WORDS], bare_odds), axis=1)
        # While there are hardly any finds, every count says "failed so far" and must not drown the other features.
        trust = np.float32(max(MIN_COUNT_WEIGHT, self.finds / (self.finds + COUNT_PRIOR_FINDS)))
        np.multiply(role_odds[:, hashing.SINGLES], trust, out=table[:, _SINGLE])
        # One pass over all groups, side by side, costs about as much as a pass over a single one.
        groups = strongest(cells.reshape(len(slots), len(_GROUP_SIZES), _WIDEST))
        np.multiply(groups, trust, out=table[:, _GROUPS])

    def _of_candidates(self, candidates: Sequence[Candidate], owners: Places, relevances: Matrix) -> Matrix:
        """The features in `OF_CANDIDATE`, repeated for each link of a candidate; `relevances` are the sources'."""
        own = np.zeros((len(candidates), len(OF_CANDIDATE) - len(inlink_votes.NAMES)), np.float32)
        links = np.array([candidate.n_links for candidate in candidates], np.float64)
        # Views: what is written into them stands in the table.
        in_links, evidence, best, mean, worse = own.T
        in_links[:] = np.log1p(links)
        evidence[:] = np.bincount(owners, minlength=len(candidates))
        np.maximum.at(best, owners, relevances)
        mean[:] = np.bincount(owners, relevances, len(candidates)) / np.maximum(evidence, 1)
        worse[:] = evidence * (1 - mean)
        votes = self.inlink_votes.features(candidates, links, self.base)
        return np.hstack((own, votes))[owners]

    def _of_crawl(self) -> tuple[float, ...]:
        """The features in `OF_CRAWL`."""
        recent = (sum(self.recent) + self.base) / (len(self.recent) + 1)
        return np.log(self.base / (1 - self.base)), recent, np.log1p(self.visits)

    def _remember(self, page: Page, relevance: float, found: float, numbers: NDArray[np.uint32], words: Slots) -> None:
        """Keep a few facts about a page and its telling words."""
        counts = np.fromiter(page.terms.values(), np.float32, len(numbers))
        telling = self._telling(numbers, words, counts)
        self.pages.add(page.url, self._facts(page, relevance, found), hashing.of_page(telling, hashing.called(page)))

    def _facts(self, page: Page, relevance: float, found: float) -> tuple[float, ...]:
        """The features in `FACTS`: the score that a page hands down, as in shark search, and the irrelevant pages in a
        row on the way to it, as in tunnelling.
        """
        handed_down = self._handed_down(page.inlinks, relevance, found)
        return *handed_down, np.log1p(len(page.links)), min(page.depth, MAX_SOURCE_DEPTH)

    def _handed_down(self, inlinks: Sequence[Link], relevance: float, found: float) -> tuple[float, float, float]:
        """Those of the facts that depend on what a page and the pages before it were found to be."""
        if found:
            return relevance, 0.5 * relevance, 0.0
        sources = [self.pages.fact(link.source) for link in inlinks]
        handed = 0.5 * max((float(source[1]) for source in sources), default=0.0)
        shortest = min((float(source[2]) for source in sources), default=0.0)
        return relevance, handed, min(shortest + 1, MAX_IRRELEVANT_RUN)

    def _telling(self, numbers: NDArray[np.uint32], words: Slots, counts: Matrix) -> NDArray[np.uint32]:
        """The words that set this page apart from the others, by tf-idf; padded with 0."""
        rarity = np.log((self.visits + 2) / (self.words.seen[words] + 1))
        best = numbers[np.argsort(-np.log1p(counts) * rarity, kind="stable")[:WORDS]]
        return np.concatenate((best, np.zeros(WORDS - len(best), np.uint32)))
