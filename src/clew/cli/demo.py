"""Two crawls of the labyrinth with the same budget, one blind and one focused, and what came of them."""

from __future__ import annotations

import argparse
import contextlib
import io
import shlex
from contextlib import closing
from itertools import count, groupby
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
    from clew.store import Records, Step
    from clew.types import Stats

TOPIC, STRATEGY, BLIND = "sailing", "adaptive", "breadth_first"


def run(args: argparse.Namespace) -> int:
    """Crawl twice, then compare."""
    from clew.labyrinth import Labyrinth, serving
    from clew.strategies import make

    if args.strategy == BLIND:
        raise ConfigError(f"{BLIND} is what the other one is compared with; see `clew strategies`")
    make(args.strategy)  # a wrong name is told before anything is done
    labyrinth = Labyrinth(pages=args.size)
    wanted = sum(1 for _ in labyrinth.pages_on(args.topic))
    folder = free_folder(Path(args.folder or "crawls/demo"))
    (folder / "topics.toml").write_text(labyrinth.topics_toml(), encoding="utf-8")
    silent = args.json or args.quiet
    with serving(labyrinth) as server:
        words = common(args, folder, starts(labyrinth, args.topic), server.resolve)
        focused = [*words, "--strategy", args.strategy, "--folder", str(folder / "focused")]
        _say(silent, f"A web of {args.size:,} pages is served on this machine; {wanted:,} are about {args.topic}.")
        _say(silent, f"First a blind crawl, {BLIND}, {args.pages:,} pages …")
        _crawl([*words, "--strategy", BLIND, "--folder", str(folder / "blind")], silent=True)
        _say(silent, f"Now with the default strategy:\n\n  clew {shlex.join(focused)}\n")
        _crawl(focused, silent)
    _compare(args, folder)
    return 0


def starts(labyrinth: Labyrinth, topic: str) -> list[str]:
    """One page on the topic and four that are two links away: nobody has only good start pages."""
    return [*labyrinth.seeds(topic, 1), *labyrinth.seeds(topic, 4, distance=2)]


def common(args: argparse.Namespace, folder: Path, seeds: list[str], resolve: str) -> list[str]:
    """What a user would type to crawl the labyrinth, strategy and folder left out."""
    what = ["crawl", args.topic, "--config", str(folder / "topics.toml"), "--threshold", "0.9", "--seeds", *seeds]
    return [*what, "--pages", str(args.pages), "--allow-private", "--resolve", resolve, "--delay", "0"]


def free_folder(wanted: Path) -> Path:
    """The folder, or one beside it: an earlier show is never overwritten."""
    tries = (wanted if n == 1 else wanted.with_name(f"{wanted.name}-{n}") for n in count(1))
    folder = next(folder for folder in tries if not folder.exists())
    folder.mkdir(parents=True)
    return folder


def winding(records: Records) -> str:
    """The relevant page that was found through the most irrelevant pages in a row."""
    found = [record.url for record in records.pages(relevant=True)]
    return max(found, key=lambda url: detour(records.path(url)), default="")


def detour(steps: list[Step]) -> int:
    """The longest run of irrelevant pages on a path."""
    runs = groupby(steps, key=lambda step: step.relevant)
    return max((len(list(run)) for relevant, run in runs if not relevant), default=0)


def _crawl(words: list[str], silent: bool) -> None:
    from clew.cli.main import main  # the ordinary way in; it imports this module, hence here

    quiet = contextlib.redirect_stdout(io.StringIO()) if silent else contextlib.nullcontext()
    with quiet:
        code = main([*words, "--quiet"] if silent else words)
    if code:  # the crawl has said why
        raise SystemExit(code)


def _compare(args: argparse.Namespace, folder: Path) -> None:
    from clew import api
    from clew.store import Records

    with closing(Records(folder / "focused")) as focused, closing(Records(folder / "blind")) as blind:
        crawls = {args.strategy: focused, BLIND: blind}
        curves = {name: records.flags() for name, records in crawls.items()}
        stats = {name: records.stats() for name, records in crawls.items()}
        best, url = [brief(record) for record in focused.best(10)], winding(focused)
    picture = None
    if installed("matplotlib"):
        picture = crawl_plot.harvest(curves, folder / "harvest.png", f"Looking for {args.topic} in the labyrinth")
    found = api.explain(folder / "focused", url) if url else None
    if args.json:
        told = {name: plain(each) | {"harvest": each.harvest} for name, each in stats.items()}
        dump({"folder": folder, "picture": picture, "crawls": told, "best": best, "winding": found})
    else:
        _show(stats, folder, picture, None if args.quiet else found)


def _show(crawls: dict[str, Stats], folder: Path, picture: Path | None, found: Explanation | None) -> None:
    console = out()
    if found and (length := detour(found.path)):
        ones = "one irrelevant page" if length == 1 else f"{length} irrelevant pages in a row"
        console.print(Text(f"\nA page that was found through {ones}", style="bold"))
        words = ["clew", "explain", str(folder / "focused"), found.url]
        console.print(shlex.join(words), style="dim", markup=False, soft_wrap=True)
        console.print(path.drawn(found))
    table = Table(title="\nThe same web, the same budget", title_justify="left", title_style="bold", box=None)
    for name in ("strategy", "pages", "relevant", "harvest"):
        table.add_column(name, justify="left" if name == "strategy" else "right", header_style="dim")
    for name, stats in crawls.items():
        table.add_row(name, f"{stats.visited:,}", f"{stats.relevant:,}", Text(percent(stats.harvest), style="bold"))
    console.print(table)
    console.print(
        "", facts({"crawls": str(folder), "curves": str(picture or missing("matplotlib", "pictures"))}), sep="\n"
    )


def _say(silent: bool, text: str) -> None:
    if not silent:
        err().print(text, markup=False, soft_wrap=True)
