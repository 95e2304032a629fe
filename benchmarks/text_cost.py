"""Measures what main texts and the search index cost: CPU milliseconds a page, on real pages, the best of some rounds.

    python benchmarks/text_cost.py [--pages 500] [--rounds 3] [FOLDER]

The pages are HTML files below FOLDER, by default the documentation sites that benchmarks/docsites.py has unpacked. The
index is written in transactions of 100 pages, as a crawl does. Exits with 1 if both together take more than 1.6 ms.
"""

from __future__ import annotations

import argparse
import random
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from docsites import CACHE

from clew.parse import parse
from clew.parse.extractors import main_text
from clew.store.texts import create_texts, row_of
from clew.types import Fetched

MAX_MILLISECONDS = 1.6
PAGES_PER_COMMIT = 100
HTML = (("Content-Type", "text/html; charset=utf-8"),)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=500)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("folder", nargs="?", type=Path, default=CACHE / "unpacked")
    args = parser.parse_args()
    pages = sample(args.folder, args.pages)
    if not pages:
        sys.exit(f"no pages below {args.folder}: run benchmarks/docsites.py first")
    texts = [main_text(page) for page in pages]
    size = sum(len(page.body) for page in pages) / len(pages)
    print(
        f"{len(pages)} pages of {size / 1000:.1f} kB, main texts of {sum(map(len, texts)) / len(texts) / 1000:.1f} kB"
    )
    parsing = cost(lambda: [parse(page.body, page.url, "text/html") for page in pages], args.rounds) / len(pages)
    extraction = cost(lambda: [main_text(page) for page in pages], args.rounds) / len(pages)
    indexing = cost(lambda: write(texts), args.rounds) / len(pages)
    print(f"parser (for comparison) {parsing:.2f} ms a page")
    print(f"main text {extraction:.2f} ms, index {indexing:.2f} ms, together {extraction + indexing:.2f} ms a page")
    return int(extraction + indexing > MAX_MILLISECONDS)


def sample(folder: Path, count: int) -> list[Fetched]:
    """Pages from all sites, the same each time."""
    files = sorted(folder.rglob("*.html"))
    random.Random(1).shuffle(files)
    return [Fetched(f"http://docs.test/{n}", 200, HTML, file.read_bytes()) for n, file in enumerate(files[:count])]


def cost(work: Callable[[], object], rounds: int) -> float:
    """CPU milliseconds, the best of some rounds."""
    best = float("inf")
    for _ in range(rounds):
        began = time.process_time()
        work()
        best = min(best, time.process_time() - began)
    return 1000 * best


def write(texts: list[str]) -> None:
    """Write all texts into a new database."""
    with tempfile.TemporaryDirectory() as folder, closing(sqlite3.connect(f"{folder}/crawl.db")) as db:
        db.executescript("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL")
        create_texts(db)
        for start in range(0, len(texts), PAGES_PER_COMMIT):
            chunk = texts[start : start + PAGES_PER_COMMIT]
            rows = [row_of(start + n, f"page {n}", text) for n, text in enumerate(chunk)]
            with db:
                db.executemany("INSERT INTO texts VALUES (?,?,?)", rows)


if __name__ == "__main__":
    sys.exit(main())
