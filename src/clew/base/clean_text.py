"""Text from the web without control characters: a title must not steer a terminal or turn the text around it."""

from __future__ import annotations

import unicodedata
from typing import Final

# Control characters, invisible format characters (among them those that turn the direction of writing), lone
# surrogates, and the separators of lines and paragraphs.
CONTROL_CATEGORIES: Final = ("Cc", "Cf", "Cs", "Zl", "Zp")


def clean(text: str, width: int = 0) -> str:
    """Put text from the web on one line without control characters, so that a title cannot steer the terminal.

    >>> clean("a\\x1b[31m  title\\n", 5)
    'a[31…'
    """
    shown = printable(" ".join(text.split()))
    return shown[: width - 1] + "…" if width and len(shown) > width else shown


def printable(line: str) -> str:
    """Remove control characters from a line.

    >>> printable("  a\\x1b[31m")
    '  a[31m'
    """
    if line.isprintable():
        return line
    return "".join(c for c in line if unicodedata.category(c) not in CONTROL_CATEGORIES)
