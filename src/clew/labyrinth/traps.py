"""Hosts without an end: each page leads to more pages, and none of them to anything new."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta
from itertools import permutations
from typing import Final

from clew.labyrinth.answer import Answer, html, moved
from clew.labyrinth.bait import Kind, Place, anchor, page

DAYS: Final = (-365, -31, -7, -1, 1, 7, 31, 365)
FIRST_DAY: Final = date(2026, 1, 1)
YEARS: Final = 4000  # days after which the calendar starts again, about eleven years to both sides
FACETS: Final = {"colour": "red green blue black white", "size": "s m l xl", "sort": "price name age", "view": "a b"}


def calendar(at: Place) -> Answer:
    """A day leads to its neighbours, for ever; nothing happens on any of them."""
    day = _day(at.path)
    near = [day + timedelta(days=days) for days in DAYS]
    links = [(f"/events/{d:%Y/%m/%d}", f"{d:%d %B %Y}") for d in near]
    return html(page(at, links, "calendar", extra=f"No events on {day:%d %B %Y}."))


def growing(at: Place) -> Answer:
    """Every link is a folder deeper, and every folder has other words."""
    names = [f"{anchor(at, f'{at.path} {n}').split()[0].lower()}-{at.number(str(n)) % 1000}" for n in range(4)]
    return html(page(at, [(f"{_folder(at.path)}{name}/", name) for name in names]))


def repeating(at: Place) -> Answer:
    """Relative links that are one folder off: /news/archive/news/archive/…"""
    links = [(f"{_folder(at.path)}{name}/", name) for name in ("news", "archive", "images")]
    return html(page(at, links, "repeating", extra=f"{at.path.count('/')} folders"))


def permuted(at: Place) -> Answer:
    """A shop whose filters stand in the address in any order and combination."""
    chosen = dict(re.findall(r"(\w+)=(\w+)", at.path))
    links = []
    for facet, values in FACETS.items():
        for value in values.split():
            now = {**chosen, facet: value}
            for n, order in enumerate(permutations(now)):
                if n % 5 == 0:
                    query = "&amp;".join(f"{name}={now[name]}" for name in order)
                    links.append((f"/shop?{query}", f"{facet} {value}"))
    return html(page(at, links, "permuted", extra=f"{len(chosen)} filters"))


def paged(at: Place) -> Answer:
    """A list with a next page, and a next one, and words that are always new."""
    number = int(found[1]) if (found := re.search(r"page=(\d{1,9})", at.path)) else 1
    links = [(f"/list?page={number + step}", f"page {number + step}") for step in (1, 2, 10)]
    return html(page(at, links))


def named(at: Place) -> Answer:
    """Addresses of other hosts without their http://, so that they end up in the path."""
    links = [(f"{_folder(at.path)}www.{name}.example/", f"www.{name}.example") for name in ("alpha", "beta", "gamma")]
    return html(page(at, links, "named"))


def maze(at: Place) -> Answer:
    """Redirects that lead to redirects; one in seven is a page with further doors."""
    if at.path == "/" or at.number("door") % 7 == 0:
        return html(page(at, [(f"/door/{at.number(str(n))}", f"door {n}") for n in range(6)]))
    return moved(f"/door/{at.number('next')}")


def circle(at: Place) -> Answer:
    """Redirects in a circle: of one, of three, and over two names."""
    if at.path == "/":
        return html(page(at, [(f"/{kind}/1", kind) for kind in ("self", "three", "names")]))
    kind, _, turn = at.path[1:].partition("/")
    if kind == "names":
        other = f"twin.{at.host}" if at.name == at.host else at.host
        return moved(f"http://{other}/names/1", 307)
    return moved(f"/three/{int(turn if turn.isdecimal() else 1) % 3 + 1}" if kind == "three" else at.path, 301)


def wildcard(at: Place) -> Answer:
    """Any name below its own exists, and each leads to three more."""
    links = [(f"http://n{at.number(f'{at.name}{n}')}.{at.host}/", f"site {n}") for n in range(3)]
    return html(page(at, links, at.name))


def _day(path: str) -> date:
    if not (found := re.fullmatch(r"/events/(\d{4})/(\d\d)/(\d\d)", path)):
        return FIRST_DAY
    try:
        day = date(int(found[1]), int(found[2]), int(found[3]))
    except ValueError:
        return FIRST_DAY
    ahead = (day - FIRST_DAY).days
    return FIRST_DAY + timedelta(days=(ahead + YEARS) % (2 * YEARS) - YEARS)


def _folder(path: str) -> str:
    return path if path.endswith("/") else f"{path}/"


def kinds() -> Iterator[Kind]:
    """All kinds of traps."""
    for answer in (calendar, growing, repeating, permuted, paged, named, maze, circle, wildcard):
        yield Kind(answer.__name__, "trap", answer, says=answer.__doc__ or "")
