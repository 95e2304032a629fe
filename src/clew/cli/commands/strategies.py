"""List the crawl strategies, or describe one of them.

A strategy decides which candidate the crawl visits next. It is chosen by its name, or by its name
with parameters: --strategy 'best_first(n=8)'.
"""

from __future__ import annotations

import argparse
import inspect
from dataclasses import MISSING, fields
from typing import Any

from rich.table import Table
from rich.text import Text

from clew.cli.terminal import dump, err, out

EXAMPLES = """
  clew strategies
  clew strategies best_first
  clew crawl 'sailing' --seeds https://example.org/ --strategy 'best_first(n=8)'
"""


def flags(parser: argparse.ArgumentParser) -> None:
    """Add the name of one strategy."""
    parser.add_argument("name", nargs="?", metavar="NAME", help="describe this strategy and its parameters")


def run(args: argparse.Namespace) -> int:
    """Print all strategies, or everything about one."""
    from clew import strategies

    if args.name:
        found = strategies.find(args.name)
        if args.json:
            dump(about(args.name, found))
        else:
            _show(args.name, found)
        return 0
    entries = [about(name, strategies.find(name)) for name in strategies.names()]
    if args.json:
        dump(entries)
    elif args.quiet:
        print("\n".join(entry["name"] for entry in entries))
    else:
        out().print(_table(entries))
        err().print("\nTo see the parameters and the paper of one: clew strategies NAME", style="dim", markup=False)
    return 0


def about(name: str, strategy: type) -> dict[str, Any]:
    """Return name, first sentence, paper and parameters of a strategy."""
    text = inspect.getdoc(strategy) or ""
    return {"name": name, "does": _first(text), "paper": _paper(text), "parameters": parameters(strategy)}


def parameters(strategy: Any) -> dict[str, Any]:
    """Return the parameters that users can set, with their defaults."""
    shown = [f for f in fields(strategy) if f.init and not f.name.startswith("_")]
    return {f.name: f.default if f.default is not MISSING else None for f in shown}


def _first(text: str) -> str:
    return " ".join(text.partition("\n\n")[0].split())


def _paper(text: str) -> str:
    """Return the citation: by convention the last paragraph of the docstring, which names a year."""
    last = " ".join(text.rpartition("\n\n")[2].split())
    return last if any(part.strip("().,;").isdigit() for part in last.split()) else ""


def _table(entries: list[dict[str, Any]]) -> Table:
    table = Table(box=None, header_style="dim", padding=(0, 2, 0, 0))
    table.add_column("strategy", style="bold cyan", no_wrap=True)
    table.add_column("how it chooses the next page", overflow="fold")
    for entry in entries:
        table.add_row(entry["name"], Text(entry["does"]))
    return table


def _show(name: str, strategy: type) -> None:
    console = out()
    console.print(Text(name, style="bold cyan"))
    paragraphs = (inspect.getdoc(strategy) or "").split("\n\n")
    prose = [" ".join(paragraph.split()) for paragraph in paragraphs if not paragraph.startswith(">>>")]
    console.print(Text("\n\n".join(prose)))
    settings = parameters(strategy)
    if settings:
        console.print(Text("\nParameters and their defaults", style="bold"))
        console.print(Text("\n".join(f"  {key} = {value!r}" for key, value in settings.items())))
        first, value = next(iter(settings.items()))
        # The shell command puts the whole in single quotes, so none may be inside.
        example = f"{name}({first}={value!r})".replace("'", '"')
        console.print(Text(f"\nclew crawl … --strategy '{example}'", style="dim"))
