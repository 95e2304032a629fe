"""Counts what makes code dense: `python tools/readability.py [FOLDER ...]`, one row for each folder of src/clew.

Nested: a comprehension with another one inside it, or with more than one `for`. Packed: an assignment of several
values to several names in one statement (`a, b = x, y`), unless it swaps them. Comments: lines that hold nothing else.
Exits with 1 if the whole is over the limits that the project has set itself.
"""

from __future__ import annotations

import ast
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1] / "src" / "clew"
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
MAX_NESTED = 1.0  # for each 1,000 lines
MAX_PACKED = 2.0  # for each 1,000 lines
MIN_COMMENTS = 1.5  # percent of all lines


@dataclass
class Counts:
    """What was counted in some files."""

    lines: int = 0
    comments: int = 0
    comprehensions: int = 0
    nested: int = 0
    packed: int = 0
    conditionals: int = 0

    def add(self, text: str) -> None:
        """Count one file."""
        lines = text.splitlines()
        self.lines += len(lines)
        self.comments += sum(is_comment(line) for line in lines)
        for node in ast.walk(ast.parse(text)):
            self.comprehensions += isinstance(node, COMPREHENSIONS)
            self.nested += is_nested(node)
            self.packed += is_packed(node)
            self.conditionals += isinstance(node, ast.IfExp)

    def row(self, name: str) -> str:
        """As a line of the table."""
        thousands = self.lines / 1000 or 1
        return (
            f"{name:<14}{self.lines:>7}{100 * self.comments / max(1, self.lines):>10.1f} %"
            f"{self.comprehensions / thousands:>15.1f}{self.nested / thousands:>8.2f}"
            f"{self.packed / thousands:>8.2f}{self.conditionals / thousands:>13.1f}"
        )

    @property
    def too_dense(self) -> list[str]:
        """The limits that are missed."""
        thousands = self.lines / 1000 or 1
        missed = []
        if self.nested / thousands > MAX_NESTED:
            missed.append(f"more than {MAX_NESTED} nested comprehensions in 1,000 lines")
        if self.packed / thousands > MAX_PACKED:
            missed.append(f"more than {MAX_PACKED} packed assignments in 1,000 lines")
        if 100 * self.comments / max(1, self.lines) < MIN_COMMENTS:
            missed.append(f"fewer than {MIN_COMMENTS} % of the lines are comments")
        return missed


def is_comment(line: str) -> bool:
    """Whether a line is a comment for readers, not one for tools.

    >>> is_comment("    # why"), is_comment("x = 1  # why"), is_comment("# type: ignore")
    (True, False, False)
    """
    text = line.strip()
    return text.startswith("#") and not text.startswith(("#!", "# type:", "# noqa", "# fmt:", "# ruff:"))


def is_nested(node: ast.AST) -> bool:
    """Whether this is a comprehension that a reader must take apart."""
    if not isinstance(node, COMPREHENSIONS):
        return False
    inside = any(isinstance(inner, COMPREHENSIONS) for inner in ast.walk(node) if inner is not node)
    return inside or len(node.generators) > 1


def is_packed(node: ast.AST) -> bool:
    """Whether several values are assigned in one statement; a swap is one thought."""
    if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.Tuple):
        return False
    targets = node.targets[0]
    if not isinstance(targets, ast.Tuple) or len(targets.elts) != len(node.value.elts):
        return False
    return {ast.dump(e) for e in _loaded(targets)} != {ast.dump(e) for e in node.value.elts}


def _loaded(targets: ast.Tuple) -> list[ast.expr]:
    """The targets as if they were read, so that they compare with values."""
    return [ast.parse(ast.unparse(target), mode="eval").body for target in targets.elts]


def main(folders: list[str]) -> int:
    """Print the table; 1 if the whole is too dense."""
    total = Counts()
    parts: dict[str, Counts] = {}
    for root in [Path(folder) for folder in folders] or [ROOT]:
        for path in sorted(root.rglob("*.py")):
            text = path.read_text(encoding="utf-8")
            inside = path.relative_to(root).parts
            name = inside[0] if len(inside) > 1 else "(top)"
            parts.setdefault(name, Counts()).add(text)
            total.add(text)
    print(
        f"{'folder':<14}{'lines':>7}{'comments':>12}{'comprehensions':>15}{'nested':>8}{'packed':>8}{'conditionals':>13}"
    )
    for name, counts in sorted(parts.items()):
        print(counts.row(name))
    print(total.row("all"))
    for problem in total.too_dense:
        print(f"too dense: {problem}", file=sys.stderr)
    return bool(total.too_dense)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
