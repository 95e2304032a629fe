"""Who guides a simulated crawl: the truth, a classifier that has seen a few pages, or somebody who knows less."""

from __future__ import annotations

import re
from typing import Final

import numpy as np
from numpy.typing import NDArray

from clew.base.chance import chance
from clew.base.extras import require
from clew.config import Topic, unknown
from clew.errors import ConfigError
from clew.interests import Interest, build
from clew.interests.syntax import atoms
from clew.lab.truth import truth_interest
from clew.lab.worlds import World

POSITIVE: Final = 30
NEGATIVE: Final = 200
JUDGES: Final = ("truth", "classifier", "keywords", "examples", "noise:10", "noise:20")
NOISE: Final = "noise:"
MAX_NOISE_PERCENT: Final = 50  # percent of wrong labels; with more the classifier would look for what is not wanted

Pages = NDArray[np.int64]


def judge(kind: str, world: World, topic: str, seed: int = 0) -> tuple[Interest, Pages]:
    """An interest, and the pages that it has seen: they are taken out of the evaluation.

    `truth` knows every page, `keywords` nothing but the topic's title. A `classifier` has learnt from some pages on the
    topic and more that are not, `examples` from those on the topic alone, and `noise:10` from the same pages as the
    classifier, with the labels of 10 % of them wrong.
    """
    check(kind)
    if kind == "truth":
        return truth_interest(world, topic), np.zeros(0, np.int64)
    if kind == "keywords":
        return _typed(world, topic), np.zeros(0, np.int64)
    wanted, others = _shown(world, topic, seed)
    if kind == "examples":
        return _trained(world, {"target": wanted}), wanted
    target, other = _swapped(wanted, others, noise(kind), seed, topic, "noise")
    return _trained(world, {"target": target, "other": other}), np.concatenate([wanted, others])


def check(kind: str) -> None:
    """A judge that does not exist is told."""
    if kind not in JUDGES and not kind.startswith(NOISE):
        raise ConfigError(unknown("judge", kind, list(JUDGES)))
    noise(kind)
    if kind not in ("truth", "keywords"):
        require("sklearn", "judges that learn from examples", "take the judge truth or keywords")


def noise(kind: str) -> int:
    """How many labels in a hundred are wrong.

    >>> noise("noise:10"), noise("classifier")
    (10, 0)
    """
    if not kind.startswith(NOISE):
        return 0
    share = kind.removeprefix(NOISE)
    if not share.isdecimal() or not 1 <= int(share) <= MAX_NOISE_PERCENT:
        raise ConfigError(
            f"{kind!r} should say how many labels in a hundred are wrong, 1 to {MAX_NOISE_PERCENT}: noise:10"
        )
    return int(share)


def spoken(kind: str) -> str:
    """A judge in words.

    >>> spoken("noise:10"), spoken("truth")
    ('classifier with 10 % wrong labels', 'truth')
    """
    return f"classifier with {noise(kind)} % wrong labels" if noise(kind) else kind


def _typed(world: World, topic: str) -> Interest:
    """What a user would type who has nothing but the title: its words, each of them a keyword."""
    node = world.formula(topic)
    names = [str(getattr(atom, "name", "")) for atom in atoms(node)]
    return build(str(node), {name: Topic(keywords=_words(world.title(name))) for name in names}, threshold=0.5)


def _words(title: str) -> tuple[str, ...]:
    """Without remarks in parentheses.

    >>> _words("Air_and_sea transport (not road)")
    ('Air', 'and', 'sea', 'transport')
    """
    return tuple(re.findall(r"[^\W_]+", re.sub(r"\(.*?\)", "", title))) or (title,)


def _shown(world: World, topic: str, seed: int) -> tuple[Pages, Pages]:
    """What happens in life: some pages that are on the topic and more that are not."""
    truth = world.truth(topic)
    wanted = _draw(np.flatnonzero(truth == 1), POSITIVE, seed, topic, "positive")
    return wanted, _draw(np.flatnonzero(truth == 0), NEGATIVE, seed, topic, "negative")


def _swapped(wanted: Pages, others: Pages, percent: int, *key: object) -> tuple[Pages, Pages]:
    """The same pages, so many in a hundred of them on the wrong side.

    >>> wanted, others = _swapped(np.arange(10), np.arange(10, 40), 10, "sailing")
    >>> int(sum(wanted >= 10) + sum(others < 10)), len(wanted) + len(others)
    (4, 40)
    """
    seen = np.concatenate([wanted, others])
    wrong = _first(seen, round(len(seen) * percent / 100), *key)
    return np.setxor1d(wanted, wrong), np.setxor1d(others, wrong)


def _trained(world: World, examples: dict[str, Pages]) -> Interest:
    """A linear model of the target against what else there is."""
    return build(
        "target",
        {name: Topic(examples=(name,)) for name in examples},
        read=lambda place: [world.doc(int(page)) for page in examples[place]],
        threshold=0.5,
    )


def _draw(pages: Pages, most: int, *key: object) -> Pages:
    """A sample that leaves at least half of the pages to be found."""
    return np.sort(_first(pages, min(most, len(pages) // 2), *key))


def _first(pages: Pages, count: int, *key: object) -> Pages:
    draws = np.array([chance(0, *key, int(page)) for page in pages])
    return pages[np.argsort(draws, kind="stable")[:count]]
