"""Hosts that show the same content under many URLs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from clew.labyrinth.answer import Answer, html, text
from clew.labyrinth.bait import Kind, Request, anchor, page

REAL_PAGES: Final = 40  # of such a host
PAGE_PATH: Final = re.compile(r"/p/(\d{1,4})\b")
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


def farm(request: Request) -> Answer:
    """Shows one text a thousand times, each time with another number in it."""
    hrefs = [f"/copy/{request.number(str(n)) % 100_000}" for n in range(8)]
    links = [(href, anchor(request, f"{request.path} {n}")) for n, href in enumerate(hrefs)]
    return html(page(request, links, "farm", extra=f"Copy {request.number()}."))


def session(request: Request) -> Answer:
    """Puts a session ID into each link, a new one each time."""
    form = SESSIONS[int(request.host.partition(".")[0][-1]) % len(SESSIONS)]
    links = []
    for n in _near(request):
        session_id = f"{request.number(str(n)):08x}" * 4
        links.append(f"/p/{n}{form.format(session_id)}")
    return _answer(request, links)


def tracked(request: Request) -> Answer:
    """Adds tracking parameters to each link."""
    links = []
    for n in _near(request):
        click_id = f"{request.number(str(n)):x}"
        links.append(f"/p/{n}?{TRACKING[n % 4].format(click_id)}")
    return _answer(request, links)


def alias(request: Request) -> Answer:
    """Spells the URL of each page in many ways."""
    links = []
    for n in _near(request):
        form = ALIASES[(n + _page_number(request)) % len(ALIASES)]
        links.append(form.format(host=request.host, n=n))
    return _answer(request, links)


def canonical(request: Request) -> Answer:
    """Gives each page many URLs and names the canonical one."""
    canonical_link = f'<link rel="canonical" href="http://{request.host}/p/{_page_number(request)}">'
    links = [f"/p/{n}?ref={request.number(str(n)) % 1000}" for n in _near(request)]
    return _answer(request, links, canonical_link)


def soft(request: Request) -> Answer:
    """Sends error pages with status 200."""
    dead_links = [f"/gone/{request.number(str(n)) % 9999}" for n in range(5)]
    if request.path == "/" or _is_real(request):
        real_links = [f"/p/{n}" for n in _near(request)[:3]]
        return _answer(request, real_links + dead_links)
    sorry = "<h1>Page not found</h1><p>The page you asked for does not exist. Try the search.</p>"
    doors = "".join(f'<a href="{href}">try this</a> ' for href in dead_links[:4])
    return html(f"<!DOCTYPE html><title>404 - Page not found</title>{sorry}{doors}")


def _answer(request: Request, links: list[str], head: str = "") -> Answer:
    if request.path != "/" and not _is_real(request):
        return text(404, "not found")
    anchored = [(href, anchor(request, href)) for href in links]
    return html(page(request, anchored, f"page {_page_number(request)}", head=head))


def _page_number(request: Request) -> int:
    found = PAGE_PATH.search(request.path)
    return int(found[1]) if found else 0


def _is_real(request: Request) -> bool:
    return bool(PAGE_PATH.match(request.path)) and _page_number(request) < REAL_PAGES


def _near(request: Request) -> list[int]:
    """The pages that a page links to; together they reach all pages of the host."""
    return [(_page_number(request) * 3 + n) % REAL_PAGES for n in range(1, 9)]


def _same_page(request: Request) -> str:
    """The plain URL of the page."""
    path = f"/p/{_page_number(request)}" if _is_real(request) else request.path
    return f"http://{request.host}{path}"


def _home_page(request: Request) -> str:
    return f"http://{request.host}/"


def _page_or_error(request: Request) -> str:
    """The plain URL of the page; all error pages count as copies of one."""
    is_page = request.path == "/" or _is_real(request)
    return _same_page(request) if is_page else f"http://{request.host}/gone"


def kinds() -> Iterator[Kind]:
    """All kinds of copies."""
    for answer in (session, tracked, alias, canonical):
        yield Kind(answer.__name__, "copy", answer, about=answer.__doc__ or "", original=_same_page)
    yield Kind("farm", "copy", farm, about=farm.__doc__ or "", original=_home_page)
    yield Kind("soft", "copy", soft, about=soft.__doc__ or "", original=_page_or_error)
