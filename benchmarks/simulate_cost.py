"""Measures where the time of a simulated page goes: the overhead beside the cost of strategy and frontier.

Each crawl is guided by the truth and runs twice. The first time the pages of the world have to be unpacked, as for the
first strategy of a comparison; the second time their links are in memory, as for all others. The factor should be at
most 2: the laboratory itself must not cost more than what is studied in it.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping

from clew.lab.meter import PARTS
from clew.lab.trial import Trial, run

WORLDS = {
    "wikischools-hard": "Countries",
    "pydocs": "Internet :: WWW/HTTP",
    "webkb": "course",
    "labyrinth:5000": "sailing",
}
STRATEGIES = ("breadth_first", "best_first", "shark")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument(
        "worlds",
        nargs="*",
        default=list(WORLDS),
        help="WORLD,TOPIC, or one of the default worlds",
    )
    parser.add_argument("--strategies", nargs="+", default=list(STRATEGIES))
    parser.add_argument("--pages", type=int, default=1000)
    options = parser.parse_args()
    print(f"{'CPU ms a page':42}" + "".join(f"{part:>11}" for part in (*PARTS, "all", "factor")))
    for argument in options.worlds:
        world, _, topic = argument.partition(",")
        for strategy in options.strategies:
            trial = Trial(world, topic or WORLDS[world], strategy, budget=options.pages)
            for when in ("first", "again"):
                result = run(trial)
                print(line(f"{world} {strategy} {when}", result.spent, len(result.visits)), flush=True)


def line(name: str, spent: Mapping[str, float], pages: int) -> str:
    total = sum(spent.values())
    studied = spent["strategy"] + spent["frontier"]
    parts = [spent[part] for part in PARTS]
    numbers = [1000 * seconds / pages for seconds in (*parts, total)]
    return f"{name:42}" + "".join(f"{number:11.3f}" for number in numbers) + f"{total / studied:11.2f}"


if __name__ == "__main__":
    main()
