"""Rules over relational facts: what a rule covers, and which rules are worth having."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from clew.learning.bindings import BindingIndex, Bindings, growths
from clew.learning.facts import Facts, Literal
from clew.learning.rules import START, Body, Rule, bits
from clew.learning.subgroups import CountTable, Search


def discover(facts: Facts, pages: Sequence[str], support: int, elements: int = 6, **limits: int | float) -> list[Rule]:
    """Rules over relational facts for why these visited pages are relevant.

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
    """Which of these pages a rule's body holds for, as bits."""
    return bits(np.unique(Bindings.start(BindingIndex(facts), pages).all(body).owner), len(pages))


def _relational(rows: Bindings, body: Body, relevant: NDArray[np.bool_], support: int, elements: int) -> CountTable:
    """The table of a body over facts; it grows by elements above, below and beside."""

    def grow() -> Iterable[CountTable]:
        for literal in growths(body, elements):
            yield _relational(rows.add(literal), (*body, literal), relevant, support, elements)

    conditions = dict(_conditions(rows, relevant, support))
    holds = np.array([*conditions.values()], dtype=bool).reshape(len(conditions), len(rows.owner))
    return CountTable(rows.owner, [(literal,) for literal in conditions], holds, body, grow)


def _conditions(
    rows: Bindings, relevant: NDArray[np.bool_], support: int
) -> Iterable[tuple[Literal, NDArray[np.bool_]]]:
    """What is said of the variables often enough, and where."""
    words = list(rows.index.constants)
    for variable in rows.columns:
        if variable == "X":
            continue
        name = "relevant" if variable in rows.pages else "target"
        yield from _often(Literal(name, (variable,)), rows.known(variable), rows.owner, relevant, support)
        for name in rows.index.has if variable not in rows.pages else ():
            at, said = rows.sayings(name, variable)
            order = np.argsort(said, kind="stable")
            at, said = at[order], said[order]
            firsts = np.flatnonzero(np.diff(said, prepend=-1))
            for first, part in zip(firsts, np.split(at, firsts[1:]), strict=True) if len(at) else ():
                mask = np.zeros(len(rows.owner), dtype=bool)
                mask[part] = True
                literal = Literal(name, (variable, words[said[first]]))
                yield from _often(literal, mask, rows.owner, relevant, support)


def _often(
    literal: Literal, mask: NDArray[np.bool_], owner: NDArray[np.int64], relevant: NDArray[np.bool_], support: int
) -> Iterable[tuple[Literal, NDArray[np.bool_]]]:
    if relevant[np.unique(owner[mask])].sum() >= support:
        yield literal, mask
