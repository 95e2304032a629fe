"""Answers from earlier crawls: which pages link to a URL, match some words or lie on a host."""

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

TERM_SATURATION = 1.2  # k1 of BM25
LENGTH_WEIGHT = 0.75  # b of BM25


class SearchIndex:
    """A small search engine in memory that ranks documents by BM25.

    >>> docs = {"a": {"sail": 3, "wind": 1}, "b": {"golf": 2, "wind": 1}, "c": {"sail": 1, "golf": 9}}
    >>> index = SearchIndex(docs.items())
    >>> index.search({"sail": 1})
    ['a', 'c']

    Robertson and Zaragoza, The probabilistic relevance framework: BM25 and beyond, 2009.
    """

    def __init__(self, docs: Iterable[tuple[str, Mapping[str, int]]]) -> None:
        self.names: list[str] = []
        self._lengths: list[int] = []
        self._postings: dict[str, list[tuple[int, int]]] = {}  # term -> (document, count)
        for number, (name, counts) in enumerate(docs):
            self.names.append(name)
            self._lengths.append(sum(counts.values()))
            for term, count in counts.items():
                self._postings.setdefault(term, []).append((number, count))
        # Without any word the mean would be 0, and a divisor.
        self._mean_length = sum(self._lengths) / max(1, len(self._lengths)) or 1.0

    def search(self, words: Iterable[str], most: int = 20) -> list[str]:
        """The names of the best matches; of equal ones, the document that was added first comes first."""
        scores: dict[int, float] = {}
        for word in dict.fromkeys(words):
            for number, score in self._scores(word):
                scores[number] = scores.get(number, 0.0) + score
        ranking = sorted(scores, key=lambda number: (-scores[number], number))
        return [self.names[number] for number in ranking[:most]]

    def _scores(self, word: str) -> Iterable[tuple[int, float]]:
        postings = self._postings.get(word, [])
        # The 1 keeps the weight of a word positive that stands in more than half of the documents.
        rarity = math.log(1 + (len(self.names) - len(postings) + 0.5) / (len(postings) + 0.5))
        for number, count in postings:
            relative_length = 1 - LENGTH_WEIGHT + LENGTH_WEIGHT * self._lengths[number] / self._mean_length
            yield number, rarity * count * (TERM_SATURATION + 1) / (count + TERM_SATURATION * relative_length)


class EarlierCrawls:
    """Answers from the folders of earlier crawls; nothing is read before the first question.

    Links and words are in the archives only, so the first question about them parses every page.
    """

    def __init__(self, folders: str | Path | Iterable[str | Path]) -> None:
        if isinstance(folders, str | Path):
            folders = [folders]
        self.folders = [Path(folder) for folder in folders]

    def backlinks(self, url: str, most: int = 20) -> list[str]:
        """Pages that link to a URL, in the order of their visits."""
        _, links, _ = self._read
        return links.get(url, [])[:most]

    def search(self, words: str, most: int = 20) -> list[str]:
        """Pages that match the words, the best first."""
        index, _, language = self._read
        return index.search(terms(words, language), most)

    def listed(self, host: str, most: int = 100) -> list[str]:
        """Pages that were fetched from a host."""
        return self._hosts.get(host, [])[:most]

    def terms(self, url: str) -> Mapping[str, int]:
        """The terms of a page that was fetched; empty for other URLs."""
        if url not in self._pages:
            return {}
        records, record = self._pages[url]
        return records.doc(record).terms

    @cached_property
    def _visits(self) -> list[tuple[Records, Record]]:
        visits: list[tuple[Records, Record]] = []
        for folder in self.folders:
            records = Records(folder)
            visits += [(records, record) for record in records.pages()]
        return visits

    @cached_property
    def _pages(self) -> dict[str, tuple[Records, Record]]:
        """The first visit that brought a document, by URL."""
        found: dict[str, tuple[Records, Record]] = {}
        for records, record in self._visits:
            if record.state == UrlState.FETCHED:
                found.setdefault(record.url, (records, record))
        return found

    @cached_property
    def _targets(self) -> dict[str, str]:
        """The URL at the end of the redirects, for each URL that redirects; a link to one is a link to the other."""
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
        """The search index of all pages, the pages that link to each URL, and the most common language."""
        links: dict[str, list[str]] = {}
        languages: Counter[str] = Counter()
        # One pass fills all three: the documents are too many to keep, and too slow to parse twice.
        index = SearchIndex((doc.url, doc.terms) for doc in self._docs(links, languages))
        language = languages.most_common(1)[0][0] if languages else "en"
        return index, links, language

    def _docs(self, links: dict[str, list[str]], languages: Counter[str]) -> Iterator[Doc]:
        """All documents; while they pass, their links and languages are noted."""
        for url, (records, record) in self._pages.items():
            doc = records.doc(record)
            if doc.language:
                languages[doc.language] += 1
            targets = dict.fromkeys(self._targets.get(link.url, link.url) for link in doc.links)
            for target in targets:
                if target != url:
                    links.setdefault(target, []).append(url)
            yield doc


def _end(url: str, next_hop: Mapping[str, str]) -> str:
    # Redirects may form a loop.
    path = [url]
    while (url := next_hop.get(url, "")) and url not in path:
        path.append(url)
    return path[-1]
