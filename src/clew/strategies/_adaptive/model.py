"""The models that weigh the features: they start from a prior and learn from the visits of this crawl.

There are two, and both start from the same weights: a linear model, and a forest that corrects those weights. The mean
of the two is steadier than either: the forest sees how features work together, the linear model extrapolates to where
the forest has seen nothing.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache, partial
from importlib.resources import files
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from clew.base.codec import same_tags
from clew.config import unknown
from clew.errors import StrategyError
from clew.learning import logistic
from clew.learning.forest import Forest, grow
from clew.strategies._adaptive.features import COLUMN, NAMES
from clew.strategies._adaptive.memory import Matrix

Vector = NDArray[np.float64]

MAX_VISITS: Final = 3000  # the latest ones are learnt from
MIN_VISITS: Final = 30  # before anything is learnt
RIDGE: Final = 5.0  # penalty on the distance from the prior weights
LEARNERS: Final = ("linear", "forest")
LINEAR_PREFIXES: Final = ("odds_", "word_", "rate_", "embedding_", "interest_")
# Features that mean the same on every web; the forest sees all of them. Saved weights have this order.
LINEAR: Final = [
    *(place for name, place in COLUMN.items() if name.startswith(LINEAR_PREFIXES)),
    *(COLUMN[name] for name in ("source_relevance", "handed", "best_source", "mean_source")),
    *(COLUMN[name] for name in ("run", "same_host", "inlink_votes", "inlink_excess")),
]


class TrainingVisit(NamedTuple):
    """An example to learn from."""

    page: int  # the hash of its URL
    features: Matrix  # of its best link, before the visit
    found: float  # grade of the find, 0 for none
    by_user: bool = False  # labelled by the user, not by the judge


@dataclass
class Model:
    """The chance that a link leads to a relevant page, as log odds."""

    start: Vector  # prior weights of the linear features and, last, the bias
    learners: frozenset[str] = frozenset(LEARNERS)
    visits: deque[TrainingVisit] = field(default_factory=partial(deque, maxlen=MAX_VISITS))
    weights: Vector | None = None
    forest: Forest | None = None

    def margin(self, x: Matrix) -> Vector:
        """The log odds of each row of features."""
        weights, share = self.belief
        margin = _linear(x, weights)
        if self.forest is None:
            return margin
        return margin + share * self.forest.margin(x)

    @property
    def belief(self) -> tuple[Vector, float]:
        """The current weights of the linear features, and the share of the forest."""
        if self.weights is None:
            return self.start, 1.0
        if self.forest is None:
            return self.weights, 0.0
        # The forest was grown on top of the prior weights: the mean of the models is the mean of
        # prior and learnt weights, plus half of the forest.
        return (self.start + self.weights) / 2, 0.5

    def note(self, page: int, features: Matrix, found: float, by_user: bool = False) -> None:
        """Remember a visit with the features that were known before it."""
        self.visits.append(TrainingVisit(page, features, found, by_user))

    def change(self, outcomes: Mapping[int, float]) -> dict[int, float]:
        """Remember other outcomes of visits, by page; those from before, where the visit was not too long ago."""
        earlier: dict[int, float] = {}
        changed: list[TrainingVisit] = []
        for visit in self.visits:
            if visit.page in outcomes and not visit.by_user:
                earlier[visit.page] = visit.found
                changed.append(visit._replace(found=outcomes[visit.page]))
            else:
                changed.append(visit)
        self.visits = deque(changed, MAX_VISITS)
        return earlier

    def unsay(self, page: int) -> None:
        """Forget the user's label of a page, but not its visit."""
        remaining = (visit for visit in self.visits if not visit.by_user or visit.page != page)
        self.visits = deque(remaining, MAX_VISITS)

    def recall(self, page: int) -> Matrix | None:
        """The features of a page before its visit; None if that was too long ago."""
        return next((visit.features for visit in reversed(self.visits) if visit.page == page), None)

    def refit(self) -> None:
        """Fit both models to the remembered visits."""
        x, y = self._remembered()
        # With one class only there is nothing to tell apart.
        if len(y) < MIN_VISITS or y.min() == y.max():
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
        by_user = np.array([visit.by_user for visit in self.visits], np.uint8)
        return {"names": list(NAMES), "x": x, "y": y, "pages": pages, "by_user": by_user, **learnt}

    def load(self, saved: dict[str, Any]) -> None:
        """Restore what `save` returned."""
        # Weights and rows are columns in the order of these names: with other names they would mean something else.
        same_tags("the features of adaptive", saved["names"], NAMES)
        pages = saved["pages"].tolist()
        by_user = map(bool, saved["by_user"].tolist())
        self.visits.extend(map(TrainingVisit, pages, saved["x"], saved["y"].tolist(), by_user))
        self.weights = saved["weights"] if "linear" in self.learners else None
        self.forest = Forest(**saved["forest"]) if saved["forest"] and "forest" in self.learners else None

    def _remembered(self) -> tuple[Matrix, Vector]:
        """Features and targets of the remembered visits."""
        x = np.array([visit.features for visit in self.visits], np.float32).reshape(-1, len(NAMES))
        return x, np.array([visit.found for visit in self.visits])


def prior(name: str) -> Vector:
    """The prior weights of that name: "hand" are set by hand, others come from `experiments/train_prior.py`."""
    known = _priors()
    if name not in known:
        raise StrategyError(unknown("prior", name, list(known)))
    return in_order(known[name])


def in_order(weights: dict[str, float]) -> Vector:
    """Weights by feature name as a vector in the order of `LINEAR`; the bias comes last."""
    return np.array([*(weights.get(NAMES[place], 0.0) for place in LINEAR), weights["bias"]])


@lru_cache(maxsize=1)
def _priors() -> dict[str, dict[str, float]]:
    """All prior weights, by name and feature."""
    text = files("clew.strategies._adaptive").joinpath("priors.json").read_text("utf-8")
    weights: dict[str, dict[str, float]] = json.loads(text)["weights"]
    return weights


def _linear(x: Matrix, weights: Vector) -> Vector:
    margin: Vector = x[:, LINEAR] @ weights[:-1] + weights[-1]
    return margin


def _with_bias(x: Matrix) -> Matrix:
    return np.column_stack((x[:, LINEAR], np.ones(len(x), np.float32)))
