"""URLs without end: what their spelling gives away, and what their visits do."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import Final

from clew.hygiene._bounded import remember
from clew.maths.chance import key_of
from clew.parse.url import host

SEGMENTS: Final = 15  # of a path
REPEATED: Final = 3  # times that one segment, or one parameter with its value, may occur
DATES: Final = 20  # values of a date in otherwise equal URLs; as many more for each relevant page found there
DRY: Final = 50  # visits to URLs of one pattern that brought nothing new, before it can fall asleep
NEWS: Final = 0.2  # share of its visits that must have brought something new
LATEST: Final = 200  # visits after which the earlier ones of a pattern count half
PAGES: Final = 300  # of one list
CHAIN: Final = 3  # links in a row, each to a folder in the folder before; beyond, a host has so many of them:
DEEP: Final = 50  # and one more for each relevant page found before
MOST: Final = 100_000  # of everything that is remembered

_YEAR: Final = r"(?:19|20|21)\d\d"
_DATE: Final = re.compile(
    rf"(?<=[/=._-]){_YEAR}[/_.-]?[01]?\d(?:[/_.-]?[0-3]?\d)?(?=[/&_.-]|$)|(?<=/){_YEAR}(?=/|$)|"
    r"(?<=[?&])(?:date|day|month|year|week|time|from|to|start|end|tag|monat|jahr|datum|ym|cal\w*)=\d[\d-]*",
    re.I,
)
_PAGE: Final = re.compile(
    r"[?&/](?:page|pg|paged|pagenum|seite|pagina)[=/](\d{3,9})(?=[&/]|$)|"
    r"[?&](?:start|offset|skip)=(\d{3,8})\d(?=&|$)",
    re.I,
)
_DIGITS: Final = re.compile(r"\d+")


@dataclass(slots=True)
class Traps:
    """Says why a URL is taken for a part of a trap, or nothing.

    >>> Traps().refuse("http://a.example/x/x/x/x/")
    'trap: x is 4 times in the path'
    """

    orders: dict[int, int] = field(default_factory=dict)  # parameters in alphabetical order -> the URL that has them
    dates: dict[int, list[int]] = field(default_factory=dict)  # URL but for the date -> its dates
    relevant: dict[int, int] = field(default_factory=dict)  # URL but for the date -> relevant pages
    dry: dict[int, tuple[int, int]] = field(default_factory=dict)  # pattern -> visits with and without news
    drowsy: dict[int, bool] = field(default_factory=dict)  # hosts with a pattern that fell asleep
    chains: dict[int, int] = field(default_factory=dict)  # URL -> links in a row that led one folder deeper
    deep: dict[int, int] = field(default_factory=dict)  # host -> URLs at the end of long chains
    shallow: dict[int, int] = field(default_factory=dict)  # host -> relevant pages elsewhere

    def refuse(self, url: str, source: str = "") -> str:
        """The reason, or ""; `source` is the page with the link."""
        name = host(url)
        path, _, query = url[url.find("//") + 2 + len(name) :].partition("?")
        segments = [segment for segment in path.split("/") if segment]
        return (
            self._spelling(name, segments, query.split("&") if query else [])
            or _page(url)
            or self._order(url, query)
            or self._date(url)
            or (self._asleep(url) if key_of(name) in self.drowsy else "")
            or self._deeper(url, source)
        )

    def visit(self, url: str, new: bool, relevant: bool) -> bool:
        """Take in a visit; whether its pattern falls asleep with it."""
        dates = _dateless(url)
        if relevant and dates:
            remember(self.relevant, key_of(dates[0]), self.relevant.get(key_of(dates[0]), 0) + 1, MOST)
        if relevant and self.chains.get(key_of(url), 0) <= CHAIN:
            remember(self.shallow, key_of(host(url)), self.shallow.get(key_of(host(url)), 0) + 1, MOST)
        key, was = key_of(pattern(url)), self._sleeps(url)
        news, waste = self.dry.get(key, (0, 0))
        if news + waste >= LATEST:
            news, waste = news // 2, waste // 2
        remember(self.dry, key, (news + new, waste + (not new)), MOST)
        if falls := self._sleeps(url) and not was:
            remember(self.drowsy, key_of(host(url)), True, MOST)
        return falls

    def _spelling(self, name: str, segments: list[str], pairs: list[str]) -> str:
        if len(segments) > SEGMENTS:
            return f"trap: more than {SEGMENTS} folders deep"
        parts = [*segments, *pairs]
        if len(parts) - len(set(parts)) >= REPEATED:
            part, times = Counter(parts).most_common(1)[0]
            if times > REPEATED:
                return f"trap: {part} is {times} times in the path"
        bare = name.removeprefix("www.")
        inside = [s for s in segments[1:] if s.removeprefix("www.") == bare]
        return "trap: the host's own name is in the path" if inside and "." in bare and "sites" not in segments else ""

    def _order(self, url: str, query: str) -> str:
        if "&" not in query:
            return ""
        form = key_of("&".join((url.partition("?")[0], *sorted(query.split("&")))))
        first = self.orders.get(form)
        if first is None:
            remember(self.orders, form, key_of(url), MOST)
        return "trap: the parameters of a known URL in another order" if first not in (None, key_of(url)) else ""

    def _date(self, url: str) -> str:
        if not (found := _dateless(url)):
            return ""
        form, value = key_of(found[0]), key_of(found[1])
        known = self.dates.get(form, [])
        if value in known:
            return ""
        if len(known) >= DATES * (1 + self.relevant.get(form, 0)):
            return f"trap: a calendar, with more than {len(known)} dates"
        remember(self.dates, form, [*known, value], MOST)
        return ""

    def _asleep(self, url: str) -> str:
        return f"trap: URLs like {pattern(url)} bring hardly anything new" if self._sleeps(url) else ""

    def _sleeps(self, url: str) -> bool:
        news, waste = self.dry.get(key_of(pattern(url)), (0, 0))
        return waste >= DRY and news < NEWS * (news + waste)

    def _deeper(self, url: str, source: str) -> str:
        """Folders within folders are a tree where it ends soon, and a trap where it does not."""
        folder = source.partition("?")[0].rstrip("/") + "/"
        if folder.count("/") < 4 or not url.startswith(folder) or len(url) == len(folder) or key_of(url) in self.chains:
            return ""
        chain, name = self.chains.get(key_of(source), 0) + 1, key_of(host(url))
        if chain > CHAIN:
            if self.deep.get(name, 0) >= DEEP + self.shallow.get(name, 0):
                return "trap: folders within folders without end"
            remember(self.deep, name, self.deep.get(name, 0) + 1, MOST)
        remember(self.chains, key_of(url), chain, MOST)
        return ""


def pattern(url: str) -> str:
    """The coarse form of a URL: host, first folder, number of folders, kind of file, names of the parameters.

    >>> pattern("http://a.example/shop12/x/y.php?id=7&c=1")
    'a.example/shop#/+2.php?c&id'
    """
    name = host(url)
    path, _, query = url[url.find("//") + 2 + len(name) :].partition("?")
    segments = [segment for segment in path.split("/") if segment]
    ending = segments[-1].rpartition(".")[2] if segments and "." in segments[-1] else ""
    first = _DIGITS.sub("#", segments[0]) if len(segments) > 1 else ""
    keys = "&".join(sorted({_DIGITS.sub("#", pair.partition("=")[0]) for pair in query.split("&")}))
    more = max(len(segments) - 1, 0) if first else len(segments)
    return f"{name}/{first}/+{more}{ending and '.' + ending}{query and '?' + keys}"


def _page(url: str) -> str:
    """Why a page of a list is too far from its beginning, or ""."""
    if not (found := _PAGE.search(url, url.find("/", 8))):
        return ""
    number = int(found[1] or found[2])
    return f"trap: page {number} of a list" if number > PAGES else ""


def _dateless(url: str) -> tuple[str, str] | None:
    """A URL without its dates, and the dates; None where there are none."""
    start = url.find("/", 8)
    values = _DATE.findall(url, start)
    return (url[:start] + _DATE.sub("*", url[start:]), " ".join(values)) if values else None
