"""Who guides a simulated crawl: the truth, or a classifier that has seen a few example pages."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from clew.config import Topic
from clew.errors import ConfigError
from clew.interests import Interest, build
from clew.lab.truth import truth_interest
from clew.lab.worlds import World
from clew.maths.chance import chance

POSITIVE: Final = 30
NEGATIVE: Final = 200
JUDGES: Final = ("truth", "classifier")


def judge(kind: str, world: World, topic: str, seed: int = 0) -> tuple[Interest, NDArray[np.int64]]:
    """An interest, and the pages that it has seen: they are taken out of the evaluation."""
    if kind == "truth":
        return truth_interest(world, topic), np.zeros(0, np.int64)
    if kind == "classifier":
        return _classifier(world, topic, seed)
    raise ConfigError(f"there is no judge {kind!r}; there are: {', '.join(JUDGES)}")


def _classifier(world: World, topic: str, seed: int) -> tuple[Interest, NDArray[np.int64]]:
    """What happens in life: a linear model from some pages that are on the topic and more that are not."""
    truth = world.truth(topic)
    wanted = _draw(np.flatnonzero(truth == 1), POSITIVE, seed, topic, "positive")
    others = _draw(np.flatnonzero(truth == 0), NEGATIVE, seed, topic, "negative")
    examples = {"target": wanted, "other": others}
    with _one_thread():
        interest = build(
            "target",
            {name: Topic(examples=(name,)) for name in examples},
            read=lambda place: [world.doc(int(page)) for page in examples[place]],
            threshold=0.5,
        )
    return interest, np.concatenate([wanted, others])


def _draw(pages: NDArray[np.int64], most: int, *key: object) -> NDArray[np.int64]:
    """A sample that leaves at least half of the pages to be found."""
    draws = np.array([chance(0, *key, int(page)) for page in pages])
    return np.sort(pages[np.argsort(draws, kind="stable")[: min(most, len(pages) // 2)]])


def _one_thread() -> AbstractContextManager[Any]:
    """Small models are trained ten times as fast by one thread as by several that wait for each other."""
    import sklearn.linear_model  # noqa: F401  # only what is loaded can be limited
    from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]  # comes with scikit-learn

    return cast(AbstractContextManager[Any], threadpool_limits(1))
