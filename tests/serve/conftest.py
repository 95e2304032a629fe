"""A real crawl of the labyrinth, shared by the tests that only read it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import clew
from clew.labyrinth import Labyrinth, serving
from clew.labyrinth.process import Serving


@pytest.fixture(scope="session")
def web() -> Iterator[Serving]:
    with serving(Labyrinth(pages=400, seed=1)) as server:
        yield server


@pytest.fixture(scope="session")
def root(web: Serving, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of crawls; the one in it has made 80 visits."""
    root = tmp_path_factory.mktemp("crawls")
    seeds = web.labyrinth.seeds("sailing", 3)
    settings = {"allow_private": True, "resolve": [web.resolve], "delay": 0, "parallel": 1}
    clew.crawl("sailing", seeds, folder=str(root / "sailing"), pages=None, visits=80, **settings)
    return root


@pytest.fixture(scope="session")
def folder(root: Path) -> Path:
    return root / "sailing"
