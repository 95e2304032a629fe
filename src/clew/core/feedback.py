"""What users change on the way: what they say of pages, and what they want."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, replace
from itertools import takewhile
from pathlib import Path
from typing import Any

from clew import config as settings_of
from clew.base.single_thread import one_thread
from clew.config import Config, configure
from clew.core.build import LabelledDocs, OwnParts, address, build_parts, frontier, inherit, learns, link_source
from clew.core.engine import Engine
from clew.core.state import CrawlState
from clew.errors import FolderInUse, InterestError, StartError, StrategyError
from clew.interests import Interest
from clew.store import CrawlFolder, Label, Record, Records, latest, open_folder, say
from clew.types import Doc, Fetched

OWN_PARTS = "own parts"
"""The fact that a crawl was made with objects that only its caller has."""


def label(folder: str | Path, url: str | Mapping[str, bool], relevant: bool = True) -> list[Label]:
    """Say of a page, or of several, whether they are what is wanted; the labels as they stand then.

    A crawl that is running applies them after its next commit. Otherwise they are applied here: the label overrides the
    judge, the strategy learns from it, and where the interest learns from examples the page becomes one more, and all
    pages are judged again. (If the crawl was made with objects of the caller's, `resume` with the same ones applies
    them.) Labels of pages that were not visited yet wait for the visit. A label holds under the interest of its time.
    """
    verdicts = {url: relevant} if isinstance(url, str) else url
    verdicts = {address(each): wanted for each, wanted in verdicts.items()}
    say(Path(folder), verdicts)
    settle(Path(folder))
    with Records(folder) as records:
        labels = [records.label(each) for each in verdicts]
    return [label for label in labels if label]


def settle(folder: Path) -> bool:
    """Take in what was said, unless a crawl is running or needs parts that only its caller has; whether it was done."""
    try:
        store = open_folder(folder)
    except FolderInUse:
        return False
    with store:
        config = settings_of.read_folder(folder)
        remember(config, store)
        try:
            state = state_of_folder(config, store)
        except (InterestError, StrategyError):
            return False
        if store.get(OWN_PARTS) or not store.progress():
            return False
        # The crawl's own time stands still.
        engine = Engine(state, _Nowhere(), store, clock=lambda: 0.0)
        with one_thread():
            engine.resume(store)
            catch_up(engine, store, config)
            engine.commit(checkpoint=True)
    return True


def state_of_folder(config: Config, store: CrawlFolder, own: OwnParts = OwnParts()) -> CrawlState:  # noqa: B008
    """A crawl from its folder, before it is replayed, with the interest by which its pages were judged."""
    before, labelled = past(config, store)
    is_same = not isinstance(own.interest, str) and str(own.interest) == before.what.interest
    try:
        as_before = own if is_same else own._replace(interest="")
        interest, strategy, examples = build_parts(before, as_before, store.examples(), labelled)
    except InterestError:
        # The earlier interest was an object of the caller's: only another object can take its place.
        if isinstance(own.interest, str):
            raise
        interest, strategy, examples = build_parts(before, own, store.examples())
    if not store.reading:
        store.keep(examples)
    if before.what.threshold is None and (threshold := store.get("threshold")):
        interest = interest.at(float(threshold))
    if not store.progress():
        # Killed before the first commit; later on the checkpoint holds what was inherited.
        inherit(config, strategy)
    return CrawlState(config, interest, strategy, store, frontier(config, store), link_source(config))


def catch_up(engine: Engine, store: CrawlFolder, config: Config, own: OwnParts = OwnParts()) -> None:  # noqa: B008
    """Judge every page again if that by which they are judged has changed: the interest, or labels that teach it."""
    if engine.label_inbox.fresh:
        engine.commit(checkpoint=True)
    labels = latest(store.said(config.what.interest))
    now = basis(config, labels.values())
    if now == store.get("judged") or not engine.state.order:
        return
    parts = own._replace(strategy=engine.state.strategy)
    interest, _, examples = build_parts(config, parts, store.examples(), _docs(store, labels))
    store.keep(examples)
    verdicts = {url: label.relevant for url, label in labels.items()}
    interest = _with_threshold(interest, engine.state, store, config, verdicts)
    count = engine.state.change_interest(interest, store.docs(), verdicts)
    settings_of.write(config, store.folder / "crawl.toml")
    store.set("threshold", repr(interest.threshold))
    store.set("judged", now)
    store.set("interest", config.what.interest)
    store.note("judged again", f"{count} pages, by {config.what.interest}")
    engine.commit(checkpoint=True)


def remember(config: Config, store: CrawlFolder) -> None:
    """By what the pages of a new crawl, or of one by an earlier version, are judged."""
    if not store.get("judged"):
        store.set("judged", basis(config))
        store.set("interest", config.what.interest)


def basis(config: Config, labels: Iterable[Label] = ()) -> str:
    """By what pages are judged, as text that can be compared and read again."""
    what = config.what
    plain: dict[str, Any] = {name: getattr(what, name) for name in ("interest", "semantics", "judge", "threshold")}
    plain["topics"] = {name: asdict(topic) for name, topic in config.topics.items()}
    plain["labels"] = sorted(label.id for label in labels) if learns(config) else []
    return json.dumps(plain)


def past(config: Config, store: CrawlFolder) -> tuple[Config, LabelledDocs]:
    """The settings and labels by which the pages in the store were judged."""
    plain = json.loads(store.get("judged") or basis(config))
    topics = configure(topics=plain.pop("topics")).topics
    used = set(plain.pop("labels"))
    before = replace(config, what=replace(config.what, **plain), topics=topics)
    labels = [label for label in store.said(before.what.interest) if label.id in used]
    return before, _docs(store, latest(labels))


def _docs(store: CrawlFolder, labels: Mapping[str, Label]) -> LabelledDocs:
    pairs = [(store.doc(url), label.relevant) for url, label in labels.items()]
    return [(doc, relevant) for doc, relevant in pairs if doc]


def _with_threshold(
    interest: Interest, state: CrawlState, store: CrawlFolder, config: Config, labels: Mapping[str, bool]
) -> Interest:
    """The threshold that the interest would have had from the start pages."""
    if config.what.threshold is not None:
        return interest
    docs = [doc for record, doc in _starts(store) if labels.get(record.url, True)]
    try:
        return interest.starting_from(interest.judge(doc).relevance for doc in docs)
    except StartError:
        if past(config, store)[0].what.interest != config.what.interest:
            raise
        return interest.at(state.interest.threshold)


def _starts(store: CrawlFolder) -> Iterator[tuple[Record, Doc]]:
    return takewhile(lambda pair: pair[0].depth == 0, store.docs())


class _Nowhere:
    """Fetches nothing: labels need no web."""

    async def get(self, url: str) -> Fetched:
        return Fetched(url, error="offline")

    def pause(self, url: str) -> float:
        return 0.0

    async def close(self) -> None: ...
