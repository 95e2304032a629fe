"""adaptive: learns while it crawls which links pay, from every clue that the published strategies use one by one."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from clew.base import codec
from clew.config import unknown
from clew.errors import StrategyError
from clew.strategies._adaptive import hashed_features as hashing
from clew.strategies._adaptive.calibration import Calibration
from clew.strategies._adaptive.counts import Counts, Slots
from clew.strategies._adaptive.embedding_model import Sense
from clew.strategies._adaptive.features import COLUMN, Clues, Places
from clew.strategies._adaptive.grading import Grades
from clew.strategies._adaptive.hubs import Hubs
from clew.strategies._adaptive.memory import Links, Matrix
from clew.strategies._adaptive.model import LEARNERS, Model, prior
from clew.strategies._adaptive.reasons import reasons
from clew.strategies._base import ALL, Crawl, Stale, Strategy
from clew.types import Candidate, Page

PLENTY: Final = 1e-3  # a drought below which nothing but finds counts
HEARD: Final = 5  # visits that a user's word is worth
START = 9.0  # the score of what is named without a link: before everything else
PARTS: Final = {
    "rates": ("rate_",),
    "counts": ("odds_", "seen_"),
    "words": ("word_",),
    "sources": ("source_worth", "handed", "run", "best_source", "mean_source", "worse_sources"),
    "praise": ("praised", "excess"),
    "names": ("odds_called",),
    "meaning": ("sense_", "meant_"),
    "structure": ("same_host", "path_depth", "position", "anchor_words", "out_links", "source_depth", "in_links"),
}  # clues that belong together, by how their names begin


@dataclass
class Adaptive(Strategy):
    """A link is worth the chance that it leads to a relevant page; several links speak through the best of them.

    What links said that paid and that did not is counted: words of the anchor, around it and in the address, host,
    folder, place on the page, the page and the list that a link stands in. A linear model and a forest learn during
    the crawl how much these counts, the ratings of the interest and the worth of the pages on the way are to be
    believed here, starting from the weights of a `prior`: "trained" come from crawls of recorded webs, "hand" are
    those that the training itself began with. When finds are rare, what may lie behind a page counts too: pages like
    those that led to finds (`hubs`), and whatever is new: hosts that were never visited and links near the start
    (`novelty`). `without` names parts to do without, for experiments: rates, counts, words, sources, praise, names,
    meaning, structure, linear, forest.

    >>> from clew.testing.tiny_web import order
    >>> order("adaptive", "s .8 -> a [about us] b [.9 boats]; a -> c")
    ['s', 'b', 'a', 'c']

    Its parts are those of many; the frame is that of Chakrabarti, Punera and Subramanyam, Accelerated focused
    crawling through online relevance feedback, WWW 2002.
    """

    refresh = 16
    settled = True
    lasting = ("experience",)

    prior: str = "trained"
    hubs: float = 0.4
    novelty: float = 0.2
    every: int = 20  # visits between two refits, more in long crawls
    without: str = ""
    due: int = field(default=0, init=False, repr=False)  # visits at the next refit
    _clues: Clues = field(default_factory=Clues, init=False, repr=False, compare=False)
    _grades: Grades = field(default_factory=Grades, init=False, repr=False, compare=False)
    _table: Calibration = field(default_factory=Calibration, init=False, repr=False, compare=False)
    _told: dict[str, bool] = field(default_factory=dict, init=False, repr=False, compare=False)  # by the user, of pages

    def __post_init__(self) -> None:
        left_out = set(self.without.replace(",", " ").split())
        if strange := sorted(left_out - {*PARTS, *LEARNERS}):
            raise StrategyError(unknown("part", strange[0], [*PARTS, *LEARNERS]))
        if self.every < 1 or not (0 <= self.hubs < math.inf and 0 <= self.novelty < math.inf):
            raise StrategyError("adaptive: every must be at least 1, hubs and novelty must not be negative or infinite")
        self._model = Model(prior(self.prior), frozenset(LEARNERS) - left_out)
        self._heard = False  # whether there are labels that the model has not learnt from
        prefixes = tuple(prefix for part in PARTS if part in left_out for prefix in PARTS[part])
        self._dropped = [place for name, place in COLUMN.items() if prefixes and name.startswith(prefixes)]

    def start(self, crawl: Crawl) -> None:
        """Bind; what is remembered of links is read again."""
        super().start(crawl)
        self._links = Links(crawl.interest.rate)

    def learn(self, page: Page) -> Stale:
        """First note what was known before the visit, then count it."""
        interest = self._crawl.interest
        worth = self._crawl.relevance(page.url) if page.ok else 0.0
        judged = interest.value(page.topics) if page.ok else 0.0  # by the judge's own word: a user's is 0 or 1
        self._grades.see(judged, interest.threshold)
        found = self._grades.of(worth, interest.threshold)
        rows, slots = self._known(page)
        if len(rows):
            self._table.note(float(_chance(self._model.margin(rows))[0]), float(found > 0))
            self._model.note(hashing.hashed("source", page.url), rows[0], found)
        self._clues.visit(page, slots, worth, found)
        praised = self._praise(page, found) if found else []
        if self._clues.visits < max(self.due, self.every):
            return praised
        self._model.refit()
        self.due = self._clues.visits + max(self.every, self._clues.visits // 20)
        return ALL

    def score(self, candidates: Sequence[Candidate]) -> list[float]:
        """The chance of each by its best link, and in a drought what may lie behind it."""
        self._heed()
        rows, owners, slots = self._rows(candidates)
        scores = np.full(len(candidates), -1.0)
        np.maximum.at(scores, owners, _chance(self._model.margin(rows)) + self._beyond(rows, slots))
        return [float(score) for score in np.where(scores < 0, START, scores)]

    def chances(self, candidates: Sequence[Candidate]) -> list[float]:
        """The chance of each that it is relevant, corrected by what such chances were worth so far."""
        self._heed()
        rows, owners, _ = self._rows(candidates)
        chances = np.zeros(len(candidates))
        np.maximum.at(chances, owners, _chance(self._model.margin(rows)))
        return [float(chance) for chance in self._table.corrected(chances)]

    def explain(self, candidate: Candidate) -> dict[str, float]:
        """The chance, what may lie behind, and the five clues that speak loudest for or against it.

        Of a page that was visited, the clues are those from before the visit, as they are weighed now.
        """
        self._heed()
        rows, _, slots = self._rows([candidate])
        if not len(rows):
            return {"start page": START}
        beyond = self._beyond(rows, slots)
        best = int((_chance(self._model.margin(rows)) + beyond).argmax())
        before = self._model.recall(hashing.hashed("source", candidate.url))
        row = rows[best] if before is None else before
        told = {"chance": float(_chance(self._model.margin(row[None]))[0])}
        if before is None:
            new = self._clues.drought * self.novelty * float(self._clues.newness(rows)[best]) if beyond[best] else 0.0
            told |= {
                "what pages like it led to": float(beyond[best]) - new,
                "what is new about its host and place": new,
            }
        return told | reasons(row, candidate.links[best], self._clues, self._model, self._crawl.interest.rate)

    def hear(self, page: Page, relevant: bool) -> Stale:
        """What the user says counts as much as five visits; the last word on a page replaces those before."""
        rows, slots = self._known(page)
        number = hashing.hashed("source", page.url)
        if page.url in self._told:
            said = float(self._told[page.url])
            self._clues.take(page, slots, said, said, -HEARD)
            self._model.unsay(number)
        before = self._model.recall(number)  # what is known now was learnt from this very page
        for row in (list(rows) if before is None else [before]) * HEARD:
            self._model.note(number, row, float(relevant), told=True)
        self._clues.take(page, slots, float(relevant), float(relevant), HEARD)
        self._praise(page, float(relevant))
        self._told[page.url] = relevant
        self._heard = True
        return ALL

    def turn(self) -> bool:
        """What paid for another interest may not pay for this one: learn again from all pages."""
        self._clues, self._table, self._grades, self.due, self._told = Clues(), Calibration(), Grades(), 0, {}
        self.__post_init__()
        self.start(self._crawl)
        return True

    def inherit(self, state: Any) -> None:
        """Half of the counts of an earlier crawl, and the visits that its models learnt from."""
        if earlier := state.get("experience"):
            clues = self._clues
            clues.links, clues.words = Counts.load(earlier["links"]), Counts.load(earlier["words"])
            clues.links.fade(0.5)
            clues.words.fade(0.5)
            clues.hubs = Hubs.load(earlier["hubs"]).faded(0.5)
            if "sense" in earlier:
                clues.sense = Sense.load(earlier["sense"]).faded(0.5)
            clues.finds, clues.visits = earlier["finds"] / 2, earlier["visits"] // 2
            self.due = clues.visits + self.every
            self._model.load(earlier["model"])

    def save(self) -> bytes:
        """The counts, the models and what is remembered of pages."""
        self._heed()
        grades, table = self._grades, self._table
        learnt = {"table": (table.seen, table.came), "best": grades.best, "model": self._model.save()}
        learnt |= {"prior": self.prior, "told": self._told}
        state = {name: getattr(self, name) for name in self._state()}
        return codec.dumps(state | {"experience": self._clues.save() | learnt})

    def load(self, data: bytes) -> None:
        """What was saved, by this strategy; its settings are those of now."""
        state = codec.loads(data)
        if "experience" not in state:
            return
        self.due = state["due"]
        self.__post_init__()
        kept = state["experience"]
        self._clues = Clues.load(kept)
        self._table, self._told = Calibration(*kept["table"]), dict(kept.get("told", {}))
        self._grades = Grades(kept.get("best", state.get("best", 0.0)))
        self._model.load(kept["model"])
        self._heard = kept.get("prior") != self.prior  # the models were fitted to other weights: once more before use

    def _heed(self) -> None:
        """Learn from labels: once for many, before anything is asked."""
        if self._heard:
            self._model.refit()
            self._heard = False

    def _praise(self, page: Page, found: float) -> list[str]:
        """What a page links to is worth another look when it counts more, or less, than before: the URLs."""
        numbers = {link.url: self._crawl.number(link.url) for link in page.links}
        known = {url: number for url, number in numbers.items() if number is not None}
        self._clues.praise.set(self._number(page.url), known.values(), found)
        return list(known)

    def _rows(self, candidates: Sequence[Candidate]) -> tuple[Matrix, Places, Slots]:
        rows, owners, slots = self._clues.rows(candidates, self._links)
        rows[:, self._dropped] = 0
        return rows, owners, slots

    def _beyond(self, rows: Matrix, slots: Slots) -> NDArray[np.float64]:
        """In plenty nothing; in a drought up to about one find."""
        clues, drought = self._clues, self._clues.drought
        if drought < PLENTY:
            return np.zeros(len(rows))
        behind = self.hubs * clues.age * clues.hubs.worth(slots)
        return drought * (behind + self.novelty * clues.newness(rows)).astype(np.float64)

    def _number(self, url: str) -> int:
        number = self._crawl.number(url)
        return -1 if number is None else number

    def _known(self, page: Page) -> tuple[Matrix, Slots]:
        """What speaks for a page, before its visit all that is known: its loudest link, and where all are counted."""
        links = self._crawl.links_to(page.url)
        seen = Candidate(page.url, self._number(page.url), page.depth, page.inlinks, links)
        rows, _, slots = self._rows([seen])
        self._links.forget(seen.found)
        return rows[np.argsort(-self._model.margin(rows), kind="stable")[:1]], slots


def _chance(margin: NDArray[np.float64]) -> NDArray[np.float64]:
    return 1 / (1 + np.exp(-margin))
