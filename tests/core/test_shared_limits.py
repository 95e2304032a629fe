"""How often the hosts of one domain, or of one address, are asked: in virtual time, so that every figure is exact."""

from __future__ import annotations

import asyncio
import selectors
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import pytest

from clew.config import Fetch, Scope
from clew.core.inflight import InFlight, RetryPolicy
from clew.fetch import NOT_YET, Politeness
from clew.frontier import Frontier
from clew.parse.url import domain, host
from clew.types import Fetched, SharedLimit, UrlState


class VirtualTime(asyncio.SelectorEventLoop):
    """An event loop whose clock does not wait: it jumps to the next timer."""

    def __init__(self) -> None:
        self.now = 0.0
        selector = selectors.DefaultSelector()
        look: Callable[[float], list[Any]] = selector.select

        def jump(timeout: float | None = None) -> list[Any]:
            self.now += timeout or 0.0
            return look(0)

        selector.select = jump  # type: ignore[method-assign, assignment]
        super().__init__(selector)

    def time(self) -> float:
        return self.now


class SlowWeb:
    """Asks politely a web where every answer takes the same time, and remembers when it asked whom."""

    def __init__(self, loop: VirtualTime, latency: float, addresses: Sequence[str], **settings: Any) -> None:
        self.politeness = Politeness(Fetch(delay=1.0, delay_factor=0.0, **settings), loop.time)
        self.loop = loop
        self.latency = latency
        self.addresses = addresses
        self.asked: list[tuple[float, str]] = []
        self.refused = 0

    async def get(self, url: str) -> Fetched:
        slots = self.politeness.slots_for(url, self.addresses)
        if wait := self.politeness.wait(slots):
            self.refused += 1
            return Fetched(url, error=NOT_YET, detail=wait.place, retry_after=wait.seconds)
        self.politeness.begin(slots)
        self.asked.append((self.loop.time(), url))
        await asyncio.sleep(self.latency)
        self.politeness.end(slots)
        return Fetched(url, 200)

    def pause(self, url: str) -> float:
        return self.politeness.pause(host(url))

    def shared_limits(self, url: str) -> tuple[SharedLimit, ...]:
        return self.politeness.shared_limits(url)

    async def close(self) -> None:
        """Nothing is open."""


def crawl(
    urls: Sequence[str], seconds: float, latency: float, addresses: Sequence[str] = (), **settings: Any
) -> SlowWeb:
    """Fetch for so many seconds, 16 at a time."""
    loop = VirtualTime()
    web = SlowWeb(loop, latency, addresses, **settings)

    async def run() -> None:
        frontier = Frontier()
        policy = RetryPolicy(web, frontier, 0, loop.time)
        in_flight = InFlight(lambda slot: web.get(frontier.url(slot)), frontier, Scope(), policy)
        slots = [frontier.slot_for(url) for url in urls]
        frontier.set(slots, [1.0] * len(slots))
        while loop.time() < seconds:
            while len(in_flight) < 16 and in_flight.send_best():
                pass
            await in_flight.wait(min(seconds, frontier.next_ready() or seconds))
            for slot, _ in in_flight.land():
                frontier.finish(slot, UrlState.FETCHED)
        await in_flight.recall()

    loop.run_until_complete(run())
    loop.close()
    return web


def farm(hosts: int, of: int = 1) -> list[str]:
    """A page for each of so many hosts, in domains of equal size."""
    return [f"http://h{n}.farm{n % of}.example/" for n in range(hosts)]


@pytest.mark.parametrize(("latency", "per_second"), [(0.1, 4), (0.9, 4), (2.0, 2)])
def test_a_domain_is_asked_exactly_as_often_as_permitted(latency: float, per_second: int) -> None:
    web = crawl(farm(200), 20.0, latency, per_domain=4)
    assert web.refused == 0
    assert len(web.asked) == 20 * per_second
    assert all(b - a >= 0.25 for (a, _), (b, _) in pairwise(web.asked))


def test_the_hosts_of_an_address_are_found_out_one_by_one() -> None:
    web = crawl(farm(200, of=200), 20.0, 0.3, ["192.0.2.1"], per_domain=4, per_address=8)
    assert len(web.asked) == 160
    # Each host is refused once at most, and then waits with the others.
    assert web.refused <= 200
    assert all(b - a >= 0.125 for (a, _), (b, _) in pairwise(web.asked))


def test_many_domains_at_one_address() -> None:
    web = crawl(farm(300, of=3), 20.0, 0.3, ["192.0.2.1", "192.0.2.2"], per_domain=4, per_address=8)
    assert len(web.asked) == 160
    # A host that is new has to find out that it shares the address; that is all.
    assert web.refused <= len(web.asked) + 5
    assert all(b - a >= 0.125 for (a, _), (b, _) in pairwise(web.asked))
    of_each = Counter(domain(url) for _, url in web.asked)
    assert max(of_each.values()) <= 80


def test_a_dead_address_costs_no_refusals_while_its_requests_hang() -> None:
    web = crawl(farm(100, of=100), 60.0, 30.0, ["192.0.2.1"], per_address=8)
    assert len(web.asked) == 16
    assert web.refused <= 100
