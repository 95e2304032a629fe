"""Checks for authors of strategies: `check(MyStrategy)` lists the promises that it breaks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from clew.strategies import Strategy, make
from clew.testing import promises
from clew.testing.promises import parameters_of

Check = Callable[[type[Strategy]], Iterator[str]]


def check(strategy: type[Strategy]) -> list[str]:
    """Every promise that a strategy breaks, in words; an empty list is a pass.

    >>> from clew.strategies import find
    >>> check(find("breadth_first"))
    []
    """
    return [problem for one in checks() for problem in run(one, strategy)]


def tuned(spec: str) -> type[Strategy]:
    """A strategy whose defaults are the given parameters: small webs show what it does later in large ones.

    >>> tuned("apprentice(first=10)")().first
    10
    """
    made = make(spec)
    given = parameters_of(made)
    cls = type(made)
    same = {"__module__": cls.__module__, "__doc__": cls.__doc__, "__annotations__": dict.fromkeys(given, Any)}
    return dataclass(type(cls.__name__, (cls,), {**given, **same}))


def checks() -> list[Check]:
    """One function for each promise; its name is the promise."""
    return [
        promises.can_be_made_without_parameters,
        promises.imports_nothing_impure,
        promises.visits_in_the_same_order_twice,
        promises.does_not_depend_on_hash_seeds,
        promises.scores_without_side_effects,
        promises.estimates_chances_without_side_effects,
        promises.learns_from_labels,
        promises.relearns_when_the_interest_changes,
        promises.hands_on_what_it_has_learnt,
        promises.goes_on_from_a_saved_state,
        promises.survives_a_bare_web,
        promises.keeps_its_state_small,
        promises.never_stalls_in_silence,
    ]


def run(one: Check, strategy: type[Strategy]) -> list[str]:
    """The problems that one check finds; a crash is a problem too."""
    name = f"{strategy.__name__} {one.__name__.replace('_', ' ')}"
    try:
        return [f"{name}: {problem}" for problem in one(strategy)]
    except Exception as error:
        return [f"{name}: {type(error).__name__}: {error}"]
