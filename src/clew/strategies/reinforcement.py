"""The reinforcement learning spider: a link is worth the rewards that links with such words led to in the end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import exp
from typing import Any, Literal

from clew.errors import StrategyError
from clew.strategies._base import ALL, Stale, Strategy
from clew.strategies._optional import take_over
from clew.strategies._shared.link_bayes import Bayes
from clew.strategies._shared.link_words import words
from clew.strategies._shared.returns import bins, returns
from clew.text.terms import stems
from clew.types import Candidate, Link, Page

KEPT = 5000
"""Pages of the crawl tree to learn from, the first ones: what lies behind them is known best."""


@dataclass
class Reinforcement(Strategy):
    """Naive Bayes from a link's words to bins of the discounted reward behind it; the value is the expected reward.

    `gamma` discounts a step (0: only the next page counts). The original learns off-line, from the record of an
    earlier crawl; online, every so many pages, the crawl's own tree is the record. `temper` flattens the posteriors:
    most links lead to nothing, and otherwise that is all they say. `backup` is how rewards are summed up.

    >>> from clew.testing.tiny_web import order
    >>> web = "s .4 -> a [staff] b [news] c [news] d [staff]; a .45 -> e; e 1; d .45 -> f; f 1"
    >>> order("reinforcement(every=4)", web)
    ['s', 'a', 'e', 'b', 'd', 'f', 'c']

    Rennie and McCallum, Using reinforcement learning to spider the web efficiently, ICML 1999.
    """

    inlinks_only = True
    transferable = ("counts", "examples", "mass", "means")

    gamma: float = 0.5
    every: int = 500
    online: bool = True
    temper: float = 0.5
    backup: Literal["greedy", "max"] = "greedy"
    # The crawl tree: each page with the page that found it, the words of that link, and the reward.
    pages: dict[str, int] = field(default_factory=dict, init=False, repr=False)
    parents: list[int] = field(default_factory=list, init=False, repr=False)
    texts: list[str] = field(default_factory=list, init=False, repr=False)
    rewards: list[float] = field(default_factory=list, init=False, repr=False)
    titles: dict[str, str] = field(default_factory=dict, init=False, repr=False)
    counts: dict[str, list[float]] = field(default_factory=dict, init=False, repr=False)
    examples: list[float] = field(default_factory=list, init=False, repr=False)
    mass: list[float] = field(default_factory=list, init=False, repr=False)
    means: list[float] = field(default_factory=list, init=False, repr=False)  # the reward of each bin
    seen: int = field(default=0, init=False, repr=False)

    def __post_init__(self) -> None:
        if not 0 <= self.gamma < 1:
            raise StrategyError(f"reinforcement: gamma must be at least 0 and below 1, not {self.gamma}")

    def learn(self, page: Page) -> Stale:
        """Add the page to the tree; every so many pages learn from the whole of it."""
        self.seen += 1
        if page.links:
            self.titles[page.url] = " ".join(stems(page.title)[:10])
        if len(self.parents) < KEPT:
            self._add(page)
        if not self.online or self.seen % self.every or not any(self.rewards):
            return ()
        self._train(self.parents, self.texts, self.rewards)
        return ALL

    def inherit(self, state: Mapping[str, Any]) -> None:
        """Learn off-line from the tree of an earlier crawl, or take over what that had inherited."""
        take_over(self, state)
        if any(state.get("rewards", ())):
            self._train(state["parents"], state["texts"], state["rewards"])

    @property
    def missing_input(self) -> str:
        """Off-line there is nothing to go by without an earlier crawl."""
        return "" if self.online or self.means else "an earlier crawl to learn from"

    def value(self, candidate: Candidate) -> float:
        """The expected reward of the best link; before anything is learnt, the relevance of the best parent."""
        if not candidate.links:
            return 2.0
        if not self.means:
            return max(self._crawl.relevance(link.source) for link in candidate.links)
        return max(self._expected(self._chances(link)) for link in candidate.links)

    def explain(self, candidate: Candidate) -> dict[str, float]:
        """The bins' probabilities and mean rewards for the best link."""
        parts = {"Q": self.value(candidate)}
        if not self.means or not candidate.links:
            return parts
        chances = max(map(self._chances, candidate.links), key=self._expected)
        for name, chance, mean in zip(("no reward", "some reward", "much reward"), chances, self.means, strict=True):
            parts |= {f"Pr({name})": chance, f"mean Q ({name})": mean}
        return parts

    def learn_label(self, page: Page, relevant: bool) -> Stale:
        """The user's word is the reward."""
        if page.url in self.pages:
            self.rewards[self.pages[page.url]] = float(relevant)
        return ()

    def _add(self, page: Page) -> None:
        relevance = self._crawl.relevance(page.url)
        finder = page.inlinks[0] if page.inlinks else None
        self.pages[page.url] = len(self.parents)
        self.parents.append(self.pages.get(finder.source, -1) if finder else -1)
        self.texts.append(" ".join(self._words(finder)) if finder else "")
        self.rewards.append(float(relevance > 0 and relevance >= self._crawl.interest.threshold))

    def _train(self, parents: Sequence[int], texts: Sequence[str], rewards: Sequence[float]) -> None:
        linked = [at for at, text in enumerate(texts) if text]
        values = returns(parents, rewards, self.gamma, self.backup)
        places, self.means = bins([values[at] for at in linked])
        model = Bayes.of(3)
        for at, place in zip(linked, places, strict=True):
            model.add_example(texts[at].split(), [float(place == n) for n in range(3)])
        self.counts, self.examples, self.mass = model.counts, model.examples, model.mass

    def _words(self, link: Link) -> list[str]:
        found = words(link)
        named = [f"title:{word}" for word in self.titles.get(link.source, "").split()]
        return [*found.anchor, *found.heading, *found.before, *found.after, *found.url, *named]

    def _chances(self, link: Link) -> list[float]:
        logs = Bayes(self.counts, self.examples, self.mass).logs(self._words(link))
        top = max(logs)
        powers = [exp(self.temper * (one - top)) for one in logs]
        return [power / sum(powers) for power in powers]

    def _expected(self, chances: Sequence[float]) -> float:
        return sum(chance * mean for chance, mean in zip(chances, self.means, strict=True))
