"""Critic and apprentice: from the words around links, learn which of them the critic will like."""

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

CAP = 5
"""In-links of a candidate that count."""
RARE = 3
"""Times that a feature must have come before it counts."""
NEAR = (1, 2, 4, 8)
"""Words from the anchor up to which an offset is 1, 2, 3 and 4; beyond: 5."""
FEW = 3
"""Good or bad links beside a link that are told apart; more are all the same."""
RATE = 0.2
"""The step of the logistic model, which shrinks with what a feature has seen (AdaGrad)."""


@dataclass
class Apprentice(Strategy):
    """The odds that a link leads to a good page, from <token, offset> features and the fate of links beside it.

    The original counts offsets in leaves of the DOM; here the place of a word left or right of the anchor stands for
    them. Every in-link of a visit teaches, good to the degree of the critic's relevance. After `first` such instances
    the mean log-odds of the links order the candidates; before that the critic alone (soft focus). `model` is "bayes"
    as published, or "logistic" on the same features.

    >>> from clew.testing.tiny_web import order
    >>> names = "abcdefghij"
    >>> web = "s .6 -> " + " ".join(f"{n} [{'sails' if n in 'bdfhj' else 'roads'}]" for n in names)
    >>> web += "; " + "; ".join(f"{n} .9" for n in "bdfhj")
    >>> "".join(order("apprentice(first=7)", web))
    'sabcdefghji'

    Chakrabarti, Punera and Subramanyam, Accelerated focused crawling through online relevance feedback, WWW 2002.
    """

    rescore_top = 20
    inlinks_only = True
    transferable = ("counts", "examples", "mass", "weights", "instances")

    first: int = 500
    model: Literal["bayes", "logistic"] = "bayes"
    instances: int = field(default=0, init=False, repr=False)
    due: int = field(default=0, init=False, repr=False)  # instances at which everything is scored again
    counts: dict[str, list[float]] = field(default_factory=dict, init=False, repr=False)
    examples: list[float] = field(default_factory=lambda: [0.0] * 2, init=False, repr=False)  # bad, good
    mass: list[float] = field(default_factory=lambda: [0.0] * 3, init=False, repr=False)
    weights: dict[str, list[float]] = field(default_factory=dict, init=False, repr=False)  # and sums of squared slopes
    fates: dict[str, dict[int, list[int]]] = field(default_factory=dict, init=False, repr=False)  # of blocks: bad, good

    def learn(self, page: Page) -> Stale:
        """Every link that led here is an instance; all is scored anew whenever half as many again have come."""
        stale: list[str] = []
        if page.ok and page.inlinks:
            relevance = self._crawl.relevance(page.url)
            self._teach(page.inlinks, relevance)
            stale = self._note(page.inlinks, relevance > 0 and relevance >= self._crawl.interest.threshold)
        if self.instances < max(self.first, self.due):
            return stale if self.instances >= self.first else ()
        self.due = self.instances + self.instances // 2 + 1
        return ALL

    def learn_label(self, page: Page, relevant: bool) -> Stale:
        """The user's word counts as further instances."""
        self._teach(page.inlinks, float(relevant))
        return ()

    def value(self, candidate: Candidate) -> float:
        """Mean log-odds over the in-links, or what the critic says of the best parent."""
        links = candidate.links[:CAP]
        if not links:
            return 100.0
        if self.instances < self.first:
            return max(self._crawl.relevance(link.source) for link in candidate.links)
        return sum(map(self._odds, links)) / len(links)

    def explain(self, candidate: Candidate) -> dict[str, float]:
        """The log-odds of each link, their mean and the probability; before enough instances the critic's score."""
        score = self.value(candidate)
        if not candidate.links or self.instances < self.first:
            return {"critic": score}
        each = {f"log-odds, link {n}": self._odds(link) for n, link in enumerate(candidate.links[:CAP], 1)}
        return {"log-odds": score, "Pr(good)": 1 / (1 + exp(-max(score, -500.0))), **each}

    def _teach(self, links: Iterable[Link], good: float) -> None:
        for link in list(links)[:CAP]:
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
        near = [f"near {name} {min(count, FEW)}" for name, count in zip(("bad", "good"), fate, strict=True) if count]
        return [*offsets(link), f"critic {round(4 * self._crawl.relevance(link.source))}", *near]

    def _note(self, links: Iterable[Link], good: bool) -> list[str]:
        """For the links beside: what this one led to. Those that rise are stale; those that fall are seen in time."""
        stale: list[str] = []
        for link in links:
            fate = self.fates.setdefault(link.source, {}).setdefault(link.block, [0, 0])
            fate[good] += 1
            if good and fate[good] <= FEW and self.instances >= self.first and (page := self._crawl.page(link.source)):
                stale += [one.url for one in page.links if one.block == link.block]
        return stale

    def _step(self, features: list[str], good: float) -> None:
        """One step of logistic regression."""
        found = [self.weights.setdefault(feature, [0.0, 0.0]) for feature in dict.fromkeys([*features, "any"])]
        slope = good - 1 / (1 + exp(-max(min(sum(pair[0] for pair in found), 500.0), -500.0)))
        for pair in found:
            pair[1] += slope * slope
            pair[0] += RATE * slope / sqrt(pair[1] + 1e-9)

    @property
    def _bayes(self) -> Bayes:
        return Bayes(self.counts, self.examples, self.mass, RARE)


@lru_cache(maxsize=MEMO)
def offsets(link: Link) -> tuple[str, ...]:
    """The words around a link with their offsets, 0 in the anchor.

    >>> offsets(Link("s", "u", "ski resorts", "snow in the fine\\talps"))
    ('ski@0', 'resort@0', 'fine@-1', 'snow@-2', 'alp@1')
    """
    found = words(link)
    left = [f"{word}@-{_offset(place)}" for place, word in enumerate(reversed(found.before), 1)]
    right = [f"{word}@{_offset(place)}" for place, word in enumerate(found.after, 1)]
    far = [f"{word}@-{len(NEAR) + 1}" for word in found.heading]
    return (*(f"{word}@0" for word in found.anchor), *left, *far, *right)


def _offset(place: int) -> int:
    return next((offset for offset, last in enumerate(NEAR, 1) if place <= last), len(NEAR) + 1)
