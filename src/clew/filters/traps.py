"""URLs without end: what their spelling gives away, and what their visits do."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import Final

from clew.base.chance import key_of
from clew.filters._bounded import remember
from clew.parse.url import host

SEGMENTS: Final = 15  # of a path
REPEATED: Final = 3  # times that one segment, or one parameter with its value, may occur
DATES: Final = 20  # values of a date in otherwise equal URLs; as many more for each relevant page found there
DRY: Final = 50  # visits to URLs of one pattern that brought nothing new, before it can fall asleep
NEWS: Final = 0.25  # share of its visits that must have brought something new
LATEST: Final = 200  # visits after which the earlier ones of a pattern count half
STEP: Final = 10  # from one page of a list to the next ones
LIST: Final = 50  # such pages of one list, and one more for each relevant page of the host elsewhere
PAGES: Final = 300  # of one list at most
CHAIN: Final = 2  # links in a row, each to a folder in the folder before; beyond, a host has so many of them:
DEEP: Final = 50  # and, again, one more for each relevant page elsewhere
CELLS: Final = frozenset({"sites", "afs"})  # folders in which hosts keep their own name
MAX_REMEMBERED: Final = 100_000  # of everything that is remembered

_YEAR: Final = r"(?:19|20|21)\d\d"
_DATE: Final = re.compile(
    rf"(?<=[/=._-]){_YEAR}[/_.-]?[01]?\d(?:[/_.-]?[0-3]?\d)?(?=[/&_.-]|$)|(?<=/){_YEAR}(?=/|$)|"
    r"(?<=[?&])(?:date|day|month|year|week|monat|jahr|datum|ym|cal\w*)=\d[\d-]*|"
    rf"(?<=[?&])(?:time|from|to|start|end|tag)={_YEAR}-?[01]\d[\d-]*",
    re.I,
)
_PAGE: Final = re.compile(
    r"[?&/](?:page|pg|paged|pagenum|seite|pagina)[=/](\d{1,9})(?=[&/]|$)|"
    r"[?&](?:start|offset|skip)=(\d{1,8})\d(?=&|$)",
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
    chains: dict[int, int] = field(default_factory=dict)  # URL -> links in a row that led one folder deeper; 0 in lists
    deep: dict[int, int] = field(default_factory=dict)  # host -> URLs at the end of long chains
    lists: dict[int, int] = field(default_factory=dict)  # URL but for the page number -> URLs to which pages led on
    shallow: dict[int, int] = field(default_factory=dict)  # host -> relevant pages elsewhere

    def refuse(self, url: str, source: str = "") -> str:
        """The reason, or ""; `source` is the page with the link."""
        name = host(url)
        path, _, query = url[url.find("//") + 2 + len(name) :].partition("?")
        segments = [segment for segment in path.split("/") if segment]
        return (
            self._spelling(name, segments, query.split("&") if query else [])
            or self._list(url, source)
            or self._order(url, query)
            or self._date(url)
            or (self._asleep(url) if key_of(name) in self.drowsy else "")
            or self._deeper(url, source)
        )

    def visit(self, url: str, new: bool, relevant: bool) -> bool:
        """Take in a visit; whether its pattern falls asleep with it."""
        dates = _dateless(url)
        if relevant and dates:
            remember(self.relevant, key_of(dates[0]), self.relevant.get(key_of(dates[0]), 0) + 1, MAX_REMEMBERED)
        if relevant and key_of(url) not in self.chains:
            remember(self.shallow, key_of(host(url)), self.shallow.get(key_of(host(url)), 0) + 1, MAX_REMEMBERED)
        key, was = key_of(pattern(url)), self._sleeps(url)
        news, waste = self.dry.get(key, (0, 0))
        if news + waste >= LATEST:
            news, waste = news // 2, waste // 2
        remember(self.dry, key, (news + new, waste + (not new)), MAX_REMEMBERED)
        if falls := self._sleeps(url) and not was:
            remember(self.drowsy, key_of(host(url)), True, MAX_REMEMBERED)
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
        own = inside and "." in bare and CELLS.isdisjoint(segments)
        return "trap: the host's own name is in the path" if own else ""

    def _list(self, url: str, source: str) -> str:
        """A page leads to the next page: a list, where it ends soon or leads elsewhere, too."""
        if not (here := _page(url)) or not (before := _page(source)) or here[0] != before[0]:
            return ""
        form, number, known = key_of(here[0]), here[1], key_of(url)
        if known in self.chains or (number <= PAGES and not 0 < number - before[1] <= STEP):
            return ""
        count = self.lists.get(form, 0)
        if number > PAGES or count >= LIST + self.shallow.get(key_of(host(url)), 0):
            return f"trap: page {number} of a list"
        remember(self.lists, form, count + 1, MAX_REMEMBERED)
        remember(self.chains, known, 0, MAX_REMEMBERED)
        return ""

    def _order(self, url: str, query: str) -> str:
        if "&" not in query:
            return ""
        form = key_of("&".join((url.partition("?")[0], *sorted(query.split("&")))))
        first = self.orders.get(form)
        if first is None:
            remember(self.orders, form, key_of(url), MAX_REMEMBERED)
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
        remember(self.dates, form, [*known, value], MAX_REMEMBERED)
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
            remember(self.deep, name, self.deep.get(name, 0) + 1, MAX_REMEMBERED)
        remember(self.chains, key_of(url), chain, MAX_REMEMBERED)
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


def _page(url: str) -> tuple[str, int] | None:
    """A URL without its page number, and the number; None where there is none."""
    if not (found := _PAGE.search(url, url.find("/", 8))):
        return None
    start, end = found.span(found.lastindex or 1)
    return f"{url[:start]}*{url[end:]}", int(url[start:end])


def _dateless(url: str) -> tuple[str, str] | None:
    """A URL without its dates, and the dates; None where there are none."""
    start = url.find("/", 8)
    values = _DATE.findall(url, start)
    return (url[:start] + _DATE.sub("*", url[start:]), " ".join(values)) if values else None
