"""Users across crawls: their profiles, interests made of profiles, and pages that they recommend to each other."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final, NamedTuple

from clew.config import Config, Topic
from clew.errors import ConfigError, InterestError, StrategyError
from clew.interests.parser import parsed
from clew.interests.syntax import Predicate, atoms
from clew.learning.profile import likeness, unit
from clew.store import Records
from clew.store.labels import redirect_target
from clew.store.profiles import (
    BEST_RATING,
    UserProfile,
    checked_name,
    is_file_name,
    profile_path,
    rated_page,
    read_profile,
    write_profile,
)
from clew.strategies import Strategy, _optional
from clew.types import Doc, UrlState

SIMILAR_USERS: Final = 0.5
"""Users are of like taste if the cosine of their profiles is above this."""
MATCHING_PAGE: Final = 0.2
"""A page suits a user if the cosine of its terms and the profile is above this."""
WORD: Final = "profile:"
"""Begins the name of a profile in a formula."""
PLACE: Final = "profile://"
"""Begins the name of a profile among the examples of a topic."""
UNWANTED: Final = "?not"
"""Ends the name of a profile among examples that are the pages which its user does not want."""


class Recommendation(NamedTuple):
    """A page for a user, with the reason."""

    url: str
    title: str
    score: float
    by: tuple[str, ...] = ()  # users of like taste who rated it high; () if it suits the profile of the user


def learn_ratings(folder: str | Path, user: str, profile: str = "") -> UserProfile:
    """Bring the profile of a user up to date with the labels that this user gave in a crawl.

    Labels of pages that were not visited yet have no text; they are learnt when this is called after the visit.
    """
    path = profile_path(profile or checked_name(user))
    before = read_profile(str(path)) if path.exists() else UserProfile(checked_name(user))
    if before.user != user:
        raise ConfigError(f"{path} is the profile of {before.user}, not of {user}")
    pages = []
    with Records(folder) as records:
        for label in records.labels():
            if label.user != user:
                continue
            record = records.find(redirect_target(records.store.db, label.url))
            doc = records.doc(record) if record and record.state == UrlState.FETCHED else None
            if doc and doc.terms:
                pages.append(rated_page(doc.url, label.relevant, label.at, doc))
    after = before.with_pages(pages)
    write_profile(after, path)
    return after


def similar_users(user: UserProfile, others: Iterable[UserProfile]) -> list[tuple[UserProfile, float]]:
    """The other users of like taste, with the likeness of their profiles, the most similar first."""
    own = user.vector()
    alike = [(other, likeness(own, other.vector())) for other in others if other.user != user.user]
    return sorted([pair for pair in alike if pair[1] > SIMILAR_USERS], key=lambda pair: (-pair[1], pair[0].user))


def recommend(user: UserProfile, others: Iterable[UserProfile], most: int = 20) -> list[Recommendation]:
    """Pages that users of like taste rated and this user did not, the best first.

    The score is the sum of ratings (3 or -3), each weighed by the likeness of its user; only scores above 0 count.
    """
    known = {page.url for page in user.pages}
    scores: dict[str, float] = {}
    titles: dict[str, str] = {}
    by: dict[str, list[str]] = {}
    for other, weight in similar_users(user, others):
        for page in other.pages:
            if page.url in known:
                continue
            rating = BEST_RATING if page.relevant else -BEST_RATING
            scores[page.url] = scores.get(page.url, 0.0) + weight * rating
            titles.setdefault(page.url, page.title)
            if page.relevant:
                by.setdefault(page.url, []).append(other.user)
    found = [Recommendation(url, titles[url], score, tuple(by.get(url, ()))) for url, score in scores.items()]
    return _best([each for each in found if each.score > 0], most)


def recommend_from_crawls(user: UserProfile, folders: Sequence[str | Path], most: int = 20) -> list[Recommendation]:
    """Pages of these crawls that suit the profile of a user who has not rated them, the best match first."""
    known = {page.url for page in user.pages}
    own = user.vector()
    found: dict[str, Recommendation] = {}
    for folder in folders:
        with Records(folder) as records:
            for record in records.pages():
                if record.state != UrlState.FETCHED or record.url in known | found.keys():
                    continue
                match = likeness(unit(records.doc(record).terms), own)
                if match > MATCHING_PAGE:
                    found[record.url] = Recommendation(record.url, record.title, match)
    return _best(found.values(), most)


def with_profile_topics(config: Config) -> Config:
    """Define the topics `profile:NAME` of the formula: pages that the user wants are examples, others are not."""
    topics = dict(config.topics)
    for atom in atoms(parsed(config.what.interest).node) if WORD in config.what.interest else ():
        name = atom.name
        if isinstance(atom, Predicate) or not name.startswith(WORD) or name in topics:
            continue
        profile = read_profile(name.removeprefix(WORD))
        if not profile.rated(relevant=True):
            raise InterestError(f"{profile.user} wants no page yet; label some with yes: clew label --user NAME")
        place = PLACE + name.removeprefix(WORD)
        topics[name] = Topic(examples=(place,))
        if profile.rated(relevant=False):
            topics[f"not {name}"] = Topic(examples=(place + UNWANTED,))
    return replace(config, topics=topics)


def profile_docs(place: str) -> list[Doc]:
    """The pages of a profile as examples: those that its user wants, or the others if the place ends with `?not`."""
    name = place.removeprefix(PLACE)
    relevant = not name.endswith(UNWANTED)
    return [page.doc for page in read_profile(name.removesuffix(UNWANTED)).rated(relevant)]


def absolute(names: Iterable[str]) -> tuple[str, ...]:
    """Profiles by name or file, as the folder of a crawl keeps them."""
    return tuple(os.path.abspath(name) if is_file_name(name) else checked_name(name) for name in names)


def introduce_users(config: Config, strategy: Strategy) -> None:
    """Hand the strategy the profiles of the users for whom it crawls."""
    if not config.what.users:
        return
    profiles = [read_profile(name) for name in config.what.users]
    vectors = {profile.user: profile.vector() for profile in profiles}
    if not _optional.know_users(strategy, vectors):
        name = config.what.strategy.partition("(")[0]
        raise StrategyError(f"{name} knows no users; use the strategy fab, or an interest such as {WORD}NAME")


def _best(found: Iterable[Recommendation], most: int) -> list[Recommendation]:
    return sorted(found, key=lambda each: (-each.score, each.url))[:most]
