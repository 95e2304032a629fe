from __future__ import annotations

import asyncio

from clew.config import Scope
from clew.core.inflight import InFlight, RetryPolicy
from clew.frontier import Frontier
from clew.types import Fetched, UrlState


class Web:
    """Answers at once, and asks for a pause of five seconds."""

    async def get(self, url: str) -> Fetched:
        return Fetched(url, 200)

    def pause(self, url: str) -> float:
        return 5.0

    async def close(self) -> None:
        """Nothing is open."""


def test_a_host_that_has_just_become_ready_is_scored_again_before_it_is_chosen() -> None:
    async def run() -> None:
        now = 0.0
        web = Web()
        frontier = Frontier()
        in_flight = InFlight(
            lambda slot: web.get(frontier.url(slot)),
            frontier,
            Scope(),
            RetryPolicy(web, frontier, 0, lambda: now),
        )
        first, old, better = (frontier.slot_for(f"http://a.example/{n}") for n in range(3))
        frontier.set([first, old, better], [0.9, 0.5, 0.4])
        in_flight.send_best()
        await in_flight.tasks[first]
        assert [slot for slot, _ in in_flight.land()] == [first]
        frontier.finish(first, UrlState.FETCHED)
        now = 5.0
        in_flight.send_best(lambda: frontier.set(frontier.best_ready(2), [0.1, 0.8]))
        assert list(in_flight.tasks) == [better]
        await in_flight.recall()

    asyncio.run(run())
