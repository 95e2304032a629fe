"""Stop rules, which end a crawl and give the reason: the eight rules of Ariadne, the forecast and four budgets."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Protocol, runtime_checkable

from clew.config import Until
from clew.types import HORIZON, Page, Stats

EXHAUSTED = "no candidates are left"
"""The reason for stopping when the frontier is empty; the engine checks this itself."""

SESSION_VISITS = 100  # between two checks of a rule that is slow, and before a precision means anything
MIN_COMMUNITY_PAGES = 3


class StopRule(Protocol):
    """Called after every page; returns the reason to stop, or None to continue."""

    def __call__(self, stats: Stats) -> str | None:
        """The reason to stop, as a message to the user, or None."""
        ...


@runtime_checkable
class LearnsPages(Protocol):
    """A stop rule that also sees the pages: each of them once, in order, before it is called."""

    def learn(self, page: Page) -> None: ...


class VisitedPages(Protocol):
    """The visited pages, from which a stop rule catches up when a crawl is resumed."""

    @property
    def visited(self) -> int: ...
    def pages(self) -> Iterator[Page]: ...


class Counts(Protocol):
    """What the budgets of a crawl count."""

    @property
    def visited(self) -> int: ...
    @property
    def pages(self) -> int: ...


def stop_rules(until: Until, crawl: VisitedPages | None = None) -> list[StopRule]:
    """The rules that are set. Budgets come last: if two rules apply, the more informative reason is given.

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
    if until.visits is None and until.visit_limit is not None:
        rules.append(few_pages(until.visit_limit))
    return rules


def reason_of(rule: StopRule, stats: Stats) -> str:
    """Why a stop rule wants an end, or ""; a user's rule may just say True."""
    reason = rule(stats)
    if not reason or isinstance(reason, str):
        return reason or ""
    name = getattr(rule, "__name__", type(rule).__name__)
    return f"the stop rule {name} holds"


def reached_limit(until: Until, stats: Stats) -> tuple[str, float, str] | None:
    """The first limit that a crawl has reached: the name of the setting, its value, and the reason to stop.

    >>> reached_limit(Until(pages=5), Stats(visited=7, pages=5))
    ('pages', 5, 'fetched 5 pages')
    """
    limits = {name: getattr(until, name) for name in LIMITS} | {"visits": until.visit_limit}
    for name, limit in limits.items():
        if limit is not None and (reason := LIMITS[name](limit)(stats)):
            return name, limit, reason
    return None


def budget_left(until: Until, count: Counts) -> float:
    """How many fetches may be under way: each of them may turn out to be a page, and all of them are visits.

    >>> budget_left(Until(pages=5), Stats(visited=13, pages=1))
    2
    """
    pages_left = math.inf if until.pages is None else until.pages - count.pages
    visits_left = math.inf if until.visit_limit is None else until.visit_limit - count.visited
    return min(pages_left, visits_left)


def relevant(limit: int) -> StopRule:
    """Stop when enough relevant pages were found."""
    return lambda stats: f"found {_count(limit, 'relevant page')}" if stats.relevant >= limit else None


def irrelevant(limit: int) -> StopRule:
    """Stop when too many irrelevant pages were visited."""
    return lambda stats: f"visited {_count(limit, 'irrelevant page')}" if stats.irrelevant >= limit else None


def drought(limit: int) -> StopRule:
    """Stop when no relevant page was found for a long time."""
    reason = f"found nothing relevant in the last {_count(limit, 'visit')}"
    return lambda stats: reason if stats.since_relevant >= limit else None


def min_precision(limit: float) -> StopRule:
    """Stop when too small a share of the visited pages is relevant; not checked during the first session."""
    reason = f"fewer than {limit:.4g} of the visited pages are relevant"
    return lambda stats: reason if stats.visited >= SESSION_VISITS and stats.harvest < limit else None


def min_score(limit: float) -> StopRule:
    """Stop when the best candidate is not good enough; candidates on hold have no score yet."""
    reason = f"the best candidate's score is below {limit:.4g}"
    return lambda stats: reason if stats.waiting and -math.inf < stats.best < limit else None


def min_forecast(limit: float) -> StopRule:
    """Stop when even the upper end of the forecast is too low; while nothing is known, there is no forecast."""
    reason = f"the next {HORIZON} visits are expected to bring fewer than {_count(limit, 'relevant page')}"
    return lambda stats: reason if stats.forecast_high is not None and stats.forecast_high < limit else None


def pages(limit: int) -> StopRule:
    """Stop when enough pages were fetched."""
    return lambda stats: f"fetched {_count(stats.pages, 'page')}" if stats.pages >= limit else None


def visits(limit: int) -> StopRule:
    """Stop when the budget of visits is spent, whatever they have brought."""
    return lambda stats: f"made {_count(stats.visited, 'visit')}" if stats.visited >= limit else None


