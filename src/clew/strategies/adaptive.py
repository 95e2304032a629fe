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
from clew.strategies._adaptive.embedding_model import EmbeddingModel
from clew.strategies._adaptive.features import COLUMN, Features, Places
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
    "ratings": ("rate_",),
    "counts": ("odds_", "seen_"),
    "words": ("word_",),
    "sources": ("source_relevance", "handed", "run", "best_source", "mean_source", "worse_sources"),
    "inlink_votes": ("inlink_votes", "inlink_excess"),
    "names": ("odds_called",),
    "embeddings": ("embedding_", "interest_"),
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
    (`novelty`). `without` names parts to do without, for experiments: ratings, counts, words, sources,
    inlink_votes, names, embeddings, structure, linear, forest.

    >>> from clew.testing.tiny_web import order
    >>> order("adaptive", "s .8 -> a [about us] b [.9 boats]; a -> c")
    ['s', 'b', 'a', 'c']

    Its parts are those of many; the frame is that of Chakrabarti, Punera and Subramanyam, Accelerated focused
    crawling through online relevance feedback, WWW 2002.
    """

    rescore_top = 16
    inlinks_only = True
    transferable = ("experience",)

    prior: str = "trained"
    hubs: float = 0.4
    novelty: float = 0.2
    every: int = 20  # visits between two refits, more in long crawls
    without: str = ""
    due: int = field(default=0, init=False, repr=False)  # visits at the next refit
    _features: Features = field(default_factory=Features, init=False, repr=False, compare=False)
    _grades: Grades = field(default_factory=Grades, init=False, repr=False, compare=False)
    _table: Calibration = field(default_factory=Calibration, init=False, repr=False, compare=False)
    _labels: dict[str, bool] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )  # by the user, of pages

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
        relevance = self._crawl.relevance(page.url) if page.ok else 0.0
        judged = interest.value(page.topics) if page.ok else 0.0  # by the judge's own word: a user's is 0 or 1
        self._grades.see(judged, interest.threshold)
        found = self._grades.of(relevance, interest.threshold)
        rows, slots = self._known(page)
        if len(rows):
            self._table.note(float(_chance(self._model.margin(rows))[0]), float(found > 0))
            self._model.note(hashing.hashed("source", page.url), rows[0], found)
        self._features.visit(page, slots, relevance, found)
        praised = self._vote(page, found) if found else []
        if self._features.visits < max(self.due, self.every):
            return praised
        self._model.refit()
        self.due = self._features.visits + max(self.every, self._features.visits // 20)
        return ALL

    def score(self, candidates: Sequence[Candidate]) -> list[float]:
        """The chance of each by its best link, and in a drought what may lie behind it."""
        self._refit_for_labels()
        rows, owners, slots = self._rows(candidates)
        scores = np.full(len(candidates), -1.0)
        np.maximum.at(scores, owners, _chance(self._model.margin(rows)) + self._beyond(rows, slots))
        return [float(score) for score in np.where(scores < 0, START, scores)]

    def chances(self, candidates: Sequence[Candidate]) -> list[float]:
        """The chance of each that it is relevant, corrected by what such chances were worth so far."""
        self._refit_for_labels()
        rows, owners, _ = self._rows(candidates)
        chances = np.zeros(len(candidates))
        np.maximum.at(chances, owners, _chance(self._model.margin(rows)))
        return [float(chance) for chance in self._table.corrected(chances)]

    def explain(self, candidate: Candidate) -> dict[str, float]:
        """The chance, what may lie behind, and the five clues that speak loudest for or against it.

        Of a page that was visited, the clues are those from before the visit, as they are weighed now.
        """
        self._refit_for_labels()
        rows, _, slots = self._rows([candidate])
        if not len(rows):
            return {"start page": START}
        beyond = self._beyond(rows, slots)
        best = int((_chance(self._model.margin(rows)) + beyond).argmax())
        before = self._model.recall(hashing.hashed("source", candidate.url))
        row = rows[best] if before is None else before
        told = {"chance": float(_chance(self._model.margin(row[None]))[0])}
        if before is None:
            new = (
                self._features.drought * self.novelty * float(self._features.newness(rows)[best])
                if beyond[best]
                else 0.0
            )
            told |= {
                "what pages like it led to": float(beyond[best]) - new,
                "what is new about its host and place": new,
            }
        return told | reasons(row, candidate.links[best], self._features, self._model, self._crawl.interest.rate)

    def learn_label(self, page: Page, relevant: bool) -> Stale:
        """What the user says counts as much as five visits; the last word on a page replaces those before."""
        rows, slots = self._known(page)
        number = hashing.hashed("source", page.url)
        if page.url in self._labels:
            said = float(self._labels[page.url])
            self._features.add(page, slots, said, said, -HEARD)
            self._model.unsay(number)
        before = self._model.recall(number)  # what is known now was learnt from this very page
        for row in (list(rows) if before is None else [before]) * HEARD:
            self._model.note(number, row, float(relevant), told=True)
        self._features.add(page, slots, float(relevant), float(relevant), HEARD)
        self._vote(page, float(relevant))
        self._labels[page.url] = relevant
        self._heard = True
        return ALL

    def interest_changed(self) -> bool:
        """What paid for another interest may not pay for this one: learn again from all pages."""
        self._features, self._table, self._grades, self.due, self._labels = Features(), Calibration(), Grades(), 0, {}
        self.__post_init__()
        self.start(self._crawl)
        return True

    def inherit(self, state: Any) -> None:
        """Half of the counts of an earlier crawl, and the visits that its models learnt from."""
        if earlier := state.get("experience"):
            features = self._features
            features.links, features.words = Counts.load(earlier["links"]), Counts.load(earlier["words"])
            features.links.fade(0.5)
            features.words.fade(0.5)
            features.hubs = Hubs.load(earlier["hubs"]).faded(0.5)
            if "embedding_model" in earlier:
                features.embedding_model = EmbeddingModel.load(earlier["embedding_model"]).faded(0.5)
            features.finds, features.visits = earlier["finds"] / 2, earlier["visits"] // 2
            self.due = features.visits + self.every
            self._model.load(earlier["model"])

    def save(self) -> bytes:
        """The counts, the models and what is remembered of pages."""
        self._refit_for_labels()
        grades, table = self._grades, self._table
        learnt = {"table": (table.seen, table.came), "best": grades.best, "model": self._model.save()}
        learnt |= {"prior": self.prior, "labels": self._labels}
        state = {name: getattr(self, name) for name in self._state()}
        return codec.dumps(state | {"experience": self._features.save() | learnt})

    def load(self, data: bytes) -> None:
        """What was saved, by this strategy; its settings are those of now."""
        state = codec.loads(data)
        if "experience" not in state:
            return
        self.due = state["due"]
        self.__post_init__()
        kept = state["experience"]
        self._features = Features.load(kept)
        self._table, self._labels = Calibration(*kept["table"]), dict(kept["labels"])
        self._grades = Grades(kept["best"])
        self._model.load(kept["model"])
        self._heard = kept.get("prior") != self.prior  # the models were fitted to other weights: once more before use

    def _refit_for_labels(self) -> None:
        """Learn from labels: once for many, before anything is asked."""
        if self._heard:
            self._model.refit()
            self._heard = False

    def _vote(self, page: Page, found: float) -> list[str]:
        """What a page links to is worth another look when it counts more, or less, than before: the URLs."""
        numbers = {link.url: self._crawl.number(link.url) for link in page.links}
        known = {url: number for url, number in numbers.items() if number is not None}
        self._features.inlink_votes.set(self._number(page.url), known.values(), found)
        return list(known)

    def _rows(self, candidates: Sequence[Candidate]) -> tuple[Matrix, Places, Slots]:
        rows, owners, slots = self._features.rows(candidates, self._links)
        rows[:, self._dropped] = 0
        return rows, owners, slots

    def _beyond(self, rows: Matrix, slots: Slots) -> NDArray[np.float64]:
        """In plenty nothing; in a drought up to about one find."""
        features, drought = self._features, self._features.drought
        if drought < PLENTY:
            return np.zeros(len(rows))
        behind = self.hubs * features.age * features.hubs.expected_finds(slots)
        return drought * (behind + self.novelty * features.newness(rows)).astype(np.float64)

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
