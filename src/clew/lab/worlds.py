"""Webs on which strategies are compared: recorded ones and the labyrinth, found by name."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final, Protocol

from clew.config import unknown
from clew.errors import ConfigError
from clew.fetch import Fetcher
from clew.interests import Taxonomy
from clew.interests.syntax import Node
from clew.lab import labyrinth_world, topics
from clew.lab.link_graph import LinkGraph, Mask
from clew.lab.recording import Progress
from clew.lab.snapshot import Snapshot, Truth
from clew.labyrinth import Labyrinth
from clew.types import Doc

RECORDED: Final = Path("../shared/data")
LABYRINTH: Final = "labyrinth"
HARD: Final = "-hard"
DRIFTED: Final = re.compile(r"(.+)~(0?\.\d+|0)(?::(\d+))?")
LEAKS: Final = {"wikischools": ("h3#siteSub",)}  # elements that tell a page's label; topics.json names none


class World(Protocol):
    """Pages, links and the truth about them."""

    @property
    def name(self) -> str:
        """As `find` knows it."""
        ...

    @property
    def digest(self) -> str:
        """Names the content: two worlds with the same digest are the same."""
        ...

    @property
    def warnings(self) -> Sequence[str]:
        """What was amiss with its files; whoever shows results shows these."""
        ...

    @property
    def urls(self) -> Sequence[str]:
        """All pages; the place in this list is a page's id."""
        ...

    @property
    def hosts(self) -> Sequence[str]:
        """All hosts."""
        ...

    @property
    def graph(self) -> LinkGraph:
        """The links between pages, each once, redirects followed."""
        ...

    @property
    def topics(self) -> Mapping[str, int]:
        """How many pages each topic has."""
        ...

    @property
    def taxonomy(self) -> Taxonomy:
        """Which topic is more general than which."""
        ...

    def formula(self, topic: str) -> Node:
        """A topic, or a formula over topics, as its parts."""
        ...

    def title(self, topic: str) -> str:
        """The topic's name for people."""
        ...

    def id_of(self, url: str) -> int | None:
        """The page to which a canonical URL leads."""
        ...

    def doc(self, page: int) -> Doc:
        """What the parser made of a page."""
        ...

    def fetcher(self) -> Fetcher:
        """Answers at once, with documents that are parsed already."""
        ...

    def truth(self, topic: str) -> Truth:
        """For every page: 1 relevant, 0 not, -1 when nobody knows; the topic may be a formula over topics."""
        ...

    def reachable(self, pages: Iterable[int]) -> Mask:
        """For every page whether a path leads to it from these pages."""
        ...

    def seeds(self, topic: str, n: int, distance: int = 0, seed: int = 0) -> list[str]:
        """Up to n start pages from which the nearest page on the topic is this many links away."""
        ...


def worlds() -> list[str]:
    """The names of all worlds that can be found here."""
    recorded = [
        name + variant
        for name, path in _recorded().items()
        for variant in ("", *([HARD] if "exclude_hard" in topics.read(path) else []))
    ]
    return [*recorded, LABYRINTH]


def find(name: str, progress: Progress | None = None) -> Snapshot:
    """A world by its name, a labyrinth (labyrinth:PAGES:REGIME:SEED), a WARC file, or a folder with some.

    With ~SHARE:SEED behind it (webkb~0.2:1) that share of its pages is gone.
    """
    if drifted := DRIFTED.fullmatch(name):
        return find(drifted[1], progress).without(float(drifted[2]), int(drifted[3] or 0))
    if name.partition(":")[0] == LABYRINTH:
        return labyrinth_world.snapshot(_labyrinth(name), name, progress)
    recorded = _recorded()
    if name in recorded:
        return Snapshot.load(_warc(recorded[name]), recorded[name], name=name, progress=progress)
    plain = name.removesuffix(HARD)
    if plain in recorded and (hard := topics.read(recorded[plain]).get("exclude_hard")):
        strip = LEAKS.get(plain, ())
        return Snapshot.load(_warc(recorded[plain]), recorded[plain], hard["url_prefixes"], strip, name, progress)
    if (path := Path(name).resolve()).exists():
        beside = path.with_name(path.name.partition(".")[0] + ".topics.json")
        called = path.name if path.is_dir() else None
        return Snapshot.load(_files(path), beside if beside.is_file() else None, name=called, progress=progress)
    raise ConfigError(
        f"{unknown('world', name, worlds())}, and no file of that name; "
        "the environment variable CLEW_WORLDS names the folder of recorded worlds"
    )


def _recorded() -> dict[str, Path]:
    """The topics.json of each recorded world whose WARC file lies beside it."""
    folder = Path(os.environ.get("CLEW_WORLDS") or RECORDED)
    files = {path.name.removesuffix(".topics.json"): path for path in sorted(folder.glob("*.topics.json"))}
    return {name: path for name, path in files.items() if _warc(path).is_file()}


def _warc(topics: Path) -> Path:
    return topics.with_name(topics.name.removesuffix(".topics.json") + ".warc.gz")


def _labyrinth(name: str) -> Labyrinth:
    """The labyrinth of that name; what the name does not say is as usual.

    >>> _labyrinth("labyrinth:5000:tunnel").islands
    0.4
    """
    _, pages, regime, seed, *more = [*name.split(":"), "", "", ""]
    if any(more) or not (pages or "0").isdecimal() or not (seed or "0").isdecimal():
        raise ConfigError(f"{name!r} should look like labyrinth:5000:tunnel:1 (pages, regime, seed)")
    return Labyrinth.regime(regime or "plain", pages=int(pages or 2000), seed=int(seed or 1))


def _files(path: Path) -> list[Path]:
    """The file, or all WARC files of a folder; a crawl folder has them in `pages`."""
    if path.is_file():
        return [path]
    found = sorted([*path.glob("*.warc*"), *path.glob("pages/*.warc*")])
    if not found:
        raise ConfigError(f"no WARC files in {path}")
    return found
