"""`clew lab gate`: a small fixed experiment, and floors that must be reached."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from rich.text import Text

from clew.cli import lab_compare
from clew.cli.lab_ranks import grid
from clew.cli.terminal import clean, dump, err, out

if TYPE_CHECKING:
    from rich.table import Table

    from clew.lab.gate import Check, Floor

TEXT = """Run an experiment and fail if a strategy reaches less than its floor: the area under its curve of finds,
as a share of the oracle's. The floors stand in floors.toml beside the experiment, each with the digest of its
world; worlds that are not here are left out and named."""
EXAMPLES = """
  clew lab gate tests/eval/gate.toml
  clew lab gate tests/eval/gate.toml --update
  clew lab gate tests/eval/gate.toml --update --lower
"""


def flags(parser: argparse.ArgumentParser) -> None:
    """The experiment, and what to do with the floors."""
    parser.add_argument("experiment", metavar="EXPERIMENT.toml", help="what to run")
    parser.add_argument("--floors", metavar="FILE", help="default: floors.toml beside the experiment")
    parser.add_argument("--update", action="store_true", help="raise the floors to what is reached now")
    parser.add_argument("--lower", action="store_true", help="with --update: floors may sink too")
    parser.add_argument("--jobs", type=int, metavar="N", help="processes (as many as cores)")
    parser.add_argument("--fresh", action="store_true", help="run again what was run before")


def run(args: argparse.Namespace) -> int:
    """0 if every floor holds."""
    from clew.lab import gate
    from clew.lab.experiment import Experiment

    if args.lower and not args.update:
        args.parser.error("--lower goes with --update")
    experiment, missing = gate.available(Experiment.read(args.experiment))
    for name in missing:
        err().print(Text(f"left out: {clean(name)} is not here (see 'clew lab worlds')", style="dim"))
    path = Path(args.floors) if args.floors else Path(args.experiment).with_name("floors.toml")
    floors = gate.read(path)
    if not experiment.worlds:
        err().print(Text("no world is here: nothing was checked"))
        return 0
    comparison = lab_compare.performed(experiment, args)
    if comparison is None:
        return lab_compare.INTERRUPTED
    lab_compare.complain(comparison)
    checks = gate.check(gate.reached(comparison), floors)
    if args.update and not comparison.failures:
        floors = gate.updated(checks, floors, args.lower)
        gate.write(floors, path)
        checks = gate.check([each.reached for each in checks], floors)
    return _told(checks, args, bool(comparison.failures))


def _told(checks: list[Check], args: argparse.Namespace, failed: bool) -> int:
    if args.json:
        dump(
            [_row(each.reached) | {"floor": each.floor and each.floor.area, "verdict": each.verdict} for each in checks]
        )
    else:
        bad = [each for each in checks if each.verdict != "fine"]
        out().print(_table(bad if args.quiet else checks))
        if bad:
            advice = "A floor is raised, or set anew, with --update; lowering one needs --update --lower."
            err().print(Text(f"{len(bad)} of {len(checks)} floors do not hold. {advice}"))
    return 1 if failed or any(each.verdict != "fine" for each in checks) else 0


def _row(floor: Floor) -> dict[str, object]:
    return {"world": floor.world, "judge": floor.judge, "strategy": floor.strategy, "area": floor.area}


def _table(checks: list[Check]) -> Table:
    table = grid("world", "judge", "strategy", "area", "floor", "")
    for each in checks:
        floor = f"{each.floor.area:.3f}" if each.floor else "-"
        style = "green" if each.verdict == "fine" else "bold red"
        cells = (clean(each.reached.world), clean(each.reached.judge), clean(each.reached.strategy))
        table.add_row(*map(Text, cells), f"{each.reached.area:.4f}", floor, Text(each.verdict, style=style))
    return table
