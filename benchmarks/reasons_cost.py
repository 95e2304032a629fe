"""Measures what kept reasons cost a crawl, and what an explanation costs its reader.

    python benchmarks/reasons_cost.py [--visits 600] [--rounds 3] [--strategy adaptive]

The same labyrinth is crawled with and without kept reasons and the head of the frontier, in turns, each in a process of
its own; the ratio is that of the CPU time of all rounds, user and system, without imports. Then the tables of the last
folder are multiplied to 20,000 visits, and explanations are asked for: of pages that were visited, in one process.
"""

from __future__ import annotations

import argparse
import random
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path

import clew.api
from clew.labyrinth import Labyrinth, serving
from clew.store import Records, SqliteStore

PAGES = 8000
EXPLAINED_AT = 20_000
EXPLANATIONS = 100
WAYS = ("without", "with")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--visits", type=int, default=600)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--strategy", default="adaptive")
    parser.add_argument("--child", nargs=3, metavar=("WAY", "FOLDER", "RESOLVE"), help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.child:
        crawl(args, *args.child)
        return
    with tempfile.TemporaryDirectory() as scratch, serving(labyrinth()) as server:
        cpu: dict[str, list[float]] = {way: [] for way in WAYS}
        for number in range(args.rounds):
            for way in WAYS:
                folder = f"{scratch}/{way}{number}"
                command = [sys.executable, *sys.argv, "--child", way, folder, server.resolve]
                said = subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True).stdout
                cpu[way].append(float(said))
        for way, seconds in cpu.items():
            each = ", ".join(f"{1000 * value / args.visits:.2f}" for value in seconds)
            print(f"{way} reasons: {each} ms of CPU a visit")
        print(f"ratio: {sum(cpu['with']) / sum(cpu['without']):.3f}")
        explained(Path(scratch) / f"with{args.rounds - 1}")


def labyrinth() -> Labyrinth:
    return Labyrinth(pages=PAGES, seed=3)


def crawl(args: argparse.Namespace, way: str, folder: str, resolve: str) -> None:
    """One crawl; prints its CPU time."""
    if way == "without":
        # A store that cannot keep them is asked for none.
        del SqliteStore.keep_reason
    seeds = [*labyrinth().seeds("sailing", 1), *labyrinth().seeds("sailing", 4, distance=2)]
    before = time.process_time()
    clew.api.crawl(
        "sailing",
        seeds,
        strategy=args.strategy,
        pages="none",
        visits=args.visits,
        folder=folder,
        delay=0,
        patience=0,
        resolve=[resolve],
        allow_private=True,
    )
    print(time.process_time() - before)


def explained(folder: Path) -> None:
    """The CPU time of explanations in a folder of 20,000 visits."""
    with Records(folder) as records:
        urls = [page.url for page in records.pages() if page.state == "fetched"]
    visits = multiply(folder, EXPLAINED_AT)
    random.Random(1).shuffle(urls)
    times: list[float] = []
    for url in urls[:EXPLANATIONS]:
        before = time.process_time()
        assert clew.api.explain(folder, url).is_then
        times.append(1000 * (time.process_time() - before))
    print(f"explain at {visits:,} visits: median {statistics.median(times):.1f} ms, most {max(times):.1f} ms of CPU")


def multiply(folder: Path, visits: int) -> int:
    """Copy the visits, and the reasons, under other names until there are so many; how many there are."""
    with closing(sqlite3.connect(folder / "crawl.db")) as db, db:
        columns = [row[1] for row in db.execute("PRAGMA table_info(pages)")]
        (count,) = db.execute("SELECT count(*) FROM pages").fetchone()
        for copy in range(1, -(-visits // count)):
            shifts = {"order": f'"order" + {copy * count}', "key": f"key + {copy}", "url": f"url || '?{copy}'"}
            values = ", ".join(shifts.get(name, f'"{name}"') for name in columns)
            db.execute(f'INSERT INTO pages SELECT {values} FROM pages WHERE "order" < {count}')
            shifted = f"visit + {copy * count}, parts, source, anchor, focus, topics"
            db.execute(f"INSERT INTO reasons SELECT {shifted} FROM reasons WHERE visit < {count}")
        return int(db.execute("SELECT count(*) FROM pages").fetchone()[0])


if __name__ == "__main__":
    main()
