"""`clew lab gate`: run an experiment and check that every strategy reaches its floor."""

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

    from clew.lab.gate import Check

TEXT = """Run an experiment, and fail if a strategy stays below its floor. A floor is the area that the strategy
must reach: the area under its curve of relevant pages over visits, as a share of the oracle's. For
judges that learn there is a floor for the F1 of the collection, too. The floors are kept in
floors.toml beside the experiment, each with the digest of its world. Worlds that are not available
are skipped."""
EXAMPLES = """
  clew lab gate tests/eval/gate.toml
  clew lab gate tests/eval/gate.toml --update
  clew lab gate tests/eval/gate.toml --update --lower
"""


def flags(parser: argparse.ArgumentParser) -> None:
    """Add the experiment, and what to do with the floors."""
    parser.add_argument("experiment", metavar="EXPERIMENT.toml", help="experiment to run")
    parser.add_argument(
        "--floors", metavar="FILE", help="file with the floors (default: floors.toml beside the experiment)"
    )
    parser.add_argument("--update", action="store_true", help="raise the floors to what is reached now")
    parser.add_argument("--lower", action="store_true", help="with --update: lower floors that are not reached")
    lab_compare.add_job_flags(parser)


def run(args: argparse.Namespace) -> int:
    """Run the experiment; return 0 if every floor is reached."""
    from clew.lab import gate
    from clew.lab.experiment import Experiment

    if args.lower and not args.update:
        args.parser.error("--lower needs --update")
    experiment, missing = gate.available(Experiment.read(args.experiment))
    for name in missing:
        err().print(Text(f"skipped: the world {clean(name)} is not available (see 'clew lab worlds')", style="dim"))
    path = Path(args.floors) if args.floors else Path(args.experiment).with_name("floors.toml")
    floors = gate.read(path)
    if not experiment.worlds:
        err().print(Text("None of the worlds is available: nothing was checked."))
        return 0
    comparison = lab_compare.performed(experiment, args)
    if comparison is None:
        return lab_compare.INTERRUPTED
    lab_compare.complain(comparison)
    checks = gate.check(gate.reached(comparison), floors)
    # Means over an incomplete set of crawls must never become floors.
    if args.update and not comparison.failures:
        floors = gate.updated(checks, floors, args.lower)
        gate.write(floors, path)
        checks = gate.check([each.reached for each in checks], floors)
    return _report(checks, args, bool(comparison.failures))


def _report(checks: list[Check], args: argparse.Namespace, failed: bool) -> int:
    missed = [each for each in checks if each.verdict != "fine"]
    if args.json:
        dump([_as_json(each) for each in checks])
    else:
        out().print(_table(missed if args.quiet else checks))
        if missed:
            advice = "To raise floors, or to set new ones: --update. To lower them: --update --lower."
            err().print(Text(f"{len(missed)} of {len(checks)} floors are not reached. {advice}"))
    return 1 if failed or missed else 0


def _as_json(check: Check) -> dict[str, object]:
    reached = check.reached
    return {
        "world": reached.world,
        "judge": reached.judge,
        "strategy": reached.strategy,
        "manners": reached.manners,
        "area": reached.area,
        "floor": check.floor and check.floor.area,
        "f1": reached.f1,
        "f1_floor": check.floor and check.floor.f1,
        "verdict": check.verdict,
    }


def _table(checks: list[Check]) -> Table:
    table = grid("world", "judge", "strategy", "manners", "area", "floor", "F1", "floor", "")
    for each in checks:
        floor = f"{each.floor.area:.3f}" if each.floor else "-"
        f1 = f"{each.reached.f1:.4f}" if each.reached.f1 else ""
        f1_floor = f"{each.floor.f1:.3f}" if each.floor and each.floor.f1 else ""
        style = "green" if each.verdict == "fine" else "bold red"
        cells = map(clean, each.reached.place)
        verdict = Text(each.verdict, style=style)
        table.add_row(*map(Text, cells), f"{each.reached.area:.4f}", floor, f1, f1_floor, verdict)
    return table
