"""How fast a crawl takes in a change: another interest, labels from the user, what an earlier crawl has learnt.

    python experiments/refocus.py [STRATEGY ...]

The delay is the number of visits after the change until the latest 25 visits have half of the harvest of a fresh crawl
that had the new interest from the start; at least 25, and a dash if it is never reached. Behind it the harvest of all
visits after the change, and that of as many visits of the fresh crawl. Guided by a classifier. Prints a table for
experiments/results/adaptive.md.
"""

from __future__ import annotations

import sys
from dataclasses import replace

from clew.lab.interest_change import Reaction, change_interest, head_start, steer
from clew.lab.planning import family
from clew.lab.trial import Trial

CHANGE, BUDGET = 100, 250
FAIR = {"adaptive": "adaptive(prior='trained without {web}')"}  # what it knows beforehand comes from other webs
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
    """From start pages on the topic; an earlier crawl is as long as what comes before a change."""
    spec = FAIR.get(strategy, strategy).replace("{web}", family(world))
    trial = Trial(world, before, strategy, "classifier", budget=BUDGET, spec=spec)
    if kind == "another interest":
        return change_interest(trial, after, CHANGE)
    if kind == "labels":
        return steer(trial, after, CHANGE)
    later = replace(trial, topic=after, distance=1, budget=BUDGET - CHANGE)
    return head_start(later, replace(trial, distance=1, budget=CHANGE))


def shown(taken: Reaction) -> str:
    """Delay, harvest, and harvest of the fresh crawl."""
    delay = "–" if taken.delay is None else str(taken.delay)
    return f"{delay} ({taken.harvest:.0%} / {taken.fresh:.0%})"


if __name__ == "__main__":
    main(sys.argv[1:] or ["adaptive", "best_first", "shark"])
