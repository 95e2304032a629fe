"""`clew review`: answers to the questions that teach most, from keys and on crawls that run."""

from __future__ import annotations

import io
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from clew.api import explain
from clew.cli.main import main
from clew.core.reviewing import Effect, Review
from clew.labyrinth import Labyrinth, serving
from clew.store import Records

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def folder(crawl_folder: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(crawl_folder, tmp_path / "c"))


def press(monkeypatch: pytest.MonkeyPatch, keys: str) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(keys))


def test_keys_label_skip_go_back_and_quit(folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    press(monkeypatch, "y\nx s\nu\nn\nq")
    assert main(["review", str(folder)]) == 0
    shown = capsys.readouterr()
    with Records(folder) as records:
        labels = records.labels()
        titles = [page.title for page in records.pages() if page.url in {label.url for label in labels}]
    assert [label.relevant for label in labels] == [True, False]
    assert all(label.is_applied for label in labels)
    assert all(title in shown.out for title in titles)
    assert "→ relevant; " in shown.out
    assert "→ not relevant; " in shown.out
    assert "2 answers kept" in shown.err


def test_the_words_behind_the_verdict_are_marked(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    with Records(folder) as records:
        asked = [explain(folder, page.url).topics for page in records.unsure(40)]
    telling = {word for topics in asked for topic in topics for word in topic.words}
    press(monkeypatch, " " * 10 + "q")
    assert main(["review", str(folder)]) == 0
    marked = set(re.findall(r"\*(\w+)\*", capsys.readouterr().out.lower()))
    assert marked
    assert marked <= telling


def test_an_answer_changes_other_pages_and_says_how_many(folder: Path) -> None:
    with Review(folder) as review:
        before = review.records.counting()
        page = review.page
        assert page is not None
        effect = review.answer(not page.relevant)
        after = review.records.counting()
    assert effect.is_applied
    assert (page.order in after) != (page.order in before)
    assert effect.count_now + effect.no_longer == len((after ^ before) - {page.order})


def test_going_back_replaces_the_answer(folder: Path) -> None:
    with Review(folder) as review:
        page = review.page
        assert page is not None
        review.answer(True)
        assert review.back()
        assert review.page == page
        review.answer(False)
        assert not review.records.find(page.url).relevant  # type: ignore[union-attr]
        assert review.answers == {page.url: False}
        assert review.page != page


def test_the_same_page_is_not_asked_about_twice(folder: Path) -> None:
    asked: list[str] = []
    with Review(folder) as review:
        while review.page and len(asked) < 15:
            asked.append(review.page.url)
            review.skip()
    assert len(set(asked)) == len(asked) == 15


def test_the_questions_as_json(folder: Path, capsys: Capture) -> None:
    assert main(["review", str(folder), "--json", "-n", "3"]) == 0
    assert len(json.loads(capsys.readouterr().out)) == 3


def test_effects_in_words() -> None:
    assert Effect(1, 0).sentence == "1 page moved: it counts now"
    assert Effect(0, 4).sentence == "4 pages moved: 4 no longer count"
    assert Effect().sentence == "no other page moved"
    assert "next commits" in Effect(is_applied=False).sentence


def test_a_running_crawl_takes_the_answers(tmp_path: Path) -> None:
    labyrinth = Labyrinth(pages=3000, seed=2)
    folder = tmp_path / "c"
    with serving(labyrinth, delay=0.05) as server:
        where: list[Any] = ["--seeds", *labyrinth.seeds("sailing", 3), "--resolve", server.resolve, "--allow-private"]
        more = ["--delay", "0", "--parallel", "2", "--commit-seconds", "0.2", "--quiet", "--folder", str(folder)]
        command = [sys.executable, "-m", "clew", "crawl", "sailing", *where, *more, "--pages", "2000"]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        try:
            review = _when_asked(folder)
            with review:
                effects = [review.answer(True) for _ in range(3)]
                urls = list(review.answers)
                assert review.records.running
        finally:
            process.kill()
            process.wait()
    assert len(urls) == 3
    assert any(effect.is_applied for effect in effects)
    with Records(folder) as records:
        applied = [label for label in records.labels() if label.is_applied]
        assert applied
        assert all(records.find(label.url).relevant for label in applied)  # type: ignore[union-attr]


def _when_asked(folder: Path) -> Review:
    """The review of a crawl that has begun a moment ago."""
    import time

    for _ in range(600):
        if (folder / "crawl.db").exists():
            review = Review(folder)
            if review.page and review.records.stats().visited > 20:
                return review
            review.close()
        time.sleep(0.1)
    raise AssertionError("it never came to this")
