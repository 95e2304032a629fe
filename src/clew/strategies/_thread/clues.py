"""All clues to a candidate as one row of numbers for each link that speaks for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from clew.strategies._thread import keys
from clew.strategies._thread.counts import Counts, strongest
from clew.strategies._thread.memory import FACTS, FIXED, WORDS, Keys, Links, Matrix, Pages
from clew.types import Candidate, Link, Page

Places = NDArray[np.intp]

DOUBT: Final = 1.5  # finds that it takes to believe half of what was counted
FLOOR: Final = 0.1
RECENT: Final = 50  # visits
SALTS: Final = {"anchor": 11, "pairs": 1, "around": 13, "heading": 17, "path": 19, "source_words": 23}
SEEN: Final = ("host", "pattern", "place_here", "source", "block")
OF_CANDIDATE: Final = ("in_links", "evidence", "best_source", "mean_source", "worse_sources")
NAMES: Final = (
    *FIXED,
    *FACTS,
    *OF_CANDIDATE,
    *("base", "recent", "visits"),
    *("shark", "ariadne"),
    *(f"seen_{name}" for name in SEEN),
    *(f"odds_{name}" for name in (*keys.SINGLE, *SALTS)),
    *(f"word_{name}" for name in ("anchor", "around", "heading", "path", "source")),
)
COLUMN: Final = {name: place for place, name in enumerate(NAMES)}
COUNTED: Final = next(place for place, name in enumerate(NAMES) if name.startswith("odds_"))  # from here on
_SINGLES: Final = slice(keys.WIDTH - len(keys.SINGLE), keys.WIDTH)
_WIDTHS: Final = [len(keys.SINGLE), *(part.stop - part.start for part in keys.WORDS.values()), WORDS]
_SEEN: Final = [_SINGLES.start + keys.SINGLE.index(name) for name in SEEN]


@dataclass
class Clues:
    """Counts how links and words have paid so far, and reads a link in the light of that."""

    links: Counts = field(default_factory=Counts)
    words: Counts = field(default_factory=Counts)
    pages: Pages = field(default_factory=Pages)
    visits: int = 0
    finds: float = 0.0
    recent: list[float] = field(default_factory=list)

    @property
    def base(self) -> float:
        """The chance of a find when nothing is known of a link."""
        return min(0.9, max(0.01, (self.finds + 1) / (self.visits + 6)))

    def take(self, page: Page, worth: float, found: float) -> None:
        """Count a visit: for the links that led to it, and for its own words."""
        if page.inlinks:
            self.links.add(self._keys_of(page.inlinks), found)
        terms = dict(page.terms)
        numbers = np.array([keys.word(term) for term in terms], np.uint32)
        self.words.add(numbers, found)
        words = self._telling(numbers, np.fromiter(terms.values(), np.float32, len(terms)))
        self.pages.add(page.url, self._facts(page, worth, found), words)
        self.visits += 1
        self.finds += found
        self.recent = [*self.recent[1 - RECENT :], found]

    def rows(self, candidates: Sequence[Candidate], memory: Links) -> tuple[Matrix, Places]:
        """The clues of all links of the candidates, and whose they are."""
        places, owned = memory.of(candidates)
        owners = np.array(owned, np.intp)
        if not places:
            return np.zeros((0, len(NAMES)), np.float32), owners
        table, fixed = memory.keys[places], memory.fixed[places]
        pages = np.array([self.pages.index.get(memory.sources[place], -1) for place in places], np.intp)
        facts, words = self.pages.facts[pages], self.pages.words[pages]
        blocks = [fixed, facts, _of_candidates(candidates, owners, facts[:, 0]), self._of_crawl(len(places))]
        blocks += [_published(fixed, facts), self.links.sightings(table[:, _SEEN]), self._counted(table, words)]
        return np.hstack(blocks), owners

    def _counted(self, table: Keys, words: Keys) -> Matrix:
        """What the counts say; little while there are hardly any finds, for then everything has failed so far."""
        base = self.base
        groups = {name: table[:, columns] for name, columns in keys.WORDS.items()} | {"source_words": words}
        # One look at the counts for all groups: it costs about the same as one for each.
        salted = [_salted(group, SALTS[name]) for name, group in groups.items()]
        singles, *roles = _parted(self.links.odds(np.hstack([table[:, _SINGLES], *salted]), base), _WIDTHS)
        bare = [group for name, group in groups.items() if name != "pairs"]
        plain = _parted(self.words.odds(np.hstack(bare), base), [group.shape[1] for group in bare])
        roles, plain = [strongest(part) for part in roles], [strongest(part) for part in plain]
        trust = max(FLOOR, self.finds / (self.finds + DOUBT))
        return np.column_stack((singles, *roles, *plain)) * np.float32(trust)

    def _of_crawl(self, size: int) -> Matrix:
        recent = (sum(self.recent) + self.base) / (len(self.recent) + 1)
        row = np.array([np.log(self.base / (1 - self.base)), recent, np.log1p(self.visits)], np.float32)
        return np.broadcast_to(row, (size, 3))

    def _keys_of(self, links: Sequence[Link]) -> Keys:
        """Every key under which a visit is counted."""
        table = np.array([keys.row_of(link) for link in links], np.uint32)
        pages = [place for link in links if (place := self.pages.index.get(link.source)) is not None]
        parts = [table[:, _SINGLES], _salted(self.pages.words[pages], SALTS["source_words"])]
        parts += [_salted(table[:, columns], SALTS[name]) for name, columns in keys.WORDS.items()]
        return np.concatenate([part.ravel() for part in parts])

    def _facts(self, page: Page, worth: float, found: float) -> tuple[float, ...]:
        """As in shark search and tunnelling: what it hands down, and how far back the last find is."""
        sources = [self.pages.fact(link.source) for link in page.inlinks]
        handed = 0.5 * (worth if found else max((float(source[1]) for source in sources), default=0.0))
        run = 0.0 if found else min(min((float(source[2]) for source in sources), default=0.0) + 1, 8.0)
        return worth, handed, run, np.log1p(len(page.links)), min(page.depth, 20)

    def _telling(self, numbers: Keys, counts: Matrix) -> list[int]:
        """The words that tell this page from the others, by tf-idf."""
        rarity = np.log((self.visits + 2) / (np.expm1(self.words.sightings(numbers)) + 1))
        best = np.argsort(-np.log1p(counts) * rarity, kind="stable")[:WORDS]
        return [int(number) for number in numbers[best]]


def _of_candidates(candidates: Sequence[Candidate], owners: Places, worths: Matrix) -> Matrix:
    own = np.zeros((len(candidates), len(OF_CANDIDATE)), np.float32)
    own[:, 0] = np.log1p([candidate.n_links for candidate in candidates])
    own[:, 1] = np.bincount(owners, minlength=len(candidates))
    np.maximum.at(own[:, 2], owners, worths)
    own[:, 3] = np.bincount(owners, worths, len(candidates)) / np.maximum(own[:, 1], 1)
    own[:, 4] = own[:, 1] * (1 - own[:, 3])
    return own[owners]


def _published(fixed: Matrix, facts: Matrix) -> Matrix:
    """Scores of published strategies: shark's potential and Ariadne's geometric mean."""
    anchor, around, path = fixed[:, 0], fixed[:, 1], fixed[:, 3]
    shark = 0.5 * facts[:, 1] + 0.4 * anchor + 0.1 * np.where(anchor > 0, 1.0, around)
    source, url, text = (np.log(np.maximum(part, 0.01)) for part in (facts[:, 0], path, np.maximum(anchor, around)))
    return np.column_stack((shark, np.exp((4 * source + url + 2 * text) / 7))).astype(np.float32)


def _parted(values: Matrix, widths: Sequence[int]) -> list[Matrix]:
    """Columns, so many at a time."""
    return np.split(values, np.cumsum(widths)[:-1], axis=1)


def _salted(table: Keys, salt: int) -> Keys:
    """The same words in another role; no word stays no word."""
    return np.where(table == 0, np.uint32(0), table * np.uint32(2 * salt + 1) + np.uint32(salt))
