"""Runs one clew crawl with everything on: robots.txt, link contexts, judge, strategy, SQLite and WARC.

python benchmarks/clew_run.py PORT PAGES FOLDER STRATEGY JUDGE SEED...
"""

from __future__ import annotations

import sys

import clew.api

TOPIC = "clustering"


def main(port: str, pages: str, folder: str, strategy: str, judge: str, *seeds: str) -> None:
    clew.api.crawl(
        TOPIC,
        seeds,
        strategy=strategy,
        judge=judge,
        pages=int(pages),
        folder=folder,
        delay=0,
        patience=0,  # as many pages per second as possible, in whatever order
        resolve=[f"*.test=127.0.0.1:{port}"],
        allow_private=True,
        allow=["*.test"],
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