def few_pages(limit: int) -> StopRule:
    """Stop where most visits bring no page: a web that is dead, or full of copies, must come to an end."""
    return lambda stats: (
        f"{_count(stats.visited, 'visit')} brought only {_count(stats.pages, 'page')} (raise visits to go on)"
        if stats.visited >= limit
        else None
    )


def minutes(limit: float) -> StopRule:
    """Stop when the budget of time is spent."""
    return lambda stats: f"ran for {_count(limit, 'minute')}" if stats.seconds >= limit * 60 else None


def megabytes(limit: float) -> StopRule:
    """Stop when the budget of traffic is spent."""
    reason = f"fetched {_count(limit, 'megabyte')}"
    return lambda stats: reason if stats.bytes >= limit * 1e6 else None


def at_ceiling(stats: Stats) -> str | None:
    """Stop when the strategy would widen its focus and cannot."""
    return "the interest cannot be widened any further" if stats.at_ceiling else None


_LIMITED = (relevant, irrelevant, drought, min_precision, min_score, min_forecast, pages, visits, minutes, megabytes)
LIMITS: dict[str, Callable[..., StopRule]] = {make.__name__: make for make in _LIMITED}


class Community:
    """Stop when relevant pages form a community: each member has more links inside it than outside.

    Links count in both directions, as far as they are known; candidates and irrelevant pages are outside. Pages that
    break this rule are removed until all the others satisfy it. The rule is checked once in each session.

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
        self._neighbours: dict[str, list[str]] = {}  # relevant page -> relevant pages at the other ends of its links
        self._out_links: dict[str, int] = {}  # relevant page -> number of its links
        self._in_links: dict[str, int] = {}  # any URL -> number of pages that link to it
        self._parents: dict[str, list[str]] = {}  # URL not known as relevant -> relevant pages that link to it
        self._dense: set[str] = set()  # the relevant pages that satisfy the rule among all relevant ones
        self._changed: set[str] = set()  # pages to check before `_dense` is up to date
        visited = 0
        if crawl:
            visited = crawl.visited
            for page in crawl.pages():
                self.learn(page)
        self._next_check = _end_of_session(visited)

    def learn(self, page: Page) -> None:
        """Add the links of a page; the cost does not depend on the size of the crawl."""
        targets = dict.fromkeys(link.url for link in page.links if link.url != page.url)
        for target in targets:
            self._in_links[target] = self._in_links.get(target, 0) + 1
        self._changed.update(target for target in targets if target in self._neighbours)
        if page.relevant:
            self._join(page.url, targets)

    def __call__(self, stats: Stats) -> str | None:
        if stats.visited < self._next_check:
            return None
        self._next_check = _end_of_session(stats.visited)
        size = len(self.members())
        return f"{size:,} of the relevant pages form a community" if size >= MIN_COMMUNITY_PAGES else None

    def members(self) -> set[str]:
        """The largest set of relevant pages that satisfies the rule; empty if there is none."""
        self._refresh()
        # A page that breaks the rule among all relevant pages breaks it in every smaller set, too.
        left = set(self._dense)
        inside = {url: self._links_within(left, url) for url in left}
        to_remove = [url for url in left if not self._is_dense(url, inside[url])]
        while to_remove:
            url = to_remove.pop()
            # A page may be listed once for each neighbour that it has lost.
            if url not in left:
                continue
            left.remove(url)
            for other in self._neighbours[url]:
                if other in left:
                    inside[other] -= 1
                    if not self._is_dense(other, inside[other]):
                        to_remove.append(other)
        return left

    def _join(self, url: str, targets: dict[str, None]) -> None:
        """Add a relevant page with its links."""
        parents = self._parents.pop(url, [])
        children = [target for target in targets if target in self._neighbours]
        self._neighbours[url] = [*parents, *children]
        self._out_links[url] = len(targets)
        for other in self._neighbours[url]:
            self._neighbours[other].append(url)
        for target in targets:
            if target not in self._neighbours:
                self._parents.setdefault(target, []).append(url)
        self._changed.update((url, *self._neighbours[url]))

    def _refresh(self) -> None:
        """Bring the dense pages up to date."""
        for url in self._changed:
            if self._is_dense(url, len(self._neighbours[url])):
                self._dense.add(url)
            else:
                self._dense.discard(url)
        self._changed.clear()

    def _links_within(self, pages: set[str], url: str) -> int:
        return sum(other in pages for other in self._neighbours[url])

    def _is_dense(self, url: str, inside: int) -> bool:
        # More than half of all links, in and out.
        return 2 * inside > self._out_links[url] + self._in_links.get(url, 0)


def _end_of_session(visited: int) -> int:
    """The number of visits at which the current session ends."""
    return (visited // SESSION_VISITS + 1) * SESSION_VISITS


def _count(number: float, noun: str) -> str:
    shown = int(number) if number == int(number) else number
    return f"{shown:,} {noun}" + ("" if number == 1 else "s")
