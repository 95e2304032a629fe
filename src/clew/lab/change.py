"""How strategies react to change, side by side: a web that loses pages, another interest, labels, an earlier crawl."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Literal, get_args

import numpy as np

from clew.errors import ConfigError
from clew.lab.interest_change import Reaction, change_interest, drift, head_start, steer
from clew.lab.metrics import reuse_gain
from clew.lab.planning import family
from clew.lab.snapshot import Snapshot
from clew.lab.trial import Trial

Kind = Literal["drift", "refocus", "labels", "reuse"]
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)
# The prior comes from other webs than the one that is crawled.
FAIR: Final = {"adaptive": "adaptive(prior='trained without {web}')"}


@dataclass(frozen=True)
class Change:
    """What is changed, and how long the crawls are."""

    world: str
    before: str  # topic
    after: str
    narrower: str = ""  # topic of the user's labels; "": the one after the change
    change: int = 100  # visits before the change
    budget: int = 250  # visits in all
    judge: str = "truth"
    seed: int = 0

    def trial(self, strategy: str) -> Trial:
        """The crawl of a strategy before the change."""
        spec = FAIR.get(strategy, strategy).replace("{web}", family(self.world))
        return Trial(self.world, self.before, strategy, self.judge, budget=self.budget, seed=self.seed, spec=spec)


@dataclass(frozen=True)
class StrategyChange:
    """How one strategy reacts."""

    strategy: str
    drift: Mapping[float, float] = field(default_factory=dict)  # finds that are left, by share of pages removed
    reactions: Mapping[Kind, Reaction] = field(default_factory=dict)
    gain: float | None = None  # of reuse, in the area under the lift curve


def react(
    change: Change, strategy: str, kinds: Sequence[Kind] = KINDS, advance: Callable[[], None] = lambda: None
) -> StrategyChange:
    """Crawl with one strategy under each kind of change."""
    trial = change.trial(strategy)
    left: Mapping[float, float] = {}
    reactions: dict[Kind, Reaction] = {}
    gain: float | None = None
    for kind in kinds:
        match kind:
            case "drift":
                left = {0.0: 1.0, **drift(trial)}
            case "refocus":
                reactions[kind] = change_interest(trial, change.after, change.change)
            case "labels":
                reactions[kind] = steer(trial, change.narrower or change.after, change.change)
            case "reuse":
                later = replace(trial, topic=change.after, distance=1, budget=change.budget - change.change)
                reaction = head_start(later, replace(trial, distance=1, budget=change.change))
                gain = reuse_gain(np.array(reaction.visits), np.array(reaction.fresh_visits))
                reactions[kind] = reaction
        advance()
    return StrategyChange(strategy, left, reactions, gain)


def two_topics(world: Snapshot) -> tuple[str, str]:
    """Two topics of like size that have little in common: what is wanted before a change and after it.

    Not the largest ones: a topic that is a third of the web is found without looking for it.
    """
    pages = len(world)
    usable = [topic for topic, size in world.topics.items() if 10 <= size <= 0.2 * pages]
    ranked = sorted(usable, key=lambda topic: (-world.topics[topic], topic))
    for before in ranked:
        wanted = set(np.flatnonzero(world.truth(before) == 1).tolist())
        for after in ranked:
            other = set(np.flatnonzero(world.truth(after) == 1).tolist())
            if len(wanted & other) < 0.1 * min(len(wanted), len(other)):
                return before, after
    raise ConfigError(f"{world.name} has no two topics that differ; name them: --before TOPIC --after TOPIC")


def narrower_topic(world: Snapshot, topic: str) -> str:
    """The largest topic that is a part of this one and at most half as large; "" if there is none."""
    wanted = set(np.flatnonzero(world.truth(topic) == 1).tolist())
    parts: list[tuple[int, str]] = []
    for other, size in world.topics.items():
        pages = set(np.flatnonzero(world.truth(other) == 1).tolist())
        if 5 <= size <= len(wanted) / 2 and len(pages & wanted) >= 0.8 * len(pages):
            parts.append((-size, other))
    return min(parts)[1] if parts else ""
