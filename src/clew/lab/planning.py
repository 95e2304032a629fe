"""From an experiment to its trials: every name is checked before anything runs."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Final

import numpy as np

from clew import strategies
from clew.config import unknown
from clew.errors import ConfigError, StrategyError
from clew.lab.experiment import Experiment, Recipe, Topics
from clew.lab.task import opened
from clew.lab.trial import Trial
from clew.lab.worlds import World

WEB: Final = "{web}"
SMALLEST: Final = 25  # pages below which a topic says little


@dataclass(frozen=True)
class Plan:
    """The trials of an experiment; what of it could not be planned, and what was amiss with its worlds."""

    trials: list[Trial]
    notes: list[str]


def plan(experiment: Experiment, find: Callable[[str], World] = opened) -> Plan:
    """All trials, those of one task together."""
    _check(experiment)
    trials, notes, drawn = list[Trial](), list[str](), list[list[str]]()
    for name in experiment.worlds:
        world = find(name)
        notes += [f"warning: {warning}" for warning in world.warnings]
        drawn.append(chosen(experiment.topics, world, name))
        for task in _tasks(experiment, name, drawn[-1]):
            if world.seeds(task.topic, 1, task.distance, task.start):
                trials += _with_strategies(experiment, task)
            else:
                notes.append(f"left out: {name}: no page lies {task.distance} links from {task.topic!r}")
    notes = list(dict.fromkeys(notes))
    if not trials:
        told = "; ".join(notes) if any(drawn) else f"no topic has {SMALLEST} pages and at most half of all; name some"
        raise ConfigError(f"nothing to run on {', '.join(experiment.worlds)}: {told}")
    return Plan(trials, notes)


def chosen(topics: Topics | Mapping[str, Topics], world: World, name: str) -> list[str]:
    """The topics of a world that are meant: names are checked, a number is a sample."""
    if isinstance(topics, Mapping):
        topics = topics.get(name, ())
    if not world.topics:
        raise ConfigError(f"{name}: it has no topics; a NAME.topics.json beside NAME.warc.gz would tell them")
    if isinstance(topics, int):
        return sample(world, topics)
    for topic in topics:
        try:
            relevant = int((world.truth(topic) == 1).sum())
        except ConfigError as error:
            raise ConfigError(f"{name}: {error}") from None
        if not relevant:
            raise ConfigError(f"{name}: no page is on {topic!r}")
    return list(topics)


def sample(world: World, most: int) -> list[str]:
    """Topics from rare to common, evenly over their ranks; not those with too few pages, or half of the web."""
    sizes = {name: size for name, size in world.topics.items() if SMALLEST <= size <= len(world.urls) // 2}
    ordered = sorted(sizes, key=lambda name: (sizes[name], name))
    if len(ordered) <= most:
        return ordered
    return [ordered[round(place)] for place in np.linspace(0, len(ordered) - 1, most)]


def family(world: str) -> str:
    """The web of a world, however hard or large it was made; a recipe may name it as `{web}`.

    >>> family("wikischools-hard"), family("labyrinth:3000:tunnel")
    ('wikischools', 'labyrinth')
    """
    return re.split("[-:]", world)[0]


def _spec(recipe: Recipe, world: str) -> str:
    return recipe.spec.replace(WEB, family(world))


def _check(experiment: Experiment) -> None:
    for recipe, world in product(experiment.strategies, experiment.worlds):
        try:
            strategies.make(_spec(recipe, world))
        except (StrategyError, TypeError, ValueError) as error:
            raise ConfigError(f"strategy {recipe.name!r}: {error}") from None
    if isinstance(experiment.topics, Mapping):
        for name in experiment.topics:
            if name not in experiment.worlds:
                raise ConfigError("topics: " + unknown("world", name, list(experiment.worlds)))
        for name in experiment.worlds:
            if name not in experiment.topics:
                raise ConfigError(f"topics: there are none for {name!r}")


def _tasks(experiment: Experiment, world: str, topics: Sequence[str]) -> Iterator[Trial]:
    """Another seed draws everything anew, the start sets as well."""
    lists = topics, experiment.judges, experiment.starts, range(experiment.sets), experiment.budgets, experiment.seeds
    for topic, judge, distance, number, budget, seed in product(*lists):
        start = seed * experiment.sets + number
        yield Trial(world, topic, "", judge, distance, start, experiment.start_pages, budget, seed)


def _with_strategies(experiment: Experiment, task: Trial) -> Iterator[Trial]:
    lists = experiment.parallel, experiment.link_source, experiment.strategies
    for parallel, link_source, recipe in product(*lists):
        spec = "" if recipe.spec == recipe.name else _spec(recipe, task.world)
        yield replace(task, strategy=recipe.name, spec=spec, parallel=parallel, link_source=link_source)
