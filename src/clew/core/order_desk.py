"""Orders to a crawl on several shards: each is taken once, and handed on to the shards that it concerns."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from pathlib import Path
from typing import Final

from clew import config as settings_of
from clew.config import Config
from clew.core.build import START_PAGES, OwnParts, address, build_parts
from clew.core.interest_language import ENGLISH, LANGUAGE, in_language
from clew.core.order_kind import OrderKind
from clew.core.orders import order_of
from clew.core.waiting_orders import host_named
from clew.errors import ClewError, ConfigError
from clew.interests import Interest
from clew.store import Order, Records
from clew.store.home import home
from clew.store.labels import latest
from clew.store.shard_orders import Share, WholeOrders
from clew.store.whole import shard_folders

URLS: Final = ("seeds", "fetch", "drop")
HOSTS: Final = ("favour", "unfavour")
JUDGING: Final = ("interest", "threshold")


@dataclass
class OrderDesk:
    """Takes orders for the crawl as a whole: its settings follow, and the shards hear their share."""

    folder: Path
    config: Config  # of the whole crawl, as it is now
    notify: Callable[[str], None] = lambda line: None
    book: WholeOrders = field(init=False)

    def __post_init__(self) -> None:
        self.book = WholeOrders(self.folder)

    def accept(self, order: Order, visits: int, refusal: str = "") -> OrderKind | None:
        """Take an order after so many visits; None if it is refused. Orders to a run can be refused as such.

        The settings are written first: after a kill between the two, the order changes them once more, to the same.
        """
        try:
            kind = order_of(order.kind, order.words)
            if kind.is_for_a_run and refusal:
                raise ConfigError(refusal)
            config = kind.changed(self.config)
            shares = {} if kind.is_for_a_run else self._shares(order, config)
        except ClewError as error:
            reason = str(error).partition("\n")[0]
            self.book.settle(order._replace(refused=reason))
            self.notify(f"order: {order}: refused, {reason}")
            return None
        if config != self.config:
            settings_of.write(config, self.folder / "crawl.toml")
            self.config = config
        self.book.settle(order._replace(taken=visits), shares)
        return kind

    def _shares(self, order: Order, config: Config) -> Mapping[int, Share]:
        shards = config.fetch.shards
        if order.kind in URLS:
            return _by_home({address(word): word for word in order.words}, shards)
        if order.kind in HOSTS:
            return _by_home({f"http://{host_named(word)}/": word for word in order.words}, shards)
        words = _divided(order.words, config) if order.kind == "limit" else order.words
        agreed = ""
        if order.kind in JUDGING and config.what.threshold == START_PAGES:
            agreed = json.dumps({config.what.interest: start_relevances(self.folder, config)})
        return dict.fromkeys(range(shards), Share(words, agreed))


def _by_home(words: Mapping[str, str], shards: int) -> dict[int, Share]:
    """By shard: the words about its own URLs."""
    found: dict[int, list[str]] = defaultdict(list)
    for url, word in words.items():
        found[home(url, shards)].append(word)
    return {shard: Share(tuple(own)) for shard, own in found.items()}


def _divided(words: Sequence[str], config: Config) -> tuple[str, ...]:
    """Limits as a shard has them.

    >>> _divided(["parallel=20", "delay=2"], settings_of.configure(parallel=20, shards=4))
    ('parallel=5', 'delay=2')
    """
    part = max(1, config.fetch.parallel // config.fetch.shards)
    return tuple(f"parallel={part}" if word.startswith("parallel=") else word for word in words)


def start_relevances(folder: Path, config: Config) -> list[float]:
    """What the start pages of all shards say of an interest; those that a user has refused say nothing."""
    folders = shard_folders(folder)
    if len(folders) < config.fetch.shards:
        raise ConfigError(
            "the threshold follows from the start pages, and some shards are on other machines: first give a "
            "threshold (clew tell FOLDER threshold 0.3)"
        )
    interest: Interest | None = None
    found: list[float] = []
    for path in folders:
        with Records(path) as records:
            store = records.store
            if interest is None:
                built, _, _ = build_parts(config, OwnParts(), store.examples())
                interest = in_language(built, store.get(LANGUAGE, ENGLISH))
            labels = latest(store.applied_labels(config.what.interest))
            # Start pages are visited first.
            for record, doc in takewhile(lambda pair: pair[0].depth == 0, store.docs()):
                if record.url not in labels or labels[record.url].relevant:
                    found.append(interest.judge(doc).relevance)
    if interest is not None and found:
        # Better now than in every shard: no start page may be about the new interest.
        interest.starting_from(found)
    return found
