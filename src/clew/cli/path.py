"""The path that led to a page, drawn as a tree."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.text import Text
from rich.tree import Tree

from clew.cli.summary import facts
from clew.cli.terminal import clean, number, size, words

if TYPE_CHECKING:
    from clew.api import Explanation
    from clew.store import Record, Revisit, Step


def drawn(explanation: Explanation) -> RenderableType:
    """State and reason, the way from a start page, and the parts of the score."""
    reason = f": {explanation.reason}" if explanation.reason else ""
    rows = {"page": explanation.url, "state": explanation.state + reason} | _visit(explanation.record)
    if explanation.revisits:
        rows["version"] = _version(explanation.revisits)
    if explanation.label:
        rows["label"] = explanation.label.words
    parts: list[RenderableType] = [facts(rows)]
    if explanation.path:
        parts += [Text("\nThe path from a start page", style="bold"), tree(explanation.path)]
    if explanation.parts:
        head = "\nIts score" if explanation.state == "queued" else "\nWhy it was chosen, as weighed now"
        parts += [Text(head, style="bold"), facts({k: number(v) for k, v in explanation.parts.items()})]
    return Group(*parts)


def _visit(record: Record | None) -> dict[str, RenderableType]:
    if record is None or record.order < 0:
        return {}
    rows: dict[str, RenderableType] = {
        "turn": f"number {record.order}, {datetime.fromtimestamp(record.at):%Y-%m-%d %H:%M:%S}",
        "score": f"{number(record.score)} when it was chosen",
    }
    if record.status:
        rows["answer"] = f"HTTP {record.status}, {size(record.bytes)}"
    if record.state == "fetched":
        rows["answer"] = f"HTTP {record.status}, {size(record.bytes)}, {record.words:,} words"
        rows["relevance"] = f"{number(record.relevance)}, {'' if record.relevant else 'not '}relevant"
    if record.topics:
        rows["topics"] = ", ".join(f"{name} {number(value)}" for name, value in record.topics.items())
    return rows


def _version(visits: list[Revisit]) -> str:
    """Which version this is, and what the last look at the page has told."""
    last, number = visits[-1], 1 + sum(visit.whole for visit in visits)
    found = {True: "changed", False: "nothing new", None: "no answer that tells"}[last.changed]
    what = f": {last.reason}" if last.reason else ""
    return f"number {number}, the newest; last look {datetime.fromtimestamp(last.at):%Y-%m-%d %H:%M:%S}, {found}{what}"


def tree(steps: list[Step]) -> Tree:
    """One branch within the other, from the start page down."""
    root = here = Tree(_step(steps[0]), guide_style="dim")
    for step in steps[1:]:
        here = here.add(_step(step))
    return root


def _step(step: Step) -> Text:
    mark = ("● ", "green") if step.relevant else ("○ ", "dim")
    title = clean(step.title, 60) or ("(no title)" if step.state == "fetched" else f"({step.state})")
    text = Text.assemble(mark, (title, "bold" if step.relevant else ""))
    if step.state == "fetched":
        text.append(f"  relevance {number(step.relevance)}", "green" if step.relevant else "dim")
        text.append(f", score {number(step.score)}", "dim")
    if step.kind != "start":
        anchor = f"“{clean(step.anchor, 70)}”" if step.anchor else "without words"
        text.append(f"\n  {_by(step.kind)} {anchor}", "yellow")
    return text.append("\n  ").append_text(words(step.url, "cyan"))


def _by(kind: str) -> str:
    return {"a": "by the link", "redirect": "by a redirect of the link"}.get(kind, f"by the {kind}")
