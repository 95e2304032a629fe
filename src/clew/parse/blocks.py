"""The blocks of a text: each paragraph, item and cell is a line, and above a heading there is a blank one.

Marks are set in the tree before the text is extracted, and turned into line ends in the text.
"""

from __future__ import annotations

from typing import Final

# Elements that begin a line. Lists and tables need no mark: their items and cells have one.
ELEMENTS: Final = frozenset(
    [
        *("p", "li", "dt", "dd", "td", "th", "div", "pre", "blockquote", "section", "article", "main"),
        *("nav", "header", "footer", "aside", "hr", "figcaption", "caption", "summary", "address", "fieldset"),
    ]
)

START: Final = b"\x01"
"""The mark before a block."""
ABOVE_HEADING: Final = b"\x01\x02"
"""The mark before a heading."""
MARKS: Final = (b"\x01", b"\x02")


def trimmed(marked: str) -> str:
    """A text without the marks at its end, behind which nothing follows."""
    return marked.rstrip("\x01\x02 ")


def unmark(marked: str) -> str:
    """A text without its marks.

    >>> unmark("Home \\x01 \\x01\\x02Boats \\x01 We build")
    'Home Boats We build'
    """
    first, *pieces = marked.split("\x01")
    # The mark of a heading and the space behind any other mark.
    return first + "".join([piece[1:] for piece in pieces])


def lines(marked: str) -> str:
    """A text with line ends in place of its marks.

    >>> lines("Home \\x01 \\x01\\x02Boats \\x01 We build \\x01 \\x01 boats")
    'Home\\n\\nBoats\\nWe build\\nboats'
    """
    pieces = [piece.strip(" ") for piece in marked.split("\x01")]
    return "\n".join(filter(None, pieces)).replace("\x02", "\n")
