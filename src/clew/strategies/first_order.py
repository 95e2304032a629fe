"""First-order focused crawling: learn rules over links and the DOM around them, and follow the links they cover."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from clew.errors import StrategyError
from clew.learning.facts import Facts
from clew.learning.relational import discover
from clew.learning.rules import enough
from clew.strategies._base import ALL, Stale, Strategy
from clew.strategies._shared import link_facts
from clew.strategies._shared.predicates import predicates
from clew.strategies._shared.rule_engine import Premises, RuleEngine
from clew.strategies._shared.rule_learners import LearnedRule
from clew.strategies._shared.stored_rules import (
    Selection,
    StoredRule,
    combined,
    confidence,
    has_failed,
    readable,
    selected,
    stored,
)
from clew.strategies._shared.targets import PagePlaces, affected, mark
from clew.types import Candidate, Link, Page

MAX_VISITS_LEARNT_FROM = 3000
"""Rules are learned from the latest visits; more of them would change few rules and cost in proportion."""
MIN_RELEVANT = 10
"""Relevant pages before the first rules, if no number of visits is given."""
PARENT_WEIGHT: Final = 0.1
"""The part of a score that the best parent's relevance has where rules hold."""
RELEVANT_SOURCE: Final = "Y relevant "
"""The condition that the page with the link is relevant."""
MAX_FOUND: Final = 1000
"""Rules from which those to keep are selected."""
GROWTH = 1.1
"""Rules are learned again when there are so many times the visits of the last time."""


