"""`clew lab compare`: strategies beside each other and beside the oracle."""

from __future__ import annotations

import argparse
import csv
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from clew.ui.terminal import dump, err, out, percent

if TYPE_CHECKING:
    from clew.lab.compare import Rank
    from clew.lab.trial import Result

EXAMPLES = """
  clew lab compare shark best_first --world labyrinth:3000
  clew lab compare shark 'shark(gamma=0.1)' best_first --world wikischools-hard webkb --topics 10 --budget 500
  clew lab compare shark best_first --world pydocs --judge classifier -o trials.csv --picture curves.png
"""


def flags(parser: argparse.ArgumentParser) -> None:
    """Strategies, worlds, and how hard the task is."""
    parser.add_argument("strategies", metavar="STRATEGY", nargs="+", help="a name, or a name with parameters")
    parser.add_argument("--world", nargs="+", default=["labyrinth"], metavar="WORLD", help="see 'clew lab worlds'")
    parser.add_argument("--topics", type=int, default=8, metavar="N", help="topics of a world, rare to common (8)")
    parser.add_argument("--budget", type=int, default=500, metavar="N", help="visits of each crawl (500)")
    judges = ("truth", "classifier")
    parser.add_argument("--judge", choices=judges, default="truth", help="who guides the crawls (truth)")
    parser.add_argument(
        "--distance",
        type=int,
        nargs="+",
        default=[0, 1, 2],
        metavar="N",
        help="links from the start pages to the topic; one start set for each (0 1 2)",
    )
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="of start sets and examples (0)")
    parser.add_argument("--jobs", type=int, metavar="N", help="processes (as many as cores)")
    parser.add_argument("-o", "--output", metavar="FILE", help="every trial as a line of CSV")
    parser.add_argument("--picture", metavar="FILE", help="the curves as PNG")


def run(args: argparse.Namespace) -> int:
    """Plan, run, rank."""
    from clew.lab.compare import BASELINE, compare, plan, ranking

    names = list(dict.fromkeys([*args.strategies, BASELINE]))
    trials = plan(
        names,
        args.world,
        topics=args.topics,
        judge=args.judge,
        distances=args.distance,
        budget=args.budget,
        seed=args.seed,
    )
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    silent = args.quiet or args.json or not err().is_terminal
    with nullcontext() if silent else Progress(*columns, console=err(), transient=True) as bar:
        step = _stepper(bar, len(trials))
        results = compare(trials, jobs=args.jobs, watch=lambda result: step())
    ranks = ranking(results)
    _write(ranks, results, args)
    _show(ranks, results, args)
    return 0


def _stepper(bar: Progress | None, total: int) -> Callable[[], None]:
    if bar is None:
        return lambda: None
    return partial(bar.advance, bar.add_task("crawls", total=total))


def _write(ranks: list[Rank], results: Sequence[Result], args: argparse.Namespace) -> None:
    if args.output:
        with Path(args.output).open("w", newline="", encoding="utf-8") as file:
            table = csv.DictWriter(file, list(results[0].row))
            table.writeheader()
            table.writerows(result.row for result in results)
    if args.picture:
        from clew.ui.curves import comparison

        comparison(ranks, results, Path(args.picture), f"{', '.join(args.world)}, guided by the {args.judge}")


def _show(ranks: list[Rank], results: Sequence[Result], args: argparse.Namespace) -> None:
    if args.json:
        dump({"ranking": [asdict(rank) for rank in ranks], "trials": [result.row for result in results]})
        return
    if not args.quiet:
        topics = {(result.trial.world, result.trial.topic) for result in results}
        told = f"{len(results)} crawls of {args.budget:,} visits, {len(topics)} topics, guided by the {args.judge}"
        out().print(Text(told, style="dim"))
    out().print(_table(ranks))


def _table(ranks: list[Rank]) -> Table:
    table = Table(box=None, header_style="dim", padding=(0, 2, 0, 0))
    for head in ("strategy", "area", "95 %", "worst", "found", "harvest", "recall", "CPU"):
        table.add_column(head, justify="left" if head == "strategy" else "right")
    for rank in ranks:
        table.add_row(Text(rank.strategy, style="bold cyan"), *_cells(rank))
    return table


def _cells(rank: Rank) -> list[Any]:
    return [
        f"{rank.area:.3f}",
        f"{rank.low:.2f}-{rank.high:.2f}",
        f"{rank.worst:.3f}",
        f"{rank.share:.3f}",
        percent(rank.harvest),
        percent(rank.recall),
        f"{rank.cpu:.1f} x",
    ]
