"""Changes of the focus that a strategy follows, as lines of the journal."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

_LINE: Final = re.compile(r"after (\d+) visits: ")


class FocusChange(NamedTuple):
    """A change of the focus.

    >>> change = FocusChange(100, "from boats to sports: widened")
    >>> change.line, FocusChange.of_line(change.line) == change
    ('after 100 visits: from boats to sports: widened', True)
    >>> FocusChange.of_line("sports")  # as earlier versions wrote it
    FocusChange(visits=None, detail='to sports')
    """

    visits: int | None  # before it; None if the journal does not say
    detail: str  # from what to what, and why

    @property
    def line(self) -> str:
        """The change as it stands in the journal."""
        return f"after {self.visits} visits: {self.detail}"

    @classmethod
    def of_line(cls, line: str) -> FocusChange:
        """The change that a line of the journal tells."""
        if found := _LINE.match(line):
            return cls(int(found[1]), line[found.end() :])
        return cls(None, f"to {line}" if line else "to the interest itself")
