"""Serve a synthetic web on this machine, to try crawls on; Ctrl-C ends it."""

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
"""


def flags(parser: argparse.ArgumentParser) -> None:
    """Its size, seed and manners."""
    parser.add_argument("--pages", type=int, default=3000, metavar="N", help="how many pages it has (3000)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="another seed, another labyrinth (1)")
    parser.add_argument(
        "--regime",
        default="plain",
        metavar="NAME",
        help="how its links mislead: plain, easy, poor, mislead, tunnel, deep",
    )
    parser.add_argument(
        "--hostile",
        action="store_true",
        help="with hosts that hang, lie, trap, copy and send bombs: to see what a crawl makes of them",
    )
    parser.add_argument("--topic", default="sailing", metavar="NAME", help="for the example it prints (sailing)")


def run(args: argparse.Namespace) -> int:
    """Serve until interrupted."""
    from clew.labyrinth import Hostile, Labyrinth, serving

    web = Hostile if args.hostile else Labyrinth
    labyrinth = web.regime(args.regime, pages=args.pages, seed=args.seed)
    seeds = labyrinth.seeds(args.topic, 3)
    with serving(labyrinth) as server, suppress(KeyboardInterrupt):
        if args.json:
            dump({"port": server.port, "resolve": server.resolve, "addresses": server.addresses, "seeds": seeds})
        else:
            _invite(args, seeds, server.addresses)
        threading.Event().wait()
    return 0


def _invite(args: argparse.Namespace, seeds: list[str], addresses: tuple[str, ...]) -> None:
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
    ]
    console = out()
    if not args.quiet:
        console.print(
            f"A {'hostile ' * args.hostile}labyrinth of {args.pages:,} pages is open. Ctrl-C closes it. To crawl it:\n",
            markup=False,
        )
    console.print(shlex.join(words), markup=False, soft_wrap=True)
