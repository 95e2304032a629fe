"""What the labyrinth says to a request: an ordinary answer, or one that breaks the rules of HTTP on the wire."""

from __future__ import annotations

from collections.abc import Iterable
from http import HTTPStatus
from typing import Final, NamedTuple

CLOSE, RESET, HOLD = "close", "reset", "hold"  # how a conversation ends; hold: never, until the client leaves
REASONS: Final = {status.value: status.phrase for status in HTTPStatus}
HTML: Final = ("Content-Type", "text/html; charset=utf-8")

Headers = tuple[tuple[str, str], ...]


class Wire(NamedTuple):
    """An answer byte by byte: what is written after how many seconds, and how it ends."""

    steps: Iterable[tuple[float, bytes]] = ()
    end: str = CLOSE


class Answer(NamedTuple):
    """What the labyrinth says to a request; `wire`, if there is one, is what is really sent."""

    status: int
    headers: Headers = ()
    body: bytes = b""
    wire: Wire | None = None


def head(status: int, headers: Headers, length: int | None, last: bool = False) -> bytes:
    """The head of an answer; without a length its end is the end of the connection.

    >>> head(404, (), 0, last=True).split(b"\\r\\n")[0]
    b'HTTP/1.1 404 Not Found'
    """
    fields = "".join(f"{name}: {value}\r\n" for name, value in headers)
    size = "" if length is None else f"Content-Length: {length}\r\n"
    how = "close" if last or length is None else "keep-alive"
    start = f"HTTP/1.1 {status} {REASONS[status]}\r\nServer: labyrinth\r\n"
    return f"{start}{fields}{size}Connection: {how}\r\n\r\n".encode("latin-1")


def text(status: int, words: str, *headers: tuple[str, str]) -> Answer:
    """A short answer for people."""
    return Answer(status, (("Content-Type", "text/plain; charset=utf-8"), *headers), f"{words}\n".encode())


def html(document: str, *headers: tuple[str, str]) -> Answer:
    """An ordinary page."""
    return Answer(200, (HTML, *headers), document.encode())


def moved(target: str, status: int = 302) -> Answer:
    """A redirect."""
    return text(status, target, ("Location", target))
