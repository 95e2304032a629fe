"""Start pages from the examples of topics, for a crawl that was given none (the Ariadne paper, section 3.1)."""

from __future__ import annotations

from typing import Final

from clew.config import Config
from clew.errors import ConfigError
from clew.interests import Taxonomy, parse
from clew.interests.guidance import guided
from clew.interests.syntax import Topic, atoms

MAX_LISTED: Final = 3  # examples that a message names
NONE_GIVEN: Final = "give at least one start page: seeds (--seeds URL), or an earlier crawl: --learned-from FOLDER"


def example_starts(config: Config) -> tuple[str, ...]:
    """The web pages among the examples of the topics that the interest asks for.

    A topic that it asks for with NOT is none of them. ConfigError if there are no such pages.

    >>> from clew.config import Topic, configure
    >>> topics = {"boats": Topic(examples=("https://a.example/sail",)), "cars": Topic(examples=("https://b.example/",))}
    >>> example_starts(configure(interest="boats AND NOT cars", topics=topics))
    ('https://a.example/sail',)
    """
    found: dict[str, None] = {}
    for topic in _topics(config):
        found |= dict.fromkeys(Taxonomy(config.topics).examples(topic))
    pages = tuple(place for place in found if _is_web_page(place))
    if not pages:
        raise ConfigError(_refusal(list(found)))
    return pages


def started_from_examples(given: Config, config: Config) -> list[str]:
    """A line that says where the start pages come from if none were given; `given` are the settings before."""
    if given.what.seeds or not config.what.seeds:
        return []
    count = len(config.what.seeds)
    if config.what.learned_from:
        hubs = "the best hub" if count == 1 else f"the {count} best hubs"
        return [f"no start pages were given: the crawl starts at {hubs} of {config.what.learned_from}"]
    with_examples = [
        topic for topic in _topics(config) if any(map(_is_web_page, Taxonomy(config.topics).examples(topic)))
    ]
    pages = "the example" if count == 1 else f"the {count} examples"
    return [f"no start pages were given: the crawl starts at {pages} of {', '.join(with_examples)}"]


def _topics(config: Config) -> list[str]:
    if not config.what.interest or not config.topics:
        return []
    tree = Taxonomy(config.topics)
    names = [tree.name(atom.name) for atom in atoms(guided(parse(config.what.interest))) if isinstance(atom, Topic)]
    return [name for name in names if name in config.topics]


def _is_web_page(place: str) -> bool:
    return place.lower().startswith(("http://", "https://"))


def _refusal(examples: list[str]) -> str:
    if not examples:
        return NONE_GIVEN
    listed = ", ".join(examples[:MAX_LISTED]) + (", …" if len(examples) > MAX_LISTED else "")
    return f"{NONE_GIVEN}; the examples of the topics are no web pages ({listed}), so the crawl cannot start there"
