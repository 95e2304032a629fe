"""Virtual time: hours pass at once, and timers keep their order."""

from __future__ import annotations

import asyncio
import time

import pytest

from clew.core.virtual_time import VirtualClock, VirtualLoop


def run(main, clock: VirtualClock):
    with asyncio.Runner(loop_factory=lambda: VirtualLoop(clock)) as runner:
        return runner.run(main)


def test_sleepers_wake_in_order_and_on_time() -> None:
    clock = VirtualClock()
    woken: list[tuple[str, float]] = []

    async def sleep(name: str, seconds: float) -> None:
        await asyncio.sleep(seconds)
        woken.append((name, round(clock(), 6)))

    async def main() -> None:
        await asyncio.gather(sleep("late", 7200.0), sleep("early", 0.25), sleep("soon", 3.0))

    run(main(), clock)
    assert woken == [("early", 0.25), ("soon", 3.0), ("late", 7200.0)]


def test_computing_takes_time_only_if_it_is_spent() -> None:
    clock = VirtualClock()

    async def main() -> float:
        timer = asyncio.create_task(asyncio.sleep(1.0))
        clock.spend(5.0)
        await timer
        return clock()

    assert run(main(), clock) == pytest.approx(5.0, abs=1.1)


def test_a_clock_is_never_short_of_a_timer() -> None:
    """Else a host that is ready at that time would not be found ready."""
    clock = VirtualClock()

    async def main() -> None:
        for step in range(1, 200):
            due = clock() + step / 7
            await asyncio.sleep(due - clock())
            assert clock() >= due

    run(main(), clock)


def test_another_thread_is_waited_for() -> None:
    clock = VirtualClock()

    async def main() -> str:
        return await asyncio.get_running_loop().run_in_executor(None, lambda: time.sleep(0.01) or "done")

    assert run(main(), clock) == "done"
    assert clock() == 0.0
