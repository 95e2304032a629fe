from __future__ import annotations

import contextlib
import io
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from clew.cli.main import main
from clew.labyrinth import Labyrinth, serving


@dataclass
class Web:
    """A small labyrinth on loopback, and how to crawl it."""

    labyrinth: Labyrinth
    seeds: list[str]
    resolve: str
    topics: Path
    flags: list[str] = field(init=False)

    def __post_init__(self) -> None:
        lab = ["--allow-private", "--resolve", self.resolve, "--delay", "0"]
        self.flags = ["--seeds", *self.seeds, "--config", str(self.topics), *lab]

    def crawl(self, folder: Path, *more: str) -> int:
        """The exit code of `clew crawl`."""
        return main(["crawl", "sailing", *self.flags, "--folder", str(folder), *more])


@pytest.fixture(scope="session")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    labyrinth = Labyrinth(pages=400, seed=1)
    topics = tmp_path_factory.mktemp("web") / "topics.toml"
    topics.write_text(labyrinth.topics_toml(), encoding="utf-8")
    with serving(labyrinth) as server:
        yield Web(labyrinth, labyrinth.seeds("sailing", 3), server.resolve, topics)


@pytest.fixture(scope="session")
def crawl_folder(web: Web, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A crawl of 60 pages that is over; only to be read."""
    folder = tmp_path_factory.mktemp("crawls") / "sailing"
    with contextlib.redirect_stdout(io.StringIO()):
        assert web.crawl(folder, "--pages", "60", "--quiet") == 0
    return folder
