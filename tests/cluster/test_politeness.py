"""With eight shards nobody is asked more often than one process would ask: seen by the hosts themselves."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from clew.fetch.guard import Guard
from clew.fetch.politeness import Politeness
from clew.labyrinth import Labyrinth, serving
from clew.labyrinth.witness import Seen, early, seen
from clew.parse import domain
from clew.store.home import home

DELAY = 0.5
SHARDS = 8
PER_DOMAIN = 1


@pytest.fixture
def crawl(inside: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The requests of a crawl, by host; the whole labyrinth has one address, which counts here as any other would."""

    async def addresses(resolver: Guard, host: str) -> list[str]:
        return [address for address, _ in resolver.mapped(host)]

    monkeypatch.setattr(Guard, "addresses", addresses)

    def crawled(per_address: int) -> dict[str, list[Seen]]:
        labyrinth = Labyrinth(pages=600, seed=5)
        log = tmp_path / "requests"
        settings = {
            "judge": "plain",
            "threshold": 0.3,
            "strategy": "breadth_first",
            "delay": DELAY,
            "allow_private": True,
        }
        limits = {"per_address": per_address, "per_domain": PER_DOMAIN, "pages": 40, "sitemaps": 0, "patience": 0}
        with serving(labyrinth, witness=log) as web:
            seeds = [url for topic in ("sailing", "opera", "volcanoes") for url in labyrinth.seeds(topic, 8)]
            inside({"interest": "sailing", "seeds": seeds, "resolve": [web.resolve], **limits, **settings}, tmp_path, 8)
        return seen(log)

    return crawled


@pytest.mark.parametrize("per_address", [pytest.param(2, marks=pytest.mark.slow), 8])
def test_hosts_domains_and_the_address_are_asked_as_one_process_would(crawl: Any, per_address: int) -> None:
    hosts = crawl(per_address)
    assert len(hosts) > 10
    # The hosts' clock and ours differ by what a request takes on its way.
    assert [host for host, requests in hosts.items() if list(early(requests, 0.9 * DELAY))] == []
    for requests in by_domain(hosts).values():
        assert at_once(requests) <= PER_DOMAIN
    requests = pages_of(hosts)
    assert not is_asked_too_often(requests, per_address)
    # Shards that are more than per_address keep its rate, each with one request at a time.
    assert at_once(requests) <= max(per_address, SHARDS)


def test_without_the_rule_the_address_is_asked_too_often(crawl: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each shard keeps the limit as if it were alone."""
    monkeypatch.setattr(Politeness, "_gap", lambda self, key: self._config.delay / 2)
    monkeypatch.setattr(Politeness, "_limit", lambda self, key: 2 if key.startswith("address ") else 1)
    assert is_asked_too_often(pages_of(crawl(2)), 2)


def is_asked_too_often(requests: list[Seen], per_address: int) -> bool:
    """Whether a shard asked the address sooner than after its pause: all together would then exceed the limit.

    With that pause, each of N shards begins one request in N delays for each of `per_address`.
    """
    begun: dict[int, list[float]] = defaultdict(list)
    for request in sorted(requests):
        begun[home(f"http://{request.host}/", SHARDS)].append(request.begun)
    assert sum(map(len, begun.values())) >= 40
    pause = DELAY * SHARDS / per_address
    # The server sees single requests later than they were sent, so that only many of them say something.
    many = [times for times in begun.values() if len(times) >= 4]
    return any(times[-1] - times[0] < 0.9 * pause * (len(times) - 1) for times in many)


def pages_of(hosts: dict[str, list[Seen]]) -> list[Seen]:
    return [each for requests in hosts.values() for each in requests if each.path != "/robots.txt"]


def by_domain(hosts: dict[str, list[Seen]]) -> dict[str, list[Seen]]:
    found: dict[str, list[Seen]] = defaultdict(list)
    for host, requests in hosts.items():
        found[domain(f"http://{host}/")] += [each for each in requests if each.path != "/robots.txt"]
    return found


def at_once(requests: list[Seen]) -> int:
    """The most requests that were open at the same time."""
    edges = sorted([(each.begun, 1) for each in requests] + [(each.ended, -1) for each in requests])
    most = now = 0
    for _, change in edges:
        now += change
        most = max(most, now)
    return most
