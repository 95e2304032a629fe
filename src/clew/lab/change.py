"""Crawls that meet a change: of the web, of the interest, and with what an earlier crawl has learnt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from clew.api import Simulation
from clew.fetch import Fetcher
from clew.lab import metrics
from clew.lab.task import Task, task
from clew.lab.trial import Trial, crawled
from clew.maths.chance import chance
from clew.types import Fetched

SHARES: Final = (0.05, 0.1, 0.2, 0.4)

Labels = NDArray[np.int8]


@dataclass(frozen=True)
class Eroded:
    """A web of which some pages are gone; links to them are still there."""

    fetcher: Fetcher
    gone: frozenset[str]

    async def get(self, url: str) -> Fetched:
        """404 for what is gone."""
        return Fetched(url, 404) if url in self.gone else await self.fetcher.get(url)

    def pause(self, url: str) -> float:
        """As before."""
        return self.fetcher.pause(url)

    async def close(self) -> None:
        """As before."""
        await self.fetcher.close()


def drift(trial: Trial, shares: Sequence[float] = SHARES) -> dict[float, float]:
    """The tolerance of a strategy: its finds on the web less these shares of its pages, over those on the whole web.

    The start pages stay. A page that is gone still costs the visit in which that is noticed.
    """
    given = task(trial.task)
    before = _labels(given, crawled(trial, given))
    return {share: metrics.drift_tolerance(_eroded(trial, given, share), before) for share in shares}


def reuse(trial: Trial, earlier: Trial) -> float:
    """What a strategy gains by what it has learnt in an earlier crawl, as area under the lift curve."""
    learned = crawled(earlier, task(earlier.task)).learned
    given = task(trial.task)
    reused, fresh = (_labels(given, crawled(trial, given, learned=known)) for known in (learned, None))
    return metrics.reuse_gain(reused, fresh)


def refocus(trial: Trial, topic: str, change: int, width: int = 100, share: float = 0.8) -> int | None:
    """The visits until a crawl whose interest changes in the middle is as good as a fresh one with the new interest.

    As good: the windowed harvest is at this share of the fresh crawl's at its end. None if that is not within the
    budget.
    """
    old, new = task(trial.task), task(replace(trial, topic=topic).task)
    fresh = _labels(new, crawled(trial, new))
    turned = crawled(trial, old, turn=(change, new.interest))
    labels = np.concatenate((_labels(old, turned)[:change], _labels(new, turned)[change:]))
    level = float((metrics.judged(fresh)[-width:] > 0).mean())
    return metrics.refocus_delay(labels, change, width, share, level)


def _eroded(trial: Trial, given: Task, share: float) -> Labels:
    gone = frozenset(
        url for url in given.world.urls if url not in given.seeds and chance(trial.seed, "gone", url) < share
    )
    crawl = crawled(trial, given, Eroded(given.world.fetcher(), gone))
    labels = _labels(given, crawl)
    labels[[url in gone for url in crawl.order]] = 0
    return labels


def _labels(given: Task, crawl: Simulation) -> Labels:
    pages = [given.world.id_of(url) for url in crawl.order]
    return np.array([-1 if page is None else given.truth[page] for page in pages], np.int8)
