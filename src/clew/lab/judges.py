"""Judges for simulated crawls: the truth, a classifier trained on a few pages, or something weaker."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Final, cast

import numpy as np
from numpy.typing import NDArray

from clew.base.chance import chance
from clew.config import Topic, unknown
from clew.errors import ConfigError, InterestError
from clew.interests import Formula, Interest, LearningInterest, build
from clew.interests.syntax import Node, Predicate, atoms
from clew.interests.topic_models import VOCABULARY, TopicModel
from clew.lab.known_labels import topic_names
from clew.lab.predicate_truth import predicate_measure
from clew.lab.truth import truth_interest
from clew.lab.worlds import World, recorded_folder

POSITIVE: Final = 30  # relevant training pages
NEGATIVE: Final = 200  # other training pages: in practice they are easier to come by
JUDGES: Final = (
    *("truth", "classifier", "keywords", "formula", "examples", "examples:5", "vocabulary"),
    *("noise:10", "noise:20"),
)
NOISE: Final = "noise:"
EXAMPLES: Final = "examples"
KEYWORDS_FILE: Final = "judge-tasks.json"
"""Beside the recorded worlds: what users would type for some of their topics."""
MAX_NOISE_PERCENT: Final = 50  # with more wrong labels a classifier looks for the opposite of the topic

Pages = NDArray[np.int64]


def judge(kind: str, world: World, topic: str, seed: int = 0) -> tuple[Interest, Pages]:
    """An interest, and the pages that it was trained on, which evaluations leave out.

    `truth` knows every page. A `classifier` is trained on some pages on the topic and more pages off it, and `noise:10`
    on the same pages, 10 % of them with the wrong label. These stay as they are; two others learn during the crawl, as
    in any crawl of a user: `keywords` begins with a few words, by default those of the topic's title, and `examples`
    with some pages on the topic (`examples:5`: with five). `formula` judges by the keywords of each topic and learns
    nothing; as it knows the taxonomy, its focus can widen. `vocabulary` is the share of a page's words in the
    vocabularies of such pages, with parameters as in the setting `topic_model`: `vocabulary(k=1)`.

    The predicates of a topic such as `boats AND word("sail")` are no matter of judgement: a classifier learns the
    topics of the formula alone.
    """
    check(kind)
    if kind == "truth":
        return truth_interest(world, topic), np.zeros(0, np.int64)
    if kind == "keywords":
        return LearningInterest(_from_words(world, topic)), np.zeros(0, np.int64)
    if kind == "formula":
        return _from_taxonomy(world, topic), np.zeros(0, np.int64)
    positive, negative = _examples(world, topic, seed)
    if kind.startswith(EXAMPLES):
        positive = _draw(positive, count_of(kind), seed, topic, "positive", whole=True)
        return LearningInterest(_trained(world, {"target": positive})), positive
    if kind.startswith(VOCABULARY):
        return _trained(world, {"target": positive}, kind), positive
    node = world.formula(topic)
    if predicates := [atom for atom in atoms(node) if isinstance(atom, Predicate)]:
        return _mixture(kind, world, node, predicates, seed)
    target, other = _swapped(positive, negative, noise(kind), seed, topic, "noise")
    return _trained(world, {"target": target, "other": other}), np.concatenate([positive, negative])


def _mixture(kind: str, world: World, node: Node, predicates: Sequence[Predicate], seed: int) -> tuple[Formula, Pages]:
    """A classifier for each topic of a formula, and its predicates as they are."""
    measures = {str(predicate): predicate_measure(world, predicate) for predicate in predicates}
    examples = [np.zeros(0, np.int64)]
    for name in topic_names(node):
        trained, used = judge(kind, world, name, seed)
        examples.append(used)
        # Each is the only topic of an interest of its own.
        [measures[name]] = cast(Formula, trained).measures.values()
    return Formula(node, measures), np.unique(np.concatenate(examples))


def check(kind: str) -> None:
    """Raise ConfigError if there is no such judge."""
    if kind.startswith(VOCABULARY):
        _check_model(kind)
    elif kind not in JUDGES and not kind.startswith((NOISE, EXAMPLES + ":")):
        raise ConfigError(unknown("judge", kind, list(JUDGES)))
    noise(kind)
    count_of(kind)


def learns(kind: str) -> bool:
    """Whether a judge learns during the crawl, as that of a user.

    >>> learns("examples:5"), learns("classifier")
    (True, False)
    """
    return kind == "keywords" or kind.startswith(EXAMPLES)


def _check_model(kind: str) -> None:
    try:
        TopicModel.of(kind)
    except InterestError as error:
        raise ConfigError(f"judge {kind!r}: {error}") from error


def noise(kind: str) -> int:
    """The percentage of wrong labels.

    >>> noise("noise:10"), noise("classifier")
    (10, 0)
    """
    if not kind.startswith(NOISE):
        return 0
    share = kind.removeprefix(NOISE)
    if not share.isdecimal() or not 1 <= int(share) <= MAX_NOISE_PERCENT:
        raise ConfigError(
            f"{kind!r} must give the percentage of wrong labels, 1 to {MAX_NOISE_PERCENT}, as in noise:10"
        )
    return int(share)


def count_of(kind: str) -> int:
    """The number of examples.

    >>> count_of("examples:5"), count_of("examples")
    (5, 30)
    """
    _, colon, count = kind.partition(":")
    if not kind.startswith(EXAMPLES) or not colon:
        return POSITIVE
    if not count.isdecimal() or not int(count):
        raise ConfigError(f"{kind!r} must give the number of examples, as in examples:5")
    return int(count)


def describe(kind: str) -> str:
    """A description of a judge.

    >>> describe("noise:10"), describe("truth")
    ('classifier with 10 % wrong labels', 'truth')
    """
    return f"classifier with {noise(kind)} % wrong labels" if noise(kind) else kind


def _from_words(world: World, topic: str) -> Formula:
    """What a user would type for a topic; the words of its title where nobody has said."""
    file = recorded_folder() / KEYWORDS_FILE
    tasks = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    for task in tasks.get(world.name, ()):
        if task["topic"] == topic:
            return build(task["keywords"], threshold=0.5)
    return _from_title(world, topic)


def _from_title(world: World, topic: str) -> Formula:
    """The words of the title as keywords: what a user would type who knows nothing else."""
    node = world.formula(topic)
    topics = {name: Topic(keywords=_words(world.title(name))) for name in topic_names(node)}
    return build(str(node), topics, threshold=0.5)


def _from_taxonomy(world: World, topic: str) -> Formula:
    """The formula over topics with keywords, as in the Ariadne paper; words of titles where there are none."""
    tree = world.taxonomy
    topics = {
        name: Topic(tree.parent(name), world.keywords(name) or _words(world.title(name))) for name in world.topics
    }
    return build(str(world.formula(topic)), topics, threshold=0.5)


def _words(title: str) -> tuple[str, ...]:
    """The words of a title, without remarks in parentheses.

    >>> _words("Air_and_sea transport (not road)")
    ('Air', 'and', 'sea', 'transport')
    """
    plain = re.sub(r"\(.*?\)", "", title)
    # A title that is all remarks or signs still needs one keyword.
    return tuple(re.findall(r"[^\W_]+", plain)) or (title,)


def _examples(world: World, topic: str, seed: int) -> tuple[Pages, Pages]:
    """Pages on the topic and more pages off it, as a user would collect them."""
    truth = world.truth(topic)
    positive = _draw(np.flatnonzero(truth == 1), POSITIVE, seed, topic, "positive")
    return positive, _draw(np.flatnonzero(truth == 0), NEGATIVE, seed, topic, "negative")


def _swapped(positive: Pages, negative: Pages, percent: int, *key: object) -> tuple[Pages, Pages]:
    """The same pages, with this percentage of them on the wrong side.

    >>> positive, negative = _swapped(np.arange(10), np.arange(10, 40), 10, "sailing")
    >>> int(sum(positive >= 10) + sum(negative < 10)), len(positive) + len(negative)
    (4, 40)
    """
    pages = np.concatenate([positive, negative])
    wrong = _random(pages, round(len(pages) * percent / 100), *key)
    # The symmetric difference moves each wrong page to the other side.
    return np.setxor1d(positive, wrong), np.setxor1d(negative, wrong)


def _trained(world: World, examples: dict[str, Pages], topic_model: str = "linear") -> Formula:
    """A model of the target against the other examples, if there are any."""
    return build(
        "target",
        {name: Topic(examples=(name,)) for name in examples},
        read=lambda place: [world.doc(int(page)) for page in examples[place]],
        threshold=0.5,
        topic_model=topic_model,
    )


def _draw(pages: Pages, limit: int, *key: object, whole: bool = False) -> Pages:
    """A random sample of at most half of the pages, as the other half is left to be found; or of all of them."""
    return np.sort(_random(pages, min(limit, len(pages) if whole else len(pages) // 2), *key))


def _random(pages: Pages, count: int, *key: object) -> Pages:
    # Each page has a draw of its own, so adding pages to a world changes the sample as little as possible.
    draws = np.array([chance(0, *key, int(page)) for page in pages])
    return pages[np.argsort(draws, kind="stable")[:count]]
