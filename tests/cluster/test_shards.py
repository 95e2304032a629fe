"""A crawl on several shards visits what one process would visit, whatever is lost, late or killed."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

import clew
from clew import strategies
from clew.cluster.engine import ShardEngine
from clew.cluster.inside import Weather
from clew.core.mail import Mail
from clew.core.state import CrawlState
from clew.frontier import Frontier
from clew.frontier.table import COLUMNS
from clew.store import Records
from clew.store.mailbox import Mailbox, MailRows

ABLE = sorted(name for name in strategies.names() if strategies.find(name).shards)


@pytest.fixture(scope="module")
def whole(world: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The whole labyrinth, crawled by one process."""
    folder = tmp_path_factory.mktemp("one") / "crawl"
    clew.crawl(folder=str(folder), **world.settings())
    return folder


@pytest.mark.parametrize("shards", [2, 4, 8])
def test_all_shards_together_visit_what_one_process_visits(
    world: Any, whole: Path, inside: Any, look: Any, tmp_path: Path, shards: int
) -> None:
    outcome = inside(world.settings(), tmp_path, shards)
    assert outcome.reason == "no candidates are left"
    assert look.visits(tmp_path) == look.visits(whole)
    assert len(look.visits(whole)) > 300
    mine, theirs = look.inlinks(tmp_path), look.inlinks(whole)
    assert {url: mine[url] for url in mine.keys() & theirs.keys()} == {
        url: theirs[url] for url in mine.keys() & theirs.keys()
    }
    assert len(mine.keys() & theirs.keys()) > 200


@pytest.mark.parametrize("seed", [1, 2])
def test_nothing_is_lost_or_made_twice_under_kills_and_lost_calls(
    world: Any, whole: Path, inside: Any, look: Any, tmp_path: Path, seed: int
) -> None:
    print("seed", seed)
    weather = Weather(lost_before=0.1, lost_after=0.1, repeated=0.1, late=0.1, chance=Random(seed))
    outcome = inside(world.settings(), tmp_path, 4, weather, kills=Random(seed))
    assert outcome.kills >= 3
    assert look.visits(tmp_path) == look.visits(whole)
    for shard in look.folders(tmp_path):
        with Records(shard) as records:
            assert Mailbox(records.store.db).waiting() == 0


@pytest.mark.parametrize(("shards", "pages"), [(3, 50), (4, 7), (8, 101)])
def test_a_budget_is_kept_to_the_page_under_kills(
    world: Any, inside: Any, look: Any, tmp_path: Path, shards: int, pages: int
) -> None:
    weather = Weather(lost_before=0.1, lost_after=0.1, chance=Random(3))
    outcome = inside(world.settings(pages=pages), tmp_path, shards, weather, kills=Random(pages))
    assert outcome.reason == f"fetched {pages} pages"
    assert sum(state == "fetched" for state, _ in look.visits(tmp_path).values()) == pages


@pytest.mark.parametrize("strategy", ABLE)
def test_one_shard_goes_the_same_way_as_a_crawl_without_shards(
    world: Any, inside: Any, tmp_path: Path, strategy: str
) -> None:
    settings = world.settings(strategy=strategy, pages=60, parallel=1)
    clew.crawl(folder=str(tmp_path / "plain"), **settings)
    inside(settings, tmp_path / "one", 1)
    with Records(tmp_path / "plain") as plain, Records(tmp_path / "one" / "shards" / "0") as one:
        plain_order = [(record.url, record.score) for record in plain.pages()]
        assert [(record.url, record.score) for record in one.pages()] == plain_order
        assert len(plain_order) >= 60


