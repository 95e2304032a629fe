"""With eight shards nobody is asked more often than one process would ask: seen by the hosts themselves."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from clew.labyrinth import Labyrinth, serving
from clew.labyrinth.witness import early, seen

DELAY = 0.4
AT_ONCE = 8  # per_address: the whole labyrinth has one address


def test_hosts_and_the_address_are_asked_as_one_process_would(inside: Any, tmp_path: Path) -> None:
    labyrinth = Labyrinth(pages=600, seed=5)
    log = tmp_path / "requests"
    settings = {"judge": "plain", "threshold": 0.3, "strategy": "shark", "delay": DELAY, "allow_private": True}
    with serving(labyrinth, witness=log) as web:
        seeds = labyrinth.seeds("sailing", 6)
        inside({"interest": "sailing", "seeds": seeds, "resolve": [web.resolve], "pages": 40, **settings}, tmp_path, 8)
    hosts = seen(log)
    assert len(hosts) > 5
    # The hosts' clock and ours differ by what a request takes on its way.
    assert [host for host, requests in hosts.items() if list(early(requests, 0.9 * DELAY))] == []
    begun = sorted(each.begun for requests in hosts.values() for each in requests if each.path != "/robots.txt")
    # Eight at once to an address means eight in each delay, whatever shard they come from: over the whole crawl, as the
    # host sees single requests later than they were sent.
    assert len(begun) > 2 * AT_ONCE
    assert len(begun) <= AT_ONCE * ((begun[-1] - begun[0]) / DELAY + 2)
