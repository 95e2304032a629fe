"""What the shards of a crawl are made from: settings by name, nothing that is an object of the caller."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from clew import strategies
from clew.config import Config, configure
from clew.config.parts import parse_spec, write_spec
from clew.config.settings import Fetch
from clew.core.build import OwnParts
from clew.core.start import count_start_pages
from clew.errors import ConfigError
from clew.store.home import home
from clew.store.sinks import BUILT_IN as BUILT_IN_SINKS
from clew.store.sinks import JsonLines
from clew.store.whole import shard_folder
from clew.types import Doc


@dataclass(frozen=True)
class Plan:
    """A crawl on several shards."""

    config: Config  # of the whole crawl, with its folder
    guessed_https: frozenset[str] = frozenset()
    examples: Mapping[str, list[Doc]] = field(default_factory=dict)  # read once, for all shards
    last_order: int = 0  # the number of the latest order that the settings follow

    @property
    def shards(self) -> int:
        """How many there are."""
        return self.config.fetch.shards

    @property
    def folder(self) -> Path:
        """The folder of the whole crawl."""
        return Path(self.config.keep.folder)

    def folder_of(self, shard: int) -> Path:
        """The crawl folder of one shard."""
        return shard_folder(self.folder, shard)

    def settings_of(self, shard: int) -> Config:
        """The settings of one shard: its part of what is limited for the whole crawl."""
        return configure(
            self.config,
            folder=str(self.folder_of(shard)),
            sinks=[_sink_of(text, shard) for text in self.config.keep.sinks],
            # They were asked for start pages, once; strategies that ask them do not run on several shards.
            search_sources=(),
            parallel=parallel_of(self.config),
            render_pages=max(1, self.config.fetch.render_pages // self.shards),
            capacity=max(1, self.config.keep.capacity // self.shards),
        )

    def start_pages(self) -> list[int]:
        """By shard: how many start pages it reads before any ceiling is granted."""
        counts = [0] * self.shards
        for url in self.config.what.seeds[: count_start_pages(self.config)]:
            counts[home(url, self.shards)] += 1
        return counts

    def patience(self) -> float:
        """How long one shard is put off for a better page of another one; 0 where scores say nothing of that."""
        until, strategy = self.config.until, strategies.find(parse_spec(self.config.what.strategy)[0])
        is_limited = until.pages is not None or until.visit_limit is not None
        by_score = getattr(strategy, "waits", "") == "by score"
        return self.config.fetch.patience if is_limited and by_score else 0.0


def with_absolute_sinks(config: Config) -> Config:
    """Shards need not run in the folder in which the crawl was started."""
    return configure(config, sinks=[_with_path(text, lambda path: path.absolute()) for text in config.keep.sinks])


def _sink_of(text: str, shard: int) -> str:
    """A sink that ships with clew writes a file for each shard, with the number in its name.

    >>> _sink_of("jsonl(path='/data/found.jsonl')", 3)
    "jsonl(path='/data/found-3.jsonl')"
    """
    return _with_path(text, lambda path: path.with_stem(f"{path.stem}-{shard}"))


def _with_path(text: str, change: Callable[[Path], Path]) -> str:
    name, arguments = parse_spec(text)
    if name not in BUILT_IN_SINKS:
        return text
    path = (arguments or {}).get("path", JsonLines.path)
    return write_spec(name, {**(arguments or {}), "path": str(change(Path(path)))})


def parallel_of(config: Config) -> int:
    """Fetches of one shard at the same time: its part of what the user wants, or as many as a crawl usually makes."""
    usual = Fetch().parallel
    return usual if config.fetch.parallel == usual else max(1, config.fetch.parallel // config.fetch.shards)


def refuse(config: Config, own: OwnParts) -> None:
    """Say in one sentence why a crawl cannot run on several shards."""
    for problem in (_objects(own), _strategy(config), _community(config)):
        if problem:
            raise ConfigError(f"with {config.fetch.shards} shards {problem}")


def _objects(own: OwnParts) -> str:
    found = [name for name, value in own._asdict().items() if name != "search_sources" and not _is_text(value)]
    if not found:
        return ""
    return f"{found[0]} must be given by name, not as a Python object: each shard makes its own"


def _is_text(value: object) -> bool:
    if isinstance(value, (list, tuple)):
        return all(isinstance(item, str) for item in value)
    return value is None or isinstance(value, str)


def _strategy(config: Config) -> str:
    spec = config.what.strategy
    name, arguments = parse_spec(spec)
    able = sorted(known for known in strategies.names() if strategies.find(known).shards)
    if not strategies.find(name).shards:
        return f"the strategy {name} cannot run, for it needs all pages in one place; choose {', '.join(able)}"
    if name == "best_first" and (arguments or {}).get("n", 1) != 1:
        return "best_first runs with n=1 only, for a batch would need pages of other shards"
    return ""


def _community(config: Config) -> str:
    return "community cannot be used, for it needs all pages in one place" if config.until.community else ""