@pytest.mark.parametrize("strategy", ["shark", "adaptive"])
def test_a_killed_shard_comes_back_to_the_state_it_had(
    world: Any, inside: Any, look: Any, tmp_path: Path, strategy: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its visits and its mail since a checkpoint long ago, applied once more, give the state byte for byte."""
    saved: dict[int, dict[str, object]] = {}
    commit = ShardEngine.commit

    def commit_without_checkpoint(engine: ShardEngine, checkpoint: bool = False) -> None:
        commit(engine, checkpoint and not engine._started)
        saved[engine.mail.number] = _settled(engine.state)

    monkeypatch.setattr(ShardEngine, "commit", commit_without_checkpoint)
    inside(world.settings(strategy=strategy, pages=150, parallel=1, checkpoint_seconds=1e9), tmp_path, 3)
    for number, folder in enumerate(look.folders(tmp_path)):
        with Records(folder) as records:
            assert records.store.db.execute("SELECT count(*) FROM inbox").fetchone()[0] > 5
        again = _settled(look.restored(folder))
        # What adaptive remembers of a link depends on when it was scored first, and so do scores and forecast.
        ignored = {"frontier/score", "strategy", "state"} if strategy == "adaptive" else set()
        assert {tag: again[tag] for tag in again.keys() - ignored} == {
            tag: saved[number][tag] for tag in saved[number].keys() - ignored
        }


def test_without_mail_on_disk_pages_stay_unknown(
    world: Any, whole: Path, inside: Any, look: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = Mail.rows
    monkeypatch.setattr(Mail, "rows", lambda mail: _without_sent(rows(mail)))
    # The crawl waits for lost mail until its time is over; a slow machine needs more of it to make all visits.
    for minutes in (0.1, 0.4, 1.0):
        folder = tmp_path / str(minutes)
        outcome = inside(world.settings(minutes=minutes), folder, 4)
        if has_finished := all(shard.engine.still for shard in outcome.team.shards.values()):
            break
    # It is not the end of the time that keeps them from more: none of them has anything left to visit.
    assert has_finished
    assert look.visits(folder).keys() < look.visits(whole).keys()


@pytest.mark.parametrize(
    ("without", "is_same"), [({"numbers"}, True), ({"guests"}, True), ({"numbers", "guests"}, False)]
)
def test_against_repeated_mail_there_are_two_safeguards(
    world: Any,
    whole: Path,
    inside: Any,
    look: Any,
    tmp_path: Path,
    without: set[str],
    is_same: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Numbers of letters, and guests that speak once: either is enough for links, and without both they count twice."""
    if "numbers" in without:
        monkeypatch.setattr(Mail, "_is_next", lambda mail, peer, number: True)
    if "guests" in without:
        monkeypatch.setattr(Frontier, "has_spoken", lambda frontier, guest: False)
    outcome = inside(world.settings(), tmp_path, 4, Weather(repeated=1.0))
    assert outcome.reason == "no candidates are left"
    assert look.visits(tmp_path) == look.visits(whole)
    mine, theirs = look.inlinks(tmp_path), look.inlinks(whole)
    both = mine.keys() & theirs.keys()
    assert all(mine[url] >= theirs[url] for url in both)
    assert all(mine[url] == theirs[url] for url in both) == is_same


def _settled(state: CrawlState) -> dict[str, object]:
    """A whole state, whatever the checkpoints before have of it; what was in flight waits again."""
    state.filters.write_whole()
    others = {tag: part for tag, part in state.save().items() if not tag.startswith("frontier/")}
    assert None not in others.values()
    columns = {f"frontier/{name}": state.frontier._table.column(name).tobytes() for name in COLUMNS}
    columns["frontier/state"] = columns["frontier/state"].replace(b"\x01", b"\x00")
    return {**others, **columns, "frontier/hosts": state.frontier.hosts, "frontier/dropped": state.frontier.dropped}


def _without_sent(rows: MailRows) -> MailRows:
    return MailRows((), rows.received, rows.safe, rows.peers)


def test_all_shards_learn_from_the_visits_of_all(world: Any, inside: Any, look: Any, tmp_path: Path) -> None:
    inside(world.settings(strategy="adaptive"), tmp_path, 2)
    one, other = (look.restored(folder).strategy for folder in look.folders(tmp_path))
    assert one.lessons.studied == other.lessons.own > 20
    assert other.lessons.studied == one.lessons.own > 20
    assert one.features.visits == other.features.visits == one.lessons.own + other.lessons.own
    assert one.features.finds == pytest.approx(other.features.finds, rel=1e-6)
    for mine, theirs in ((one.features.links, other.features.links), (one.features.words, other.features.words)):
        np.testing.assert_array_equal(mine.seen, theirs.seen)
        np.testing.assert_allclose(mine.good, theirs.good, rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(one.features.embedding_model.squares, other.features.embedding_model.squares, rtol=1e-6)
