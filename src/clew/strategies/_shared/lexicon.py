"""What words and URL tokens say: counts of pages with them, and of hits among those."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Literal, TypedDict

import numpy as np
from numpy.typing import NDArray

from clew.learning.ratios import interest, significance

Ids = NDArray[np.int32]
Floats = NDArray[np.float64]
Mode = Literal["binomial", "paper"]

SURE: Final = 2.0  # standard deviations from which an event counts: the paper's t
SEEN: Final = 5  # pages that an event must have been seen on, in binomial mode


class Lexicon(TypedDict):
    """Plain arrays, so that a strategy can keep it in its state."""

    ids: dict[str, int]  # event -> its place in the arrays
    seen: Floats  # n_i: pages with the event; longer than `ids`, there is room to grow
    hits: Floats  # n_i^C: those that satisfy the predicate


def lexicon() -> Lexicon:
    """An empty one."""
    return {"ids": {}, "seen": np.zeros(0), "hits": np.zeros(0)}


def places(known: Lexicon, events: Iterable[str]) -> Ids:
    """Where the events are; new ones get a place."""
    ids = known["ids"]
    found = np.array([ids.setdefault(event, len(ids)) for event in events], np.int32)
    if len(ids) > len(known["seen"]):
        more = np.zeros(len(ids) * 3 // 2 + 1000 - len(known["seen"]))
        known["seen"], known["hits"] = (np.concatenate([column, more]) for column in (known["seen"], known["hits"]))
    return found


def count(known: Lexicon, found: Ids, hit: bool) -> None:
    """Count a page with these events, each of them there once."""
    known["seen"][found] += 1.0
    if hit:
        known["hits"][found] += 1.0


def correct(known: Lexicon, found: Ids, hit: bool) -> None:
    """A page that is counted already was judged wrongly: it is a hit, or it is none."""
    known["hits"][found] = np.clip(known["hits"][found] + (1.0 if hit else -1.0), 0.0, known["seen"][found])


def telling(known: Lexicon, rate: float, hits: float, mode: Mode) -> tuple[Ids, Floats]:
    """The significant events, the most significant first, with the logarithms of their interest ratios."""
    size = len(known["ids"])
    seen, found = known["seen"][:size], known["hits"][:size]
    places = np.flatnonzero(seen >= (SEEN if mode == "binomial" else 0.5))
    seen, found = seen[places], found[places]
    strength = significance(seen, found, rate, seen if mode == "binomial" else hits)
    order = np.argsort(-strength, kind="stable")
    order = order[: int((strength >= SURE).sum())]
    return places[order].astype(np.int32), np.log(interest(seen[order], found[order], rate))


def forget(known: Lexicon, keep: int) -> Ids:
    """Leave only the most frequent events; for every old place the new one, or -1."""
    size = len(known["ids"])
    kept = np.sort(np.argsort(-known["seen"][:size], kind="stable")[:keep])
    moved = np.full(size, -1, np.int32)
    moved[kept] = np.arange(len(kept), dtype=np.int32)
    known["ids"] = {event: int(moved[place]) for event, place in known["ids"].items() if moved[place] >= 0}
    known["seen"], known["hits"] = known["seen"][kept], known["hits"][kept]
    return moved


def faded(known: Lexicon, share: float) -> Lexicon:
    """The same with counts that weigh less: knowledge from another crawl."""
    return {"ids": dict(known["ids"]), "seen": known["seen"] * share, "hits": known["hits"] * share}
