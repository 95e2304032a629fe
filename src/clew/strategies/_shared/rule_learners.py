"""What strategies offer that learn rules a person can read."""

from __future__ import annotations

from typing import NamedTuple, Protocol, runtime_checkable

from clew.learning.facts import Facts


class LearnedRule(NamedTuple):
    """A rule in Prolog, with the relevant and the other pages that it covered when it was learnt, and since.

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
        learning, later = f"+{self.positives} -{self.negatives}", f"+{self.later_positives} -{self.later_negatives}"
        return f"{self.rule}\n   learning: {learning}, later: {later}"


@runtime_checkable
class Ruled(Protocol):
    """A strategy with rules."""

    def learnt(self) -> list[LearnedRule]:
        """The rules as they stand."""
        ...

    def facts(self) -> Facts:
        """Everything the visits so far say of links."""
        ...
