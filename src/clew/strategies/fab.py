"""Fab: collectors look for pages on their topics, users rate the pages, and ratings decide which collectors stay."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, TypedDict

from clew.errors import StrategyError
from clew.learning.profile import Profile, faded, likeness, rated, unit
from clew.parse.url import canonical
from clew.strategies import _optional
from clew.strategies._base import Stale, Strategy
from clew.types import Candidate, Page

BEST_RATING: Final = 3.0
"""The best rating; the worst is as far below 0."""
HIGH_RATING: Final = 2.0
"""From this rating on, a page is passed on to users with similar profiles."""
SIMILAR_USERS: Final = 0.5
"""Users are similar if the cosine of their profiles is above this."""
CHOSEN: Final = 2.0
"""The match of a page with links that editors have chosen: no page matches a profile by more than 1."""
SEARCH_TERMS: Final = 5
"""Terms of a profile in a search query."""


class Collector(TypedDict):
    """A collection agent: its profile, the pages it has brought today, and the sum of their ratings."""

    profile: Profile
    pages: int
    rating: float


@dataclass
class Fab(Strategy):
    """Visits the links of pages that match the profile of a collection agent, the best match first.

    Each page goes to those of the `users` whose profile is more similar to it than `threshold`, or else to the most
    similar one. The users rate the page from -3 to 3: by its relevance, as long as there are no labels. A high rating
    passes the page on to users with similar profiles. A rating changes the profiles of the users and of the collector
    that matches the page best, with learning rate `rate`.

    Real users have names: those whose profiles the crawl starts with (the setting `users`), and those who label pages
    (`clew label --user NAME`). There are no other users then, and only labels change profiles: relevance still
    decides which collectors stay. A page that one user rates high is recommended to the users with similar profiles,
    and its links come first. If profiles are given, collectors start with them rather than with the start pages.

    Every `day` pages, profiles fade by the factor .97 (those of real users fade between crawls, with the calendar), the
    worst-rated fifth of the `collectors` is removed, and the best fifth is duplicated. With a search provider, the best
    collector also searches for pages on its topic.

    `editors` are the URLs of pages on which people collect links that they find good. They are visited after the start
    pages, and their links come before all others, whatever they match.

    >>> from clew.testing.tiny_web import order
    >>> web = "s .9 {sails and boats} -> a b; a {cars} -> c; b .9 {boats and sails} -> d"
    >>> order("fab", web)
    ['s', 'a', 'b', 'd', 'c']

    Balabanovic and Shoham, Fab: content-based, collaborative recommendation, Communications of the ACM 40(3), 1997.
    """

    inlinks_only = True
    transferable = ("profiles", "agents", "names", "given")
    added_later = ("names", "given", "recommended", "editors")

    users: int = 3
    collectors: int = 10
    day: int = 100
    rate: float = 0.1
    threshold: float = 0.2
    editors: tuple[str, ...] = ()
    profiles: list[Profile] = field(default_factory=list, init=False, repr=False)  # of the users
    agents: list[Collector] = field(default_factory=list, init=False, repr=False)  # the collectors
    match: dict[str, float] = field(default_factory=dict, init=False, repr=False)  # best match of each visited page
    seen: int = field(default=0, init=False, repr=False)  # visits
    names: list[str] = field(default_factory=list, init=False, repr=False)  # of real users, in the order of profiles
    given: dict[str, Profile] = field(default_factory=dict, init=False, repr=False)  # profiles from before the crawl
    recommended: dict[str, list[str]] = field(default_factory=dict, init=False, repr=False)  # pages, by user

    def __post_init__(self) -> None:
        self._editors = [url for each in self.editors if (url := canonical(each))]
        if len(self._editors) < len(self.editors):
            raise StrategyError(f"fab: editors must be URLs of pages, not {self.editors}")

    @property
    def missing_input(self) -> str:
        """A search provider, which only some of the collectors use."""
        if self._crawl.search_source:
            return ""
        return "a search provider for its collectors; earlier crawls can serve as one (search_sources)"

    def learn(self, page: Page) -> Stale:
        """Route the page to users, rate it and teach its collector; at the end of a day, select collectors."""
        doc = unit(page.terms)
        if page.ok and doc:
            self._join(page, doc)
            self.match[page.url], nearest = self._nearest(doc)
            # Relevance from 0 to 1 becomes a rating from -3 to 3.
            rating = BEST_RATING * (2 * self._crawl.relevance(page.url) - 1)
            self._rate(doc, rating, nearest)
        if page.url in self._editors:
            # What people have chosen is good whether or not their page looks like a profile.
            self.match[page.url] = CHOSEN
        self.seen += 1
        named = self._editors if self.seen == 1 else []
        return [*named, *(() if self.seen % self.day else self._end_day())]

    def know_users(self, profiles: Mapping[str, Mapping[str, float]]) -> None:
        """Start with the profiles of real users; their topics are those of the first collectors."""
        self.given = {user: dict(profile) for user, profile in profiles.items()}
        for user, profile in self.given.items():
            place = self._place(user)
            self.profiles[place] = dict(profile)
        known = [Collector(profile=dict(profile), pages=0, rating=0.0) for profile in self.given.values()]
        self.agents = [*known, *self.agents][: max(self.collectors, len(known))]

    def interest_changed(self) -> bool:
        """Forget what followed from the interest; the profiles of users do not."""
        given = self.given
        _optional.forget(self)
        self.know_users(given)
        return True

    def learn_user_label(self, page: Page, relevant: bool, user: str) -> Stale:
        """Let a user rate a page; a high rating recommends it to the users of like taste."""
        doc = unit(page.terms)
        if not user:
            return self.learn_label(page, relevant)
        if not doc:
            return ()
        place = self._place(user)
        rating = BEST_RATING if relevant else -BEST_RATING
        self.profiles[place] = rated(self.profiles[place], doc, rating, self.rate)
        readers = [place]
        if relevant:
            readers += [
                other for other in range(len(self.profiles)) if other != place and self._is_near(other, [place])
            ]
            for reader in readers[1:]:
                self._recommend(self.names[reader], page.url)
        if not self.agents:
            self.agents.append(Collector(profile=doc, pages=0, rating=0.0))
        _, nearest = self._nearest(doc)
        self._rate_collector(nearest, doc, rating, len(readers))
        # What users say counts more than the match with a collector: links of liked pages come first, or last.
        self.match[page.url] = float(relevant)
        return [link.url for link in page.links]

    def learn_change(self, page: Page, new_links: Sequence[str]) -> Stale:
        """Match the new version of a page; its links rise or fall with it."""
        doc = unit(page.terms)
        if doc and self.agents:
            self.match[page.url], _ = self._nearest(doc)
        return [link.url for link in page.links]

    def learn_label(self, page: Page, relevant: bool) -> Stale:
        """Count a label as the best or the worst rating."""
        doc = unit(page.terms)
        if doc and self.agents:
            _, nearest = self._nearest(doc)
            self._rate(doc, BEST_RATING if relevant else -BEST_RATING, nearest, is_label=True)
        return ()

    def value(self, candidate: Candidate) -> float:
        """Return the best match of a parent; start pages and search results come first."""
        if candidate.url in self._editors:
            return CHOSEN
        return max([self.match.get(link.source, 0.0) for link in candidate.links], default=1.0)

    def explain(self, candidate: Candidate) -> dict[str, float]:
        """Return the match of the best parent at the time of its visit, and the number of agents."""
        parts = {"profile match": self.value(candidate), "collectors": len(self.agents), "users": len(self.profiles)}
        sources = {link.source for link in candidate.links}
        passed_on = sum(not sources.isdisjoint(urls) for urls in self.recommended.values())
        # Only where there are real users: without them, nobody recommends anything.
        return parts | ({"users to whom a parent is recommended": passed_on} if self.names else {})

    def readers(self, doc: Profile) -> list[int]:
        """Return the users that a page goes to."""
        likenesses = [likeness(profile, doc) for profile in self.profiles]
        interested = [user for user, like in enumerate(likenesses) if like > self.threshold]
        # A page without readers would not count when collectors are selected.
        return interested or [likenesses.index(max(likenesses))]

    def _nearest(self, doc: Profile) -> tuple[float, int]:
        """Return the best match of a page with a collector, and that collector."""
        likenesses = [likeness(agent["profile"], doc) for agent in self.agents]
        best = max(likenesses)
        return best, likenesses.index(best)

    def _join(self, page: Page, doc: Profile) -> None:
        """Add a user and a collector that start with the profile of this page, as long as there are too few."""
        # The profiles come from start pages; the first page with text also serves, so that there is always one.
        if not self.names and len(self.profiles) < self.users and (page.depth == 0 or not self.profiles):
            self.profiles.append(doc)
        is_start = page.depth == 0 and not self.given
        if len(self.agents) < self.collectors and (is_start or not self.agents):
            self.agents.append(Collector(profile=doc, pages=0, rating=0.0))

    def _rate(self, doc: Profile, rating: float, agent: int, is_label: bool = False) -> None:
        readers = self.readers(doc)
        if rating >= HIGH_RATING:
            readers = [user for user in range(len(self.profiles)) if user in readers or self._is_near(user, readers)]
        # The critic stands in for users whom nobody knows; real users speak for themselves.
        for user in readers if not self.names else ():
            self.profiles[user] = rated(self.profiles[user], doc, rating, self.rate)
        self._rate_collector(agent, doc, rating, len(readers), is_taught=is_label or not self.names)

    def _rate_collector(self, agent: int, doc: Profile, rating: float, readers: int, is_taught: bool = True) -> None:
        """Count the rating of a page that a collector brought, once for each reader; it may teach the collector."""
        collector = self.agents[agent]
        if is_taught:
            collector["profile"] = rated(collector["profile"], doc, rating, self.rate)
        collector["pages"] += 1
        collector["rating"] += rating * readers

    def _place(self, user: str) -> int:
        """Return the place of a real user among the profiles; a new one gets an empty profile."""
        if not self.names:
            # The users so far were invented, as nobody was known.
            self.profiles = []
        if user not in self.names:
            self.names.append(user)
            self.profiles.append({})
        return self.names.index(user)

    def _recommend(self, user: str, url: str) -> None:
        pages = self.recommended.setdefault(user, [])
        if url not in pages:
            pages.append(url)

    def _is_near(self, user: int, others: list[int]) -> bool:
        return any(likeness(self.profiles[user], self.profiles[other]) > SIMILAR_USERS for other in others)

    def _end_day(self) -> list[str]:
        """Fade all profiles, replace the worst collectors by the best, and return the results of a search."""
        if not self.names:
            self.profiles = [faded(profile) for profile in self.profiles]
        ranked = sorted(self.agents, key=lambda agent: -agent["rating"])
        fifth = math.floor(len(ranked) / 5)
        survivors = [*ranked[: len(ranked) - fifth], *ranked[:fifth]]
        # Pages and ratings start from 0: what counts in the selection is the day, not the past.
        self.agents = [Collector(profile=faded(agent["profile"]), pages=0, rating=0.0) for agent in survivors]
        search_source = self._crawl.search_source
        if not search_source or not self.agents:
            return []
        profile = self.agents[0]["profile"]
        terms = sorted(profile, key=lambda term: (-profile[term], term))[:SEARCH_TERMS]
        return [*search_source.search(" ".join(terms))]
