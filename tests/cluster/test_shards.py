"""A crawl on several shards visits what one process would visit, whatever is lost, late or killed."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

import clew
from clew import strategies
from clew.base import codec
from clew.cluster.engine import ShardEngine
from clew.cluster.inside import Weather
from clew.core.mail import Mail
from clew.frontier import Frontier
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
    saved: dict[int, dict[str, bytes]] = {}
    commit = ShardEngine.commit

    def commit_without_checkpoint(engine: ShardEngine, checkpoint: bool = False) -> None:
        commit(engine, checkpoint and not engine._started)
        saved[engine.mail.number] = _settled(engine.state.save())

    monkeypatch.setattr(ShardEngine, "commit", commit_without_checkpoint)
    inside(world.settings(strategy=strategy, pages=150, parallel=1, checkpoint_seconds=1e9), tmp_path, 3)
    for number, folder in enumerate(look.folders(tmp_path)):
        with Records(folder) as records:
            assert records.store.db.execute("SELECT count(*) FROM inbox").fetchone()[0] > 5
        again = _settled(look.restored(folder).save())
        # What adaptive remembers of a link depends on when it was scored first, and so do scores and forecast.
        ignored = {"frontier/score", "strategy", "state"} if strategy == "adaptive" else set()
        assert {tag: again[tag] for tag in again.keys() - ignored} == {
            tag: saved[number][tag] for tag in saved[number].keys() - ignored
        }


@pytest.mark.parametrize("without", ["outbox", "numbers", "guests"])
def test_every_safeguard_is_needed(
    world: Any, whole: Path, inside: Any, look: Any, tmp_path: Path, without: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without mail on disk, without numbers, or without guests the labyrinth is not the same any more."""
    if without == "outbox":
        rows = Mail.rows
        monkeypatch.setattr(Mail, "rows", lambda mail: _without_sent(rows(mail)))
    elif without == "numbers":
        monkeypatch.setattr(Mail, "_is_next", lambda mail, peer, number: True)
    else:
        monkeypatch.setattr(Frontier, "has_spoken", lambda frontier, guest: False)
    weather = Weather(repeated=0.5, chance=Random(1))
    outcome = inside(world.settings(pages=700, minutes=0.1), tmp_path, 4, weather)
    same_visits = look.visits(tmp_path) == look.visits(whole)
    mine, theirs = look.inlinks(tmp_path), look.inlinks(whole)
    assert not (same_visits and all(mine[url] == theirs[url] for url in mine.keys() & theirs.keys())), outcome.reason


def _settled(state: dict[str, bytes]) -> dict[str, bytes]:
    """A saved state; what was in flight waits again."""
    return {**state, "frontier/state": state["frontier/state"].replace(b"\x01", b"\x00")}


def _without_sent(rows: MailRows) -> MailRows:
    return MailRows((), rows.received, rows.safe, rows.peers)


def test_all_shards_learn_from_the_visits_of_all(world: Any, inside: Any, look: Any, tmp_path: Path) -> None:
    """With the visits that no lesson has told yet, both have counted the same."""
    inside(world.settings(strategy="adaptive"), tmp_path, 2)
    one, other = (look.restored(folder).strategy for folder in look.folders(tmp_path))
    assert one.lessons.studied > 20
    assert other.lessons.studied > 20
    last = [{"visits": codec.loads(codec.dumps(each.lessons.pending)), "best": 0.0} for each in (one, other)]
    one.study_lesson(last[1])
    other.study_lesson(last[0])
    assert one.features.visits == other.features.visits == one.lessons.own + other.lessons.own
    assert one.features.finds == pytest.approx(other.features.finds, rel=1e-6)
    for mine, theirs in ((one.features.links, other.features.links), (one.features.words, other.features.words)):
        np.testing.assert_array_equal(mine.seen, theirs.seen)
        np.testing.assert_allclose(mine.good, theirs.good, rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(one.features.embedding_model.squares, other.features.embedding_model.squares, rtol=1e-6)
