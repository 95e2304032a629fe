"""The results of the experiments have a place for everything that the scripts write."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

EXPERIMENTS = Path(__file__).parents[2] / "experiments"
RESULTS = {path.name: path.read_text(encoding="utf-8") for path in sorted((EXPERIMENTS / "results").glob("*.md"))}
WRITTEN = [path.stem for path in sorted(EXPERIMENTS.rglob("*.toml")) if path.stem not in ("gate", "floors")]


@pytest.mark.parametrize("name", WRITTEN)
def test_every_experiment_has_its_place_in_the_results(name: str) -> None:
    marked = [text for text in RESULTS.values() if f"<!-- {name} -->" in text and f"<!-- end of {name} -->" in text]
    assert len(marked) == 1


def test_every_script_writes_to_a_file_that_exists() -> None:
    scripts = [*EXPERIMENTS.glob("*.py"), *(EXPERIMENTS.parent / "benchmarks").glob("*.py")]
    named = {file for script in scripts for file in re.findall(r"experiments/results/(\w+\.md)", script.read_text())}
    assert named
    assert named <= set(RESULTS)


def test_every_picture_is_there_and_shown() -> None:
    shown = {file for text in RESULTS.values() for file in re.findall(r"!\[[^\]]*\]\(([^)]+)\)", text)}
    assert shown == {path.name for path in (EXPERIMENTS / "results").glob("*.png")}


def test_the_table_of_the_explanation_is_from_the_results() -> None:
    page = (EXPERIMENTS.parent / "docs" / "explanation" / "adaptive.md").read_text(encoding="utf-8")
    section = RESULTS["adaptive.md"].split("<!-- adaptive -->")[1].split("<!-- end of adaptive -->")[0]
    for name, truth, classifier in re.findall(r"^\| `(\w+)` \| (\.\d+)[^|]*\| (\.\d+)", page, re.M):
        assert re.findall(rf"^\| {name} \| (\.\d+)", section, re.M) == [truth, classifier]
