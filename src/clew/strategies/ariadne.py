"""Ariadne: links are weighed by eight criteria, and the focus widens when too little is found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any, Literal

import numpy as np

from clew.errors import StrategyError
from clew.parse.url import host as host_of
from clew.strategies._base import ALL, Stale, Strategy
from clew.strategies._shared.criteria import LETTERS, Column, Pairs, Sight, mean
from clew.strategies._shared.rarity import frequencies, lowering
from clew.types import Candidate, Page


@dataclass
class Ariadne(Strategy):
    """A link is worth the weighted geometric mean of its criteria under the focus of the crawl.

    The weights are those of (a) the source page, (b) the words of the URL, (c) the anchor and the text around it,
    (d) the host, (e) the distance from the start pages, (f) the level of the URL, (g) leaving the host, (h) the
    number of links on the source page; 0 leaves a criterion out, and none counts for less than `eps`.

    After each session of so many pages its precision s is held against that of the whole crawl, r: below `a` * r
    the focus is made more general by `widen` (taxonomy, drop, reweight; "" never: simple focused crawling), above
    `b` * r the last such step is taken back. `ceiling` is the most general formula, in words; without it widening
    ends one level below ANY. What is relevant never changes. `rarer` says which topic is the rarer one: that with
    fewer relevant pages, or that which lowers more scores; `short` whether anchors and URLs are rated by any topic
    of the focus or by the rarest alone; `rescore` whether waiting links follow a new focus as well.

    >>> from clew.testing.tiny_web import order
    >>> order("ariadne", "s .8 -> a [about us] b [.9 boats]; a .1 -> c; b .9 -> d")
    ['s', 'b', 'd', 'a', 'c']

    Ester, Gross and Kriegel, Focused web crawling: a generic framework for specifying the user interest and for
    adaptive crawling strategies, 2001.
    """

    inlinks_only = True

    source: float = 4.0
    url: float = 1.0
    anchor: float = 2.0
    host: float = 1.0
    distance: float = 0.0
    level: float = 0.0
    transversal: float = 0.0
    hub: float = 0.0
    eps: float = 0.01
    session: int = 100
    a: float = 0.5
    b: float = 0.8
    widen: Literal["taxonomy", "drop", "reweight", ""] = "taxonomy"
    ceiling: str = ""
    rarer: Literal["pages", "scores"] = "pages"
    short: Literal["any", "rarest"] = "any"
    rescore: bool = True
    began: tuple[int, int] = field(default=(0, 0), init=False, repr=False)  # visits and finds before this session
    steps: list[dict[str, float]] = field(default_factory=list, init=False, repr=False)  # frequencies at each widening
    stuck: bool = field(default=False, init=False, repr=False)
    rare: dict[str, float] = field(default_factory=dict, init=False, repr=False)  # frequencies before this session
    names: list[str] = field(default_factory=list, init=False, repr=False)  # of the topics
    seen: dict[str, list[float]] = field(default_factory=dict, init=False, repr=False)  # links, then topic scores
    hosts: dict[str, list[int]] = field(default_factory=dict, init=False, repr=False)  # visits and finds
    hits: dict[str, int] = field(default_factory=dict, init=False, repr=False)  # pages relevant to a topic alone
    lowered: dict[str, int] = field(default_factory=dict, init=False, repr=False)  # scores that a topic lowers
    _foci: list[Any] = field(default_factory=list, init=False, repr=False, compare=False)
    _rated: tuple[Any, ...] = field(default=(), init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        weights = [getattr(self, name) for name in LETTERS]
        if min(weights) < 0 or not any(weights):
            raise StrategyError("ariadne: no weight may be below 0, and one must be above")
        if not 0 < self.a <= self.b or not 0 < self.eps <= 1 or self.session < 1:
            raise StrategyError("ariadne: it must hold that 0 < a <= b, 0 < eps <= 1 and session >= 1")

    def learn(self, page: Page) -> Stale:
        """Keep the topic scores of a page; at the end of a session, see to the focus."""
        self._count(page)
        visits, finds = self._crawl.visited - self.began[0], self._crawl.relevant - self.began[1]
        if visits < self.session:
            return ()
        self.began = (self._crawl.visited, self._crawl.relevant)
        self.rare = frequencies(self.hits, self.lowered, self._crawl.visited, self.rarer)
        changed = bool(self.widen) and self._adapt(finds / visits, self._precision)
        return ALL if changed and self.rescore else ()

    def score(self, candidates: Sequence[Candidate]) -> list[float]:
        """The mean for the best link to each; a start page has none and comes first."""
        found = np.ones(len(candidates))
        pairs = [(candidate, link) for candidate in candidates for link in candidate.links]
        if pairs:
            linked = [i for i, candidate in enumerate(candidates) if candidate.links]
            starts = [0, *accumulate(len(candidates[i].links) for i in linked[:-1])]
            found[linked] = np.maximum.reduceat(self._mean(self._columns(pairs)), starts)
        return found.tolist()

    def explain(self, candidate: Candidate) -> dict[str, float]:
        """The criteria of the best link, by the paper's letters."""
        if not candidate.links:
            return {"score": 1.0}
        columns = self._columns([(candidate, link) for link in candidate.links])
        scores = self._mean(columns)
        best = int(scores.argmax())
        parts = {f"({LETTERS[name]}) {name}": float(column[best]) for name, column in columns.items()}
        return {"score": float(scores[best])} | parts

    @property
    def focus(self) -> str:
        """The formula that is followed while it is not the user's own."""
        return str(self._focus()) if self.steps else ""

    @property
    def at_ceiling(self) -> bool:
        """Whether the last session asked for a wider focus in vain."""
        return self.stuck

    def load(self, data: bytes) -> None:
        """Take over a state; the focus follows from it."""
        super().load(data)
        self._foci = []

    def _count(self, page: Page) -> None:
        counts = self.hosts.setdefault(host_of(page.url), [0, 0])
        counts[0] += 1
        counts[1] += page.relevant
        if not page.ok:
            return
        self.names += [name for name in page.topics if name not in self.names]
        if page.links:
            out = len({link.url for link in page.links})
            self.seen[page.url] = [out, *(page.topics.get(name, 0.0) for name in self.names)]
        for name, value in page.topics.items():
            self.hits[name] = self.hits.get(name, 0) + (value >= self._crawl.interest.threshold)
        for name in lowering(self._focus(), page.topics):
            self.lowered[name] = self.lowered.get(name, 0) + 1

    def _adapt(self, s: float, r: float) -> bool:
        """One step up, one step back, or none; whether the focus has changed."""
        before = len(self.steps)
        self.stuck = False
        if s < self.a * r or r == 0:  # else a crawl that finds nothing would never widen
            self.stuck = self._ended() or self._focus().wider(self.widen, self.rare) is None
            if not self.stuck:
                self.steps.append(self.rare)
        elif s > self.b * r and self.steps:
            self.steps.pop()
        return len(self.steps) != before

    def _ended(self) -> bool:
        return bool(self.ceiling) and str(self._focus()).split() == self.ceiling.split()

    def _focus(self) -> Any:
        """The user's interest after the steps so far; kept, because it remembers how it rated texts."""
        if not self._foci or self._foci[0] is not self._crawl.interest:
            self._foci = [self._crawl.interest]
        del self._foci[len(self.steps) + 1 :]
        for counts in self.steps[len(self._foci) - 1 :]:
            self._foci.append(self._foci[-1].wider(self.widen, counts))
        return self._foci[-1]

    @property
    def _precision(self) -> float:
        return self._crawl.relevant / max(1, self._crawl.visited)

    def _mean(self, columns: dict[str, Column]) -> Column:
        return mean(columns, {name: getattr(self, name) for name in columns}, self.eps)

    def _columns(self, pairs: Pairs) -> dict[str, Column]:
        sight = Sight(self._relevance, self._short().rate, self._fame, lambda url: self.seen.get(url, [0.0])[0])
        return {name: np.array(sight.column(name, pairs)) for name in LETTERS if getattr(self, name)}

    def _relevance(self, url: str) -> float:
        """Of a visited page under the focus, from its topic scores."""
        if url not in self.seen:
            return 0.0
        return float(self._focus().value(dict(zip(self.names, self.seen[url][1:], strict=False))))

    def _short(self) -> Any:
        """The focus as anchors and URLs are rated by it; kept as well, for what it remembers."""
        focus = self._focus()
        if self.short == "any" or not hasattr(focus, "rarest"):
            return focus
        if self._rated[:2] != (focus, self.rare):
            self._rated = (focus, self.rare, focus.rarest(self.rare))
        return self._rated[2]

    def _fame(self, host: str) -> float:
        visits, finds = self.hosts.get(host, (0, 0))
        return (finds + 2 * self._precision) / (visits + 2)
