from __future__ import annotations

import json
from pathlib import Path

import pytest

from clew.cli.main import main
from clew.labyrinth import Labyrinth

Capture = pytest.CaptureFixture[str]
FILE = """
[topics.sports]
keywords = ["sports", "[team]"]
[topics.sailing]
parent = "sports"
examples = ["sailing"]
weight = 2
[topics.jazz]
examples = ["jazz"]
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A configuration with six example pages for each of two topics."""
    folder = tmp_path_factory.mktemp("topics")
    web = Labyrinth(pages=1000)
    for topic in ("sailing", "jazz"):
        (folder / topic).mkdir()
        for number, url in enumerate(web.seeds(topic, 6)):
            (folder / topic / f"{number}.html").write_bytes(web.page(url).body)
    (folder / "topics.toml").write_text(FILE, encoding="utf-8")
    return folder


def test_topics_are_listed_as_a_tree(folder: Path, capsys: Capture) -> None:
    assert main(["topics", "--config", str(folder / "topics.toml")]) == 0
    text = capsys.readouterr().out
    assert "ANY\n├── sports  sports, [team]\n│   └── sailing" in text
    assert "weight 2" in text


def test_topics_as_json(folder: Path, capsys: Capture) -> None:
    assert main(["topics", "--config", str(folder / "topics.toml"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["sailing"]["parent"] == "sports"


def test_no_topics_is_reported(capsys: Capture) -> None:
    assert main(["topics"]) == 1
    assert "--config" in capsys.readouterr().err


def test_quality_and_judgements(folder: Path, capsys: Capture) -> None:
    pages = [str(folder / "sailing" / "0.html"), str(folder / "jazz" / "0.html")]
    words = ["topics", "test", "sailing AND NOT jazz", *pages, "--config", str(folder / "topics.toml")]
    assert main(words) == 0
    text = capsys.readouterr().out
    for part in ("precision", "recall", "for it", "sail", "relevance", "jazz"):
        assert part in text
    assert main([*words, "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert [topic["topic"] for topic in data["topics"]] == ["sports", "sailing", "jazz"]
    assert data["pages"][0]["relevance"] > 0.5 > data["pages"][1]["relevance"]


def test_a_bare_formula_needs_no_file(folder: Path, capsys: Capture) -> None:
    page = str(folder / "sailing" / "0.html")
    assert main(["topics", "test", "sailing AND NOT golf", page, "--threshold", "0.99"]) == 0
    assert "golf" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("sailing AND",), "^"),
        (("sailing", "nothing.html"), "there is no file nothing.html;"),
        (("sailing >= 2",), "a relevance must be between 0 and 1"),
        (("x", "--threshold", "-1"), "at least 0"),
        (("x", "--threshold", "7"), "the threshold must be between 0 and 1"),
    ],
)
def test_bad_input_is_reported(capsys: Capture, words: tuple[str, ...], message: str) -> None:
    assert main(["topics", "test", *words]) == 1
    assert message in capsys.readouterr().err


def test_the_usage_shows_that_test_is_optional(capsys: Capture) -> None:
    assert main(["topics", "--help"]) == 0
    assert "usage: clew topics [test FORMULA ...]" in capsys.readouterr().out
    assert main(["topics", "test", "--nonsense"]) == 2
    assert "Try 'clew topics test --help'" in capsys.readouterr().err


def test_a_test_without_pages_asks_for_some(capsys: Capture) -> None:
    assert main(["topics", "test", "sailing"]) == 0
    assert "name some: clew topics test" in capsys.readouterr().err


def test_pages_may_stand_behind_flags(folder: Path, capsys: Capture) -> None:
    page = folder / "page.html"
    page.write_text("<title>Yachts</title><p>sailing")
    assert main(["topics", "test", "sailing", "--json", str(page)]) == 0
    assert json.loads(capsys.readouterr().out)["pages"][0]["title"] == "Yachts"
