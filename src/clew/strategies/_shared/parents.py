"""What visited pages hand down to the candidates they link to; pages are identified by number."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from clew.strategies._base import Crawl
from clew.types import Link


def speaking(crawl: Crawl, handed: Mapping[int, int], links: Iterable[Link]) -> list[int]:
    """What the sources of these links hand down: the links known for a candidate."""
    numbers = [crawl.number(link.source) for link in links]
    return [handed[number] for number in numbers if number is not None and number in handed]


def linking(crawl: Crawl, handed: Mapping[int, int], target: int | None) -> list[int]:
    """What all pages that link to a URL hand down; slower than `speaking`, because there can be thousands."""
    parents = () if target is None else crawl.graph.into(target)
    return [handed[parent] for parent in parents if parent in handed and parent != target]


def waiting(crawl: Crawl, sources: Iterable[int]) -> str:
    """The URL of the first candidate that these pages link to, or ""."""
    for source in sources:
        for target in crawl.graph.out(source):
            url = crawl.url(target)
            if crawl.candidate(url):
                return url
    return ""
