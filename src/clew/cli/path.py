"""Prints an explanation: why a page is relevant, why it was visited, and the path that led to it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Final

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from clew.cli.summary import facts
from clew.cli.terminal import clean, counted, number, percent, size, words

if TYPE_CHECKING:
    from clew.api import Explanation
    from clew.interests import TopicWords
    from clew.store import PathStep, Record, Revisit

CHANCE: Final = "chance"  # the part of a score that is a probability
MAX_PLAIN_SCORE: Final = 1e5  # larger ones only say that something comes first


def render(explanation: Explanation, threshold: float) -> RenderableType:
    """Lay out what is known of a URL, the reasons for it, and the path from a start page."""
    parts: list[RenderableType] = [facts(_state(explanation))]
    if explanation.nearest:
        parts += [_heading("Did you mean"), *(words(url, "cyan") for url in explanation.nearest)]
    if explanation.record and explanation.record.state == "fetched" and explanation.record.order >= 0:
        parts += _relevance(explanation, explanation.record, threshold)
    parts += _choice(explanation)
    if explanation.path:
        parts += [_heading("Path from a start page"), steps(explanation.path)]
    return Group(*parts)


def steps(path: list[PathStep]) -> Table:
    """List the pages of a path from the start page on; a tree would leave no room for its leaves."""
    table = Table.grid(padding=(0, 1))
    table.add_column(style="dim", justify="right")
    table.add_column(overflow="fold")
    for place, step in enumerate(path):
        table.add_row(str(place), _step(step))
    return table


def _heading(text: str) -> Text:
    return Text(f"\n{text}", style="bold")


def _state(explanation: Explanation) -> dict[str, RenderableType]:
    record = explanation.record
    reason = f": {explanation.reason}" if explanation.reason else ""
    rows: dict[str, RenderableType] = {"URL": explanation.url, "state": explanation.state + reason}
    if record and record.order >= 0:
        rows["visit"] = f"number {record.order}, {_time(record.at)}"
        if record.status:
            rows["response"] = _response(record)
    if explanation.revisits:
        rows["version"] = _version(explanation.revisits)
    if explanation.label:
        rows["label"] = explanation.label.words
    return rows


def _response(record: Record) -> str:
    length = f", {counted(record.words, 'word')}" if record.state == "fetched" else ""
    return f"HTTP {record.status}, {size(record.bytes)}{length}"


def _relevance(explanation: Explanation, record: Record, threshold: float) -> list[RenderableType]:
    """Why a page is relevant, or not: the threshold, and the words behind each topic."""
    heading = "Why it is relevant" if record.relevant else "Why it is not relevant"
    rows = [(number(record.relevance), Text(_verdict(record, threshold, by_label=explanation.label is not None)))]
    if explanation.topics:
        rows += [(number(topic.membership), _topic(topic)) for topic in explanation.topics]
    else:
        rows += [(number(value), words(name)) for name, value in record.topics.items()]
    return [_heading(heading), _numbered(rows)]


def _verdict(record: Record, threshold: float, by_label: bool) -> str:
    """Say on which side of the threshold a page is, and what has decided otherwise: a label, or the kind of page."""
    reaches = record.relevance >= threshold
    side = "reaches" if reaches else "below"
    verdict = f"relevance, {side} the threshold of {number(threshold)}"
    if record.relevant == reaches:
        return verdict
    decisive = "your label decides" if by_label else record.reason
    return f"{verdict}; {decisive}" if decisive else verdict


def _topic(topic: TopicWords) -> Text:
    found = words(topic.topic, "bold")
    if topic.words:
        found.append(": " + clean(", ".join(f"{word} {count}×" for word, count in topic.words.items())))
    elif not topic.membership:
        found.append(": none of its words" if "(" not in topic.topic else ": does not hold")
    if topic.in_title:
        found.append(clean(f"; in the title: {', '.join(dict.fromkeys(topic.in_title))}"))
    return found


def _choice(explanation: Explanation) -> list[RenderableType]:
    """Why a page was visited, or when its turn comes: its score, and what it is made of."""
    record = explanation.record
    is_start = bool(explanation.path) and explanation.path[-1].kind == "start"
    if record is None or explanation.state == "out of scope":
        return []
    is_waiting = explanation.state == "queued"
    heading = _heading("Why it waits" if is_waiting else "Why it was visited")
    if is_start and not is_waiting:
        # No score chose it: the number that puts start pages first would only puzzle.
        return [heading, Text("It is a start page.")]
    lines: list[RenderableType] = [heading, _score(record, is_waiting), *_choosing_link(explanation)]
    if explanation.parts:
        lines += [Text(_made_of(explanation, is_waiting), style="dim"), _parts(explanation.parts)]
    return lines


def _choosing_link(explanation: Explanation) -> list[Text]:
    """The link that decided, and the focus of that time."""
    found: list[Text] = []
    if explanation.source:
        anchor = f"“{clean(explanation.anchor, 70)}”" if explanation.anchor else "without text"
        found.append(Text(f"The link that decided: {anchor} on ").append_text(words(explanation.source, "cyan")))
    if explanation.focus:
        found.append(Text("The focus was then: ").append_text(words(explanation.focus)))
    return found


def _made_of(explanation: Explanation, is_waiting: bool) -> str:
    if explanation.is_then:
        return "What its score was made of:"
    # The strategy has learned since the visit, so these parts need not add up to the score of that time.
    return f"What its score is made of{'' if is_waiting else ', by what the crawl knows now'}:"


def _score(record: Record, is_waiting: bool) -> Text:
    if not math.isfinite(record.score):
        return Text("The strategy holds it back: it has no score yet.")
    if record.score > MAX_PLAIN_SCORE:
        return Text("It comes before all others: you asked for it, you favour its host, or it lists pages.")
    score = number(record.score)
    if is_waiting:
        return Text(f"Its score is {score}; the candidate with the highest score comes next.")
    return Text(f"Its score was {score} when it was chosen: the highest among the hosts that were ready.")


def _parts(parts: Mapping[str, float]) -> Table:
    """List the parts of a score; the numbers come first, for the descriptions can be long."""
    rows: list[tuple[str, Text]] = []
    for name, value in parts.items():
        rows.append((percent(value) if name == CHANCE else number(value), words(name)))
    return _numbered(rows)


def _numbered(rows: list[tuple[str, Text]]) -> Table:
    table = Table.grid(padding=(0, 2))
    table.add_column(justify="right", min_width=7, no_wrap=True)
    table.add_column(overflow="fold")
    for value, text in rows:
        table.add_row(value, text)
    return table


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


def _step(step: PathStep) -> Text:
    mark = ("● ", "green") if step.relevant else ("○ ", "dim")
    title = clean(step.title, 60) or ("(no title)" if step.state == "fetched" else f"({step.state})")
    text = Text.assemble(mark, (title, "bold" if step.relevant else ""))
    if step.kind == "start":
        text.append("\nstart page", "yellow")
    elif step.kind == "form":
        form = step.url.partition("?")[0]
        text.append(f"\nvia form {clean(form)}, filled in with “{clean(step.anchor, 70)}”", "yellow")
    else:
        anchor = f"“{clean(step.anchor, 70)}”" if step.anchor else "without text"
        text.append(f"\n{_found_by(step.kind)} {anchor}", "yellow")
    if step.state == "fetched":
        text.append(f", relevance {number(step.relevance)}", "green" if step.relevant else "dim")
    return text.append("\n").append_text(words(step.url, "cyan"))


def _found_by(kind: str) -> str:
    return {"a": "found by the link", "redirect": "found by a redirect of the link"}.get(kind, f"found by the {kind}")
