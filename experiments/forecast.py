"""Measures the forecast of a crawl: relevant pages expected in the next 500 visits, and those that came.

    python experiments/forecast.py --write   # all crawls, about ten minutes; the tables go to results/forecast.md

A look is taken every 50 visits, from visit 150 on, if 500 visits followed it. What came is counted by the verdicts at
the time of the visits. `near` is the share of looks at which the
forecast was right within a factor of 1.5, or within 5 pages, `error` the mean difference, and `ratio` the expected
pages over those that came; `by rate` is the same for the finds of the last 100 visits times 5. `covered` is the share
of looks at which the number lay in the range, `below` and `above` how often it lay outside. `width` is the ratio of the
ends of the range (5 pages added to each), the median. `one number` is the share of looks at which users are told one
number and not just the range, and `near, told` how often it was near. `stopped` takes the first look at which
--min-forecast 10 would have ended the crawl: how many crawls had one, and the relevant pages that the next 500 visits
would still have brought, on average.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

import numpy as np

from clew.cli.terminal import forecast
from clew.core.engine import Engine
from clew.core.forecast import PREDICT_EVERY_VISITS
from clew.errors import ConfigError
from clew.lab.planning import family
from clew.lab.task import opened, task
from clew.lab.trial import Trial, crawled
from clew.types import HORIZON, Stats

WORLDS = ("webkb", "pydocs", "wikischools-hard")
JUDGES = ("truth", "keywords")
DISTANCES = (0, 2)  # links between the start pages and the topic
SKIPS = {
    0: "Topics on which the constants of the forecast were chosen",
    2: "Other topics (in webkb, which has seven, other start pages)",
}
FIRST_VISIT = 150
FACTOR = 1.5
FEW_PAGES = 5
MIN_FORECAST = 10
RESULTS = Path(__file__).parent / "results" / "forecast.md"
COLUMNS = (
    *("crawls", "looks", "near", "by rate", "error", "by rate", "ratio", "by rate"),
    *("covered", "below", "above", "width", "one number", "near, told", "stopped"),
)


class Look(NamedTuple):
    """A forecast, and what came."""

    expected: float
    low: float
    high: float
    rate: float  # the forecast by the last 100 visits
    told: bool  # whether users are told one number
    came: int


class Witness:
    """Records each forecast of a crawl, and what was found after each visit."""

    def __init__(self) -> None:
        self.stats: list[Stats] = []
        self.found = [0]

    def attach(self, engine: Engine) -> None:
        self.engine = engine
        engine.watch = self.watch

    def watch(self, stats: Stats) -> None:
        if stats.visited < len(self.found):
            return
        # By the verdicts of the visits: when a judge that learns changes its mind, nothing has been found or lost.
        self.found += [self.engine.state.forecast.finds] * (stats.visited + 1 - len(self.found))
        if stats.visited % PREDICT_EVERY_VISITS == 0 and stats.visited >= FIRST_VISIT:
            self.stats.append(stats)

    def looks(self) -> list[Look]:
        """The forecasts that can be judged."""
        return [self._look(stats) for stats in self.stats if self._is_judged(stats)]

    def _is_judged(self, stats: Stats) -> bool:
        return stats.forecast_high is not None and stats.visited + HORIZON < len(self.found)

    def _look(self, stats: Stats) -> Look:
        came = self.found[stats.visited + HORIZON] - self.found[stats.visited]
        ends = (stats.forecast or 0.0, stats.forecast_low or 0.0, stats.forecast_high or 0.0)
        told = forecast(stats).startswith("about")
        return Look(*ends, stats.recent * HORIZON, told, came)


def spread(world: str, count: int, skip: int) -> list[str]:
    """Topics of all sizes."""
    sizes = opened(world).topics
    names = sorted((name for name in sizes if sizes[name] >= 25), key=lambda name: (-sizes[name], name))
    return names[skip :: max(1, len(names) // count)][:count]


def trials(world: str, skip: int, options: argparse.Namespace) -> list[Trial]:
    """The crawls of a world: all topics under both judges, from near and from far."""
    spec = options.strategy.replace("{web}", family(world))
    found = []
    for number, topic in enumerate(spread(world, options.topics, skip)):
        for judge in JUDGES:
            for distance in DISTANCES:
                place = {"start": number % 3, "distance": distance}
                found.append(Trial(world, topic, spec, judge=judge, budget=options.pages, **place))
    return found


def looks_of(trial: Trial) -> list[Look]:
    """The looks of one crawl; none where no page lies that far from the topic."""
    try:
        setting = task(trial.task)
    except ConfigError:
        return []
    witness = Witness()
    crawled(trial, setting, prepare=witness.attach)
    return witness.looks()


def is_near(expected: float, came: int) -> bool:
    """Whether a forecast was right, within a factor or a few pages."""
    if abs(expected - came) <= FEW_PAGES:
        return True
    return max(expected, came) <= FACTOR * min(expected, came)


def row(name: str, crawls: list[list[Look]]) -> str:
    """One line of the table."""
    looks: list[Look] = []
    for crawl in crawls:
        looks += crawl
    told = [look for look in looks if look.told]
    below = [look.came < np.floor(look.low) for look in looks]
    above = [look.came > np.ceil(look.high) for look in looks]
    widths = [(look.high + FEW_PAGES) / (look.low + FEW_PAGES) for look in looks]
    expected = np.array([look.expected for look in looks])
    rates = np.array([look.rate for look in looks])
    came = np.array([look.came for look in looks])
    cells = [
        name,
        str(len(looks)),
        _percent([is_near(look.expected, look.came) for look in looks]),
        _percent([is_near(look.rate, look.came) for look in looks]),
        f"{abs(expected - came).mean():.0f}",
        f"{abs(rates - came).mean():.0f}",
        f"{expected.sum() / came.sum():.2f}",
        f"{rates.sum() / came.sum():.2f}",
        _percent([not (low or high) for low, high in zip(below, above, strict=True)]),
        _percent(below),
        _percent(above),
        f"{np.median(widths):.1f}" if widths else "",
        f"{len(told) / len(looks):.0%}" if looks else "",
        _percent([is_near(look.expected, look.came) for look in told]),
        stopped(crawls),
    ]
    return f"| {' | '.join(cells)} |"


def _percent(flags: list[bool]) -> str:
    return f"{np.mean(flags):.0%}" if flags else ""


def stopped(crawls: list[list[Look]]) -> str:
    """Crawls that the stop criterion would have ended, and what their next visits brought."""
    came = []
    for looks in crawls:
        low = [look.came for look in looks if look.high < MIN_FORECAST]
        came += low[:1]
    return f"{len(came)}: {np.mean(came):.0f} came" if came else "0"


def table(skip: int, options: argparse.Namespace) -> str:
    """Crawl, and sum up: all crawls, each world, and each world under each judge."""
    crawls: dict[str, list[list[Look]]] = defaultdict(list)
    for world in options.worlds:
        for trial in trials(world, skip, options):
            looks = looks_of(trial)
            for name in ("all", world, f"{world}, {trial.judge}"):
                crawls[name].append(looks)
            print(f"{world}, {trial.topic}, {trial.judge}, distance {trial.distance}: {len(looks)} looks", flush=True)
    lines = [f"| {' | '.join(COLUMNS)} |", "|" + "---|" * len(COLUMNS)]
    lines += [row(name, parts) for name, parts in crawls.items()]
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("worlds", nargs="*", default=list(WORLDS))
    parser.add_argument("--strategy", default="adaptive(prior='trained without {web}')")
    parser.add_argument("--topics", type=int, default=6, help="topics of each world")
    parser.add_argument("--skip", type=int, nargs="+", default=list(SKIPS), help="a table for each: topics to skip")
    parser.add_argument("--pages", type=int, default=1000)
    parser.add_argument("--write", action="store_true", help=f"write the tables to results/{RESULTS.name}")
    options = parser.parse_args()
    tables = [
        f"## {SKIPS.get(skip, f'Topics from number {skip} on')}\n\n{table(skip, options)}" for skip in options.skip
    ]
    text = "\n\n".join(tables) + "\n"
    print(f"\n{text}")
    if options.write:
        explained = (__doc__ or "").split("\n\n", 2)[2]
        command = f"python experiments/forecast.py --topics {options.topics} --write"
        origin = f"Written by `{command}`. Strategy: `{options.strategy}`."
        RESULTS.write_text(f"# The forecast\n\n{origin}\n\n{explained}\n{text}")


if __name__ == "__main__":
    main()
