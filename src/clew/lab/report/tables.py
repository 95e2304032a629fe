"""The numbers behind the plots, as sortable HTML tables."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING

import numpy as np

from clew.lab.report.cases import Case, Topic, parts, topic_of

if TYPE_CHECKING:
    from clew.lab.comparison import Rank
    from clew.lab.trial import TrialResult

Cell = tuple[float | str, str]  # the sort key, and the text


def strategies(cases: Sequence[Case]) -> str:
    """One row for each strategy in each case."""
    heads = ["#", "strategy", "area", "95 % interval", "worst", "worst topic", "found", "harvest", "recall", "CPU"]
    several = len(cases) > 1
    rows = []
    for case in cases:
        for place, rank in enumerate(case.ranks, 1):
            cells = _strategy(place, rank, case.areas[rank.strategy])
            rows.append([(case.name, case.name), *cells] if several else cells)
    return table(["case", *heads] if several else heads, rows)


def topics(cases: Sequence[Case]) -> str:
    """One row for each topic in each case: how hard it is, and which strategy is best."""
    heads = ["world", "topic", "relevant", "oracle’s harvest", "best strategy", "best area", "mean area"]
    several = len(cases) > 1
    rows = []
    for case in cases:
        results = parts(case.results, topic_of)
        for topic in case.topics:
            cells = _topic(case, topic, results[topic])
            rows.append([(case.name, case.name), *cells] if several else cells)
    return table(["case", *heads] if several else heads, rows)


def table(heads: Sequence[str], rows: Iterable[Sequence[Cell]]) -> str:
    """An HTML table; numbers are aligned right, text left.

    >>> table(["name", "share"], [[("a", "a<b"), (0.5, "50 %")]])
    '<table><thead><tr><th>name<th>share</thead><tbody><tr><td>a&lt;b<td class="n" data-by="0.5">50 %</tbody></table>'
    """
    head = "".join(f"<th>{escape(name)}" for name in heads)
    body = "".join("<tr>" + "".join(map(_cell, row)) for row in rows)
    return f"<table><thead><tr>{head}</thead><tbody>{body}</tbody></table>"


def _cell(cell: Cell) -> str:
    key, shown = cell
    if isinstance(key, str):
        return f"<td>{escape(shown)}"
    return f'<td class="n" data-by="{key:.6g}">{escape(shown)}'


def _strategy(place: int, rank: Rank, areas: dict[Topic, float]) -> list[Cell]:
    worst = min(areas, key=lambda topic: (areas[topic], topic))
    return [
        (place, str(place)),
        (rank.strategy, rank.strategy),
        (rank.area, f"{rank.area:.3f}"),
        (rank.low, f"{rank.low:.3f} – {rank.high:.3f}"),
        (rank.worst, f"{rank.worst:.3f}"),
        (worst[1], worst[1]),
        (rank.share, f"{rank.share:.3f}"),
        (rank.harvest, f"{100 * rank.harvest:.1f} %"),
        (rank.recall, f"{100 * rank.recall:.1f} %"),
        # Without a baseline there is no value; -1 sorts the dash below all numbers.
        (-1.0, "–") if math.isnan(rank.cpu) else (rank.cpu, f"{rank.cpu:.2f} ×"),
    ]


def _topic(case: Case, topic: Topic, results: list[TrialResult]) -> list[Cell]:
    reachable = float(np.mean([result.numbers["reachable"] for result in results]))
    harvest = float(np.mean([result.best[-1] / case.budget if len(result.best) else 0 for result in results]))
    areas = {name: areas[topic] for name, areas in case.areas.items() if topic in areas}
    best = max(areas, key=lambda name: areas[name])
    mean = float(np.mean(list(areas.values())))
    return [
        (topic[0], topic[0]),
        (topic[1], topic[1]),
        (reachable, f"{reachable:,.0f}"),
        (harvest, f"{100 * harvest:.0f} %"),
        (best, best),
        (areas[best], f"{areas[best]:.3f}"),
        (mean, f"{mean:.3f}"),
    ]
