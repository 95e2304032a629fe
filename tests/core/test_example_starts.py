"""Start pages from the examples of topics."""

from __future__ import annotations

import pytest

from clew.config import Topic, configure
from clew.core.example_starts import example_starts, started_from_examples
from clew.errors import ConfigError

TOPICS = {
    "sports": Topic(keywords=("sports",)),
    "water sports": Topic(parent="sports", examples=("https://a.example/surf", "notes.txt")),
    "golf": Topic(parent="sports", examples=("http://b.example/golf",)),
    "cars": Topic(examples=("https://c.example/",)),
    "boats": Topic(examples=("boats/", "yacht.html", "a.txt", "b.txt")),
}


@pytest.mark.parametrize(
    ("interest", "pages"),
    [
        ("water sports", ("https://a.example/surf",)),
        ("Water  Sports OR cars", ("https://a.example/surf", "https://c.example/")),
        ("sports", ("https://a.example/surf", "http://b.example/golf")),  # examples of subtopics are examples, too
        ("sports AND NOT golf AND NOT cars", ("https://a.example/surf", "http://b.example/golf")),
        ("boats AND cars", ("https://c.example/",)),
    ],
)
def test_the_web_pages_among_the_examples(interest: str, pages: tuple[str, ...]) -> None:
    assert example_starts(configure(interest=interest, topics=TOPICS)) == pages


@pytest.mark.parametrize(
    ("interest", "message"),
    [
        ("boats", r"no web pages \(.*boats, .*yacht.html, .*a.txt, …\), so the crawl cannot start there"),
        ("NOT cars", "at least one start page: seeds"),
        ("flowers", "at least one start page: seeds"),
    ],
)
def test_without_web_pages_there_is_no_start(interest: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        example_starts(configure(interest=interest, topics=TOPICS))


def test_the_user_is_told() -> None:
    given = configure(interest="water sports OR cars OR boats", topics=TOPICS)
    started = configure(given, seeds=example_starts(given))
    assert started_from_examples(given, started) == [
        "no start pages were given: the crawl starts at the 2 examples of water sports, cars"
    ]
    assert started_from_examples(started, started) == []
