"""Start pages on worlds whose hubs and portals are known."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pytest

from clew.errors import ConfigError
from clew.lab.experiment import Experiment
from clew.lab.link_graph import LinkGraph
from clew.lab.planning import plan
from clew.lab.snapshot import Truth
from clew.lab.start_pages import drawn
from clew.lab.task import opened, task

# 0 and 1 link to boats (5, 6, 7): 0 to three of four, 1 to all three and to nothing else. 2 links to both topics.
# 3 leads to 2, and 4 to 3. 8 is a car, and 9 an island.
LINKS = {0: (5, 6, 7, 8), 1: (5, 6, 7), 2: (5, 8), 3: (2,), 4: (3,), 5: (8,)}
BOATS = (5, 6, 7)
CARS = (8,)


@dataclass
class Web:
    urls: list[str] = field(default_factory=lambda: [f"http://w.org/{page}" for page in range(10)])
    topics: dict[str, int] = field(default_factory=lambda: {"boats": 3, "cars": 1})

    @property
    def graph(self) -> LinkGraph:
        return LinkGraph.of([(source, target) for source, targets in LINKS.items() for target in targets], 10)

    def truth(self, topic: str) -> Truth:
        truth = np.zeros(10, np.int8)
        truth[list(BOATS if topic == "boats" else CARS)] = 1
        return truth


def pages(where: str, n: int, number: int = 0, topic: str = "boats") -> list[int]:
    return [int(url.rpartition("/")[2]) for url in drawn(Web(), topic, n, where, number)]  # type: ignore[arg-type]


def test_a_hub_has_many_links_to_the_topic_and_few_others() -> None:
    assert pages("hub", 3) == [1, 0, 2]  # 9/3, 9/4, 1/2
    assert pages("hub", 1, number=1) == [0]
    assert pages("hub", 1, number=3) == []  # no other page links to boats


def test_a_portal_links_to_many_topics_and_is_off_the_topic() -> None:
    assert pages("portal", 2) == [0, 2]  # both topics; 0 has more links
    assert pages("portal", 9, topic="cars")[:2] == [0, 2]
    assert 5 not in pages("portal", 9)  # links to a car, but is a boat itself
    assert 9 not in pages("portal", 9)  # an island


def test_far_is_as_many_links_as_there_are() -> None:
    assert pages("far", 2) == [4, 3]  # three and two links


def test_experiments_start_there(cache_folder: object) -> None:
    data = {"worlds": "labyrinth:300", "strategies": ["shark"], "topics": ["sailing"], "start_pages": 1}
    trials = plan(Experiment.of({**data, "starts": [0, "hub", "portal", "far"], "sets": 2})).trials
    assert [trial.where for trial in trials] == [0, 0, "hub", "hub", "portal", "portal", "far", "far"]
    world = opened("labyrinth:300")
    for trial in trials[2:]:
        assert task(trial.task).seeds == drawn(world, "sailing", 1, trial.where, trial.start)
    with pytest.raises(ConfigError, match="no start 'hubs'; did you mean 'hub'"):
        Experiment.of({**data, "starts": ["hubs"]})
