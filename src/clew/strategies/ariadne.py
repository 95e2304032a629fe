"""Ariadne: rank links by eight weighted criteria, and widen the focus when too little is found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from clew.errors import StrategyError
from clew.parse.url import host as host_of
from clew.strategies._base import ALL, Stale, Strategy
from clew.strategies._shared.criteria import LETTERS, Column, Pairs, Sight, mean
from clew.strategies._shared.rarity import frequencies, lowering
from clew.types import Candidate, Link, Page


@dataclass
class Ariadne(Strategy):
    """Ranks links by source page, URL, anchor and host, and widens its focus when the crawl finds too little.

    The score of a link is the weighted geometric mean of its criteria: (a) `source`, the relevance of the source
    page; (b) `url`, the words of the URL; (c) `anchor`, the anchor and the text around it; (d) `host`, the precision
    on the host; (e) `distance` from the start pages; (f) `level` of the URL; (g) `transversal`, leaving the host;
    (h) `hub`, the number of links on the source page. The parameters of these names are the weights; 0 leaves a
    criterion out. No criterion counts for less than `eps`.

    After each session of `session` pages, its precision s is compared with r, the precision of the whole crawl. If
    s is below `a` * r, the focus becomes more general by the method `widen` ("taxonomy", "drop" or "reweight"; "" for
    never, which is simple focused crawling). If s is above `b` * r, the last such step is undone. `ceiling` is the
    most general formula allowed; without it, widening ends one level below ANY. The focus only guides the crawl:
    which pages are relevant never changes.

    `rarer` tells which of two topics is rarer: the one with fewer relevant pages ("pages"), or the one that lowers
    more scores ("scores"). `short` tells whether anchors and URLs are rated by any topic of the focus ("any") or only
    by the rarest one ("rarest"). With `rescore`, waiting candidates follow a new focus too.

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
    began: tuple[int, int] = field(default=(0, 0), init=False, repr=False)  # visits, relevant pages at session start
    steps: list[dict[str, float]] = field(default_factory=list, init=False, repr=False)  # frequencies at each widening
    stuck: bool = field(default=False, init=False, repr=False)  # the last session asked for a wider focus in vain
    rare: dict[str, float] = field(default_factory=dict, init=False, repr=False)  # frequencies after the last session
    names: list[str] = field(default_factory=list, init=False, repr=False)  # of the topics, in the order of `seen`
    seen: dict[str, list[float]] = field(default_factory=dict, init=False, repr=False)  # links, then topic scores
    hosts: dict[str, list[int]] = field(default_factory=dict, init=False, repr=False)  # visits and relevant pages
    hits: dict[str, int] = field(default_factory=dict, init=False, repr=False)  # by topic: pages relevant to it
    lowered: dict[str, int] = field(default_factory=dict, init=False, repr=False)  # by topic: scores that it lowers
    _foci: list[Any] = field(default_factory=list, init=False, repr=False, compare=False)  # the focus after each step
    _user_focus: Any = field(default=None, init=False, repr=False, compare=False)  # the focus that the user has named
    _reason: str = field(default="", init=False, repr=False, compare=False)  # why the focus has changed
    _rarest: tuple[Any, ...] = field(default=(), init=False, repr=False, compare=False)  # focus, rare, result

    def __post_init__(self) -> None:
        weights = [getattr(self, name) for name in LETTERS]
        if min(weights) < 0 or not any(weights):
            raise StrategyError("ariadne: weights must be at least 0, and one of them above 0")
        if not 0 < self.a <= self.b or not 0 < self.eps <= 1 or self.session < 1:
            raise StrategyError("ariadne: parameters must satisfy 0 < a <= b, 0 < eps <= 1 and session >= 1")

    def learn(self, page: Page) -> Stale:
        """Record the topic scores of the page; at the end of a session, adapt the focus."""
        self._count(page)
        visited_before, relevant_before = self.began
        visits = self._crawl.visited - visited_before
        if visits < self.session:
            return ()
        precision = (self._crawl.relevant - relevant_before) / visits
        self.began = (self._crawl.visited, self._crawl.relevant)
        self.rare = frequencies(self.hits, self.lowered, self._crawl.visited, self.rarer)
        changed = bool(self.widen) and self._adapt(precision, self._precision)
        return ALL if changed and self.rescore else ()

    def score(self, candidates: Sequence[Candidate]) -> list[float]:
        """Return the mean of the best link to each candidate; a start page has no links and comes first."""
        scores = np.ones(len(candidates))
        pairs: list[tuple[Candidate, Link]] = []
        linked: list[int] = []  # the candidates that have links
        starts: list[int] = []  # where the links of each begin in `pairs`
        for number, candidate in enumerate(candidates):
            if candidate.links:
                linked.append(number)
                starts.append(len(pairs))
                pairs += [(candidate, link) for link in candidate.links]
        if pairs:
            # All links at once: the criteria are arrays, and the maximum is taken over each candidate's slice.
            scores[linked] = np.maximum.reduceat(self._mean(self._columns(pairs)), starts)
        return scores.tolist()

    def explain(self, candidate: Candidate) -> dict[str, float]:
        """Return the criteria of the best link, with the paper's letters."""
        if not candidate.links:
            return {"score": 1.0}
        columns = self._columns([(candidate, link) for link in candidate.links])
        scores = self._mean(columns)
        best = int(scores.argmax())
        parts = {f"({LETTERS[name]}) {name}": float(column[best]) for name, column in columns.items()}
        return {"score": float(scores[best])} | parts

    @property
    def focus(self) -> str:
        """The formula that the crawl follows; "" if it is the user's own."""
        return str(self._focus()) if self.steps or self._user_focus else ""

    @property
    def focus_reason(self) -> str:
        """Why the focus has changed: the precision of the last session, and that of the whole crawl."""
        return self._reason

    def set_focus(self, formula: str) -> None:
        """Follow a formula of the user and adapt nothing until it is taken back by an empty one."""
        interest: Any = self._crawl.interest
        if formula and not hasattr(interest, "refocused"):
            raise StrategyError("the interest of this crawl is no formula, so it has no topics to focus on")
        self._user_focus = interest.refocused(formula) if formula else None

    @property
    def at_ceiling(self) -> bool:
        """Whether the last session asked for a wider focus in vain."""
        return self.stuck

    def load(self, data: bytes) -> None:
        """Load a saved state."""
        super().load(data)
        # The foci of the loaded steps are built when they are needed.
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
        """Widen the focus by one step, undo one, or neither; return whether the focus has changed."""
        before = len(self.steps)
        self.stuck = False
        # A focus that the user has named stays as it is.
        if self._user_focus:
            return False
        # With r = 0 no s is below `a` * r, and a crawl that finds nothing would never widen.
        if s < self.a * r or r == 0:
            self.stuck = self._is_at_ceiling() or self._focus().wider(self.widen, self.rare) is None
            if not self.stuck:
                self.steps.append(self.rare)
                self._reason = f"widened, session precision s = {s:.3f} is below a * r, {self.a:g} * {r:.3f}"
        elif s > self.b * r and self.steps:
            self.steps.pop()
            self._reason = f"narrowed, session precision s = {s:.3f} is above b * r, {self.b:g} * {r:.3f}"
        return len(self.steps) != before

    def _is_at_ceiling(self) -> bool:
        return bool(self.ceiling) and str(self._focus()).split() == self.ceiling.split()

    def _focus(self) -> Any:
        """Return the user's interest after the steps so far."""
        if self._user_focus:
            return self._user_focus
        # Foci are kept, not rebuilt, because an interest caches its ratings of texts.
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
        sight = Sight(self._relevance, self._short_texts().rate, self._fame, lambda url: self.seen.get(url, [0.0])[0])
        return {name: np.array(sight.column(name, pairs)) for name in LETTERS if getattr(self, name)}

    def _relevance(self, url: str) -> float:
        """Return the relevance of a visited page under the focus, from its topic scores."""
        if url not in self.seen:
            return 0.0
        # A page visited before the last topics were known has fewer scores than there are names.
        topics = dict(zip(self.names, self.seen[url][1:], strict=False))
        return float(self._focus().value(topics))

    def _short_texts(self) -> Any:
        """Return the interest that rates short texts, anchors and URLs; it is kept for its cache of ratings."""
        focus = self._focus()
        if self.short == "any" or not hasattr(focus, "rarest"):
            return focus
        if self._rarest[:2] != (focus, self.rare):
            self._rarest = (focus, self.rare, focus.rarest(self.rare))
        return self._rarest[2]

    def _fame(self, host: str) -> float:
        """Return the precision on a host."""
        visits, relevant = self.hosts.get(host, (0, 0))
        # Smoothed with two visits of average precision: an unknown host is neither good nor bad.
        return (relevant + 2 * self._precision) / (visits + 2)
