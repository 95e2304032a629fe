"""Which pages are worth another visit: by their relevance, and by how likely they have changed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise
from typing import Final, Literal

from clew.parse import canonical, host
from clew.parse.sitemap import listing
from clew.revisit.change_rate import USUAL, best_rates, chance_of_change, gain, rate_of
from clew.store import Record, Revisit
from clew.types import Fetched

DAY: Final = 86_400.0

Aim = Literal["changes", "freshness"]


@dataclass(frozen=True, slots=True)
class Due:
    """A page that may be visited again, and what that is worth.

    The value is the relevance times, where changes are wanted, the chance of one; where a fresh collection is wanted,
    the days for which a visit keeps the page fresh.
    """

    record: Record
    relevance: float
    rate: float  # changes a day
    days: float  # since the last visit
    chance: float  # that it has changed since
    value: float
    hinted: bool = False  # a sitemap tells of a change
    last: Revisit | None = None  # the last later visit that told something

    @property
    def url(self) -> str:
        """Its address."""
        return self.record.url


def schedule(
    records: Iterable[Record],
    history: Mapping[str, Sequence[Revisit]],
    now: float,
    every: float = 0.0,
    modified: Mapping[str, float] | None = None,
    aim: Aim = "changes",
) -> list[Due]:
    """The pages whose last visit is so many days ago, the most valuable first."""
    modified, trust = modified or {}, precision(history)
    dues = (_due(record, history.get(record.url, ()), now, modified, trust, aim) for record in records)
    return sorted((due for due in dues if due.days >= every), key=lambda due: (-due.value, due.record.order))


def precision(history: Mapping[str, Sequence[Revisit]]) -> dict[str, float]:
    """For each host, how often there was a change when its sitemap told of one; a half while that is unknown."""
    told: dict[str, list[bool]] = defaultdict(list)
    for url, visits in history.items():
        told[host(url)] += [visit.changed for visit in visits if visit.hinted and visit.changed is not None]
    return {name: (sum(found) + 1) / (len(found) + 2) for name, found in told.items()}


def lastmods(sitemap: Fetched) -> Iterator[tuple[str, float]]:
    """The URLs that a sitemap names, with the time of their last change, where it tells."""
    found = listing(sitemap.body, sitemap.header("content-type"))
    for entry in found.entries if found and found.kind == "sitemap" else ():
        if (url := canonical(entry.url, sitemap.url)) and (moment := _moment(entry.changed)):
            yield url, moment


def plan(dues: Sequence[Due], visits_a_day: float) -> list[float]:
    """For each page the days between two visits that keep the most relevance fresh; infinite for no visit."""
    rates = best_rates([due.relevance for due in dues], [due.rate for due in dues], visits_a_day)
    return [1 / rate if rate else float("inf") for rate in rates]


def _due(
    record: Record,
    visits: Sequence[Revisit],
    now: float,
    modified: Mapping[str, float],
    trust: Mapping[str, float],
    aim: Aim,
) -> Due:
    told = [visit for visit in visits if visit.changed is not None]
    times = [record.at, *(visit.at for visit in told)]
    gaps = [(later - earlier) / DAY for earlier, later in pairwise(times)]
    changed = [gap for gap, visit in zip(gaps, told, strict=True) if visit.changed]
    still = [gap for gap, visit in zip(gaps, told, strict=True) if not visit.changed]
    rate, days = rate_of(changed, still, USUAL), max(0.0, now - times[-1]) / DAY
    hinted = times[-1] < modified.get(record.url, 0.0) < now + DAY  # what lies ahead is no news
    doubt = 1 - trust.get(record.host, 0.5) if hinted else 1.0
    chance = 1 - (1 - chance_of_change(rate, days)) * doubt
    fresh = (1 - (1 - gain(rate, days) * rate) * doubt) / rate  # 1/rate where a change is certain
    judged = [visit.relevance for visit in visits if visit.relevance is not None]
    # A host that does not answer is tried again when its turn comes, not at once.
    tried = max(0.0, now - visits[-1].at) / DAY if visits else days
    relevance = judged[-1] if judged else record.relevance
    value = relevance * (chance if aim == "changes" else fresh)
    return Due(record, relevance, rate, min(days, tried), chance, value, hinted, told[-1] if told else None)


def _moment(text: str) -> float:
    """A W3C date as seconds; 0 where it is none. A day without an hour counts from its beginning."""
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError:
        return 0.0
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
