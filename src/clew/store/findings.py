"""What a check of a crawl folder can find, and how it is mended."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

EXAMPLES: Final = 3
Statement = tuple[str, Sequence[Any]]
Advance = Callable[[int, int], None]
"""Called with the bytes that were read and all bytes to read."""


@dataclass(frozen=True)
class Finding:
    """One kind of fault, however often it occurs."""

    kind: str
    text: str
    count: int
    examples: Sequence[str] = ()
    is_loss: bool = False  # something is gone that no repair brings back
    repair: Sequence[Statement] = ()  # makes database and archive agree
    is_repaired: bool = False
    is_harmless: bool = False  # nothing has to be done


@dataclass(frozen=True)
class Verification:
    """What a crawl folder holds, and what is wrong with it."""

    folder: str
    pages: int
    answers: int  # that were read and compared
    bytes: int  # of the archive
    findings: Sequence[Finding]

    @property
    def is_sound(self) -> bool:
        """Whether there is nothing to lose and nothing to repair."""
        return all(finding.is_harmless or (finding.is_repaired and not finding.is_loss) for finding in self.findings)


def finding(kind: str, text: str, examples: Sequence[str], **more: Any) -> list[Finding]:
    """The finding for these cases, or none."""
    return [Finding(kind, text, len(examples), tuple(examples[:EXAMPLES]), **more)] if examples else []
