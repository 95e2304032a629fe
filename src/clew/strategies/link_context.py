"""Link contexts: a decision tree on the words of links predicts which of them lead to relevant pages."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from clew.learning.decision_tree import LEAF, grow
from clew.strategies._base import ALL, Stale, Strategy
from clew.strategies._shared.link_words import words
from clew.types import Candidate, Link, Page

RARE = 3
"""Links that must contain a word before the tree may ask for it."""


@dataclass
class LinkContext(Strategy):
    """Visits first the links that a decision tree on anchor, URL and nearby words expects to lead to relevant pages.

    The tree is grown anew every `every` pages, from the latest `instances` links to visited pages. The priority of a
    link is the share of relevant pages in its leaf (with Laplace's correction) times the quality of its source page:
    the relevance of that page with `quality="relevance"`, otherwise 1. Before the first tree the order is best-first.

    >>> from clew.testing.tiny_web import order
    >>> names = "abcdefgh"
    >>> web = "s .6 -> " + " ".join(f"{n} [{'sails' if n in 'bdfh' else 'roads'}]" for n in names)
    >>> web += "; b .9; d .9; f .9; h .9"
    >>> "".join(order("link_context(every=7)", web))
    'sabcdefhg'

    Tang, Hawking, Craswell and Griffiths, Focused crawling for both topical relevance and quality of medical
    information, CIKM 2005.
    """

    inlinks_only = True
    transferable = ("questions", "branches", "leaves")

    every: int = 500
    instances: int = 5000
    quality: Literal["none", "relevance"] = "none"
    seen: int = field(default=0, init=False, repr=False)  # visits
    contexts: list[str] = field(default_factory=list, init=False, repr=False)  # the words of each link, sorted
    labels: list[bool] = field(default_factory=list, init=False, repr=False)  # whether each link led to relevant pages
    # The tree as plain lists, by node: the word it asks for ("" in a leaf), the next node without and with that word,
    # and the numbers of relevant and of all links.
    questions: list[str] = field(default_factory=list, init=False, repr=False)
    branches: list[tuple[int, int]] = field(default_factory=list, init=False, repr=False)
    leaves: list[tuple[int, int]] = field(default_factory=list, init=False, repr=False)

    def learn(self, page: Page) -> Stale:
        """Learn from every link to this page; grow the tree anew when it is due."""
        self.seen += 1
        if page.ok:
            relevance = self._crawl.relevance(page.url)
            relevant = relevance > 0 and relevance >= self._crawl.interest.threshold
            self._add_instances(page.inlinks, relevant)
        # A tree needs examples of both classes.
        if self.seen % self.every or not any(self.labels) or all(self.labels):
            return ()
        self._grow()
        return ALL

    def learn_label(self, page: Page, relevant: bool) -> Stale:
        """Count the label as further instances, from the next tree on."""
        self._add_instances(page.inlinks, relevant)
        return ()

    def value(self, candidate: Candidate) -> float:
        """Return the priority of the best link."""
        if not candidate.links:
            return 1.0
        if not self.questions:
            return max(self._crawl.relevance(link.source) for link in candidate.links)
        return max(self._priority(link) for link in candidate.links)

    def deciding_link(self, candidate: Candidate) -> Link:
        """Return the best link to the candidate; without a tree, the first."""
        return max(candidate.links, key=self._priority) if self.questions else candidate.links[0]

    def explain(self, candidate: Candidate) -> dict[str, float]:
        """Return the predicted relevance and the source quality of the best link, and the counts of its leaf."""
        if not candidate.links or not self.questions:
            return {"priority": self.value(candidate)}
        best = max(candidate.links, key=self._priority)
        relevant, total = self.leaves[self._leaf(best)]
        return {
            "priority": self.value(candidate),
            "link relevance": self._relevance(best),
            "source quality": self._quality(best),
            "leaf relevant": float(relevant),
            "leaf links": float(total),
        }

    def _priority(self, link: Link) -> float:
        return self._relevance(link) * self._quality(link)

    def _quality(self, link: Link) -> float:
        return self._crawl.relevance(link.source) if self.quality == "relevance" else 1.0

    def _relevance(self, link: Link) -> float:
        relevant, total = self.leaves[self._leaf(link)]
        return (relevant + 1) / (total + 2)

    def _leaf(self, link: Link) -> int:
        """Return the leaf that the tree assigns to a link."""
        context = _context(link)
        node = 0
        while word := self.questions[node]:
            node = self.branches[node][word in context]
        return node

    def _add_instances(self, links: Iterable[Link], relevant: bool) -> None:
        for link in links:
            self.contexts.append(" ".join(sorted(_context(link))))
            self.labels.append(relevant)
        del self.contexts[: -self.instances], self.labels[: -self.instances]

    def _grow(self) -> None:
        # Entropy and two links to a leaf are the ways of C4.5, the best of those the authors tried.
        names, rows = _vocabulary([context.split() for context in self.contexts])
        tree = grow(rows, self.labels, len(names))
        self.questions = [names[at] if at != LEAF else "" for at in tree.questions]
        self.branches = tree.branches
        self.leaves = tree.leaves


def _context(link: Link) -> set[str]:
    found = words(link)
    return {*found.anchor, *found.url, *found.before, *found.after}


def _vocabulary(contexts: list[list[str]]) -> tuple[list[str], list[list[int]]]:
    """The words that are not rare, and each context by the numbers of those it has."""
    counts: dict[str, int] = {}
    for context in contexts:
        for word in context:
            counts[word] = counts.get(word, 0) + 1
    names = [word for word, count in counts.items() if count >= min(RARE, len(contexts))]
    numbers = {word: number for number, word in enumerate(names)}
    return names, [_numbered(context, numbers) for context in contexts]


def _numbered(context: list[str], numbers: dict[str, int]) -> list[int]:
    return [numbers[word] for word in context if word in numbers]
