"""Rules for why pages are relevant: their numbers, their Prolog form, and which of many to keep."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from clew.learning.facts import Literal

START: Final = (Literal("links_to", ("Y", "X", "A")),)
SAME: Final = 0.9  # overlap of covers from which two rules are one
Body = tuple[Literal, ...]
Numbers = NDArray[np.int64]


@dataclass(frozen=True)
class Rule:
    """relevant(X) under a body, with what it covered when it was learnt.

    >>> rule = Rule((*START, Literal("url_has", ("A", "shakespeare"))), 1694, 47)
    >>> print(rule)
    relevant(X) :- links_to(Y, X, A), url_has(A, shakespeare).  % +1694 -47
    >>> round(rule.confidence, 4), round(rule.laplace, 4)
    (0.973, 0.9725)
    """

    body: Body
    positives: int
    negatives: int
    cover: int = field(default=0, repr=False, compare=False)  # bit i: covers instance i
    chosen: tuple[int, ...] = field(default=(), repr=False, compare=False)  # its conditions by their place in the table

    @property
    def confidence(self) -> float:
        """Share of relevant pages in the cover."""
        return self.positives / (self.positives + self.negatives)

    @property
    def laplace(self) -> float:
        """The same, doubting small covers."""
        return (self.positives + 1) / (self.positives + self.negatives + 2)

    def quality(self, total: int, base: float) -> float:
        """Weighted relative accuracy among so many instances with that share of relevant ones."""
        return (self.positives + self.negatives) / total * (self.confidence - base)

    def __str__(self) -> str:
        return f"{prolog(self.body)}  % +{self.positives} -{self.negatives}"


def prolog(body: Body) -> str:
    """A rule as the paper writes it."""
    return f"relevant(X) :- {', '.join(map(str, body))}."


def bound(positives: int, total: int, base: float) -> float:
    """The best quality that a specialisation can have: it loses all negatives and no positive.

    >>> round(bound(1694, 10_000, 0.7024), 5)
    0.05041
    """
    return positives / total * (1 - base)


def enough(relevant: NDArray[np.bool_]) -> int:
    """The support that rules need: 10, or one in a hundred of the relevant pages."""
    return max(10, -(-int(relevant.sum()) // 100))


def distinct(rules: Iterable[Rule], most: int = 20) -> list[Rule]:
    """The first of rules whose covers are nearly the same, at most so many.

    What is but a special case of a rule before it, and no surer, would never decide anything.

    >>> few = [Rule((), 10, 0, 0b1111111111), Rule((), 9, 1, 0b1111111110), Rule(START, 5, 0, 0b11111)]
    >>> [rule.positives for rule in distinct(few)]
    [10]
    """
    kept: list[Rule] = []
    for rule in rules:
        if len(kept) < most and not any(_stands_for(other, rule) for other in kept):
            kept.append(rule)
    return kept


def bits(instances: Numbers, total: int) -> int:
    """Numbers as the bits of an integer.

    >>> bin(bits(np.array([0, 3]), 5))
    '0b1001'
    """
    mask = np.zeros(total, dtype=bool)
    mask[instances] = True
    return int.from_bytes(np.packbits(mask, bitorder="little").tobytes(), "little")


def _stands_for(some: Rule, other: Rule) -> bool:
    shared, either = (some.cover & other.cover).bit_count(), (some.cover | other.cover).bit_count()
    return shared > SAME * either or (some.laplace >= other.laplace and {*some.body} <= {*other.body})
