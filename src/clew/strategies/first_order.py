"""First-order focused crawling: learn rules over links and the DOM around them, and follow the links they cover."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import numpy as np

from clew.errors import StrategyError
from clew.learning.facts import Facts
from clew.learning.rules import START, distinct, enough, prolog
from clew.learning.subgroups import Search
from clew.strategies._base import ALL, Stale, Strategy
from clew.strategies._shared.conditions import MOVING, describe, literals, sibling, still, table
from clew.strategies._shared.rule_learners import LearnedRule
from clew.types import Candidate, Link, Page

MAX_VISITS_LEARNT_FROM = 3000
"""Rules are learned from the latest visits; more of them would change few rules and cost in proportion."""

StoredRule = tuple[tuple[str, ...], list[int]]
"""The conditions of a rule, and four counts: relevant and other pages that it covered at learning, then since."""


@dataclass
class FirstOrder(Strategy):
    """Visits first the links that match rules learned from the links to relevant pages.

    Rules are learned after `first` visits, and again every `every` visits. Their conditions concern the words of a
    link's URL, anchor, surroundings and heading, the tags above it, its source page, and its siblings. A rule must
    cover at least `support` relevant pages (0: ten, or 1 % of the relevant pages if that is more) with at least the
    given `confidence`. Links that a rule covers come first, in the order of the rules' confidence; the others follow
    in best-first order. `clew rules` prints the rules.

    >>> from clew.testing.tiny_web import order
    >>> names = "abcdefgh"
    >>> web = "s .6 -> " + " ".join(f"{n} [{'sails' if n in 'bdfh' else 'roads'}]" for n in names)
    >>> web += "; b .9; d .9; f .9; h .9"
    >>> "".join(order("first_order(first=5, every=5, support=2)", web))
    'sabcdfheg'

    Xu and Zuo, First-order focused crawling, WWW 2007.
    """

    inlinks_only = True
    transferable = ("rules",)

    first: int = 1000
    every: int = 1000
    support: int = 0
    confidence: float = 0.8
    seen: int = field(default=0, init=False, repr=False)  # visits
    rows: list[str] = field(default_factory=list, init=False, repr=False)  # by visit: a line for each link
    pages: list[str] = field(default_factory=list, init=False, repr=False)  # the URLs of these visits
    labels: list[bool] = field(default_factory=list, init=False, repr=False)  # whether they are relevant
    rules: list[StoredRule] = field(default_factory=list, init=False, repr=False)
    targets: dict[str, list[int]] = field(default_factory=dict, init=False, repr=False)  # blocks with relevant targets

    def __post_init__(self) -> None:
        if self.first < 1 or self.every < 1:
            raise StrategyError("first_order: first and every must be at least 1")

    def learn(self, page: Page) -> Stale:
        """Record the conditions of the links to the page; when it is due, learn the rules anew."""
        self.seen += 1
        relevant = self._is_relevant(page)
        if page.ok and page.inlinks:
            self._record(page, relevant)
        stale = self._mark_targets(page.inlinks) if relevant else ()
        if self.seen >= self.first and (self.seen - self.first) % self.every == 0:
            return self._induce()
        return stale

    def value(self, candidate: Candidate) -> float:
        """Return 1 plus the Laplace confidence of the best rule or, without a rule, the best parent's relevance."""
        if not candidate.links:
            return 2.0
        rule = self._firing(candidate.links)
        if rule:
            return 1.0 + _laplace(rule)
        return max(self._crawl.relevance(link.source) for link in candidate.links)

    def explain(self, candidate: Candidate) -> dict[str, float]:
        """Return the counts of the rule that fires, and its number in `text`."""
        parts = {"score": self.value(candidate)}
        if rule := self._firing(candidate.links):
            names = ("positives", "negatives", "later positives", "later negatives")
            parts |= {"rule": float(self.rules.index(rule) + 1), "laplace": _laplace(rule)}
            parts |= dict(zip(names, map(float, rule[1]), strict=True))
        return parts

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
        rules: list[LearnedRule] = []
        for conditions, counts in self.rules:
            body = (*START, *literals(conditions))
            rules.append(LearnedRule(prolog(body), *counts))
        return rules

    def facts(self) -> Facts:
        """Return all links of visited pages as relational facts, for other deduction engines: `facts().prolog()`."""
        found = Facts()
        for page in self._crawl.pages():
            found.judged[page.url] = self._is_relevant(page)
            for link in page.links:
                describe(found, link)
        return found

    def _is_relevant(self, page: Page) -> bool:
        relevance = self._crawl.relevance(page.url)
        return relevance > 0 and relevance >= self._crawl.interest.threshold

    def _record(self, page: Page, relevant: bool) -> None:
        """Record the conditions of the links to the page, and test the current rules on them."""
        # The page is not marked as a target yet: the conditions are those that held before the visit.
        by_link = [dict.fromkeys(self._conditions(link)) for link in page.inlinks]
        for rule in self.rules:
            if _covers(rule, map(set, by_link)):
                _, counts = rule
                counts[2 if relevant else 3] += 1
        lines = ["\t".join(conditions) for conditions in by_link]
        self.rows.append("\n".join(lines))
        self.pages.append(page.url)
        self.labels.append(relevant)
        for column in (self.rows, self.pages, self.labels):
            del column[:-MAX_VISITS_LEARNT_FROM]

    def _conditions(self, link: Link) -> Iterator[str]:
        """Yield the conditions that hold for a link now."""
        yield from still(link)
        if self._crawl.relevance(link.source) >= self._crawl.interest.threshold:
            yield "source"
        if blocks := self.targets.get(link.source):
            yield "colink"
            if link.block in blocks:
                yield sibling(link)

    def _firing(self, links: Iterable[Link]) -> StoredRule | None:
        """Return the surest rule that holds for one of the links."""
        # The conditions of a link are expensive, and without rules there is nothing to test.
        if not self.rules:
            return None
        by_link = [set(self._conditions(link)) for link in links]
        firing = [rule for rule in self.rules if _covers(rule, by_link)]
        return max(firing, key=_laplace, default=None)

    def _mark_targets(self, links: Iterable[Link]) -> list[str]:
        """Record that these links lead to a relevant page; return the siblings for which a rule may hold now."""
        stale: list[str] = []
        moving = self._moving_conditions()
        for link in links:
            blocks = self.targets.setdefault(link.source, [])
            if link.block in blocks:
                continue
            first_on_page = not blocks
            blocks.append(link.block)
            if moving and (source := self._crawl.page(link.source)):
                # "colink" holds for all links of the page, the other moving conditions only within the block.
                whole_page = first_on_page and "colink" in moving
                stale += [other.url for other in source.links if whole_page or other.block == link.block]
        return stale

    def _moving_conditions(self) -> set[str]:
        """Return the conditions in the rules that can become true while a link waits."""
        moving: set[str] = set()
        for conditions, _ in self.rules:
            moving.update(condition for condition in conditions if condition in MOVING)
        return moving

    def _induce(self) -> Stale:
        """Learn the rules anew."""
        relevant = np.array(self.labels, dtype=bool)
        support = self.support or enough(relevant)
        names, links = table(self.rows, relevant, support)
        had_rules = bool(self.rules)
        self.rules = []
        for rule in distinct(Search(relevant, support, self.confidence).run(links)):
            conditions = tuple(names[place] for place in rule.chosen)
            self.rules.append((conditions, [rule.positives, rule.negatives, 0, 0]))
        return ALL if had_rules or self.rules else ()


def _covers(rule: StoredRule, by_link: Iterable[set[str]]) -> bool:
    """Return whether all conditions of a rule hold for one of the links."""
    conditions, _ = rule
    return any(held.issuperset(conditions) for held in by_link)


def _laplace(rule: StoredRule) -> float:
    positives, negatives, *_ = rule[1]
    return (positives + 1) / (positives + negatives + 2)
