"""The parts that a caller brings: what can be written down of them, and what is wrong with them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields
from typing import Any, NamedTuple, TypeVar, cast

from clew.config.parts import importable_name, importable_text, write_spec
from clew.core.stop import StopRule
from clew.errors import ConfigError, StrategyError
from clew.fetch import Fetcher
from clew.interests import Interest, Judging, judge_name
from clew.store import Sink
from clew.store.sinks import FunctionSink, sink_name
from clew.strategies import SearchSource, Strategy
from clew.types import Doc, Page

CALLERS_OWN = "own:"
"""Begins the setting `judge` of a crawl whose judge cannot be written as text."""
AnySink = str | Sink | Callable[[Page, Doc], Any]
T = TypeVar("T")


class OwnParts(NamedTuple):
    """What the caller brings, as objects or as text; what is not given is made from the settings."""

    interest: str | Interest = ""
    strategy: str | Strategy | None = None
    judge: str | Judging | None = None
    sinks: Sequence[AnySink] = ()
    stop_rules: Sequence[str | StopRule] = ()
    fetcher: str | Fetcher | None = None
    search_sources: Sequence[str | SearchSource] = ()

    def as_settings(self, seeds: str | Iterable[str] = ()) -> dict[str, Any]:
        """What can be written down of this, as settings."""
        settings: dict[str, Any] = {}
        if self.interest:
            settings["interest"] = str(self.interest)
        if start_pages := as_list(seeds):
            settings["seeds"] = start_pages
        if self.strategy is not None:
            settings["strategy"] = self.strategy if isinstance(self.strategy, str) else strategy_spec(self.strategy)
        if self.judge is not None:
            settings["judge"] = self.judge if isinstance(self.judge, str) else _judge_text(self.judge)
        if sinks := [sink for sink in as_list(self.sinks) if isinstance(sink, str)]:
            settings["sinks"] = sinks
        if rules := [rule for rule in as_list(self.stop_rules) if isinstance(rule, str)]:
            settings["stop_rules"] = rules
        if isinstance(self.fetcher, str):
            settings["fetcher"] = self.fetcher
        if sources := [source for source in as_list(self.search_sources) if isinstance(source, str)]:
            settings["search_sources"] = sources
        return settings

    @property
    def only_here(self) -> list[str]:
        """Which arguments are objects that cannot be written as text: `resume` needs them again."""
        names: list[str] = []
        if not isinstance(self.interest, str):
            names.append("interest")
        if isinstance(self.strategy, Strategy) and not importable_name(type(self.strategy)):
            names.append("strategy")
        if self.judge is not None and not isinstance(self.judge, str) and not importable_text(self.judge):
            names.append("judge")
        if any(not isinstance(source, str) for source in as_list(self.search_sources)):
            names.append("search_sources")
        return names


def as_list(values: str | Iterable[T]) -> list[str | T]:
    """Values as a list: a text is one value, although Python can iterate over its letters."""
    return [values] if isinstance(values, str) else list(values)


def strategy_spec(strategy: Strategy) -> str:
    """How a strategy is written in a configuration."""
    refuse_class(strategy, "strategy")
    if not isinstance(strategy, Strategy):
        raise StrategyError(f"a strategy must be a clew.Strategy, but {strategy!r} is not")
    changed = [each.name for each in fields(strategy) if each.init and getattr(strategy, each.name) != each.default]
    cls = type(strategy)
    package, _, module = cls.__module__.rpartition(".")
    name = module if package == "clew.strategies" else importable_name(cls) or cls.__name__
    return write_spec(name, {each: getattr(strategy, each) for each in changed})


def refuse_class(part: object, argument: str) -> None:
    """A class is callable, so it would pass for a function and fail on every page."""
    if inspect.isclass(part):
        raise ConfigError(f"{argument}: {part.__name__} is a class; pass an instance: {part.__name__}()")


def checked_fetcher(fetcher: Any) -> Fetcher:
    """Return the fetcher, or say what it lacks: otherwise every page would fail."""
    refuse_class(fetcher, "fetcher")
    missing = [name for name in ("get", "pause", "close") if not callable(getattr(fetcher, name, None))]
    if missing:
        raise ConfigError(f"a fetcher needs the methods get, pause and close, but {fetcher!r} has no {missing[0]}")
    return cast(Fetcher, fetcher)


def as_sink(sink: Any) -> Sink:
    """Return a sink for a sink or a function; anything else is refused."""
    refuse_class(sink, "sinks")
    if isinstance(sink, Sink):
        if sink.pages not in ("relevant", "all") or sink.on_error not in ("log", "stop"):
            allowed = 'pages is "relevant" or "all", on_error is "log" or "stop"'
            raise ConfigError(f"the sink {sink_name(sink)} has {sink.pages!r} and {sink.on_error!r}: {allowed}")
        return sink
    if callable(sink):
        return FunctionSink(sink)
    raise ConfigError(f"a sink must be a function of a page and its document, or a clew.Sink, but {sink!r} is neither")


def _judge_text(judge: Judging) -> str:
    """A judge as a setting; one that only the caller has is at least told apart from others."""
    return importable_text(judge) or CALLERS_OWN + judge_name(judge)
