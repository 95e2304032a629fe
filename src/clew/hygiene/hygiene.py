"""The rules of hygiene together, as the course of a crawl uses them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from clew.config import Config
from clew.hygiene.budgets import Budgets
from clew.hygiene.duplicates import Duplicates
from clew.hygiene.learnt import Learnt
from clew.hygiene.soft404 import Errors
from clew.hygiene.traps import Traps
from clew.maths import codec
from clew.maths.simhash import simhash
from clew.parse.rules import check, tidy
from clew.parse.url import host
from clew.types import Doc, Link

SOFT = "soft 404"
FEW = 40
"""Words below which a page is the same as another only if its links are, too."""


class Finding(NamedTuple):
    """What is wrong with a document that came."""

    twin: int | None = None  # slot of the page that it repeats
    error: str = ""  # why it is no page at all


@dataclass
class Hygiene:
    """Decides from the visits so far; the same visits give the same decisions."""

    config: Config

    def __post_init__(self) -> None:
        scope = self.config.scope
        check(scope.rules)
        self.rules = frozenset(scope.rules)
        self.learnt = Learnt([rule for rule in ("index", "variants", "parameters") if rule in self.rules])
        self.duplicates = Duplicates("canonical" in self.rules)
        self.errors = Errors()
        self.traps = Traps()
        self.budgets = Budgets(scope.host_pages, scope.max_host_pages)
        self.seeds = frozenset(self.config.what.seeds)
        self.welcome = frozenset(map(host, self.seeds))
        self._last: tuple[Doc | None, int] = (None, 0)
        self.looks = scope.duplicates == "skip" or scope.soft_404 or bool(self.learnt.rules)

    def print_of(self, doc: Doc) -> int:
        """The fingerprint of a document; 0 where nobody asks for it."""
        if self.looks and doc is not self._last[0]:
            few = doc.text.count(" ", 0, 2000) < FEW
            whole = " ".join((doc.title, doc.text, *(link.url for link in doc.links))) if few else doc.text
            self._last = doc, simhash(whole)
        return self._last[1] if self.looks else 0

    def examine(self, doc: Doc) -> Finding:
        """Whether a document that has come is one that counts."""
        scope, bits = self.config.scope, self.print_of(doc)
        if doc.url in self.seeds:
            return Finding()
        if scope.soft_404 and (error := self.errors.reason(host(doc.url), doc.title, doc.text, bits)):
            return Finding(error=error)
        return Finding(self.duplicates.find(doc.url, bits, doc.canonical) if scope.duplicates == "skip" else None)

    def fold(self, url: str) -> str:
        """The URL under which the page is known."""
        return self.learnt.fold(tidy(url, self.rules)) if self.rules and url not in self.seeds else url

    def fold_links(self, links: tuple[Link, ...]) -> tuple[Link, ...]:
        """Links to the URLs under which their pages are known."""
        if not self.rules:
            return links
        folded = [self.fold(link.url) for link in links]
        if all(url is link.url for url, link in zip(folded, links, strict=True)):
            return links
        return tuple([link._replace(url=url) for url, link in zip(folded, links, strict=True)])

    def refuse(self, url: str) -> str:
        """Why a URL is taken for part of a trap, or ""."""
        return self.traps.refuse(url) if self.config.scope.traps and url not in self.seeds else ""

    def take(self, slot: int, state: str, relevant: bool, doc: Doc) -> list[str]:
        """Take in a visit; the hosts whose candidates must be looked at again."""
        url, bits = doc.url, self.print_of(doc)
        changed = self.learnt.visit(url, bits) if self.learnt.rules and state in ("fetched", "duplicate") else []
        if state == "fetched":
            self.duplicates.add(url, bits, doc.canonical, slot)
        elif state == "failed" and bits:
            self.errors.add(host(url), bits)
        counts = state != "refused" and url not in self.seeds  # start pages are the user's own choice
        if counts and self.config.scope.traps and self.traps.visit(url, state == "fetched", relevant):
            changed.append(host(url))
        if counts and self.budgets.first:
            self.budgets.take(host(url), relevant)
        return list(dict.fromkeys(changed))

    def redirect(self, url: str, target: str, hops: int, known: bool) -> list[str]:
        """Take in a hop: to a known page, or the third in a row, it brings nothing new."""
        changed = self.learnt.redirect(url, target) if self.learnt.rules else []
        if self.config.scope.traps and (known or hops > 1) and self.traps.visit(url, False, False):
            changed.append(host(url))
        return changed

    def save(self) -> dict[str, bytes]:
        """For a checkpoint."""
        parts = {f"hygiene/{name}": data for name, data in self.duplicates.save().items()}
        return parts | {f"hygiene/{name}": codec.dumps(getattr(owner, name)) for owner, name in self._plain()}

    def load(self, parts: dict[str, bytes]) -> None:
        """What `save` gave; nothing from a checkpoint of an earlier version."""
        if "hygiene/prints" in parts:
            self.duplicates.load({name[8:]: data for name, data in parts.items() if name.startswith("hygiene/")})
            for owner, name in self._plain():
                setattr(owner, name, codec.loads(parts[f"hygiene/{name}"]))

    def _plain(self) -> Iterable[tuple[object, str]]:
        yield from ((self.learnt, name) for name in ("forms", "pairs", "useless", "indexed", "twins"))
        yield from ((self.traps, name) for name in ("orders", "dates", "relevant", "dry"))
        yield from ((self.budgets, name) for name in ("visits", "found", "portions"))
        yield self.errors, "errors"
