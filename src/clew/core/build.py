"""From settings and the caller's own objects to the parts of a crawl."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, Final

from clew import strategies
from clew.base import codec
from clew.config import Config, configure, migration
from clew.config.parts import make_part
from clew.core.example_starts import example_starts
from clew.core.examples import ExampleReader
from clew.core.faults import judged
from clew.core.own_parts import CALLERS_OWN, as_sink, checked_fetcher, refuse_class
from clew.core.own_parts import AnySink as AnySink
from clew.core.own_parts import OwnParts as OwnParts
from clew.core.search_sources import written_source
from clew.core.stop import StopRule
from clew.core.users import absolute, introduce_users, with_profile_topics
from clew.errors import ConfigError, InterestError, StoreError, StrategyError
from clew.fetch import Fetcher, with_browser
from clew.filters import url_patterns
from clew.frontier import Frontier
from clew.frontier.evidence import EvidenceStore
from clew.interests import BUILT_IN_JUDGES, Formula, Interest, Judge, LearningInterest, as_interest, build, lessons
from clew.learning.hubs import HubPage, best_hubs
from clew.parse import canonical, host
from clew.store import Records, Sink
from clew.store.folder import translate_errors
from clew.store.sinks import BUILT_IN as BUILT_IN_SINKS
from clew.strategies import Strategy, _optional
from clew.types import Doc, Page

LEARNING: Final = "learning"
START_PAGES: Final = "start-pages"
LEARNED_SEEDS: Final = 10
"""The best hubs of an earlier crawl with which a crawl without start pages begins."""
LabelledDocs = Sequence[tuple[Doc, bool]]
"""Documents with what the user says of them."""


def build_interest(config: Config, read: Callable[[str], list[Doc]], labelled: LabelledDocs = ()) -> Interest:
    """The interest of a configuration; `read` finds its examples, labelled pages are further ones."""
    what = config.what
    make = partial(
        build,
        what.interest,
        config.topics,
        read=read,
        threshold=fixed_threshold(config),
        semantics=what.semantics,
        topic_model=what.topic_model,
    )
    plain = make()
    if not labelled or not learns(config):
        return plain
    return make(taught=lessons(plain.node, _judged(plain, labelled, what.judge_seconds), what.semantics))


def _judged(plain: Interest, labelled: LabelledDocs, seconds: float) -> list[tuple[Doc, bool, Mapping[str, float]]]:
    """Labelled documents with their topics, but for those on which the judge fails: they teach nothing."""
    found: list[tuple[Doc, bool, Mapping[str, float]]] = []
    for doc, wanted in labelled:
        with suppress(InterestError):
            found.append((doc, wanted, judged(doc, plain, seconds).topics))
    return found


def learns(config: Config) -> bool:
    """Whether labels are examples for the topics; a judge that learns takes them in itself."""
    return config.what.judge != LEARNING and any(topic.examples for topic in config.topics.values())


def fixed_threshold(config: Config) -> float | None:
    """The threshold that the user gave; None if the start pages set it."""
    return None if config.what.threshold == START_PAGES else config.what.threshold


def build_parts(
    config: Config,
    own: OwnParts,
    known: Mapping[str, list[Doc]] | None = None,
    labelled: LabelledDocs = (),
) -> tuple[Interest, Strategy, dict[str, list[Doc]]]:
    """Interest and strategy, and the examples that were read for them."""
    with ExampleReader(config.fetch, known) as examples:
        interest = _interest(config, own, examples, labelled)
    if (threshold := fixed_threshold(config)) is not None:
        interest = interest.at(threshold)
    strategy = own.strategy if isinstance(own.strategy, Strategy) else strategies.make(config.what.strategy)
    return interest, strategy, examples.docs


def build_fetcher(config: Config, own: OwnParts) -> Fetcher:
    """The caller's fetcher, or HTTP with a browser where one is wanted."""
    if own.fetcher is not None and not isinstance(own.fetcher, str):
        return checked_fetcher(own.fetcher)
    if config.fetch.fetcher:
        return checked_fetcher(make_part(config.fetch.fetcher, "fetchers", {}))
    return with_browser(config.fetch, config.scope.media)


