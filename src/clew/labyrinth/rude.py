"""Hosts that break the rules: they hang, drip, reset, lie, send bombs, refuse and change their minds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from email.utils import formatdate
from itertools import chain, repeat
from typing import Final

from clew.labyrinth.answer import HOLD, HTML, RESET, Answer, Wire, head, html, moved, text
from clew.labyrinth.bait import Kind, Request, entrance, page
from clew.labyrinth.bombs import BOMBS, markup_bomb

LINKS_ON_HOME_PAGE: Final = 12  # of a rude host
STORM_STATUSES: Final = (500, 503, 502, 504)
# First bytes of binary files, and the Content-Type that goes with them.
DISGUISES: Final = (
    (b"GIF89a\x01\x00\x01\x00", "text/html"),
    (b"PK\x03\x04\x14\x00\x00\x00", "text/html; charset=utf-8"),
    (b"\x7fELF\x02\x01\x01\x00", "text/plain"),
    (b"\x89PNG\r\n\x1a\n", ""),
)


def hang(request: Request) -> Answer:
    """Takes the request and never answers."""
    return Answer(200, wire=Wire(end=HOLD))


def drip(request: Request) -> Answer:
    """Sends one byte at a time, for as long as anybody listens."""
    body = _plain(request)
    drops = ((0.2, bytes([byte])) for byte in body)
    return Answer(200, wire=Wire(chain([(0.0, head(200, (HTML,), len(body)))], drops), HOLD))


def stall(request: Request) -> Answer:
    """Sends half an answer and then nothing more."""
    body = _plain(request)
    return Answer(200, wire=Wire([(0.0, head(200, (HTML,), len(body)) + body[: len(body) // 2])], HOLD))


def reset(request: Request) -> Answer:
    """Resets the connection, before the answer or in the middle of it."""
    body = _plain(request)
    # The empty step gives the first bytes time to arrive: a reset throws away what is still in the buffers.
    beginning = [(0.0, head(200, (HTML,), len(body)) + body[:500]), (0.05, b"")]
    return Answer(200, wire=Wire(beginning if request.number() % 2 else [], RESET))


def liar(request: Request) -> Answer:
    """Announces a length that is too large or too small."""
    body = _plain(request)
    announced = len(body) * 3 if request.number() % 2 else len(body) // 3
    return Answer(200, wire=Wire([(0.0, head(200, (HTML,), announced, last=True) + body)]))


def disguise(request: Request) -> Answer:
    """Sends pictures, archives and programs as text, and text as a picture."""
    if request.number("text") % 3 == 0:
        return Answer(200, (("Content-Type", "image/png"),), _plain(request))
    signature, content_type = DISGUISES[request.number() % len(DISGUISES)]
    headers = (("Content-Type", content_type),) if content_type else ()
    return Answer(200, headers, signature + request.chance().randbytes(3000))


def bomb(request: Request) -> Answer:
    """Sends a few kilobytes that unpack to many megabytes."""
    coding, make = BOMBS[request.number() % len(BOMBS)]
    return Answer(200, (HTML, ("Content-Encoding", coding)), make())


def flood(request: Request) -> Answer:
    """Sends a body without an end."""
    endless = repeat((0.0, b"<p>water</p>\n" * 5000))
    return Answer(200, wire=Wire(chain([(0.0, head(200, (HTML,), None))], endless)))


def hints(request: Request) -> Answer:
    """Sends interim responses without an end, and never its answer."""
    return Answer(200, wire=Wire(repeat((0.0, b"HTTP/1.1 103 Early Hints\r\n\r\n" * 2000))))


def crumbs(request: Request) -> Answer:
    """Sends a body without an end in chunks of one byte."""
    start = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n"
    return Answer(200, wire=Wire(chain([(0.0, start)], repeat((0.0, b"1\r\nx\r\n" * 5000)))))


def pompous(request: Request) -> Answer:
    """Sends one header of a hundred kilobytes, or thousands of small ones."""
    if request.number() % 2:
        return html(page(request, []), ("X-Praise", "fine " * 20_000))
    return html(page(request, []), *((f"X-Title-{n}", "yes") for n in range(3000)))


def babble(request: Request) -> Answer:
    """Sends something that is not HTTP."""
    answers = (b"220 mail is ready\r\n", b"HTTP/9.9 fine\r\n\r\n", request.chance().randbytes(300), b"\r\n\r\n\r\n")
    return Answer(200, wire=Wire([(0.0, answers[request.number() % len(answers)])]))


def nest(request: Request) -> Answer:
    """Sends a few kilobytes of markup that are made to choke a parser."""
    return Answer(200, (HTML, ("Content-Encoding", "gzip")), markup_bomb(request.number()))


def crowd(request: Request) -> Answer:
    """Has five thousand dead links on one page."""
    if request.path != "/":
        return text(404, "not found")
    return html(page(request, ((f"/{n}", f"number {n}") for n in range(5000)), "crowd"))


def storm(request: Request) -> Answer:
    """Works, fails three times in a row, works again."""
    if request.nth % 12 in (5, 6, 7):
        return text(STORM_STATUSES[request.nth // 12 % len(STORM_STATUSES)], "out of order")
    return _pages(request)


def busy(request: Request) -> Answer:
    """Answers every fourth request with 429 and a Retry-After, in seconds or as a date."""
    if request.nth % 4 < 3:
        return _pages(request)
    wait = "1" if request.nth % 8 < 4 else formatdate(request.now + 2, usegmt=True)
    return text(429, "too many requests", ("Retry-After", wait))


def curt(request: Request) -> Answer:
    """Answers every fourth request with 429 and no Retry-After."""
    return _pages(request) if request.nth % 4 < 3 else text(429, "too many requests")


def _pages(request: Request) -> Answer:
    """A page of an ordinary host with a hundred pages, which link to each other."""
    here = int(request.path[1:]) % 100 if request.path[1:].isdecimal() else request.number() % 100
    return html(page(request, [(f"/{(here * 7 + n) % 100}", f"part {n}") for n in range(1, 9)]))


def _honest(request: Request) -> Answer:
    return html(page(request, []))


def _mute(request: Request) -> Answer:
    return text(503, "no rules today")


def _riddle(request: Request) -> Answer:
    return moved("/robots.txt", 301)


def _fickle(request: Request) -> Answer:
    """Other rules each time, and none the fourth time."""
    turn = request.nth % 4
    if turn == 3:
        return text(404, "not found")
    forbidden = "".join(f"Disallow: /{digit}\n" for digit in range(1 + turn, 10, 3))
    return text(200, f"User-agent: *\n{forbidden}")


def _ramble(request: Request) -> Answer:
    """Rules without an end, of which the first ones count."""
    start = head(200, (("Content-Type", "text/plain"),), None) + b"User-agent: *\nDisallow: /1\n"
    endless = repeat((0.0, b"Allow: /2*3*4*5*6$\n" * 2000))
    return Answer(200, wire=Wire(chain([(0.0, start)], endless)))


def _plain(request: Request) -> bytes:
    return page(request, [("/", "home")]).encode()


def _numbered(answer: Callable[[Request], Answer]) -> Callable[[Request], Answer]:
    """An answer for all pages but the home page, which looks honest and links to them."""

    def reply(request: Request) -> Answer:
        if request.path != "/":
            return answer(request)
        return html(entrance(request, [f"/{n}" for n in range(1, LINKS_ON_HOME_PAGE + 1)]))

    return reply


def kinds() -> Iterator[Kind]:
    """All kinds of rude hosts."""
    for answer in (hang, drip, stall, reset, liar, disguise, bomb, flood, hints, crumbs, pompous, babble, nest):
        yield Kind(answer.__name__, "rude", _numbered(answer), about=answer.__doc__ or "")
    for answer in (crowd, storm, busy, curt):
        yield Kind(answer.__name__, "rude", answer, about=answer.__doc__ or "")
    for name, robots, about in (
        ("mute", _mute, "Its robots.txt always fails with 503."),
        ("riddle", _riddle, "Its robots.txt redirects to itself."),
        ("fickle", _fickle, "Its robots.txt is a different one each time."),
        ("ramble", _ramble, "Its robots.txt has no end."),
    ):
        yield Kind(name, "rude", _numbered(_honest), robots, about)
