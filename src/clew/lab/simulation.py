"""One crawl on a world that stands still."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, TypeGuard, Unpack, cast

from clew.config import Config, Settings
from clew.config.parts import plugins
from clew.core.build import AnySink
from clew.core.manners import STILL, manners_of
from clew.core.simulation import Simulation, run_simulation
from clew.core.stop import StopRule
from clew.errors import ConfigError
from clew.fetch import Fetcher
from clew.interests import Interest, Judging
from clew.lab.judges import NOISE
from clew.lab.judges import judge as judge_of
from clew.lab.start_pages import absent, drawn
from clew.lab.task import opened
from clew.lab.worlds import World
from clew.store import Store
from clew.strategies import SearchSource, Strategy
from clew.types import Stats


def simulate(
    world: str | Path | World | Fetcher,
    interest: str | Interest = "",
    strategy: str | Strategy | None = None,
    *,
    seeds: str | Iterable[str] = (),
    judge: str | Judging = "truth",
    distance: int | str = 0,
    sinks: Sequence[AnySink] = (),
    stop_rules: Sequence[str | StopRule] = (),
    search_sources: Sequence[str | SearchSource] = (),
    store: Store | None = None,
    config: Config | None = None,
    watch: Callable[[Stats], None] | None = None,
    manners: str = STILL,
    **settings: Unpack[Settings],
) -> Simulation:
    """Crawl a world through the ordinary engine: one page at a time, no waiting, nothing on disk.

    With `manners="live"` the crawl is as polite as on the web, on a virtual clock: 16 fetches at a time, one connection
    and one second per host. Settings in parentheses replace the usual ones: `"live(delay=2, patience=0)"`.

    The world goes by its name (`clew lab worlds`), or is one, or is just a fetcher. The interest is a topic of the
    world, or a formula of topics, guided by the truth or by another `judge` (`lab/judges.py`); or any other interest.
    A judge of your own needs no interest, but start pages.
    Without start pages three are drawn that lie `distance` links from the topic; or which are a "hub" for it, a
    "portal", or as "far" away as there are. Settings are those of `clew.config`;
    `pages` counts visits here, whatever they bring; with `parallel` pages of one host are fetched at the same time too.
    `stats` counts what the judge takes for relevant: to measure a classifier's crawl by the truth, ask `clew.compare`.

    >>> crawl = simulate("labyrinth:300", "sailing", "shark", pages=40)
    >>> len(crawl.order), crawl.stats.relevant > 5
    (40, True)
    """
    plain: dict[str, Any] = dict(settings)
    if "parallel" in plain and not manners_of(manners).is_live:
        # Many recorded webs are a single host.
        plain = {"per_host": plain["parallel"], **plain}
    if isinstance(world, str | Path):
        world = opened(str(world))
    fetcher = world.fetcher() if _is_world(world) else cast(Fetcher, world)
    if not interest and _is_lab_judge(judge):
        raise ConfigError(f"the judge {judge} needs an interest: a topic of the world, such as 'sailing'")
    if not interest and not seeds:
        raise ConfigError("without an interest there is no topic to draw start pages from: give some with seeds=[...]")
    if _is_world(world) and isinstance(interest, str):
        number = plain.get("seed", 0)
        seeds = seeds or drawn(world, interest, 3, distance, number)
        if not seeds:
            raise ConfigError(f"{world.name}: {absent(interest, distance)}")
        if _is_lab_judge(judge):
            interest, _ = judge_of(judge, world, interest, number)
        plain = {"threshold": 0.5, **plain}
    return run_simulation(
        fetcher,
        interest,
        seeds,
        strategy=strategy,
        judge=None if _is_lab_judge(judge) else judge,
        sinks=sinks,
        stop_rules=stop_rules,
        search_sources=search_sources,
        store=store,
        config=config,
        watch=watch,
        manners=manners,
        **plain,
    )


def _is_lab_judge(judge: str | Judging) -> TypeGuard[str]:
    """Whether a text names a judge of the laboratory; `module:name` and entry points are the user's own."""
    if not isinstance(judge, str):
        return False
    name = judge.partition("(")[0]
    is_own = name in plugins("judges") or (":" in name and not name.startswith(NOISE))
    return not is_own


def _is_world(world: World | Fetcher) -> TypeGuard[World]:
    return hasattr(world, "fetcher")
