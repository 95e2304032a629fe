"""Endless hosts: each page leads to more pages, and none of them brings anything new."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta
from itertools import islice, permutations
from typing import Final

from clew.labyrinth.answer import Answer, html, moved
from clew.labyrinth.bait import Kind, Request, anchor, page

DAY_STEPS: Final = (-365, -31, -7, -1, 1, 7, 31, 365)
FIRST_DAY: Final = date(2026, 1, 1)
CALENDAR_DAYS: Final = 4000  # to both sides, about eleven years; then it starts again
FACETS: Final = {"colour": "red green blue black white", "size": "s m l xl", "sort": "price name age", "view": "a b"}


def calendar(request: Request) -> Answer:
    """Links each day to other days, for ever; nothing happens on any of them."""
    day = _day(request.path)
    near = [day + timedelta(days=days) for days in DAY_STEPS]
    links = [(f"/events/{d:%Y/%m/%d}", f"{d:%d %B %Y}") for d in near]
    return html(page(request, links, "calendar", extra=f"No events on {day:%d %B %Y}."))


def growing(request: Request) -> Answer:
    """Leads one folder deeper with every link, and shows new words in every folder."""
    names = [
        f"{anchor(request, f'{request.path} {n}').split()[0].lower()}-{request.number(str(n)) % 1000}" for n in range(4)
    ]
    return html(page(request, [(f"{_folder(request.path)}{name}/", name) for name in names]))


def repeating(request: Request) -> Answer:
    """Has relative links that are one folder off: /news/archive/news/archive/…"""
    links = [(f"{_folder(request.path)}{name}/", name) for name in ("news", "archive", "images")]
    return html(page(request, links, "repeating", extra=f"{request.path.count('/')} folders"))


def permuted(request: Request) -> Answer:
    """Is a shop with its filters in the URL, in any order and combination."""
    chosen = dict(re.findall(r"(\w+)=(\w+)", request.path))
    links = []
    for facet, values in FACETS.items():
        for value in values.split():
            filters = {**chosen, facet: value}
            # Every fifth order will do: even those are far too many.
            for order in islice(permutations(filters), 0, None, 5):
                query = "&amp;".join(f"{name}={filters[name]}" for name in order)
                links.append((f"/shop?{query}", f"{facet} {value}"))
    return html(page(request, links, "permuted", extra=f"{len(chosen)} filters"))


def paged(request: Request) -> Answer:
    """Is a list that always has a next page, with new words on each."""
    found = re.search(r"page=(\d{1,9})", request.path)
    number = int(found[1]) if found else 1
    links = [(f"/list?page={number + step}", f"page {number + step}") for step in (1, 2, 10)]
    return html(page(request, links))


def named(request: Request) -> Answer:
    """Links to other hosts without http://, so that their names end up in the path."""
    links = [
        (f"{_folder(request.path)}www.{name}.example/", f"www.{name}.example") for name in ("alpha", "beta", "gamma")
    ]
    return html(page(request, links, "named"))


def maze(request: Request) -> Answer:
    """Redirects to redirects; one URL in seven is a page with links to more of them."""
    if request.path == "/" or request.number("door") % 7 == 0:
        return html(page(request, [(f"/door/{request.number(str(n))}", f"door {n}") for n in range(6)]))
    return moved(f"/door/{request.number('next')}")


def circle(request: Request) -> Answer:
    """Redirects in a circle: of one URL, of three, and between two names."""
    if request.path == "/":
        return html(page(request, [(f"/{kind}/1", kind) for kind in ("self", "three", "names")]))
    kind, _, turn = request.path[1:].partition("/")
    if kind == "names":
        other = f"twin.{request.host}" if request.name == request.host else request.host
        return moved(f"http://{other}/names/1", 307)
    if kind == "three":
        number = int(turn) if turn.isdecimal() else 1
        return moved(f"/three/{number % 3 + 1}", 301)
    return moved(request.path, 301)


def wildcard(request: Request) -> Answer:
    """Answers to any name below its own, and each links to three more."""
    links = [(f"http://n{request.number(f'{request.name}{n}')}.{request.host}/", f"site {n}") for n in range(3)]
    return html(page(request, links, request.name))


def _day(path: str) -> date:
    """The day in a path; the first day if there is none."""
    found = re.fullmatch(r"/events/(\d{4})/(\d\d)/(\d\d)", path)
    if found is None:
        return FIRST_DAY
    try:
        day = date(int(found[1]), int(found[2]), int(found[3]))
    except ValueError:
        return FIRST_DAY
    ahead = (day - FIRST_DAY).days
    # Python's dates end with the year 9999, so the calendar goes round.
    return FIRST_DAY + timedelta(days=(ahead + CALENDAR_DAYS) % (2 * CALENDAR_DAYS) - CALENDAR_DAYS)


def _folder(path: str) -> str:
    return path if path.endswith("/") else f"{path}/"


def kinds() -> Iterator[Kind]:
    """All kinds of traps."""
    for answer in (calendar, growing, repeating, permuted, paged, named, maze, circle, wildcard):
        yield Kind(answer.__name__, "trap", answer, about=answer.__doc__ or "")
