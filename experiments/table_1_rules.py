"""Prints the rules that led the crawls of table 1, and what came of the visits that no rule chose.

    python experiments/table_1_rules.py [--into DOCUMENT] [TOPIC ...]

For each topic of papers/first_order.toml, after the learning phase: the visits that a rule had chosen and the others,
with the share of relevant pages among them, by the judge and by the truth; and the three rules that chose most visits,
with the pages that they covered when they were last learned, and what the visits that they chose have brought.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from write_up import put

from clew.lab.experiment import Experiment
from clew.lab.planning import plan
from clew.lab.task import Task, task
from clew.lab.trial import Trial, crawled
from clew.strategies.first_order import FirstOrder
from clew.types import Page

EXPERIMENT = Path(__file__).parent / "papers" / "first_order.toml"
SHOWN = 3  # rules of each topic

Choice = tuple[str, bool, str]
"""The URL of a visit, whether the judge finds it relevant, and the rule that chose it, or ""."""


@dataclass
class Watched(FirstOrder):
    """Notes which rule has chosen each page."""

    choices: list[Choice] = field(default_factory=list, init=False, repr=False, compare=False)
    learned: dict[str, str] = field(default_factory=dict, init=False, repr=False, compare=False)  # counts by rule

    def _record(self, page: Page, relevant: bool) -> object:  # type: ignore[override]
        rule = ""
        if firing := self._sure(self._firing(page.inlinks)):
            surest = self.learnt()[self._surest(firing)[1]]
            rule = surest.rule
            self.learned[rule] = f"+{surest.positives} -{surest.negatives}"
        self.choices.append((page.url, relevant, rule))
        return super()._record(page, relevant)


def main(arguments: list[str]) -> None:
    document = None
    if arguments[:1] == ["--into"]:
        document = Path(arguments[1])
        arguments = arguments[2:]
    lines = list(report(arguments))
    print("\n".join(lines))
    if document:
        put(document, "table_1_rules", lines)


def report(topics: Sequence[str]) -> Iterator[str]:
    yield "\n| web | topic | chosen by a rule | relevant (judge / truth) | the others | relevant (judge / truth) |"
    yield "|---|---|---|---|---|---|"
    rules: list[str] = []
    for trial in plan(Experiment.read(EXPERIMENT)).trials:
        if trial.strategy == "first_order" and (not topics or trial.topic in topics):
            strategy, setting = watched(trial)
            yield row(trial, setting, strategy)
            rules += best_rules(trial, strategy)
    yield "\nThe rules that chose most visits, with what they covered when last learned, and what these visits brought:"
    yield from rules


def watched(trial: Trial) -> tuple[Watched, Task]:
    strategy, setting = Watched(), task(trial.task)
    crawled(trial, setting, make_strategy=lambda: strategy)
    return strategy, setting


def after(trial: Trial, strategy: Watched) -> list[Choice]:
    """The visits after the learning phase; start pages and failures are no choices."""
    return strategy.choices[-trial.budget :]


def row(trial: Trial, setting: Task, strategy: Watched) -> str:
    choices = after(trial, strategy)
    cells = [trial.world, trial.topic]
    for wanted in (True, False):
        part = [choice for choice in choices if bool(choice[2]) == wanted]
        cells += [f"{len(part)} of {len(choices)}", shares(part, setting)]
    return f"| {' | '.join(cells)} |"


def shares(choices: Sequence[Choice], setting: Task) -> str:
    if not choices:
        return "–"
    pages = [page for url, *_ in choices if (page := setting.world.id_of(url)) is not None]
    labels = setting.truth[pages]
    # Pages of unknown topics, and those that the judge was trained on, count neither way.
    truth = (labels[labels >= 0] == 1).mean()
    return f"{np.mean([relevant for _, relevant, _ in choices]):.0%} / {truth:.0%}"


def best_rules(trial: Trial, strategy: Watched) -> Iterator[str]:
    tallies: dict[str, list[int]] = {}
    for _, relevant, rule in after(trial, strategy):
        if rule:
            tallies.setdefault(rule, [0, 0])[not relevant] += 1
    most = sorted(tallies, key=lambda rule: (-sum(tallies[rule]), rule))[:SHOWN]
    yield f"\n{trial.world}, {trial.topic} ({len(tallies)} rules chose a page):\n"
    yield "```prolog"
    for rule in most:
        good, bad = tallies[rule]
        yield f"{rule}  % {strategy.learned[rule]}, then +{good} -{bad}"
    yield "```"


if __name__ == "__main__":
    main(sys.argv[1:])
