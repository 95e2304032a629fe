"""Learnable crawler: each crawl leaves start pages, keywords and predictions of URLs to the next one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from clew.learning.hubs import HubPage, best_hubs
from clew.parse import host
from clew.strategies import _optional
from clew.strategies._base import Stale, Strategy
from clew.text.terms import stems
from clew.types import Candidate, Link, Page

MAX_KEYWORDS: Final = 5_000
MAX_KEYWORDS_PER_LINK: Final = 30
PRIOR_PAGES: Final = 2.0
"""Average pages that every keyword and every folder of a site starts with."""


@dataclass
class Learnable(Strategy):
    """Visits candidates by what earlier crawls for the topic have taught it, and by the best page that links to them.

    The knowledge has three parts. Start pages: the `hubs` best hubs of the earlier crawl, by HITS weighted by
    relevance, found anew after `every` visits. Keywords: how relevant pages were on average that have a word in their
    title or in the anchor of a link to them. Predictions: the relevance of each URL that was visited, and from it that
    of the folder in which an unknown URL lies. A URL with a prediction gets it as its score; any other URL gets the
    mean of the relevance of its best parent, of its best keyword and, where there is one, of its folder.

    The first crawl knows nothing and rates anchors by the interest. To learn from it: `--learned-from FOLDER`, with or
    without start pages of your own. Knowledge grows from crawl to crawl, and the crawl in the folder may be that of any
    strategy.

    >>> from clew.testing.tiny_web import order
    >>> order("learnable", "s .9 -> a [.1 cars] b [.8 boats]; a -> c; b .9 -> d [.8 boats]")
    ['s', 'b', 'd', 'a', 'c']

    Rungsawang and Angkawattanawit, Learnable topic-specific web crawler, Journal of Network and Computer Applications
    28(2), 2005.
    """

    transferable = ("good", "seen", "predictions", "seeds", "pages", "finds")

    hubs: int = 10
    every: int = 50
    good: dict[str, float] = field(default_factory=dict, init=False, repr=False)  # by keyword: relevance of its pages
    seen: dict[str, int] = field(default_factory=dict, init=False, repr=False)  # by keyword: pages
    predictions: dict[str, float] = field(default_factory=dict, init=False, repr=False)  # by URL: relevance
    seeds: list[str] = field(default_factory=list, init=False, repr=False)  # the best hubs so far
    pages: int = field(default=0, init=False, repr=False)  # pages of all crawls
    finds: float = field(default=0.0, init=False, repr=False)  # sum of their relevances
    experienced: bool = field(default=False, init=False, repr=False)  # whether an earlier crawl has taught it anything
    first: list[str] = field(default_factory=list, init=False, repr=False)  # the best hubs of the earlier crawl
    visits: int = field(default=0, init=False, repr=False)  # of this crawl
    _folders: dict[str, tuple[float, int]] = field(default_factory=dict, init=False, repr=False, compare=False)

    def study(self, pages: Iterable[Page]) -> None:
        """Learn from the pages of an earlier crawl."""
        studied = [page for page in pages if page.ok]
        for page in studied:
            self._note(page, page.relevance)
        self.seeds = _hubs_of(studied, self.hubs)
        self.first = self.seeds
        self.experienced = True

    def inherit(self, state: Mapping[str, Any]) -> None:
        """Take over the knowledge of an earlier crawl."""
        _optional.take_over(self, state)
        # The earlier crawl goes on with its own knowledge.
        self.good = dict(self.good)
        self.seen = dict(self.seen)
        self.predictions = dict(self.predictions)
        self.first = self.seeds[: self.hubs]
        self.experienced = True

    def learn(self, page: Page) -> Stale:
        """Add the page to the knowledge; with the first page come the start pages that earlier crawls found."""
        stale = [] if self.visits else self.first
        if page.ok:
            self._note(page, self._crawl.relevance(page.url))
        self.visits += 1
        if self.visits % self.every == 0:
            self.seeds = _hubs_of(self._crawl.pages(), self.hubs)
        return stale

    def learn_label(self, page: Page, relevant: bool) -> Stale:
        """Correct the prediction of the page, and what its words promise."""
        self._note(page, float(relevant))
        return ()

    def value(self, candidate: Candidate) -> float:
        """Return the prediction of a known URL, or the mean of what speaks for an unknown one; hubs come first."""
        if not candidate.links or candidate.url in self.first:
            return 1.0
        if self.experienced and candidate.url in self.predictions:
            return self.predictions[candidate.url]
        parts = self._parts(candidate)
        return sum(parts.values()) / len(parts)

    def explain(self, candidate: Candidate) -> dict[str, float]:
        """Return the prediction or the parts of the mean."""
        if not candidate.links or candidate.url in self.first:
            return {"start page": 1.0}
        if self.experienced and candidate.url in self.predictions:
            return {"prediction": self.predictions[candidate.url]}
        return self._parts(candidate)

    def _parts(self, candidate: Candidate) -> dict[str, float]:
        parts = {
            "parent": max(self._crawl.relevance(link.source) for link in candidate.links),
            "keywords": max(map(self._promise, candidate.links)),
        }
        if self.experienced and (folder := self._folder_totals().get(_folder(candidate.url))):
            parts["folder"] = self._smoothed(*folder)
        return parts

    def _promise(self, link: Link) -> float:
        """Return what the best keyword of a link promises; without experience, what the interest says of it."""
        if not self.experienced:
            return self._crawl.interest.rate(link.anchor)
        known = [word for word in _words(link.anchor) if word in self.seen]
        return max((self._smoothed(self.good[word], self.seen[word]) for word in known), default=self._base)

    @property
    def _base(self) -> float:
        return self.finds / self.pages if self.pages else 0.0

    def _smoothed(self, good: float, seen: float) -> float:
        return (good + PRIOR_PAGES * self._base) / (seen + PRIOR_PAGES)

    def _note(self, page: Page, relevance: float) -> None:
        """Add a page to keywords and predictions."""
        before = self.predictions.get(page.url)
        self.predictions[page.url] = relevance
        self._count(page, relevance, before)
        if self._folders:
            total, count = self._folders.get(_folder(page.url), (0.0, 0))
            self._folders[_folder(page.url)] = (total + relevance - (before or 0.0), count + (before is None))

    def _count(self, page: Page, relevance: float, before: float | None) -> None:
        """Count a page under its keywords; one that was counted before changes its relevance only."""
        self.pages += before is None
        self.finds += relevance - (before or 0.0)
        words = dict.fromkeys(_words(page.title))
        for link in page.inlinks:
            words |= dict.fromkeys(_words(link.anchor))
        for word in words:
            if word in self.seen and before is not None:
                self.good[word] += relevance - before
            else:
                self.seen[word] = self.seen.get(word, 0) + 1
                self.good[word] = self.good.get(word, 0.0) + relevance
        if len(self.seen) > 1.2 * MAX_KEYWORDS:
            common = sorted(self.seen, key=lambda word: (-self.seen[word], word))[:MAX_KEYWORDS]
            self.seen = {word: self.seen[word] for word in common}
            self.good = {word: self.good[word] for word in common}

    def _folder_totals(self) -> dict[str, tuple[float, int]]:
        """Return the sum of relevances and the number of known URLs in each folder."""
        # Not saved: it follows from the predictions.
        if not self._folders:
            for url, relevance in self.predictions.items():
                total, count = self._folders.get(_folder(url), (0.0, 0))
                self._folders[_folder(url)] = (total + relevance, count + 1)
        return self._folders


def _hubs_of(pages: Iterable[Page], most: int) -> list[str]:
    return best_hubs(
        (
            HubPage(page.url, host(page.url), page.relevance, [link.url for link in page.links])
            for page in pages
            if page.ok
        ),
        most,
    )


def _words(text: str) -> Sequence[str]:
    return stems(text)[:MAX_KEYWORDS_PER_LINK]


def _folder(url: str) -> str:
    """
    >>> _folder("http://a.example/boats/dinghy.html")
    'http://a.example/boats/'
    """
    return url.rpartition("/")[0] + "/"
