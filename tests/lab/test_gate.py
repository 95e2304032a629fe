"""Floors hold, are missed, are raised, and are lowered only on request."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from clew.errors import ConfigError
from clew.lab import gate
from clew.lab.compare import Comparison, compare
from clew.lab.experiment import Experiment
from clew.lab.gate import Floor


@pytest.fixture(scope="module")
def comparison(tmp_path_factory: pytest.TempPathFactory) -> Comparison:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CLEW_CACHE", str(tmp_path_factory.mktemp("gate")))
        return compare(["shark", "breadth_first"], "labyrinth:300", topics=2, starts=0, budgets=30, jobs=1)


def verdicts(found: list[Floor], floors: list[Floor]) -> list[str]:
    return [each.verdict for each in gate.check(found, floors)]


def test_floors_are_saved_in_a_file(comparison: Comparison, tmp_path: Path) -> None:
    found = gate.reached(comparison)
    assert [(floor.world, floor.judge, floor.strategy) for floor in found] == [
        ("labyrinth:300", "truth", "shark"),
        ("labyrinth:300", "truth", "breadth_first"),
    ]
    assert verdicts(found, gate.read(tmp_path / "floors.toml")) == ["no floor", "no floor"]
    floors = gate.updated(gate.check(found, []), [])
    gate.write(floors, tmp_path / "floors.toml")
    assert gate.read(tmp_path / "floors.toml") == floors
    assert verdicts(found, floors) == ["fine", "fine"]
    for floor in floors:
        [now] = [each for each in found if each.place == floor.place]
        assert 0 < now.area - floor.area < gate.SLACK + 0.001


def test_a_floor_that_is_missed(comparison: Comparison) -> None:
    found = gate.reached(comparison)
    high = [replace(floor, area=floor.area + 0.01) for floor in found]
    assert verdicts(found, high) == ["missed", "missed"]
    with pytest.raises(ConfigError, match=r"add --lower(.|\n)*labyrinth:300 / truth / shark / still: "):
        gate.updated(gate.check(found, high), high)
    lowered = gate.updated(gate.check(found, high), high, lower=True)
    assert verdicts(found, lowered) == ["fine", "fine"]


def test_a_floor_that_holds_is_not_lowered_by_the_slack(comparison: Comparison) -> None:
    found = gate.reached(comparison)
    assert gate.updated(gate.check(found, found), found) == sorted(found, key=lambda floor: floor.place)


def test_a_floor_belongs_to_one_version_of_a_world(comparison: Comparison) -> None:
    found = gate.reached(comparison)
    old = [replace(floor, digest="another", area=0.01) for floor in found]
    assert verdicts(found, old) == ["other world", "other world"]
    assert verdicts(found, gate.updated(gate.check(found, old), old)) == ["fine", "fine"]
    with pytest.raises(ConfigError, match="would be lowered"):
        gate.updated(gate.check(found, [replace(floor, area=1.0) for floor in old]), old)


def test_floors_of_missing_worlds_stay(comparison: Comparison, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("CLEW_WORLDS", str(tmp_path))
    topics = {"labyrinth:300": 2, "webkb": ["course"]}
    experiment = Experiment.of({"worlds": ["labyrinth:300", "webkb"], "strategies": "shark", "topics": topics})
    here, missing = gate.available(experiment)
    assert (here.worlds, here.topics, missing) == (("labyrinth:300",), {"labyrinth:300": 2}, ["webkb"])
    absent = Floor("webkb", "digest", "truth", "shark", 0.5)
    found = gate.reached(comparison)
    assert absent in gate.updated(gate.check(found, [absent]), [absent])


@pytest.mark.parametrize("text", ["floor = ", "[[floor]]\nworld = 'a'", "floor = 3"])
def test_a_damaged_file_is_reported(text: str, tmp_path: Path) -> None:
    (tmp_path / "floors.toml").write_text(text)
    with pytest.raises(ConfigError, match=r"cannot read the floors in .*floors\.toml"):
        gate.read(tmp_path / "floors.toml")


def test_collections_of_judges_that_learn_have_a_floor() -> None:
    reached = Floor("small", "digest", "keywords", "shark", 0.5, f1=0.4)
    [floor] = gate.updated(gate.check([reached], []), [])
    assert (floor.area, floor.f1) == (0.495, 0.395)
    assert verdicts([reached], [floor]) == ["fine"]
    worse = replace(reached, f1=0.39)
    assert verdicts([worse], [floor]) == ["missed"]
    with pytest.raises(ConfigError, match=r"F1 0\.395 -> 0\.385"):
        gate.updated(gate.check([worse], [floor]), [floor])
