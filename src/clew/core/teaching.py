"""What a strategy is taught; whatever it raises stays away from the crawl."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

from clew.core.faults import Faults
from clew.core.view import CrawlView
from clew.strategies import Stale, Strategy, _optional
from clew.types import Page

T = TypeVar("T")


class UserLabel(NamedTuple):
    """What a user says of a page."""

    url: str
    relevant: bool
    user: str = ""


@dataclass
class Teaching:
    """Teaches a strategy pages and labels."""

    strategy: Strategy
    view: CrawlView
    faults: Faults

    def page(self, page: Page) -> Stale | None:
        """Teach a page; None if the strategy fails on it."""
        return self.ask("learn", page.url, _optional.learn, page)

    def labels(self, labels: Sequence[tuple[Page, bool]], users: Sequence[str]) -> Stale:
        """Teach labels, each with the name of the user who gave it."""
        return self.ask("learn_labels", "labels", _optional.learn_labels, labels, users) or ()

    def everything(self, labels: Mapping[str, bool], by_users: Sequence[UserLabel] = ()) -> None:
        """Teach all pages and labels to a strategy that knows nothing yet."""
        for page in self.view.pages():
            self.page(page)
            self.faults.check()
        self.labelled(labels, by_users)

    def labelled(self, labels: Mapping[str, bool], by_users: Sequence[UserLabel] = ()) -> None:
        """Teach all labels to a strategy that has been taught the pages."""
        given = [UserLabel(url, relevant) for url, relevant in labels.items()]
        if by_users and _optional.tells_users_apart(self.strategy):
            # Users may disagree about a page: each verdict counts for the one who gave it.
            given = list(by_users)
        found = [(self.view.page(label.url), label) for label in given]
        labelled = [(page, label.relevant) for page, label in found if page]
        users = [label.user for page, label in found if page]
        if labelled:
            self.labels(labelled, users)

    def ask(self, task: str, where: str, function: Callable[..., T], *args: Any) -> T | None:
        """Call a function with the strategy; None if it fails."""
        return self.faults.attempt("strategy", task, where, function, self.strategy, *args)
