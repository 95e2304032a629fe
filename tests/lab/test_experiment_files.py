"""The experiments of the repository: files that can be read, and scripts that print tables."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import pytest

from clew.lab.experiment import Experiment

FOLDER = Path(__file__).parents[2] / "experiments"
FILES = sorted([*FOLDER.rglob("*.toml"), *(Path(__file__).parents[1] / "eval").glob("*gate.toml")])


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLEW_CACHE", str(tmp_path))
    monkeypatch.syspath_prepend(FOLDER)  # scripts import each other


def script(name: str) -> dict[str, Any]:
    return runpy.run_path(str(FOLDER / name))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_files_can_be_read(path: Path) -> None:
    experiment = Experiment.read(path)
    assert experiment.title
    assert experiment.text


def test_both_cold_starts_differ_in_their_start_pages_only() -> None:
    near, far = (Experiment.read(FOLDER / name) for name in ("cold_start.toml", "cold_start_far.toml"))
    assert [(each.starts, each.start_pages) for each in (near, far)] == [((0,), 3), ((2,), 1)]
    for name in ("worlds", "topics", "judges", "budgets", "strategies"):
        assert getattr(near, name) == getattr(far, name)


def test_a_cold_start_is_reported_crawl_by_crawl(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "small.toml"
    file.write_text(
        'worlds = "labyrinth:300"\ntopics = 2\nstarts = 0\nbudgets = 40\njudges = ["truth", "noise:10"]\n'
        'strategies = ["random_order", "best_first"]\n'
    )
    script("cold_start.py")["main"]([str(file), "--jobs", "1"])
    lines = capsys.readouterr().out.splitlines()
    [head] = [line for line in lines if line.startswith("| guide |")]
    assert (
        head == "| guide | oracle | random_order | best_first | random_order ahead of best_first | as good | behind |"
    )
    rows = [line.split(" | ") for line in lines if line.startswith("| guided")]
    assert [row[0] for row in rows] == [
        "| guided by the truth, 40 visits",
        "| guided by the classifier with 10 % wrong labels, 40 visits",
    ]
    assert all(sum(int(cell.strip(" |")) for cell in row[-3:]) == 2 for row in rows)
    assert any(line.startswith("- labyrinth:300, ") and " against " in line for line in lines)


@pytest.mark.parametrize("kind", ["another interest", "labels", "earlier crawl"])
def test_a_change_is_reported_as_delay_and_harvests(kind: str) -> None:
    change_interest = script("refocus.py")
    assert kind in change_interest["TASKS"]
    cell = change_interest["shown"](
        change_interest["reaction"](kind, "labyrinth:300", "sports", "sailing", "best_first")
    )
    delay, harvests = cell.split(" ", 1)
    assert delay == "–" or 25 <= int(delay) <= 150
    assert harvests.count("%") == 2


SMALL = """
worlds = "labyrinth:300"
topics = 2
starts = [0, 2]
budgets = 40
judges = "truth"
strategies = ["random_order", "best_first"]
"""


def written(folder: Path, name: str, mark: str, *options: str) -> list[list[str]]:
    """What a script writes into a document: the cells of its tables, row by row."""
    file, document = folder / "small.toml", folder / "small.md"
    file.write_text(SMALL)
    document.write_text(f"<!-- {mark} of small -->\n<!-- end of {mark} of small -->\n")
    script(name)["main"](str(file), str(document), *options)
    rows = [line for line in document.read_text().splitlines() if line.startswith(("|", "!"))]
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]


def test_areas_are_listed_by_the_distance_of_the_start_pages(tmp_path: Path) -> None:
    head, _, *rows = written(tmp_path, "by_start.py", "starts")
    assert head == ["strategy", "on the topic", "2 links away"]
    areas = {name: (float(near), float(far)) for name, near, far in rows}
    assert areas["best_first"][0] > areas["random_order"][0] > 0


def test_the_contribution_of_a_part_is_listed_in_pairs(tmp_path: Path) -> None:
    *_, [name, difference, interval, won, lost] = written(tmp_path, "parts.py", "worth", "best_first")
    assert (name, int(won), int(lost)) == ("random_order", 2, 0)
    low, high = map(float, interval.split(" to "))
    assert 0 < low <= float(difference) <= high


def test_curves_are_written_beside_the_document(tmp_path: Path) -> None:
    [[shown]] = written(tmp_path, "curves.py", "curves")
    picture = tmp_path / shown.partition("(")[2].rstrip(")")
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_paths_go_where_a_document_asks_for_them(tmp_path: Path) -> None:
    file = tmp_path / "small.toml"
    file.write_text(
        'worlds = "labyrinth:2000:regions"\ntopics = ["sailing AND Ruegen"]\nstarts = 0\nbudgets = 40\n'
        'judges = "formula"\nstrategies = ["breadth_first", "ariadne"]\n'
    )
    document = tmp_path / "paper.md"
    marks = "<!-- small -->\n<!-- end of small -->\n"
    document.write_text(f"{marks}<!-- paths of small -->\n<!-- end of paths of small -->\n")
    script("write_up.py")["main"]([str(file), str(document)])
    rows = [line.split(" | ") for line in document.read_text().splitlines() if line.startswith("| ariadne")]
    area, paths = rows
    assert (len(area), len(paths)) == (8, 9)
    assert float(paths[1]) > 0
    document.write_text(marks)
    script("write_up.py")["main"]([str(file), str(document)])
    assert "farthest" not in document.read_text()


HYBRID = """
worlds = "labyrinth:300"
topics = 2
starts = ["hub", "portal"]
start_pages = 1
budgets = 200
judges = "vocabulary"
strategies = ["breadth_first", "hybrid"]
"""
FACTORS = """
worlds = "labyrinth:300"
topics = ["sailing", 'sports AND word("boat")']
starts = ["portal", "far"]
start_pages = 1
budgets = 60
strategies = [
  { name = "random", spec = "random_order" },
  { name = "content", spec = "intelligent(factors='content')" },
  { name = "URL tokens", spec = "intelligent(factors='url')" },
  { name = "links", spec = "intelligent(factors='link')" },
  { name = "siblings", spec = "intelligent(factors='sibling')" },
  { name = "composite", spec = "intelligent" },
]
"""
REUSE = """
worlds = "labyrinth:300"
topics = ['sailing AND word("boat")', 'sports AND word("boat")']
starts = [1, "portal"]
budgets = 60
strategies = [
  { name = "fresh", spec = "intelligent" },
  { name = "reused", spec = "intelligent", learned_from = "broader" },
]
"""


@pytest.mark.parametrize(
    ("name", "content", "head", "verdicts"),
    [
        ("hybrid", HYBRID, "| crawler | start | visits (TCP) | relevant (RPC) | time (RCT) | AHR | 95 % |", 2),
        ("hybrid_similarity", HYBRID.replace("hybrid", "fish"), "| similarity | AHR | 95 % | hub | portal |", 0),
        ("intelligent_factors", FACTORS, "| crawl | random | content |", 3),
        ("intelligent_seeds", FACTORS, "| crawl | random | content |", 3),
        ("intelligent_table", FACTORS, "| crawl | random | content |", 1),
        ("intelligent_related", REUSE, "| start | fresh: harvest, mean of the curve |", 2),
    ],
)
def test_the_tables_of_papers_end_with_verdicts(
    tmp_path: Path, name: str, content: str, head: str, verdicts: int
) -> None:
    file, document = tmp_path / f"{name}.toml", tmp_path / "papers.md"
    file.write_text(content)
    document.write_text(f"<!-- {name} -->\n<!-- end of {name} -->\n")
    script("write_up.py")["main"](["--jobs", "1", str(file), str(document)])
    lines = document.read_text().splitlines()
    assert any(line.startswith(head) for line in lines)
    claims = [line for line in lines if line.startswith("- ") and "**" in line]
    assert len(claims) == verdicts


def test_a_claim_holds_if_its_interval_lies_above_zero() -> None:
    difference = script("paper_tables.py")["_difference"]
    [clear] = difference({1: 0.5, 2: 0.6, 3: 0.4}, {1: 0.1, 2: 0.2, 3: 0.1}, "better")
    assert clear.startswith("- better (50.0% against 13.3%, difference +36.7 points, ")
    assert clear.endswith("**holds**")
    [unclear] = difference({1: 0.5, 2: 0.1, 3: 0.4}, {1: 0.1, 2: 0.4, 3: 0.3}, "better")
    assert unclear.endswith("**cannot be shown here**, the interval includes 0")
    [worse] = difference({1: 0.1, 2: 0.1}, {1: 0.2, 2: 0.3}, "better")
    assert worse.endswith("**does not hold here**")
