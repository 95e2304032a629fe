"""adaptive on shards: what one visits, all know, and their scores compare."""

from __future__ import annotations

import pytest

from clew.base import codec
from clew.strategies import make
from clew.strategies.adaptive import Adaptive
from clew.testing.tiny_web import explore

BARREN = "s .8 -> " + " ".join(f"p{n}" for n in range(30))
RICH = f"{BARREN}; " + "; ".join(f"p{n} .9" for n in range(30))


def visited(web: str) -> tuple[Adaptive, list[object]]:
    """A strategy that has visited a web, and the lessons that it gave, as they come from another process."""
    strategy = Heard(every=20)
    explore(strategy, web)
    return strategy, [codec.loads(codec.dumps(lesson)) for lesson in strategy.given]


class Heard(Adaptive):
    """Keeps its lessons."""

    def __init__(self, every: int) -> None:
        super().__init__(every=every)
        self.given: list[object] = []

    def learn(self, page: object) -> object:
        stale = super().learn(page)
        self.given.append(self.lesson())
        return stale


def test_each_visit_is_a_lesson() -> None:
    strategy, lessons = visited(RICH)
    assert len(lessons) == strategy.features.visits == strategy.lessons.own == 31
    assert strategy.lesson() is None


def test_finds_elsewhere_end_a_drought_here() -> None:
    poor, _ = visited(BARREN)
    _, lessons = visited(RICH)
    assert poor.features.drought > 0.3
    for lesson in lessons:
        poor.study_lesson(lesson)
    assert poor.features.drought < 1e-3


@pytest.mark.parametrize(
    ("own", "studied", "until_next"), [(40, 0, 20), (20, 60, 20), (1000, 3000, 800), (1, 999, 1000)]
)
def test_shards_refit_as_often_together_as_one_process_but_for_the_cheap_first_fits(
    own: int, studied: int, until_next: int
) -> None:
    strategy = make("adaptive")
    assert isinstance(strategy, Adaptive)
    strategy.lessons.own, strategy.lessons.studied = own, studied
    strategy.features.visits = own + studied
    strategy._refit()
    assert strategy.due - strategy.features.visits == until_next
