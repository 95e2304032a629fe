"""Counts for words and URL tokens (events): pages that contain them, and hits among those pages."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Literal, TypedDict

import numpy as np
from numpy.typing import NDArray

from clew.learning.ratios import interest, significance

Ids = NDArray[np.int32]
Floats = NDArray[np.float64]
Mode = Literal["binomial", "paper"]

SEEN: Final = 5  # pages on which an event must occur to count, in binomial mode


class Lexicon(TypedDict):
    """Plain arrays, so that a strategy can save them with its state."""

    ids: dict[str, int]  # event -> its place in the arrays
    seen: Floats  # n_i: pages with the event; longer than `ids`, with room to grow
    hits: Floats  # n_i^C: those that satisfy the predicate


def lexicon() -> Lexicon:
    """An empty lexicon."""
    return {"ids": {}, "seen": np.zeros(0), "hits": np.zeros(0)}


def places(known: Lexicon, events: Iterable[str]) -> Ids:
    """The places of the events; new ones are added."""
    ids = known["ids"]
    found = np.array([ids.setdefault(event, len(ids)) for event in events], np.int32)
    if len(ids) > len(known["seen"]):
        # Grow by half, so that adding n events copies O(n) numbers in all.
        more = np.zeros(len(ids) * 3 // 2 + 1000 - len(known["seen"]))
        known["seen"] = np.concatenate([known["seen"], more])
        known["hits"] = np.concatenate([known["hits"], more])
    return found


def count(known: Lexicon, found: Ids, hit: bool) -> None:
    """Count a page with these events, none of which is repeated."""
    known["seen"][found] += 1.0
    if hit:
        known["hits"][found] += 1.0


def correct(known: Lexicon, found: Ids, hit: bool) -> None:
    """Correct a page that was counted with the wrong judgement: `hit` is the right one."""
    change = 1.0 if hit else -1.0
    # Counts of forgotten events are gone, so the change may lead out of the range.
    known["hits"][found] = np.clip(known["hits"][found] + change, 0.0, known["seen"][found])


def telling(known: Lexicon, rate: float, hits: float, mode: Mode, deviations: float = 2.0) -> tuple[Ids, Floats]:
    """The significant events, the most significant first, with the logarithms of their interest ratios.

    `deviations` is t in the paper: how many standard deviations from the average an event must be to count.
    """
    size = len(known["ids"])
    # Faded counts of an earlier crawl may be fractions; the paper counts every event that was seen.
    least = SEEN if mode == "binomial" else 0.5
    places = np.flatnonzero(known["seen"][:size] >= least)
    seen = known["seen"][places]
    found = known["hits"][places]
    strength = significance(seen, found, rate, seen if mode == "binomial" else hits)
    order = np.argsort(-strength, kind="stable")
    order = order[: int((strength >= deviations).sum())]
    return places[order].astype(np.int32), np.log(interest(seen[order], found[order], rate))


def forget(known: Lexicon, keep: int) -> Ids:
    """Keep only the most frequent events; returns for every old place the new one, or -1."""
    size = len(known["ids"])
    frequent = np.sort(np.argsort(-known["seen"][:size], kind="stable")[:keep])
    moved = np.full(size, -1, np.int32)
    moved[frequent] = np.arange(len(frequent), dtype=np.int32)
    known["ids"] = {event: int(moved[place]) for event, place in known["ids"].items() if moved[place] >= 0}
    known["seen"] = known["seen"][frequent]
    known["hits"] = known["hits"][frequent]
    return moved


def faded(known: Lexicon, share: float) -> Lexicon:
    """A copy with smaller counts: knowledge from another crawl counts less."""
    return {"ids": dict(known["ids"]), "seen": known["seen"] * share, "hits": known["hits"] * share}
