"""Rules over relational facts: what a rule covers, and which rules describe the relevant pages best."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from clew.learning.bindings import BindingIndex, Bindings, growths
from clew.learning.facts import Facts, Literal
from clew.learning.rules import START, Body, Rule, bits
from clew.learning.subgroups import CountTable, Search


def discover(facts: Facts, pages: Sequence[str], support: int, elements: int = 6, **limits: int | float) -> list[Rule]:
    """The best rules over relational facts that say which of these visited pages are relevant.

    >>> facts = Facts(judged={"u": False})
    >>> for n in range(20):
    ...     facts.links.append(("u", f"v{n}", f"e{n}"))
    ...     facts.judged[f"v{n}"] = n < 10
    >>> facts.has["text_has"] = {f"e{n}": ["sails"] for n in range(10)}
    >>> print(discover(facts, [f"v{n}" for n in range(20)], support=5, elements=1)[0])
    relevant(X) :- links_to(Y, X, A), text_has(A, sails).  % +10 -0
    """
    relevant = np.array([facts.judged[page] for page in pages], dtype=bool)
    search = Search(relevant, support, **limits)  # type: ignore[arg-type]
    start = Bindings.start(BindingIndex(facts), pages)
    return search.run(_relational(start.all(START), START, relevant, support, elements))


def cover(body: Body, facts: Facts, pages: Sequence[str]) -> int:
    """The pages for which a rule's body holds, as bits."""
    found = Bindings.start(BindingIndex(facts), pages).all(body)
    return bits(np.unique(found.owner), len(pages))


def _relational(rows: Bindings, body: Body, relevant: NDArray[np.bool_], support: int, elements: int) -> CountTable:
    """The table of a body over facts; it grows by elements above, below and beside those it has."""

    def grow() -> Iterable[CountTable]:
        for literal in growths(body, elements):
            yield _relational(rows.add(literal), (*body, literal), relevant, support, elements)

    conditions = dict(_conditions(rows, relevant, support))
    holds = np.array([*conditions.values()], dtype=bool).reshape(len(conditions), len(rows.owner))
    return CountTable(rows.owner, [(literal,) for literal in conditions], holds, body, grow)


def _conditions(
    rows: Bindings, relevant: NDArray[np.bool_], support: int
) -> Iterable[tuple[Literal, NDArray[np.bool_]]]:
    """The conditions on the variables with enough support, and in which rows each holds."""
    words = list(rows.index.constants)
    for variable in rows.columns:
        # X is the page in question: what it contains is not known before the visit.
        if variable == "X":
            continue
        is_page = variable in rows.pages
        literal = Literal("relevant" if is_page else "target", (variable,))
        holds = rows.known(variable)
        if _has_support(holds, rows.owner, relevant, support):
            yield literal, holds
        if is_page:
            continue
        for name in rows.index.has:
            for literal, holds in _constants(rows, name, variable, words):
                if _has_support(holds, rows.owner, relevant, support):
                    yield literal, holds


def _constants(
    rows: Bindings, name: str, variable: str, words: Sequence[str]
) -> Iterable[tuple[Literal, NDArray[np.bool_]]]:
    """Each constant that a predicate has for a variable, and in which rows; `words` are the constants by number."""
    at, constants = rows.sayings(name, variable)
    if not len(at):
        return
    # Sorted by constant, the rows of each one are a run.
    order = np.argsort(constants, kind="stable")
    at = at[order]
    constants = constants[order]
    firsts = np.flatnonzero(np.diff(constants, prepend=-1))
    for first, run in zip(firsts, np.split(at, firsts[1:]), strict=True):
        holds = np.zeros(len(rows.owner), dtype=bool)
        holds[run] = True
        yield Literal(name, (variable, words[constants[first]])), holds


def _has_support(holds: NDArray[np.bool_], owner: NDArray[np.int64], relevant: NDArray[np.bool_], support: int) -> bool:
    """Whether a condition holds for enough relevant pages."""
    return bool(relevant[np.unique(owner[holds])].sum() >= support)
