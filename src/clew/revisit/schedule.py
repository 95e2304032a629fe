"""Orders pages for revisits, by their relevance and the probability that they have changed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise
from typing import Final, Literal

from clew.parse import canonical, host
from clew.parse.sitemap import listing
from clew.revisit.change_rate import USUAL_CHANGES_PER_DAY, best_rates, chance_of_change, gain, rate_of
from clew.store import Record, Revisit
from clew.types import Fetched

DAY: Final = 86_400.0  # seconds
PRIOR_PRECISION: Final = 0.5  # of a sitemap that was never put to the test

Aim = Literal["changes", "freshness"]


@dataclass(frozen=True, slots=True)
class DuePage:
    """A page that may be visited again, and the value of such a visit.

    The value is the relevance times a factor that depends on the aim: the probability of a change, or the days for
    which a visit keeps the page fresh.
    """

    record: Record
    relevance: float
    rate: float  # changes per day
    days: float  # since the last visit
    chance: float  # probability that it has changed since
    value: float
    hinted: bool = False  # a sitemap announces a change
    last: Revisit | None = None  # the last revisit that showed whether it had changed

    @property
    def url(self) -> str:
        """The URL of the page."""
        return self.record.url


def schedule(
    records: Iterable[Record],
    history: Mapping[str, Sequence[Revisit]],
    now: float,
    every: float = 0.0,
    modified: Mapping[str, float] | None = None,
    aim: Aim = "changes",
) -> list[DuePage]:
    """The pages that were not visited for `every` days, the most valuable first.

    `history` holds the revisits of each URL, and `modified` the times of the last change according to sitemaps.
    """
    sitemap_precision = precision(history)
    due = []
    for record in records:
        revisits = history.get(record.url, ())
        page = _assess(record, revisits, now, modified or {}, sitemap_precision, aim)
        # A page that the archive has lost is due until a visit brings it back.
        has_version = not record.is_lost or any(visit.whole for visit in revisits)
        if page.days >= every or not has_version:
            due.append(page)
    return sorted(due, key=lambda page: (-page.value, page.record.order))


def precision(history: Mapping[str, Sequence[Revisit]]) -> dict[str, float]:
    """For each host, how often a page had changed when a sitemap announced it; a half without any observation."""
    outcomes: dict[str, list[bool]] = defaultdict(list)
    for url, visits in history.items():
        outcomes[host(url)] += [visit.changed for visit in visits if visit.hinted and visit.changed is not None]
    # Laplace's rule of succession: one hit and one miss are added.
    return {name: (sum(hits) + 1) / (len(hits) + 2) for name, hits in outcomes.items()}


def lastmods(sitemap: Fetched) -> Iterator[tuple[str, float]]:
    """The URLs that a sitemap lists with the time of their last change."""
    found = listing(sitemap.body, sitemap.header("content-type"))
    if not found or found.kind != "sitemap":
        return
    for entry in found.entries:
        url = canonical(entry.url, sitemap.url)
        changed_at = _seconds(entry.changed)
        if url and changed_at:
            yield url, changed_at


def plan(pages: Sequence[DuePage], visits_a_day: float) -> list[float]:
    """For each page, the days between two visits that keep the most relevance fresh; infinite for no visit."""
    rates = best_rates([page.relevance for page in pages], [page.rate for page in pages], visits_a_day)
    return [1 / rate if rate else float("inf") for rate in rates]


def _assess(
    record: Record,
    visits: Sequence[Revisit],
    now: float,
    modified: Mapping[str, float],
    sitemap_precision: Mapping[str, float],
    aim: Aim,
) -> DuePage:
    """Estimate how often a page changes, and how valuable a visit is now."""
    conclusive = [visit for visit in visits if visit.changed is not None]
    seen_at = conclusive[-1].at if conclusive else record.at
    days = max(0.0, now - seen_at) / DAY
    rate = _change_rate(record, conclusive)
    # A time that lies more than a day ahead is a mistake of the sitemap.
    hinted = seen_at < modified.get(record.url, 0.0) < now + DAY
    # The probability that the page is unchanged shrinks as far as the sitemap was right before.
    doubt = 1 - sitemap_precision.get(record.host, PRIOR_PRECISION) if hinted else 1.0
    chance = 1 - (1 - chance_of_change(rate, days)) * doubt
    # It grows to 1/rate, the gain where a change is certain.
    days_fresh = (1 - (1 - gain(rate, days) * rate) * doubt) / rate
    relevances = [visit.relevance for visit in visits if visit.relevance is not None]
    relevance = relevances[-1] if relevances else record.relevance
    value = relevance * (chance if aim == "changes" else days_fresh)
    # A host that does not answer is tried again when its turn comes, not at once.
    days_since_try = max(0.0, now - visits[-1].at) / DAY if visits else days
    last = conclusive[-1] if conclusive else None
    return DuePage(record, relevance, rate, min(days, days_since_try), chance, value, hinted, last)


def _change_rate(record: Record, conclusive: Sequence[Revisit]) -> float:
    """Changes per day, from the visits that showed whether the page had changed."""
    times = [record.at, *(visit.at for visit in conclusive)]
    changed: list[float] = []
    unchanged: list[float] = []
    for visit, (earlier, later) in zip(conclusive, pairwise(times), strict=True):
        days = (later - earlier) / DAY
        (changed if visit.changed else unchanged).append(days)
    return rate_of(changed, unchanged, USUAL_CHANGES_PER_DAY)


def _seconds(text: str) -> float:
    """A W3C date as seconds since 1970; 0 if it is not one. A date without a time is the start of that day."""
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError:
        return 0.0
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