@dataclass
class FirstOrder(Strategy):
    """Visits first the links that match rules learned from the links to relevant pages.

    A rule is a Prolog clause: it speaks of the words in a link's URL, anchor, surroundings and heading, of the elements
    above it, of links beside it and on its page that are known to lead to relevant pages, and of other pages that
    link to the same one. A best-first search over `effort` rules at most finds those that cover at least `support`
    relevant pages (0: five, or 1 % of the relevant pages if that is more) with enough `confidence`: 0 is the share of
    relevant pages among all, 1 is certainty, 0.5 half way between. Of these, `selection` keeps rules that cover
    different pages ("covering"), all that are not nearly the same ("distinct"), or the best ones ("best"); at
    most `most`.

    Rules are learned as soon as there are ten relevant pages, and again whenever the visits have grown by a tenth; or
    after `first` visits and every `every` visits. Links that rules cover come first, in the order of the rules' joint
    confidence, which later visits correct; rules that fail are dropped. The other links follow in best-first order.

    `predicates` adds facts about the source page of a link and the link itself, such as
    'header:server, language, depth, size, modified, title_has, page_host, host', or functions of your own:
    'my_module:function'. `clew rules` prints the rules, and exports all facts.

    >>> from clew.testing.tiny_web import order
    >>> names = "abcdefgh"
    >>> web = "s .6 -> " + " ".join(f"{n} [{'sails' if n in 'bdfh' else 'roads'}]" for n in names)
    >>> web += "; b .9; d .9; f .9; h .9"
    >>> "".join(order("first_order(first=5, every=5, support=2)", web))
    'sabcdfheg'

    Xu and Zuo, First-order focused crawling, WWW 2007.
    """

    inlinks_only = True
    transferable = ("rules", "base_rate")

    first: int = 0
    every: int = 0
    support: int = 0
    confidence: float = 0.25
    selection: Selection = "covering"
    most: int = 100
    effort: int = 100
    predicates: str = ""
    seen: int = field(default=0, init=False, repr=False)  # visits
    due: int = field(default=0, init=False, repr=False)  # visits at which rules are learned next
    rows: list[str] = field(default_factory=list, init=False, repr=False)  # by visit: a line for each link
    pages: list[str] = field(default_factory=list, init=False, repr=False)  # the URLs of these visits
    labels: list[bool] = field(default_factory=list, init=False, repr=False)  # whether they are relevant
    rules: list[StoredRule] = field(default_factory=list, init=False, repr=False)
    base_rate: float = field(default=0.0, init=False, repr=False)  # share of relevant pages when they were learned
    targets: dict[str, PagePlaces] = field(default_factory=dict, init=False, repr=False)  # by source page
    source_facts: dict[str, list[str]] = field(default_factory=dict, init=False, repr=False)  # by page: `predicates`

    def __post_init__(self) -> None:
        if min(self.first, self.every, self.support) < 0 or min(self.most, self.effort) < 1:
            raise StrategyError("first_order: first, every and support cannot be negative; most and effort start at 1")
        if not 0 <= self.confidence <= 1:
            raise StrategyError(f"first_order: confidence is between 0 and 1, not {self.confidence}")
        self._predicates = predicates(self.predicates)
        self._compiled: tuple[list[StoredRule], RuleEngine] | None = None

    def learn(self, page: Page) -> Stale:
        """Record the conditions of the links to the page; when it is due, learn the rules anew."""
        self.seen += 1
        relevant = self._is_relevant(page.url)
        self._note_source(page)
        failed = self._record(page, relevant) if page.ok and page.inlinks else ()
        stale = self._mark_targets(page.inlinks) if relevant else ()
        if self._is_due():
            return self._induce()
        return failed or stale

    def value(self, candidate: Candidate) -> float:
        """Return the best parent's relevance; where rules hold, 1 plus their confidence and a little of that."""
        if not candidate.links:
            return 2.0
        parent = max(self._crawl.relevance(link.source) for link in candidate.links)
        if firing := self._sure(self._firing(candidate.links)):
            return 1.0 + (1 - PARENT_WEIGHT) * self._combined(firing) + PARENT_WEIGHT * parent
        return parent

    def explain(self, candidate: Candidate) -> dict[str, float]:
        """Return the surest rule that fires: its number in `text`, its confidence, and what it covered."""
        parts = {"score": self.value(candidate)}
        if firing := self._sure(self._firing(candidate.links)):
            sure, number = self._surest(firing)
            names = ("positives", "negatives", "later positives", "later negatives")
            parts |= {"rule": number + 1.0, "confidence": sure}
            parts |= {"rules that hold": float(len(firing)), "confidence of all": self._combined(firing)}
            parts |= dict(zip(names, map(float, self.rules[number][1]), strict=True))
        return parts

    def load(self, data: bytes) -> None:
        """Take over a state; one of before the rules were relational has no rows, and all visits are learned again."""
        super().load(data)
        if self.rows is None:
            self.rows = []
            for page in self._crawl.pages():
                self.learn(page)

    def learn_label(self, page: Page, relevant: bool) -> Stale:
        """Replace the judge's verdict by the label."""
        if page.url in self.pages:
            self.labels[self.pages.index(page.url)] = relevant
        return self._mark_targets(page.inlinks) if relevant else ()

    @property
    def text(self) -> str:
        """The rules in Prolog, each with the pages that it covered at learning and since."""
        return "\n".join(f"{number}. {rule}" for number, rule in enumerate(self.learnt(), 1))

    def learnt(self) -> list[LearnedRule]:
        """Return the rules in the order in which `explain` numbers them."""
        return [readable(rule) for rule in self.rules]

    def facts(self) -> Facts:
        """Return all links of visited pages as relational facts, for other deduction engines: `facts().prolog()`."""
        found = Facts(modes=[predicate.mode for predicate in self._predicates])
        for page in self._crawl.pages():
            found.judged[page.url] = self._is_relevant(page.url)
            for link in page.links:
                link_facts.add(found, link, self._conditions(link))
        # What rules were learned from is among the facts even if pages are read otherwise now, without their menus.
        for url, text in self._lines():
            link_facts.add_line(found, url, text)
        found.links = list(dict.fromkeys(found.links))
        return found

    # What is known

    def _is_relevant(self, url: str) -> bool:
        relevance = self._crawl.relevance(url)
        return relevance > 0 and relevance >= self._crawl.interest.threshold

    def _conditions(self, link: Link) -> Sequence[str]:
        """What holds for a link whatever happens."""
        own = [text for predicate in self._predicates if predicate.on == "link" for text in predicate.conditions(link)]
        return (*link_facts.conditions(link), *own, *self.source_facts.get(link.source, ()))

    def _holds(self, link: Link) -> set[str]:
        """What holds for a link now."""
        holds = set(self._conditions(link))
        if self._is_relevant(link.source):
            holds.add(RELEVANT_SOURCE)
        return holds

    def _note_source(self, page: Page) -> None:
        """Keep what the user's predicates say of a page: its links need that when the page is gone."""
        found: list[str] = []
        for predicate in self._predicates:
            if predicate.on == "page":
                found += predicate.conditions(page)
        if found and page.ok:
            self.source_facts[page.url] = found

    def _record(self, page: Page, relevant: bool) -> Stale:
        """Record the conditions of the links to the page, and test the current rules on it."""
        # The page is not marked as a target yet: what counts is what held before the visit.
        for number in self._firing(page.inlinks):
            self.rules[number][1][2 if relevant else 3] += 1
        self.rows.append("\n".join(link_facts.line(link, self._conditions(link)) for link in page.inlinks))
        self.pages.append(page.url)
        self.labels.append(relevant)
        for column in (self.rows, self.pages, self.labels):
            del column[:-MAX_VISITS_LEARNT_FROM]
        return self._drop_failed()

    def _mark_targets(self, links: Iterable[Link]) -> list[str]:
        """Record that these links lead to a relevant page; return the links for which a rule may hold now."""
        relations = self._engine.relations
        stale: list[str] = []
        for link in links:
            news = mark(self.targets.setdefault(link.source, {}), link)
            if relations and news and (source := self._crawl.page(link.source)):
                stale += affected(source.links, news, relations)
        return stale

    # Rules

    @property
    def _engine(self) -> RuleEngine:
        """The rules in a form that is quick to test, made when they have changed."""
        # Counts change in place, but other rules are always another list.
        if self._compiled is None or self._compiled[0] is not self.rules:
            premises = [Premises.of(body) for body, _ in self.rules]
            engine = RuleEngine(premises, self._holds, lambda url: self.targets.get(url, {}))
            self._compiled = self.rules, engine
        return self._compiled[1]

    def _firing(self, links: Iterable[Link]) -> list[int]:
        # The conditions of a link are expensive, and without rules there is nothing to test.
        return self._engine.firing(links) if self.rules else []

    @property
    def _needed(self) -> float:
        """The confidence that a rule needs."""
        return self.base_rate + self.confidence * (1 - self.base_rate)

    def _sure(self, firing: Iterable[int]) -> list[int]:
        """Those of the rules that are still as sure as they must be; the others may recover."""
        return [number for number in firing if confidence(self.rules[number], self.base_rate) >= self._needed]

    def _combined(self, firing: Iterable[int]) -> float:
        return combined([confidence(self.rules[number], self.base_rate) for number in firing], self.base_rate)

    def _surest(self, firing: Iterable[int]) -> tuple[float, int]:
        """The confidence of the surest of these rules, and its number; the first of equal ones."""
        best = max(firing, key=lambda number: (confidence(self.rules[number], self.base_rate), -number))
        return confidence(self.rules[best], self.base_rate), best

    def _drop_failed(self) -> Stale:
        kept = [rule for rule in self.rules if not has_failed(rule, self.base_rate)]
        if len(kept) == len(self.rules):
            return ()
        self.rules = kept
        return ALL

    def _is_due(self) -> bool:
        if self.first:
            return self.seen >= self.first and (self.seen - self.first) % (self.every or self.first) == 0
        return self.seen >= self.due and sum(self.labels) >= MIN_RELEVANT

    def _induce(self) -> Stale:
        """Learn the rules anew."""
        self.due = self.seen + (self.every or int(self.seen * (GROWTH - 1)) + 1)
        facts = self._evidence()
        relevant = np.array(self.labels, dtype=bool)
        had_rules = bool(self.rules)
        self.base_rate = float(relevant.mean())
        found = discover(
            facts,
            self.pages,
            self.support or enough(relevant),
            confidence=self._needed,
            effort=self.effort,
            most=MAX_FOUND,
        )
        self.rules = [stored(rule) for rule in selected(found, relevant, self.selection, self.most)]
        return ALL if had_rules or self.rules else ()

    def _lines(self) -> Iterator[tuple[str, str]]:
        """The recorded links: the page that each leads to, and its line."""
        for url, row in zip(self.pages, self.rows, strict=True):
            yield from ((url, text) for text in row.split("\n"))

    def _evidence(self) -> Facts:
        """The recorded links as relational facts, in the order of the visits."""
        facts = Facts()
        lines = list(self._lines())
        judged = dict(zip(self.pages, self.labels, strict=True))
        sources = dict.fromkeys(text.partition("\t")[0] for _, text in lines)
        # Sources that were visited before all recorded pages come first: they were known at each of these.
        facts.judged = {url: self._is_relevant(url) for url in sources if url not in judged} | judged
        for url, text in lines:
            link_facts.add_line(facts, url, text)
        return facts
