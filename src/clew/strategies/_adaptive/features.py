"""All clues to a candidate as one row of numbers for each link that speaks for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from clew.strategies._adaptive import embedding_model, inlink_votes
from clew.strategies._adaptive import hashed_features as hashing
from clew.strategies._adaptive.counts import Counts, Slots, slots_of, strongest
from clew.strategies._adaptive.embedding_model import EmbeddingModel
from clew.strategies._adaptive.hubs import Hubs
from clew.strategies._adaptive.inlink_votes import InlinkVotes
from clew.strategies._adaptive.memory import FACTS, FIXED, ROLES, WORDS, Links, Matrix, PageMemory
from clew.types import Candidate, Page

Places = NDArray[np.intp]

COUNT_PRIOR_FINDS: Final = 1.5  # finds that it takes to believe half of what was counted
FLOOR: Final = 0.1
RECENT: Final = 100  # visits
NEW_HOSTS_AFTER_VISITS: Final = 40  # visits after which other hosts are worth a look
LATELY: Final = 20  # visits that tell of a drought
SHARP: Final = 12  # how soon finds end it: one in the last 20 halves it
TERMS: Final = 1000  # of a page that are counted, the first ones
SEEN: Final = ("host", "pattern", "place_here", "source", "block")
OF_CANDIDATE: Final = ("in_links", "evidence", "best_source", "mean_source", "worse_sources", *inlink_votes.NAMES)
NAMES: Final = (
    *FIXED,
    *FACTS,
    *OF_CANDIDATE,
    *("base", "recent", "visits"),
    *(f"seen_{name}" for name in SEEN),
    *(f"odds_{name}" for name in (*hashing.SINGLE, *hashing.GROUPS)),
    *(f"word_{name}" for name in (*hashing.BARE, "source")),
    *embedding_model.NAMES,
)
COLUMN: Final = {name: place for place, name in enumerate(NAMES)}
_SEEN_KEYS: Final = hashing.single(*SEEN)
_SIZES: Final = [
    *(part.stop - part.start for part in hashing.WORDS.values()),
    WORDS,
    hashing.CALLED,
    *(hashing.WORDS[name].stop - hashing.WORDS[name].start for name in hashing.BARE),
    WORDS,
]  # of the groups of words, in their roles and bare
_WIDEST: Final = max(_SIZES)
_CELLS: Final = np.concatenate([np.arange(size) + group * _WIDEST for group, size in enumerate(_SIZES)])
_ROLES: Final = np.delete(
    np.arange(hashing.SINGLES.stop + ROLES), hashing.SINGLES
)  # of the words among all that is counted
_FIXED, _FACTS, _CANDIDATE, _CRAWL, _SEEN, _SINGLE, _GROUPS, _SENSE = hashing.side_by_side(
    len(FIXED),
    len(FACTS),
    len(OF_CANDIDATE),
    3,
    len(SEEN),
    len(hashing.SINGLE),
    len(_SIZES),
    len(embedding_model.NAMES),
)  # the columns of what is told of a link, in the order of their names


PARTS: Final[dict[str, Any]] = {
    "links": Counts,
    "words": Counts,
    "pages": PageMemory,
    "hubs": Hubs,
    "inlink_votes": InlinkVotes,
    "embedding_model": EmbeddingModel,
}


@dataclass
class Features:
    """Counts how links and words have paid so far, and reads a link in the light of that."""

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
        """The chance of a find when nothing is known of a link."""
        return min(0.9, max(0.01, (self.finds + 1) / (self.visits + 6)))

    def visit(self, page: Page, slots: Slots, relevance: float, found: float) -> None:
        """Count a page that was just visited."""
        self.add(page, slots, relevance, found)
        self.recent = [*self.recent[1 - RECENT :], found]

    def add(self, page: Page, slots: Slots, relevance: float, found: float, weight: float = 1.0) -> None:
        """Count what a page is worth: for its words, the links to it (`slots`) and the pages on the way there."""
        size = min(TERMS, len(page.terms))
        numbers = np.fromiter(map(hashing.word, page.terms), np.uint32, size)
        sources = [self.pages.place(link.source) for link in page.inlinks]
        if page.url not in self.pages.index:
            self.hubs.add(
                sources[0] if sources else -1, slots[0] if sources else np.zeros(hashing.WIDTH, np.int32), found
            )
        spoken = slots[:, : hashing.SINGLES.stop].ravel(), self.pages.words[sources, :ROLES].ravel()
        self.links.add(np.concatenate(spoken), found * weight, weight)
        words = slots_of(numbers)
        self.words.add(words, found * weight, weight)
        self.embedding_model.add(slots, words, found, weight)
        telling = self._telling(numbers, words, np.fromiter(page.terms.values(), np.float32, size))
        self.pages.add(page.url, self._facts(page, relevance, found), hashing.of_page(telling, hashing.called(page)))
        self.visits += int(weight)
        self.finds += found * weight
        self.embedding_model.learn(self.base)

    def rows(self, candidates: Sequence[Candidate], memory: Links) -> tuple[Matrix, Places, Slots]:
        """The clues of all links of the candidates, whose they are, and where they are counted."""
        places, owned = memory.of(candidates, self.pages)
        owners = np.array(owned, np.intp)
        if not places:
            return np.zeros((0, len(NAMES)), np.float32), owners, np.zeros((0, hashing.WIDTH), np.int32)
        slots, pages = memory.slots[places], memory.sources[places]
        facts, words = self.pages.facts[pages], self.pages.words[pages]
        table = np.empty((len(places), len(NAMES)), np.float32)
        table[:, _FIXED], table[:, _FACTS] = memory.fixed[places], facts
        table[:, _CANDIDATE] = self._of_candidates(candidates, owners, facts[:, 0])
        table[:, _CRAWL] = self._of_crawl()
        table[:, _SEEN] = self.links.sightings(slots[:, _SEEN_KEYS])
        self._counted(table, slots, words)
        table[:, _SENSE] = self.embedding_model.features(slots)
        return table, owners, slots

    def newness(self, rows: Matrix) -> Matrix:
        """High for hosts that were never visited, a little for links near the start: there most is still unknown."""
        fresh = np.exp(-2 * rows[:, COLUMN["seen_host"]])  # one over (1 + visits) squared
        shallow = 1 / (1 + rows[:, COLUMN["source_depth"]])
        return cast(Matrix, min(1.0, len(self.recent) / NEW_HOSTS_AFTER_VISITS) * fresh + self.age * shallow / 5)

    @property
    def age(self) -> float:
        """From 0 to 1: a young crawl cannot know yet what leads to finds."""
        return len(self.recent) / RECENT

    @property
    def drought(self) -> float:
        """Near 1 when the last visits brought nothing, near 0 when some did."""
        lately = self.recent[-LATELY:]
        rate = (sum(lately) + self.base) / (len(lately) + 1)
        return (1 - rate) ** SHARP

    def save(self) -> dict[str, Any]:
        """As plain values and arrays."""
        plain = {"visits": self.visits, "finds": self.finds, "recent": self.recent}
        return plain | {name: getattr(self, name).save() for name in PARTS}

    @classmethod
    def load(cls, saved: dict[str, Any]) -> Features:
        """What was saved."""
        plain = {name: saved[name] for name in ("visits", "finds", "recent")}
        return cls(**plain, **{name: kind.load(saved[name]) for name, kind in PARTS.items()})

    def _counted(self, table: Matrix, slots: Slots, words: Slots) -> None:
        """What the counts say; little while there are hardly any finds, for then everything has failed so far."""
        bare = slots[:, hashing.SINGLES.stop :]
        in_roles = self.links.odds(
            np.concatenate((slots[:, : hashing.SINGLES.stop], words[:, :ROLES]), axis=1), self.base
        )
        plain = self.words.odds(np.concatenate((bare, words[:, ROLES:]), axis=1), self.base)
        cells = np.zeros((len(slots), len(_SIZES) * _WIDEST), np.float32)
        cells[:, _CELLS] = np.concatenate((in_roles[:, _ROLES], plain), axis=1)
        trust = np.float32(max(FLOOR, self.finds / (self.finds + COUNT_PRIOR_FINDS)))
        np.multiply(in_roles[:, hashing.SINGLES], trust, out=table[:, _SINGLE])
        # One look at all groups of words, side by side: it costs about the same as one at each.
        groups = strongest(cells.reshape(len(slots), len(_SIZES), _WIDEST))
        np.multiply(groups, trust, out=table[:, _GROUPS])

    def _of_candidates(self, candidates: Sequence[Candidate], owners: Places, relevances: Matrix) -> Matrix:
        own = np.zeros((len(candidates), 5), np.float32)
        links = np.array([candidate.n_links for candidate in candidates], np.float64)
        own[:, 0] = np.log1p(links)
        own[:, 1] = np.bincount(owners, minlength=len(candidates))
        np.maximum.at(own[:, 2], owners, relevances)
        own[:, 3] = np.bincount(owners, relevances, len(candidates)) / np.maximum(own[:, 1], 1)
        own[:, 4] = own[:, 1] * (1 - own[:, 3])
        return np.hstack((own, self.inlink_votes.features(candidates, links, self.base)))[owners]

    def _of_crawl(self) -> tuple[float, ...]:
        recent = (sum(self.recent) + self.base) / (len(self.recent) + 1)
        return np.log(self.base / (1 - self.base)), recent, np.log1p(self.visits)

    def _facts(self, page: Page, relevance: float, found: float) -> tuple[float, ...]:
        """As in shark search and tunnelling: what it hands down, and how far back the last find is."""
        sources = [self.pages.fact(link.source) for link in page.inlinks]
        handed = 0.5 * (relevance if found else max((float(source[1]) for source in sources), default=0.0))
        run = 0.0 if found else min(min((float(source[2]) for source in sources), default=0.0) + 1, 8.0)
        return relevance, handed, run, np.log1p(len(page.links)), min(page.depth, 20)

    def _telling(self, numbers: NDArray[np.uint32], words: Slots, counts: Matrix) -> NDArray[np.uint32]:
        """The words that tell this page from the others, by tf-idf."""
        rarity = np.log((self.visits + 2) / (self.words.seen[words] + 1))
        best = numbers[np.argsort(-np.log1p(counts) * rarity, kind="stable")[:WORDS]]
        return np.concatenate((best, np.zeros(WORDS - len(best), np.uint32)))
