"""What the user should know of the scope: how its patterns were understood, and that they have left nothing."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from clew.config import Scope
from clew.filters.url_patterns import read_pattern

MAX_EXAMPLES: Final = 3  # excluded links that a warning shows


@dataclass
class Excluded:
    """Links that one setting has excluded in this run."""

    count: int = 0
    examples: list[str] = field(default_factory=list)

    def add(self, url: str) -> None:
        """Count a link; the first few are kept."""
        self.count += 1
        if len(self.examples) < MAX_EXAMPLES:
            self.examples.append(url)


def understood(scope: Scope) -> list[str]:
    """How each pattern of `allow` and `deny` is understood, in one line each.

    >>> understood(Scope(allow=("docs.test",), deny=("docs.test/old/",)))
    ['allow docs.test: the host docs.test, on any port', 'deny docs.test/old/: URLs that begin with http(s)://docs.test/old/']
    """
    named = [("allow", text) for text in scope.allow] + [("deny", text) for text in scope.deny]
    return [f"{name} {text}: {read_pattern(text).meaning}" for name, text in named]


def all_excluded(scope: Scope, excluded: dict[str, Excluded]) -> list[str]:
    """Say that the scope has excluded every link: by which settings, which links, and what to do.

    >>> for line in all_excluded(Scope(within="hosts"), {"within": Excluded(1, ["http://b.example/"])}):
    ...     print(line)
    Warning: the scope excludes every link that was found (1), so nothing is left to visit.
    within (hosts of the start pages) excludes 1, such as http://b.example/
    Change within, or leave it out.
    """
    total = sum(each.count for each in excluded.values())
    lines = [f"Warning: the scope excludes every link that was found ({total:,}), so nothing is left to visit."]
    for name, each in excluded.items():
        shown = ", ".join(each.examples)
        lines.append(f"{name} ({_value(scope, name)}) excludes {each.count:,}, such as {shown}")
    return [*lines, f"Change {' or '.join(excluded)}, or leave it out."]


def _value(scope: Scope, name: str) -> str:
    value = getattr(scope, name)
    if name == "within":
        return f"{value} of the start pages"
    return ", ".join(value) if isinstance(value, tuple) else str(value)
