"""Exceptions in words, for reasons that are stored and shown."""

from __future__ import annotations

from typing import Final

from clew.errors import ClewError

MAX_CHARACTERS: Final = 300


def described(error: BaseException) -> str:
    """The kind of an exception and its message, as one short line; messages of clew say enough without the kind.

    >>> described(KeyError("model")), described(ClewError("no start page answers"))
    ("KeyError: 'model'", 'no start page answers')
    """
    # The text of an exception is somebody else's code, too.
    try:
        message = str(error)
    except Exception:
        message = ""
    if isinstance(error, ClewError):
        return one_line(message)
    return one_line(f"{type(error).__name__}: {message}").rstrip(": ")


def one_line(text: str) -> str:
    """A text as one short line."""
    # Cut first, so that a huge text costs no time.
    line = " ".join(text[: 20 * MAX_CHARACTERS].split())
    return line if len(line) <= MAX_CHARACTERS else f"{line[: MAX_CHARACTERS - 1]}…"
