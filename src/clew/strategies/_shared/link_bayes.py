"""Multinomial naive Bayes whose examples may belong to several classes, with a weight in each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import log


@dataclass(slots=True)
class Bayes:
    """Counts that a strategy saves with its state; words that occurred less than `cut` times are ignored.

    >>> judge = Bayes.of(2)
    >>> judge.add_example(["login"], [1.0, 0.0]); judge.add_example(["ski", "ski"], [0.1, 0.9])
    >>> bad, good = judge.logs(["ski"])
    >>> good > bad
    True
    """

    counts: dict[str, list[float]]  # by word: weight in each class
    examples: list[float]  # weight of each class
    mass: list[float]  # weight of all uncut words in each class and, last, the number of distinct ones
    cut: int = field(default=0)

    @classmethod
    def of(cls, classes: int, cut: int = 0) -> Bayes:
        """A model without examples."""
        return cls({}, [0.0] * classes, [0.0] * (classes + 1), cut)

    def add_example(self, words: Iterable[str], weights: Sequence[float]) -> None:
        """Add an example with its weight in each class."""
        _add(self.examples, weights)
        for word in words:
            found = self.counts.setdefault(word, [0.0] * len(weights))
            before = sum(found)
            _add(found, weights)
            if before >= self.cut and before > 0:
                _add(self.mass, weights)
            elif sum(found) >= self.cut:
                # The word is frequent enough from now on: everything counted so far is added at once.
                _add(self.mass, [*found, 1.0])

    def logs(self, words: Iterable[str]) -> list[float]:
        """For each class: the log of its share of the examples, plus the log of each word's share in it (Laplace)."""
        *masses, size = self.mass
        # No class is impossible.
        floored = [max(examples, 0.5) for examples in self.examples]
        found = [log(examples / sum(floored)) for examples in floored]
        floors = [log(mass + size) if size else 0.0 for mass in masses]
        for word in words:
            counts = self.counts.get(word)
            if counts and sum(counts) >= self.cut:
                for at, count in enumerate(counts):
                    found[at] += log(count + 1) - floors[at]
        return found


def _add(column: list[float], weights: Sequence[float]) -> None:
    for at, weight in enumerate(weights):
        column[at] += weight
