"""Floors for what strategies reach, so that a change that makes one worse is noticed."""

from __future__ import annotations

import json
import math
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Final, Literal

import numpy as np

from clew.core.manners import STILL
from clew.errors import ConfigError
from clew.lab.comparison import Comparison
from clew.lab.experiment import Experiment
from clew.lab.judges import learns
from clew.lab.result_cache import content
from clew.lab.task import opened
from clew.lab.worlds import LABYRINTH, worlds

# A floor is set this far below what was reached, for results differ a little between versions of the libraries.
SLACK: Final = 0.005
WRITTEN: Final = """\
# Written by `clew lab gate --update`: the area, as a share of the oracle's, that a strategy must reach, and the F1 of
# its collection where the judge learns."""

Place = tuple[str, str, str, str]  # world, judge, strategy, manners
Verdict = Literal["fine", "missed", "no floor", "other world"]


@dataclass(frozen=True, slots=True)
class Floor:
    """The area, and the F1, that a strategy must reach on one world, with the digest of that world."""

    world: str
    digest: str
    judge: str
    strategy: str
    area: float
    manners: str = STILL
    f1: float = 0.0  # of the collection that is handed over; 0 if the judge does not learn

    @property
    def place(self) -> Place:
        """The world, judge, strategy and manners that the floor is for."""
        return self.world, self.judge, self.strategy, self.manners


@dataclass(frozen=True, slots=True)
class Check:
    """What was reached, and its floor if there is one."""

    reached: Floor
    floor: Floor | None

    @property
    def verdict(self) -> Verdict:
        """Whether the floor holds."""
        if self.floor is None:
            return "no floor"
        # An area on another version of the web says nothing about the strategy.
        if self.floor.digest != self.reached.digest:
            return "other world"
        is_reached = self.reached.area >= self.floor.area and self.reached.f1 >= self.floor.f1
        return "fine" if is_reached else "missed"


def available(experiment: Experiment) -> tuple[Experiment, list[str]]:
    """The experiment limited to the worlds that are installed, and the names of the other worlds."""
    installed = worlds()
    # Labyrinths are generated, so those of every size are available.
    found = tuple(name for name in experiment.worlds if name in installed or name.partition(":")[0] == LABYRINTH)
    missing = [name for name in experiment.worlds if name not in found]
    topics = experiment.topics
    if isinstance(topics, Mapping):
        topics = {name: wanted for name, wanted in topics.items() if name not in missing}
    return replace(experiment, worlds=found, topics=topics), missing


def reached(comparison: Comparison) -> list[Floor]:
    """The means of each strategy on each world with each judge."""
    numbers: dict[Place, list[Mapping[str, float]]] = {}
    for result in comparison.results:
        trial = result.trial
        place = trial.world, trial.judge, trial.strategy, trial.manners
        numbers.setdefault(place, []).append(result.numbers)
    # The digest is of the content, not of the cached form: floors survive a new format of the cache.
    digests = {world: content(opened(world)) for world, *_ in numbers}
    found: list[Floor] = []
    for (world, judge, strategy, manners), same in numbers.items():
        area = float(np.mean([each["area"] for each in same]))
        f1 = float(np.mean([each["f1"] for each in same])) if learns(judge) else 0.0
        found.append(Floor(world, digests[world], judge, strategy, area, manners, f1))
    return found


def check(found: Sequence[Floor], floors: Sequence[Floor]) -> list[Check]:
    """Everything that was reached, each with its floor."""
    known = {floor.place: floor for floor in floors}
    return [Check(now, known.get(now.place)) for now in found]


def updated(checks: Sequence[Check], floors: Sequence[Floor], lower: bool = False) -> list[Floor]:
    """Floors raised to what was reached; a floor is lowered only if `lower` is set.

    The floor of a world that has changed is replaced in the same way. Floors of worlds that are not installed stay.
    """
    new = {floor.place: floor for floor in floors}
    lowered = []
    for each in checks:
        raised = replace(each.reached, area=_below(each.reached.area), f1=_below(each.reached.f1))
        if each.floor and not lower:
            if each.verdict == "fine":
                # A floor that holds stays where it is: what was reached may lie within the slack above it.
                raised = replace(raised, area=max(raised.area, each.floor.area), f1=max(raised.f1, each.floor.f1))
            elif difference := _difference(each.floor, raised):
                lowered.append(f"{' / '.join(each.floor.place)}: {difference}")
                continue
        new[raised.place] = raised
    if lowered:
        raise ConfigError("\n  ".join(["these floors would be lowered; add --lower to allow it:", *lowered]))
    return [new[place] for place in sorted(new)]


def _below(reached: float) -> float:
    """A floor for what was reached."""
    return max(0.0, math.floor(1000 * (reached - SLACK)) / 1000)


def _difference(floor: Floor, raised: Floor) -> str:
    """What would be lowered; "" if nothing."""
    parts = [f"{floor.area:.3f} -> {raised.area:.3f}"] if raised.area < floor.area else []
    parts += [f"F1 {floor.f1:.3f} -> {raised.f1:.3f}"] if raised.f1 < floor.f1 else []
    return ", ".join(parts)


def read(path: Path) -> list[Floor]:
    """The floors in a file; an empty list if there is no file yet."""
    if not path.exists():
        return []
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        return [Floor(**entry) for entry in data.get("floor", ())]
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, KeyError, TypeError) as error:
        raise ConfigError(f"cannot read the floors in {path}: {error}") from None


def write(floors: Sequence[Floor], path: Path) -> None:
    """Write the floors as a TOML file for `read`."""
    lines = [WRITTEN]
    for floor in floors:
        lines += ["", "[[floor]]"]
        # Strings and numbers look the same in JSON and in TOML.
        values = asdict(floor)
        if floor.manners == STILL:
            # As in all files from before there were others.
            del values["manners"]
        if not floor.f1:
            del values["f1"]
        lines += [f"{name} = {json.dumps(value)}" for name, value in values.items()]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
