"""What users change on the way: what they say of pages, and what they want."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from itertools import takewhile
from pathlib import Path
from typing import Any, Literal

from clew import config as settings_of
from clew.base.single_thread import one_thread
from clew.config import Config, configure
from clew.core.build import Said, address, build_parts, frontier, inherit, learns, link_source
from clew.core.engine import Engine
from clew.core.state import CrawlState
from clew.errors import FolderInUse, InterestError, StartError, StrategyError
from clew.interests import Interest
from clew.store import Label, Record, Records, Sink, SqliteStore, latest, say
from clew.strategies import Strategy
from clew.types import Doc, Fetched, Page, Stats, UrlState

OWN = "own parts"
"""The fact that a crawl was made with objects that only its caller has."""


def label(folder: str | Path, url: str | Mapping[str, bool], relevant: bool = True) -> list[Label]:
    """Say of a page, or of several, whether they are what is wanted; the labels as they stand then.

    A crawl that is running takes them in after its next commit. Otherwise it is done here: the label overrides the
    judge, the strategy hears it, and where the interest learns from examples the page is a further one and all pages
    are judged again. (If the crawl was made with objects of the caller's, `resume` with the same ones does it.) Labels
    of pages that were not visited yet wait for the visit. A label holds under the interest of its time.
    """
    said = {url: relevant} if isinstance(url, str) else url
    said = {address(each): wanted for each, wanted in said.items()}
    say(Path(folder), said)
    settle(Path(folder))
    with Records(folder) as records:
        return [found for each in said if (found := records.label(each))]


def settle(folder: Path) -> bool:
    """Take in what was said, unless a crawl is running or needs parts that only its caller has; whether it was done."""
    try:
        store = SqliteStore(folder)
    except FolderInUse:
        return False
    with store:
        config = settings_of.read_folder(folder)
        remember(config, store)
        try:
            state = state_of_folder(config, store)
        except (InterestError, StrategyError):
            return False
        if store.get(OWN) or not store.progress():
            return False
        engine = Engine(state, _Nowhere(), store, clock=lambda: 0.0)  # the crawl's own time stands still
        with one_thread():
            engine.resume(store)
            catch_up(engine, store, config)
            engine.commit(checkpoint=True)
    return True


def state_of_folder(
    config: Config, store: SqliteStore, interest: str | Interest = "", strategy: str | Strategy | None = None
) -> CrawlState:
    """A crawl from its folder, before it is replayed, with the interest by which its pages were judged."""
    before, said = past(config, store)
    given = "" if isinstance(interest, str) or str(interest) != before.what.interest else interest
    try:
        wanted, chosen, examples = build_parts(before, given, strategy, store.examples(), said)
    except InterestError:  # the earlier one was an object of the caller's
        if isinstance(interest, str):
            raise
        wanted, chosen, examples = build_parts(before, interest, strategy, store.examples())
    if not store.reading:
        store.keep(examples)
    if before.what.threshold is None and (threshold := store.get("threshold")):
        wanted = wanted.at(float(threshold))
    if not store.progress():  # killed before the first commit; later on the checkpoint holds what was inherited
        inherit(config, chosen)
    return CrawlState(config, wanted, chosen, store, frontier(config, store), link_source(config))


def catch_up(engine: Engine, store: SqliteStore, config: Config, interest: str | Interest = "") -> None:
    """Judge every page again if that by which they are judged has changed: the interest, or labels that teach it."""
    if engine.label_inbox.fresh:
        engine.commit(checkpoint=True)
    heard = latest(store.said(config.what.interest))
    now = basis(config, heard.values())
    if now == store.get("judged") or not engine.state.order:
        return
    wanted, _, examples = build_parts(config, interest, engine.state.strategy, store.examples(), _docs(store, heard))
    store.keep(examples)
    said = {url: label.relevant for url, label in heard.items()}
    wanted = _begun(wanted, engine.state, store, config, said)
    count = engine.state.change_interest(wanted, store.docs(), said)
    settings_of.write(config, store.folder / "crawl.toml")
    store.set("threshold", repr(wanted.threshold))
    store.set("judged", now)
    store.set("interest", config.what.interest)
    store.note("judged again", f"{count} pages, by {config.what.interest}")
    engine.commit(checkpoint=True)


def remember(config: Config, store: SqliteStore) -> None:
    """By what the pages of a new crawl, or of one by an earlier version, are judged."""
    if not store.get("judged"):
        store.set("judged", basis(config))
        store.set("interest", config.what.interest)


def basis(config: Config, heard: Iterable[Label] = ()) -> str:
    """By what pages are judged, as text that can be compared and read again."""
    what = config.what
    plain: dict[str, Any] = {name: getattr(what, name) for name in ("interest", "semantics", "judge", "threshold")}
    plain["topics"] = {name: asdict(topic) for name, topic in config.topics.items()}
    plain["labels"] = sorted(label.id for label in heard) if learns(config) else []
    return json.dumps(plain)


def past(config: Config, store: SqliteStore) -> tuple[Config, Said]:
    """The settings and labels by which the pages in the store were judged."""
    plain = json.loads(store.get("judged") or basis(config))
    topics, used = configure(topics=plain.pop("topics")).topics, set(plain.pop("labels"))
    before = replace(config, what=replace(config.what, **plain), topics=topics)
    said = store.said(before.what.interest)
    return before, _docs(store, latest(label for label in said if label.id in used))


def _docs(store: SqliteStore, heard: Mapping[str, Label]) -> Said:
    pairs = [(store.doc(url), label.relevant) for url, label in heard.items()]
    return [(doc, relevant) for doc, relevant in pairs if doc]


def _begun(
    interest: Interest, state: CrawlState, store: SqliteStore, config: Config, said: Mapping[str, bool]
) -> Interest:
    """With the threshold that it would have had from the start pages."""
    if config.what.threshold is not None:
        return interest
    try:
        return interest.starting_from(
            interest.judge(doc).relevance for record, doc in _starts(store) if said.get(record.url, True)
        )
    except StartError:
        if past(config, store)[0].what.interest != config.what.interest:
            raise
        return interest.at(state.interest.threshold)


def _starts(store: SqliteStore) -> Iterator[tuple[Record, Doc]]:
    return takewhile(lambda pair: pair[0].depth == 0, store.docs())


@dataclass
class InterestChange(Sink):
    """In a simulation: another interest after so many visits; it keeps the documents, for there is no archive."""

    visits: int
    interest: Interest
    docs: list[Doc] = field(default_factory=list)
    done: bool = False
    pages: Literal["relevant", "all"] = "all"

    def attach(self, engine: Engine, records: list[Record]) -> None:
        """Look on at a crawl."""
        watch = engine.watch
        engine.sinks = (*engine.sinks, self)

        def watching(stats: Stats) -> None:
            watch(stats)
            self.watch(engine, records, stats)

        engine.watch = watching

    def write(self, page: Page, doc: Doc) -> None:
        """Keep a document: the change is a sink, too."""
        self.docs.append(doc)

    def watch(self, engine: Engine, records: list[Record], stats: Stats) -> None:
        """Turn when it is time."""
        if not self.done and stats.visited >= self.visits:
            self.done = True
            fetched = (record for record in records if record.state == UrlState.FETCHED)
            engine.state.change_interest(self.interest, zip(fetched, self.docs, strict=True))


class _Nowhere:
    """Fetches nothing: labels need no web."""

    async def get(self, url: str) -> Fetched:
        return Fetched(url, error="offline")

    def pause(self, url: str) -> float:
        return 0.0

    async def close(self) -> None: ...
