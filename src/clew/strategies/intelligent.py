"""Intelligent crawling: learn during the crawl which words, URLs, links and siblings go with relevant pages."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

import numpy as np

from clew.errors import StrategyError
from clew.learning.ratios import Floats, balanced, sibling
from clew.strategies._base import ALL, Crawl, Stale
from clew.strategies._shared.kinship import PARENTS, Kinship
from clew.strategies._shared.knowledge import Knowledge, tokens
from clew.strategies._shared.lexicon import Ids
from clew.types import Candidate, Page

FACTORS: Final = ("content", "url", "link", "sibling")
MAX_WORDS: Final = 50  # words that count for a candidate; hundreds would drown out the other factors
CONCLUSION_GROWTH: Final = 1.05  # growth of the crawl after which the significant words are determined anew
PAGES_PER_BALANCE: Final = 100  # pages after which the weights are balanced again, at most
BALANCE_SAMPLE: Final = 1000  # candidates in the sample for it


@dataclass
class Intelligent(Knowledge):
    """Ranks candidates by the words, URL tokens, links and siblings that have gone with relevant pages so far.

    Each of the four factors gives an interest ratio P(C|E)/P(C): by how much the evidence E makes a relevant page
    likelier. E is the words of the in-linking pages, the tokens of the URL, the relevance of the in-linking pages, or
    the relevance of siblings, pages that are linked from the same page. The score is the sum of the logarithms, with
    weights that make the factors equally large on average. Until the first relevant page the order is random.

    `factors` uses one of the factors alone. `own_weights=(2, 1, 1, 0)` weights content, URL, links and siblings as you
    say instead of balancing them. A word or token counts from `deviations` standard deviations on.
    `significance="paper"` uses the formula of the paper, for which a word seen once is certain evidence.
    `content="inlinks"` learns from the words of the pages that link to a page, instead of its own words.
    `locality="exact"` compares links with links instead of pages. With `learned_from`, all counts of an earlier crawl
    are taken over; `inherited_weight=0.5` takes them over by half. Set `min_score = 0` to stop the crawl when no
    candidate is promising.

    >>> from clew.testing.tiny_web import order
    >>> web = "s .9 -> a/x b/x; a/x .9 -> a/y b/y; b/x -> b/z"
    >>> order("intelligent(factors='url', significance='paper')", web)[3]
    'a/y'

    Aggarwal, Al-Garawi and Yu, Intelligent crawling on the World Wide Web with arbitrary predicates, WWW 2001.
    """

    # The statistics change with every page, and with them all scores: the best are looked at before each choice,
    # the others now and then.
    rescore_top = 64
    rescore_all_every = 200
    needs_graph = True

    factors: Literal["composite", "content", "url", "link", "sibling"] = "composite"
    significance: Literal["binomial", "paper"] = "binomial"
    content: Literal["pages", "inlinks"] = "pages"
    locality: Literal["paper", "exact"] = "paper"
    inherited_weight: float = 1.0  # of the counts of an earlier crawl
    deviations: float = 2.0  # t in the paper
    own_weights: tuple[float, ...] = ()  # of the factors, in the order of FACTORS
    weights: tuple[float, ...] = field(default=(1.0, 1.0, 1.0, 1.0), init=False, repr=False)  # of the factors
    due: tuple[float, float] = field(default=(0.0, 0.0), init=False, repr=False)  # page of the next conclusion, balance
    _tops: dict[int, Ids] = field(default_factory=dict, init=False, repr=False)  # page -> ranks of its best words
    _content: dict[tuple[int, ...], float] = field(default_factory=dict, init=False, repr=False)  # ln I by parents
    _ranks: Ids | None = field(default=None, init=False, repr=False)  # word -> rank, the most significant first

    def __post_init__(self) -> None:
        if not 0.0 < self.inherited_weight <= 1.0:
            raise ValueError(f"inherited_weight must be above 0 and at most 1, not {self.inherited_weight}")
        if self.deviations < 0:
            raise StrategyError(f"intelligent: deviations cannot be negative, as {self.deviations}")
        own = self.own_weights
        if own and (len(own) != len(FACTORS) or min(own) < 0 or not any(own)):
            needed = f"four weights, of {', '.join(FACTORS)}: at least 0 each, and one of them above"
            raise StrategyError(f"intelligent: own_weights must be {needed}, not {own}")

    def inherit(self, state: Mapping[str, Any]) -> None:
        """Take over what an earlier crawl has counted, whole or with less weight."""
        super().inherit(state)
        if self.inherited_weight < 1.0:
            self._fade(self.inherited_weight)

    def start(self, crawl: Crawl) -> None:
        """Bind to a crawl."""
        super().start(crawl)
        self._kin = Kinship(crawl, self.pages)
        # Knowledge inherited from an earlier crawl counts from the first page on.
        if self.hits and not self.due[0]:
            self._conclude(self.significance, self.deviations)

    def load(self, data: bytes) -> None:
        """Load a saved state; what was derived from another one is forgotten."""
        super().load(data)
        self._kin = Kinship(self._crawl, self.pages)
        self._ranks = None

    def _saved(self) -> list[str]:
        """As before these parameters were there: they say nothing about a state that has been saved."""
        return [name for name in super()._saved() if name not in ("inherited_weight", "deviations", "own_weights")]

    def learn(self, page: Page) -> Stale:
        """Count the page; the scores of its siblings are stale, after the first hit those of all candidates."""
        number = self._crawl.number(page.url)
        if not page.ok or number is None:
            return ()
        first = not self.hits
        self._take_in(page, number, page.relevant, self.content == "inlinks")
        if not self.hits:
            return ()
        self._update_statistics()
        return ALL if first else self._kin.beside(number)

    def learn_label(self, page: Page, relevant: bool) -> Stale:
        """Count the page as the label says."""
        number = self._crawl.number(page.url)
        if number is None or self.pages.get(number, relevant) == relevant:
            return ()
        self._take_back(page, number, relevant, self.content == "inlinks")
        # A label corrects earlier counts, so the significant words are determined anew at once.
        self.due = (0.0, self.due[1])
        if self.hits:
            self._update_statistics()
        return ALL

    def score(self, candidates: Sequence[Candidate]) -> Sequence[float]:
        """Return the weighted sum of the logarithms; before the first hit, a random number."""
        if not self.hits:
            return [self._crawl.chance("intelligent", candidate.url) for candidate in candidates]
        scores: list[float] = (self._logs(candidates) * self._factor_weights()).sum(axis=1).tolist()
        return scores

    def explain(self, candidate: Candidate) -> dict[str, float]:
        """Return the four log interest ratios with their weights."""
        [score] = self.score([candidate])
        if not self.hits:
            return {"chance": score}
        parts = {"priority": score}
        for name, log, weight in zip(FACTORS, self._logs([candidate])[0], self._factor_weights(), strict=True):
            parts |= {f"ln I {name}": float(log), f"weight {name}": float(weight)}
        return parts

    def _update_statistics(self) -> None:
        """Determine the significant words and balance the weights, each if it is due."""
        conclusion, balance = self.due
        if self.visited >= conclusion:
            self._conclude(self.significance, self.deviations)
            self._ranks = None
            # In proportion to the crawl, because the cost grows with the vocabulary.
            conclusion = max(self.visited + 1.0, self.visited * CONCLUSION_GROWTH)
        if self.visited >= balance:
            self._balance()
            # Early and often at first: the first candidates are few, and not like those to come.
            balance = self.visited + min(len(self.pages), PAGES_PER_BALANCE)
        self.due = (conclusion, balance)

    def _balance(self) -> None:
        """Set weights that make the factors equally large over a sample of the candidates, as far as they are known."""
        unvisited = np.flatnonzero(np.isnan(self._crawl.relevances()))
        # At regular intervals over the order of discovery: a sample without chance, and cheap to draw.
        numbers = unvisited[:: max(1, len(unvisited) // BALANCE_SAMPLE)][:BALANCE_SAMPLE]
        candidates = [self._crawl.candidate(self._crawl.url(number)) for number in numbers.tolist()]
        if sample := [candidate for candidate in candidates if candidate]:
            logs = self._logs(sample)
            # A factor rests on the events that it knows, and on the candidates for which it says anything.
            known = np.array([len(self.speaking[0]), len(self.naming), sum(self.links), sum(self.links)])
            evidence = np.minimum(known, np.count_nonzero(logs, axis=0))
            self.weights = tuple(balanced(np.abs(logs).mean(axis=0), evidence).tolist())

    def _factor_weights(self) -> Floats:
        if self.factors == "composite":
            return np.array(self.own_weights or self.weights)
        return np.array([float(name == self.factors) for name in FACTORS])

    def _logs(self, candidates: Sequence[Candidate]) -> Floats:
        """Return the log interest ratios: a row for each candidate, a column for each factor."""
        token_log = self.naming.get
        ratios = self._locality().ratios(self.rate, self.locality == "exact")
        from_hit, from_miss = map(math.log, ratios)
        rows = []
        # Three of the factors depend on the parents alone, and many candidates have the same ones.
        by_parents: dict[tuple[int, ...], tuple[float, float, float]] = {}
        self._kin.keep_up()
        for candidate in candidates:
            parents = self._kin.parents_of(candidate)
            if parents not in by_parents:
                hits = sum(map(self.pages.__getitem__, parents))
                linked = hits * from_hit + (len(parents) - hits) * from_miss
                by_parents[parents] = (self._content_log(parents), linked, self._sibling_log(parents))
            content, linked, siblings = by_parents[parents]
            url = sum([token_log(token, 0.0) for token in tokens(candidate.url)])
            rows.append((content, url, linked, siblings))
        return np.array(rows).reshape(-1, len(FACTORS))

    def _sibling_log(self, parents: tuple[int, ...]) -> float:
        return math.log(sibling(*self._kin.siblings(parents), self._own_rate()))

    def _own_rate(self) -> float:
        """P(C) in this crawl, to whose pages all siblings belong; that of an earlier crawl counts as one page."""
        # An earlier crawl has ended among relevant pages. By its rate, one hit among five siblings would speak against
        # a candidate, where this crawl has just begun to find any.
        return (self._kin.hits + self.rate) / (len(self.pages) + 1.0)

    def _content_log(self, parents: tuple[int, ...]) -> float:
        """Return the log interest ratio of the most significant words on any of the in-linking pages."""
        ranking = self._ranking()
        latest = parents[-PARENTS:]
        if latest not in self._content:
            # The best words of all pages are among the best of each. A word of several pages counts once.
            tops = [self._top(parent, ranking) for parent in latest]
            ranks = np.sort(np.concatenate([ranking[:0], *tops]))
            ranks = ranks[np.diff(ranks, prepend=-1) > 0][:MAX_WORDS]
            self._content[latest] = float(self.speaking[1][ranks].sum())
        return self._content[latest]

    def _top(self, number: int, ranking: Ids) -> Ids:
        """Return the ranks of the most significant words on a page, in order."""
        if number not in self._tops:
            ranks = ranking[self.texts[self._kin.rows[number]]]
            self._tops[number] = np.sort(ranks[ranks >= 0])[:MAX_WORDS]
        return self._tops[number]

    def _ranking(self) -> Ids:
        """Return the rank of each word by significance, -1 for insignificant words."""
        # One more than there are words: an empty place in a text is -1, which points to the last rank.
        size = len(self.words["seen"]) + 1
        if self._ranks is None or len(self._ranks) != size:
            # What was derived from another ranking no longer holds.
            self._tops = {}
            self._content = {}
            words = self.speaking[0]
            self._ranks = np.full(size, -1, np.int32)
            self._ranks[words] = np.arange(len(words), dtype=np.int32)
        return self._ranks
