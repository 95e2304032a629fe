"""Conditions on a link, each a short text that stands for literals: a compact form of first-order facts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from clew.learning.facts import BLOCKS, Facts, Literal, parse, tags
from clew.learning.subgroups import CountTable
from clew.strategies._shared.link_words import words
from clew.types import Link

MAX_ANCESTORS: Final = 3  # elements above the anchor whose tags count
MAX_WORDS_PER_TEXT: Final = 12

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
MOVING: Final = ("beside", "sibling", "near", "colink")  # conditions that can become true while a link waits


def still(link: Link) -> Iterator[str]:
    """The conditions on a link that never change.

    Tags come from `Link.path`; the text around the anchor stands for the text of its parent element.
    """
    found = words(link)
    before = found.before[-MAX_WORDS_PER_TEXT:]
    after = found.after[:MAX_WORDS_PER_TEXT]
    # The path ends with the anchor itself; its ancestors follow from the inside out.
    ancestors = tags(link.path)[-2 : -MAX_ANCESTORS - 2 : -1]
    yield from (f"url {word}" for word in found.url[:MAX_WORDS_PER_TEXT])
    yield from (f"text {word}" for word in found.anchor[:MAX_WORDS_PER_TEXT])
    yield from (f"before {word}" for word in before)
    yield from (f"inside {word}" for word in (*before, *after))
    yield from (f"heading {word}" for word in found.heading[:MAX_WORDS_PER_TEXT])
    yield from (f"tag{n} {tag}" for n, tag in enumerate(ancestors, 1))


def sibling(link: Link) -> str:
    """Where the other links of a link's block are: in the same element, in other items of the list, or farther off."""
    *_, above, around = ["", "", *tags(link.path)[:-1]]
    if around in BLOCKS:
        return "beside"
    if above in BLOCKS:
        return "sibling"
    return "near"


def literals(conditions: Iterable[str]) -> tuple[Literal, ...]:
    """The literals that the conditions stand for, each once.

    >>> print(*literals(["tag1 p", "inside scene"]), sep=", ")
    parent(A, B), tag(B, p), text_has(B, scene)
    """
    found: dict[Literal, None] = {}
    for condition in conditions:
        kind, _, constant = condition.partition(" ")
        for name, pattern in parse(LITERALS[kind]):
            args = tuple(constant if arg == "{}" else arg for arg in pattern)
            found[Literal(name, args)] = None
    return tuple(found)


def describe(facts: Facts, link: Link) -> None:
    """Add a link to relational facts, with the same predicates."""
    found = words(link)
    anchor = {"url_has": found.url, "text_has": found.anchor, "text_before": found.before, "heading_has": found.heading}
    parent = {"text_has": (*found.before, *found.after)}
    facts.add(link, anchor, parent)


def table(visits: Sequence[str], relevant: NDArray[np.bool_], support: int) -> tuple[list[str], CountTable]:
    """Visits as rows for the rule search: a visit has a line for each link, with conditions separated by tabs.

    Returns the names of the conditions with enough support, and their table.
    """
    owners: list[int] = []
    places: dict[str, list[int]] = {}
    for number, visit in enumerate(visits):
        for line in visit.split("\n"):
            for condition in line.split("\t"):
                places.setdefault(condition, []).append(len(owners))
            owners.append(number)
    owner = np.array(owners, dtype=np.int64)
    # Of conditions that hold for the same links one is enough. In reverse order the last write is the first condition.
    names = {tuple(rows): name for name, rows in reversed(places.items()) if _support(owner[rows], relevant) >= support}
    holds = np.zeros((len(names), len(owners)), dtype=bool)
    for number, rows in enumerate(names):
        holds[number, list(rows)] = True
    return [*names.values()], CountTable(owner, [literals([name]) for name in names.values()], holds)


def _support(owners: NDArray[np.int64], relevant: NDArray[np.bool_]) -> int:
    """How many relevant visits own these rows."""
    return len(np.unique(owners[relevant[owners]]))
