"""From settings and the caller's own objects to the parts of a crawl."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from clew import strategies
from clew.base import codec
from clew.config import Config, configure, migration
from clew.config.parts import make_part
from clew.core.examples import ExampleReader
from clew.core.own_parts import CALLERS_OWN, as_sink, checked_fetcher, refuse_class
from clew.core.own_parts import AnySink as AnySink
from clew.core.own_parts import OwnParts as OwnParts
from clew.core.stop import StopRule
from clew.errors import ConfigError, InterestError, StoreError, StrategyError
from clew.fetch import Fetcher, with_browser
from clew.frontier import Frontier
from clew.frontier.evidence import EvidenceStore
from clew.interests import CLASSIFIERS, Interest, Judge, as_interest, build, lessons
from clew.parse import canonical
from clew.store import Records, Sink
from clew.store.database import database_of
from clew.store.sinks import BUILT_IN as BUILT_IN_SINKS
from clew.strategies import LinkSource, Strategy, _optional
from clew.types import Doc

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
        threshold=what.threshold,
        semantics=what.semantics,
        judge=what.judge if what.judge in CLASSIFIERS else "linear",
    )
    plain = make()
    if not labelled or not learns(config):
        return plain
    judged = [(doc, wanted, plain.judge(doc).topics) for doc, wanted in labelled]
    return make(taught=lessons(plain.node, judged, what.semantics))


def learns(config: Config) -> bool:
    """Whether labels are examples for the interest: it has topics with examples."""
    return any(topic.examples for topic in config.topics.values())


def build_parts(
    config: Config,
    own: OwnParts,
    known: Mapping[str, list[Doc]] | None = None,
    labelled: LabelledDocs = (),
) -> tuple[Interest, Strategy, dict[str, list[Doc]]]:
    """Interest and strategy, and the examples that were read for them."""
    with ExampleReader(config.fetch, known) as examples:
        interest = _interest(config, own, examples, labelled)
    if config.what.threshold is not None:
        interest = interest.at(config.what.threshold)
    strategy = own.strategy if isinstance(own.strategy, Strategy) else strategies.make(config.what.strategy)
    return interest, strategy, examples.docs


def build_fetcher(config: Config, own: OwnParts) -> Fetcher:
    """The caller's fetcher, or HTTP with a browser where one is wanted."""
    if own.fetcher is not None and not isinstance(own.fetcher, str):
        return checked_fetcher(own.fetcher)
    if config.fetch.fetcher:
        return checked_fetcher(make_part(config.fetch.fetcher, "fetchers", {}))
    return with_browser(config.fetch)


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
    """Hand the strategy what it has learned in an earlier crawl, if there is one."""
    if not config.what.learned_from:
        return
    name = config.what.strategy.partition("(")[0]
    if not _optional.transferable(strategy):
        raise StrategyError(f"{name} learns nothing that would serve another crawl, so it has nothing to inherit")
    with Records(config.what.learned_from) as records:
        earlier = records.config.what.strategy.partition("(")[0]
        parts = migration.checkpoint(records.store.checkpoint(), strategies.names())
    if earlier != name:
        problem = f"{config.what.learned_from} was crawled by {earlier}, whose knowledge does not serve {name}"
        raise StrategyError(f"{problem}; choose the strategy {earlier} or another crawl")
    if "strategy" not in parts:
        raise StoreError(f"{config.what.learned_from} was interrupted before anything was learned")
    _optional.inherit(strategy, codec.loads(parts["strategy"]))


def link_source(config: Config) -> LinkSource | None:
    """What earlier crawls know of the web, if there are any."""
    if not config.what.link_sources:
        return None
    from clew.core.history import EarlierCrawls

    folders = [Path(folder) for folder in config.what.link_sources]
    for folder in folders:
        database_of(folder)
    return EarlierCrawls(folders)


def validated(config: Config, own: OwnParts) -> Config:
    """Every URL canonical, every path absolute; an interest or a judge and a start page are there."""
    has_judge = own.judge is not None or config.what.judge not in CLASSIFIERS
    if not config.what.interest and not has_judge:
        raise ConfigError("say what you are interested in, for example: clew crawl 'sailing AND ruegen' --seeds URL")
    if not config.what.seeds:
        raise ConfigError("give at least one start page: seeds (--seeds URL)")
    for name, prefixes in (("allow", config.scope.allow), ("deny", config.scope.deny)):
        for prefix in prefixes:
            _check_prefix(name, prefix)
    return configure(
        config,
        seeds=tuple(dict.fromkeys(map(address, config.what.seeds))),
        reserve=tuple(dict.fromkeys(map(address, config.what.reserve))),
        learned_from=os.path.abspath(config.what.learned_from) if config.what.learned_from else "",
        link_sources=tuple(map(os.path.abspath, config.what.link_sources)),
    )


def _check_prefix(name: str, prefix: str) -> None:
    """Refuse a prefix that no URL can have: it would forbid everything, or nothing."""
    if re.match(r"https?://", prefix):
        return
    bare = prefix.partition("://")[2] or prefix
    example = f"https://{bare}" if "/" in bare else f"https://{bare}/"
    if bare.startswith("/"):
        example = f"https://example.org{bare}"
    raise ConfigError(f"{name}: {prefix!r} is not a URL prefix; write {example}")


def address(text: str) -> str:
    """A web address as it is known in a crawl; https is understood.

    >>> address("Example.org"), address("http://localhost:8000")
    ('https://example.org/', 'http://localhost:8000/')
    """
    # localhost:8000 names a port, not a scheme.
    has_scheme = re.match(r"[a-z][a-z0-9+.-]*:(?!\d)", text, re.IGNORECASE)
    url = canonical(text if has_scheme else f"https://{text}")
    if not url:
        raise ConfigError(f"{text!r} is not a web address; it should look like https://example.org/")
    return url


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
    return words


_CLASSIFIER_NAMES: Mapping[str, Any] = dict.fromkeys(CLASSIFIERS)


def _judge_of(config: Config, own: OwnParts) -> Any:
    """The user's judge that the settings name; None if the interest judges."""
    text = config.what.judge
    if text.startswith(CALLERS_OWN) and isinstance(own.judge, str):
        # The judge of before is gone; the one that takes its place will judge all pages again.
        text = own.judge
    if text in CLASSIFIERS:
        return None
    if text.startswith(CALLERS_OWN):
        name = text.removeprefix(CALLERS_OWN)
        raise InterestError(
            f"this crawl was made with the judge {name}, which cannot be imported: pass it again (judge={name}), "
            "or put it into a module, where clew finds it by itself"
        )
    return make_part(text, "judges", _CLASSIFIER_NAMES)
