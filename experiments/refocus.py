"""Measures how fast a crawl adapts to another interest, to labels from the user and to knowledge of an earlier crawl.

    python experiments/refocus.py [STRATEGY ...]

The delay is the number of visits after the change until the latest 25 visits reach half of the harvest rate of a fresh
crawl that had the new interest from the start: at least 25, and a dash if it is never reached. After it come the
harvest rate of all visits after the change and that of as many visits of the fresh crawl. All crawls are guided by a
classifier. Prints a table for experiments/results/adaptive.md.
"""

from __future__ import annotations

import sys
from dataclasses import replace

from clew.lab.change import FAIR
from clew.lab.interest_change import Reaction, change_interest, head_start, steer
from clew.lab.planning import family
from clew.lab.trial import Trial

CHANGE = 100  # visits before the change
BUDGET = 250  # visits in all
TASKS = {  # web, topic before the change, topic after it
    "another interest": (
        ("webkb", "student", "course"),
        ("pydocs", "Multimedia", "Internet"),
        ("wikischools-hard", "Geography.European_Geography", "Science.Biology.Birds"),
    ),
    "labels": (
        ("webkb", "person", "faculty"),
        ("pydocs", "Internet", "Internet :: WWW/HTTP :: WSGI"),
        ("wikischools-hard", "Science.Biology", "Science.Biology.Birds"),
    ),
    "earlier crawl": (
        ("webkb", "faculty", "student"),
        ("pydocs", "Internet", "Internet :: WWW/HTTP :: WSGI"),
        ("wikischools-hard", "Science.Biology", "Science.Biology.Birds"),
    ),
}


def main(strategies: list[str]) -> None:
    print(f"| change | web | before | after | {' | '.join(strategies)} |")
    print("|---|---|---|---|" + "---|" * len(strategies))
    for kind, pairs in TASKS.items():
        for world, before, after in pairs:
            cells = [shown(reaction(kind, world, before, after, strategy)) for strategy in strategies]
            print(f"| {kind} | {world} | {before} | {after} | {' | '.join(cells)} |", flush=True)


def reaction(kind: str, world: str, before: str, after: str, strategy: str) -> Reaction:
    """From start pages on the topic; an earlier crawl is as long as the part before a change."""
    spec = FAIR.get(strategy, strategy).replace("{web}", family(world))
    trial = Trial(world, before, strategy, "classifier", budget=BUDGET, spec=spec)
    if kind == "another interest":
        return change_interest(trial, after, CHANGE)
    if kind == "labels":
        return steer(trial, after, CHANGE)
    later = replace(trial, topic=after, distance=1, budget=BUDGET - CHANGE)
    return head_start(later, replace(trial, distance=1, budget=CHANGE))


def shown(result: Reaction) -> str:
    """Delay, harvest rate, and harvest rate of the fresh crawl."""
    delay = "–" if result.delay is None else str(result.delay)
    return f"{delay} ({result.harvest:.0%} / {result.fresh:.0%})"


if __name__ == "__main__":
    main(sys.argv[1:] or ["adaptive", "best_first", "shark"])
