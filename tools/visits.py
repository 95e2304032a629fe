"""Prints sixteen crawls, each with a digest of every visit: a change that must not change behaviour prints the same.

    python tools/visits.py > before.txt      # on one commit
    python tools/visits.py > after.txt       # on another one
    diff before.txt after.txt

The digest covers URL, state, reason, relevance and score of each visit. The recorded webs must be at hand (see
experiments/README.md); crawls of webs that are not there are left out with a message.
"""

from __future__ import annotations

import hashlib
import json
import sys
from typing import Any

import clew
from clew.errors import ClewError
from clew.lab.task import opened

CLEANED = {
    "duplicates": "skip",
    "soft_404": True,
    "traps": True,
    "host_pages": 30,
    "url_rules": ("index", "variants", "parameters", "canonical"),
}
CRAWLS: list[tuple[str, str, str, dict[str, Any]]] = [
    ("webkb", "course", "adaptive", {"pages": 250}),
    ("wikischools", "", "adaptive", {"pages": 250, "judge": "classifier"}),
    ("pydocs", "", "adaptive", {"pages": 250, "distance": 1}),
    ("labyrinth:2000:tunnel", "sailing", "adaptive", {"pages": 300}),
    ("labyrinth:2000", "sailing", "adaptive", {"pages": 300, "parallel": 8}),
    ("pydocs", "", "adaptive", {"pages": 250, **CLEANED}),
    ("webkb", "faculty", "ariadne", {"pages": 250}),
    ("webkb", "student", "first_order", {"pages": 250}),
    ("wikischools", "", "intelligent", {"pages": 250}),
    ("pydocs", "", "hybrid", {"pages": 200}),
    ("webkb", "course", "apprentice", {"pages": 200}),
    ("labyrinth:2000", "sailing", "infospiders", {"pages": 200}),
    ("labyrinth:2000", "sailing", "ants", {"pages": 200}),
    ("pydocs", "", "shark", {"pages": 250, "judge": "classifier", "parallel": 4}),
    ("webkb", "student", "context_graph", {"pages": 200}),
    ("labyrinth:3000", "sailing", "distiller", {"pages": 250}),
]


def line(world: str, topic: str, strategy: str, settings: dict[str, Any]) -> str:
    """One crawl: what was crawled, how many visits and relevant pages, and the digest."""
    web = opened(world)
    # Any fixed topic will do where none is named.
    topic = topic or sorted(web.topics)[3]
    crawl = clew.simulate(web, topic, strategy, **settings)
    rows = [
        (each.url, str(each.state), each.reason, round(each.relevance, 9), each.relevant, repr(each.score))
        for each in crawl.records
    ]
    digest = hashlib.sha1(json.dumps(rows).encode()).hexdigest()[:10]
    return f"{world} {topic} {strategy} {len(rows)} {crawl.stats.relevant} {digest} {crawl.reason}"


if __name__ == "__main__":
    for crawl in CRAWLS:
        try:
            print(line(*crawl), flush=True)
        except ClewError as error:
            print(f"{crawl[0]} is left out: {error}", file=sys.stderr)
