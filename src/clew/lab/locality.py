"""Topical locality: how likely a page is relevant, by its distance from a relevant page, by anchors and by URLs.

Davison, Topical locality in the web, SIGIR 2000; Menczer, Lexical and semantic clustering by web links, JASIST 2004.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from clew.base.chance import chance
from clew.lab.bow_tie import BowTie, bow_tie
from clew.lab.siblings import sibling_texts
from clew.lab.snapshot import Snapshot, Truth
from clew.learning.profile import Profile, likeness, strongest, unit
from clew.parse import host
from clew.text.terms import stems

MAX_DISTANCE: Final = 5  # links
PAGES_PER_TOPIC: Final = 40  # relevant pages from which distances are measured
PAIRS_PER_DISTANCE: Final = 3  # pages whose texts are compared with each of them
SOURCES_PER_TOPIC: Final = 200  # pages whose links are looked at
ANCHOR_STEPS: Final = (0.0, 0.1, 0.2, 0.4)  # similarities: 0, up to .1, up to .2, up to .4, above
MAX_URL_PARTS: Final = 4


@dataclass(frozen=True, slots=True)
class Likelihood:
    """How likely pages of one kind are relevant."""

    kind: str
    share: float  # of relevant pages, as the mean over topics
    lift: float  # share as a multiple of the topic's share of all pages, as the mean over topics
    pairs: int  # observations


@dataclass(frozen=True, slots=True)
class Locality:
    """The figures of one world."""

    world: str
    topics: tuple[str, ...]
    base: float  # share of relevant pages among all, as the mean over topics
    by_distance: tuple[Likelihood, ...]  # links from a relevant page
    text: Mapping[str, float]  # similarity of texts by link distance, and of pages drawn by chance
    siblings: Mapping[str, float]  # similarity of the texts of pages linked from one page, by the distance of the links
    by_anchor: tuple[Likelihood, ...]  # similarity of the anchor with relevant pages
    by_url: tuple[Likelihood, ...]  # leading parts of the URL shared with a relevant page
    bow_tie: BowTie


Counts = dict[str, list[int]]
"""By kind: pages, and relevant ones among them."""


def locality(world: Snapshot, topics: Sequence[str], seed: int = 0) -> Locality:
    """Measure a world by some of its topics."""
    truths = {topic: world.truth(topic) for topic in topics}
    bases = {topic: float((truth == 1).sum() / max(1, (truth >= 0).sum())) for topic, truth in truths.items()}
    distances = [f"{steps}" for steps in range(MAX_DISTANCE + 1)]
    urls = [
        "elsewhere",
        "host",
        *(f"{parts} parts" for parts in range(2, MAX_URL_PARTS)),
        f"{MAX_URL_PARTS}+ parts",
    ]
    anchors = ["0", *(f"to {high:g}" for high in ANCHOR_STEPS[1:]), f"above {ANCHOR_STEPS[-1]:g}"]

    def pooled(measure: Callable[[Snapshot, str, Truth, int], Counts], kinds: Sequence[str]) -> tuple[Likelihood, ...]:
        counted = {topic: measure(world, topic, truth, seed) for topic, truth in truths.items()}
        return tuple(_likelihood(kind, counted, bases) for kind in kinds)

    return Locality(
        world.name,
        tuple(topics),
        float(np.mean(list(bases.values()))),
        pooled(_by_distance, distances),
        _texts(world, truths, seed),
        sibling_texts(world, seed),
        pooled(_by_anchor, anchors),
        pooled(_by_url, urls),
        bow_tie(world.graph),
    )


def some_topics(world: Snapshot, count: int) -> list[str]:
    """Topics that have enough pages to measure and are not most of the web, spread over all sizes."""
    pages = len(world)
    usable = [topic for topic, size in world.topics.items() if 10 <= size <= 0.3 * pages]
    ranked = sorted(usable or world.topics, key=lambda topic: (-world.topics[topic], topic))
    step = max(1, len(ranked) // count)
    return ranked[::step][:count]


def _likelihood(kind: str, counted: Mapping[str, Counts], bases: Mapping[str, float]) -> Likelihood:
    shares: list[float] = []
    lifts: list[float] = []
    pairs = 0
    for topic, counts in counted.items():
        seen, relevant = counts.get(kind, [0, 0])
        pairs += seen
        if seen:
            shares.append(relevant / seen)
            lifts.append(relevant / seen / bases[topic])
    if not shares:
        return Likelihood(kind, 0.0, 0.0, 0)
    return Likelihood(kind, float(np.mean(shares)), float(np.mean(lifts)), pairs)


def _by_distance(world: Snapshot, topic: str, truth: Truth, seed: int) -> Counts:
    """Pages by their distance from each of some relevant pages, that page left out."""
    counts: Counts = {}
    for start in _relevant(world, topic, truth, seed):
        distances = world.graph.distances([start])
        for steps in range(1, MAX_DISTANCE + 1):
            labels = truth[distances == steps]
            _add(counts, f"{steps}", int((labels >= 0).sum()), int((labels == 1).sum()))
    _add(counts, "0", 1, 1)
    return counts


def _by_url(world: Snapshot, topic: str, truth: Truth, seed: int) -> Counts:
    """Pages by the leading parts that their URL shares with that of each of some relevant pages."""
    counts: Counts = {}
    parts = [_parts(url) for url in world.urls]
    hosts = {name: np.array(pages) for name, pages in _grouped(world.urls).items()}
    labelled = truth >= 0
    for start in _relevant(world, topic, truth, seed):
        here = hosts[host(world.urls[start])]
        inside = [page for page in here.tolist() if page != start and labelled[page]]
        for page in inside:
            shared = min(MAX_URL_PARTS, _shared(parts[start], parts[page]))
            kind = "host" if shared == 1 else f"{shared}{'+' if shared == MAX_URL_PARTS else ''} parts"
            _add(counts, kind, 1, int(truth[page] == 1))
        relevant_here = int((truth[here] == 1).sum())
        _add(
            counts,
            "elsewhere",
            int(labelled.sum()) - int(labelled[here].sum()),
            int((truth == 1).sum()) - relevant_here,
        )
    return counts


def _by_anchor(world: Snapshot, topic: str, truth: Truth, seed: int) -> Counts:
    """Targets of links by the similarity of the anchor with the words of other relevant pages."""
    counts: Counts = {}
    words = _topic_words(world, _relevant(world, topic, truth, seed))
    pages = range(len(world))
    drawn = sorted(pages, key=lambda page: chance(seed, "sources", topic, page))[:SOURCES_PER_TOPIC]
    for source in drawn:
        for link in world.doc(source).links:
            target = world.id_of(link.url)
            if target is None or truth[target] < 0 or target == source:
                continue
            similarity = likeness(Counter(stems(link.anchor)), words)
            _add(counts, _step(similarity), 1, int(truth[target] == 1))
    return counts


def _texts(world: Snapshot, truths: Mapping[str, Truth], seed: int) -> dict[str, float]:
    """The mean similarity of the text of relevant pages with that of pages some links away, and of any pages."""
    found: dict[str, list[float]] = {}
    for topic, truth in truths.items():
        for start in _relevant(world, topic, truth, seed)[: PAGES_PER_TOPIC // 2]:
            own = unit(world.doc(start).terms)
            distances = world.graph.distances([start])
            places = {f"{steps}": np.flatnonzero(distances == steps) for steps in range(1, MAX_DISTANCE + 1)}
            places["any"] = np.arange(len(world))
            for kind, pages in places.items():
                for page in _drawn(pages.tolist(), PAIRS_PER_DISTANCE, seed, "texts", start, kind):
                    found.setdefault(kind, []).append(likeness(own, unit(world.doc(page).terms)))
    return {kind: float(np.mean(values)) for kind, values in sorted(found.items())}


def _topic_words(world: Snapshot, pages: Iterable[int]) -> Profile:
    """The words of some relevant pages, each page with the same weight."""
    total: Counter[str] = Counter()
    for page in pages:
        total.update(unit(world.doc(page).terms))
    return strongest(total)


def _relevant(world: Snapshot, topic: str, truth: Truth, seed: int) -> list[int]:
    return _drawn(np.flatnonzero(truth == 1).tolist(), PAGES_PER_TOPIC, seed, "locality", topic)


def _drawn(pages: Sequence[int], most: int, seed: int, *key: object) -> list[int]:
    return sorted(pages, key=lambda page: chance(seed, *key, page))[:most]


def _step(similarity: float) -> str:
    """
    >>> _step(0.0), _step(0.15), _step(0.9)
    ('0', 'to 0.2', 'above 0.4')
    """
    if similarity <= 0:
        return "0"
    high = next((high for high in ANCHOR_STEPS[1:] if similarity <= high), None)
    return f"above {ANCHOR_STEPS[-1]:g}" if high is None else f"to {high:g}"


def _parts(url: str) -> list[str]:
    """
    >>> _parts("http://a.example/boats/small/1.html?x=1")
    ['a.example', 'boats', 'small', '1.html']
    """
    return url.partition("://")[2].partition("?")[0].rstrip("/").split("/")


def _shared(some: Sequence[str], others: Sequence[str]) -> int:
    """The number of leading parts that two URLs share."""
    count = 0
    for one, other in zip(some, others, strict=False):
        if one != other:
            break
        count += 1
    return count


def _grouped(urls: Sequence[str]) -> dict[str, list[int]]:
    pages: dict[str, list[int]] = {}
    for page, url in enumerate(urls):
        pages.setdefault(host(url), []).append(page)
    return pages


def _add(counts: Counts, kind: str, pages: int, relevant: int) -> None:
    cell = counts.setdefault(kind, [0, 0])
    cell[0] += pages
    cell[1] += relevant
