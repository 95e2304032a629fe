"""Crawls twenty documentation sites with the default settings, and in the ideal order, and counts what they find.

The ideal order is one fetch at a time without a delay: the strategy always gets the page it wants. The defaults are 16
fetches at a time with a second between two fetches from a host; without patience, such a crawl takes whatever is ready.
All have the same budget of pages; the difference is what politeness costs. Pages are counted by a rule on their words
(printed with the table), not by the judge of the crawl; `flagged` are those that the judge counted, `right` those of
them that satisfy the rule.

    python benchmarks/real_crawl.py                        # about twenty minutes
    python benchmarks/real_crawl.py clustering --pages 60  # a quick look
"""

from __future__ import annotations

import argparse
import html
import re
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote, urlsplit

from docsites import CACHE, DocSites

import clew.api

TAGS = re.compile(r"<(script|style|nav|header|footer)\b.*?</\1>|<[^>]*>", re.DOTALL | re.IGNORECASE)
MAIN = re.compile(r'<main\b.*?</main>|<div[^>]*(?:role="main"|class="(?:body|document)").*', re.DOTALL)
LOOPBACK = ("127.0.0.1", "::1")


@dataclass(frozen=True)
class Topic:
    """What to crawl for, and the rule by which a page counts: so many of these words in its main text."""

    name: str
    formula: str
    home: str
    pages: int
    words: str  # a regular expression
    least: int

    def counts(self, text: str) -> bool:
        return len(re.findall(self.words, text, re.IGNORECASE)) >= self.least


TOPICS = (
    Topic("clustering", "clustering", "sklearn", 200, r"clustering|k-?means|dendrogram|linkage", 5),
    Topic(
        *("machine learning", '"machine learning"', "sklearn", 400),
        r"machine learning|classifier|regressor|supervised|training (?:set|data)|cross-validation",
        8,
    ),
    Topic(
        *("transaction isolation", '"transaction isolation" OR "isolation level"', "postgresql", 330),
        r"isolation level|transaction isolation|serializable|repeatable read|read committed",
        2,
    ),
)
MODES: dict[str, dict[str, Any]] = {
    "ideal order": {"parallel": 1, "delay": 0},
    "defaults": {},
    "no patience": {"patience": 0},
}


class Outcome(NamedTuple):
    """What a crawl found, as cells of the table."""

    pages: int
    relevant: int
    flagged: int
    right: int
    hosts: int
    seconds: float
    note: str = ""


class Outside:
    """Notices every connection and every look-up of a name that would leave the machine."""

    def __init__(self) -> None:
        self.seen: list[str] = []
        sys.addaudithook(self._hook)

    def _hook(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event == "socket.connect" and isinstance(arguments[1], tuple):
            self._note("connection to", str(arguments[1][0]))
        elif event in ("socket.getaddrinfo", "socket.gethostbyname"):
            self._note("look-up of", str(arguments[0]))

    def _note(self, what: str, where: str) -> None:
        if where not in LOOPBACK:
            self.seen.append(f"{what} {where}")


def crawl(sites: DocSites, topic: Topic, pages: int, settings: dict[str, Any]) -> Outcome:
    """One crawl into a folder that is thrown away."""
    with tempfile.TemporaryDirectory() as scratch:
        began = time.monotonic()
        chosen = {**sites.settings, "pages": pages, "folder": str(Path(scratch) / "crawl"), **settings}
        result = clew.api.crawl(topic.formula, sites.seeds(topic.home), **chosen)
        seconds = time.monotonic() - began
        with result.records as records:
            fetched = [record for record in records.pages() if record.state == "fetched"]
        found = {record.url for record in fetched if topic.counts(main_text(sites, record.url))}
        flagged = {record.url for record in fetched if record.relevant}
        return Outcome(
            len(fetched), len(found), len(flagged), len(found & flagged), result.stats.hosts, seconds, result.reason
        )


def main_text(sites: DocSites, url: str) -> str:
    """The words of a page as it lies on the disk, without its menus."""
    parts = urlsplit(url)
    root = next((root for site, root in sites.roots.items() if site.host == parts.hostname), None)
    if root is None:
        return ""
    path = root / unquote(parts.path).lstrip("/")
    if path.is_dir():
        path /= "index.html"
    source = path.read_text(errors="replace") if path.is_file() else ""
    main = MAIN.search(source)
    return html.unescape(TAGS.sub(" ", main[0] if main else source))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("topics", nargs="*", default=[topic.name for topic in TOPICS], help="default: all three")
    parser.add_argument("--pages", type=int, help="budget of each crawl; default: that of the topic")
    parser.add_argument("--minutes", type=float, default=30, help="time limit of each crawl")
    parser.add_argument("--strategy", default="adaptive")
    parser.add_argument("--cache", type=Path, default=CACHE, help="folder of docsites.py")
    options = parser.parse_args()
    outside = Outside()
    with DocSites(options.cache) as sites:
        print(f"{len(sites.roots)} sites and a portal; start: the topic's home and the portal\n")
        print("| topic | mode | pages | relevant | flagged | right | hosts | seconds | end |")
        print("|---|---|---|---|---|---|---|---|---|")
        common = {"minutes": options.minutes, "strategy": options.strategy}
        chosen = [topic for topic in TOPICS if topic.name in options.topics]
        for topic in chosen:
            for mode, settings in MODES.items():
                outcome = crawl(sites, topic, options.pages or topic.pages, common | settings)
                cells = [*outcome[:5], f"{outcome.seconds:.0f}", outcome.note]
                print(f"| {topic.name} | {mode} | {' | '.join(map(str, cells))} |", flush=True)
    print()
    for topic in chosen:
        print(f"{topic.name}: relevant if the main text has at least {topic.least} of /{topic.words}/")
    if outside.seen:
        raise SystemExit(f"requests left the machine: {', '.join(sorted(set(outside.seen)))}")
    print("no connection and no look-up of a name left the machine")


if __name__ == "__main__":
    main()
