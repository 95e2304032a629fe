"""How much of a host is visited before it must have brought something."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

GROWTH: Final = 20
"""Further visits for each relevant page that was found on the host."""


@dataclass(slots=True)
class Budgets:
    """A host begins with so many visits and gains more with every relevant page.

    >>> budgets = Budgets(first=2)
    >>> for relevant in (False, False):
    ...     left = budgets.record_visit("a.example", relevant)
    >>> left, budgets.record_visit("a.example", relevant=True)
    (0, 19)
    """

    first: int  # 0: no limit
    most: int | None = None
    visits: dict[str, int] = field(default_factory=dict)
    found: dict[str, int] = field(default_factory=dict)
    portions: dict[str, int] = field(default_factory=dict)  # of hosts that went on when nothing else was left

    def record_visit(self, host: str, relevant: bool) -> int:
        """Count a visit; how many are left."""
        self.visits[host] = self.visits.get(host, 0) + 1
        if relevant:
            self.found[host] = self.found.get(host, 0) + 1
        return self.left(host)

    def left(self, host: str) -> int:
        """Visits that the host still has."""
        portion = (self.first + GROWTH * self.found.get(host, 0)) * self.portions.get(host, 1)
        return (portion if self.most is None else min(portion, self.most)) - self.visits.get(host, 0)

    def spent(self) -> list[str]:
        """Hosts without a visit left."""
        return [host for host in self.visits if self.first and self.left(host) <= 0]

    def extend(self, home_hosts: frozenset[str]) -> list[str]:
        """Nothing else is left: another portion for hosts that have brought something, or are the user's own."""
        good = [host for host in self.spent() if self.found.get(host) or host in home_hosts]
        for host in good:
            self.portions[host] = self.portions.get(host, 1) + 1
        return [host for host in good if self.left(host) > 0]
