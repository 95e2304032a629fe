"""Critic and apprentice: learn from the words around links which of them the critic will like."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from math import exp, sqrt
from typing import Literal

from clew.strategies._base import ALL, Stale, Strategy
from clew.strategies._shared.link_bayes import Bayes
from clew.strategies._shared.link_words import MEMO, words
from clew.types import Candidate, Link, Page

START_SCORE = 100.0
"""The score of a start page, above the usual log-odds."""
MAX_INLINKS = 5
"""In-links of a candidate that count."""
MIN_FEATURE_COUNT = 3
"""How often a feature must have occurred before it counts."""
OFFSET_ENDS = (1, 2, 4, 8)
"""Distances from the anchor, in words, up to which the offset is 1, 2, 3 and 4; beyond the last it is 5."""
MAX_NEIGHBOURS = 3
"""Good or bad links beside a link that are told apart; more of them make no difference."""
LEARNING_RATE = 0.2
"""The step size of the logistic model, which shrinks as a feature collects gradients (AdaGrad)."""
MAX_LOG_ODDS = 500.0
"""Log-odds are clipped here before they go into `exp`, which would overflow beyond 709."""


@dataclass
class Apprentice(Strategy):
    """Visits the links with the best odds of leading to a good page, learned from the words around links.

    The critic is the judge of the crawl. The apprentice learns from every link to a visited page: the link is good to
    the degree of the page's relevance. Its features are <token, offset> pairs and the outcomes of links beside it.
    The paper counts offsets in leaves of the DOM; here the distance of a word from the anchor, left or right, stands
    for them.

    After `first` links, candidates are ordered by the mean log-odds of the links to them; before that, by the
    relevance of the pages with these links (soft focus). `model` is "bayes", as published, or "logistic" on the same
    features.

    >>> from clew.testing.tiny_web import order
    >>> names = "abcdefghij"
    >>> web = "s .6 -> " + " ".join(f"{n} [{'sails' if n in 'bdfhj' else 'roads'}]" for n in names)
    >>> web += "; " + "; ".join(f"{n} .9" for n in "bdfhj")
    >>> "".join(order("apprentice(first=7)", web))
    'sabcdefghji'

    Chakrabarti, Punera and Subramanyam, Accelerated focused crawling through online relevance feedback, WWW 2002.
    """

    # Every instance changes the model a little: the best candidates need a fresh look before each choice.
    rescore_top = 20
    inlinks_only = True
    transferable = ("counts", "examples", "mass", "weights", "instances")

    first: int = 500
    model: Literal["bayes", "logistic"] = "bayes"
    instances: int = field(default=0, init=False, repr=False)  # links learned from
    due: int = field(default=0, init=False, repr=False)  # instances at which everything is scored again
    counts: dict[str, list[float]] = field(default_factory=dict, init=False, repr=False)  # feature -> bad, good
    examples: list[float] = field(default_factory=lambda: [0.0] * 2, init=False, repr=False)  # bad, good
    mass: list[float] = field(default_factory=lambda: [0.0] * 3, init=False, repr=False)  # as in Bayes
    weights: dict[str, list[float]] = field(default_factory=dict, init=False, repr=False)  # weight, squared gradients
    fates: dict[str, dict[int, list[int]]] = field(default_factory=dict, init=False, repr=False)  # of blocks: bad, good

    def learn(self, page: Page) -> Stale:
        """Learn from every link to this page; everything is scored again when the instances have grown by half."""
        stale: list[str] = []
        if page.ok and page.inlinks:
            relevance = self._crawl.relevance(page.url)
            self._teach(page.inlinks, relevance)
            relevant = relevance > 0 and relevance >= self._crawl.interest.threshold
            stale = self._record_fate(page.inlinks, relevant)
        if self.instances < max(self.first, self.due):
            return stale if self.instances >= self.first else ()
        # Scoring everything is expensive. In growing steps, its total cost stays in proportion to the crawl.
        self.due = self.instances + self.instances // 2 + 1
        return ALL

    def learn_label(self, page: Page, relevant: bool) -> Stale:
        """Count the label as further instances."""
        self._teach(page.inlinks, float(relevant))
        return ()

    def value(self, candidate: Candidate) -> float:
        """Return the mean log-odds of the in-links or, before the apprentice is ready, the best parent's relevance."""
        links = candidate.links[:MAX_INLINKS]
        if not links:
            return START_SCORE
        if self.instances < self.first:
            return max(self._crawl.relevance(link.source) for link in candidate.links)
        return sum(map(self._odds, links)) / len(links)

    def explain(self, candidate: Candidate) -> dict[str, float]:
        """Return the log-odds of each link, their mean and the probability, or the critic's score."""
        score = self.value(candidate)
        if not candidate.links or self.instances < self.first:
            return {"critic": score}
        each = {f"log-odds, link {n}": self._odds(link) for n, link in enumerate(candidate.links[:MAX_INLINKS], 1)}
        return {"log-odds": score, "Pr(good)": 1 / (1 + exp(-max(score, -MAX_LOG_ODDS))), **each}

    def _teach(self, links: Iterable[Link], good: float) -> None:
        for link in list(links)[:MAX_INLINKS]:
            features = self._features(link)
            self.instances += 1
            if self.model == "bayes":
                self._bayes.add_example(features, [1 - good, good])
            else:
                self._step(features, good)

    def _odds(self, link: Link) -> float:
        if self.model == "bayes":
            bad, good = self._bayes.logs(self._features(link))
            return good - bad
        features = dict.fromkeys([*self._features(link), "any"])
        return sum(self.weights[feature][0] for feature in features if feature in self.weights)

    def _features(self, link: Link) -> list[str]:
        fate = self.fates.get(link.source, {}).get(link.block, (0, 0))
        neighbours = [
            f"near {name} {min(count, MAX_NEIGHBOURS)}"
            for name, count in zip(("bad", "good"), fate, strict=True)
            if count
        ]
        return [*offsets(link), f"critic {round(4 * self._crawl.relevance(link.source))}", *neighbours]

    def _record_fate(self, links: Iterable[Link], good: bool) -> list[str]:
        """Record for the links beside these what they led to; return the URLs whose score is stale."""
        stale: list[str] = []
        for link in links:
            fate = self.fates.setdefault(link.source, {}).setdefault(link.block, [0, 0])
            fate[good] += 1
            # Only scores that rise are stale at once: one that falls is noticed when it reaches the top.
            rises = good and fate[good] <= MAX_NEIGHBOURS and self.instances >= self.first
            if rises and (page := self._crawl.page(link.source)):
                stale += [neighbour.url for neighbour in page.links if neighbour.block == link.block]
        return stale

    def _step(self, features: list[str], good: float) -> None:
        """Take one step of logistic regression."""
        weights = [self.weights.setdefault(feature, [0.0, 0.0]) for feature in dict.fromkeys([*features, "any"])]
        log_odds = max(min(sum(weight[0] for weight in weights), MAX_LOG_ODDS), -MAX_LOG_ODDS)
        gradient = good - 1 / (1 + exp(-log_odds))
        for weight in weights:
            weight[1] += gradient * gradient
            weight[0] += LEARNING_RATE * gradient / sqrt(weight[1] + 1e-9)

    @property
    def _bayes(self) -> Bayes:
        return Bayes(self.counts, self.examples, self.mass, MIN_FEATURE_COUNT)


@lru_cache(maxsize=MEMO)
def offsets(link: Link) -> tuple[str, ...]:
    """Return the words around a link with their offsets, 0 in the anchor.

    >>> offsets(Link("s", "u", "ski resorts", "snow in the fine\\talps"))
    ('ski@0', 'resort@0', 'fine@-1', 'snow@-2', 'alp@1')
    """
    found = words(link)
    anchor = [f"{word}@0" for word in found.anchor]
    left = [f"{word}@-{_offset(distance)}" for distance, word in enumerate(reversed(found.before), 1)]
    right = [f"{word}@{_offset(distance)}" for distance, word in enumerate(found.after, 1)]
    # A heading stands before its links, and farther away than all words nearby.
    heading = [f"{word}@-{len(OFFSET_ENDS) + 1}" for word in found.heading]
    return (*anchor, *left, *heading, *right)


def _offset(distance: int) -> int:
    return next((offset for offset, end in enumerate(OFFSET_ENDS, 1) if distance <= end), len(OFFSET_ENDS) + 1)
