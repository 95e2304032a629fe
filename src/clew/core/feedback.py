"""Changes that users make to a crawl: labels for pages, and another interest."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, replace
from itertools import takewhile
from pathlib import Path
from typing import Any

from clew import config as settings_of
from clew.base.single_thread import one_thread
from clew.config import Config, configure, migration
from clew.core.advice import threshold_line
from clew.core.build import (
    START_PAGES,
    LabelledDocs,
    OwnParts,
    address,
    build_parts,
    frontier,
    inherit,
    learns,
)
from clew.core.engine import Engine
from clew.core.interest_language import ENGLISH, LANGUAGE, in_language
from clew.core.mail import mail_of
from clew.core.new_interest import begin, change_interest
from clew.core.rejudging import REJUDGING, Rejudging
from clew.core.search_sources import build_search_source
from clew.core.start import keep_threshold, threshold_origin
from clew.core.state import CrawlState
from clew.core.teaching import UserLabel
from clew.core.users import learn_ratings
from clew.errors import ConfigError, FolderInUse, InterestError, StartError, StrategyError
from clew.interests import Interest
from clew.store import CrawlFolder, Label, Record, Records, latest, open_folder, write_labels
from clew.store.home import by_home
from clew.store.profiles import checked_name
from clew.store.rows import loaded
from clew.store.shard_orders import AGREED
from clew.store.told_settings import settings_in
from clew.store.whole import MARK
from clew.strategies import Strategy, _optional
from clew.types import Doc, Fetched

JUDGING_SETTINGS = ("interest", "semantics", "judge", "topic_model", "threshold")
OWN_PARTS = "own parts"
"""The fact that a crawl was made with objects of its caller, which the folder cannot restore."""


FAVOURED = "favoured hosts"
"""The fact that holds the hosts which the user favours, as JSON."""
FOCUS = "focus told"
"""The fact that holds the focus which the user has named; it ends with another interest."""


def label(
    folder: str | Path, url: str | Mapping[str, bool], relevant: bool = True, *, user: str = "", profile: str = ""
) -> list[Label]:
    """Label a page, or several by URL, as relevant or not; return the labels as they are then.

    A running crawl applies labels after its next commit; otherwise they are applied here. A label overrides the judge,
    and the strategy learns from it. If the interest learns from examples, the page becomes another example, and all
    pages are judged again. (If the crawl was made with objects of the caller, `resume` with the same objects applies
    the labels.) Labels of pages that were not visited yet wait for the visit. A label is valid under the interest of
    its time.

    The labels of a `user` also go into the profile of that user, which is kept across crawls in the data folder of the
    user's account, or in the file `profile`.
    """
    if profile and not user:
        raise ConfigError("a profile belongs to a user: name one (user=, --user NAME)")
    if user:
        checked_name(user)
    by_url = {url: relevant} if isinstance(url, str) else url
    pages = {address(text): is_relevant for text, is_relevant in by_url.items()}
    with Records(folder) as records:
        known = {page: records.find(page) for page in pages}
    labels = {(record.url if record else page): pages[page] for page, record in known.items()}
    for place, here in by_home(Path(folder), labels).items():
        write_labels(place, here, user)
        apply_pending_labels(place)
    if user:
        learn_ratings(folder, user, profile)
    with Records(folder) as records:
        written = [records.label(page) for page in labels]
    return [label for label in written if label]


def apply_pending_labels(folder: Path) -> None:
    """Apply the labels of a folder, unless a crawl is running there or was made with objects of its caller."""
    try:
        store = open_folder(folder)
    except FolderInUse:
        # The running crawl finds the labels itself.
        return
    with store:
        config = settings_in(store)
        remember(config, store)
        try:
            state = state_of_folder(config, store)
        except (InterestError, StrategyError):
            return
        if store.get(OWN_PARTS) or not store.progress():
            return
        # The time of labelling does not count as time of the crawl.
        engine = Engine(state, Offline(), store, clock=lambda: 0.0)
        with one_thread():
            engine.resume(store)
            catch_up(engine, store, config)
            go_on_judging(engine, store, config)
            engine.finish_rejudging()
            state.finish_judging()
            engine.commit(checkpoint=True)


def state_of_folder(config: Config, store: CrawlFolder, own: OwnParts = OwnParts()) -> CrawlState:  # noqa: B008
    """The state of a crawl folder before the replay, with the interest by which its pages were judged."""
    before, labelled = judged_by(config, store)
    is_same = not isinstance(own.interest, str) and str(own.interest) == before.what.interest
    try:
        as_before = own if is_same else own._replace(interest="")
        interest, strategy, examples = build_parts(before, as_before, store.examples(), labelled)
    except InterestError:
        # The earlier interest was an object of the caller: only another object can take its place.
        if isinstance(own.interest, str):
            raise
        interest, strategy, examples = build_parts(before, own, store.examples())
    if not store.reading:
        store.keep(examples)
    if before.what.threshold == START_PAGES and (threshold := store.get("threshold")):
        interest = interest.at(float(threshold))
    interest = in_language(interest, store.get(LANGUAGE, ENGLISH))
    if not store.progress():
        # Before the first commit; later, the checkpoint holds what the strategy has inherited.
        inherit(config, strategy)
    source = build_search_source(config, own, store, "search_sources" in store.get(OWN_PARTS).split())
    state = CrawlState(config, interest, strategy, store, frontier(config, store), source)
    state.steering.favoured = set(loaded(store.get(FAVOURED) or "[]"))
    if mail := mail_of(store):
        state.port = mail
    _follow_focus(strategy, store)
    return state


def catch_up(
    engine: Engine,
    store: CrawlFolder,
    config: Config,
    own: OwnParts = OwnParts(),  # noqa: B008
    gradually: bool = False,
) -> None:
    """Judge every page again if the interest has changed, or the labels from which it learns.

    At once, or `gradually`, while the crawl goes on.
    """
    # The store returns only labels that are committed as applied.
    if engine.label_inbox.fresh:
        engine.commit(checkpoint=True)
    given = store.applied_labels(config.what.interest)
    labels = latest(given)
    basis = judging_basis(config, labels.values())
    judged_before = _judged_before(store, config)
    if loaded(basis) == judged_before or not engine.state.order:
        return
    parts = own._replace(strategy=engine.state.strategy)
    interest, _, examples = build_parts(config, parts, store.examples(), _docs(store, labels))
    interest = in_language(interest, store.get(LANGUAGE, ENGLISH))
    store.keep(examples)
    verdicts = {url: label.relevant for url, label in labels.items()}
    before = engine.state.interest.threshold
    built = interest
    interest = _with_threshold(built, engine.state, store, config, verdicts)
    engine.notify(_threshold_news(before, interest.threshold, threshold_origin(config, built, interest)))
    by_users = [UserLabel(label.url, label.relevant, label.user) for label in given]
    news = f"by {config.what.interest}"
    if gradually:
        begin(engine.state, interest)
        rejudging = Rejudging(engine.state, store, engine.committed, verdicts, by_users)
    else:
        rejudging = None
        store.set(REJUDGING, "")
        news = f"{change_interest(engine.state, interest, store.docs(), verdicts, by_users)} pages, {news}"
    engine.begin_rejudging(rejudging)
    # A focus of the user belongs to the interest for which it was named.
    if judged_before["interest"] != config.what.interest:
        store.set(FOCUS, "")
    elif _follow_focus(engine.state.strategy, store):
        engine.state.scoring.score_all()
    settings_of.write(config, store.folder / "crawl.toml")
    keep_threshold(store, config, built, interest)
    store.set("judged", basis)
    store.set("interest", config.what.interest)
    store.note("judged again", news if rejudging is None else f"begun, {news}")
    engine.commit(checkpoint=True)


def go_on_judging(engine: Engine, store: CrawlFolder, config: Config) -> None:
    """Take up a change of interest that an earlier run has not finished."""
    given = store.applied_labels(config.what.interest)
    verdicts = {url: label.relevant for url, label in latest(given).items()}
    by_users = [UserLabel(label.url, label.relevant, label.user) for label in given]
    engine.begin_rejudging(Rejudging.going_on(engine.state, store, verdicts, by_users))


def remember(config: Config, store: CrawlFolder) -> None:
    """Save by what pages are judged, if the folder is new or of a version that did not save it."""
    if not store.get("judged"):
        store.set("judged", judging_basis(config))
        store.set("interest", config.what.interest)


def judging_basis(config: Config, labels: Iterable[Label] = ()) -> str:
    """All settings and labels by which pages are judged, as JSON that can be compared and read again."""
    what = config.what
    plain: dict[str, Any] = {name: getattr(what, name) for name in JUDGING_SETTINGS}
    plain["topics"] = {name: asdict(topic) for name, topic in config.topics.items()}
    # Unless the interest learns from labels, a new label is no reason to judge every page again.
    plain["labels"] = sorted(label.id for label in labels) if learns(config) else []
    return json.dumps(plain)


def judged_by(config: Config, store: CrawlFolder) -> tuple[Config, LabelledDocs]:
    """The settings and labels by which the pages in the store were judged."""
    plain = _judged_before(store, config)
    topics = configure(topics=plain.pop("topics")).topics
    label_ids = set(plain.pop("labels"))
    before = replace(config, what=replace(config.what, **plain), topics=topics)
    labels = [label for label in store.applied_labels(before.what.interest) if label.id in label_ids]
    return before, _docs(store, latest(labels))


def _judged_before(store: CrawlFolder, config: Config) -> dict[str, Any]:
    """By what the pages in the store were judged; in a new folder, that is what the settings say."""
    return migration.judging(loaded(store.get("judged") or judging_basis(config)))


def _follow_focus(strategy: Strategy, store: CrawlFolder) -> bool:
    """Let the strategy follow the focus that the user has named, if there is one; whether there is."""
    focus = store.get(FOCUS)
    if not focus or not isinstance(strategy, _optional.SetsFocus):
        return False
    strategy.set_focus(focus)
    return True


def _docs(store: CrawlFolder, labels: Mapping[str, Label]) -> LabelledDocs:
    pairs = [(store.doc(url), label.relevant) for url, label in labels.items()]
    return [(doc, relevant) for doc, relevant in pairs if doc]


def _with_threshold(
    interest: Interest, state: CrawlState, store: CrawlFolder, config: Config, labels: Mapping[str, bool]
) -> Interest:
    """The interest with the threshold that the start pages would have given it."""
    if config.what.threshold != START_PAGES:
        return interest
    if store.get(MARK):
        # What the start pages of one shard say is not enough: all shards must have one threshold.
        agreed = loaded(store.get(AGREED) or "{}").get(config.what.interest)
        return interest.starting_from(agreed) if agreed else interest.at(state.interest.threshold)
    # A start page that the user has labelled as not relevant says nothing about the threshold.
    wanted = [doc for record, doc in _start_pages(store) if labels.get(record.url, True)]
    docs = [state.filters.content(doc, state.order) for doc in wanted]
    judgements = [state.assessor.judge(doc, interest) for doc in docs]
    relevances = [judgement.relevance for judgement in judgements if judgement]
    if docs and not relevances:
        raise InterestError(f"no start page can be judged: {state.faults.last}")
    try:
        return interest.starting_from(relevances)
    except StartError:
        before, _ = judged_by(config, store)
        if before.what.interest != config.what.interest:
            raise
        # The interest itself is the same, so it can keep its threshold.
        return interest.at(state.interest.threshold)


def _threshold_news(before: float, now: float, origin: str) -> str:
    """Say by which threshold all pages are judged from now on, and where it comes from."""
    kept = "" if now == before else f" (before: {before:.3f})"
    return f"{threshold_line(now, origin)}{kept}; all pages are judged again"


def _start_pages(store: CrawlFolder) -> Iterator[tuple[Record, Doc]]:
    # Start pages are visited first.
    return takewhile(lambda pair: pair[0].depth == 0, store.docs())


class Offline:
    """A fetcher that fetches nothing: labels can be applied without the web."""

    async def get(self, url: str) -> Fetched:
        return Fetched(url, error="offline")

    def pause(self, url: str) -> float:
        return 0.0

    async def close(self) -> None: ...