def build_sinks(config: Config, own: OwnParts) -> list[Sink]:
    """The sinks of the settings, then the caller's objects."""
    made = [make_part(text, "sinks", BUILT_IN_SINKS) for text in config.keep.sinks]
    given = [sink for sink in own.sinks if not isinstance(sink, str)]
    return [as_sink(sink) for sink in [*made, *given]]


def build_stop_rules(config: Config, own: OwnParts) -> list[StopRule]:
    """The user's own stop rules; those of the settings come with the engine."""
    made = [make_part(text, "stop_rules", {}) for text in config.until.stop_rules]
    given = [rule for rule in own.stop_rules if not isinstance(rule, str)]
    rules = [*made, *given]
    for rule in rules:
        refuse_class(rule, "stop_rules")
        if not callable(rule):
            raise ConfigError(f"a stop rule must be callable with the stats of a crawl, but {rule!r} is not")
    return rules


def frontier(config: Config, store: EvidenceStore | None) -> Frontier:
    """An empty frontier; without a store its evidence stays in memory."""
    return Frontier(store, config.keep.capacity, config.fetch.per_host)


def inherit(config: Config, strategy: Strategy) -> None:
    """Hand the strategy what it has learned in an earlier crawl, and the users for whom it crawls, if there are any."""
    if config.what.learned_from:
        _inherit_from_crawl(config, strategy)
    # After the earlier crawl: the profiles of users are newer than what that crawl knew of them.
    introduce_users(config, strategy)


def _inherit_from_crawl(config: Config, strategy: Strategy) -> None:
    name = config.what.strategy.partition("(")[0]
    if not _optional.transferable(strategy):
        raise StrategyError(f"{name} learns nothing that would serve another crawl, so it has nothing to inherit")
    path = Path(config.what.learned_from)
    with translate_errors(path), Records(path) as records:
        earlier = records.config.what.strategy.partition("(")[0]
        parts = migration.checkpoint(records.store.checkpoint(), strategies.names())
        if earlier != name and _optional.study(strategy, records.store.pages()):
            return
    if earlier != name:
        problem = f"{config.what.learned_from} was crawled by {earlier}, whose knowledge does not serve {name}"
        raise StrategyError(f"{problem}; choose the strategy {earlier} or another crawl")
    if "strategy" not in parts:
        raise StoreError(f"{config.what.learned_from} was interrupted before anything was learned")
    _optional.inherit(strategy, codec.loads(parts["strategy"]))


def validated(config: Config, own: OwnParts) -> Config:
    """Every URL canonical, every path absolute; an interest or a judge and a start page are there.

    Without start pages, the examples of the topics take their place.
    """
    has_judge = own.judge is not None or config.what.judge not in BUILT_IN_JUDGES
    config = _with_learned_seeds(with_profile_topics(config))
    if not config.what.interest and not has_judge:
        raise ConfigError("say what you are interested in, for example: clew crawl 'sailing AND ruegen' --seeds URL")
    if config.what.judge == LEARNING and config.what.threshold == START_PAGES:
        raise ConfigError(
            "threshold 'start-pages' goes with the judge plain (--judge plain): the judge that learns finds its own cut"
        )
    return configure(
        config,
        allow=patterns("allow", config.scope.allow),
        deny=patterns("deny", config.scope.deny),
        seeds=tuple(dict.fromkeys(map(address, config.what.seeds or example_starts(config)))),
        reserve=tuple(dict.fromkeys(map(address, config.what.reserve))),
        learned_from=os.path.abspath(config.what.learned_from) if config.what.learned_from else "",
        search_sources=tuple(map(written_source, config.what.search_sources)),
        cache=tuple(map(os.path.abspath, config.fetch.cache)),
        users=absolute(config.what.users),
    )


