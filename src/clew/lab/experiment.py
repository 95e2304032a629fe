"""An experiment: worlds, topics, start pages, judges, strategies, budgets and seeds, declared in one place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Final

from clew.config import plain, unknown
from clew.core.manners import STILL, manners_of
from clew.core.web_faults import checked_share
from clew.errors import ConfigError
from clew.lab import judges, start_pages
from clew.lab.fitting import Fit, names, numbers, one, recipes, switches, wanted_topics
from clew.lab.trial_result import JITTER

Topics = int | tuple[str, ...]
BROADER: Final = "broader"  # an earlier crawl for the topic without the last part of its AND
SAME: Final = "same"  # an earlier crawl for the topic of the trial itself


@dataclass(frozen=True, slots=True)
class Recipe:
    """A strategy: its name in tables, the specification it is made from, and the topic of an earlier crawl.

    With `learned_from`, a crawl from another set of start pages goes before, and the strategy begins with what it
    learned there. It is for that topic, for the "same" one, or for a "broader" one: the formula without its last part.
    """

    name: str
    spec: str
    learned_from: str = ""


@dataclass(frozen=True)
class Experiment:
    """Every strategy on every task: the product of all lists.

    >>> small = Experiment.of({"worlds": "labyrinth:300", "strategies": ["shark"], "budgets": [20, 40]})
    >>> small.strategies, small.budgets, small.starts
    ((Recipe(name='shark', spec='shark', learned_from=''),), (20, 40), (0, 1, 2))
    >>> Experiment.of({"world": "labyrinth"})
    Traceback (most recent call last):
    clew.errors.ConfigError: there is no field 'world' of an experiment; did you mean 'worlds'?
    """

    worlds: tuple[str, ...]
    strategies: tuple[Recipe, ...]
    topics: Topics | Mapping[str, Topics] = 8  # a number of topics from rare to common, or names; or these by world
    title: str = ""
    text: str = ""  # what the experiment shows, and what it does not show
    starts: tuple[int | str, ...] = (0, 1, 2)  # links between the start pages and the topic; or hub, portal, far
    sets: int = 1  # start sets of each kind
    start_pages: int = 3  # in a set
    judges: tuple[str, ...] = ("truth",)
    budgets: tuple[int, ...] = (500,)
    seeds: tuple[int, ...] = (0,)
    parallel: tuple[int, ...] = (1,)
    manners: tuple[str, ...] = (STILL,)  # how crawls behave towards the web: "still", "live", "live(patience=0)"
    repeats: int = 1  # crawls for each trial, all but the first with scores that differ a little
    jitter: float = JITTER  # how much, as a share of a score
    link_source: tuple[bool, ...] = (False,)  # whether strategies may ask for back-links, searches and lists
    learn_visits: int = 0  # best-first visits from which all strategies learn, before those that are measured

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Experiment:
        """An experiment from plain values; ConfigError names the field that is wrong."""
        valid = [f.name for f in fields(cls)]
        for name in data:
            if name not in valid:
                raise ConfigError(unknown("field", name, valid).replace(repr(name), f"{name!r} of an experiment"))
        for name in ("worlds", "strategies"):
            if not data.get(name):
                raise ConfigError(f"an experiment needs {name}: {name} = {_EXAMPLES[name]}")
        values = {name: _FIT[name](name, value) for name, value in data.items()}
        values["strategies"] = tuple(Recipe(*parts) for parts in values["strategies"])
        return cls(**values)

    @classmethod
    def read(cls, path: str | Path) -> Experiment:
        """An experiment from a TOML file; without a title it is called like the file."""
        path = Path(path)
        data = plain(path)
        try:
            return cls.of({"title": path.stem.replace("_", " "), **data})
        except ConfigError as error:
            raise ConfigError(f"{path}: {error}") from None


_EXAMPLES: Final = {"worlds": '["labyrinth:2000"]', "strategies": '["shark", "best_first"]'}
_FIT: Final[dict[str, Fit]] = {
    "title": one(str),
    "text": one(str),
    "worlds": names(),
    "topics": wanted_topics,
    "judges": names(judges.check),
    "strategies": recipes,
    "starts": numbers(0, start_pages.check),
    "sets": one(int, 1),
    "start_pages": one(int, 1),
    "budgets": numbers(1),
    "seeds": numbers(0),
    "parallel": numbers(1),
    "manners": names(manners_of),
    "repeats": one(int, 1),
    "jitter": checked_share,
    "link_source": switches,
    "learn_visits": one(int, 0),
}
