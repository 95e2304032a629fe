"""Another interest while the crawl goes on: all pages are judged again in slices."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import clew
from clew.base.single_thread import one_thread
from clew.config import configure
from clew.core import feedback
from clew.core.engine import Engine
from clew.core.rejudging import REJUDGING
from clew.labyrinth import Labyrinth, serving
from clew.store import Records, open_folder
from clew.store.told_settings import settings_in

LABYRINTH = Labyrinth(pages=400, seed=2)
Verdicts = dict[str, tuple[float, bool]]


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("rejudging") / "crawl"
    with serving(LABYRINTH) as served:
        clew.crawl(
            "sailing",
            LABYRINTH.seeds("sailing", 3),
            judge="plain",
            threshold=0.3,
            pages=40,
            folder=str(folder),
            resolve=[served.resolve],
            allow_private=True,
            delay=0,
        )
    return folder


def some_slices(folder: Path, interest: str, slices: int) -> bool:
    """Begin a change of interest, judge a page in each slice, commit, and stop short; whether all was done."""
    with open_folder(folder) as store, one_thread():
        config = settings_in(store)
        engine = Engine(feedback.state_of_folder(config, store), feedback.Offline(), store, clock=lambda: 0.0)
        engine.resume(store)
        changed = configure(config, interest=interest)
        engine.change_settings(changed)
        feedback.catch_up(engine, store, changed, gradually=True)
        for _ in range(slices):
            if engine.rejudging:
                engine._rejudge(0.0)
        engine.commit()
        return engine.rejudging is None


def verdicts(folder: Path) -> Verdicts:
    with Records(folder) as records:
        return {page.url: (page.relevance, page.relevant) for page in records.pages()}


@pytest.mark.parametrize("slices", [0, 5, 55, 10_000])
def test_it_goes_on_where_the_last_commit_left_it(crawled: Path, tmp_path: Path, slices: int) -> None:
    at_once = Path(shutil.copytree(crawled, tmp_path / "at_once"))
    gradual = Path(shutil.copytree(crawled, tmp_path / "gradual"))
    clew.tell(at_once, "interest", "cooking")
    before = verdicts(gradual)
    is_done = some_slices(gradual, "cooking", slices)
    assert is_done == (slices == 10_000)
    if slices == 5:
        # Some pages have a new verdict, and the others the old one.
        changed = [url for url, verdict in verdicts(gradual).items() if verdict != before[url]]
        assert 0 < len(changed) <= 5
    # An order to a stopped crawl finishes first what was left.
    clew.tell(gradual, "limit", "pages=60")
    assert verdicts(gradual) == verdicts(at_once)
    with Records(gradual) as one, Records(at_once) as other:
        assert one.store.get(REJUDGING) == ""
        assert one.stats().relevant == other.stats().relevant
        scores = {entry.url: entry.score for entry in one.head()}
        assert scores == pytest.approx({entry.url: entry.score for entry in other.head()})


def test_labels_count_for_more_than_the_judge(crawled: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(crawled, tmp_path / "c"))
    some_slices(folder, "cooking", 5)
    with Records(folder) as records:
        last = [page for page in records.pages() if page.state == "fetched" and not page.relevant][-1]
    clew.label(folder, last.url, True)
    with Records(folder) as records:
        assert records.find(last.url).relevant  # type: ignore[union-attr]
        assert records.store.get(REJUDGING) == ""
