"""Measures how good the forecast of a crawl is: relevant pages expected in the next 500 visits, and those that came.

A forecast is made every 50 visits; it counts if 500 visits followed. Beside it stands the recent rate: the finds of the
last 100 visits times 5. `ratio` is expected to found pages over all forecasts, `error` the mean absolute difference,
and `share` the error of the forecast relative to that of the rate. `stop` takes the first forecast below 10 of each
crawl: how many crawls had one, and how many pages came in the next 500 visits on average. `waiting` is for crawls
guided by the truth: relevant pages expected among all candidates, and those that were there.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from typing import NamedTuple

import numpy as np

from clew.core.engine import Engine
from clew.core.forecast import PREDICT_EVERY_VISITS
from clew.lab.planning import family
from clew.lab.task import Task, opened, task
from clew.lab.trial import Trial, crawled
from clew.types import HORIZON, Stats

WORLDS = ("webkb", "pydocs", "wikischools-hard")
MIN_FORECAST = 10  # below it a user might stop the crawl


class Look(NamedTuple):
    visit: int
    expected: float
    rate: float  # the same by the last 100 visits
    expected_waiting: float
    there: float  # relevant pages that really wait


class Witness:
    """Records each forecast of a crawl, and what was found after each visit."""

    def __init__(self, setting: Task, sighted: bool) -> None:
        self.setting = setting
        self.sighted = sighted  # whether the truth about waiting candidates is compared
        self.looks: list[Look] = []
        self.found = [0]

    def attach(self, engine: Engine) -> None:
        def watch(stats: Stats) -> None:
            if stats.visited < len(self.found):
                return
            self.found += [stats.relevant] * (stats.visited + 1 - len(self.found))
            if stats.visited % PREDICT_EVERY_VISITS == 0 and stats.forecast is not None:
                there = self.there(engine) if self.sighted else np.nan
                sight = np.nan if stats.expected_waiting is None else stats.expected_waiting
                rate = stats.recent * HORIZON
                self.looks.append(Look(stats.visited, stats.forecast, rate, sight, there))

        engine.watch = watch

    def there(self, engine: Engine) -> float:
        pages = [self.setting.world.id_of(candidate.url) for candidate in engine.frontier.queued()]
        return float(sum(self.setting.truth[page] == 1 for page in pages if page is not None))

    def table(self) -> np.ndarray:
        """The forecasts that can be judged, with what came."""
        rows = [(*look, self.came(look)) for look in self.looks if look.visit + HORIZON < len(self.found)]
        return np.array(rows, float).reshape(len(rows), 6)

    def came(self, look: Look) -> int:
        return self.found[look.visit + HORIZON] - self.found[look.visit]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("worlds", nargs="*", default=list(WORLDS))
    parser.add_argument("--strategy", default="adaptive(prior='trained without {web}')")
    parser.add_argument("--topics", type=int, default=4, help="topics of each world")
    parser.add_argument("--skip", type=int, default=0, help="topics to skip, to take others than usual")
    parser.add_argument("--pages", type=int, default=1000)
    options = parser.parse_args()
    tables: dict[str, list[np.ndarray]] = defaultdict(list)
    print(f"{'crawl':64}{'looks':>6}{'expected':>9}{'rate':>7}{'came':>7}{'error':>7}{'of rate':>8}")
    for world in options.worlds:
        for number, topic in enumerate(spread(world, options.topics, options.skip)):
            for judge in ("truth", "classifier"):
                spec = options.strategy.replace("{web}", family(world))
                trial = Trial(world, topic, spec, judge=judge, start=number % 3, budget=options.pages)
                setting = task(trial.task)
                witness = Witness(setting, judge == "truth")
                crawled(trial, setting, prepare=witness.attach)
                table = witness.table()
                for name in ("all", world, judge):
                    tables[name].append(table)
                print(line(f"{world} {topic} {judge}", table), flush=True)
    print("\n| crawls | looks | ratio | by rate | error | by rate | share | stop | by rate | waiting |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    for name, parts in tables.items():
        print(summary(name, parts))


def spread(world: str, count: int, skip: int) -> list[str]:
    """Topics of all sizes."""
    sizes = opened(world).topics
    names = sorted((name for name in sizes if sizes[name] >= 25), key=lambda name: (-sizes[name], name))
    return names[skip :: max(1, len(names) // count)][:count]


def line(name: str, table: np.ndarray) -> str:
    if not len(table):
        return f"{name:64}{0:6}"
    _, expected, rate, _, _, came = table.T
    error = abs(expected - came).mean()
    error_of_rate = abs(rate - came).mean()
    means = f"{expected.mean():9.1f}{rate.mean():7.1f}{came.mean():7.1f}"
    return f"{name:64}{len(table):6}{means}{error:7.1f}{error_of_rate:8.1f}"


def summary(name: str, tables: list[np.ndarray]) -> str:
    whole = np.concatenate(tables)
    _, expected, rate, sight, there, came = whole.T
    error = abs(expected - came).mean()
    error_of_rate = abs(rate - came).mean()
    ratios = [f"{forecast.sum() / came.sum():.2f}" for forecast in (expected, rate)]
    share = f"{error / error_of_rate:.2f}"
    seen = ~np.isnan(there) & ~np.isnan(sight)
    waiting = f"{sight[seen].mean():.0f} of {there[seen].mean():.0f}" if seen.any() else ""
    cells = [name, len(whole), *ratios, f"{error:.0f}", f"{error_of_rate:.0f}", share]
    return f"| {' | '.join(map(str, [*cells, stopped(tables, 1), stopped(tables, 2), waiting]))} |"


def stopped(tables: list[np.ndarray], column: int) -> str:
    """Crawls that a forecast would have ended, and what their next visits brought."""
    came = []
    for table in tables:
        low = table[table[:, column] < MIN_FORECAST]
        if len(low):
            came.append(low[0, 5])
    return f"{len(came)}: {np.mean(came):.0f} came" if came else "0"


if __name__ == "__main__":
    main()
