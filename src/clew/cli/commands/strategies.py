"""List the strategies: where a crawl may go next."""

from __future__ import annotations

import argparse
import inspect
from dataclasses import MISSING, fields
from typing import Any

from rich.table import Table
from rich.text import Text

from clew.cli.terminal import dump, out

EXAMPLES = """
  clew strategies
  clew strategies best_first
  clew crawl 'sailing' --seeds https://example.org/ --strategy 'best_first(n=8)'
"""


def flags(parser: argparse.ArgumentParser) -> None:
    """At most one name."""
    parser.add_argument("name", nargs="?", metavar="NAME", help="show all about this one")


def run(args: argparse.Namespace) -> int:
    """Print the table, or one strategy's own page."""
    from clew import strategies

    if args.name:
        found = strategies.find(args.name)
        dump(about(args.name, found)) if args.json else _page(args.name, found)
        return 0
    entries = [about(name, strategies.find(name)) for name in strategies.names()]
    if args.json:
        dump(entries)
    elif args.quiet:
        print("\n".join(entry["name"] for entry in entries))
    else:
        out().print(_table(entries))
    return 0


def about(name: str, strategy: type) -> dict[str, Any]:
    """Name, sentence, paper and parameters with their defaults."""
    text = inspect.getdoc(strategy) or ""
    return {"name": name, "does": _first(text), "paper": _paper(text), "parameters": parameters(strategy)}


def parameters(strategy: Any) -> dict[str, Any]:
    """What a user may set, with the defaults."""
    shown = [f for f in fields(strategy) if f.init and not f.name.startswith("_")]
    return {f.name: f.default if f.default is not MISSING else None for f in shown}


def _first(text: str) -> str:
    return " ".join(text.partition("\n\n")[0].split())


def _paper(text: str) -> str:
    """By the house rules the citation is the last paragraph, and it ends in a year."""
    last = " ".join(text.rpartition("\n\n")[2].split())
    return last if any(part.strip("().,;").isdigit() for part in last.split()) else ""


def _table(entries: list[dict[str, Any]]) -> Table:
    table = Table(box=None, header_style="dim", padding=(0, 2, 0, 0))
    for name, style in {
        "strategy": "bold cyan",
        "what it does": "",
        "parameters": "dim",
        "paper": "dim",
    }.items():
        table.add_column(name, style=style, no_wrap=name == "strategy", overflow="fold")
    for entry in entries:
        given = ", ".join(f"{name}={value!r}" for name, value in entry["parameters"].items())
        table.add_row(entry["name"], Text(entry["does"]), Text(given), Text(entry["paper"]))
    return table


def _page(name: str, strategy: type) -> None:
    console = out()
    console.print(Text(name, style="bold cyan"))
    told = (inspect.getdoc(strategy) or "").split("\n\n")
    console.print(Text("\n\n".join(" ".join(part.split()) for part in told if not part.startswith(">>>"))))
    given = parameters(strategy)
    if given:
        console.print(Text("\nParameters", style="bold"))
        console.print(Text("\n".join(f"  {key} = {value!r}" for key, value in given.items())))
        first, value = next(iter(given.items()))
        example = f"{name}({first}={value!r})".replace("'", '"')  # for a shell it stands in single quotes
        console.print(Text(f"\nclew crawl … --strategy '{example}'", style="dim"))
