"""The numbers of all crawls for Prometheus, as text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from clew.serve.service import Service

MEDIA_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"
MAX_CRAWLS: Final = 200
MEASURES: Final = {
    "visited": ("clew_crawl_visits_total", "counter", "Visits"),
    "relevant": ("clew_crawl_relevant_pages_total", "counter", "Relevant pages found"),
    "waiting": ("clew_crawl_candidates", "gauge", "Candidates that wait"),
    "harvest": ("clew_crawl_harvest_ratio", "gauge", "Share of relevant pages among all visits"),
    "seconds": ("clew_crawl_seconds_total", "counter", "Running time"),
}
STATES: Final = ("running", "paused", "stopped", "finished", "unreadable")


def metrics(service: Service) -> str:
    """One line for each number of each crawl."""
    crawls = service.crawls()["items"][:MAX_CRAWLS]
    return "".join([*_measures(crawls), *_states(crawls), *_answers(service.counts)])


def _measures(crawls: list[dict[str, Any]]) -> Iterator[str]:
    for name, (metric, kind, text) in MEASURES.items():
        yield _head(metric, kind, text)
        for crawl in crawls:
            yield f"{metric}{_labels(crawl=crawl['id'])} {crawl[name]}\n"


def _states(crawls: list[dict[str, Any]]) -> Iterator[str]:
    yield _head("clew_crawl_state", "gauge", "1 for the state in which a crawl is")
    for crawl in crawls:
        for state in STATES:
            yield f"clew_crawl_state{_labels(crawl=crawl['id'], state=state)} {int(crawl['state'] == state)}\n"


def _answers(counts: Mapping[str, int]) -> Iterator[str]:
    yield _head("clew_serve_answers_total", "counter", "Answers of this service, by status")
    for status, count in sorted(counts.items()):
        yield f"clew_serve_answers_total{_labels(status=status)} {count}\n"


def _head(metric: str, kind: str, text: str) -> str:
    return f"# HELP {metric} {text}.\n# TYPE {metric} {kind}\n"


def _labels(**labels: str) -> str:
    """Labels as Prometheus reads them; ids have only letters, digits and hyphens."""
    pairs = ",".join(f'{name}="{value}"' for name, value in labels.items())
    return f"{{{pairs}}}"
