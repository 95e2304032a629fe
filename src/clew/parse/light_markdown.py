"""Light Markdown: headings, lists, code and paragraphs, written one after the other."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

MAX_LIST_DEPTH: Final = 6  # deeper items are shown at this depth
BACKTICKS_OF_FENCE: Final = 3
PLAIN: Final = frozenset("pe()[k")  # begin or end nothing but a paragraph

_LOOKS_LIKE_MARKUP: Final = re.compile(r"#{1,6}\s|```|~~~")
_BACKTICKS: Final = re.compile("`+")


@dataclass
class Writer:
    r"""Puts marked texts together.

    A mark is one letter: 1 to 6 begin a heading, u and o a list, l ends it, i begins an item, k code, r a row and c a
    cell of a table, b a line. Any other one begins a paragraph.

    >>> writer = Writer()
    >>> for marked in ["2Oak & elm", "e# 1", "o", "ia", "ib", "l", "kx < 1"]:
    ...     writer.add(marked[0], marked[1:])
    >>> writer.text
    '## Oak & elm\n\n\\# 1\n\n1. a\n2. b\n\n```\nx < 1\n```'
    """

    parts: list[str] = field(default_factory=list)
    lists: list[int] = field(default_factory=list)  # the open ones: the number of the last item, -1 without numbers
    mark: str = ""  # what the next text begins with
    in_row: bool = False  # whether the line goes on with the next cell
    in_block: bool = False  # whether a line break goes on in the same block

    @property
    def text(self) -> str:
        """All that was written."""
        return "".join(self.parts).strip()

    def add(self, mark: str, text: str) -> None:
        """What begins or ends here, and the text up to the next mark."""
        if mark not in PLAIN:
            self._begin(mark)
        elif self.in_block:
            self.in_block = False
        if not text or text.isspace():
            return
        if mark == "k":
            return self._write(_fenced(text), "\n\n")
        line = " ".join(text.split())
        if mark == "b" and self.in_block:
            self._write([_escaped(line)], "\n")
        elif mark == "c" and self.in_row:
            self.parts.append(f" | {line}")
        else:
            self._write([_escaped(line)], "\n\n")
            self.in_row = mark == "c"
        self.in_block = True

    def _begin(self, mark: str) -> None:
        if mark == "b":
            return
        if mark != "c":
            self.in_block = False
        if mark == "r":
            self.in_row = False
        if mark in "123456":
            self.mark = "#" * int(mark) + " "
        elif mark == "i":
            self.mark = self._item()
        elif mark in "uo":
            self._open(0 if mark == "o" else -1)
        elif mark == "l":
            self._close()

    def _open(self, number: int) -> None:
        self.lists.append(number)
        if len(self.lists) == 1:
            self.parts.append("\n")

    def _close(self) -> None:
        if self.lists:
            self.lists.pop()
        self.mark = ""

    def _item(self) -> str:
        if not self.lists or self.lists[-1] < 0:
            return "- "
        self.lists[-1] += 1
        return f"{self.lists[-1]}. "

    def _write(self, lines: list[str], gap: str) -> None:
        is_item = bool(self.lists)
        indent = "  " * min(len(self.lists), MAX_LIST_DEPTH)
        # Items follow each other line by line; what goes on in an item is indented as its text is.
        gap = "\n" if is_item and self.mark else gap
        begin = indent[2:] if self.mark else indent
        self.parts.append(f"{gap}{begin}{self.mark}{lines[0]}")
        self.parts += [f"\n{indent}{line}" for line in lines[1:]]
        self.mark = ""


def _fenced(code: str) -> list[str]:
    """Code between fences that are longer than any row of backticks in it."""
    longest = max(map(len, _BACKTICKS.findall(code)), default=0)
    fence = "`" * max(BACKTICKS_OF_FENCE, longest + 1)
    return [fence, *code.strip("\n").splitlines(), fence]


def _escaped(line: str) -> str:
    return f"\\{line}" if _LOOKS_LIKE_MARKUP.match(line) else line
