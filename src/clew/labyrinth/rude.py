"""Hosts that break rules: they hang, drip, reset, lie, send bombs, refuse and change their mind."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from email.utils import formatdate
from functools import cache
from itertools import chain, repeat
from typing import Final

from clew.labyrinth.answer import HOLD, HTML, RESET, Answer, Wire, head, html, moved, text
from clew.labyrinth.bait import Kind, Place, entrance, page
from clew.labyrinth.bombs import BOMBS

URLS: Final = 12  # that the home page of a rude host names
STORMS: Final = (500, 503, 502, 504)
SIGNATURES: Final = (
    (b"GIF89a\x01\x00\x01\x00", "text/html"),
    (b"PK\x03\x04\x14\x00\x00\x00", "text/html; charset=utf-8"),
    (b"\x7fELF\x02\x01\x01\x00", "text/plain"),
    (b"\x89PNG\r\n\x1a\n", ""),
)


def hang(at: Place) -> Answer:
    """Takes the request and never says a word."""
    return Answer(200, wire=Wire(end=HOLD))


def drip(at: Place) -> Answer:
    """A byte at a time, for as long as anybody listens."""
    body = _plain(at)
    drops = ((0.2, bytes([byte])) for byte in body)
    return Answer(200, wire=Wire(chain([(0.0, head(200, (HTML,), len(body)))], drops), HOLD))


def stall(at: Place) -> Answer:
    """Half an answer, then silence."""
    body = _plain(at)
    return Answer(200, wire=Wire([(0.0, head(200, (HTML,), len(body)) + body[: len(body) // 2])], HOLD))


def reset(at: Place) -> Answer:
    """Cuts the line, before the answer or within it."""
    body = _plain(at)
    begun = [(0.0, head(200, (HTML,), len(body)) + body[:500]), (0.05, b"")]
    return Answer(200, wire=Wire(begun if at.number() % 2 else [], RESET))


def liar(at: Place) -> Answer:
    """Tells a length that is too great, or too small."""
    body = _plain(at)
    told = len(body) * 3 if at.number() % 2 else len(body) // 3
    return Answer(200, wire=Wire([(0.0, head(200, (HTML,), told, last=True) + body)]))


def disguise(at: Place) -> Answer:
    """Pictures, archives and programs that call themselves text; and text that calls itself a picture."""
    start, told = SIGNATURES[at.number() % len(SIGNATURES)]
    if at.number("text") % 3 == 0:
        return Answer(200, (("Content-Type", "image/png"),), _plain(at))
    return Answer(200, (("Content-Type", told),) if told else (), start + at.chance().randbytes(3000))


def bomb(at: Place) -> Answer:
    """A few kilobytes that become many megabytes."""
    coding, make = BOMBS[at.number() % len(BOMBS)]
    return Answer(200, (HTML, ("Content-Encoding", coding)), make())


def flood(at: Place) -> Answer:
    """A body without an end."""
    endless = repeat((0.0, b"<p>water</p>\n" * 5000))
    return Answer(200, wire=Wire(chain([(0.0, head(200, (HTML,), None))], endless)))


def pompous(at: Place) -> Answer:
    """One header of a hundred kilobytes, or thousands of small ones."""
    if at.number() % 2:
        return html(page(at, []), ("X-Praise", "fine " * 20_000))
    return html(page(at, []), *((f"X-Title-{n}", "yes") for n in range(3000)))


def babble(at: Place) -> Answer:
    """Something, but not HTTP."""
    said = (b"220 mail is ready\r\n", b"HTTP/9.9 fine\r\n\r\n", at.chance().randbytes(300), b"\r\n\r\n\r\n")
    return Answer(200, wire=Wire([(0.0, said[at.number() % len(said)])]))


def nest(at: Place) -> Answer:
    """A hundred thousand tags, each inside the one before."""
    return html(_nested())


def crowd(at: Place) -> Answer:
    """Five thousand links on one page; behind them nothing."""
    if at.path != "/":
        return text(404, "not found")
    return html(page(at, ((f"/{n}", f"number {n}") for n in range(5000)), "crowd"))


def storm(at: Place) -> Answer:
    """Works, fails three times in a row, works again."""
    if at.nth % 12 in (5, 6, 7):
        return text(STORMS[at.nth // 12 % len(STORMS)], "out of order")
    return _pages(at)


def busy(at: Place) -> Answer:
    """Every fourth request is too many; says for how long, in seconds or as a date."""
    if at.nth % 4 < 3:
        return _pages(at)
    wait = "1" if at.nth % 8 < 4 else formatdate(at.now + 2, usegmt=True)
    return text(429, "too many requests", ("Retry-After", wait))


def curt(at: Place) -> Answer:
    """Every fourth request is too many; does not say for how long."""
    return _pages(at) if at.nth % 4 < 3 else text(429, "too many requests")


def _pages(at: Place) -> Answer:
    """An ordinary host with pages that lead on, a hundred of them."""
    here = int(at.path[1:]) % 100 if at.path[1:].isdecimal() else at.number() % 100
    return html(page(at, [(f"/{(here * 7 + n) % 100}", f"part {n}") for n in range(1, 9)]))


def _honest(at: Place) -> Answer:
    return html(page(at, []))


def _mute(at: Place) -> Answer:
    return text(503, "no rules today")


def _riddle(at: Place) -> Answer:
    return moved("/robots.txt", 301)


def _fickle(at: Place) -> Answer:
    """Other rules each time; the fourth time none."""
    turn = at.nth % 4
    if turn == 3:
        return text(404, "not found")
    forbidden = "".join(f"Disallow: /{digit}\n" for digit in range(1 + turn, 10, 3))
    return text(200, f"User-agent: *\n{forbidden}")


def _ramble(at: Place) -> Answer:
    """Rules without an end; the first ones count."""
    start = head(200, (("Content-Type", "text/plain"),), None) + b"User-agent: *\nDisallow: /1\n"
    return Answer(200, wire=Wire(chain([(0.0, start)], repeat((0.0, b"Allow: /2*3*4*5*6$\n" * 2000)))))


def _plain(at: Place) -> bytes:
    return page(at, [("/", "home")]).encode()


@cache
def _nested() -> str:
    return f"<title>deep</title>{'<div>' * 100_000}<a href='/bottom'>bottom</a>{'</div>' * 100_000}"


def _numbered(answer: Callable[[Place], Answer]) -> Callable[[Place], Answer]:
    """Behind a home page that lures."""

    def reply(at: Place) -> Answer:
        return html(entrance(at, (f"/{n}" for n in range(1, URLS + 1)))) if at.path == "/" else answer(at)

    return reply


def kinds() -> Iterator[Kind]:
    """All kinds of rude hosts."""
    for answer in (hang, drip, stall, reset, liar, disguise, bomb, flood, pompous, babble, nest):
        yield Kind(answer.__name__, "rude", _numbered(answer), says=answer.__doc__ or "")
    for answer in (crowd, storm, busy, curt):
        yield Kind(answer.__name__, "rude", answer, says=answer.__doc__ or "")
    for name, robots, says in (
        ("mute", _mute, "Its robots.txt is never there."),
        ("riddle", _riddle, "Its robots.txt leads back to itself."),
        ("fickle", _fickle, "Its robots.txt is another one each time."),
        ("ramble", _ramble, "Its robots.txt has no end."),
    ):
        yield Kind(name, "rude", _numbered(_honest), robots, says)
