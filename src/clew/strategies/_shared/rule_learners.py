"""The interface of strategies that learn human-readable rules."""

from __future__ import annotations

from typing import NamedTuple, Protocol, runtime_checkable

from clew.learning.facts import Facts


class LearnedRule(NamedTuple):
    """A rule in Prolog, with the relevant and irrelevant pages it covered when it was learnt, and since then.

    >>> print(LearnedRule("relevant(X) :- links_to(Y, X, A), text_has(A, ii).", 215, 16, 190, 12))
    relevant(X) :- links_to(Y, X, A), text_has(A, ii).
       learning: +215 -16, later: +190 -12
    """

    rule: str
    positives: int
    negatives: int
    later_positives: int
    later_negatives: int

    def __str__(self) -> str:
        learning = f"+{self.positives} -{self.negatives}"
        later = f"+{self.later_positives} -{self.later_negatives}"
        return f"{self.rule}\n   learning: {learning}, later: {later}"


@runtime_checkable
class Ruled(Protocol):
    """A strategy that learns rules."""

    def learnt(self) -> list[LearnedRule]:
        """The current rules."""
        ...

    def facts(self) -> Facts:
        """All facts about links from the visits so far."""
        ...
