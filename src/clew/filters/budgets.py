"""How many pages of a host are visited before it must have brought a relevant one."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from clew.filters.kept import Kept

VISITS_PER_RELEVANT_PAGE: Final = 20  # that a host gains


@dataclass(slots=True)
class Budgets:
    """Every host starts with the same number of visits and gains more with each relevant page.

    >>> budgets = Budgets(first=2)
    >>> for relevant in (False, False):
    ...     left = budgets.record_visit("a.example", relevant)
    >>> left, budgets.record_visit("a.example", relevant=True)
    (0, 19)
    """

    first: int  # visits at the start; 0: no limit
    max_visits: int | None = None  # of a host, however much it brings
    visits: Kept[str, int] = field(default_factory=Kept)  # of each host
    found: Kept[str, int] = field(default_factory=Kept)  # relevant pages of each host
    portions: Kept[str, int] = field(default_factory=Kept)  # of hosts that got more when nothing else was left

    def record_visit(self, host: str, relevant: bool) -> int:
        """Count a visit; return how many are left."""
        self.visits[host] = self.visits.get(host, 0) + 1
        if relevant:
            self.found[host] = self.found.get(host, 0) + 1
        return self.left(host)

    def left(self, host: str) -> int:
        """The number of visits that the host still has."""
        earned = self.first + VISITS_PER_RELEVANT_PAGE * self.found.get(host, 0)
        budget = earned * self.portions.get(host, 1)
        if self.max_visits is not None:
            budget = min(budget, self.max_visits)
        return budget - self.visits.get(host, 0)

    def spent(self) -> list[str]:
        """The hosts that have used up their visits."""
        return [host for host in self.visits if self.first and self.left(host) <= 0]

    def extend(self, home_hosts: frozenset[str]) -> list[str]:
        """Give another portion to hosts that brought something or are the user's own; return those that can go on."""
        deserving = [host for host in self.spent() if self.found.get(host) or host in home_hosts]
        for host in deserving:
            self.portions[host] = self.portions.get(host, 1) + 1
        return [host for host in deserving if self.left(host) > 0]
