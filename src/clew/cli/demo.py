"""`clew demo`: crawls the labyrinth twice with the same budget, breadth-first and focused, and compares the two."""

from __future__ import annotations

import argparse
import contextlib
import io
import shlex
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from clew.base.extras import installed, missing
from clew.cli import crawl_plot, path
from clew.cli.summary import brief, facts
from clew.cli.terminal import dump, err, out, percent, plain
from clew.errors import ConfigError

if TYPE_CHECKING:
    from clew.api import Explanation
    from clew.labyrinth import Labyrinth
    from clew.store import PathStep, Records
    from clew.types import Stats

TOPIC = "sailing"
STRATEGY = "adaptive"
BASELINE = "breadth_first"
DELAY = "0.02"  # seconds: as polite as on the web, in a fiftieth of the time


def run(args: argparse.Namespace) -> int:
    """Crawl twice, then compare the results."""
    from clew.labyrinth import Labyrinth, serving
    from clew.strategies import make

    if args.strategy == BASELINE:
        raise ConfigError(f"{BASELINE} is what the strategy is compared with; choose another from 'clew strategies'")
    # A mistyped name must fail before anything is crawled.
    make(args.strategy)
    labyrinth = Labyrinth(pages=args.size)
    relevant = sum(1 for _ in labyrinth.pages_on(args.topic))
    folder = free_folder(Path(args.folder or "crawls/demo"))
    silent = args.json or args.quiet
    with serving(labyrinth) as server:
        words = common(args, starts(labyrinth, args.topic), server.resolve)
        blind = [*words, "--strategy", BASELINE, "--folder", str(folder / "blind")]
        focused = [*words, "--strategy", args.strategy, "--folder", str(folder / "focused")]
        _say(silent, f"Serving a web of {args.size:,} pages on this machine; {relevant:,} are about {args.topic}.")
        _say(silent, f"First, {args.pages:,} visits with {BASELINE} …")
        _crawl(blind, silent, summary=False)
        _say(silent, f"Now the same number of visits with {args.strategy}:\n\n  clew {shlex.join(focused)}\n")
        _crawl(focused, silent)
    _compare(args, folder, labyrinth)
    again = shlex.join(["clew", "labyrinth", "--pages", str(args.size), "--topic", args.topic])
    # The web of the demo is gone by now, so the command that was printed cannot be run again.
    _say(silent, f"\nTo try it yourself: {again}")
    return 0


def starts(labyrinth: Labyrinth, topic: str) -> list[str]:
    """Return one page on the topic and four that are two links away: real start pages are not all good either."""
    return [*labyrinth.seeds(topic, 1), *labyrinth.seeds(topic, 4, distance=2)]


def common(args: argparse.Namespace, seeds: list[str], resolve: str) -> list[str]:
    """Return what a user would type to crawl the labyrinth, without strategy and folder."""
    what = ["crawl", args.topic, "--seeds", *seeds]
    return [
        *what,
        "--pages",
        "none",
        "--visits",
        str(args.pages),
        "--allow-private",
        "--resolve",
        resolve,
        "--delay",
        DELAY,
    ]


def free_folder(wanted: Path) -> Path:
    """Create the folder, or one beside it with a number: an earlier demo is never overwritten."""
    folder = wanted
    number = 1
    while folder.exists():
        number += 1
        folder = wanted.with_name(f"{wanted.name}-{number}")
    folder.mkdir(parents=True)
    return folder


def winding(records: Records) -> str:
    """Return the URL of the relevant page that was found through the most irrelevant pages in a row."""
    found = [record.url for record in records.pages(relevant=True)]
    return max(found, key=lambda url: detour(records.path(url)), default="")


def detour(steps: list[PathStep]) -> int:
    """Return the length of the longest run of irrelevant pages on a path."""
    longest = 0
    length = 0
    for step in steps:
        length = 0 if step.relevant else length + 1
        longest = max(longest, length)
    return longest


def _crawl(words: list[str], silent: bool, summary: bool = True) -> None:
    # `main` imports this module, so it cannot be imported at the top.
    from clew.cli.main import main

    hidden = silent or not summary
    with contextlib.redirect_stdout(io.StringIO()) if hidden else contextlib.nullcontext():
        code = main([*words, "--quiet"] if silent else words)
    if code:
        # The crawl has already printed why it failed.
        raise SystemExit(code)


def _compare(args: argparse.Namespace, folder: Path, labyrinth: Labyrinth) -> None:
    from clew import api
    from clew.store import Records

    with closing(Records(folder / "focused")) as focused, closing(Records(folder / "blind")) as blind:
        crawls = {args.strategy: focused, BASELINE: blind}
        curves = {name: records.flags() for name, records in crawls.items()}
        stats = {name: records.stats() for name, records in crawls.items()}
        right = {name: _right(records, labyrinth, args.topic) for name, records in crawls.items()}
        best = [brief(record) for record in focused.best(10)]
        url = winding(focused)
        threshold = focused.threshold
    picture = None
    if installed("matplotlib"):
        picture = crawl_plot.harvest(curves, folder / "harvest.png", f"Looking for {args.topic} in the labyrinth")
    found = api.explain(folder / "focused", url) if url else None
    if args.json:
        numbers = {name: plain(each) | {"harvest": each.harvest, "right": right[name]} for name, each in stats.items()}
        dump({"folder": folder, "picture": picture, "crawls": numbers, "best": best, "winding": found})
    else:
        _show(stats, right, folder, picture, None if args.quiet else found, threshold)


def _right(records: Records, labyrinth: Labyrinth, topic: str) -> int:
    """Return how many of the pages that count are really about the topic, which only the maker of the web knows."""
    is_relevant = labyrinth.relevant(topic)
    numbers = [labyrinth.number(record.url) for record in records.pages(relevant=True)]
    return sum(number is not None and is_relevant(number) for number in numbers)


def _show(
    crawls: dict[str, Stats],
    right: dict[str, int],
    folder: Path,
    picture: Path | None,
    found: Explanation | None,
    threshold: float,
) -> None:
    console = out()
    length = detour(found.path) if found else 0
    if found and length:
        pages = "one irrelevant page" if length == 1 else f"{length} irrelevant pages in a row"
        console.print(Text(f"\nA relevant page that was found through {pages}", style="bold"))
        words = ["clew", "explain", str(folder / "focused"), found.url]
        console.print(shlex.join(words), style="dim", markup=False, soft_wrap=True)
        console.print(path.render(found, threshold))
    table = Table(title="\nSame web, same number of visits", title_justify="left", title_style="bold", box=None)
    for name in ("strategy", "visits", "relevant", "of them right", "right per visit"):
        table.add_column(name, justify="left" if name == "strategy" else "right", header_style="dim")
    for name, stats in crawls.items():
        share = Text(percent(right[name] / max(1, stats.visited)), style="bold")
        table.add_row(name, f"{stats.visited:,}", f"{stats.relevant:,}", f"{right[name]:,}", share)
    console.print(table)
    console.print(
        "", facts({"crawls": str(folder), "curves": str(picture or missing("matplotlib", "pictures"))}), sep="\n"
    )


def _say(silent: bool, text: str) -> None:
    if not silent:
        err().print(text, markup=False, soft_wrap=True)
