"""How many names below one registered domain are asked: where any name exists, there is no end of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from clew.base.chance import key_of
from clew.filters._bounded import remember
from clew.parse.url import domain, host

MAX_SUBDOMAINS: Final = 50  # names of a domain
PAGES: Final = 10  # relevant pages for one name more; the first page of each name does not count
MAX_REMEMBERED: Final = 100_000  # names and domains remembered


@dataclass(slots=True)
class Subdomains:
    """A domain may have some names, and more with what its names bring beyond their first pages.

    >>> names = Subdomains()
    >>> [names.refuse(f"http://n{number}.a.example/") for number in range(51)][-1]
    'trap: more than 50 names below a.example'
    """

    visits: dict[int, int] = field(default_factory=dict)  # of each name
    names: dict[int, int] = field(default_factory=dict)  # of each domain
    found: dict[int, int] = field(default_factory=dict)  # relevant pages of each domain

    def refuse(self, url: str) -> str:
        """The reason, or ""; a name that is let in stays so."""
        name = key_of(host(url))
        if name in self.visits:
            return ""
        site = key_of(domain(url))
        most, count = MAX_SUBDOMAINS + self.found.get(site, 0) // PAGES, self.names.get(site, 0)
        if count >= most:
            return f"trap: more than {most} names below {domain(url)}"
        remember(self.visits, name, 0, MAX_REMEMBERED)
        remember(self.names, site, count + 1, MAX_REMEMBERED)
        return ""

    def visit(self, url: str, relevant: bool) -> None:
        """Take in a visit."""
        name = key_of(host(url))
        before = self.visits.get(name, 0)
        remember(self.visits, name, before + 1, MAX_REMEMBERED)
        if relevant and before:
            site = key_of(domain(url))
            remember(self.found, site, self.found.get(site, 0) + 1, MAX_REMEMBERED)
