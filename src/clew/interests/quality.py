"""How good a topic is before the crawl: cross-validated on its examples, with the words that matter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from clew import config
from clew.config import unknown
from clew.errors import InterestError
from clew.interests.background import background
from clew.interests.compiler import Best, TopicExamples
from clew.interests.keywords import Keywords
from clew.interests.predicates import Read
from clew.interests.reading import Measure, Reading
from clew.interests.taxonomy import Taxonomy
from clew.interests.vocabulary import Group, learnt
from clew.types import Doc

Words = tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True)
class Quality:
    """A topic's quality at the cut of 0.5, and the stems that speak most for and against it."""

    topic: str
    examples: int
    counter_examples: int
    precision: float
    recall: float
    f1: float
    average_precision: float
    chance: float  # the average precision of a judge that guesses
    hits: int  # examples with a keyword
    false_hits: int  # counter-examples with a keyword
    against_background: bool  # there were no other topics' examples to compare with
    words_for: Words = ()
    words_against: Words = ()


def cross_validate(
    topic: str,
    topics: Mapping[str, config.Topic],
    *,
    read: Read | None = None,
    judge: str = "linear",
    folds: int = 5,
    words: int = 15,
) -> Quality:
    """Judge each example by a model that has not seen it; a keyword topic is tried on what examples there are.

    >>> topics = {"sailing": config.Topic(keywords=("sail",)), "golf": config.Topic(examples=("golf.txt",))}
    >>> quality = cross_validate("sailing", topics, read=lambda path: [Doc(url=path, terms={"golf": 3})])
    >>> quality.hits, quality.counter_examples
    (0, 1)
    """
    tree = Taxonomy(topics)
    if topic not in topics:
        raise InterestError(unknown("topic", topic, list(topics)))
    examples = TopicExamples(read)
    positive = examples.docs(tree.examples(topic))
    negative = examples.docs(e for other in tree.others(topic) for e in topics[other].examples)
    keywords = Keywords(tree.keywords(topic))
    against = negative or list(background())
    scores = _scores(keywords, positive, negative, against, judge, folds)
    labels = [True] * len(positive) + [False] * len(against)
    speaking = _speaking(positive, negative, judge, words) if positive else ((), ())
    hits = [keywords(Reading(doc)) > 0.0 for doc in (*positive, *against)]
    return Quality(
        topic,
        len(positive),
        len(against),
        *_precision_recall_f1(scores, labels),
        average_precision=_average_precision(scores, labels),
        chance=len(positive) / len(labels),
        hits=sum(hits[: len(positive)]),
        false_hits=sum(hits[len(positive) :]),
        against_background=not negative,
        words_for=speaking[0],
        words_against=speaking[1],
    )


def _scores(
    keywords: Keywords,
    positive: Sequence[Doc],
    negative: Sequence[Doc],
    against: Sequence[Doc],
    judge: str,
    folds: int,
) -> list[float]:
    """What the topic says to each document when its model was trained without it."""
    docs = [*positive, *against]
    folds = min(folds, len(positive))
    if folds < 2:
        return [keywords(Reading(doc)) for doc in docs]
    scores = [0.0] * len(docs)
    for fold in range(folds):
        measure = _without(keywords, positive, negative, judge, fold, folds)
        for i in range(fold, len(positive), folds):
            scores[i] = measure(Reading(positive[i]))
        for i in range(fold, len(against), folds):
            scores[len(positive) + i] = measure(Reading(against[i]))
    return scores


def _without(
    keywords: Keywords, positive: Sequence[Doc], negative: Sequence[Doc], judge: str, fold: int, folds: int
) -> Measure:
    # Late, as in build: a look at keywords must not wait for scikit-learn.
    from clew.interests.classifiers import train

    seen = [[d for i, d in enumerate(side) if i % folds != fold] for side in (positive, negative)]
    trained = learnt([Group(seen[0])]) if judge == "vocabulary" else train(seen[0], seen[1], _of_two_sides(judge))
    return Best((keywords, trained)) if keywords.words else trained


def _speaking(positive: Sequence[Doc], negative: Sequence[Doc], judge: str, most: int) -> tuple[Words, Words]:
    from clew.interests.classifiers import train

    if judge == "vocabulary":
        return (), ()  # all its words are worth the same
    weights = train(positive, negative, _of_two_sides(judge)).weights
    ranked = sorted(weights.items(), key=lambda item: (-item[1], item[0]))
    speak_for = tuple((word, round(weight, 3)) for word, weight in ranked[:most] if weight > 0)
    against = tuple((word, round(weight, 3)) for word, weight in ranked[: -most - 1 : -1] if weight < 0)
    return speak_for, against


def _of_two_sides(judge: str) -> str:
    """A hierarchy of one topic against all others is naive Bayes."""
    return "bayes" if judge == "hierarchy" else judge


def _precision_recall_f1(scores: Sequence[float], labels: Sequence[bool]) -> tuple[float, float, float]:
    found = [label for score, label in zip(scores, labels, strict=True) if score >= 0.5]
    precision = sum(found) / len(found) if found else 0.0
    recall = sum(found) / sum(labels) if any(labels) else 0.0
    f1 = 2 * precision * recall / (precision + recall) if precision and recall else 0.0
    return precision, recall, f1


def _average_precision(scores: Sequence[float], labels: Sequence[bool]) -> float:
    """Mean precision at each example in the ranking; of equal scores the counter-examples stand first."""
    ranked = sorted(zip(scores, labels, strict=True), key=lambda pair: (-pair[0], pair[1]))
    found, total = 0, 0.0
    for place, (_, label) in enumerate(ranked, 1):
        found += label
        total += found / place if label else 0.0
    return total / found if found else 0.0
