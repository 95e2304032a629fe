"""Orders about what waits: fetch or drop a page, favour a host."""

from __future__ import annotations

import json
import operator
from collections.abc import Callable
from typing import ClassVar

from clew.core import feedback
from clew.core.build import address
from clew.core.order_kind import ListedOrder, ToldCrawl
from clew.core.state import CrawlState
from clew.core.steering import Wish
from clew.errors import ConfigError
from clew.parse import host
from clew.types import UrlState


class _Pages(ListedOrder):
    """An order about pages by their URLs."""

    is_wanted = True
    done = ""

    def check(self) -> None:
        """They must be web addresses."""
        super().check()
        self._urls()

    def apply(self, crawl: ToldCrawl) -> str:
        """Take what can be done; if that is nothing, say why."""
        state = crawl.engine.state
        urls = self._urls()
        problems = {url: problem for url in urls if (problem := self._problem(state, url))}
        if len(problems) == len(urls):
            raise ConfigError("; ".join(f"{url} {problem}" for url, problem in problems.items()))
        for url in urls:
            if url not in problems:
                # Number 0: a label of such a page, whenever it was given, counts for more.
                state.steer(url, Wish(0, self.is_wanted))
        others = [f"{url} {problem}" for url, problem in problems.items()]
        return "; ".join([f"{len(urls) - len(problems):,} {self.done}", *others])

    def _problem(self, state: CrawlState, url: str) -> str:
        """Why it cannot be done for a page, or ""."""
        slot = state.frontier.find(url)
        if slot is None:
            return "was never seen (to add it: seeds)"
        where = state.frontier.state(slot)
        if where == UrlState.OUT_OF_SCOPE and self.is_wanted:
            [entry] = state.frontier.entries([slot])
            # What the user has dropped, the user can bring back.
            return "" if entry.reason == state.steering.refuse(url) else f"is out of scope: {entry.reason}"
        return "" if where == UrlState.QUEUED else _STANDS.get(where, f"was visited: {where}")

    def _urls(self) -> list[str]:
        return list(dict.fromkeys(map(address, self.words)))


_STANDS = {
    UrlState.IN_FLIGHT: "is being fetched",
    UrlState.OUT_OF_SCOPE: "is out of scope already",
    UrlState.OVER_CAPACITY: "was dropped because too many candidates waited",
}


class Fetch(_Pages):
    """Fetch these waiting pages before all others."""

    name = "fetch"
    usage = "fetch URL..."
    done = "to be fetched next"


class Drop(_Pages):
    """Never fetch these waiting pages."""

    name = "drop"
    usage = "drop URL..."
    is_wanted = False
    done = "dropped"


class _Hosts(ListedOrder):
    """An order about hosts."""

    combined: ClassVar[Callable[[set[str], set[str]], set[str]]]  # the hosts favoured before, and those of the order

    def check(self) -> None:
        """They must be hosts."""
        super().check()
        self._hosts()

    def apply(self, crawl: ToldCrawl) -> str:
        """Score the candidates of these hosts again; the folder remembers the hosts."""
        wanted = type(self).combined(crawl.engine.state.steering.favoured, self._hosts())
        waiting = crawl.engine.state.favour(wanted)
        crawl.folder.set(feedback.FAVOURED, json.dumps(sorted(wanted)))
        return f"{waiting:,} candidates of {', '.join(sorted(wanted))} come first" if wanted else "no host is favoured"

    def _hosts(self) -> set[str]:
        return {host_named(word) for word in self.words}


class Favour(_Hosts):
    """Fetch the waiting pages of these hosts before those of others, as fast as politeness allows."""

    name = "favour"
    usage = "favour HOST..."
    combined = operator.or_


class Unfavour(_Hosts):
    """Treat these hosts like all others again."""

    name = "unfavour"
    usage = "unfavour HOST..."
    combined = operator.sub


def host_named(word: str) -> str:
    """The host that a word names, which may be a whole URL.

    >>> host_named("Example.org"), host_named("http://example.org:8000/a")
    ('example.org', 'example.org:8000')
    """
    if "*" in word:
        raise ConfigError(f"{word!r} is no host; to name many hosts by a pattern, use deny or allow")
    return host(address(word))
