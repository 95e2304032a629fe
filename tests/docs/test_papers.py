"""The table of the papers names modules, ways to reach them and tests that exist, so that it cannot grow stale."""

from __future__ import annotations

import importlib
import re
import shlex
import tomllib
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import clew
from clew.cli.main import build_parser
from clew.config import SETTINGS, Topic, configure
from clew.errors import ClewError, ConfigError
from clew.interests import parse
from clew.lab.experiment import Experiment
from clew.strategies import make
from clew.strategies._registry import names as strategy_names

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "explanation" / "papers.md"
FEWEST_ROWS = {"Ariadne": 70, "First-order": 25, "Adaptive": 90, "Intelligent": 30, "The hybrid": 20}
NOT_THERE = "not there"
OF_TOPICS = {field.name for field in fields(Topic)}
OF_EXPERIMENTS = {field.name for field in fields(Experiment)}


class Row(NamedTuple):
    """A row of a table."""

    capability: str
    section: str
    module: str
    reach: str
    test: str

    @property
    def is_missing(self) -> bool:
        return self.module.startswith(NOT_THERE)


def tables() -> Iterator[tuple[str, list[Row]]]:
    """The tables of the page, by their headings."""
    for part in PAGE.read_text(encoding="utf-8").split("\n## ")[1:]:
        lines = [line for line in part.splitlines() if line.startswith("| ")][1:]
        cells = [re.split(r"(?<!\\)\|", line)[1:-1] for line in lines]
        yield part.partition("\n")[0], [Row(*(cell.strip() for cell in row)) for row in cells]


ROWS = [row for _, rows in tables() for row in rows]
HERE = [row for row in ROWS if not row.is_missing]


def named(text: str) -> list[str]:
    return re.findall(r"`([^`]+)`", text)


def of_row(row: Row) -> str:
    return row.capability[:60]


def test_every_paper_has_its_table() -> None:
    found = dict(tables())
    assert len(found) == len(FEWEST_ROWS)
    for (begin, fewest), (heading, rows) in zip(FEWEST_ROWS.items(), found.items(), strict=True):
        assert heading.startswith(begin)
        assert len(rows) >= fewest, heading


@pytest.mark.parametrize("row", ROWS, ids=of_row)
def test_no_cell_is_empty(row: Row) -> None:
    assert all(row)
    # What is not there needs a reason, and only that may be without a way and a test.
    assert (row.reach, row.test) == ("–", "–") if row.is_missing else "–" not in (row.reach, row.test)
    assert not row.is_missing or len(row.module) > len(NOT_THERE) + 20


@pytest.mark.parametrize("row", HERE, ids=of_row)
def test_the_module_exists(row: Row) -> None:
    modules = [name for name in named(row.module) if name.endswith(".py")]
    assert modules
    assert [name for name in modules if not (ROOT / "src" / "clew" / name).is_file()] == []


@pytest.mark.parametrize("row", HERE, ids=of_row)
def test_the_test_exists(row: Row) -> None:
    tests = named(row.test)
    assert tests
    for name in tests:
        file, _, function = name.partition("::")
        text = (ROOT / "tests" / file).read_text(encoding="utf-8")
        assert re.search(rf"^(async )?def {function}\(", text, re.M), name


@pytest.mark.parametrize("row", HERE, ids=of_row)
def test_users_can_reach_it(row: Row) -> None:
    ways = named(row.reach)
    assert ways or row.reach == "every crawl"
    for way in ways:
        check(way, in_topic="table" in row.reach or "taxonomy" in row.reach, in_experiment="experiment" in row.reach)


def check(way: str, *, in_topic: bool, in_experiment: bool) -> None:
    """Raise if a command, a flag, a setting, a Python name, a strategy or a formula does not exist."""
    if way.startswith("clew "):
        check_command(shlex.split(way)[1:])
    elif way.startswith("clew."):
        check_python_name(way)
    elif way.startswith("--"):
        assert way[2:].replace("-", "_") in SETTINGS
    elif re.match(r"[a-z_]+ = ", way):
        [(name, value)] = tomllib.loads(way).items()
        check_setting(name, value, in_topic=in_topic, in_experiment=in_experiment)
    elif way.partition("(")[0] in strategy_names():
        make(way)
    else:
        parse(way)


def check_command(words: list[str]) -> None:
    args, extra = build_parser().parse_known_args(words)
    assert not [word for word in extra if word.startswith("-")], words
    assert not extra or isinstance(args.pages, list), words  # `clew label` takes several URLs
    files = [word for word in words if word.startswith("experiments/")]
    assert all((ROOT / file).is_file() for file in files), words


def check_python_name(name: str) -> None:
    module, _, attribute = name.rpartition(".")
    assert hasattr(clew if module == "clew" else importlib.import_module(module), attribute), name


def check_setting(name: str, value: Any, *, in_topic: bool, in_experiment: bool) -> None:
    if in_experiment and name in OF_EXPERIMENTS:
        Experiment.of({"worlds": ["labyrinth:300"], "strategies": ["best_first"], name: value})
    elif in_topic and name in OF_TOPICS:
        Topic(**{name: value})
    else:
        configure(**{name: value})


@pytest.mark.parametrize(
    ("way", "error"),
    [
        ("clew lab locallity W", SystemExit),
        ("clew crawl x --no-such-flag 1", AssertionError),
        ("clew lab run experiments/papers/none.toml", AssertionError),
        ("clew.no_such_name", AssertionError),
        ("--no-such-flag", AssertionError),
        ("dealy = 1", ConfigError),
        ("learn_visits = 5", ConfigError),  # a key of experiments only
        ("ariadne(no_such_parameter=1)", ClewError),
        ("no_such_strategy(n=1)", ClewError),
    ],
)
def test_a_way_that_does_not_exist_is_found_out(way: str, error: type[BaseException]) -> None:
    with pytest.raises(error):
        check(way, in_topic=False, in_experiment=False)
