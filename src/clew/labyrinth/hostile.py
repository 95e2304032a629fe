"""A labyrinth whose pages also lead to hostile hosts of known kinds."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, product
from random import Random
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from clew.labyrinth import copies, rude, traps
from clew.labyrinth.answer import Answer, html, text
from clew.labyrinth.bait import Kind, Request, page
from clew.labyrinth.labyrinth import Labyrinth
from clew.labyrinth.prose import TITLES, speech

INSIDE: Final = "inside"  # names below this one lead to a private address, which no crawler should dial
# All of these spell the same private address.
PRIVATE_SPELLINGS: Final = (
    "127.66.0.1",
    "2134966273",
    "0x7f420001",
    "0177.0102.0.1",
    "127.66.1",
    "[::ffff:127.66.0.1]",
)
PRIVATE_ADDRESSES: Final = ("127.66.0.1", "::ffff:7f42:1")
ODD_URLS: Final = (
    "ftp://{host}/x",
    "file:///etc/hostname",
    "gopher://{host}/",
    "javascript:void(0)",
    "http://a:b@{host}/p",
)
LURE_SHARE: Final = 0.12  # of the pages, which link to hostile hosts
LURES_PER_PAGE: Final = 2  # on one of these pages
HOSTILE_NAME: Final = re.compile(r"(?:[a-z0-9.-]+\.)?([a-z]+)(\d+)\.labyrinth\.?")


class Nature(NamedTuple):
    """What a URL of a hostile labyrinth really is: kind and group of its host, and the original of a copy."""

    kind: str = ""  # "" on honest hosts
    group: str = ""  # rude, trap, copy, or "" on honest hosts
    original: str = ""  # "" if it is no copy


@dataclass(frozen=True)
class Hostile(Labyrinth):
    """A web of honest hosts whose pages also lead to hostile ones, `each` of every kind.

    >>> web = Hostile(pages=500, each=1)
    >>> web.nature("http://calendar1.labyrinth/events/2026/11/15")
    Nature(kind='calendar', group='trap', original='')
    >>> web.nature("http://tracked1.labyrinth/p/3?utm_source=mail").original
    'http://tracked1.labyrinth/p/3'
    """

    each: int = 2  # hostile hosts of every kind; the n-th of each kind is on the n-th topic

    @cached_property
    def kinds(self) -> dict[str, Kind]:
        """All kinds of hostile hosts by name."""
        own = (
            Kind(
                "mirror",
                "copy",
                self._mirror,
                about="Repeats honest pages with another footer.",
                original=self._mirrored,
            ),
            Kind("burglar", "rude", _burglar, about="Links to addresses inside your own network."),
        )
        return {kind.name: kind for kind in chain(traps.kinds(), copies.kinds(), rude.kinds(), own)}

    @cached_property
    def villains(self) -> list[str]:
        """All hostile hosts."""
        pairs = product(self.kinds, range(1, self.each + 1))
        return [f"{kind}{number}.labyrinth" for kind, number in pairs]

    def nature(self, url: str) -> Nature:
        """What a URL really is."""
        kind, request = self._hostile_request(url)
        if kind is None or request is None:
            return Nature("inside", "rude") if _is_inside(url) else Nature()
        original = kind.original(request) if kind.original else ""
        return Nature(kind.name, kind.group, original if original != url else "")

    def reply(self, url: str, nth: int = 0, now: float = 0.0) -> Answer:
        """The answer to a request after the host has had `nth` others."""
        kind, request = self._hostile_request(url)
        if kind is None or request is None:
            return text(200, "you should not be here") if _is_inside(url) else super().page(url)
        request = request._replace(nth=nth, now=now)
        if request.path == "/robots.txt":
            return kind.robots(request) if kind.robots else text(200, "User-agent: *\nDisallow: /secret/\n")
        return kind.answer(request)

    def page(self, url: str) -> Answer:
        """The answer to the first request for a URL."""
        return self.reply(url)

    def _hostile_request(self, url: str) -> tuple[Kind | None, Request | None]:
        """The kind of a hostile host and a request to it; None for URLs of honest hosts."""
        parts = urlsplit(url)
        name = (parts.hostname or "").rstrip(".")
        found = HOSTILE_NAME.fullmatch(name)
        if found is None or name in self._by_name:
            return None, None
        number = int(found[2])
        if not 0 < number <= self.each:
            return None, None
        kind = self.kinds.get(found[1])
        query = f"?{parts.query}" if parts.query else ""
        path = (parts.path or "/") + query
        # A name with anything in front is the same host, as with www. or a wildcard.
        host = f"{found[1]}{found[2]}.labyrinth"
        return kind, Request(host, path, self.seed, self._topic(number), name=name)

    def _topic(self, number: int) -> int:
        """The topic of the n-th host of a kind."""
        return self.graph.topics[(number - 1) % len(self.graph.topics)]

    def _html(self, number: int) -> tuple[str, str]:
        """The document of an honest page; some have links to hostile hosts added."""
        document, charset = super()._html(number)
        chance = Random(f"lure {self.seed} {number}")
        if chance.random() < LURE_SHARE:
            lures = "".join(map(self._lure, chance.choices(self.villains, k=LURES_PER_PAGE)))
            document = document.replace("</main>", f'<p class="partners">{lures}</p></main>', 1)
        return document, charset

    def _lure(self, host: str) -> str:
        topic = self._topic(int(host.partition(".")[0][-1]))
        title = speech(topic, False, self.seed).titles[len(host) * 7 % TITLES]
        return f'<a href="http://{host}/">{title}</a> '

    def _mirror(self, request: Request) -> Answer:
        if request.path == "/":
            numbers = [request.number(str(n)) % self.pages for n in range(10)]
            return html(page(request, [(f"/{number}", f"page {number}") for number in numbers]))
        number = int(request.path[1:]) % self.pages if request.path[1:].isdecimal() else 0
        document, _ = super()._html(number)
        # Relative links must still lead to the original host.
        original = self.graph.spot(number).site.name
        document = re.sub(r"(href=\")/([^\"]*)", rf"\1http://{original}/\2", document)
        more = f'<a href="/{request.number("next") % self.pages}">next</a>'
        return html(document.replace("</main>", f"<p>Mirrored by {request.host}. {more}</p></main>", 1))

    def _mirrored(self, request: Request) -> str:
        """The URL of the honest page that a mirror repeats."""
        number = request.path[1:]
        return self.url(int(number) % self.pages) if number.isdecimal() else f"http://{request.host}{request.path}"


def _is_inside(url: str) -> bool:
    host = urlsplit(url).hostname or ""
    return host.endswith(f".{INSIDE}") or host in PRIVATE_ADDRESSES


def _burglar(request: Request) -> Answer:
    urls = [f"http://n{request.number(str(n)) % 1000}.{INSIDE}/secret" for n in range(4)]
    urls += [f"http://{spelling}/secret" for spelling in PRIVATE_SPELLINGS]
    urls += [form.format(host=request.host) for form in ODD_URLS]
    return html(page(request, [(url, "admin") for url in urls]))
