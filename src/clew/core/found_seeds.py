"""Start pages from a search: where the user names none, the search sources are asked for the interest."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import zip_longest
from typing import Final

from clew.config import Config, Topic, configure
from clew.core.own_parts import OwnParts
from clew.core.search_sources import build_search_source, online
from clew.errors import ConfigError
from clew.interests import syntax
from clew.interests.parser import parse

MAX_FOUND_SEEDS: Final = 10
MAX_QUESTIONS: Final = 5
KEYWORDS_PER_TOPIC: Final = 3


def with_found_seeds(config: Config, own: OwnParts) -> Config:
    """The settings with start pages; unchanged if there are some, or if there is nobody to ask."""
    interest = str(own.interest) or config.what.interest
    if config.what.seeds or not interest:
        return config
    source = build_search_source(config, own)
    if source is None:
        return config
    online(source)
    try:
        lists = [source.search(words, MAX_FOUND_SEEDS) for words in questions(interest, config.topics)]
    finally:
        source.close()
    found: dict[str, None] = {}
    for row in zip_longest(*lists):
        found |= dict.fromkeys(url for url in row if url)
    if not found:
        raise ConfigError(f"the search sources find no start page for {interest!r}: give some, seeds (--seeds URL)")
    return configure(config, seeds=list(found)[:MAX_FOUND_SEEDS])


def questions(formula: str, topics: Mapping[str, Topic]) -> list[str]:
    """What to search for: one question for each alternative, with all its words; negated parts are left out.

    >>> questions("sailing AND (ruegen OR hiddensee) AND NOT advertising", {})
    ['sailing ruegen', 'sailing hiddensee']
    """
    return list(dict.fromkeys(filter(None, _alternatives(parse(formula), topics))))[:MAX_QUESTIONS]


def _alternatives(node: syntax.Node, topics: Mapping[str, Topic]) -> list[str]:
    match node:
        case syntax.Topic(name):
            keywords = topics[name].keywords[:KEYWORDS_PER_TOPIC] if name in topics else ()
            return [" ".join(keywords) or name]
        case syntax.Predicate("word", argument):
            return [argument]
        case syntax.Or(parts):
            found: list[str] = []
            for part in parts:
                found += _alternatives(part, topics)
            return found[:MAX_QUESTIONS]
        case syntax.And(parts):
            combined = [""]
            for part in parts:
                words = _alternatives(part, topics) or [""]
                combined = [f"{before} {after}".strip() for before in combined for after in words][:MAX_QUESTIONS]
            return combined
    # Negations, comparisons and other predicates cannot be searched for.
    return []
