"""Serve a synthetic web on this machine, for trying out crawls.

The labyrinth is a web of pages on many hosts, about many topics, made from a seed: the same seed
gives the same web. The command prints a 'clew crawl' command line for it and serves until Ctrl-C.
"""

from __future__ import annotations

import argparse
import shlex
import threading
from contextlib import suppress

from clew.cli.terminal import dump, out

EXAMPLES = """
  clew labyrinth
  clew labyrinth --pages 20000 --seed 7 --topic astronomy --regime tunnel
  clew labyrinth --hostile
  clew labyrinth --hidden
"""


def flags(parser: argparse.ArgumentParser) -> None:
    """Add size, seed, regime and topic."""
    parser.add_argument("--pages", type=int, default=3000, metavar="N", help="number of pages (default: %(default)s)")
    parser.add_argument(
        "--seed", type=int, default=1, metavar="N", help="seed from which the web is made (default: %(default)s)"
    )
    parser.add_argument(
        "--regime",
        default="plain",
        metavar="NAME",
        help="how hard the links are to follow: plain, easy, poor, mislead, tunnel or deep; or regions, a web of "
        "activities in regions with islands (default: %(default)s)",
    )
    parser.add_argument(
        "--hostile",
        action="store_true",
        help="add hosts that hang, lie, copy others, set traps and send decompression bombs",
    )
    parser.add_argument(
        "--hidden",
        action="store_true",
        help="add archives whose pages only a search form finds; crawl them with --forms",
    )
    parser.add_argument(
        "--topic", default="sailing", metavar="NAME", help="topic of the printed example (default: %(default)s)"
    )


def run(args: argparse.Namespace) -> int:
    """Serve until Ctrl-C."""
    from clew.labyrinth import made, serving
    from clew.labyrinth.making import Kind

    kind: Kind = "hostile" if args.hostile else "hidden" if args.hidden else ""
    labyrinth = made(args.regime, kind, pages=args.pages, seed=args.seed)
    seeds = labyrinth.seeds(args.topic, 3)
    with serving(labyrinth) as server, suppress(KeyboardInterrupt):
        if args.json:
            dump({"port": server.port, "resolve": server.resolve, "addresses": server.addresses, "seeds": seeds})
        else:
            _print_example(args, seeds, server.addresses)
        threading.Event().wait()
    return 0


def _print_example(args: argparse.Namespace, seeds: list[str], addresses: tuple[str, ...]) -> None:
    words = [
        "clew",
        "crawl",
        args.topic,
        "--seeds",
        *seeds,
        "--allow-private",
        "--resolve",
        *addresses,
        "--delay",
        "0.1" if args.hostile else "0",
        *(["--forms"] if args.hidden else []),
    ]
    console = out()
    if not args.quiet:
        console.print(
            f"Serving a {'hostile ' * args.hostile}labyrinth of {args.pages:,} pages; press Ctrl-C to stop. "
            "To crawl it, run in another terminal:\n",
            markup=False,
        )
    console.print(shlex.join(words), markup=False, soft_wrap=True)
