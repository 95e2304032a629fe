"""Turns an experiment into trials; every name is checked before anything runs."""

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
from clew.interests.syntax import And, Node, joined
from clew.lab.experiment import BROADER, SAME, Experiment, Recipe, Topics
from clew.lab.start_pages import absent, drawn
from clew.lab.task import opened
from clew.lab.trial import Trial
from clew.lab.worlds import World

WEB: Final = "{web}"  # placeholder in recipes
MIN_TOPIC_PAGES: Final = 25  # a topic with fewer pages says little about a strategy


@dataclass(frozen=True)
class Plan:
    """The trials of an experiment, with notes on what was left out and on faults of its worlds."""

    trials: list[Trial]
    notes: list[str]


def plan(experiment: Experiment, find: Callable[[str], World] = opened) -> Plan:
    """All trials; those of one task follow each other."""
    _check(experiment)
    trials: list[Trial] = []
    notes: list[str] = []
    any_topic = False
    for name in experiment.worlds:
        world = find(name)
        notes += [f"warning: {warning}" for warning in world.warnings]
        topics = chosen(experiment.topics, world, name)
        any_topic = any_topic or bool(topics)
        for task in _tasks(experiment, name, topics):
            if drawn(world, task.topic, 1, task.where, task.start):
                trials += _with_strategies(experiment, task, world)
            else:
                notes.append(f"left out: {name}: {absent(task.topic, task.where)}")
    # Tasks that differ only in judge, budget or seed are left out for the same reason.
    notes = list(dict.fromkeys(notes))
    if not trials:
        too_small = (
            f"no topic has {MIN_TOPIC_PAGES} pages or more and at most half of all pages; name the topics to use"
        )
        reason = "; ".join(notes) if any_topic else too_small
        raise ConfigError(f"nothing to run on {', '.join(experiment.worlds)}: {reason}")
    return Plan(trials, notes)


def chosen(topics: Topics | Mapping[str, Topics], world: World, name: str) -> list[str]:
    """The topics of a world that an experiment asks for: names are checked, a number draws a sample."""
    if isinstance(topics, Mapping):
        topics = topics.get(name, ())
    if not world.topics:
        raise ConfigError(
            f"{name}: it has no topics. For a WARC file, list them in a file NAME.topics.json beside it; "
            "for a crawl folder, they are the pages that were relevant there, and there is none"
        )
    if isinstance(topics, int):
        return sample(world, topics)
    for topic in topics:
        try:
            relevant = int((world.truth(topic) == 1).sum())
        except ConfigError as error:
            raise ConfigError(f"{name}: {error}") from None
        if not relevant:
            raise ConfigError(f"{name}: no page is about {topic!r}")
    return list(topics)


def sample(world: World, count: int) -> list[str]:
    """Topics from rare to common, evenly spaced by rank; the topic of a web that has only one."""
    if len(world.topics) == 1:
        return list(world.topics)
    # A topic of few pages measures chance, and one that covers half of the web is no task for a focused crawler.
    sizes = {name: size for name, size in world.topics.items() if MIN_TOPIC_PAGES <= size <= len(world.urls) // 2}
    ordered = sorted(sizes, key=lambda name: (sizes[name], name))
    if len(ordered) <= count:
        return ordered
    return [ordered[round(rank)] for rank in np.linspace(0, len(ordered) - 1, count)]


def family(world: str) -> str:
    """The web that a world is a variant of, without its size and difficulty; recipes may refer to it as `{web}`.

    >>> family("wikischools-hard"), family("labyrinth:3000:tunnel")
    ('wikischools', 'labyrinth')
    """
    return re.split("[-:]", world)[0]


def _spec(recipe: Recipe, world: str) -> str:
    return recipe.spec.replace(WEB, family(world))


def _check(experiment: Experiment) -> None:
    # Made and thrown away: a wrong parameter should stop an experiment now, not after hours.
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
                raise ConfigError(f"topics: there are none for {name!r}; add it to the table, or remove the world")


def _tasks(experiment: Experiment, world: str, topics: Sequence[str]) -> Iterator[Trial]:
    lists = topics, experiment.judges, experiment.starts, range(experiment.sets), experiment.budgets, experiment.seeds
    for topic, judge, where, number, budget, seed in product(*lists):
        # Another seed draws everything again, the start pages too, so its sets have numbers of their own.
        start = seed * experiment.sets + number
        distance = where if isinstance(where, int) else 0
        place = where if isinstance(where, str) else ""
        task = Trial(world, topic, "", judge, distance, start, experiment.start_pages, budget, seed, place=place)
        yield replace(task, learn_visits=experiment.learn_visits)


def _with_strategies(experiment: Experiment, task: Trial, world: World) -> Iterator[Trial]:
    ways = experiment.parallel, experiment.link_source, experiment.manners
    for parallel, link_source, manners in product(*ways):
        way = replace(task, parallel=parallel, link_source=link_source, manners=manners)
        for recipe, repeat in product(experiment.strategies, range(experiment.repeats)):
            spec = "" if recipe.spec == recipe.name else _spec(recipe, task.world)
            learned = _earlier_topic(recipe, task, world)
            yield replace(
                way, strategy=recipe.name, spec=spec, repeat=repeat, jitter=experiment.jitter, learned=learned
            )


def _earlier_topic(recipe: Recipe, task: Trial, world: World) -> str:
    """The topic of the crawl that a strategy has learned from; "" if there is none."""
    if recipe.learned_from == SAME:
        return task.topic
    if recipe.learned_from == BROADER:
        return str(broader(world.formula(task.topic)))
    if recipe.learned_from:
        try:
            world.formula(recipe.learned_from)
        except ConfigError as error:
            raise ConfigError(f"learned_from: {error}") from None
    return recipe.learned_from


def broader(node: Node) -> Node:
    """An AND without its last part.

    >>> from clew.interests import parse
    >>> print(broader(parse('boats AND word("sail") AND url(".uk")')))
    boats AND word("sail")
    """
    if not isinstance(node, And):
        raise ConfigError(f"{node} has no last part that an earlier crawl could have been without: it is no AND")
    return joined(And, list(node.parts[:-1]), [])
