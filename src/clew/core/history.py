"""What lies outside the link graph of a crawl: back-links, search and lists of hosts, from earlier crawls."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path

from clew.parse import host
from clew.store import Record, Records
from clew.text.terms import terms
from clew.types import Doc, UrlState

SATURATION = 1.2  # k1 of BM25
LENGTH = 0.75  # b of BM25


class SearchIndex:
    """A small search engine in memory, by BM25.

    >>> docs = {"a": {"sail": 3, "wind": 1}, "b": {"golf": 2, "wind": 1}, "c": {"sail": 1, "golf": 9}}
    >>> index = SearchIndex(docs.items())
    >>> index.search({"sail": 1})
    ['a', 'c']

    Robertson and Zaragoza, The probabilistic relevance framework: BM25 and beyond, 2009.
    """

    def __init__(self, docs: Iterable[tuple[str, Mapping[str, int]]]) -> None:
        self.names: list[str] = []
        self._lengths: list[int] = []
        self._places: dict[str, list[tuple[int, int]]] = {}  # term -> (document, count)
        for number, (name, counts) in enumerate(docs):
            self.names.append(name)
            self._lengths.append(sum(counts.values()))
            for term, count in counts.items():
                self._places.setdefault(term, []).append((number, count))
        self._mean = sum(self._lengths) / max(1, len(self._lengths)) or 1.0

    def search(self, words: Iterable[str], most: int = 20) -> list[str]:
        """The names of the documents that fit best; the first of equals first."""
        scores: dict[int, float] = {}
        for word in dict.fromkeys(words):
            for number, score in self._scores(word):
                scores[number] = scores.get(number, 0.0) + score
        return [self.names[number] for number in sorted(scores, key=lambda n: (-scores[n], n))[:most]]

    def _scores(self, word: str) -> Iterable[tuple[int, float]]:
        places = self._places.get(word, [])
        rarity = math.log(1 + (len(self.names) - len(places) + 0.5) / (len(places) + 0.5))
        for number, count in places:
            long = 1 - LENGTH + LENGTH * self._lengths[number] / self._mean
            yield number, rarity * count * (SATURATION + 1) / (count + SATURATION * long)


class EarlierCrawls:
    """Answers from the folders of earlier crawls; nothing is read before it is asked for.

    Links and words are in the archives only, so the first question about them parses every page once.
    """

    def __init__(self, folders: str | Path | Iterable[str | Path]) -> None:
        self.folders = [Path(f) for f in ([folders] if isinstance(folders, str | Path) else folders)]

    def linking_to(self, url: str, most: int = 20) -> list[str]:
        """Pages that linked there, in the order of their visits."""
        _, links, _ = self._read
        return links.get(url, [])[:most]

    def about(self, words: str, most: int = 20) -> list[str]:
        """Pages that fit the words."""
        index, _, language = self._read
        return index.search(terms(words, language), most)

    def listed(self, host: str, most: int = 100) -> list[str]:
        """Pages that were fetched from a host."""
        return self._hosts.get(host, [])[:most]

    def terms(self, url: str) -> Mapping[str, int]:
        """Of a page that was fetched."""
        found = self._pages.get(url)
        return found[0].doc(found[1]).terms if found else {}

    @cached_property
    def _visits(self) -> list[tuple[Records, Record]]:
        return [(records, record) for records in map(Records, self.folders) for record in records.pages()]

    @cached_property
    def _pages(self) -> dict[str, tuple[Records, Record]]:
        """The first visit that brought a document, for each URL."""
        found: dict[str, tuple[Records, Record]] = {}
        for records, record in self._visits:
            if record.state == UrlState.FETCHED:
                found.setdefault(record.url, (records, record))
        return found

    @cached_property
    def _homes(self) -> dict[str, str]:
        """Where redirects lead in the end; links to them are links to that."""
        next_hop = {record.url: record.location for _, record in self._visits if record.state == UrlState.REDIRECTED}
        return {url: _end(url, next_hop) for url in next_hop}

    @cached_property
    def _hosts(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for url in self._pages:
            found.setdefault(host(url), []).append(url)
        return found

    @cached_property
    def _read(self) -> tuple[SearchIndex, dict[str, list[str]], str]:
        """The words of all pages, the pages that link to each URL, and the language that most are in."""
        links: dict[str, list[str]] = {}
        languages: Counter[str] = Counter()
        index = SearchIndex((doc.url, doc.terms) for doc in self._docs(links, languages))
        return index, links, languages.most_common(1)[0][0] if languages else "en"

    def _docs(self, links: dict[str, list[str]], languages: Counter[str]) -> Iterator[Doc]:
        for url, (records, record) in self._pages.items():
            doc = records.doc(record)
            languages.update([doc.language] if doc.language else [])
            targets = dict.fromkeys(self._homes.get(link.url, link.url) for link in doc.links)
            for target in targets:
                if target != url:
                    links.setdefault(target, []).append(url)
            yield doc


def _end(url: str, next_hop: Mapping[str, str]) -> str:
    way = [url]
    while (url := next_hop.get(url, "")) and url not in way:
        way.append(url)
    return way[-1]
