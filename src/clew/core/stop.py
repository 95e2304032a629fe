"""When to stop, and the reason in words: the eight rules of Ariadne, the forecast and three budgets."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Protocol, runtime_checkable

from clew.config import Until
from clew.types import HORIZON, Page, Stats

EXHAUSTED = "no candidates are left"
"""The reason when the frontier is empty; the engine sees that by itself."""

SESSION = 100  # visits between two looks at what is slow to compute or means little before


class StopRule(Protocol):
    """Asked after every page: the reason to stop, or None to go on."""

    def __call__(self, stats: Stats) -> str | None:
        """The reason, in words that a user understands."""
        ...


@runtime_checkable
class LearnsPages(Protocol):
    """A stop rule that also sees the pages: each of them once, in order, before it is asked."""

    def learn(self, page: Page) -> None: ...


class VisitedPages(Protocol):
    """What a stop rule may look at when it is made, so that it can catch up after a resume."""

    @property
    def visited(self) -> int: ...
    def pages(self) -> Iterator[Page]: ...


def stop_rules(until: Until, crawl: VisitedPages | None = None) -> list[StopRule]:
    """The rules that are set, budgets last: of two reasons the more telling one is given.

    >>> [stop] = stop_rules(Until(pages=None, relevant=1))
    >>> stop(Stats(visited=5, relevant=1))
    'found 1 relevant page'
    """
    rules: list[StopRule] = []
    if until.at_ceiling:
        rules.append(at_ceiling)
    if until.community:
        rules.append(Community(crawl))
    for name, make in LIMITS.items():
        limit = getattr(until, name)
        if limit is not None:
            rules.append(make(limit))
    return rules


def relevant(limit: int) -> StopRule:
    """Enough was found."""
    return lambda stats: f"found {_count(limit, 'relevant page')}" if stats.relevant >= limit else None


def irrelevant(limit: int) -> StopRule:
    """Too much was fetched for nothing."""
    return lambda stats: f"visited {_count(limit, 'irrelevant page')}" if stats.irrelevant >= limit else None


def drought(limit: int) -> StopRule:
    """Nothing was found for a long while."""
    reason = f"found nothing relevant in the last {_count(limit, 'visit')}"
    return lambda stats: reason if stats.since_relevant >= limit else None


def min_precision(limit: float) -> StopRule:
    """Too little is relevant of what was visited; judged only after a session's worth of visits."""
    reason = f"fewer than {limit:.4g} of the visited pages are relevant"
    return lambda stats: reason if stats.visited >= SESSION and stats.harvest < limit else None


def min_score(limit: float) -> StopRule:
    """The best that is left is not good enough; candidates on hold have no score yet."""
    reason = f"the best candidate's score is below {limit:.4g}"
    return lambda stats: reason if stats.waiting and -math.inf < stats.best < limit else None


def min_forecast(limit: float) -> StopRule:
    """Too little is to be expected; nothing can be told during the first visits."""
    reason = f"the next {HORIZON} visits are expected to bring fewer than {_count(limit, 'relevant page')}"
    return lambda stats: reason if stats.forecast is not None and stats.forecast < limit else None


def pages(limit: int) -> StopRule:
    """The budget of visits."""
    return lambda stats: f"visited {_count(stats.visited, 'page')}" if stats.visited >= limit else None


def minutes(limit: float) -> StopRule:
    """The budget of time."""
    return lambda stats: f"ran for {_count(limit, 'minute')}" if stats.seconds >= limit * 60 else None


def megabytes(limit: float) -> StopRule:
    """The budget of traffic."""
    reason = f"fetched {_count(limit, 'megabyte')}"
    return lambda stats: reason if stats.bytes >= limit * 1e6 else None


def at_ceiling(stats: Stats) -> str | None:
    """The strategy would widen its focus and cannot."""
    return "the interest cannot be widened any further" if stats.at_ceiling else None


