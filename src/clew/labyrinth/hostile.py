"""A labyrinth whose pages also lead to hosts that mean harm, each kind of them known."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from random import Random
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from clew.labyrinth import copies, rude, traps
from clew.labyrinth.answer import Answer, html, text
from clew.labyrinth.bait import Kind, Place, page
from clew.labyrinth.labyrinth import Labyrinth
from clew.labyrinth.prose import TITLES, speech

INSIDE: Final = "inside"
"""Names below this one lead to an address that no crawler should dial."""
SPELLINGS: Final = ("127.66.0.1", "2134966273", "0x7f420001", "0177.0102.0.1", "127.66.1", "[::ffff:127.66.0.1]")
WITHIN: Final = ("127.66.0.1", "::ffff:7f42:1")  # what all of these mean
ODD: Final = ("ftp://{host}/x", "file:///etc/hostname", "gopher://{host}/", "javascript:void(0)", "http://a:b@{host}/p")
SHARE: Final = 0.12  # of the mainland's pages that lead to hostile hosts
LURES: Final = 2  # such links on one of these
NAME: Final = re.compile(r"(?:[a-z0-9.-]+\.)?([a-z]+)(\d+)\.labyrinth\.?")


class Nature(NamedTuple):
    """What a URL of a hostile labyrinth is: the kind and group of its host, and what it is a copy of."""

    kind: str = ""  # "" on honest hosts
    group: str = ""  # rude, trap, copy, or "" on honest hosts
    original: str = ""  # "" where it is no copy


@dataclass(frozen=True)
class Hostile(Labyrinth):
    """A web of honest hosts whose pages also lead to hostile ones: `each` hosts of every kind.

    >>> web = Hostile(pages=500, each=1)
    >>> web.nature("http://calendar1.labyrinth/events/2026/11/15")
    Nature(kind='calendar', group='trap', original='')
    >>> web.nature("http://tracked1.labyrinth/p/3?utm_source=mail").original
    'http://tracked1.labyrinth/p/3'
    """

    each: int = 2  # hostile hosts of every kind; the first of each is on the first topic, and so on

    @cached_property
    def kinds(self) -> dict[str, Kind]:
        """Every kind of hostile host by its name."""
        own = (
            Kind("mirror", "copy", self._mirror, says="Honest pages with another foot.", original=self._source),
            Kind("burglar", "rude", _burglar, says="Leads to addresses inside your own network."),
        )
        return {kind.name: kind for kind in chain(traps.kinds(), copies.kinds(), rude.kinds(), own)}

    @cached_property
    def villains(self) -> list[str]:
        """All hostile hosts."""
        return [f"{kind}{n}.labyrinth" for kind in self.kinds for n in range(1, self.each + 1)]

    def nature(self, url: str) -> Nature:
        """What a URL is."""
        kind, at = self._place(url)
        if kind is None or at is None:
            return Nature("inside", "rude") if _is_inside(url) else Nature()
        original = kind.original(at) if kind.original else ""
        return Nature(kind.name, kind.group, original if original != url else "")

    def reply(self, url: str, nth: int = 0, now: float = 0.0) -> Answer:
        """The answer to a request, of which the host has had `nth` before."""
        kind, at = self._place(url)
        if kind is None or at is None:
            return text(200, "you should not be here") if _is_inside(url) else super().page(url)
        at = at._replace(nth=nth, now=now)
        if at.path == "/robots.txt":
            return kind.robots(at) if kind.robots else text(200, "User-agent: *\nDisallow: /secret/\n")
        return kind.answer(at)

    def page(self, url: str) -> Answer:
        """The answer to the first request for a URL."""
        return self.reply(url)

    def _place(self, url: str) -> tuple[Kind | None, Place | None]:
        parts = urlsplit(url)
        name = (parts.hostname or "").rstrip(".")
        found = NAME.fullmatch(name)
        if found is None or name in self._by_name or not 0 < int(found[2]) <= self.each:
            return None, None
        kind = self.kinds.get(found[1])
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        topic = self.graph.topics[(int(found[2]) - 1) % len(self.graph.topics)]
        return kind, Place(f"{found[1]}{found[2]}.labyrinth", path, self.seed, topic, name=name)

    def _html(self, number: int) -> tuple[str, str]:
        """The page as it is on an honest host, on some of them with links to hostile hosts."""
        document, charset = super()._html(number)
        chance = Random(f"lure {self.seed} {number}")
        if chance.random() < SHARE:
            lures = "".join(map(self._lure, chance.choices(self.villains, k=LURES)))
            document = document.replace("</main>", f'<p class="partners">{lures}</p></main>', 1)
        return document, charset

    def _lure(self, host: str) -> str:
        topic = self.graph.topics[(int(host.partition(".")[0][-1]) - 1) % len(self.graph.topics)]
        return f'<a href="http://{host}/">{speech(topic, False, self.seed).titles[len(host) * 7 % TITLES]}</a> '

    def _mirror(self, at: Place) -> Answer:
        if at.path == "/":
            numbers: Iterable[int] = (at.number(str(n)) % self.pages for n in range(10))
            return html(page(at, [(f"/{number}", f"page {number}") for number in numbers]))
        number = int(at.path[1:]) % self.pages if at.path[1:].isdecimal() else 0
        document, _ = super()._html(number)
        document = re.sub(r"(href=\")/([^\"]*)", rf"\1http://{self.graph.spot(number).site.name}/\2", document)
        more = f'<a href="/{at.number("next") % self.pages}">next</a>'
        return html(document.replace("</main>", f"<p>Mirrored by {at.host}. {more}</p></main>", 1))

    def _source(self, at: Place) -> str:
        number = at.path[1:]
        return self.url(int(number) % self.pages) if number.isdecimal() else f"http://{at.host}{at.path}"


def _is_inside(url: str) -> bool:
    host = urlsplit(url).hostname or ""
    return host.endswith(f".{INSIDE}") or host in WITHIN


def _burglar(at: Place) -> Answer:
    names = [f"http://n{at.number(str(n)) % 1000}.{INSIDE}/secret" for n in range(4)]
    places = [f"http://{spelling}/secret" for spelling in SPELLINGS]
    odd = [form.format(host=at.host) for form in ODD]
    return html(page(at, [(href, "admin") for href in (*names, *places, *odd)]))
