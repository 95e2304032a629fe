"""What users are told: worked numbers, and what the engine says when."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from clew.config import Until
from clew.core.advice import AS_SET, OF_JUDGE, OF_START_PAGES, USUAL, Quality, advice, next_steps, quality
from clew.core.simulation import run_simulation
from clew.testing.tiny_web import TinyLink, TinyPage, TinyWeb, TinyWebFetcher, TinyWebInterest, url_of
from clew.types import Stats


def said(relevant: int, visited: int, relevances: Sequence[float], threshold: float = 0.5) -> str:
    return "\n".join(advice(Stats(relevant=relevant, visited=visited), threshold, relevances, "crawls/x"))


@pytest.mark.parametrize(("relevant", "visited"), [(30, 50), (1, 50), (2, 100)])
def test_a_usual_share_needs_no_advice(relevant: int, visited: int) -> None:
    assert said(relevant, visited, [0.6]) == ""


def test_when_nearly_everything_counts_a_threshold_for_half_of_it_is_suggested() -> None:
    text = said(4, 5, [0.5, 0.6, 0.7, 0.9, 0.1])
    assert "4 of 5 visits found relevant pages (80%)" in text
    assert "clew export crawls/x --relevant --format urls" in text
    assert "clew label crawls/x URL no" in text
    # The middle of 0.5, 0.6, 0.7 and 0.9.
    assert "clew resume crawls/x --threshold 0.70" in text


def test_when_nearly_nothing_counts_a_threshold_for_one_page_in_ten_is_suggested() -> None:
    relevances = [0.98, 0.3, 0.25] + [0.1] * 17
    text = said(1, 100, relevances, threshold=0.9)
    assert "1 of 100 visits found relevant pages (1%)" in text
    assert "clew label crawls/x URL yes" in text
    # Three of twenty pages reach the relevance of the third.
    assert "clew resume crawls/x --threshold 0.25" in text
    assert "keywords" in text


@pytest.mark.parametrize(("relevant", "relevances"), [(50, [0.5] * 50), (0, [0.0] * 50), (0, []), (50, [])])
def test_no_other_threshold_is_suggested_where_it_would_change_nothing(relevant: int, relevances: list[float]) -> None:
    text = said(relevant, 50, relevances)
    assert "clew label" in text
    assert "--threshold" not in text


def test_precision_and_recall_are_means_of_probabilities() -> None:
    pages = [(0.9, True), (0.8, True), (0.7, True), (0.4, False), (0.2, False)]
    found = quality(pages)
    assert found == pytest.approx(Quality(precision=2.4 / 3, recall=2.4 / 3.0))


def test_nothing_is_expected_of_nothing() -> None:
    assert quality([]) is None
    assert quality([(0.3, False)]) is None


@pytest.mark.parametrize(
    ("stats", "limit", "commands"),
    [
        (Stats(relevant=5, pages=80, waiting=9), 100, ["export", "label", "clew resume 'my crawl'"]),
        (Stats(relevant=5, pages=100, waiting=9), 100, ["export", "label", "clew resume 'my crawl' --pages 200"]),
        (Stats(relevant=5, pages=80, waiting=9), None, ["export", "label", "clew resume 'my crawl'"]),
        (Stats(relevant=5, pages=80), 100, ["export", "label"]),
        (Stats(pages=80), 100, ["explain", "label"]),
        (Stats(), 100, []),
    ],
)
def test_the_next_steps_fit_the_crawl(stats: Stats, limit: int | None, commands: list[str]) -> None:
    found = [step.command for step in next_steps("my crawl", stats, Until(pages=limit))]
    assert len(found) == len(commands)
    for command, part in zip(found, commands, strict=True):
        assert part in command
    assert not found or stats.waiting == 0 or found[-1] == commands[-1]


def test_going_on_after_a_limit_of_visits_raises_that_limit() -> None:
    stats = Stats(relevant=5, visited=500, pages=440, waiting=9)
    assert next_steps("c", stats, Until(pages=None, visits=500))[-1].command == "clew resume c --visits 1000"


def ring(relevant_every: int, size: int = 130) -> TinyWeb:
    """Pages in a circle; one in so many is relevant, the first one always."""
    names = [f"p{number}" for number in range(size)]
    pages = {}
    for number, name in enumerate(names):
        follower = names[(number + 1) % size]
        relevance = 0.9 if number % relevant_every == 0 else 0.2
        pages[name] = TinyPage(relevance, text=f"page {number}", links=(TinyLink(follower, "on"),))
    return TinyWeb(pages)


def told(web: TinyWeb, **settings: object) -> list[str]:
    messages: list[str] = []

    def listen(engine: object) -> None:
        engine.notify = messages.append  # type: ignore[attr-defined]

    run_simulation(
        TinyWebFetcher(web),
        TinyWebInterest(web),
        [url_of("p0")],
        strategy="breadth_first",
        prepare=listen,
        **{"pages": 120, **settings},
    )
    return messages


def test_the_threshold_is_told_at_the_start_with_its_origin() -> None:
    assert told(ring(2), threshold=0.4, pages=5) == [f"pages count as relevant from 0.400 on, {AS_SET}"]
    assert told(ring(2), pages=5) == [f"pages count as relevant from 0.500 on, {USUAL}"]
    [line] = told(ring(2), threshold="start-pages", pages=5)
    assert line.startswith("pages count as relevant from ")
    assert line.endswith((OF_START_PAGES, OF_JUDGE))


@pytest.mark.parametrize(("every", "shares"), [(1, ["50 of 50", "100 of 100"]), (2, []), (200, ["1 of 100"])])
def test_advice_comes_after_50_and_100_visits(every: int, shares: list[str]) -> None:
    advised = [line for line in told(ring(every), threshold=0.5) if "visits found relevant pages" in line]
    assert [line.partition(" visits")[0] for line in advised] == shares
