"""Rules that say why pages are relevant: their quality, their Prolog form, and which of many to keep."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from clew.learning.facts import Literal

START: Final = (Literal("links_to", ("Y", "X", "A")),)
SAME_COVER: Final = 0.9  # overlap of their covers above which two rules count as one
Body = tuple[Literal, ...]
Numbers = NDArray[np.int64]


@dataclass(frozen=True)
class Rule:
    """relevant(X) if the body holds, with the number of pages it covered when it was learnt.

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
    chosen: tuple[int, ...] = field(default=(), repr=False, compare=False)  # its conditions, as places in the table

    @property
    def confidence(self) -> float:
        """The share of relevant pages in the cover."""
        return self.positives / (self.positives + self.negatives)

    @property
    def laplace(self) -> float:
        """The confidence with Laplace smoothing, which trusts small covers less."""
        return (self.positives + 1) / (self.positives + self.negatives + 2)

    def quality(self, total: int, base: float) -> float:
        """Weighted relative accuracy among `total` instances with a share of `base` relevant ones."""
        return accuracy(self.positives, self.positives + self.negatives, total, base)

    def __str__(self) -> str:
        return f"{prolog(self.body)}  % +{self.positives} -{self.negatives}"


def prolog(body: Body) -> str:
    """A rule in the notation of the paper."""
    return f"relevant(X) :- {', '.join(map(str, body))}."


def accuracy(positives: int, covered: int, total: int, base: float) -> float:
    """Weighted relative accuracy: how many instances a rule covers, and how much purer than chance they are."""
    return covered / total * (positives / covered - base)


def bound(positives: int, total: int, base: float) -> float:
    """The best quality a specialisation can have: it loses all negatives and no positive.

    >>> round(bound(1694, 10_000, 0.7024), 5)
    0.05041
    """
    return positives / total * (1 - base)


def enough(relevant: NDArray[np.bool_]) -> int:
    """The support that rules need: 5 pages or 1 % of the relevant pages, whichever is more."""
    return max(5, -(-int(relevant.sum()) // 100))


def distinct(rules: Iterable[Rule], most: int = 20) -> list[Rule]:
    """At most `most` rules; of those with nearly the same cover only the first.

    A special case of an earlier rule that is no more certain is left out, too: it would never decide anything.

    >>> few = [Rule((), 10, 0, 0b1111111111), Rule((), 9, 1, 0b1111111110), Rule(START, 5, 0, 0b11111)]
    >>> [rule.positives for rule in distinct(few)]
    [10]
    """
    chosen: list[Rule] = []
    for rule in rules:
        if len(chosen) < most and not any(_makes_redundant(other, rule) for other in chosen):
            chosen.append(rule)
    return chosen


def covering(rules: Sequence[Rule], relevant: NDArray[np.bool_], most: int = 50) -> list[Rule]:
    """At most `most` rules that together cover the relevant pages: weighted covering, as in CN2-SD.

    Rules are chosen one after the other. Each relevant page that a chosen rule covers counts less for the next choice:
    1/2 when one rule covers it, 1/3 when two do. A rule near to one that was chosen has little left to cover.
    """
    covers = [unpack(rule.cover, len(relevant)) for rule in rules]
    table = np.array(covers, dtype=np.float32).reshape(len(rules), len(relevant))
    negatives = table[:, ~relevant].sum(axis=1)
    positives = table[:, relevant]
    times = np.zeros(positives.shape[1], dtype=np.float32)
    base = float(relevant.mean()) if len(relevant) else 0.0
    left = np.ones(len(rules), dtype=bool)
    chosen: list[Rule] = []
    while len(chosen) < most and left.any():
        # Weighted relative accuracy, but for a constant factor.
        gain = (1 - base) * (positives @ (1 / (1 + times))) - base * negatives
        best = int(np.argmax(np.where(left, gain, -np.inf)))
        if gain[best] <= 0:
            break
        left[best] = False
        if not any(_makes_redundant(other, rules[best]) for other in chosen):
            chosen.append(rules[best])
            times += positives[best]
    return chosen


def unpack(cover: int, total: int) -> NDArray[np.bool_]:
    """The instances of a cover as flags: the inverse of `bits`.

    >>> unpack(0b1001, 5).tolist()
    [True, False, False, True, False]
    """
    data = np.frombuffer(cover.to_bytes((total + 7) // 8, "little"), dtype=np.uint8)
    return np.unpackbits(data, bitorder="little", count=total).astype(bool)


def bits(instances: Numbers, total: int) -> int:
    """A set of instances as the bits of an integer: intersections and unions of covers are then fast.

    >>> bin(bits(np.array([0, 3]), 5))
    '0b1001'
    """
    mask = np.zeros(total, dtype=bool)
    mask[instances] = True
    return int.from_bytes(np.packbits(mask, bitorder="little").tobytes(), "little")


def _makes_redundant(some: Rule, other: Rule) -> bool:
    """Whether the second rule adds nothing to the first."""
    shared = (some.cover & other.cover).bit_count()
    either = (some.cover | other.cover).bit_count()
    if shared > SAME_COVER * either:
        return True
    return some.laplace >= other.laplace and {*some.body} <= {*other.body}
