"""All filters together, as the crawl state uses them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any, Final, NamedTuple

from clew.base import codec
from clew.base.codec import same_tags
from clew.config import Config
from clew.filters.boilerplate import Boilerplate
from clew.filters.budgets import Budgets
from clew.filters.duplicates import Duplicates
from clew.filters.fingerprints import fingerprint
from clew.filters.forms import FormQueries
from clew.filters.kept import Kept, tags_of
from clew.filters.soft404 import SoftErrors
from clew.filters.subdomains import Subdomains
from clew.filters.traps import Traps
from clew.filters.url_rules import UrlRules
from clew.parse.rules import check, tidy
from clew.parse.url import host
from clew.types import Doc, Link

TAG: Final = "filters/"


class Finding(NamedTuple):
    """What is wrong with a document."""

    twin: int | None = None  # slot of the page that it repeats
    error: str = ""  # why it does not count as a page


@dataclass
class Filters:
    """Decides from the visits so far, and from nothing else: the same visits give the same decisions."""

    config: Config

    def __post_init__(self) -> None:
        scope = self.config.scope
        check(scope.url_rules)
        self.rules = frozenset(scope.url_rules)
        self.url_rules = UrlRules([rule for rule in ("index", "variants", "parameters") if rule in self.rules])
        self.duplicates = Duplicates("canonical" in self.rules)
        self.soft_errors = SoftErrors()
        self.traps = Traps()
        self.subdomains = Subdomains()
        self.budgets = Budgets(scope.host_pages, scope.max_host_pages)
        self.change(self.config)
        self.spellings: Mapping[str, str] = {}  # canonical URL -> the URL as an earlier version knows it
        self.boilerplate = Boilerplate()
        self.forms = FormQueries(scope.forms)
        self._last: tuple[Doc | None, int] = (None, 0)
        self._last_content: tuple[Doc | None, int, Doc | None] = (None, 0, None)
        self.looks = scope.duplicates == "skip" or scope.soft_404 or bool(self.url_rules.rules)
        self.reads = self.looks or scope.boilerplate == "drop" or scope.forms

    def change(self, config: Config) -> None:
        """Go on with other settings; only the start pages may differ."""
        self.config = config
        self.seeds = frozenset(config.what.seeds)
        self.home_hosts = frozenset(map(host, self.seeds))

    def content(self, doc: Doc, order: int) -> Doc:
        """What a document of that visit says itself: without what repeats on most pages of its host."""
        if self.config.scope.boilerplate != "drop":
            return doc
        # A document is judged first and recorded after that: it must be the same object both times.
        whole, at, content = self._last_content
        if content is None or whole is not doc or at != order:
            content = self.boilerplate.content(doc, order)
            self._last_content = doc, order, content
        return content

    def learn_boilerplate(self, doc: Doc, order: int) -> None:
        """Learn from the whole document of a visit what repeats."""
        if self.config.scope.boilerplate == "drop":
            self.boilerplate.learn(doc, order)

    def fingerprint_of(self, doc: Doc) -> int:
        """The fingerprint of a document; 0 if no filter needs it."""
        if not self.looks:
            return 0
        # A document is examined first and recorded after that: its fingerprint is computed once.
        if doc is not self._last[0]:
            self._last = doc, fingerprint(doc)
        return self._last[1]

    def examine(self, doc: Doc) -> Finding:
        """What is wrong with a document, if anything; start pages always count."""
        scope = self.config.scope
        bits = self.fingerprint_of(doc)
        if doc.url in self.seeds:
            return Finding()
        if scope.soft_404 and (error := self.soft_errors.reason(host(doc.url), doc.title, doc.text, bits)):
            return Finding(error=error)
        # Pages of results look alike, and lead to different pages all the same.
        if scope.duplicates != "skip" or self.forms.is_query(doc.url):
            return Finding()
        return Finding(self.duplicates.find(doc.url, bits, doc.canonical, doc.title))

    def fold(self, url: str) -> str:
        """The URL under which the page is known."""
        if self.forms.is_query(url):
            return url
        if self.rules and url not in self.seeds:
            url = self.url_rules.fold(tidy(url, self.rules))
        return self.spellings.get(url, url) if self.spellings else url

    def fold_links(self, links: tuple[Link, ...]) -> tuple[Link, ...]:
        """The links, with the URLs under which their pages are known."""
        if not self.rules and not self.spellings:
            return links
        folded = [self.fold(link.url) for link in links]
        # Callers compare by identity: the same object means that nothing has changed.
        if all(url is link.url for url, link in zip(folded, links, strict=True)):
            return links
        return tuple([link._replace(url=url) for url, link in zip(folded, links, strict=True)])

    def refuse(self, url: str, source: str = "") -> str:
        """Why a URL that `source` links to looks like part of a trap, or ""."""
        # Queries of forms have a budget of their own.
        if url in self.seeds or self.forms.is_query(url):
            return ""
        if reason := self.forms.refuse(url, source):
            return reason
        return (self.traps.refuse(url, source) or self.subdomains.refuse(url)) if self.config.scope.traps else ""

    def record_visit(self, slot: int, state: str, relevant: bool, doc: Doc, first: bool = False) -> list[str]:
        """Take in a visit, `first` for a start page; return the hosts whose candidates must be checked again."""
        url = doc.url
        bits = self.fingerprint_of(doc)
        changed: list[str] = []
        # The pages of a form resemble each other as long as nothing is found: that says nothing about its parameters.
        is_query = self.forms.is_query(url)
        if self.url_rules.rules and state in ("fetched", "duplicate") and not is_query:
            changed += self.url_rules.visit(url, bits)
        if state == "fetched" and not is_query:
            self.duplicates.add(url, bits, doc.canonical, doc.title, slot)
        elif state == "failed" and bits:
            self.soft_errors.add(host(url), bits)
        # Start pages are the user's own choice and speak neither for nor against a host.
        counts = state != "refused" and not first
        if counts and self.config.scope.traps and not is_query:
            self.subdomains.visit(url, relevant)
            if self.traps.visit(url, state == "fetched", relevant):
                changed.append(host(url))
        if counts and self.budgets.first:
            self.budgets.record_visit(host(url), relevant)
        return list(dict.fromkeys(changed))

    def redirect(self, url: str, target: str, hops: int, known: bool, first: bool = False) -> list[str]:
        """Take in a redirect, `first` for a start page; return the hosts whose candidates must be checked again."""
        changed = self.url_rules.redirect(url, target) if self.url_rules.rules else []
        if first:
            return changed
        # A redirect to a known page, or the second one in a row, brings nothing new.
        if self.config.scope.traps and (known or hops) and self.traps.visit(url, new=False, relevant=False):
            changed.append(host(url))
        if self.budgets.first:
            self.budgets.record_visit(host(url), relevant=False)
        return changed

    def save(self) -> dict[str, bytes | None]:
        """The state for a checkpoint, by tag; None where the last one has it already."""
        parts: dict[str, bytes | None] = {}
        for word, owner in self._columns().items():
            parts |= {f"{TAG}{word}.{name}": data for name, data in owner.save().items()}
        for tag, owner, name in self._dictionaries():
            known = getattr(owner, name)
            parts |= known.save(tag) if isinstance(known, Kept) else {tag: codec.dumps(known)}
        return parts

    def saved(self) -> None:
        """A checkpoint has what `save` gave last."""
        for known in self._kept():
            known.saved()

    def write_whole(self) -> None:
        """The next checkpoint does not build on what the last one has, which another version may have written."""
        for known in self._kept():
            known.write_whole()

    def load(self, parts: Mapping[str, bytes]) -> None:
        """Restore what `save` returned; missing and unknown tags are errors."""
        saved = {tag: data for tag, data in parts.items() if tag.startswith(TAG)}
        dictionaries = list(self._dictionaries())
        columns = {word: _under(f"{TAG}{word}.", saved) for word in self._columns()}
        # The owners of columns check their names themselves.
        expected = [name for tag, _, _ in dictionaries for name in tags_of(tag, saved)]
        for word, found in columns.items():
            expected += [f"{TAG}{word}.{name}" for name in found]
        same_tags("the filters", saved, expected)
        for word, owner in self._columns().items():
            owner.load(columns[word])
        for tag, owner, name in dictionaries:
            known = getattr(owner, name)
            if isinstance(known, Kept):
                known.load(tag, saved)
            else:
                setattr(owner, name, codec.loads(saved[tag]))

    def _kept(self) -> Iterator[Kept[Any, Any]]:
        yield self.duplicates.claims
        yield self.boilerplate.hosts
        for _, owner, name in self._dictionaries():
            known = getattr(owner, name)
            if isinstance(known, Kept):
                yield known

    def _columns(self) -> dict[str, Duplicates | Boilerplate]:
        """Those who save columns of numbers, by tag."""
        return {"duplicates": self.duplicates, "boilerplate": self.boilerplate}

    def _dictionaries(self) -> Iterator[tuple[str, Any, str]]:
        """Tag, owner and attribute of each dictionary that is saved.

        Tags are fixed words, not names of classes: a class can be renamed without losing what was saved.
        """
        owners: dict[str, Any] = {
            "url_rules": self.url_rules,
            "traps": self.traps,
            "subdomains": self.subdomains,
            "budgets": self.budgets,
            "soft404": self.soft_errors,
            "forms": self.forms,
        }
        for word, owner in owners.items():
            for column in fields(owner):
                if column.default_factory in (dict, Kept):
                    yield f"{TAG}{word}.{column.name}", owner, column.name


def _under(prefix: str, parts: Mapping[str, bytes]) -> dict[str, bytes]:
    """The parts whose tags begin so, by the rest of their tags."""
    return {tag.removeprefix(prefix): data for tag, data in parts.items() if tag.startswith(prefix)}
