"""Measures how long the parser takes for a page: CPU milliseconds, the best of several rounds.

    python benchmarks/parse_speed.py [--pages 300] [--rounds 5] [WARC ...]

Without files, the recorded webs in ../shared/data are read. Every `step`-th page is parsed, so that all hosts of a file
take part.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from clew.lab.warc_reader import WarcReader
from clew.parse import parse
from clew.types import Fetched

RECORDED = Path("../shared/data")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=300, help="of each file")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("files", nargs="*", type=Path)
    args = parser.parse_args()
    for path in args.files or sorted(RECORDED.glob("*.warc.gz")):
        pages = sample(path, args.pages)
        best = min(spent(pages) for _ in range(args.rounds))
        print(f"{path.name}: {1000 * best / len(pages):.3f} ms a page, {len(pages)} pages", flush=True)


def sample(path: Path, count: int) -> list[Fetched]:
    """Pages from all parts of a file."""
    pages = [page for page in WarcReader(path).responses() if page.status == 200 and page.body]
    return pages[:: max(1, len(pages) // count)][:count]


def spent(pages: list[Fetched]) -> float:
    """CPU seconds to parse all pages."""
    began = time.process_time()
    for page in pages:
        parse(page.body, page.url, page.header("content-type"))
    return time.process_time() - began


if __name__ == "__main__":
    main()
