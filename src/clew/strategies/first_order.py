"""First-order focused crawling: rules over links and the DOM around them, learnt from the crawl itself."""

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

KEPT = 3000
"""Visits to learn from, the latest; more would change few rules and cost in proportion."""


@dataclass
class FirstOrder(Strategy):
    """After `first` visits, and again every so many, find the rules that tell relevant pages by the links to them.

    Links for which a rule holds come first, the surest rule's before the others'; then best-first. A rule needs
    `support` relevant pages (0: ten, or one in a hundred) and `confidence`.

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
    rows: list[str] = field(default_factory=list, init=False, repr=False)  # a visit's links in lines of conditions
    pages: list[str] = field(default_factory=list, init=False, repr=False)  # whose rows they are
    labels: list[bool] = field(default_factory=list, init=False, repr=False)
    # Conditions, relevant and other pages that it covered when it was learnt, then those since.
    rules: list[tuple[tuple[str, ...], list[int]]] = field(default_factory=list, init=False, repr=False)
    targets: dict[str, list[int]] = field(default_factory=dict, init=False, repr=False)  # blocks with a relevant one

    def __post_init__(self) -> None:
        if self.first < 1 or self.every < 1:
            raise StrategyError("first_order: first and every must be at least 1")

    def learn(self, page: Page) -> Stale:
        """Note which conditions the visit speaks for, and what it makes of its siblings."""
        self.seen += 1
        relevant = self._is_relevant(page)
        if page.ok and page.inlinks:
            self._note(page, relevant)
        stale = self._mark(page.inlinks) if relevant else ()
        if self.seen >= self.first and (self.seen - self.first) % self.every == 0:
            return self._induce()
        return stale

    def value(self, candidate: Candidate) -> float:
        """Above 1 with a rule: its Laplace confidence; below that the relevance of the best parent."""
        if not candidate.links:
            return 2.0
        rule = self._firing(candidate.links)
        return 1.0 + _laplace(rule) if rule else max(self._crawl.relevance(link.source) for link in candidate.links)

    def explain(self, candidate: Candidate) -> dict[str, float]:
        """The numbers of the rule that fires, its place in `text` among them."""
        parts = {"score": self.value(candidate)}
        if rule := self._firing(candidate.links):
            names = ("positives", "negatives", "later positives", "later negatives")
            parts |= {"rule": float(self.rules.index(rule) + 1), "laplace": _laplace(rule)}
            parts |= dict(zip(names, map(float, rule[1]), strict=True))
        return parts

    def learn_label(self, page: Page, relevant: bool) -> Stale:
        """The user's word replaces the judge's."""
        if page.url in self.pages:
            self.labels[self.pages.index(page.url)] = relevant
        return self._mark(page.inlinks) if relevant else ()

    @property
    def text(self) -> str:
        """The rules in Prolog, each with what it covered when it was learnt and what since."""
        return "\n".join(f"{number}. {rule}" for number, rule in enumerate(self.learnt(), 1))

    def learnt(self) -> list[LearnedRule]:
        """The rules one by one, in the order of `explain`."""
        return [LearnedRule(prolog((*START, *literals(conditions))), *counts) for conditions, counts in self.rules]

    def facts(self) -> Facts:
        """Everything the visits so far say of links, for other deduction engines: `facts().prolog()`."""
        found = Facts()
        for page in self._crawl.pages():
            found.judged[page.url] = self._is_relevant(page)
            for link in page.links:
                describe(found, link)
        return found

    def _is_relevant(self, page: Page) -> bool:
        relevance = self._crawl.relevance(page.url)
        return relevance > 0 and relevance >= self._crawl.interest.threshold

    def _note(self, page: Page, relevant: bool) -> None:
        """Conditions as they were before the visit; they also test the rules there are."""
        each = [list(self._conditions(link)) for link in page.inlinks]
        for conditions, counts in self.rules:
            if any(set(conditions) <= set(one) for one in each):
                counts[2 if relevant else 3] += 1
        self.rows.append("\n".join("\t".join(dict.fromkeys(one)) for one in each))
        self.pages.append(page.url)
        self.labels.append(relevant)
        for column in (self.rows, self.pages, self.labels):
            del column[:-KEPT]

    def _conditions(self, link: Link) -> Iterator[str]:
        yield from still(link)
        if self._crawl.relevance(link.source) >= self._crawl.interest.threshold:
            yield "source"
        if blocks := self.targets.get(link.source):
            yield "colink"
            if link.block in blocks:
                yield sibling(link)

    def _firing(self, links: Iterable[Link]) -> tuple[tuple[str, ...], list[int]] | None:
        if not self.rules:
            return None
        sets = [set(self._conditions(link)) for link in links]
        fires = [rule for rule in self.rules if any(one.issuperset(rule[0]) for one in sets)]
        return max(fires, key=_laplace, default=None)

    def _mark(self, links: Iterable[Link]) -> list[str]:
        """A relevant page was found behind these: their siblings may fire now."""
        stale: list[str] = []
        in_use = {condition for conditions, _ in self.rules for condition in conditions if condition in MOVING}
        for link in links:
            blocks = self.targets.setdefault(link.source, [])
            first, new = not blocks, link.block not in blocks
            if new:
                blocks.append(link.block)
            if in_use and new and (source := self._crawl.page(link.source)):
                everything = first and "colink" in in_use
                stale += [one.url for one in source.links if everything or one.block == link.block]
        return stale

    def _induce(self) -> Stale:
        relevant = np.array(self.labels, dtype=bool)
        support = self.support or enough(relevant)
        names, links = table(self.rows, relevant, support)
        found = distinct(Search(relevant, support, self.confidence).run(links))
        old = self.rules
        self.rules = [
            (tuple(names[at] for at in rule.chosen), [rule.positives, rule.negatives, 0, 0]) for rule in found
        ]
        return ALL if old or self.rules else ()


def _laplace(rule: tuple[tuple[str, ...], list[int]]) -> float:
    good, bad, *_ = rule[1]
    return (good + 1) / (good + bad + 2)
