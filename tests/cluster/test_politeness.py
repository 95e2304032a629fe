"""With eight shards nobody is asked more often than one process would ask: seen by the hosts themselves."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from clew.fetch.guard import Guard
from clew.labyrinth import Labyrinth, serving
from clew.labyrinth.server import HERE
from clew.labyrinth.witness import early, seen

DELAY = 1.0
AT_ONCE = 8  # per_address: the whole labyrinth has one address
HOSTS = 64


def test_hosts_and_the_address_are_asked_as_one_process_would(
    inside: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All start pages are on hosts of their own and could be asked for at once: only the address keeps shards back."""
    monkeypatch.setattr(Guard, "addresses", _here)
    labyrinth = Labyrinth(pages=3000, seed=5)
    log = tmp_path / "requests"
    settings = {"judge": "plain", "threshold": 0.3, "strategy": "shark", "delay": DELAY, "allow_private": True}
    settings |= {"interest": "sailing", "pages": HOSTS, "per_address": AT_ONCE}
    with serving(labyrinth, witness=log) as web:
        seeds = [labyrinth.home(host) for host in labyrinth.hosts[:HOSTS]]
        inside({"seeds": seeds, "resolve": [web.resolve], **settings}, tmp_path, 8)
    hosts = seen(log)
    assert len(hosts) >= HOSTS
    # The hosts' clock and ours differ by what a request takes on its way.
    assert [host for host, requests in hosts.items() if list(early(requests, 0.9 * DELAY))] == []
    begun = sorted(each.begun for requests in hosts.values() for each in requests if each.path != "/robots.txt")
    # Eight at once to an address means eight in each delay, whatever shard they come from: over the whole crawl, as the
    # host sees single requests later than they were sent.
    assert len(begun) >= HOSTS
    assert len(begun) <= AT_ONCE * ((begun[-1] - begun[0]) / DELAY + 2)


async def _here(guard: Guard, host: str) -> list[str]:
    """Names that `resolve` maps have no limit of their address, as one server may play many hosts; here they do."""
    return [HERE]