def _with_learned_seeds(config: Config) -> Config:
    """Without start pages, those of the earlier crawl that were the best hubs."""
    if config.what.seeds or not config.what.learned_from:
        return config
    path = Path(config.what.learned_from)
    with translate_errors(path), Records(path) as records:
        pages = [HubPage(page.url, host(page.url), page.relevance, _targets(page)) for page in records.store.pages()]
    hubs = best_hubs(pages, LEARNED_SEEDS)
    if not hubs:
        raise ConfigError(f"no page of {path} links to relevant pages; give start pages: seeds (--seeds URL)")
    return configure(config, seeds=tuple(hubs))


def _targets(page: Page) -> list[str]:
    return [link.url for link in page.links]


def patterns(name: str, texts: Sequence[str]) -> tuple[str, ...]:
    """The URL patterns of a setting as the crawl keeps them, or a message that names the setting."""
    try:
        return tuple(map(url_patterns.written, texts))
    except ConfigError as error:
        raise ConfigError(f"{name}: {error}") from None


def address(text: str) -> str:
    """A web address as it is known in a crawl; https is understood.

    >>> address("Example.org"), address("http://localhost:8000")
    ('https://example.org/', 'http://localhost:8000/')
    """
    url = canonical(text if _has_scheme(text) else f"https://{text}")
    if not url:
        raise ConfigError(f"{text!r} is not a web address; it should look like https://example.org/")
    return url


def without_scheme(config: Config) -> frozenset[str]:
    """The start pages for which https is only a guess, because the user has named no scheme.

    >>> sorted(without_scheme(configure(seeds=["docs.test", "localhost:8000", "http://a.example/"])))
    ['https://docs.test/', 'https://localhost:8000/']
    """
    start_pages = (*config.what.seeds, *config.what.reserve)
    return frozenset(address(text) for text in start_pages if not _has_scheme(text))


def _has_scheme(text: str) -> bool:
    # localhost:8000 names a port, not a scheme.
    return bool(re.match(r"[a-z][a-z0-9+.-]*:(?!\d)", text, re.IGNORECASE))


def new_folder(interest: str) -> Path:
    """A folder that does not exist yet, named after the interest."""
    name = re.sub(r"[^\w]+", "-", interest.lower()).strip("-")[:40] or "crawl"
    folder = Path("crawls") / name
    number = 1
    while folder.exists():
        number += 1
        folder = Path("crawls") / f"{name}-{number}"
    return folder


def _interest(config: Config, own: OwnParts, examples: ExampleReader, labelled: LabelledDocs) -> Interest:
    words: Interest | None = None
    if not isinstance(own.interest, str):
        words = own.interest
    elif config.what.interest:
        words = build_interest(config, examples, labelled)
    judge = own.judge
    if isinstance(judge, str) or judge is None:
        judge = _judge_of(config, own)
    if judge is not None:
        refuse_class(judge, "judge")
        if not callable(judge) and not isinstance(judge, Judge):
            raise ConfigError(f"a judge must be a function of a document, or a clew.Judge, but {judge!r} is neither")
        return as_interest(judge, words)
    assert words is not None, "`validated` has seen an interest or a judge"
    if config.what.judge == LEARNING and isinstance(words, Formula):
        return LearningInterest(words)
    return words


_BUILT_IN: Mapping[str, Any] = dict.fromkeys(BUILT_IN_JUDGES)


def _judge_of(config: Config, own: OwnParts) -> Any:
    """The user's judge that the settings name; None if the interest judges."""
    text = config.what.judge
    if text.startswith(CALLERS_OWN) and isinstance(own.judge, str):
        # The judge of before is gone; the one that takes its place will judge all pages again.
        text = own.judge
    if text in BUILT_IN_JUDGES:
        return None
    if text.startswith(CALLERS_OWN):
        name = text.removeprefix(CALLERS_OWN)
        raise InterestError(
            f"this crawl was made with the judge {name}, which cannot be imported: pass it again (judge={name}), "
            "or put it into a module, where clew finds it by itself"
        )
    return make_part(text, "judges", _BUILT_IN)
