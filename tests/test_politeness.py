"""Seen from the server: how often each host is asked, redirects and retries included."""

from __future__ import annotations

from collections import defaultdict
from itertools import pairwise
from pathlib import Path

import clew
from clew.labyrinth import Labyrinth, serving

DELAY = 0.2


def test_a_host_is_left_alone_between_two_fetches(tmp_path: Path) -> None:
    labyrinth = Labyrinth(pages=400, seed=4, redirects=0.2)
    log = tmp_path / "requests.tsv"
    with serving(labyrinth, log=log) as web:
        result = clew.crawl(
            "sailing",
            labyrinth.seeds(labyrinth.topics[0], 3),
            threshold=0.5,
            strategy="breadth_first",
            pages=200,
            parallel=8,
            delay=DELAY,
            resolve=[web.resolve],
            allow_private=True,
            folder=str(tmp_path / "crawl"),
        )
    assert result.stats.redirects > 0
    asked: dict[str, list[tuple[float, str]]] = defaultdict(list)
    for line in log.read_text().splitlines():
        at, host, path = line.split("\t")
        asked[host].append((float(at), path))
    assert max(map(len, asked.values())) > 5
    for requests in asked.values():
        assert [path for _, path in requests].count("/robots.txt") == 1
        assert requests[0][1] == "/robots.txt"
        pages = [at for at, path in requests if path != "/robots.txt"]
        assert all(later - earlier >= DELAY * 0.95 for earlier, later in pairwise(pages))
