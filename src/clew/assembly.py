"""From settings to parts: the interest, the strategy, the frontier, the folder."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from clew import strategies
from clew.config import Config, configure
from clew.errors import ConfigError
from clew.examples import Examples
from clew.frontier import Frontier
from clew.interests import Interest, build
from clew.parse import canonical
from clew.store import SqliteStore
from clew.strategies import Strategy
from clew.types import Doc


def build_interest(config: Config, read: Callable[[str], list[Doc]]) -> Interest:
    """The interest of a configuration; `read` finds its examples."""
    what = config.what
    return build(
        what.interest,
        config.topics,
        read=read,
        threshold=what.threshold,
        semantics=what.semantics,
        judge=what.judge,
    )


def parts_of(
    config: Config,
    interest: str | Interest,
    strategy: str | Strategy | None,
    known: Mapping[str, list[Doc]] | None = None,
) -> tuple[Interest, Strategy, dict[str, list[Doc]]]:
    """What was given as an object, what the configuration names, and the examples that were read for it."""
    with Examples(config.fetch, known) as examples:
        wanted = build_interest(config, examples) if isinstance(interest, str) else interest
    if config.what.threshold is not None:
        wanted = wanted.at(config.what.threshold)
    chosen = strategy if isinstance(strategy, Strategy) else strategies.make(config.what.strategy)
    return wanted, chosen, examples.docs


def frontier(config: Config, store: SqliteStore | None) -> Frontier:
    """An empty frontier; without a store its texts stay in memory."""
    return Frontier(store, config.keep.capacity, config.fetch.per_host)


def named(interest: str | Interest, seeds: str | Iterable[str], strategy: str | Strategy | None) -> dict[str, Any]:
    """What `crawl` takes by place, as settings."""
    named: dict[str, Any] = {}
    if interest:
        named["interest"] = str(interest)
    if seeds := [seeds] if isinstance(seeds, str) else list(seeds):
        named["seeds"] = seeds
    if strategy is not None:
        named["strategy"] = strategy if isinstance(strategy, str) else spec(strategy)
    return named


def spec(strategy: Strategy) -> str:
    """How a strategy is written in a configuration."""
    given = [f.name for f in fields(strategy) if f.init and getattr(strategy, f.name) != f.default]
    inner = ", ".join(f"{name}={getattr(strategy, name)!r}" for name in given)
    name = type(strategy).__module__.rpartition(".")[2]
    return f"{name}({inner})" if inner else name


def checked(config: Config) -> Config:
    """Every URL canonical; an interest and a start page are there."""
    if not config.what.interest:
        raise ConfigError("say what you are interested in, for example: clew crawl 'sailing AND ruegen' --seeds URL")
    if not config.what.seeds:
        raise ConfigError("give at least one start page with --seeds URL")
    return configure(
        config,
        seeds=tuple(dict.fromkeys(map(address, config.what.seeds))),
        reserve=tuple(dict.fromkeys(map(address, config.what.reserve))),
    )


def address(text: str) -> str:
    """A web address as it is known in a crawl; https is understood.

    >>> address("Example.org"), address("http://localhost:8000")
    ('https://example.org/', 'http://localhost:8000/')
    """
    named = re.match(r"[a-z][a-z0-9+.-]*:(?!\d)", text, re.IGNORECASE)  # localhost:8000 names a port, no scheme
    url = canonical(text if named else f"https://{text}")
    if not url:
        raise ConfigError(f"{text!r} is not a web address; it should look like https://example.org/")
    return url


def new_folder(interest: str) -> Path:
    """A folder that does not exist yet, named after the interest."""
    name = re.sub(r"[^\w]+", "-", interest.lower()).strip("-")[:40] or "crawl"
    numbered = (Path("crawls") / (name if n == 1 else f"{name}-{n}") for n in range(1, 10**6))
    return next(path for path in numbered if not path.exists())
