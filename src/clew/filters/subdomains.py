"""Limits the host names below one registered domain: with a wildcard in DNS there is no end of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from clew.base.chance import key_of
from clew.filters._bounded import remember
from clew.filters.kept import Kept
from clew.parse.url import domain, host

MAX_SUBDOMAINS: Final = 50  # names of a domain
RELEVANT_PAGES_PER_NAME: Final = 10  # that earn a domain one more name
MAX_REMEMBERED: Final = 100_000  # names, and domains


@dataclass(slots=True)
class Subdomains:
    """A domain starts with a number of names and gains more with relevant pages beyond the first of each name.

    >>> names = Subdomains()
    >>> [names.refuse(f"http://n{number}.a.example/") for number in range(51)][-1]
    'trap: more than 50 names below a.example'
    """

    visits: Kept[int, int] = field(default_factory=Kept)  # name -> visits
    names: Kept[int, int] = field(default_factory=Kept)  # domain -> names
    found: Kept[int, int] = field(default_factory=Kept)  # domain -> relevant pages beyond the first of each name

    def refuse(self, url: str) -> str:
        """The reason to refuse a URL, or ""; a name that was let in stays in."""
        name = key_of(host(url))
        if name in self.visits:
            return ""
        site = key_of(domain(url))
        limit = MAX_SUBDOMAINS + self.found.get(site, 0) // RELEVANT_PAGES_PER_NAME
        count = self.names.get(site, 0)
        if count >= limit:
            return f"trap: more than {limit} names below {domain(url)}"
        remember(self.visits, name, 0, MAX_REMEMBERED)
        remember(self.names, site, count + 1, MAX_REMEMBERED)
        return ""

    def visit(self, url: str, relevant: bool) -> None:
        """Take in a visit."""
        name = key_of(host(url))
        before = self.visits.get(name, 0)
        remember(self.visits, name, before + 1, MAX_REMEMBERED)
        # The first page does not count: with a wildcard, one page under many names would earn more names for ever.
        if relevant and before:
            site = key_of(domain(url))
            remember(self.found, site, self.found.get(site, 0) + 1, MAX_REMEMBERED)
