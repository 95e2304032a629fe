"""Links that turned out to lead to relevant pages, kept by where they are: what rules ask about a link's neighbours."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from clew.learning.facts import elements
from clew.learning.kin import PER_KIND
from clew.learning.relational import ANCESTORS
from clew.types import Link

PAGE: Final = "page"
BLOCK: Final = "block"
MAX_PLACES: Final = 60  # of one page at which targets are remembered

Entry = tuple[str, str, str]
"""What must differ from the link in question, and the tags of D and E."""
PagePlaces = dict[str, list[Entry]]
"""The targets of one page by place; a rule asks for one beside the link, so two of a kind are enough."""


def mark(places: PagePlaces, link: Link) -> list[str]:
    """Remember that a link leads to a relevant page; return the places where that is news."""
    news: list[str] = []
    for place, entry in _entries(link):
        if place not in places and len(places) >= MAX_PLACES:
            continue
        known = places.setdefault(place, [])
        same_kind = [other for other in known if other[1:] == entry[1:]]
        if len(same_kind) < PER_KIND and entry not in same_kind:
            known.append(entry)
            news.append(place)
    return news


class Surroundings:
    """The places around a link; its elements are named only when a rule asks for them."""

    def __init__(self, link: Link) -> None:
        self._link = link
        self._elements: list[tuple[str, str]] | None = None

    def of(self, relation: str) -> tuple[str, str]:
        """The place where a target must be for a relation, and from what it must differ there; "" for none."""
        if relation == PAGE:
            return PAGE, self._link.url
        if self._elements is None:
            self._elements = list(elements(self._link))
        anchor, _ = self._elements[0]
        if relation == BLOCK:
            return f"{BLOCK} {self._link.block}", anchor
        at = ANCESTORS.index(relation[0])
        if at >= len(self._elements):
            return "", ""
        return f"{relation[1]} {self._elements[at][0]}", self._elements[at - 1][0]

    def beside(self, relation: str, places: PagePlaces) -> Iterator[frozenset[str]]:
        """What holds for each target that is related to the link in this way."""
        place, oneself = self.of(relation)
        for beside, tag, tag_below in places.get(place, ()):
            if beside != oneself:
                yield frozenset((f"D tag {tag}", f"E tag {tag_below}", "Z relevant "))


def affected(links: Sequence[Link], news: Sequence[str], relations: Sequence[str]) -> list[str]:
    """The URLs of the links for which a rule with one of these relations may hold now, after news at these places."""
    if PAGE in news and PAGE in relations:
        return [link.url for link in links]
    near = [relation for relation in relations if relation != PAGE]
    if not near:
        return []
    found: list[str] = []
    for link in links:
        around = Surroundings(link)
        if any(around.of(relation)[0] in news for relation in near):
            found.append(link.url)
    return found


def _entries(link: Link) -> Iterator[tuple[str, Entry]]:
    """The places of a target: its page, its block, and the elements one and two steps above it."""
    (anchor, tag), *above = list(elements(link))[:3]
    yield PAGE, (link.url, "", "")
    yield f"{BLOCK} {link.block}", (anchor, "", "")
    if above:
        yield f"1 {above[0][0]}", (anchor, tag, "")
    if len(above) > 1:
        yield f"2 {above[1][0]}", (above[0][0], above[0][1], tag)
