"""Each check catches a strategy that breaks just that promise."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from clew.strategies import HOLD, Stale, Strategy
from clew.testing import checks
from clew.types import Candidate, Page

COUNTER = count()


@dataclass
class Fine(Strategy):
    """Nothing wrong with it. Somebody, 1999."""

    def value(self, candidate: Candidate) -> float:
        return -candidate.depth


@dataclass
class NoDefault(Fine):
    """1999."""

    _crawl: Any = None
    n: int = field(kw_only=True)


@dataclass
class NoPaper(Fine):
    """An idea of mine."""


@dataclass
class Moody(Fine):
    """1999."""

    def value(self, candidate: Candidate) -> float:
        return next(COUNTER) * 7919 % 101


@dataclass
class Busybody(Fine):
    """1999."""

    seen: int = 0

    def value(self, candidate: Candidate) -> float:
        self.seen += 1
        return -candidate.depth


@dataclass
class Sociable(Fine):
    """1999."""

    def score(self, candidates: Sequence[Candidate]) -> list[float]:
        return [len(candidates) + rank for rank, _ in enumerate(candidates)]


@dataclass
class Endless(Fine):
    """1999."""

    def score(self, candidates: Sequence[Candidate]) -> list[float]:
        return [float("nan")] * len(candidates)


@dataclass
class Forgetful(Fine):
    """1999."""

    _pages: int = 0

    def learn(self, page: Page) -> Stale:
        self._pages += 1
        return ()

    def value(self, candidate: Candidate) -> float:
        return self._pages % 7


@dataclass
class Fragile(Fine):
    """1999."""

    def learn(self, page: Page) -> Stale:
        return [page.links[0].url]


@dataclass
class Hoarder(Fine):
    """1999."""

    links: list[str] = field(default_factory=list)

    def learn(self, page: Page) -> Stale:
        self.links += [link.url for link in page.links]
        return ()


@dataclass
class Matchmaker(Fine):
    """1999."""

    pages: list[str] = field(default_factory=list)
    pairs: list[str] = field(default_factory=list)

    def learn(self, page: Page) -> Stale:
        self.pages.append(page.url)
        self.pairs += [f"{page.url} {other}" for other in self.pages]
        return ()


@dataclass
class Miser(Fine):
    """1999."""

    def value(self, candidate: Candidate) -> float:
        return HOLD if candidate.links else 1.0


BROKEN = {
    NoDefault: (checks.can_be_made_without_parameters, "TypeError"),
    NoPaper: (checks.cites_a_paper, "no paper"),
    Moody: (checks.visits_in_the_same_order_twice, "differ"),
    Busybody: (checks.scores_without_side_effects, "score changes the state"),
    Sociable: (checks.scores_without_side_effects, "scored together"),
    Endless: (checks.scores_without_side_effects, "finite"),
    Forgetful: (checks.goes_on_from_a_saved_state, "another way"),
    Fragile: (checks.survives_a_bare_web, "an empty page breaks it: IndexError"),
    Hoarder: (checks.keeps_its_state_small, "10 times the links"),
    Matchmaker: (checks.keeps_its_state_small, "4 times the pages"),
    Miser: (checks.never_stalls_in_silence, "holds the rest back"),
}


@pytest.mark.parametrize("strategy", BROKEN, ids=lambda strategy: strategy.__name__)
def test_a_broken_promise_is_found(strategy: type[Strategy]) -> None:
    promise, problem = BROKEN[strategy]
    assert problem in "\n".join(checks.run(promise, strategy))


def test_a_sound_strategy_passes(link_source: Path) -> None:
    assert checks.check(written(link_source, "sound", "return -candidate.depth")) == []


def test_hash_seeds_are_found_out(link_source: Path) -> None:
    strategy = written(link_source, "hashing", "return hash(candidate.url) % 1000")
    problems = checks.run(checks.does_not_depend_on_hash_seeds, strategy)
    assert problems == [
        "Written does not depend on hash seeds: processes with different hash seeds visit in different orders"
    ]


def test_impure_imports_are_found(link_source: Path) -> None:
    head = "import time\nfrom clew.store import Record\nfrom os.path import join\nimport timeit\n"
    strategy = written(link_source, "impure", "return 0", head)
    found = "\n".join(checks.run(checks.imports_nothing_impure, strategy))
    assert all(f"imports {name}" in found for name in ("time", "clew.store", "os.path"))
    assert "timeit" not in found


def test_a_class_that_no_other_process_can_import_is_a_problem() -> None:
    lost = type("Lost", (Fine,), {"__module__": "no_such_module"})
    [problem] = checks.run(checks.does_not_depend_on_hash_seeds, lost)
    assert "cannot run in a process of its own: ModuleNotFoundError" in problem


@pytest.fixture
def link_source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for modules of other people."""
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=os.pathsep)
    for name in ("sound", "hashing", "impure"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    return tmp_path


def written(folder: Path, name: str, body: str, head: str = "") -> type[Strategy]:
    (folder / f"{name}.py").write_text(
        f"{head}from clew.strategies import Strategy\n\n\nclass Written(Strategy):\n"
        f'    """Somebody, 1999."""\n\n    def value(self, candidate):\n        {body}\n'
    )
    strategy: type[Strategy] = importlib.import_module(name).Written
    return strategy
