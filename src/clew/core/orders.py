"""The orders that a crawl takes from its user, one small class for each kind.

An order first checks its own words, when it is given. When the crawl takes it, it changes the settings (`changed`), the
crawl itself (`apply`), or both. Whatever cannot be done is refused with a reason, and the crawl goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from clew.config import Config, configure, unknown
from clew.core import feedback
from clew.core.build import address, patterns
from clew.core.judging_orders import Interest, Threshold
from clew.core.order_kind import ListedOrder, OrderKind, ToldCrawl, order_value
from clew.core.scope_change import follow_scope
from clew.core.stop import LIMITS
from clew.core.waiting_orders import Drop, Favour, Fetch, Unfavour, host_named
from clew.errors import ConfigError
from clew.fetch import RemembersHosts
from clew.interests.parser import parse
from clew.strategies import _optional

STOPPED: Final = "you told it to stop"
LIMITED: Final = (*LIMITS, "parallel", "delay")
"""The settings that `limit` can change."""
FOCUS: Final = feedback.FOCUS


class Pause(OrderKind):
    """Send nothing; what is in flight lands."""

    name = "pause"
    is_for_a_run = True

    def apply(self, crawl: ToldCrawl) -> str:
        """Pause, unless it does so already."""
        return "" if crawl.engine.pause.begin(crawl.engine.clock()) else "it paused already"


class GoOn(OrderKind):
    """End a pause."""

    name = "go-on"
    is_for_a_run = True

    def apply(self, crawl: ToldCrawl) -> str:
        """Go on, if it pauses."""
        return "" if crawl.engine.pause.end(crawl.engine.clock()) else "it did not pause"


class Stop(OrderKind):
    """End the run cleanly; `clew resume` goes on."""

    name = "stop"
    is_for_a_run = True

    def apply(self, crawl: ToldCrawl) -> str:
        """Ask for a clean end."""
        crawl.engine.stop(STOPPED)
        return ""


class Seeds(ListedOrder):
    """Add start pages, which are visited next."""

    name = "seeds"
    usage = "seeds URL..."

    def changed(self, config: Config) -> Config:
        """The pages are start pages like any other."""
        return configure(config, seeds=list(dict.fromkeys((*config.what.seeds, *self._urls()))))

    def apply(self, crawl: ToldCrawl) -> str:
        """Put them before all other candidates."""
        super().apply(crawl)
        urls = self._urls()
        # Number 0: a label of such a page, whenever it was given, counts for more.
        added = sum([crawl.engine.state.add_start_page(url, 0) for url in urls])
        known = f", {len(urls) - added:,} visited or labelled before" if added < len(urls) else ""
        return f"{added:,} to be visited next{known}"

    def _urls(self) -> list[str]:
        return list(dict.fromkeys(map(address, self.words)))


class _Scope(ListedOrder):
    """An order that changes the scope."""

    def apply(self, crawl: ToldCrawl) -> str:
        """Let the frontier follow."""
        before = crawl.config
        super().apply(crawl)
        if crawl.config == before:
            return "nothing to change"
        dropped, readmitted = follow_scope(crawl.engine.state)
        found = [
            f"{dropped:,} candidates dropped" if dropped else "",
            f"{readmitted:,} readmitted" if readmitted else "",
        ]
        return ", ".join(filter(None, found))


class Deny(_Scope):
    """Never visit these again; their candidates are dropped."""

    name = "deny"
    usage = "deny PATTERN..."

    def changed(self, config: Config) -> Config:
        """The patterns join those of the setting deny."""
        return configure(config, deny=list(dict.fromkeys((*config.scope.deny, *patterns(self.name, self.words)))))


class Block(Deny):
    """Never visit these hosts again: deny, but for whole hosts only."""

    name = "block"
    usage = "block HOST..."

    def changed(self, config: Config) -> Config:
        """The hosts join the setting deny; `allow HOST` takes that back."""
        hosts = [host_named(word).partition(":")[0] for word in self.words]
        return configure(config, deny=list(dict.fromkeys((*config.scope.deny, *patterns(self.name, hosts)))))


class Allow(_Scope):
    """Take back a deny, and widen a scope that is restricted by the setting allow."""

    name = "allow"
    usage = "allow PATTERN..."

    def changed(self, config: Config) -> Config:
        """The patterns leave deny; they join allow only if it restricts the crawl."""
        given = patterns(self.name, self.words)
        deny = [pattern for pattern in config.scope.deny if pattern not in given]
        # An empty allow means everything: with a first pattern in it, the crawl would lose all other places.
        allow = list(dict.fromkeys((*config.scope.allow, *given))) if config.scope.allow else []
        return configure(config, deny=deny, allow=allow)


class Limit(ListedOrder):
    """Change limits, parallel and delay: pages=2000 minutes=none delay=2."""

    name = "limit"
    usage = "limit pages=N minutes=X parallel=N delay=X ..."

    def changed(self, config: Config) -> Config:
        """The settings of that name."""
        return configure(config, **dict(map(_setting, self.words)))

    def apply(self, crawl: ToldCrawl) -> str:
        """Refuse a delay that the fetcher would not keep."""
        has_delay = any(word.startswith("delay=") for word in self.words)
        is_offline = isinstance(crawl.engine.fetcher, feedback.Offline)
        if has_delay and not is_offline and not isinstance(crawl.engine.fetcher, RemembersHosts):
            raise ConfigError("the fetcher of this crawl keeps its own delay")
        return super().apply(crawl)


class Focus(OrderKind):
    """Follow another formula for a while (Ariadne), or the own focus again; which pages are relevant stays the same."""

    name = "focus"
    usage = "focus [FORMULA]"

    def check(self) -> None:
        """A formula, or nothing."""
        if len(self.words) > 1:
            raise ConfigError("focus takes one argument: put the formula in quotes")
        if self.words:
            parse(self.words[0])

    def apply(self, crawl: ToldCrawl) -> str:
        """Hand the formula to the strategy, and score all candidates again."""
        engine = crawl.engine
        strategy = engine.state.strategy
        if not isinstance(strategy, _optional.SetsFocus):
            name = crawl.config.what.strategy.partition("(")[0]
            raise ConfigError(f"the strategy {name} has no focus; ariadne has one")
        formula = "".join(self.words)
        strategy.set_focus(formula)
        crawl.folder.set(FOCUS, formula)
        engine.state.scoring.score_all()
        engine.note_focus("you told it so" if formula else "you took your focus back")
        return ""


KINDS: Final[dict[str, Callable[[tuple[str, ...]], OrderKind]]] = {
    kind.name: kind
    for kind in (
        Pause,
        GoOn,
        Stop,
        Seeds,
        Fetch,
        Drop,
        Favour,
        Unfavour,
        Block,
        Deny,
        Allow,
        Limit,
        Interest,
        Threshold,
        Focus,
    )
}


def order_of(kind: str, words: Sequence[str] = ()) -> OrderKind:
    """The order of that name, its words checked.

    >>> order_of("limit", ["pages=50"]).changed(Config()).until.pages
    50
    >>> order_of("pauze")
    Traceback (most recent call last):
    clew.errors.ConfigError: there is no order 'pauze'; did you mean 'pause'?
    """
    if kind not in KINDS:
        raise ConfigError(unknown("order", kind, list(KINDS)))
    order = KINDS[kind](tuple(words))
    order.check()
    return order


def _setting(word: str) -> tuple[str, Any]:
    """A limit as it is written: `pages=50`."""
    name, equals, value = word.partition("=")
    name = name.strip().replace("-", "_")
    if not equals:
        raise ConfigError(f"{word!r} is no limit; write it like pages=2000")
    if name not in LIMITED:
        raise ConfigError(unknown("limit", name, list(LIMITED)))
    return name, order_value(value.strip())
