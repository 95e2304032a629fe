"""What an order is, and what it works on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from clew.config import Config
from clew.config.values import NONE
from clew.core.build import OwnParts
from clew.core.engine import Engine
from clew.errors import ClewError, ConfigError
from clew.store import CrawlFolder


class EndsCrawl(ClewError):
    """An order has failed half-way: the crawl goes back to its last commit."""


@dataclass
class ToldCrawl:
    """What an order works on."""

    engine: Engine
    folder: CrawlFolder
    own: OwnParts
    is_running: bool = False  # whether the crawl goes on while it takes the order

    @property
    def config(self) -> Config:
        """The settings of now."""
        return self.engine.config


@dataclass(frozen=True)
class OrderKind:
    """One order; `words` are its arguments as the user gave them."""

    name: ClassVar[str]
    usage: ClassVar[str] = ""
    is_for_a_run: ClassVar[bool] = False  # whether it means nothing to a crawl that is stopped
    judges_again: ClassVar[bool] = False  # whether all pages are judged again

    words: tuple[str, ...]

    def waits_for_quiet(self, crawl: ToldCrawl) -> bool:
        """Whether all that is in flight must land before."""
        return False

    def check(self) -> None:
        """Refuse words that no crawl could take."""
        if self.words:
            raise ConfigError(f"{self.name} takes no arguments")

    def changed(self, config: Config) -> Config:
        """The settings after this order; a second time it changes nothing."""
        return config

    def apply(self, crawl: ToldCrawl) -> str:
        """Change the crawl; return in a few words what has changed, or raise an error that says why it cannot be."""
        crawl.engine.change_settings(self.changed(crawl.config))
        return ""


class ListedOrder(OrderKind):
    """An order that takes one argument or more."""

    def check(self) -> None:
        """Something must be named."""
        if not self.words:
            raise ConfigError(f"{self.name} needs an argument: clew tell FOLDER {self.usage}")
        self.changed(Config())


def order_value(text: str) -> Any:
    """A number, none, or a word that `configure` may know.

    >>> order_value("50"), order_value("2.5"), order_value("none"), order_value("start-pages")
    (50, 2.5, 'none', 'start-pages')
    """
    if text.lower() == NONE:
        return NONE
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
