"""Ariadne: rank links by weighted criteria, and widen the focus when too little is found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from clew.errors import StrategyError
from clew.parse.url import host as host_of
from clew.strategies._base import ALL, HOLD, Stale, Strategy
from clew.strategies._shared.criteria import LETTERS, OF_FOCUS, Column, Pairs, Sight, best_of_each, lexicographic, mean
from clew.strategies._shared.focus_path import NARROW, WIDEN, FocusPath, Step
from clew.strategies._shared.precisions import counted, file_key, folder_key, precision
from clew.strategies._shared.rarity import frequencies, lowering, with_known
from clew.types import Candidate, Link, Page

Layer = tuple[Column, dict[str, Column]]
"""The scores of links under one focus, with the criteria behind them."""


@dataclass
class Ariadne(Strategy):
    """Ranks links by source page, URL, anchor and host, and widens its focus when the crawl finds too little.

    The score of a link combines criteria: (a) `source`, the relevance of the source page, and `meta`, that of its
    title, description and keywords; (b) `url`, the words of the URL; (c) `anchor`, the anchor and the text around it;
    (d) `host`, the precision on the host, and `path`, that on its pages in the same folder or with a like file name;
    (e) `distance` from the start pages; (f) `level` of the URL; (g) `transversal`, leaving the host; (h) `hub`, the
    number of links on the source page. The parameters of these names are the weights; 0 leaves a criterion out.
    With `combine` "geometric" the score is the weighted geometric mean, in which no criterion counts for less than
    `eps`; with "lexicographic" the criterion with the largest weight decides, and the others only between equals.

    Links that score below `prune` are not followed, nor are links to a host of whose first `prune_hosts` pages none was
    relevant; 0 prunes nothing.

    After each session of `session` pages, its precision s is compared with r, the precision of the whole crawl. If
    s is below `a` * r, the focus becomes more general by the method `widen` ("taxonomy", "drop" or "reweight"; "" for
    never, which is simple focused crawling). If s is above `b` * r, the last such step is undone, or, with `narrow`
    "frequent", the most frequent topic becomes more special. `ceiling` is the most general formula allowed; without it,
    widening ends one level below ANY. The focus only guides the crawl: which pages are relevant never changes.

    The focus is layered: a link has its best score under any focus on the way from the user's interest to the widest,
    where each step multiplies the score by `fade`. So a wider focus adds links and never forgets what the user wants.
    With `fade` 0 only the widest focus counts, as in the paper.

    `rarer` tells which of two topics is rarer: the one with fewer relevant pages ("pages"), or the one that lowers
    more scores ("scores"). Where you know it better, `shares` gives the share of all pages that is on a topic:
    {'sailing': 0.001, 'tourism': 0.1}. `short` tells whether anchors and URLs are rated by any topic of the focus
    ("any") or only by the rarest one ("rarest"). With `rescore`, waiting candidates follow a new focus too.

    >>> from clew.testing.tiny_web import order
    >>> order("ariadne", "s .8 -> a [about us] b [.9 boats]; a .1 -> c; b .9 -> d")
    ['s', 'b', 'd', 'a', 'c']

    Ester, Gross and Kriegel, Focused web crawling: a generic framework for specifying the user interest and for
    adaptive crawling strategies, 2001.
    """

    inlinks_only = True
    added_later = ("shares",)

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
    meta: float = 0.0
    path: float = 0.0
    combine: Literal["geometric", "lexicographic"] = "geometric"
    prune: float = 0.0
    prune_hosts: int = 0
    narrow: Literal["undo", "frequent"] = "undo"
    fade: float = 0.7
    shares: Mapping[str, float] = field(default_factory=dict)
    began: tuple[int, int] = field(default=(0, 0), init=False, repr=False)  # visits, relevant pages at session start
    steps: list[Step] = field(default_factory=list, init=False, repr=False)  # from the user's interest to the focus
    stuck: bool = field(default=False, init=False, repr=False)  # the last session asked for a wider focus in vain
    rare: dict[str, float] = field(default_factory=dict, init=False, repr=False)  # frequencies after the last session
    names: list[str] = field(default_factory=list, init=False, repr=False)  # of the topics, in the order of `seen`
    seen: dict[str, list[float]] = field(default_factory=dict, init=False, repr=False)  # links, then topic scores
    metas: dict[str, str] = field(default_factory=dict, init=False, repr=False)  # title, description and keywords
    hosts: dict[str, list[int]] = field(default_factory=dict, init=False, repr=False)  # visits and relevant pages
    folders: dict[str, list[int]] = field(default_factory=dict, init=False, repr=False)  # the same by folder
    files: dict[str, list[int]] = field(default_factory=dict, init=False, repr=False)  # the same by file name
    hits: dict[str, int] = field(default_factory=dict, init=False, repr=False)  # by topic: pages relevant to it
    lowered: dict[str, int] = field(default_factory=dict, init=False, repr=False)  # by topic: scores that it lowers
    _way: FocusPath = field(init=False, repr=False, compare=False)
    _user_focus: Any = field(default=None, init=False, repr=False, compare=False)  # the focus that the user has named
    _reason: str = field(default="", init=False, repr=False, compare=False)  # why the focus has changed
    _rarest: dict[int, tuple[Any, ...]] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        weights = [getattr(self, name) for name in LETTERS]
        if min(weights) < 0 or not any(weights):
            raise StrategyError("ariadne: weights must be at least 0, and one of them above 0")
        if not 0 < self.a <= self.b or not 0 < self.eps <= 1 or self.session < 1:
            raise StrategyError("ariadne: parameters must satisfy 0 < a <= b, 0 < eps <= 1 and session >= 1")
        if not 0 <= self.fade <= 1 or self.prune < 0 or self.prune_hosts < 0:
            raise StrategyError("ariadne: parameters must satisfy 0 <= fade <= 1, prune >= 0 and prune_hosts >= 0")
        if not all(isinstance(share, int | float) and 0 <= share <= 1 for share in self.shares.values()):
            raise StrategyError(f"ariadne: shares must be between 0 and 1, such as {{'sailing': 0.01}}: {self.shares}")
        self._way = FocusPath(self.widen)
        # What is known beforehand holds from the first page on.
        self.rare = dict(self.shares)

    def learn(self, page: Page) -> Stale:
        """Record the topic scores of the page; at the end of a session, adapt the focus."""
        self._count(page)
        left = self._left_host(page)
        visited_before, relevant_before = self.began
        visits = self._crawl.visited - visited_before
        if visits < self.session:
            return left
        share = (self._crawl.relevant - relevant_before) / visits
        self.began = (self._crawl.visited, self._crawl.relevant)
        self.rare = self._frequencies()
        changed = bool(self.widen) and self._adapt(share, self._precision)
        return ALL if changed and self.rescore else left

    def score(self, candidates: Sequence[Candidate]) -> list[float]:
        """Return the score of the best link to each candidate; a start page has no links and comes first."""
        scores = best_of_each(
            candidates, lambda pairs: np.maximum.reduce([scores for scores, _ in self._layers(pairs)])
        )
        return self._pruned(candidates, scores)

    def deciding_link(self, candidate: Candidate) -> Link:
        """Return the best link to the candidate, under the focus that gives it the highest score."""
        layers = self._layers([(candidate, link) for link in candidate.links])
        scores, _ = max(layers, key=lambda layer: float(layer[0].max()))
        return candidate.links[int(scores.argmax())]

    def explain(self, candidate: Candidate) -> dict[str, float]:
        """Return the criteria of the best link, with the paper's letters."""
        if not candidate.links:
            return {"score": 1.0}
        layers = self._layers([(candidate, link) for link in candidate.links])
        scores, columns = max(layers, key=lambda layer: float(layer[0].max()))
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
        self._way = FocusPath(self.widen)

    def _count(self, page: Page) -> None:
        counted(self.hosts, host_of(page.url), page.relevant)
        if self.path:
            counted(self.folders, folder_key(page.url), page.relevant)
            counted(self.files, file_key(page.url), page.relevant)
        if not page.ok:
            return
        self.names += [name for name in page.topics if name not in self.names]
        if page.links:
            out = len({link.url for link in page.links})
            self.seen[page.url] = [out, *(page.topics.get(name, 0.0) for name in self.names)]
            if self.meta:
                self.metas[page.url] = f"{page.title} {page.meta}".strip()
        for name, value in page.topics.items():
            self.hits[name] = self.hits.get(name, 0) + (value >= self._crawl.interest.threshold)
        for name in lowering(self._focus(), page.topics):
            self.lowered[name] = self.lowered.get(name, 0) + 1

    def _adapt(self, s: float, r: float) -> bool:
        """Widen the focus by one step, narrow it by one, or neither; return whether the focus has changed."""
        self.stuck = False
        # A focus that the user has named stays as it is.
        if self._user_focus:
            return False
        # With r = 0 no s is below `a` * r, and a crawl that finds nothing would never widen.
        if s < self.a * r or r == 0:
            self.stuck = self._is_at_ceiling() or self._focus().wider(self.widen, self.rare) is None
            if not self.stuck:
                self._move(WIDEN)
                self._reason = f"widened, session precision s = {s:.3f} is below a * r, {self.a:g} * {r:.3f}"
            return not self.stuck
        if s > self.b * r and self.steps:
            self._move(NARROW)
            self._reason = f"narrowed, session precision s = {s:.3f} is above b * r, {self.b:g} * {r:.3f}"
            return True
        return False

    def _move(self, way: str) -> None:
        if way == NARROW and self.narrow == "undo":
            self.steps.pop()
            del self._way.foci[-1]
            return
        self.steps.append((way, self.rare))
        self._way.move(way, self.rare)
        if len(self._way.foci) == 1:
            # Back at the user's interest: how the crawl got there no longer matters.
            self.steps.clear()

    def _is_at_ceiling(self) -> bool:
        return bool(self.ceiling) and str(self._focus()).split() == self.ceiling.split()

    def _foci(self) -> list[Any]:
        """Return the user's interest and the foci after it, up to the one that the crawl follows."""
        if self._user_focus:
            return [self._user_focus]
        foci = self._way.foci
        if not foci or foci[0] is not self._crawl.interest:
            return self._way.follow(self._crawl.interest, self.steps)
        return foci

    def _frequencies(self) -> dict[str, float]:
        """Return how frequent topics are: as far as the user knows, else by the pages so far."""
        visited = self._crawl.visited
        return with_known(frequencies(self.hits, self.lowered, visited, self.rarer), self.shares, visited)

    def _focus(self) -> Any:
        return self._foci()[-1]

    @property
    def _precision(self) -> float:
        return self._crawl.relevant / max(1, self._crawl.visited)

    def _layers(self, pairs: Pairs) -> list[Layer]:
        """Return the scores of links under every focus that counts."""
        foci = self._foci()
        counting = list(enumerate(foci)) if self.fade else [(0, foci[-1])]
        used = [name for name in LETTERS if getattr(self, name)]
        common = {name: self._column(name, pairs, foci[-1]) for name in used if name not in OF_FOCUS}
        layers: list[Layer] = []
        for step, focus in counting:
            columns = {name: common[name] if name in common else self._column(name, pairs, focus) for name in used}
            layers.append((self.fade**step * self._combined(columns), columns))
        return layers

    def _combined(self, columns: dict[str, Column]) -> Column:
        weights = {name: getattr(self, name) for name in columns}
        return mean(columns, weights, self.eps) if self.combine == "geometric" else lexicographic(columns, weights)

    def _column(self, name: str, pairs: Pairs, focus: Any) -> Column:
        sight = Sight(
            relevance=lambda url: self._relevance(url, focus),
            rate=self._short_texts(focus).rate,
            fame=self._fame,
            links=lambda url: self.seen.get(url, [0.0])[0],
            meta=lambda url: self.metas.get(url, ""),
            kin=self._kin,
        )
        return np.array(sight.column(name, pairs))

    def _relevance(self, url: str, focus: Any) -> float:
        """Return the relevance of a visited page under a focus, from its topic scores."""
        if url not in self.seen:
            return 0.0
        # A page visited before the last topics were known has fewer scores than there are names.
        topics = dict(zip(self.names, self.seen[url][1:], strict=False))
        return float(focus.value(topics))

    def _short_texts(self, focus: Any) -> Any:
        """Return the interest that rates short texts, anchors and URLs; it is kept for its cache of ratings."""
        if self.short == "any" or not hasattr(focus, "rarest"):
            return focus
        known = self._rarest.get(id(focus), ())
        if known[:2] != (focus, self.rare):
            known = self._rarest[id(focus)] = (focus, self.rare, focus.rarest(self.rare))
        return known[2]

    def _fame(self, host: str) -> float:
        """Return the precision on a host; an unknown one is neither good nor bad."""
        return precision(self.hosts, host, self._precision)

    def _kin(self, url: str) -> float:
        """Return the precision on pages of the host in the same folder and of those with a like name, on average."""
        expected = self._fame(host_of(url))
        same_folder = precision(self.folders, folder_key(url), expected)
        return (same_folder + precision(self.files, file_key(url), expected)) / 2

    def _is_barren(self, host: str) -> bool:
        visits, relevant = self.hosts.get(host, (0, 0))
        return 0 < self.prune_hosts <= visits and not relevant

    def _left_host(self, page: Page) -> Sequence[str]:
        """Return the candidates on the host of a page, if this visit was the last that the host was given."""
        host = host_of(page.url)
        if not self._is_barren(host):
            return ()
        return [candidate.url for candidate in self._crawl.candidates() if host_of(candidate.url) == host]

    def _pruned(self, candidates: Sequence[Candidate], scores: list[float]) -> list[float]:
        if not self.prune and not self.prune_hosts:
            return scores
        for place, candidate in enumerate(candidates):
            # The user has asked for the start pages.
            if candidate.links and (scores[place] < self.prune or self._is_barren(host_of(candidate.url))):
                scores[place] = HOLD
        return scores
