"""One crawl on a world that stands still."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, TypeGuard, cast

from clew import api
from clew.api import Simulation
from clew.errors import ConfigError
from clew.fetch import Fetcher
from clew.interests import Interest
from clew.lab.judges import judge as judge_of
from clew.lab.task import opened
from clew.lab.worlds import World
from clew.strategies import Strategy


def simulate(
    world: str | Path | World | Fetcher,
    interest: str | Interest,
    strategy: str | Strategy | None = None,
    *,
    seeds: str | Iterable[str] = (),
    judge: str = "truth",
    distance: int = 0,
    **settings: Any,
) -> Simulation:
    """Crawl a world through the ordinary engine: one page at a time, no waiting, nothing on disk.

    The world goes by its name (`clew lab worlds`), or is one, or is just a fetcher. The interest is a topic of the
    world, or a formula of topics, guided by the truth or by another `judge` (`lab/judges.py`); or any other interest.
    Without start pages three are drawn that lie `distance` links from the topic. Settings are those of `clew.config`;
    with `parallel` pages of one host are fetched at the same time too. `stats` counts what the judge takes for
    relevant: to measure a classifier's crawl by the truth, ask `clew.compare`.

    >>> crawl = simulate("labyrinth:300", "sailing", "shark", pages=40)
    >>> len(crawl.order), crawl.stats.relevant > 5
    (40, True)
    """
    if "parallel" in settings:  # many recorded webs are a single host
        settings = {"per_host": settings["parallel"], **settings}
    if isinstance(world, str | Path):
        world = opened(str(world))
    fetcher = world.fetcher() if _is_world(world) else cast(Fetcher, world)
    if _is_world(world) and isinstance(interest, str):
        number = settings.get("seed", 0)
        seeds = seeds or world.seeds(interest, 3, distance, number)
        if not seeds:
            raise ConfigError(f"{world.name}: no page lies {distance} links from {interest!r}")
        interest, _ = judge_of(judge, world, interest, number)
        settings = {"threshold": 0.5, **settings}
    return api.simulate(fetcher, interest, seeds, strategy=strategy, **settings)


def _is_world(world: World | Fetcher) -> TypeGuard[World]:
    return hasattr(world, "fetcher")
