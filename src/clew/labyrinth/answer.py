"""Answers of the labyrinth: ordinary ones, and those that break the rules of HTTP on the wire."""

from __future__ import annotations

from collections.abc import Iterable
from http import HTTPStatus
from typing import Final, NamedTuple

# How a connection ends; HOLD keeps it open until the client leaves.
CLOSE: Final = "close"
RESET: Final = "reset"
HOLD: Final = "hold"
REASONS: Final = {status.value: status.phrase for status in HTTPStatus}
HTML: Final = ("Content-Type", "text/html; charset=utf-8")

Headers = tuple[tuple[str, str], ...]


class Wire(NamedTuple):
    """An answer byte by byte."""

    steps: Iterable[tuple[float, bytes]] = ()  # seconds to wait, and what is written then
    end: str = CLOSE


class Answer(NamedTuple):
    """The answer to a request; `wire`, if given, is sent in its place."""

    status: int
    headers: Headers = ()
    body: bytes = b""
    wire: Wire | None = None


def head(status: int, headers: Headers, length: int | None, last: bool = False) -> bytes:
    """The head of an answer; without a length, the end of the connection is the end of the body.

    >>> head(404, (), 0, last=True).split(b"\\r\\n")[0]
    b'HTTP/1.1 404 Not Found'
    """
    fields = "".join(f"{name}: {value}\r\n" for name, value in headers)
    size = "" if length is None else f"Content-Length: {length}\r\n"
    connection = "close" if last or length is None else "keep-alive"
    start = f"HTTP/1.1 {status} {REASONS[status]}\r\nServer: labyrinth\r\n"
    return f"{start}{fields}{size}Connection: {connection}\r\n\r\n".encode("latin-1")


def text(status: int, words: str, *headers: tuple[str, str]) -> Answer:
    """A short answer in plain text."""
    return Answer(status, (("Content-Type", "text/plain; charset=utf-8"), *headers), f"{words}\n".encode())


def html(document: str, *headers: tuple[str, str]) -> Answer:
    """An ordinary HTML page."""
    return Answer(200, (HTML, *headers), document.encode())


def moved(target: str, status: int = 302) -> Answer:
    """A redirect."""
    return text(status, target, ("Location", target))
