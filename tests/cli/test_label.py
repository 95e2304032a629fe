"""`clew label`, and the flags that hand things on from crawl to crawl."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from clew.cli.main import main
from clew.store import Records

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def folder(web: Any, tmp_path: Path, capsys: Capture) -> Path:
    assert web.crawl(tmp_path / "c", "--pages", "15", "--quiet") == 0
    capsys.readouterr()
    return tmp_path / "c"


def pages(folder: Path, relevant: bool) -> list[str]:
    with Records(folder) as records:
        return [r.url for r in records.pages() if r.state == "fetched" and r.relevant == relevant]


def test_labels_are_given_listed_and_explained(folder: Path, capsys: Capture) -> None:
    first, second, *_ = pages(folder, relevant=True)
    assert main(["label", str(folder), first, second, "no"]) == 0
    assert capsys.readouterr().out.count("after visit") == 2
    assert not {first, second} & set(pages(folder, relevant=True))
    assert main(["label", str(folder), "--json"]) == 0
    labels = json.loads(capsys.readouterr().out)
    assert [(label["url"], label["relevant"]) for label in labels] == [(first, False), (second, False)]
    assert main(["explain", str(folder), first]) == 0
    assert "labelled not relevant by you" in capsys.readouterr().out


def test_labels_from_a_file(folder: Path, tmp_path: Path) -> None:
    [first, *_], [second, *_] = pages(folder, relevant=True), pages(folder, relevant=False)
    listed = tmp_path / "labels.txt"
    listed.write_text(f"# mine\n{first}\tno\n\n{second}\n")
    assert main(["label", str(folder), "--from", str(listed), "yes", "--quiet"]) == 0
    assert second in pages(folder, relevant=True)
    assert first in pages(folder, relevant=False)


@pytest.mark.parametrize("given", [["yes"], ["https://a.example/"], ["https://a.example/", "perhaps"]])
def test_a_label_without_page_or_verdict_is_refused(folder: Path, capsys: Capture, given: list[str]) -> None:
    assert main(["label", str(folder), *given]) == 1
    assert "say yes or no" in capsys.readouterr().err


def test_every_page_gets_the_label_that_follows_it(folder: Path) -> None:
    [first, *_], [second, third, *_] = pages(folder, relevant=True), pages(folder, relevant=False)
    assert main(["label", str(folder), first, "no", second, third, "yes", "--quiet"]) == 0
    with Records(folder) as records:
        labels = [(label.url, label.relevant) for label in records.labels()]
    assert labels == [(first, False), (second, True), (third, True)]


@pytest.mark.parametrize("given", [["{0}", "yes", "{1}"], ["{0}", "yes", "no"]])
def test_labels_that_do_not_pair_up_are_refused(folder: Path, capsys: Capture, given: list[str]) -> None:
    urls = pages(folder, relevant=True)
    assert main(["label", str(folder), *(word.format(*urls) for word in given)]) == 1
    assert "say yes or no" in capsys.readouterr().err
    with Records(folder) as records:
        assert records.labels() == []


def test_labels_steer_a_crawl_to_waiting_pages(folder: Path, capsys: Capture) -> None:
    with Records(folder) as records:
        query = "SELECT url FROM candidates WHERE reason = '' AND url NOT IN (SELECT url FROM pages) ORDER BY slot DESC"
        wanted, unwanted = [row[0] for row in records.store.db.execute(query).fetchmany(2)]
        visited = len(list(records.pages()))
    assert main(["label", str(folder), wanted, "yes", unwanted, "no"]) == 0
    capsys.readouterr()
    assert main(["explain", str(folder), unwanted]) == 0
    assert "out of scope: you labelled it as not relevant" in capsys.readouterr().out
    # One fetch at a time: of several, the first that is sent need not be the first that lands.
    assert main(["resume", str(folder), "--pages", "17", "--parallel", "1", "--quiet"]) == 0
    with Records(folder) as records:
        assert [record.url for record in records.pages()][visited] == wanted


def test_resume_with_another_interest(folder: Path, capsys: Capture) -> None:
    assert main(["resume", str(folder), "--interest", "sailing OR golf", "--pages", "20", "--quiet"]) == 0
    with Records(folder) as records:
        assert records.config.what.interest == "sailing OR golf"
        assert records.stats().pages == 20


def test_what_a_strategy_lacks_is_reported_once(web: Any, tmp_path: Path, capsys: Capture) -> None:
    assert web.crawl(tmp_path / "c", "--pages", "5", "--strategy", "context_graph") == 0
    assert capsys.readouterr().err.count("context_graph goes on without back-links") == 1
    more = ["--search-sources", str(tmp_path / "c"), "--learned-from", str(tmp_path / "c")]
    assert web.crawl(tmp_path / "d", "--pages", "5", "--strategy", "context_graph", *more) == 0
    assert "goes on without" not in capsys.readouterr().err


def test_a_url_that_the_crawl_has_never_seen_is_pointed_out(folder: Path, capsys: Capture) -> None:
    [known, *_] = pages(folder, relevant=True)
    assert main(["label", str(folder), known, "http://nowhere.example/", "yes"]) == 0
    error = capsys.readouterr().err
    assert error.count("this crawl has never seen this URL; the label waits until it is visited") == 1
    assert "http://nowhere.example/: this crawl" in error


def test_a_file_of_labels_that_is_not_there(folder: Path, capsys: Capture) -> None:
    assert main(["label", str(folder), "--from", "nothing.txt"]) == 1
    assert capsys.readouterr().err == "clew: cannot read the labels in nothing.txt: No such file or directory\n"
