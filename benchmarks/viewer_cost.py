"""What a viewer costs a crawl: its CPU time per page with `clew serve` and a viewer attached, and without.

python benchmarks/viewer_cost.py [--rounds N] [--visits N]

Pairs of crawls of the labyrinth, one fetch at a time so that both visit the same pages. The viewer does what the
page does in a browser: it holds the stream of events open and asks for the curve and all lists whenever something has
changed, at most every two seconds. Prints the CPU time of the crawling process for each, and the ratio of the medians;
exits with 1 if it is above 1.05.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from clew.labyrinth import Labyrinth, serving
from clew.labyrinth.process import Serving

MAX_RATIO = 1.05
LISTS = ("curve", "pages", "hosts?limit=20", "next", "unsure", "orders")
QUIET_SECONDS = 2.0
DELAY = "0.05"


class Viewer(threading.Thread):
    """A browser with the page of one crawl."""

    def __init__(self, address: str, token: str) -> None:
        super().__init__(daemon=True)
        self.address = address
        self.headers = {"Authorization": f"Bearer {token}"}
        self.is_over = False
        self.events = 0
        self.answers = 0

    def run(self) -> None:
        while not self.is_over and not (crawls := json.loads(self.ask("api/crawls"))["items"]):
            time.sleep(0.2)
        place = f"api/crawls/{crawls[0]['id']}"
        request = urllib.request.Request(f"{self.address}{place}/events", headers=self.headers)
        asked_at = 0.0
        with urllib.request.urlopen(request, timeout=60) as stream:
            for line in stream:
                if self.is_over:
                    return
                self.events += line.startswith(b"event:")
                if line.startswith(b"data:") and time.monotonic() - asked_at > QUIET_SECONDS:
                    asked_at = time.monotonic()
                    for name in LISTS:
                        self.ask(f"{place}/{name}")

    def ask(self, path: str) -> bytes:
        request = urllib.request.Request(self.address + path, headers=self.headers)
        with urllib.request.urlopen(request, timeout=60) as answer:
            self.answers += 1
            return bytes(answer.read())


@contextmanager
def viewed(root: Path) -> Iterator[Viewer]:
    """A service over the folder, with a viewer."""
    token = "a-token-of-this-benchmark"
    command = [sys.executable, "-m", "clew", "serve", str(root), "--port", "0"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env={**os.environ, "CLEW_TOKEN": token}
    ) as process:
        assert process.stdout
        viewer = Viewer(process.stdout.readline().partition("?")[0], token)
        viewer.ask("api/settings")  # everything is imported by then
        viewer.start()
        try:
            yield viewer
        finally:
            viewer.is_over = True
            process.terminate()


def crawl(folder: Path, web: Serving, visits: int) -> float:
    """CPU milliseconds per visit of a crawl in a process of its own."""
    words = [
        "crawl",
        "sailing",
        "--seeds",
        *web.labyrinth.seeds("sailing", 4),
        "--pages",
        "none",
        "--visits",
        str(visits),
    ]
    words += ["--allow-private", "--resolve", web.resolve, "--delay", DELAY, "--parallel", "1", "--folder", str(folder)]
    process = subprocess.Popen([sys.executable, "-m", "clew", *words, "--quiet"], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    return 1000 * (usage.ru_utime + usage.ru_stime) / visits


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--visits", type=int, default=400)
    args = parser.parse_args()
    alone: list[float] = []
    watched: list[float] = []
    with tempfile.TemporaryDirectory() as temporary, serving(Labyrinth(pages=4_000)) as web:
        for number in range(args.rounds):
            alone.append(crawl(Path(temporary) / f"alone-{number}", web, args.visits))
            root = Path(temporary) / f"watched-{number}"
            root.mkdir()
            with viewed(root) as viewer:
                watched.append(crawl(root / "crawl", web, args.visits))
            print(
                f"round {number + 1}: {alone[-1]:.2f} ms a visit alone, {watched[-1]:.2f} ms watched "
                f"({viewer.events} events, {viewer.answers} answers)",
                flush=True,
            )
    ratio = statistics.median(watched) / statistics.median(alone)
    pairs = statistics.median(w / a for w, a in zip(watched, alone, strict=True))
    print(f"median of {args.rounds}: ratio {ratio:.3f}, ratio of pairs {pairs:.3f}; the limit is {MAX_RATIO}")
    return int(ratio > MAX_RATIO)


if __name__ == "__main__":
    sys.exit(main())
