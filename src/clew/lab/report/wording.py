"""The sentences of a report, built from its data."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from clew.lab import judges
from clew.lab.plots import percent
from clew.lab.report.cases import Case, is_clear, topic_of, topics_of
from clew.lab.report.drawing import Palette

if TYPE_CHECKING:
    from clew.lab.trial import TrialResult

GUIDE = {
    "oracle": "A crawl that knows every page and link in advance, and so finds the relevant pages about as early as "
    "possible. All shares are relative to what it found, so that hard topics do not count against a strategy.",
    "area": "The area under the curve of pages found, divided by the area under the oracle’s curve: 100 % is as good "
    "as knowing everything. It rewards finding pages early as well as finding many. The ranking is by area.",
    "found": "The relevant pages found by the end of the crawl, divided by those the oracle found.",
    "harvest": "The share of relevant pages among all pages visited.",
    "recall": "The share of relevant pages found among all that can be reached from the start pages.",
    "worst": "The area on the topic on which the strategy did worst.",
    "interval": "The range in which the mean over other topics of the same kind is expected (95 %, bootstrap over "
    "topics). A paired interval is over the differences on the same topics: if it excludes zero, the lead is clear.",
    "CPU": "CPU time per page, relative to breadth_first on the same machine.",
}


def setup(results: Sequence[TrialResult]) -> str:
    """The setup of the comparison in one line."""
    trials = [result.trial for result in results]
    worlds = sorted({trial.world for trial in trials})
    distances = sorted({trial.distance for trial in trials})
    starts = {(trial.distance, trial.start) for trial in trials}
    budgets = sorted({trial.budget for trial in trials})
    facts = [
        count(len({trial.strategy for trial in trials}), "strategy"),
        f"{count(len(worlds), 'world')} ({listed(worlds)})",
        count(len(set(map(topic_of, results))), "topic"),
        f"{count(len(starts), 'start set')} at link distance {listed(map(str, distances))}",
        f"guided by the {listed(map(judges.describe, sorted({trial.judge for trial in trials})))}",
        f"{listed(f'{budget:,}' for budget in budgets)} visits each",
        count(len(trials), "crawl"),
    ]
    return " · ".join(facts)


def colours(palette: Palette) -> str:
    """What the colours mean."""
    if palette.leads == palette.strategies:
        return "Each strategy has the same colour in all plots."
    return f"The best {len(palette.leads)} strategies have the same colour in all plots; the others are grey."


def verdict(case: Case) -> str:
    """Which strategy leads, by how much, and whether the lead may be chance."""
    leader = case.ranks[0]
    if not leader.area:
        return "No strategy found anything."
    reached = f"{leader.strategy} reaches {percent(leader.area)} of the oracle’s area"
    if not case.gaps:
        return f"{reached}. There is no other strategy to compare it with."
    gap = case.gaps[0]
    ahead = f"{reached}, {100 * gap.difference:.1f} points ahead of {gap.other}"
    if not gap.wins + gap.losses:
        return f"{reached}; {gap.other} does exactly as well on {count(topics_of(gap), 'topic')}."
    if topics_of(gap) < 2:
        return f"{ahead}. A single topic says little about other topics."
    span = f"the paired 95 % interval is {points(gap.low)} to {points(gap.high)} over {topics_of(gap)} topics"
    if is_clear(gap):
        return f"{ahead}. This is a clear lead: {span}."
    return f"{ahead}. This may be chance: {span}."


def points(share: float, digits: int = 1) -> str:
    """A difference in percentage points, with its sign.

    >>> points(0.0512), points(-0.004), points(0.0, 0)
    ('+5.1', '−0.4', '0')
    """
    return f"{100 * share:+.{digits}f}".replace("-", "−") if share else "0"


def count(number: int, noun: str) -> str:
    """A number with its noun in the singular or plural.

    >>> count(1, "topic"), count(2_000, "strategy")
    ('1 topic', '2,000 strategies')
    """
    plural = noun[:-1] + "ies" if noun.endswith("y") else noun + "s"
    return f"{number:,} {noun if number == 1 else plural}"


def listed(names: Iterable[str]) -> str:
    """Names as an enumeration in a sentence.

    >>> listed(["a", "b", "c"])
    'a, b and c'
    """
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last
