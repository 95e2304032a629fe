"""Recognises endless sets of URLs, by their spelling and by what visits to them have brought."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import Final

from clew.base.chance import key_of
from clew.filters._bounded import remember
from clew.filters.kept import Kept
from clew.parse.url import host

MAX_SEGMENTS: Final = 15  # of a path
MAX_REPEATS: Final = 3  # of one segment, or of one parameter with its value
MAX_DATES: Final = 20  # in otherwise equal URLs; as many more for each relevant page among them
MIN_WASTED_VISITS: Final = 50  # to URLs of one pattern, before it can fall asleep
MIN_NEWS_SHARE: Final = 0.25  # of the visits to a pattern must bring something new
PATTERN_WINDOW_VISITS: Final = 200  # after so many, earlier visits to a pattern count half
MAX_PAGE_STEP: Final = 10  # between the page numbers of a link's source and target
MAX_LIST_PAGES: Final = 50  # reached by such links; one more for each relevant page elsewhere on the host
MAX_PAGE_NUMBER: Final = 300
MAX_CHAIN_LINKS: Final = 2  # in a row that each lead one folder deeper
MAX_DEEP_URLS: Final = 50  # of a host, beyond such chains; one more for each relevant page elsewhere on it
SELF_NAMED_FOLDERS: Final = frozenset({"sites", "afs"})  # in these, hosts keep folders under their own name
MAX_REMEMBERED: Final = 100_000  # entries of each dictionary

_YEAR: Final = r"(?:19|20|21)\d\d"
_DATE: Final = re.compile(
    rf"(?<=[/=._-]){_YEAR}[/_.-]?[01]?\d(?:[/_.-]?[0-3]?\d)?(?=[/&_.-]|$)|(?<=/){_YEAR}(?=/|$)|"
    r"(?<=[?&])(?:date|day|month|year|week|monat|jahr|datum|ym|cal\w*)=\d[\d-]*|"
    rf"(?<=[?&])(?:time|from|to|start|end|tag)={_YEAR}-?[01]\d[\d-]*",
    re.I,
)
# An offset counts in tens, so that it compares with page numbers.
_PAGE: Final = re.compile(
    r"[?&/](?:page|pg|paged|pagenum|seite|pagina)[=/](\d{1,9})(?=[&/]|$)|"
    r"[?&](?:start|offset|skip)=(\d{1,8})\d(?=&|$)",
    re.I,
)
_DIGITS: Final = re.compile(r"\d+")


@dataclass(slots=True)
class Traps:
    """Says why a URL looks like part of a trap, or "".

    >>> Traps().refuse("http://a.example/x/x/x/x/")
    'trap: the URL repeats x 4 times'
    """

    orders: Kept[int, int] = field(default_factory=Kept)  # parameters in alphabetical order -> the first such URL
    dates: Kept[int, list[int]] = field(default_factory=Kept)  # URL without its date -> its dates
    relevant: Kept[int, int] = field(default_factory=Kept)  # URL without its date -> relevant pages
    dry: Kept[int, tuple[int, int]] = field(default_factory=Kept)  # pattern -> visits with and without news
    drowsy: Kept[int, bool] = field(default_factory=Kept)  # hosts with a pattern that fell asleep
    chains: Kept[int, int] = field(default_factory=Kept)  # URL -> links in a row that led deeper; 0 in lists
    deep: Kept[int, int] = field(default_factory=Kept)  # host -> URLs at the end of long chains
    lists: Kept[int, int] = field(default_factory=Kept)  # URL without its page number -> URLs reached page by page
    shallow: Kept[int, int] = field(default_factory=Kept)  # host -> relevant pages outside chains and lists

    def refuse(self, url: str, source: str = "") -> str:
        """The reason to refuse a URL, or ""; `source` is the page with the link."""
        name = host(url)
        path, _, query = url[url.find("//") + 2 + len(name) :].partition("?")
        segments = [segment for segment in path.split("/") if segment]
        # Each rule remembers the URLs that it lets pass, so a refused URL must not reach the rules after it.
        return (
            self._check_spelling(name, segments, query.split("&") if query else [])
            or self._check_list(url, source)
            or self._check_order(url, query)
            or self._check_date(url)
            or (self._check_pattern(url) if key_of(name) in self.drowsy else "")
            or self._check_depth(url, source)
        )

    def visit(self, url: str, new: bool, relevant: bool) -> bool:
        """Take in a visit; return whether its pattern falls asleep with it."""
        dateless = _dateless(url)
        if relevant and dateless:
            _increment(self.relevant, key_of(dateless[0]))
        # Pages of chains and lists must not raise the limits of chains and lists.
        if relevant and key_of(url) not in self.chains:
            _increment(self.shallow, key_of(host(url)))
        was_asleep = self._is_asleep(url)
        key = key_of(pattern(url))
        news, wasted = self.dry.get(key, (0, 0))
        # Halving lets a pattern that was once good fall asleep, and keeps old visits from deciding for ever.
        if news + wasted >= PATTERN_WINDOW_VISITS:
            news //= 2
            wasted //= 2
        remember(self.dry, key, (news + new, wasted + (not new)), MAX_REMEMBERED)
        falls_asleep = self._is_asleep(url) and not was_asleep
        if falls_asleep:
            remember(self.drowsy, key_of(host(url)), True, MAX_REMEMBERED)
        return falls_asleep

    def _check_spelling(self, name: str, segments: list[str], pairs: list[str]) -> str:
        if len(segments) > MAX_SEGMENTS:
            return f"trap: more than {MAX_SEGMENTS} folders deep"
        parts = [*segments, *pairs]
        # Counting is slow and this is asked for every link: most URLs repeat nothing.
        if len(parts) - len(set(parts)) >= MAX_REPEATS:
            part, times = Counter(parts).most_common(1)[0]
            if times > MAX_REPEATS:
                return f"trap: the URL repeats {part} {times} times"
        bare = name.removeprefix("www.")
        has_own_name = any(segment.removeprefix("www.") == bare for segment in segments[1:])
        if has_own_name and "." in bare and SELF_NAMED_FOLDERS.isdisjoint(segments):
            return "trap: the path contains the name of its host"
        return ""

    def _check_list(self, url: str, source: str) -> str:
        """Refuse a page of a list that goes on for too long, from one page number to the next."""
        here = _split_page_number(url)
        if here is None:
            return ""
        before = _split_page_number(source)
        if before is None or here[0] != before[0]:
            return ""
        form = key_of(here[0])
        number = here[1]
        key = key_of(url)
        goes_on = 0 < number - before[1] <= MAX_PAGE_STEP
        if key in self.chains or (number <= MAX_PAGE_NUMBER and not goes_on):
            return ""
        count = self.lists.get(form, 0)
        # A host with relevant pages elsewhere earns longer lists.
        if number > MAX_PAGE_NUMBER or count >= MAX_LIST_PAGES + self.shallow.get(key_of(host(url)), 0):
            return f"trap: page {number} of a list"
        remember(self.lists, form, count + 1, MAX_REMEMBERED)
        remember(self.chains, key, 0, MAX_REMEMBERED)
        return ""

    def _check_order(self, url: str, query: str) -> str:
        if "&" not in query:
            return ""
        form = key_of("&".join((url.partition("?")[0], *sorted(query.split("&")))))
        first = self.orders.get(form)
        if first is None:
            remember(self.orders, form, key_of(url), MAX_REMEMBERED)
            return ""
        return "trap: a known URL with its parameters in another order" if first != key_of(url) else ""

    def _check_date(self, url: str) -> str:
        dateless = _dateless(url)
        if dateless is None:
            return ""
        form = key_of(dateless[0])
        date = key_of(dateless[1])
        known = self.dates.get(form, [])
        if date in known:
            return ""
        # An archive by date that brings relevant pages is no empty calendar.
        if len(known) >= MAX_DATES * (1 + self.relevant.get(form, 0)):
            return f"trap: a calendar with more than {len(known)} dates"
        remember(self.dates, form, [*known, date], MAX_REMEMBERED)
        return ""

    def _check_pattern(self, url: str) -> str:
        return f"trap: URLs like {pattern(url)} bring hardly anything new" if self._is_asleep(url) else ""

    def _is_asleep(self, url: str) -> bool:
        """Whether visits to the pattern of this URL have brought too little news."""
        news, wasted = self.dry.get(key_of(pattern(url)), (0, 0))
        return wasted >= MIN_WASTED_VISITS and news < MIN_NEWS_SHARE * (news + wasted)

    def _check_depth(self, url: str, source: str) -> str:
        """Refuse folders within folders that do not end soon, as a real tree does."""
        folder = source.partition("?")[0].rstrip("/") + "/"
        # Every URL of a host lies below its home page: links from there are no step deeper.
        if folder.count("/") < 4 or not url.startswith(folder) or len(url) == len(folder) or key_of(url) in self.chains:
            return ""
        chain = self.chains.get(key_of(source), 0) + 1
        if chain > MAX_CHAIN_LINKS:
            name = key_of(host(url))
            if self.deep.get(name, 0) >= MAX_DEEP_URLS + self.shallow.get(name, 0):
                return "trap: endless folders within folders"
            _increment(self.deep, name)
        remember(self.chains, key_of(url), chain, MAX_REMEMBERED)
        return ""


def pattern(url: str) -> str:
    """The coarse form of a URL: host, first folder, number of further segments, file type, names of the parameters.

    >>> pattern("http://a.example/shop12/x/y.php?id=7&c=1")
    'a.example/shop#/+2.php?c&id'
    """
    name = host(url)
    path, _, query = url[url.find("//") + 2 + len(name) :].partition("?")
    segments = [segment for segment in path.split("/") if segment]
    file_type = segments[-1].rpartition(".")[2] if segments and "." in segments[-1] else ""
    ending = f".{file_type}" if file_type else ""
    first_folder = _DIGITS.sub("#", segments[0]) if len(segments) > 1 else ""
    further = len(segments) - 1 if first_folder else len(segments)
    parameters = ""
    if query:
        names = {_DIGITS.sub("#", pair.partition("=")[0]) for pair in query.split("&")}
        parameters = f"?{'&'.join(sorted(names))}"
    return f"{name}/{first_folder}/+{further}{ending}{parameters}"


def _increment(counts: dict[int, int], key: int) -> None:
    remember(counts, key, counts.get(key, 0) + 1, MAX_REMEMBERED)


def _split_page_number(url: str) -> tuple[str, int] | None:
    """A URL without its page number, and the number; None if it has none."""
    found = _PAGE.search(url, url.find("/", 8))
    if found is None:
        return None
    start, end = found.span(found.lastindex or 1)
    return f"{url[:start]}*{url[end:]}", int(url[start:end])


def _dateless(url: str) -> tuple[str, str] | None:
    """A URL without its dates, and the dates; None if it has none."""
    start = url.find("/", 8)
    dates = _DATE.findall(url, start)
    if not dates:
        return None
    return url[:start] + _DATE.sub("*", url[start:]), " ".join(dates)
