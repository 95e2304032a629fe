"""What users are told about their crawl: by what pages count, what looks wrong, how good it is, what to do next.

Pure functions of numbers; the engine and the command line show what they return.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from clew.config import Until
from clew.types import Stats

AS_SET: Final = "set by --threshold"
OF_START_PAGES: Final = "the relevance of the least relevant start page"
OF_JUDGE: Final = "the judge's own"
CALIBRATED: Final = "where the judge expects the best balance of precision and recall"
USUAL: Final = "the default (--threshold)"
ADVISE_AT_VISITS: Final = (50, 100)
MANY: Final = 0.6  # a larger share of relevant visits is suspicious
FEW: Final = 0.02  # and so is a smaller one


class Quality(NamedTuple):
    """How good a collection is expected to be."""

    precision: float  # the share of the pages counted as relevant that are
    recall: float  # the share of the relevant pages visited that were counted


class Step(NamedTuple):
    """Something to do next."""

    command: str
    purpose: str


def threshold_line(threshold: float, origin: str) -> str:
    """By what pages count as relevant, and where that comes from.

    >>> threshold_line(0.8114, OF_START_PAGES)
    'pages count as relevant from 0.811 on, the relevance of the least relevant start page'
    """
    return f"pages count as relevant from {threshold:.3f} on, {origin}"


def advice(stats: Stats, threshold: float, relevances: Sequence[float], folder: str) -> list[str]:
    """What to do if nearly everything or nearly nothing counts; nothing if the share is usual.

    `relevances` are those of the pages so far, from which another threshold is suggested.
    """
    share = f"{stats.relevant} of {stats.visited} visits found relevant pages ({stats.harvest:.0%})"
    if stats.harvest > MANY:
        other = _raised(threshold, relevances)
        return [
            f"{share}: is everything of this wanted? Look at some: clew export {folder} --relevant --format urls",
            f"  to correct the judge, now or later: clew label {folder} URL no",
            *_with_threshold("to be stricter", other, threshold, folder),
        ]
    if stats.harvest < FEW:
        other = _lowered(threshold, relevances)
        return [
            f"{share}: the words may be rare here, or the threshold too high. See how pages are judged: "
            f"clew explain {folder} URL",
            f"  to correct the judge, now or later: clew label {folder} URL yes",
            *_with_threshold("to be less strict", other, threshold, folder),
            "  or describe the topic better, with more keywords or with examples, and test it: clew topics test",
        ]
    return []


def quality(pages: Iterable[tuple[float, bool]]) -> Quality | None:
    """What to expect of a collection whose relevances are probabilities; None if nothing was counted.

    `pages` are the relevance of each page and whether it counts.

    >>> quality([(0.9, True), (0.7, True), (0.3, False), (0.1, False)])
    Quality(precision=0.8, recall=0.8)
    """
    counted = 0
    right = 0.0
    missed = 0.0
    for relevance, counts in pages:
        if counts:
            counted += 1
            right += relevance
        else:
            missed += relevance
    if not counted or not right:
        return None
    return Quality(right / counted, right / (right + missed))


def quality_line(found: Quality) -> str:
    """How sure the judge is.

    >>> quality_line(Quality(0.874, 0.62))
    'expects that 87 % of them are relevant, and that they are 62 % of the relevant pages visited'
    """
    return (
        f"expects that {100 * found.precision:.0f} % of them are relevant, "
        f"and that they are {100 * found.recall:.0f} % of the relevant pages visited"
    )


def next_steps(folder: str, stats: Stats, until: Until) -> list[Step]:
    """What users may want to do after a crawl with these limits.

    >>> for step in next_steps("crawls/baltic", Stats(relevant=9, pages=300, waiting=70), Until(pages=300)):
    ...     print(step.command)
    clew export crawls/baltic --relevant -o pages.jsonl
    clew label crawls/baltic URL no
    clew resume crawls/baltic --pages 600
    """
    folder = shlex.quote(folder)
    steps = []
    if stats.relevant:
        steps.append(Step(f"clew export {folder} --relevant -o pages.jsonl", "take the pages along"))
        steps.append(Step(f"clew label {folder} URL no", "correct the judge"))
    elif stats.pages:
        steps.append(Step(f"clew explain {folder} URL", "see how a page was judged"))
        steps.append(Step(f"clew label {folder} URL yes", "correct the judge"))
    if stats.waiting:
        steps.append(Step(f"clew resume {folder}{_further(stats, until)}", "go on"))
    return steps


def _further(stats: Stats, until: Until) -> str:
    """The flag without which a crawl would end at once: a limit that it has reached must be raised."""
    reached = {"pages": (stats.pages, until.pages), "visits": (stats.visited, until.visits)}
    for name, (count, limit) in reached.items():
        if limit and count >= limit:
            return f" --{name} {2 * limit}"
    return ""


def _with_threshold(purpose: str, other: float | None, threshold: float, folder: str) -> list[str]:
    if other is None:
        return []
    return [
        f"  {purpose} (the threshold is {threshold:.3f}): Ctrl-C, then clew resume {folder} --threshold {other:.2f}"
    ]


def _raised(threshold: float, relevances: Sequence[float]) -> float | None:
    """A threshold that half of the relevant pages reach, if it differs."""
    relevant = sorted(each for each in relevances if each >= threshold)
    if not relevant:
        return None
    middle = relevant[len(relevant) // 2]
    return middle if middle > threshold + 0.01 else None


def _lowered(threshold: float, relevances: Sequence[float]) -> float | None:
    """A threshold that one page in ten reaches, if it differs."""
    best_first = sorted(relevances, reverse=True)
    if not best_first:
        return None
    tenth = best_first[len(best_first) // 10]
    return tenth if 0.01 <= tenth < threshold - 0.01 else None
