"""URL rules of single hosts, learned from equal pages: useless parameters, index files, www and scheme."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from typing import Final

from clew.base.chance import key_of
from clew.filters._bounded import remember
from clew.filters.kept import Kept
from clew.parse.url import host
from clew.text.simhash import NEAR, hamming

MIN_PARAMETER_PAIRS: Final = 10  # of equal pages that differ in a parameter only, before it counts as useless
MIN_VARIANT_PAIRS: Final = 2  # the same for index files, www and scheme, which hardly ever make a difference
MIN_AGREEMENT: Final = 0.95  # share of the pairs that must have the same content
MAX_FORMS: Final = 50_000  # remembered
MAX_KEYS: Final = 8  # parameters of a URL, the rest is ignored
MAX_USELESS: Final = 50  # parameters of a host
INDEX: Final = re.compile(r"(?<=/)(?:index|default)\.(?:html?|php\d?|aspx?|jsp|shtml)$", re.I)


@dataclass(slots=True)
class UrlRules:
    """Folds URLs that have turned out to lead to the same page.

    >>> learnt = UrlRules(("index",))
    >>> for url in ("http://a.org/", "http://a.org/index.html", "http://a.org/b/", "http://a.org/b/index.html"):
    ...     changed = learnt.visit(url, 0b1011)
    >>> changed, learnt.fold("http://a.org/c/index.html"), learnt.fold("http://b.org/c/index.html")
    (['a.org'], 'http://a.org/c/', 'http://b.org/c/index.html')
    """

    rules: Collection[str] = ("index", "variants", "parameters")
    forms: Kept[int, tuple[int, str]] = field(
        default_factory=Kept
    )  # rule and form -> fingerprint and origin of the first
    pairs: Kept[int, tuple[int, int]] = field(default_factory=Kept)  # origin and rule -> equal pairs, all pairs
    useless: dict[str, list[str]] = field(default_factory=dict)  # host -> parameters
    indexed: dict[str, bool] = field(default_factory=dict)  # hosts whose index files equal their folders
    twins: dict[str, str] = field(default_factory=dict)  # origin -> the origin that replaces it

    def fold(self, url: str) -> str:
        """The URL under which the page is known."""
        # Asked for every link: empty dictionaries are skipped before the URL is taken apart.
        if self.twins and (other := self.twins.get(_origin(url))):
            url = other + url[len(_origin(url)) :]
        if self.useless and "?" in url:
            for key in self.useless.get(host(url), ()):
                url = _without(url, key)
        if self.indexed and host(url) in self.indexed:
            url = INDEX.sub("", url)
        return url

    def visit(self, url: str, bits: int) -> list[str]:
        """Take in a page; return the hosts that have a new rule."""
        if not bits:
            return []
        origin = _origin(url)
        changed: list[str] = []
        for rule, form in self._forms(url):
            key = key_of(f"{rule} {form}")
            # The shortened form may itself be a page that was visited.
            first = self.forms.get(key) or self.forms.get(key_of(form))
            if first is None:
                remember(self.forms, key, (bits, origin), MAX_FORMS)
                continue
            first_bits, first_origin = first
            # Two pages of one origin say nothing about www and scheme.
            if rule != "variants" or first_origin != origin:
                changed += self._count_pair(rule, origin, first_origin, hamming(bits, first_bits) <= NEAR)
        remember(self.forms, key_of(url), (bits, origin), MAX_FORMS)
        return changed

    def redirect(self, url: str, target: str) -> list[str]:
        """Take in a redirect, which shows that two variants are one page; return the hosts that have a new rule."""
        origin = _origin(url)
        target_origin = _origin(target)
        same_path = url[len(origin) :] == target[len(target_origin) :]
        if "variants" not in self.rules or origin == target_origin:
            return []
        if not same_path or _bare_host(url) != _bare_host(target):
            return []
        return self._count_pair("variants", origin, target_origin, equal=True)

    def _forms(self, url: str) -> Iterator[tuple[str, str]]:
        """For each rule, the URL without what the rule takes away."""
        if "variants" in self.rules:
            yield "variants", f"//{_bare_host(url)}{url[len(_origin(url)) :]}"
        if "index" in self.rules and (url.endswith("/") or INDEX.search(url)):
            yield "index", INDEX.sub("", url)
        if "parameters" in self.rules and "?" in url:
            keys = dict.fromkeys(pair.partition("=")[0] for pair in url.partition("?")[2].split("&"))
            for key in list(keys)[:MAX_KEYS]:
                yield f"?{key}", _without(url, key)

    def _count_pair(self, rule: str, origin: str, first_origin: str, equal: bool) -> list[str]:
        """Count a pair of pages for or against a rule; return the host if it has a new rule."""
        key = key_of(f"{origin} {first_origin if rule == 'variants' else rule}")
        agreeing, pairs = self.pairs.get(key, (0, 0))
        agreeing += equal
        pairs += 1
        remember(self.pairs, key, (agreeing, pairs), MAX_FORMS)
        needed = MIN_PARAMETER_PAIRS if rule.startswith("?") else MIN_VARIANT_PAIRS
        if agreeing < needed or agreeing < MIN_AGREEMENT * pairs:
            return []
        return [host(origin + "/")] if self._learn(rule, origin, first_origin) else []

    def _learn(self, rule: str, origin: str, first_origin: str) -> bool:
        """Add a rule; return whether it is new."""
        name = host(origin + "/")
        if rule == "variants":
            # Follow the replacement, and never replace an origin twice: otherwise two variants could fold in a circle.
            first_origin = self.twins.get(first_origin, first_origin)
            if first_origin == origin or origin in self.twins:
                return False
            self.twins[origin] = first_origin
            return True
        if rule == "index":
            if name in self.indexed:
                return False
            self.indexed[name] = True
            return True
        parameter = rule[1:]
        known = self.useless.get(name, [])
        if parameter in known or len(known) >= MAX_USELESS:
            return False
        self.useless.setdefault(name, []).append(parameter)
        return True


def _origin(url: str) -> str:
    return url[: url.find("/", 8)]


def _bare_host(url: str) -> str:
    return host(url).removeprefix("www.")


def _without(url: str, key: str) -> str:
    path, _, query = url.partition("?")
    kept = [pair for pair in query.split("&") if pair.partition("=")[0] != key]
    return f"{path}?{'&'.join(kept)}" if kept else path
