"""Floors under what strategies reach, so that nobody makes them worse without saying so."""

from __future__ import annotations

import json
import math
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Final, Literal

import numpy as np

from clew.errors import ConfigError
from clew.lab.comparison import Comparison
from clew.lab.experiment import Experiment
from clew.lab.result_cache import content
from clew.lab.task import opened
from clew.lab.worlds import LABYRINTH, worlds

SLACK: Final = 0.005  # below what was reached: other versions of the libraries may differ a little
WRITTEN: Final = "# Written by `clew lab gate --update`: the least area, of the oracle's, that a strategy must reach."

Place = tuple[str, str, str]
Verdict = Literal["fine", "missed", "no floor", "other world"]


@dataclass(frozen=True, slots=True)
class Floor:
    """The least area of a strategy on one world, as it was when the floor was set."""

    world: str
    digest: str
    judge: str
    strategy: str
    area: float

    @property
    def place(self) -> Place:
        """What it is a floor of."""
        return self.world, self.judge, self.strategy


@dataclass(frozen=True, slots=True)
class Check:
    """What was reached, beside its floor."""

    reached: Floor
    floor: Floor | None

    @property
    def verdict(self) -> Verdict:
        """Whether it holds."""
        if self.floor is None:
            return "no floor"
        if self.floor.digest != self.reached.digest:
            return "other world"
        return "fine" if self.reached.area >= self.floor.area else "missed"


def available(experiment: Experiment) -> tuple[Experiment, list[str]]:
    """The part of an experiment whose worlds are here, and the names of the others."""
    there = worlds()
    found = tuple(name for name in experiment.worlds if name in there or name.partition(":")[0] == LABYRINTH)
    missing = [name for name in experiment.worlds if name not in found]
    topics = experiment.topics
    if isinstance(topics, Mapping):
        topics = {name: wanted for name, wanted in topics.items() if name not in missing}
    return replace(experiment, worlds=found, topics=topics), missing


def reached(comparison: Comparison) -> list[Floor]:
    """The mean area of each strategy on each world with each judge."""
    areas: dict[Place, list[float]] = {}
    for result in comparison.results:
        place = result.trial.world, result.trial.judge, result.trial.strategy
        areas.setdefault(place, []).append(result.numbers["area"])
    digests = {world: content(opened(world)) for world, _, _ in areas}
    return [
        Floor(world, digests[world], judge, strategy, float(np.mean(values)))
        for (world, judge, strategy), values in areas.items()
    ]


def check(found: Sequence[Floor], floors: Sequence[Floor]) -> list[Check]:
    """Everything that was reached beside its floor."""
    known = {floor.place: floor for floor in floors}
    return [Check(now, known.get(now.place)) for now in found]


def updated(checks: Sequence[Check], floors: Sequence[Floor], lower: bool = False) -> list[Floor]:
    """Floors raised to what was reached; one that would sink needs the explicit word.

    A floor of another world is set anew in the same way, and those of worlds that are not here stay.
    """
    new = {floor.place: floor for floor in floors}
    sinking = []
    for each in checks:
        raised = replace(each.reached, area=math.floor(1000 * (each.reached.area - SLACK)) / 1000)
        if each.floor and raised.area < each.floor.area and not lower:
            if each.verdict != "fine":
                sinking.append(f"{' / '.join(each.floor.place)}: {each.floor.area:.3f} -> {raised.area:.3f}")
            continue
        new[raised.place] = raised
    if sinking:
        raise ConfigError("\n  ".join(["these floors would sink; say --lower if that is meant:", *sinking]))
    return [new[place] for place in sorted(new)]


def read(path: Path) -> list[Floor]:
    """The floors in a file; none if there is no file yet."""
    if not path.exists():
        return []
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        return [Floor(**{f.name: entry[f.name] for f in fields(Floor)}) for entry in data.get("floor", ())]
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, KeyError, TypeError) as error:
        raise ConfigError(f"cannot read the floors in {path}: {error}") from None


def write(floors: Sequence[Floor], path: Path) -> None:
    """A file that `read` takes back."""
    lines = [WRITTEN]
    for floor in floors:
        lines += ["", "[[floor]]", *(f"{name} = {json.dumps(value)}" for name, value in asdict(floor).items())]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
