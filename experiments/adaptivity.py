"""Measures what the survey asks of adaptive crawlers: how soon they follow another interest, what changes they bear.

    python experiments/adaptivity.py [--into DOCUMENT] [STRATEGY ...]

Each crawl is guided by a classifier and begins on its topic. After 100 of 250 visits another topic takes its place. The
crawl has followed when its latest 25 visits have half of the harvest rate of a fresh crawl that wants the new topic
from its first visit on. Then the same crawl without a change, on a web from which a fifth of the pages was removed. The
topics of each web are every second of eight, from rare to common; after each comes the next but two.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from write_up import put

from clew.lab.change import FAIR
from clew.lab.interest_change import change_interest, drift
from clew.lab.metrics import bootstrap
from clew.lab.planning import family, sample
from clew.lab.task import opened
from clew.lab.trial import Trial

WEBS = ("webkb", "pydocs", "wikischools-hard")
FIXED = ("breadth_first", "best_first", "shark")
LEARNING = ("infospiders", "ants", "apprentice", "intelligent", "adaptive")
CHANGE = 100  # visits before the change
BUDGET = 250  # visits in all
REMOVED = 0.2  # of the pages


def main(arguments: list[str]) -> None:
    document = None
    if arguments[:1] == ["--into"]:
        document = Path(arguments[1])
        arguments = arguments[2:]
    lines = list(table(arguments or [*FIXED, *LEARNING]))
    print("\n".join(lines))
    if document:
        put(document, "adaptivity", lines)


def table(strategies: Sequence[str]) -> Iterator[str]:
    tasks = [(web, *pair) for web in WEBS for pair in pairs(sample(opened(web), 8))]
    yield f"\n{len(tasks)} pairs of topics, {BUDGET} visits, the change after {CHANGE}:\n"
    measures = "harvest after the change, and of a fresh crawl | finds left without a fifth of the pages"
    yield f"| strategy | visits to follow, median | never | {measures} |"
    yield "|---|---|---|---|---|"
    for strategy in strategies:
        yield row(strategy, tasks)


def pairs(topics: Sequence[str]) -> list[tuple[str, str]]:
    """Topics before and after a change: of another size, and each of them once on either side at most."""
    return [(topics[place], topics[(place + 3) % len(topics)]) for place in range(0, len(topics), 2)]


def row(strategy: str, tasks: Sequence[tuple[str, str, str]]) -> str:
    delays: list[float] = []
    harvests: list[tuple[float, float]] = []
    left: list[float] = []
    for web, before, after in tasks:
        spec = FAIR.get(strategy, strategy).replace("{web}", family(web))
        trial = Trial(web, before, strategy, "classifier", budget=BUDGET, spec=spec)
        reaction = change_interest(trial, after, CHANGE)
        delays.append(np.inf if reaction.delay is None else reaction.delay)
        harvests.append((reaction.harvest, reaction.fresh))
        left.append(drift(trial, [REMOVED])[REMOVED])
    median = float(np.median(delays))
    shown = f"{median:.0f}" if np.isfinite(median) else "never"
    never = sum(not np.isfinite(delay) for delay in delays)
    return f"| {strategy} | {shown} | {never} of {len(delays)} | {kept(harvests)} | {interval(left)} |"


def kept(harvests: Sequence[tuple[float, float]]) -> str:
    """The harvest after the change and that of fresh crawls, means, with the interval of the difference."""
    changed, fresh = np.array(harvests).T
    low, mean, high = bootstrap(changed - fresh)
    difference = f"{100 * mean:+.0f} points ({100 * low:+.0f} to {100 * high:+.0f})"
    return f"{changed.mean():.0%} against {fresh.mean():.0%}, {difference}"


def interval(shares: Sequence[float]) -> str:
    low, mean, high = bootstrap(np.array(shares))
    return f"{mean:.0%} ({low:.0%} to {high:.0%})"


if __name__ == "__main__":
    main(sys.argv[1:])
