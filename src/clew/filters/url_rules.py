"""Rules of single hosts, learnt from pages whose content agrees: useless parameters, index files, www and scheme."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from typing import Final

from clew.base.chance import key_of
from clew.filters._bounded import remember
from clew.parse.url import host
from clew.text.simhash import NEAR, hamming

PAIRS: Final = 10  # of pages that differ in a parameter only, before it can be called useless
TWINS: Final = 2  # the same for index files, www and scheme, which hardly ever mean something
AGREE: Final = 0.95  # share of the pairs that must have the same content
FORMS: Final = 50_000  # remembered
KEYS: Final = 8  # parameters of a URL that are looked at
USELESS: Final = 50  # parameters of a host
INDEX: Final = re.compile(r"(?<=/)(?:index|default)\.(?:html?|php\d?|aspx?|jsp|shtml)$", re.I)


@dataclass(slots=True)
class UrlRules:
    """Folds URLs that have been seen to mean the same page.

    >>> learnt = UrlRules(("index",))
    >>> for url in ("http://a.org/", "http://a.org/index.html", "http://a.org/b/", "http://a.org/b/index.html"):
    ...     changed = learnt.visit(url, 0b1011)
    >>> changed, learnt.fold("http://a.org/c/index.html"), learnt.fold("http://b.org/c/index.html")
    (['a.org'], 'http://a.org/c/', 'http://b.org/c/index.html')
    """

    rules: Collection[str] = ("index", "variants", "parameters")
    forms: dict[int, tuple[int, str]] = field(default_factory=dict)  # rule and form -> fingerprint, origin of the first
    pairs: dict[int, tuple[int, int]] = field(default_factory=dict)  # place and rule -> pairs that agree, all pairs
    useless: dict[str, list[str]] = field(default_factory=dict)  # host -> parameters
    indexed: dict[str, bool] = field(default_factory=dict)  # hosts whose index files are their folders
    twins: dict[str, str] = field(default_factory=dict)  # origin -> the origin that stands for it

    def fold(self, url: str) -> str:
        """The URL under which the page is known."""
        if self.twins and (other := self.twins.get(_origin(url))):
            url = other + url[len(_origin(url)) :]
        if self.useless and "?" in url and (keys := self.useless.get(host(url))):
            for key in keys:
                url = _without(url, key)
        if self.indexed and host(url) in self.indexed:
            url = INDEX.sub("", url)
        return url

    def visit(self, url: str, bits: int) -> list[str]:
        """Take in a page; the hosts that have a new rule."""
        if not bits:
            return []
        origin, changed = _origin(url), list[str]()
        for rule, form in self._forms(url):
            first = self.forms.get(key_of(f"{rule} {form}")) or self.forms.get(key_of(form))
            if first is None:
                remember(self.forms, key_of(f"{rule} {form}"), (bits, origin), FORMS)
            elif rule != "variants" or first[1] != origin:
                changed += self._pair(rule, origin, first[1], hamming(bits, first[0]) <= NEAR)
        remember(self.forms, key_of(url), (bits, origin), FORMS)
        return changed

    def redirect(self, url: str, target: str) -> list[str]:
        """A redirect between variants says that both are one page; the hosts that have a new rule."""
        one, other = _origin(url), _origin(target)
        same_page = url[len(one) :] == target[len(other) :] and _bare(url) == _bare(target)
        if "variants" not in self.rules or one == other or not same_page:
            return []
        return self._pair("variants", one, other, agrees=True)

    def _forms(self, url: str) -> Iterator[tuple[str, str]]:
        """By rule: what is left of the URL without what the rule takes away."""
        if "variants" in self.rules:
            yield "variants", f"//{_bare(url)}{url[len(_origin(url)) :]}"
        if "index" in self.rules and (url.endswith("/") or INDEX.search(url)):
            yield "index", INDEX.sub("", url)
        if "parameters" in self.rules and "?" in url:
            keys = dict.fromkeys(pair.partition("=")[0] for pair in url.partition("?")[2].split("&"))
            for key in list(keys)[:KEYS]:
                yield f"?{key}", _without(url, key)

    def _pair(self, rule: str, origin: str, first: str, agrees: bool) -> list[str]:
        name = key_of(f"{origin} {first if rule == 'variants' else rule}")
        same, all_of_them = self.pairs.get(name, (0, 0))
        same, all_of_them = same + agrees, all_of_them + 1
        remember(self.pairs, name, (same, all_of_them), FORMS)
        enough = same >= (PAIRS if rule[0] == "?" else TWINS) and same >= AGREE * all_of_them
        return self._learn(rule, origin, first) if enough else []

    def _learn(self, rule: str, origin: str, first: str) -> list[str]:
        name = host(origin + "/")
        if rule == "variants":
            first = self.twins.get(first, first)
            if first == origin or origin in self.twins:
                return []
            self.twins[origin] = first
        elif rule == "index":
            if name in self.indexed:
                return []
            self.indexed[name] = True
        elif rule[1:] in (known := self.useless.get(name, [])) or len(known) >= USELESS:
            return []
        else:
            self.useless.setdefault(name, []).append(rule[1:])
        return [name]


def _origin(url: str) -> str:
    return url[: url.find("/", 8)]


def _bare(url: str) -> str:
    return host(url).removeprefix("www.")


def _without(url: str, key: str) -> str:
    path, _, query = url.partition("?")
    kept = [pair for pair in query.split("&") if pair.partition("=")[0] != key]
    return f"{path}?{'&'.join(kept)}" if kept else path
