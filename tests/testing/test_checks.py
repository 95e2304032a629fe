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
from clew.testing import checks, promises
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


@dataclass
class Overconfident(Fine):
    """1999."""

    def chances(self, candidates: Sequence[Candidate]) -> list[float]:
        return [2.0] * len(candidates)


@dataclass
class Curious(Fine):
    """1999."""

    asked: int = field(default=0, init=False)

    def explain(self, candidate: Candidate) -> dict[str, float]:
        self.asked += 1
        return {}


@dataclass
class Procrastinator(Fine):
    """1999."""

    bonus: float = field(default=0.0, init=False)
    _waiting: int = field(default=0, init=False)

    def learn_label(self, page: Page, relevant: bool) -> Stale:
        self._waiting += 1
        return ()

    def score(self, candidates: Sequence[Candidate]) -> list[float]:
        self.bonus += self._waiting
        self._waiting = 0
        return [self.bonus] * len(candidates)


@dataclass
class Scatterbrain(Fine):
    """1999."""

    _labels: int = field(default=0, init=False)

    def learn_label(self, page: Page, relevant: bool) -> Stale:
        self._labels += 1
        return ()

    def value(self, candidate: Candidate) -> float:
        return self._labels


@dataclass
class Stubborn(Fine):
    """1999."""

    found: int = field(default=0, init=False)

    def learn(self, page: Page) -> Stale:
        self.found += page.relevant
        return ()

    def interest_changed(self) -> bool:
        return False

    def value(self, candidate: Candidate) -> float:
        return self.found


@dataclass
class EmptyHanded(Fine):
    """1999."""

    transferable = ("wisdom",)


BROKEN = {
    Overconfident: (promises.estimates_chances_without_side_effects, "not between 0 and 1"),
    Curious: (promises.estimates_chances_without_side_effects, "changes the state"),
    Procrastinator: (promises.learns_from_labels, "after a label changes the state"),
    Scatterbrain: (promises.learns_from_labels, "lost when the state is saved"),
    Stubborn: (promises.relearns_when_the_interest_changes, "taught the same pages"),
    EmptyHanded: (promises.hands_on_what_it_has_learnt, "'wisdom' is not in its saved state"),
    NoDefault: (promises.can_be_made_without_parameters, "TypeError"),
    NoPaper: (promises.cites_a_paper, "no paper"),
    Moody: (promises.visits_in_the_same_order_twice, "differ"),
    Busybody: (promises.scores_without_side_effects, "score changes the state"),
    Sociable: (promises.scores_without_side_effects, "scored together"),
    Endless: (promises.scores_without_side_effects, "finite"),
    Forgetful: (promises.goes_on_from_a_saved_state, "another way"),
    Fragile: (promises.survives_a_bare_web, "an empty page breaks it: IndexError"),
    Hoarder: (promises.keeps_its_state_small, "10 times the links"),
    Matchmaker: (promises.keeps_its_state_small, "4 times the pages"),
    Miser: (promises.never_stalls_in_silence, "holds the rest back"),
}


@pytest.mark.parametrize("strategy", BROKEN, ids=lambda strategy: strategy.__name__)
def test_a_broken_promise_is_found(strategy: type[Strategy]) -> None:
    promise, problem = BROKEN[strategy]
    assert problem in "\n".join(checks.run(promise, strategy))


def test_a_sound_strategy_passes(elsewhere: Path) -> None:
    assert checks.check(written(elsewhere, "sound", "return -candidate.depth")) == []


def test_hash_seeds_are_found_out(elsewhere: Path) -> None:
    strategy = written(elsewhere, "hashing", "return hash(candidate.url) % 1000")
    problems = checks.run(promises.does_not_depend_on_hash_seeds, strategy)
    assert problems == [
        "Written does not depend on hash seeds: processes with different hash seeds visit in different orders"
    ]


def test_impure_imports_are_found(elsewhere: Path) -> None:
    head = "import time\nfrom clew.store import Record\nfrom os.path import join\nimport timeit\n"
    strategy = written(elsewhere, "impure", "return 0", head)
    found = "\n".join(checks.run(promises.imports_nothing_impure, strategy))
    assert all(f"imports {name}" in found for name in ("time", "clew.store", "os.path"))
    assert "timeit" not in found


def test_a_class_that_no_other_process_can_import_is_a_problem() -> None:
    lost = type("Lost", (Fine,), {"__module__": "no_such_module"})
    [problem] = checks.run(promises.does_not_depend_on_hash_seeds, lost)
    assert "cannot run in a process of its own: ModuleNotFoundError" in problem


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
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
