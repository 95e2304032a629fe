"""Reinforcement learning spider: rank a link by the rewards that links with such words have led to, soon or later."""

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

START_SCORE = 2.0
"""The score of a start page; with the default `gamma`, no expected reward reaches it."""
MAX_TREE_PAGES = 5000
"""Pages of the crawl tree to learn from: the first ones, because most of what lies behind them has been visited."""
MAX_TITLE_WORDS = 10
"""Words of a page's title that count for its links."""
REWARD_BINS = ("no reward", "some reward", "much reward")
"""The classes of the classifier."""


@dataclass
class Reinforcement(Strategy):
    """Visits the links with the highest expected reward, learned from what links with such words have led to.

    A relevant page is a reward of 1. The value of a link is the discounted reward that lies behind it: each further
    step counts `gamma` times as much (0: only the next page counts). A naive Bayes classifier maps the words of a
    link to bins of that reward, and the score is the expected reward. `temper` flattens the posteriors: most links
    lead to nothing, and without it that would be all they predict. `backup` tells how the rewards behind a page are
    summed up: along the tour of a greedy crawler ("greedy"), or along the best single path ("max").

    The paper learns off-line, from the record of an earlier crawl (`learned_from`). With `online`, the crawl's own
    tree is the record, and the classifier is trained every `every` pages.

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
    pages: dict[str, int] = field(default_factory=dict, init=False, repr=False)  # URL -> its place in the tree
    parents: list[int] = field(default_factory=list, init=False, repr=False)  # -1 for a root
    texts: list[str] = field(default_factory=list, init=False, repr=False)
    rewards: list[float] = field(default_factory=list, init=False, repr=False)
    titles: dict[str, str] = field(default_factory=dict, init=False, repr=False)  # words of titles, by page
    # The classifier, as in Bayes.
    counts: dict[str, list[float]] = field(default_factory=dict, init=False, repr=False)
    examples: list[float] = field(default_factory=list, init=False, repr=False)
    mass: list[float] = field(default_factory=list, init=False, repr=False)
    means: list[float] = field(default_factory=list, init=False, repr=False)  # mean reward of each bin
    seen: int = field(default=0, init=False, repr=False)  # visits

    def __post_init__(self) -> None:
        if not 0 <= self.gamma < 1:
            raise StrategyError(f"reinforcement: gamma must be at least 0 and below 1, not {self.gamma}")

    def learn(self, page: Page) -> Stale:
        """Add the page to the crawl tree; train the classifier when it is due."""
        self.seen += 1
        if page.links:
            self.titles[page.url] = " ".join(stems(page.title)[:MAX_TITLE_WORDS])
        if len(self.parents) < MAX_TREE_PAGES:
            self._add(page)
        # Without any reward there is nothing to tell apart.
        if not self.online or self.seen % self.every or not any(self.rewards):
            return ()
        self._train(self.parents, self.texts, self.rewards)
        return ALL

    def inherit(self, state: Mapping[str, Any]) -> None:
        """Learn off-line from the tree of an earlier crawl, or take over what that crawl had inherited."""
        take_over(self, state)
        if any(state.get("rewards", ())):
            self._train(state["parents"], state["texts"], state["rewards"])

    @property
    def missing_input(self) -> str:
        """An earlier crawl, if the strategy does not learn online."""
        if self.online or self.means:
            return ""
        return "an earlier crawl to learn from; name one with learned_from, or set online=True"

    def value(self, candidate: Candidate) -> float:
        """Return the expected reward of the best link; before anything is learned, the best parent's relevance."""
        if not candidate.links:
            return START_SCORE
        if not self.means:
            return max(self._crawl.relevance(link.source) for link in candidate.links)
        return max(self._expected(self._chances(link)) for link in candidate.links)

    def explain(self, candidate: Candidate) -> dict[str, float]:
        """Return the probability and the mean reward of each bin for the best link."""
        parts = {"Q": self.value(candidate)}
        if not self.means or not candidate.links:
            return parts
        chances = max(map(self._chances, candidate.links), key=self._expected)
        for name, chance, mean in zip(REWARD_BINS, chances, self.means, strict=True):
            parts |= {f"Pr({name})": chance, f"mean Q ({name})": mean}
        return parts

    def learn_label(self, page: Page, relevant: bool) -> Stale:
        """Take the label as the reward."""
        if page.url in self.pages:
            self.rewards[self.pages[page.url]] = float(relevant)
        return ()

    def _add(self, page: Page) -> None:
        """Add a page to the tree, under the page whose link was found first."""
        self.pages[page.url] = len(self.parents)
        if page.inlinks:
            finder = page.inlinks[0]
            self.parents.append(self.pages.get(finder.source, -1))
            self.texts.append(" ".join(self._words(finder)))
        else:
            self.parents.append(-1)
            self.texts.append("")
        relevance = self._crawl.relevance(page.url)
        relevant = relevance > 0 and relevance >= self._crawl.interest.threshold
        self.rewards.append(float(relevant))

    def _train(self, parents: Sequence[int], texts: Sequence[str], rewards: Sequence[float]) -> None:
        # Start pages have no link, and a link without words teaches nothing.
        linked = [page for page, text in enumerate(texts) if text]
        values = returns(parents, rewards, self.gamma, self.backup)
        bin_of, self.means = bins([values[page] for page in linked])
        model = Bayes.of(len(REWARD_BINS))
        for page, its_bin in zip(linked, bin_of, strict=True):
            one_hot = [float(its_bin == number) for number in range(len(REWARD_BINS))]
            model.add_example(texts[page].split(), one_hot)
        self.counts = model.counts
        self.examples = model.examples
        self.mass = model.mass

    def _words(self, link: Link) -> list[str]:
        found = words(link)
        # A prefix keeps words of the title apart from words at the link.
        title = [f"title:{word}" for word in self.titles.get(link.source, "").split()]
        return [*found.anchor, *found.heading, *found.before, *found.after, *found.url, *title]

    def _chances(self, link: Link) -> list[float]:
        """Return the probability of each bin."""
        logs = Bayes(self.counts, self.examples, self.mass).logs(self._words(link))
        # Relative to the largest, so that `exp` cannot underflow for all of them.
        largest = max(logs)
        powers = [exp(self.temper * (log - largest)) for log in logs]
        return [power / sum(powers) for power in powers]

    def _expected(self, chances: Sequence[float]) -> float:
        return sum(chance * mean for chance, mean in zip(chances, self.means, strict=True))
