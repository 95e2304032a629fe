"""Worlds, the webs on which strategies are compared: recorded ones and the labyrinth, found by name."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Protocol

from clew.config import unknown
from clew.errors import ConfigError
from clew.fetch import Fetcher
from clew.interests import Taxonomy
from clew.interests.syntax import Node
from clew.lab import labyrinth_world, topics
from clew.lab.crawl_topics import crawl_topics, is_crawl
from clew.lab.link_graph import LinkGraph, Mask
from clew.lab.recording import Progress
from clew.lab.snapshot import Snapshot, Truth
from clew.labyrinth import Web, made
from clew.types import Doc

RECORDED: Final = Path("../shared/data")
LABYRINTH: Final = "labyrinth"
HARD: Final = "-hard"  # ends the name of a world without its index pages
DRIFTED: Final = re.compile(r"(.+)~(0?\.\d+|0)(?::(\d+))?")  # name~share:seed
LEAKS: Final = {"wikischools": ("h3#siteSub",)}  # elements that give a page's label away; topics.json has no such list


class World(Protocol):
    """The pages, links and labels of a web."""

    @property
    def name(self) -> str:
        """The name by which `find` returns it."""
        ...

    @property
    def digest(self) -> str:
        """Identifies the content: two worlds with the same digest are the same."""
        ...

    @property
    def warnings(self) -> Sequence[str]:
        """Problems with its files, which results should mention."""
        ...

    @property
    def urls(self) -> Sequence[str]:
        """The URLs of all pages; the position in this list is the id of a page."""
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
        """The number of pages of each topic."""
        ...

    @property
    def taxonomy(self) -> Taxonomy:
        """The topics from general to special."""
        ...

    def formula(self, topic: str) -> Node:
        """The syntax tree of a topic, or of a formula over topics and predicates."""
        ...

    def title(self, topic: str) -> str:
        """The title of a topic."""
        ...

    def keywords(self, topic: str) -> tuple[str, ...]:
        """The words that texts on a topic use; () if nobody knows them."""
        ...

    def id_of(self, url: str) -> int | None:
        """The page to which a canonical URL leads."""
        ...

    def doc(self, page: int) -> Doc:
        """The parsed page."""
        ...

    def fetcher(self) -> Fetcher:
        """A fetcher that answers at once, with parsed documents."""
        ...

    def truth(self, topic: str) -> Truth:
        """For every page: 1 if it is relevant, 0 if not, -1 if unlabelled; the topic may be a formula."""
        ...

    def reachable(self, pages: Iterable[int]) -> Mask:
        """For every page, whether it can be reached from these pages."""
        ...

    def seeds(self, topic: str, n: int, distance: int = 0, seed: int = 0) -> list[str]:
        """Up to n start pages from which the nearest page on the topic is this many links away."""
        ...


def worlds() -> list[str]:
    """The names of all worlds that are installed."""
    names = []
    for name, path in _recorded().items():
        names.append(name)
        if "exclude_hard" in topics.read(path):
            names.append(name + HARD)
    return [*names, LABYRINTH]


def find(name: str, progress: Progress | None = None) -> Snapshot:
    """A world by its name, a labyrinth (labyrinth:PAGES:REGIME:SEED), a WARC file, a folder of them, or a crawl folder.

    With ~SHARE:SEED at the end (webkb~0.2:1), that share of its pages is removed.
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
        # Index pages list the members of a topic, and some elements name it: without both, the task is harder.
        strip = LEAKS.get(plain, ())
        return Snapshot.load(_warc(recorded[plain]), recorded[plain], hard["url_prefixes"], strip, name, progress)
    path = Path(name).resolve()
    if path.exists():
        return _from_path(path, progress)
    raise ConfigError(
        f"{unknown('world', name, worlds())}, and there is no file of that name; "
        "set the environment variable CLEW_WORLDS to the folder of the recorded worlds"
    )


def _from_path(path: Path, progress: Progress | None) -> Snapshot:
    """A WARC file or a folder of them, with the topics beside it; a crawl folder knows its own."""
    topics_file = path.with_name(path.name.partition(".")[0] + ".topics.json")
    name = path.name if path.is_dir() else None
    labelled: Path | dict[str, Any] | None = None
    if topics_file.is_file():
        labelled = topics_file
    elif is_crawl(path):
        labelled = crawl_topics(path)
    return Snapshot.load(_files(path), labelled, name=name, progress=progress)


def recorded_folder() -> Path:
    """Where the recorded worlds lie."""
    return Path(os.environ.get("CLEW_WORLDS") or RECORDED)


def _recorded() -> dict[str, Path]:
    """The topics.json of each recorded world that has a WARC file beside it."""
    folder = recorded_folder()
    files = {path.name.removesuffix(".topics.json"): path for path in sorted(folder.glob("*.topics.json"))}
    return {name: path for name, path in files.items() if _warc(path).is_file()}


def _warc(topics: Path) -> Path:
    return topics.with_name(topics.name.removesuffix(".topics.json") + ".warc.gz")


def _labyrinth(name: str) -> Web:
    """The labyrinth of that name; parts that are missing have default values.

    >>> _labyrinth("labyrinth:5000:tunnel:2").pages, _labyrinth("labyrinth:3000:regions")
    (5000, Regional(pages=3000, seed=1))
    """
    # Padded with empty parts: all but the first may be missing.
    _, pages, regime, seed, *more = [*name.split(":"), "", "", ""]
    if any(more) or not (pages or "0").isdecimal() or not (seed or "0").isdecimal():
        raise ConfigError(f"{name!r} must have the form labyrinth:PAGES:REGIME:SEED, such as labyrinth:5000:tunnel:1")
    return made(regime or "plain", pages=int(pages or 2000), seed=int(seed or 1))


def _files(path: Path) -> list[Path]:
    """The file, or all WARC files of a folder; a crawl folder has them in `pages`."""
    if path.is_file():
        return [path]
    found = sorted([*path.glob("*.warc*"), *path.glob("pages/*.warc*")])
    if not found:
        raise ConfigError(f"there are no WARC files in {path}")
    return found
