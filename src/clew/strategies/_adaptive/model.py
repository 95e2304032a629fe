"""How much each clue is to be believed: first as a prior says, then as this crawl teaches.

Two learners start from the same weights: a linear one, and a forest that corrects it. Their mean is steadier than
either: the forest sees how clues work together, the linear one goes on where the forest has seen nothing.
"""

from __future__ import annotations

import json
from collections import deque
from dataclasses import dataclass, field
from functools import lru_cache, partial
from importlib.resources import files
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from clew.config import unknown
from clew.errors import StrategyError
from clew.learning import logistic
from clew.learning.forest import Forest, grow
from clew.strategies._adaptive.features import COLUMN, NAMES
from clew.strategies._adaptive.memory import Matrix

Vector = NDArray[np.float64]

RING: Final = 3000  # visits that are learnt from
ENOUGH: Final = 30  # visits before anything is learnt
RIDGE: Final = 5.0
LEARNERS: Final = ("linear", "forest")
LINEAR: Final = [
    *(
        place
        for name, place in COLUMN.items()
        if name.startswith(("odds_", "word_", "rate_", "embedding_", "interest_"))
    ),
    *(COLUMN[name] for name in ("source_relevance", "handed", "best_source", "mean_source")),
    *(COLUMN[name] for name in ("run", "same_host", "inlink_votes", "inlink_excess")),
]  # clues that mean the same on every web; the forest sees all of them


class Visit(NamedTuple):
    """What is remembered of one."""

    page: int  # its number among `keys`
    features: Matrix  # that spoke for it beforehand
    found: float  # what came
    told: bool = False  # by the user, not by the judge


@dataclass
class Model:
    """The chance that a link leads to a relevant page, as log odds."""

    start: Vector  # weights of the linear clues and, last, the bias
    learners: frozenset[str] = frozenset(LEARNERS)
    visits: deque[Visit] = field(default_factory=partial(deque, maxlen=RING))
    weights: Vector | None = None
    forest: Forest | None = None

    def margin(self, x: Matrix) -> Vector:
        """For each row of clues."""
        weights, share = self.belief
        margin = _linear(x, weights)
        return margin if self.forest is None else margin + share * self.forest.margin(x)

    @property
    def belief(self) -> tuple[Vector, float]:
        """The weights of the linear clues as they count now, and the share of the forest."""
        if self.weights is None:
            return self.start, 1.0
        return (self.weights, 0.0) if self.forest is None else ((self.start + self.weights) / 2, 0.5)

    def note(self, page: int, features: Matrix, found: float, told: bool = False) -> None:
        """Remember a visit with the clues that spoke for it."""
        self.visits.append(Visit(page, features, found, told))

    def unsay(self, page: int) -> None:
        """Forget what the user has said of a page, but not its visit."""
        self.visits = deque((visit for visit in self.visits if not visit.told or visit.page != page), RING)

    def recall(self, page: int) -> Matrix | None:
        """The clues that spoke for a page before its visit; None if that was long ago."""
        return next((visit.features for visit in reversed(self.visits) if visit.page == page), None)

    def refit(self) -> None:
        """Learn from the visits that are remembered."""
        x, y = self._remembered()
        if len(y) < ENOUGH or y.min() == y.max():
            return
        if "linear" in self.learners:
            self.weights = logistic.fit(_with_bias(x), y, self.start, RIDGE)
        if "forest" in self.learners:
            self.forest = grow(x, y, base=_linear(x, self.start), trees=30, depth=3, rate=0.15, ridge=3.0)

    def save(self) -> dict[str, Any]:
        """As plain values and arrays."""
        x, y = self._remembered()
        learnt = {"weights": self.weights, "forest": self.forest and vars(self.forest)}
        pages = np.array([visit.page for visit in self.visits], np.uint32)
        told = np.array([visit.told for visit in self.visits], np.uint8)
        return {"names": list(NAMES), "x": x, "y": y, "pages": pages, "told": told, **learnt}

    def load(self, saved: dict[str, Any]) -> None:
        """What was saved; an earlier version that had other clues can tell nothing."""
        if saved.get("names") != list(NAMES):
            return
        nothing = np.zeros(len(saved["y"]), np.uint32)  # for what an earlier version did not know
        pages, told = (saved.get(name, nothing) for name in ("pages", "told"))
        self.visits.extend(map(Visit, pages.tolist(), saved["x"], saved["y"].tolist(), map(bool, told.tolist())))
        self.weights = saved["weights"] if "linear" in self.learners else None
        self.forest = Forest(**saved["forest"]) if saved["forest"] and "forest" in self.learners else None

    def _remembered(self) -> tuple[Matrix, Vector]:
        x = np.array([visit.features for visit in self.visits], np.float32).reshape(-1, len(NAMES))
        return x, np.array([visit.found for visit in self.visits])


def prior(name: str) -> Vector:
    """The weights of that name: "hand" are set by hand, others come from `experiments/train_prior.py`."""
    known = _priors()
    if name not in known:
        raise StrategyError(unknown("prior", name, list(known)))
    return in_order(known[name])


def in_order(weights: dict[str, float]) -> Vector:
    """Weights by the names of their clues as the model has them; the bias comes last."""
    return np.array([*(weights.get(NAMES[place], 0.0) for place in LINEAR), weights["bias"]])


@lru_cache(maxsize=1)
def _priors() -> dict[str, dict[str, float]]:
    """All that there are."""
    text = files("clew.strategies._adaptive").joinpath("priors.json").read_text("utf-8")
    weights: dict[str, dict[str, float]] = json.loads(text)["weights"]
    return weights


def _linear(x: Matrix, weights: Vector) -> Vector:
    margin: Vector = x[:, LINEAR] @ weights[:-1] + weights[-1]
    return margin


def _with_bias(x: Matrix) -> Matrix:
    return np.column_stack((x[:, LINEAR], np.ones(len(x), np.float32)))
