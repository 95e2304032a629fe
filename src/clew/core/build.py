"""From settings to parts: the interest, the strategy, the frontier, the folder."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields
from functools import partial
from pathlib import Path
from typing import Any

from clew import strategies
from clew.base import codec
from clew.config import Config, configure, migration
from clew.core.examples import ExampleReader
from clew.errors import ConfigError, StoreError, StrategyError
from clew.frontier import Frontier
from clew.interests import Interest, build, lessons
from clew.parse import canonical
from clew.store import Records, SqliteStore
from clew.strategies import LinkSource, Strategy, _optional
from clew.types import Doc

Said = Sequence[tuple[Doc, bool]]
"""Pages that the user has labelled."""


def build_interest(config: Config, read: Callable[[str], list[Doc]], said: Said = ()) -> Interest:
    """The interest of a configuration; `read` finds its examples, labelled pages are further ones."""
    what = config.what
    made = partial(
        build,
        what.interest,
        config.topics,
        read=read,
        threshold=what.threshold,
        semantics=what.semantics,
        judge=what.judge,
    )
    plain = made()
    if not said or not learns(config):
        return plain
    judged = [(doc, wanted, plain.judge(doc).topics) for doc, wanted in said]
    return made(taught=lessons(plain.node, judged, what.semantics))


def learns(config: Config) -> bool:
    """Whether labels are examples for the interest: it has topics with examples."""
    return any(topic.examples for topic in config.topics.values())


def build_parts(
    config: Config,
    interest: str | Interest,
    strategy: str | Strategy | None,
    known: Mapping[str, list[Doc]] | None = None,
    said: Said = (),
) -> tuple[Interest, Strategy, dict[str, list[Doc]]]:
    """What was given as an object, what the configuration names, and the examples that were read for it."""
    with ExampleReader(config.fetch, known) as examples:
        wanted = build_interest(config, examples, said) if isinstance(interest, str) else interest
    if config.what.threshold is not None:
        wanted = wanted.at(config.what.threshold)
    chosen = strategy if isinstance(strategy, Strategy) else strategies.make(config.what.strategy)
    return wanted, chosen, examples.docs


def frontier(config: Config, store: SqliteStore | None) -> Frontier:
    """An empty frontier; without a store its texts stay in memory."""
    return Frontier(store, config.keep.capacity, config.fetch.per_host)


def inherit(config: Config, strategy: Strategy) -> None:
    """Hand the strategy what it has learnt in an earlier crawl, if there is one."""
    if not config.what.learned_from:
        return
    name = config.what.strategy.partition("(")[0]
    if not _optional.transferable(strategy):
        raise StrategyError(f"{name} learns nothing that would serve another crawl, so it has nothing to inherit")
    with Records(config.what.learned_from) as records:
        earlier, parts = (
            records.config.what.strategy.partition("(")[0],
            migration.checkpoint(records.store.checkpoint(), strategies.names()),
        )
    if earlier != name:
        told = f"{config.what.learned_from} was crawled by {earlier}, whose knowledge does not serve {name}"
        raise StrategyError(f"{told}; choose --strategy {earlier} or another crawl")
    if "strategy" not in parts:
        raise StoreError(f"{config.what.learned_from} was broken off before anything was learnt")
    _optional.inherit(strategy, codec.loads(parts["strategy"]))


def link_source(config: Config) -> LinkSource | None:
    """What earlier crawls know of the web, if there are any."""
    if not config.what.link_sources:
        return None
    from clew.core.history import EarlierCrawls

    folders = [Path(folder) for folder in config.what.link_sources]
    for folder in folders:
        if not (folder / "crawl.db").exists():
            raise StoreError(f"{folder} is not a crawl folder: it has no crawl.db")
    return EarlierCrawls(folders)


def as_settings(
    interest: str | Interest, seeds: str | Iterable[str], strategy: str | Strategy | None
) -> dict[str, Any]:
    """What `crawl` takes by place, as settings."""
    named: dict[str, Any] = {}
    if interest:
        named["interest"] = str(interest)
    if seeds := [seeds] if isinstance(seeds, str) else list(seeds):
        named["seeds"] = seeds
    if strategy is not None:
        named["strategy"] = strategy if isinstance(strategy, str) else strategy_spec(strategy)
    return named


def strategy_spec(strategy: Strategy) -> str:
    """How a strategy is written in a configuration."""
    given = [f.name for f in fields(strategy) if f.init and getattr(strategy, f.name) != f.default]
    inner = ", ".join(f"{name}={getattr(strategy, name)!r}" for name in given)
    name = type(strategy).__module__.rpartition(".")[2]
    return f"{name}({inner})" if inner else name


def validated(config: Config) -> Config:
    """Every URL canonical, every path absolute; an interest and a start page are there."""
    if not config.what.interest:
        raise ConfigError("say what you are interested in, for example: clew crawl 'sailing AND ruegen' --seeds URL")
    if not config.what.seeds:
        raise ConfigError("give at least one start page with --seeds URL")
    return configure(
        config,
        seeds=tuple(dict.fromkeys(map(address, config.what.seeds))),
        reserve=tuple(dict.fromkeys(map(address, config.what.reserve))),
        learned_from=os.path.abspath(config.what.learned_from) if config.what.learned_from else "",
        link_sources=tuple(map(os.path.abspath, config.what.link_sources)),
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
