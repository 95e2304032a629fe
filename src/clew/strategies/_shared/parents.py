"""What visited pages hand down to the candidates that they link to; pages go by number."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from clew.strategies._base import Crawl
from clew.types import Link


def speaking(crawl: Crawl, handed: Mapping[int, int], links: Iterable[Link]) -> list[int]:
    """What those hand down that are the evidence for a candidate."""
    numbers = [crawl.number(link.source) for link in links]
    return [handed[number] for number in numbers if number is not None and number in handed]


def linking(crawl: Crawl, handed: Mapping[int, int], target: int | None) -> list[int]:
    """What all hand down that link to a URL, also those that are no evidence; dearer, as there can be thousands."""
    parents = () if target is None else crawl.graph.into(target)
    return [handed[parent] for parent in parents if parent in handed and parent != target]


def waiting(crawl: Crawl, sources: Iterable[int]) -> str:
    """The first candidate among the links of these pages, or ""."""
    for source in sources:
        for target in crawl.graph.out(source):
            url = crawl.url(target)
            if crawl.candidate(url):
                return url
    return ""