_LIMITED = (relevant, irrelevant, drought, min_precision, min_score, min_forecast, pages, minutes, megabytes)
LIMITS: dict[str, Callable[..., StopRule]] = {make.__name__: make for make in _LIMITED}


class Community:
    """The relevant pages hold a community: each member has more links inside it than outside.

    Links count in both directions, as far as they are known; waiting and irrelevant pages are outside.
    Pages that fail the rule are peeled off until all that are left keep it. One look in each session.

    >>> from clew.types import Link
    >>> stop = Community()
    >>> for source, targets in {"a": "bx", "b": "c", "c": "ay"}.items():
    ...     stop.learn(Page(source, relevant=True, links=tuple(Link(source, url) for url in targets)))
    >>> sorted(stop.members())
    ['a', 'b', 'c']
    >>> stop(Stats(visited=100))
    '3 of the relevant pages form a community'

    Flake, Lawrence and Giles, Efficient identification of web communities, KDD 2000.
    """

    def __init__(self, crawl: VisitedPages | None = None) -> None:
        self._near: dict[str, list[str]] = {}  # relevant page -> relevant pages at the other ends of its links
        self._out: dict[str, int] = {}  # relevant page -> its links
        self._into: dict[str, int] = {}  # any URL -> pages that link to it
        self._parents: dict[str, list[str]] = {}  # URL not known as relevant -> relevant pages that link to it
        self._dense: set[str] = set()  # the relevant pages that keep the rule among all relevant ones
        self._changed: set[str] = set()  # what must be looked at to bring `_dense` up to date
        for page in crawl.pages() if crawl else ():
            self.learn(page)
        self._due = _after(crawl.visited if crawl else 0)

    def learn(self, page: Page) -> None:
        """Take in the links of a page; costs the same whatever the size of the crawl."""
        targets = dict.fromkeys(link.url for link in page.links if link.url != page.url)
        for target in targets:
            self._into[target] = self._into.get(target, 0) + 1
        self._changed.update(target for target in targets if target in self._near)
        if page.relevant:
            self._join(page.url, targets)

    def __call__(self, stats: Stats) -> str | None:
        if stats.visited < self._due:
            return None
        self._due = _after(stats.visited)
        size = len(self.members())
        return f"{size:,} of the relevant pages form a community" if size >= 3 else None

    def members(self) -> set[str]:
        """The largest set of relevant pages that keeps the rule; empty if there is none."""
        self._refresh()
        left = set(self._dense)
        inside = {url: sum(other in left for other in self._near[url]) for url in left}
        peel = [url for url in left if not self._keeps(url, inside[url])]
        while peel:
            if (url := peel.pop()) in left:
                left.remove(url)
                for other in self._near[url]:
                    if other in left:
                        inside[other] -= 1
                        if not self._keeps(other, inside[other]):
                            peel.append(other)
        return left

    def _join(self, url: str, targets: dict[str, None]) -> None:
        parents = self._parents.pop(url, [])
        known = [target for target in targets if target in self._near]
        self._near[url] = [*parents, *known]
        self._out[url] = len(targets)
        for other in self._near[url]:
            self._near[other].append(url)
        for target in targets:
            if target not in self._near:
                self._parents.setdefault(target, []).append(url)
        self._changed.update((url, *self._near[url]))

    def _refresh(self) -> None:
        for url in self._changed:
            if self._keeps(url, len(self._near[url])):
                self._dense.add(url)
            else:
                self._dense.discard(url)
        self._changed.clear()

    def _keeps(self, url: str, inside: int) -> bool:
        return 2 * inside > self._out[url] + self._into.get(url, 0)


def _after(visited: int) -> int:
    """The end of the session that is running."""
    return (visited // SESSION + 1) * SESSION


def _count(number: float, noun: str) -> str:
    shown = int(number) if number == int(number) else number
    return f"{shown:,} {noun}" + ("" if number == 1 else "s")
