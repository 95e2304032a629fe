"""Letters as bytes and back. They come over a socket, so that pickle is out of the question."""

from __future__ import annotations

import json
import zlib
from collections.abc import Sequence
from typing import Any, Final

from clew.base import codec
from clew.core.port import Home, Lesson, Letter, Links, News, Redirect
from clew.frontier import Moved
from clew.types import Link

FAST: Final = 1  # level of compression: mail is short-lived


def packed(letters: Sequence[Letter]) -> bytes:
    """Letters as bytes.

    >>> unpacked(packed([Home("http://a.example/")]))
    [Home(url='http://a.example/')]
    """
    rows = [[type(letter).__name__, *_row(letter)] for letter in letters]
    return zlib.compress(json.dumps(rows, separators=(",", ":")).encode("utf-8", "surrogatepass"), FAST)


def unpacked(data: bytes) -> list[Letter]:
    """The letters of these bytes."""
    rows = json.loads(zlib.decompress(data).decode("utf-8", "surrogatepass"))
    return [_letter(kind, values) for kind, *values in rows]


def _row(letter: Letter) -> Sequence[Any]:
    if isinstance(letter, Links):
        return [*letter[:-1], _text(letter.note)]
    if isinstance(letter, Lesson):
        return [_text(letter.state)]
    return letter


def _letter(kind: str, values: list[Any]) -> Letter:
    match kind:
        case "Links":
            url, depth, relevance, links, note = values
            return Links(url, depth, relevance, _links(links), _value(note))
        case "News":
            url, depth, relevance, links = values
            return News(url, depth, relevance, _links(links))
        case "Redirect":
            url, moved, relevances, score, start = values
            return Redirect(url, Moved(_links(moved[0]), *moved[1:]), tuple(relevances), score, start)
        case "Home":
            return Home(*values)
        case "Lesson":
            return Lesson(_value(values[0]))
    raise ValueError(f"a letter of an unknown kind: {kind}")


def _links(rows: list[list[Any]]) -> tuple[Link, ...]:
    return tuple(Link(*row) for row in rows)


def _text(value: Any) -> str | None:
    return None if value is None else codec.dumps_text(value)


def _value(text: str | None) -> Any:
    return None if text is None else codec.loads(text)
