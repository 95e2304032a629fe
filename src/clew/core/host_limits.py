"""How many more pages each host may give, and which of its candidates a rule has turned into another page."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from clew.filters import Filters
from clew.frontier import Frontier
from clew.parse import host
from clew.strategies import HOLD


@dataclass
class HostLimits:
    """Brings what the filters know about hosts to the frontier."""

    frontier: Frontier
    filters: Filters

    def allow(self, name: str) -> None:
        """Let a host have what its budget leaves, where there are budgets."""
        if self.filters.budgets.first:
            self.frontier.allow(name, self.filters.budgets.left(name))

    def allow_all(self) -> None:
        """Let all hosts have what their budgets leave."""
        for name in self.filters.budgets.visits:
            self.allow(name)

    def extend(self) -> bool:
        """Another portion for the good hosts whose budget is spent; whether that helps."""
        for name in self.filters.budgets.extend(self.filters.home_hosts):
            self.allow(name)
        return self.frontier.best() > HOLD

    def after_visit(self, url: str, changed_hosts: Iterable[str]) -> None:
        """After a visit: the budget of its host, and the candidates of hosts where a rule was learnt."""
        self.allow(host(url))
        for name in changed_hosts:
            self._fold_candidates(name)

    def _fold_candidates(self, name: str) -> None:
        seen: set[str] = set()
        for slot, candidate in self.frontier.queued_on(name):
            target = self.filters.fold(candidate)
            is_known = target in seen or self.frontier.find(target) is not None
            seen.add(target)
            if target != candidate and is_known:
                self.frontier.exclude(slot, f"same as {target}")
            elif reason := self.filters.refuse(candidate):
                self.frontier.exclude(slot, reason)
