"""Conditions on one link, each a short text that stands for literals: the practical form of first-order facts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from clew.learning.facts import BLOCKS, Facts, Literal, parse, tags
from clew.learning.subgroups import CountTable
from clew.strategies._shared.link_words import words
from clew.types import Link

ABOVE: Final = 3  # ancestors whose tags count
MAX_WORDS_PER_TEXT: Final = 12  # words of each text

LITERALS: Final = {
    "url": "url_has(A, {})",
    "text": "text_has(A, {})",
    "before": "text_before(A, {})",
    "heading": "heading_has(A, {})",
    "inside": "parent(A, B), text_has(B, {})",
    "tag1": "parent(A, B), tag(B, {})",
    "tag2": "parent(A, B), parent(B, C), tag(C, {})",
    "tag3": "parent(A, B), parent(B, C), parent(C, F), tag(F, {})",
    "source": "relevant(Y)",
    "colink": "links_to(Y, Z), Z != X, relevant(Z)",
    "beside": "parent(A, B), parent(E, B), E != A, target(E)",
    "sibling": "parent(A, B), parent(B, C), parent(D, C), D != B, parent(E, D), tag(E, a), target(E)",
    "near": "same_block(E, A), target(E)",
}
MOVING: Final = ("beside", "sibling", "near", "colink")  # what becomes true while a link waits


def still(link: Link) -> Iterator[str]:
    """The conditions on a link that never change.

    The DOM is what `Link.path` tells of it; the text around the anchor stands for that of its parent element.
    """
    found = words(link)
    yield from (f"url {word}" for word in found.url[:MAX_WORDS_PER_TEXT])
    yield from (f"text {word}" for word in found.anchor[:MAX_WORDS_PER_TEXT])
    yield from (f"before {word}" for word in found.before[-MAX_WORDS_PER_TEXT:])
    yield from (f"inside {word}" for word in (*found.before[-MAX_WORDS_PER_TEXT:], *found.after[:MAX_WORDS_PER_TEXT]))
    yield from (f"heading {word}" for word in found.heading[:MAX_WORDS_PER_TEXT])
    yield from (f"tag{n} {tag}" for n, tag in enumerate(tags(link.path)[-2 : -ABOVE - 2 : -1], 1))


def sibling(link: Link) -> str:
    """How links of its block stand to a link: in the same element, in other items of the list, or farther off."""
    *_, above, around = ["", "", *tags(link.path)[:-1]]
    return "beside" if around in BLOCKS else "sibling" if above in BLOCKS else "near"


def literals(conditions: Iterable[str]) -> tuple[Literal, ...]:
    """What the conditions say, each literal once.

    >>> print(*literals(["tag1 p", "inside scene"]), sep=", ")
    parent(A, B), tag(B, p), text_has(B, scene)
    """
    found: dict[Literal, None] = {}
    for condition in conditions:
        kind, _, constant = condition.partition(" ")
        for name, args in parse(LITERALS[kind]):
            found[Literal(name, tuple(constant if arg == "{}" else arg for arg in args))] = None
    return tuple(found)


def describe(facts: Facts, link: Link) -> None:
    """Add a link to relational facts, in the same predicates."""
    found = words(link)
    said = {"url_has": found.url, "text_has": found.anchor, "text_before": found.before, "heading_has": found.heading}
    facts.add(link, said, {"text_has": (*found.before, *found.after)})


def table(visits: Sequence[str], relevant: NDArray[np.bool_], support: int) -> tuple[list[str], CountTable]:
    """Visits as rows for the search of rules: their links in lines, each with its conditions parted by tabs.

    Of conditions that hold for the same links the first is enough.
    """
    lines = [(owner, line.split("\t")) for owner, visit in enumerate(visits) for line in visit.split("\n")]
    places: dict[str, list[int]] = {}
    for row, (_, conditions) in enumerate(lines):
        for condition in conditions:
            places.setdefault(condition, []).append(row)
    owner = np.array([owner for owner, _ in lines], dtype=np.int64)
    names = {tuple(rows): name for name, rows in reversed(places.items()) if _support(owner[rows], relevant) >= support}
    holds = np.zeros((len(names), len(lines)), dtype=bool)
    for number, rows in enumerate(names):
        holds[number, list(rows)] = True
    return [*names.values()], CountTable(owner, [literals([name]) for name in names.values()], holds)


def _support(owners: NDArray[np.int64], relevant: NDArray[np.bool_]) -> int:
    return len(np.unique(owners[relevant[owners]]))
