"""Fab: collectors search for topics, a router brings users what suits them, and what users like decides who stays."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Final, TypedDict

from clew.strategies._base import Stale, Strategy
from clew.strategies._shared.profile import Profile, faded, likeness, rated, unit
from clew.types import Candidate, Page

HIGH: Final = 2.0
"""A rating from which a page is passed on to users with similar profiles."""
BEST_RATING: Final = 3.0
"""The best rating; the worst is as far below 0."""
WORDS: Final = 5
"""Terms of a profile in a search."""


class Collector(TypedDict):
    """A collection agent: what it looks for, how many pages it brought today, and how they were rated."""

    profile: Profile
    pages: int
    rating: float


@dataclass
class Fab(Strategy):
    """A candidate is worth what the best of its parents means to any collector's profile.

    Every page goes to the `users` whose profile is more like it than `threshold`, else to the nearest one. Without
    feedback the critic's relevance stands in for their ratings, from -3 to 3; a high rating passes the page on to
    users with similar profiles. Ratings change the profiles of the users and of the collector. After `day` pages
    profiles fade by .97, the worst fifth of the `collectors` goes, and the best fifth is doubled; with a search
    provider, the best collector also asks for pages on its topic.

    >>> from clew.testing.tiny_web import order
    >>> web = "s .9 {sails and boats} -> a b; a {cars} -> c; b .9 {boats and sails} -> d"
    >>> order("fab", web)
    ['s', 'a', 'b', 'd', 'c']

    Balabanovic and Shoham, Fab: content-based, collaborative recommendation, Communications of the ACM 40(3), 1997.
    """

    inlinks_only = True
    transferable = ("profiles", "agents")

    users: int = 3
    collectors: int = 10
    day: int = 100
    rate: float = 0.1
    threshold: float = 0.2
    profiles: list[Profile] = field(default_factory=list, init=False, repr=False)  # of the users
    agents: list[Collector] = field(default_factory=list, init=False, repr=False)
    match: dict[str, float] = field(default_factory=dict, init=False, repr=False)  # of each page with links
    seen: int = field(default=0, init=False, repr=False)

    @property
    def missing_input(self) -> str:
        """One kind of collector asks search engines."""
        return "" if self._crawl.link_source else "a search provider for the collectors that ask one"

    def learn(self, page: Page) -> Stale:
        """Route the page, rate it and let its collector learn; at the end of a day comes selection."""
        doc = unit(page.terms)
        if page.ok and doc:
            self._join(page, doc)
            self.match[page.url], nearest = self._nearest(doc)
            self._rate(doc, BEST_RATING * (2 * self._crawl.relevance(page.url) - 1), nearest)
        self.seen += 1
        return () if self.seen % self.day else self._night()

    def learn_label(self, page: Page, relevant: bool) -> Stale:
        """A user's own rating counts as the best or the worst one."""
        doc = unit(page.terms)
        if doc and self.agents:
            self._rate(doc, BEST_RATING if relevant else -BEST_RATING, self._nearest(doc)[1])
        return ()

    def value(self, candidate: Candidate) -> float:
        """The best match of a parent; a start page and what a search has found come first."""
        return max([self.match.get(link.source, 0.0) for link in candidate.links], default=1.0)

    def explain(self, candidate: Candidate) -> dict[str, float]:
        """The match of the best parent when it was visited."""
        return {"profile match": self.value(candidate), "collectors": len(self.agents), "users": len(self.profiles)}

    def readers(self, doc: Profile) -> list[int]:
        """The users that a page goes to."""
        near = [likeness(profile, doc) for profile in self.profiles]
        return [user for user, like in enumerate(near) if like > self.threshold] or [near.index(max(near))]

    def _nearest(self, doc: Profile) -> tuple[float, int]:
        """How well a page suits a collector at best, and which one."""
        near = [likeness(agent["profile"], doc) for agent in self.agents]
        return max(near), near.index(max(near))

    def _join(self, page: Page, doc: Profile) -> None:
        """Users and collectors begin with the start pages, in turn; until all are there, with any page."""
        if len(self.profiles) < self.users and (page.depth == 0 or not self.profiles):
            self.profiles.append(doc)
        if len(self.agents) < self.collectors and (page.depth == 0 or not self.agents):
            self.agents.append(Collector(profile=doc, pages=0, rating=0.0))

    def _rate(self, doc: Profile, rating: float, agent: int) -> None:
        readers = self.readers(doc)
        if rating >= HIGH:
            readers = [user for user in range(len(self.profiles)) if user in readers or self._is_near(user, readers)]
        for user in readers:
            self.profiles[user] = rated(self.profiles[user], doc, rating, self.rate)
        collector = self.agents[agent]
        collector["profile"] = rated(collector["profile"], doc, rating, self.rate)
        collector["pages"] += 1
        collector["rating"] += rating * len(readers)

    def _is_near(self, user: int, others: list[int]) -> bool:
        return any(likeness(self.profiles[user], self.profiles[other]) > 0.5 for other in others)

    def _night(self) -> list[str]:
        """Fade, select, and send the best collector to the search engine."""
        self.profiles = [faded(profile) for profile in self.profiles]
        ranked = sorted(self.agents, key=lambda agent: -agent["rating"])
        fifth = math.floor(len(ranked) / 5)
        kept = [*ranked[: len(ranked) - fifth], *ranked[:fifth]]
        self.agents = [Collector(profile=faded(agent["profile"]), pages=0, rating=0.0) for agent in kept]
        link_source = self._crawl.link_source
        if not link_source or not self.agents:
            return []
        profile = self.agents[0]["profile"]
        return [*link_source.about(" ".join(sorted(profile, key=lambda term: (-profile[term], term))[:WORDS]))]
