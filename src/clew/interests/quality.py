"""The quality of a topic before the crawl: cross-validated on its examples, with its most telling words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from clew import config
from clew.config import unknown
from clew.errors import InterestError
from clew.interests.background import background
from clew.interests.classifiers import train
from clew.interests.compiler import Best, TopicExamples
from clew.interests.keywords import Keywords
from clew.interests.predicates import Read
from clew.interests.reading import Measure, Reading
from clew.interests.taxonomy import Taxonomy
from clew.interests.topic_models import TopicModel
from clew.interests.vocabulary import Group
from clew.types import Doc

Words = tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True)
class Quality:
    """The quality of a topic at a cut-off of 0.5, and the stems that speak most for and against it."""

    topic: str
    examples: int
    counter_examples: int
    precision: float
    recall: float
    f1: float
    average_precision: float
    chance: float  # the average precision of random guessing
    hits: int  # examples that contain a keyword
    false_hits: int  # counter-examples that contain a keyword
    against_background: bool  # no other topic has examples to compare with
    words_for: Words = ()
    words_against: Words = ()


def cross_validate(
    topic: str,
    topics: Mapping[str, config.Topic],
    *,
    read: Read | None = None,
    topic_model: str = "linear",
    folds: int = 5,
    words: int = 15,
) -> Quality:
    """Judge each example with a model that has not seen it; a keyword topic is tried on the examples there are.

    >>> topics = {"sailing": config.Topic(keywords=("sail",)), "golf": config.Topic(examples=("golf.txt",))}
    >>> quality = cross_validate("sailing", topics, read=lambda path: [Doc(url=path, terms={"golf": 3})])
    >>> quality.hits, quality.counter_examples
    (0, 1)
    """
    tree = Taxonomy(topics)
    model = TopicModel.of(topic_model)
    if topic not in topics:
        raise InterestError(unknown("topic", topic, list(topics)))
    examples = TopicExamples(read)
    positive = examples.docs(tree.examples(topic))
    sources: list[str] = []
    for other in tree.others(topic):
        sources += topics[other].examples
    negative = examples.docs(sources)
    keywords = Keywords(tree.keywords(topic))
    # Without other topics, everyday vocabulary is the only thing to tell the topic apart from.
    against = negative or list(background())
    scores = _scores(keywords, positive, negative, against, model, folds)
    labels = [True] * len(positive) + [False] * len(against)
    words_for, words_against = _telling_words(positive, negative, model, words) if positive else ((), ())
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
        words_for=words_for,
        words_against=words_against,
    )


def _scores(
    keywords: Keywords,
    positive: Sequence[Doc],
    negative: Sequence[Doc],
    against: Sequence[Doc],
    model: TopicModel,
    folds: int,
) -> list[float]:
    """The score of each document under a model that was trained without it."""
    docs = [*positive, *against]
    folds = min(folds, len(positive))
    if folds < 2:
        return [keywords(Reading(doc)) for doc in docs]
    scores = [0.0] * len(docs)
    for fold in range(folds):
        measure = _trained_without(keywords, positive, negative, model, fold, folds)
        for i in range(fold, len(positive), folds):
            scores[i] = measure(Reading(positive[i]))
        for i in range(fold, len(against), folds):
            scores[len(positive) + i] = measure(Reading(against[i]))
    return scores


def _trained_without(
    keywords: Keywords, positive: Sequence[Doc], negative: Sequence[Doc], model: TopicModel, fold: int, folds: int
) -> Measure:
    seen = [doc for i, doc in enumerate(positive) if i % folds != fold]
    seen_against = [doc for i, doc in enumerate(negative) if i % folds != fold]
    trained = _trained(seen, seen_against, model)
    return Best((keywords, trained)) if keywords.words else trained


def _trained(positive: Sequence[Doc], negative: Sequence[Doc], model: TopicModel) -> Measure:
    if model.is_vocabulary:
        return model.vocabulary.learnt([Group(positive)])
    return train(positive, negative, model.binary)


def _telling_words(
    positive: Sequence[Doc], negative: Sequence[Doc], model: TopicModel, limit: int
) -> tuple[Words, Words]:
    # All words of a vocabulary count the same.
    if model.is_vocabulary:
        return (), ()
    weights = train(positive, negative, model.binary).weights
    ranked = sorted(weights.items(), key=lambda item: (-item[1], item[0]))
    speak_for = tuple((word, round(weight, 3)) for word, weight in ranked[:limit] if weight > 0)
    against = tuple((word, round(weight, 3)) for word, weight in ranked[: -limit - 1 : -1] if weight < 0)
    return speak_for, against


def _precision_recall_f1(scores: Sequence[float], labels: Sequence[bool]) -> tuple[float, float, float]:
    accepted = [label for score, label in zip(scores, labels, strict=True) if score >= 0.5]
    precision = sum(accepted) / len(accepted) if accepted else 0.0
    recall = sum(accepted) / sum(labels) if any(labels) else 0.0
    f1 = 2 * precision * recall / (precision + recall) if precision and recall else 0.0
    return precision, recall, f1


def _average_precision(scores: Sequence[float], labels: Sequence[bool]) -> float:
    """The mean of the precision at the rank of each example."""
    # Ties are resolved against the judge: counter-examples of the same score rank first.
    ranked = sorted(zip(scores, labels, strict=True), key=lambda pair: (-pair[0], pair[1]))
    found = 0
    total = 0.0
    for rank, (_, label) in enumerate(ranked, 1):
        if label:
            found += 1
            total += found / rank
    return total / found if found else 0.0
