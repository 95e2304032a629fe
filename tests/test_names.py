"""One concept, one word: the names that were given up do not come back.

Old names are looked for in the syntax tree, because many of them are ordinary words: a sentence may say "told", a
function must not be called so. Only the migration module and its fixtures know them.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from clew import strategies
from clew.cli.commands import commands
from clew.config import SECTIONS, SETTINGS

ROOT = Path(__file__).parents[1]
SOURCES = sorted(path for path in (ROOT / "src").rglob("*.py") if path.name != "migration.py")
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])

ANYWHERE = {
    *("Course", "Hearing", "Flights", "Landings", "Gate", "Known", "Shelf", "Learnt", "Hygiene", "hygiene", "Manners"),
    *("Outlook", "outlook", "in_sight", "min_outlook", "Outside", "Earlier", "Thread", "Clues", "Praise", "Sense"),
    *("Sketch", "Maze", "Salvage", "Given", "Turn", "Worth", "worth", "worths", "rouse", "heed", "swept", "parts_of"),
    *("course_of", "anywhere", "minded", "lasting", "settled", "lacks", "MOST", "PATIENCE", "DOUBT", "SOON"),
    *("told", "_told", "heard", "_heard", "praise", "clues", "tangle", "maze", "salvage", "shut", "welcome", "prints"),
}
"""Names that no identifier may have: classes, functions, parameters, variables, attributes, modules."""

DEFINED = {
    *("hear", "take", "turn", "refresh", "sweep", "mind", "named", "checked", "spec", "loop", "sense", "keys"),
    *("late", "given", "sketch", "thread", "course", "outside"),
}
"""Ordinary words: no function, class, method or module may be called so, but a variable may."""

ALLOWED = {
    # A mapping must have keys().
    "src/clew/lab/lazy_docs.py": {"keys"},
    # What HTML and HTTP call it.
    "src/clew/parse/refresh.py": {"refresh"},
    # Kinds of traps: the names of these functions are the host names of the hostile labyrinth.
    "src/clew/labyrinth/traps.py": {"named", "maze"},
}


def identifiers(tree: ast.AST) -> Iterator[str]:
    """Every name that the code itself chooses."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.attr


def definitions(tree: ast.AST) -> Iterator[str]:
    """The names of classes, functions and methods."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT / "src")))
def test_no_identifier_has_an_old_name(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    allowed = ALLOWED.get(str(path.relative_to(ROOT)), set())
    module = {path.stem.lstrip("_")}
    found = (set(identifiers(tree)) | module) & ANYWHERE
    found |= (set(definitions(tree)) | module) & DEFINED
    assert found - allowed == set()


def test_no_setting_flag_command_or_strategy_has_an_old_name() -> None:
    names = {*SETTINGS, *SECTIONS, *commands(), *strategies.names()}
    assert names & (ANYWHERE | DEFINED | {"adapt", "min_outlook"}) == set()


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_heading_has_an_old_name(path: Path) -> None:
    headings = re.findall(r"^#+ (.*)$", path.read_text(encoding="utf-8"), re.M)
    words = set(re.findall(r"\w+", " ".join(headings)))
    assert words & (ANYWHERE | {"thread"}) == set()
