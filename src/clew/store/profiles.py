"""Profiles of users, kept across crawls: the pages that they rated, in one JSON file for each user."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, NamedTuple

from clew.base.trouble import trouble
from clew.errors import ConfigError, StoreError
from clew.learning.profile import Profile, faded, rated, strongest, unit
from clew.types import Doc

BEST_RATING: Final = 3.0
"""The rating of a page that a user wants; the rating of an unwanted page is as far below 0."""
TERMS_PER_PAGE: Final = 300
NIGHT_SECONDS: Final = 86_400.0
PRECISION: Final = 1e-9  # terms below it are left out of a profile
_NAME: Final = re.compile(r"[\w][\w.@-]{0,99}")


class RatedPage(NamedTuple):
    """A page with the verdict of a user; it needs no archive, because its most frequent terms are kept."""

    url: str
    relevant: bool
    at: float
    terms: Mapping[str, int]
    title: str = ""
    language: str = ""

    @property
    def doc(self) -> Doc:
        """The page as an example for a topic."""
        return Doc(self.url, title=self.title, terms=self.terms, language=self.language)


@dataclass(frozen=True)
class UserProfile:
    """A user and the pages that this user rated, oldest first; the latest rating of a page counts.

    >>> page = RatedPage("http://a.example/", True, 0.0, {"sail": 3, "boat": 4})
    >>> UserProfile("anna").with_pages([page]).vector()
    {'boat': 0.24, 'sail': 0.18}
    """

    user: str
    pages: tuple[RatedPage, ...] = ()

    def with_pages(self, pages: Iterable[RatedPage]) -> UserProfile:
        """The profile after further ratings."""
        by_url = {page.url: page for page in self.pages}
        for page in pages:
            if page.url not in by_url or page.at >= by_url[page.url].at:
                by_url[page.url] = page
        return replace(self, pages=tuple(sorted(by_url.values(), key=lambda page: (page.at, page.url))))

    def rated(self, relevant: bool) -> list[RatedPage]:
        """The pages with this verdict."""
        return [page for page in self.pages if page.relevant == relevant]

    def vector(self) -> Profile:
        """The weighted terms: each night they fade, and each rated page adds to them or takes away."""
        profile: Profile = {}
        times = [page.at for page in self.pages]
        gaps = [0.0, *(later - earlier for earlier, later in pairwise(times))]
        for page, gap in zip(self.pages, gaps, strict=True):
            nights = int(gap / NIGHT_SECONDS)
            profile = faded(profile, 0.97**nights)
            profile = rated(profile, unit(page.terms), BEST_RATING if page.relevant else -BEST_RATING)
        return {term: round(weight, 12) for term, weight in profile.items() if abs(weight) > PRECISION}


def profiles_folder() -> Path:
    """Where profiles lie: clew/profiles in the data folder of the user."""
    data = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(data) / "clew" / "profiles"


def profile_path(name: str) -> Path:
    """The file of a profile: that of a user, or the file itself if the name is a path.

    >>> profile_path("./anna.json").name, profile_path("anna").name
    ('anna.json', 'anna.json')
    """
    if is_file_name(name):
        return Path(name)
    return profiles_folder() / f"{checked_name(name)}.json"


def is_file_name(name: str) -> bool:
    """Whether this is the name of a file rather than of a user."""
    return os.sep in name or name.endswith(".json")


def checked_name(user: str) -> str:
    """The name of a user, if it can be one."""
    if not _NAME.fullmatch(user):
        raise ConfigError(f"{user!r} cannot be the name of a user: use letters, digits and any of . - _ @")
    return user


def profile_names() -> list[str]:
    """The users who have a profile."""
    return sorted(path.stem for path in profiles_folder().glob("*.json"))


def read_profile(name: str) -> UserProfile:
    """The profile of a user or in a file."""
    path = profile_path(name)
    try:
        saved = json.loads(path.read_text(encoding="utf-8"))
        pages = [_page(each) for each in saved["pages"]]
        return UserProfile(str(saved["user"])).with_pages(pages)
    except FileNotFoundError:
        known = f"; there are: {', '.join(names)}" if (names := profile_names()) else ""
        hint = f"to begin one: clew label FOLDER URL yes --user {path.stem}"
        raise ConfigError(f"there is no profile {name!r}{known}; {hint}") from None
    except OSError as error:
        raise ConfigError(f"cannot read {path}: {error.strerror or error}") from None
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ConfigError(f"{path} is not a profile: {type(error).__name__}: {error}") from None


def write_profile(profile: UserProfile, path: Path) -> None:
    """Write a profile; a kill leaves the old file or the new one."""
    draft = path.with_suffix(".part")
    pages = [page._asdict() for page in profile.pages]
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        draft.write_text(json.dumps({"user": profile.user, "pages": pages}, ensure_ascii=False), encoding="utf-8")
        os.replace(draft, path)
    except OSError as error:
        raise StoreError(trouble(error, path.parent) or f"cannot write {path}: {error.strerror or error}") from error


def rated_page(url: str, relevant: bool, at: float, doc: Doc) -> RatedPage:
    """What a profile keeps of a page."""
    terms = {term: int(count) for term, count in strongest(doc.terms, TERMS_PER_PAGE).items()}
    return RatedPage(url, relevant, at, terms, doc.title, doc.language)


def _page(saved: dict[str, Any]) -> RatedPage:
    page = RatedPage(**saved)
    terms = {str(term): int(count) for term, count in page.terms.items()}
    return page._replace(relevant=bool(page.relevant), at=float(page.at), terms=terms)
