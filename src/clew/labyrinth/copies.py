"""Hosts that say the same thing under many addresses."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from clew.labyrinth.answer import Answer, html, text
from clew.labyrinth.bait import Kind, Place, anchor, page

REAL: Final = 40  # different pages of such a host
PAGE: Final = re.compile(r"/p/(\d{1,4})\b")
SESSIONS: Final = ("?PHPSESSID={}", ";jsessionid={}", "?sid={}")
TRACKING: Final = ("utm_source={}", "utm_medium=mail&amp;utm_campaign={}", "gclid={}", "fbclid={}")
ALIASES: Final = (
    "http://{host}/p/{n}",
    "http://www.{host}/p/{n}",
    "http://{host}:80/p/{n}",
    "http://{host}./p/{n}",
    "http://{host}/p/{n}/index.html",
    "http://{host}/x/../p/{n}",
    "http://{host}/p/{n}#top",
)


def farm(at: Place) -> Answer:
    """One text a thousand times, each time with another number in it."""
    links = [(f"/copy/{at.number(str(n)) % 100_000}", anchor(at, f"{at.path} {n}")) for n in range(8)]
    return html(page(at, links, "farm", extra=f"Copy {at.number()}."))


def session(at: Place) -> Answer:
    """Each link has a session in it, and each time another one."""
    form = SESSIONS[int(at.host.partition(".")[0][-1]) % len(SESSIONS)]
    return _shown(at, [f"/p/{n}{form.format(f'{at.number(str(n)):08x}' * 4)}" for n in _near(at)])


def tracked(at: Place) -> Answer:
    """Each link tells where it was clicked."""
    return _shown(at, [f"/p/{n}?{TRACKING[n % 4].format(f'{at.number(str(n)):x}')}" for n in _near(at)])


def alias(at: Place) -> Answer:
    """Each page has many spellings of its address."""
    return _shown(at, [ALIASES[(n + _page(at)) % len(ALIASES)].format(host=at.host, n=n) for n in _near(at)])


def canonical(at: Place) -> Answer:
    """Each page has many addresses and names the right one."""
    right = f'<link rel="canonical" href="http://{at.host}/p/{_page(at)}">'
    return _shown(at, [f"/p/{n}?ref={at.number(str(n)) % 1000}" for n in _near(at)], right)


def soft(at: Place) -> Answer:
    """Says 200 where it means 404."""
    if at.path == "/" or _real(at):
        return _shown(at, [f"/p/{n}" for n in _near(at)[:3]] + [f"/gone/{at.number(str(n)) % 9999}" for n in range(5)])
    sorry = "<h1>Page not found</h1><p>The page you asked for does not exist. Try the search.</p>"
    doors = "".join(f'<a href="/gone/{at.number(str(n)) % 9999}">try this</a> ' for n in range(4))
    return html(f"<!DOCTYPE html><title>404 - Page not found</title>{sorry}{doors}")


def _shown(at: Place, links: list[str], head: str = "") -> Answer:
    if at.path != "/" and not _real(at):
        return text(404, "not found")
    return html(page(at, [(href, anchor(at, href)) for href in links], f"page {_page(at)}", head=head))


def _page(at: Place) -> int:
    return int(found[1]) if (found := PAGE.search(at.path)) else 0


def _real(at: Place) -> bool:
    return bool(PAGE.match(at.path)) and _page(at) < REAL


def _near(at: Place) -> list[int]:
    return [(_page(at) * 3 + n) % REAL for n in range(1, 9)]


def _same(at: Place) -> str:
    return f"http://{at.host}/p/{_page(at)}" if _real(at) else f"http://{at.host}{at.path}"


def _first(at: Place) -> str:
    return f"http://{at.host}/"


def _found(at: Place) -> str:
    return _same(at) if at.path == "/" or _real(at) else f"http://{at.host}/gone"


def kinds() -> Iterator[Kind]:
    """All kinds of copiers."""
    for answer in (session, tracked, alias, canonical):
        yield Kind(answer.__name__, "copy", answer, says=answer.__doc__ or "", original=_same)
    yield Kind("farm", "copy", farm, says=farm.__doc__ or "", original=_first)
    yield Kind("soft", "copy", soft, says=soft.__doc__ or "", original=_found)
