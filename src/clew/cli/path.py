"""Prints an explanation: state, visit, score, and the path that led to a page, drawn as a tree."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text
from rich.tree import Tree

from clew.cli.summary import facts
from clew.cli.terminal import clean, counted, number, size, words

if TYPE_CHECKING:
    from clew.api import Explanation
    from clew.store import PathStep, Record, Revisit


def render(explanation: Explanation, threshold: float) -> RenderableType:
    """Lay out state and reason, the path from a start page, and the parts of the score."""
    reason = f": {explanation.reason}" if explanation.reason else ""
    rows = {"URL": explanation.url, "state": explanation.state + reason} | _visit(explanation, threshold)
    if explanation.revisits:
        rows["version"] = _version(explanation.revisits)
    if explanation.label:
        rows["label"] = explanation.label.words
    parts: list[RenderableType] = [facts(rows)]
    if explanation.path:
        parts += [Text("\nPath from a start page", style="bold"), tree(explanation.path)]
    if explanation.parts:
        # The strategy has learned since the visit, so these parts need not add up to the score of that time.
        heading = "Parts of its score" if explanation.state == "queued" else "Parts of its score, as of now"
        parts += [Text(f"\n{heading}", style="bold"), _score_table(explanation.parts)]
    return Group(*parts)


def _visit(explanation: Explanation, threshold: float) -> dict[str, RenderableType]:
    record = explanation.record
    if record is None or record.order < 0:
        return {}
    rows: dict[str, RenderableType] = {
        "visit": f"number {record.order}, {_time(record.at)}",
    }
    if explanation.path and explanation.path[-1].kind == "start":
        # No score chose it: the number that puts start pages first would only puzzle.
        rows["score"] = "none: a start page"
    else:
        rows["score"] = f"{number(record.score)} when it was chosen"
    if record.status:
        rows["response"] = f"HTTP {record.status}, {size(record.bytes)}"
    if record.state == "fetched":
        rows["response"] = f"HTTP {record.status}, {size(record.bytes)}, {counted(record.words, 'word')}"
        rows["relevance"] = _relevance(record, threshold)
    if record.topics:
        rows["topics"] = ", ".join(f"{name} {number(value)}" for name, value in record.topics.items())
    return rows


def _relevance(record: Record, threshold: float) -> str:
    """Say on which side of the threshold a page is; a label may have decided otherwise."""
    reaches = record.relevance >= threshold
    side = "reaches" if reaches else "below"
    verdict = "relevant" if record.relevant else "not relevant"
    by_label = "" if record.relevant == reaches else " by its label"
    return f"{number(record.relevance)}, {side} the threshold of {number(threshold)}: {verdict}{by_label}"


def _version(visits: list[Revisit]) -> str:
    """Say which version of the page this is, and what the latest visit of `clew recrawl` found."""
    last = visits[-1]
    # The crawl itself fetched the first version; only visits that brought a whole new one count.
    version = 1 + sum(visit.whole for visit in visits)
    outcome = {True: "changed", False: "unchanged", None: "unknown whether it changed"}[last.changed]
    reason = f": {last.reason}" if last.reason else ""
    return f"number {version}, the newest; last revisited {_time(last.at)}, {outcome}{reason}"


def _time(seconds: float) -> str:
    return f"{datetime.fromtimestamp(seconds):%Y-%m-%d %H:%M:%S}"


def _score_table(parts: dict[str, float]) -> Table:
    """List the parts of a score; the numbers come first, for the descriptions can be long."""
    table = Table.grid(padding=(0, 2))
    table.add_column(justify="right", min_width=9)
    table.add_column(style="dim", overflow="fold")
    for name, value in parts.items():
        table.add_row(number(value), words(name))
    return table


def tree(steps: list[PathStep]) -> Tree:
    """Draw the steps as nested branches, from the start page down."""
    root = here = Tree(_step(steps[0]), guide_style="dim")
    for step in steps[1:]:
        here = here.add(_step(step))
    return root


def _step(step: PathStep) -> Text:
    mark = ("● ", "green") if step.relevant else ("○ ", "dim")
    title = clean(step.title, 60) or ("(no title)" if step.state == "fetched" else f"({step.state})")
    text = Text.assemble(mark, (title, "bold" if step.relevant else ""))
    if step.state == "fetched":
        text.append(f"  relevance {number(step.relevance)}", "green" if step.relevant else "dim")
        text.append(", start page" if step.kind == "start" else f", score {number(step.score)}", "dim")
    if step.kind != "start":
        anchor = f"“{clean(step.anchor, 70)}”" if step.anchor else "without text"
        text.append(f"\n  {_found_by(step.kind)} {anchor}", "yellow")
    return text.append("\n  ").append_text(words(step.url, "cyan"))


def _found_by(kind: str) -> str:
    return {"a": "found by the link", "redirect": "found by a redirect of the link"}.get(kind, f"found by the {kind}")
