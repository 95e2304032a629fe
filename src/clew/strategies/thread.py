"""thread: learns while it crawls which links pay, from every clue that the published strategies use one by one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clew.maths import codec
from clew.strategies._base import ALL, Crawl, Stale, Strategy
from clew.strategies._thread.clues import Clues
from clew.strategies._thread.counts import Counts
from clew.strategies._thread.memory import Links, Pages
from clew.strategies._thread.model import Model, prior
from clew.strategies._thread.reasons import reasons
from clew.types import Candidate, Page

REFIT = 40  # visits between two refits, more in long crawls
START = 2.0  # the score of what is named without a link: before every chance


@dataclass
class Thread(Strategy):
    """A link is worth the chance that it leads to a relevant page; several links speak through the best of them.

    What links said that paid and that did not is counted: words of the anchor, around it and in the address, host,
    folder, place on the page, the page and the list that a link stands in. A linear model and a forest learn during
    the crawl how much these counts, the ratings of the interest and the scores of published strategies are to be
    believed here, starting from the weights of a `prior`; "hand" are set by hand.

    >>> from clew.lab.sketch import order
    >>> order("thread", "s .8 -> a [about us] b [.9 boats]; a -> c")
    ['s', 'b', 'a', 'c']

    Its parts are those of many; the frame is that of Chakrabarti, Punera and Subramanyam, Accelerated focused
    crawling through online relevance feedback, WWW 2002.
    """

    refresh = 32
    settled = True
    lasting = ("experience",)

    prior: str = "hand"
    experience: dict[str, Any] = field(default_factory=dict, init=False, repr=False)  # what was learnt, when saved
    due: int = field(default=REFIT, init=False, repr=False)  # visits at the next refit
    _clues: Clues = field(default_factory=Clues, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        self._model = Model(prior(self.prior))

    def start(self, crawl: Crawl) -> None:
        """Bind; what is remembered of links is read again."""
        super().start(crawl)
        self._links = Links(crawl.interest.rate)

    def learn(self, page: Page) -> Stale:
        """First note what was known before the visit, then count it."""
        worth = self._crawl.relevance(page.url) if page.ok else 0.0
        found = float(worth > 0 and worth >= self._crawl.interest.threshold)
        if page.inlinks:
            self._model.note(self._best_row(page), found)
        self._clues.take(page, worth, found)
        if self._clues.visits < self.due:
            return ()
        self._model.refit()
        self.due = self._clues.visits + max(REFIT, self._clues.visits // 20)
        return ALL

    def score(self, candidates: Sequence[Candidate]) -> list[float]:
        """The chance of each, by its best link."""
        rows, owners = self._clues.rows(candidates, self._links)
        scores = np.full(len(candidates), -1.0)
        np.maximum.at(scores, owners, _chance(self._model.margin(rows)))
        return [float(score) for score in np.where(scores < 0, START, scores)]

    def explain(self, candidate: Candidate) -> dict[str, float]:
        """The chance, and the five clues that speak loudest for or against it."""
        rows, _ = self._clues.rows([candidate], self._links)
        if not len(rows):
            return {"start page": START}
        best = rows[int(self._model.margin(rows).argmax())]
        return {"chance": float(_chance(self._model.margin(best[None]))[0])} | reasons(best, self._model)

    def hear(self, page: Page, relevant: bool) -> Stale:
        """What the user says counts as much as five visits."""
        for _ in range(5):
            if page.inlinks:
                self._model.note(self._best_row(page), float(relevant))
            self._clues.take(page, float(relevant), float(relevant))
        self._model.refit()
        return ALL

    def inherit(self, state: Any) -> None:
        """Half of the counts of an earlier crawl, and the visits that its models learnt from."""
        if earlier := state.get("experience"):
            self._clues.links, self._clues.words = Counts.load(earlier["links"]), Counts.load(earlier["words"])
            for counts in (self._clues.links, self._clues.words):
                counts.fade(0.5)
            self._clues.finds, self._clues.visits = earlier["finds"] / 2, earlier["visits"] // 2
            self.due = self._clues.visits + REFIT
            self._model.load(earlier["model"])

    def save(self) -> bytes:
        """The counts, the models and what is remembered of pages."""
        clues = self._clues
        self.experience = {"visits": clues.visits, "finds": clues.finds, "recent": clues.recent}
        self.experience |= {"links": clues.links.save(), "words": clues.words.save(), "pages": clues.pages.save()}
        state = {name: getattr(self, name) for name in self._state()} | {"experience": {**self.experience}}
        state["experience"]["model"] = self._model.save()
        return codec.dumps(state)

    def load(self, data: bytes) -> None:
        """What was saved."""
        state = codec.loads(data)
        self.prior, self.due, kept = state["prior"], state["due"], state["experience"]
        counts = Counts.load(kept["links"]), Counts.load(kept["words"])
        self._clues = Clues(*counts, Pages.load(kept["pages"]), kept["visits"], kept["finds"], kept["recent"])
        self._model = Model(prior(self.prior))
        self._model.load(kept["model"])

    def _best_row(self, page: Page) -> NDArray[np.float32]:
        """The clues that were known before the visit, of the link that spoke loudest."""
        number = self._crawl.number(page.url)
        links = self._crawl.links_to(page.url)
        seen = Candidate(page.url, -1 if number is None else number, page.depth, page.inlinks, links)
        rows, _ = self._clues.rows([seen], self._links)
        self._links.forget(seen.found)
        best: NDArray[np.float32] = rows[int(self._model.margin(rows).argmax())]
        return best


def _chance(margin: NDArray[np.float64]) -> NDArray[np.float64]:
    return 1 / (1 + np.exp(-margin))
