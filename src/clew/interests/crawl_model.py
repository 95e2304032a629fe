"""A model of what is relevant in one crawl, fitted on its own pages and anchored to what the user said.

The user's keywords, examples and labels say roughly which pages are relevant. A text model learns from these soft
labels which words go with them. Pages that are linked with relevant ones, or lie on hosts with many of them, gain as
far as relevance follows links and hosts in this crawl. The sum of this evidence is split into two groups, whose log
odds are the chances of pages; the cut with the highest expected F1 decides what counts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np

from clew.interests.evidence import KeywordEvidence, Rarity
from clew.interests.lessons import Example
from clew.interests.page_table import UNLABELLED, Measured, PageTable, word_row
from clew.interests.semantics import evaluate
from clew.interests.syntax import Node
from clew.learning.soft_logistic import LinearModel, SoftLabels, cross_fitted, fit
from clew.learning.sparse import Floats, Integers, SparseRows
from clew.learning.two_groups import Split, best_cut, sigmoid, split

MAX_TRAINING_PAGES: Final = 1500
RIDGE: Final = 6.0  # of the text model
EXAMPLE_RIDGE: Final = 1.0  # of the model of examples against the pages of the crawl
FOLDS: Final = 3
EXAMPLE_WEIGHT: Final = 2.0  # pages that an example counts as
# Pages that a label counts as, and the share of all relevant pages so far that it counts as at most: one label must not
# turn a small crawl around.
LABEL_WEIGHT: Final = 8.0
LABEL_SHARE: Final = 0.1
HIT: Final = 0.1  # chance from which on a page mentions what the formula asks for
MIN_HITS: Final = 3  # such pages, before anything can be learned from them
START_CHANCE: Final = 0.8  # that a start page is relevant, whatever its words
START_WEIGHT: Final = 3.0
STRANGE_START_WEIGHT: Final = 1.8  # of a start page that the keywords do not match
MATCH: Final = 0.3  # chance from which on they do
SEED_SHARE: Final = 0.3  # what keywords and examples add to the text model, in standard deviations
LINKS_SHARE: Final = 1.0  # the same for links, if relevance follows them completely
HOSTS_SHARE: Final = 1.5  # and for hosts
HOST_PAGES: Final = 3  # the best pages of a host, which speak for the others as far as relevance follows hosts
# The share of relevant pages before any is seen, and what is added where relevance follows hosts: there whole sites are
# relevant, and a crawl that finds them visits little else.
USUAL_SHARE: Final = 0.35
MORE_ON_HOSTS: Final = 0.3
FULL_HOST_EFFECT: Final = 0.5  # share of the variance between hosts from which on that holds completely
TRUST: Final = 0.8  # in the split: pages do not follow two normal distributions, so its log odds are too bold
MAX_LOG_ODDS: Final = 5.0
MIN_CUT: Final = 0.1
MAX_CUT: Final = 0.6
LINK_PRIOR: Final = 2.0  # average pages that are added to the neighbours of a page
HOST_PRIOR: Final = 3.0  # the same for the pages of its host
# Penalties on the correction by labels, on its factor and its shift: a handful of labels corrects the judge, a single
# one hardly.
LABEL_RIDGE: Final = np.array([10.0, 3.0])


class Scale(NamedTuple):
    """Mean and standard deviation of a kind of evidence."""

    mean: float
    deviation: float

    @classmethod
    def of(cls, values: Floats) -> Scale:
        """Of these values."""
        return cls(float(values.mean()), float(values.std()) + 1e-9)

    def __call__(self, values: Floats) -> Floats:
        return (values - self.mean) / self.deviation


class Nearby(NamedTuple):
    """How far relevance follows links and hosts in this crawl, and the mean relevance."""

    mean: float
    follows_links: float
    follows_hosts: float

    def by_links(self, sums: Floats, counts: Floats) -> Floats:
        """How much more often than on average the neighbours of pages are relevant, in log odds."""
        return self._excess(sums, counts, LINK_PRIOR)

    def by_hosts(self, sums: Floats, counts: Floats) -> Floats:
        """The same of the other pages of their hosts."""
        return self._excess(sums, counts, HOST_PRIOR)

    def evidence(self, by_links: Floats, by_hosts: Floats) -> Floats:
        """What both add to the evidence by words, given in standard deviations."""
        return LINKS_SHARE * self.follows_links * by_links + HOSTS_SHARE * self.follows_hosts * by_hosts

    @property
    def usual_share(self) -> float:
        """The share of relevant pages that such a crawl usually has."""
        return USUAL_SHARE + MORE_ON_HOSTS * min(1.0, self.follows_hosts / FULL_HOST_EFFECT)

    def _excess(self, sums: Floats, counts: Floats, prior: float) -> Floats:
        return np.asarray(logit((sums + prior * self.mean) / (counts + prior)) - logit(self.mean))


@dataclass(frozen=True)
class CrawlModel:
    """Everything that turns the row of a page into its chance to be relevant."""

    text: LinearModel
    rarity: Rarity
    scales: Mapping[str, Scale]
    draft: Split  # by words and seeds alone
    final: Split
    nearby: Nearby
    cut: float
    tilt: tuple[float, float]  # factor and shift of the log odds, as labels correct them

    def drafts(self, text: Floats, seeds: Floats) -> tuple[Floats, Floats]:
        """The sum of the evidence by words and seeds, and the chances that it alone would give."""
        evidence = self.scales["text"](text) + SEED_SHARE * self.scales["seeds"](seeds)
        return evidence, _chances(self.draft.log_odds(evidence))

    def relevance(self, evidence: Floats, by_links: Floats, by_hosts: Floats) -> Floats:
        """The calibrated relevance: 0.5 is where a page begins to count."""
        total = evidence + self.nearby.evidence(self.scales["links"](by_links), self.scales["hosts"](by_hosts))
        factor, shift = self.tilt
        odds = factor * np.clip(TRUST * self.final.log_odds(total), -MAX_LOG_ODDS, MAX_LOG_ODDS) + shift
        return sigmoid(odds - logit(self.cut))


@dataclass(frozen=True)
class Lessons:
    """What the user has said: the formula, its keywords, and examples of its topics."""

    node: Node
    semantics: str
    topics: Sequence[str]  # the columns of the table's memberships
    evidence: KeywordEvidence
    examples: Sequence[Example]
    are_positive: bool  # whether an example of a topic is one of the whole formula


def training_rows(table: PageTable) -> Integers:
    """The rows to learn from: all of a small crawl; of a large one start pages, labelled ones, and a sample."""
    every = np.arange(len(table))
    if len(table) <= MAX_TRAINING_PAGES:
        return every
    fixed = np.array(table.is_start) | (np.array(table.labels) != UNLABELLED)
    # A multiplicative hash: the same pages are drawn whenever the crawl comes to this point.
    order = (np.array(table.slots, np.uint64) * np.uint64(11400714819323198485)) >> np.uint64(16)
    order[fixed] = 0
    return np.sort(np.argsort(order, kind="stable")[:MAX_TRAINING_PAGES])


def fitted(table: PageTable, lessons: Lessons) -> CrawlModel | None:
    """The model of a crawl; None while next to no page mentions what the user asks for."""
    rows = training_rows(table)
    measured = table.measured(rows)
    rarity = Rarity.of(measured.hits.text, measured.lengths)
    memberships = memberships_of(measured, lessons, rarity)
    seeds = values(lessons, memberships)
    hits = int((seeds > HIT).sum()) + table.labels.count(1)
    if not lessons.examples and hits < MIN_HITS:
        return None
    fitting = _Fitting(table, lessons, rows, rarity, seeds)
    chances = values(lessons, memberships | fitting.by_examples(memberships))
    weights = np.ones(len(rows))
    if not lessons.examples:
        starts = np.flatnonzero(np.array(table.is_start)[rows])
        weights[starts] = np.where(chances[starts] > MATCH, START_WEIGHT, STRANGE_START_WEIGHT)
        # If the keywords are nowhere to be found, start pages alone must not stand for what they mean.
        start_chance = START_CHANCE if float(chances.max()) > MATCH else MATCH
        chances[starts] = np.maximum(chances[starts], start_chance)
    model, log_odds = fitting.model(chances, weights)
    labels = np.array(table.labels)[rows]
    labelled = np.flatnonzero(labels != UNLABELLED)
    if not len(labelled):
        return model
    # The correction is measured on a model that has not seen the labels.
    tilt = _tilt(log_odds[labelled], labels[labelled])
    chances[labelled] = labels[labelled]
    weights[labelled] = min(LABEL_WEIGHT, max(1.0, LABEL_SHARE * float(chances.sum())))
    return fitting.model(chances, weights, tilt)[0]


def values(lessons: Lessons, memberships: Mapping[str, Floats]) -> Floats:
    """The value of the formula for each page."""
    names = list(memberships)
    pages = zip(*(memberships[name].tolist() for name in names), strict=True)
    found = [evaluate(lessons.node, dict(zip(names, page, strict=True)), lessons.semantics) for page in pages]
    return np.array(found)


def seed_odds(chances: Floats) -> Floats:
    """What keywords and examples say, as bounded log odds."""
    return np.asarray(np.clip(logit(chances), -4.0, 4.0))


def logit(chance: Any) -> Any:
    """The log odds of a chance."""
    bounded = np.clip(chance, 1e-4, 1.0 - 1e-4)
    return np.log(bounded / (1.0 - bounded))


def example_rows(table: PageTable, examples: Sequence[Example]) -> SparseRows:
    """The words of the user's examples, weighted as those of the pages are."""
    pairs = [word_row(example.doc.terms, table.frequency) for example in examples]
    return table.weighted(SparseRows.of([pair[0] for pair in pairs], [pair[1] for pair in pairs], len(table.frequency)))


def memberships_of(measured: Measured, lessons: Lessons, rarity: Rarity) -> dict[str, Floats]:
    """The membership of pages in each topic: by its keywords in this crawl, or as it is measured alone."""
    alone = {topic: measured.memberships[:, place] for place, topic in enumerate(lessons.topics)}
    by_keywords = lessons.evidence.memberships(measured.hits, measured.lengths, rarity)
    taught = {example.topic for example in lessons.examples}
    for topic in taught & by_keywords.keys():
        by_keywords[topic] = np.maximum(by_keywords[topic], alone[topic])
    return alone | by_keywords


def _against_crawl(rows: SparseRows, yes: int, no: int, starts: Integers) -> Floats:
    """The chances of the pages behind the examples and counter-examples, by a model that did not learn from them."""
    size = len(rows)
    positive = np.zeros(size)
    positive[:yes] = 1.0
    positive[yes + no + starts] = 1.0
    labels = SoftLabels.balanced(positive, np.ones(size))
    anchors = np.flatnonzero(positive)
    folds = np.arange(size) % FOLDS
    folds[anchors] = np.arange(len(anchors)) % FOLDS
    margins = cross_fitted(rows, labels, EXAMPLE_RIDGE, folds)
    pages = margins[yes + no :]
    upper = float(np.median(margins[anchors]))
    hint = sigmoid((pages - upper) / (float(pages.std()) + 1e-9))
    found = split(pages, hint, USUAL_SHARE, upper)
    return sigmoid(np.clip(found.log_odds(pages), -MAX_LOG_ODDS, MAX_LOG_ODDS))


def stacked(*parts: SparseRows) -> SparseRows:
    """Rows below each other."""
    return SparseRows(
        np.concatenate([part.columns for part in parts]),
        np.concatenate([part.values for part in parts]),
        np.concatenate([part.sizes for part in parts]),
        parts[0].width,
    )


class _Fitting:
    """The pages from which one model is learned, in the forms that its parts need."""

    def __init__(self, table: PageTable, lessons: Lessons, rows: Integers, rarity: Rarity, seeds: Floats) -> None:
        self.table = table
        self.lessons = lessons
        self.rows = rows
        self.rarity = rarity
        self.seeds = seed_odds(seeds)
        self.texts = table.texts(rows)
        self.examples = example_rows(table, lessons.examples)

    def by_examples(self, memberships: Mapping[str, Floats]) -> dict[str, Floats]:
        """The membership in topics with examples: these against the pages of the crawl, most of them something else."""
        found: dict[str, Floats] = {}
        is_start = np.array(self.table.is_start)[self.rows]
        topics = np.array([example.topic for example in self.lessons.examples])
        counts = np.array([example.counts for example in self.lessons.examples])
        for topic in dict.fromkeys(topics.tolist()):
            yes = np.flatnonzero((topics == topic) & counts)
            no = np.flatnonzero((topics == topic) & ~counts)
            starts = np.flatnonzero(is_start & (memberships[topic] >= 0.5))
            rows = stacked(self.examples.taken(yes), self.examples.taken(no), self.texts)
            found[topic] = _against_crawl(rows, len(yes), len(no), starts)
        return found

    def model(
        self, chances: Floats, weights: Floats, tilt: tuple[float, float] = (1.0, 0.0)
    ) -> tuple[CrawlModel, Floats]:
        """The model for these soft labels, and the log odds of the training pages before any correction."""
        text_model = self._text_model(chances, weights)
        text = text_model.margins(self.texts)
        scales = {"text": Scale.of(text), "seeds": Scale.of(self.seeds)}
        evidence = scales["text"](text) + SEED_SHARE * scales["seeds"](self.seeds)
        draft = split(evidence, chances, USUAL_SHARE)
        by_links, by_hosts, nearby = self._surroundings(_chances(draft.log_odds(evidence)))
        scales |= {"links": Scale.of(by_links), "hosts": Scale.of(by_hosts)}
        total = evidence + nearby.evidence(scales["links"](by_links), scales["hosts"](by_hosts))
        hosts = np.array(self.table.hosts)[self.rows]
        final = split(total, _shared_on_hosts(chances, hosts, nearby.follows_hosts), nearby.usual_share)
        log_odds = np.clip(TRUST * final.log_odds(total), -MAX_LOG_ODDS, MAX_LOG_ODDS)
        cut = best_cut(sigmoid(tilt[0] * log_odds + tilt[1]), MIN_CUT, MAX_CUT)
        return CrawlModel(text_model, self.rarity, scales, draft, final, nearby, cut, tilt), log_odds

    def _text_model(self, chances: Floats, weights: Floats) -> LinearModel:
        if not self.lessons.are_positive:
            return fit(self.texts, SoftLabels.balanced(chances, weights), RIDGE)
        sides = np.array([float(example.counts) for example in self.lessons.examples])
        chances = np.concatenate([chances, sides])
        weights = np.concatenate([weights, np.full(len(sides), EXAMPLE_WEIGHT)])
        return fit(stacked(self.texts, self.examples), SoftLabels.balanced(chances, weights), RIDGE)

    def _surroundings(self, drafts: Floats) -> tuple[Floats, Floats, Nearby]:
        """The evidence by links and by hosts, and how far relevance follows them here."""
        mean = float(drafts.mean())
        every = np.full(len(self.table), mean)
        every[self.rows] = drafts
        links = self.table.link_sums(every, self.rows)
        _, hosts = np.unique(np.array(self.table.hosts)[self.rows], return_inverse=True)
        pages = np.bincount(hosts)[hosts].astype(np.float64) - 1.0
        same_host = np.bincount(hosts, drafts)[hosts] - drafts
        linked_means = (links[0] + LINK_PRIOR * mean) / (links[1] + LINK_PRIOR)
        nearby = Nearby(mean, _correlation(drafts, linked_means), _share_between(hosts, drafts))
        return nearby.by_links(*links), nearby.by_hosts(same_host, pages), nearby


def _shared_on_hosts(chances: Floats, hosts: Integers, share: float) -> Floats:
    """Chances that are partly, by this share, those of the best pages of the same host.

    >>> _shared_on_hosts(np.array([0.9, 0.1, 0.2]), np.array([5, 5, 7]), 0.5).round(2).tolist()
    [0.7, 0.3, 0.2]
    """
    _, numbers = np.unique(hosts, return_inverse=True)
    order = np.lexsort((-chances, numbers))
    firsts = np.searchsorted(numbers[order], numbers[order])
    best = order[np.arange(len(order)) - firsts < HOST_PAGES]
    means = np.bincount(numbers[best], chances[best]) / np.bincount(numbers[best])
    return np.asarray(chances + share * (means[numbers] - chances))


def _correlation(one: Floats, other: Floats) -> float:
    if one.std() < 1e-9 or other.std() < 1e-9:
        return 0.0
    return max(0.0, float(np.corrcoef(one, other)[0, 1]))


def _share_between(groups: Integers, values: Floats) -> float:
    """The share of the variance that lies between groups, without what chance alone would give (omega squared)."""
    counts = np.bincount(groups)
    pages = len(values)
    total = float(((values - values.mean()) ** 2).sum())
    if len(counts) < 2 or pages <= len(counts) or total <= 0.0:
        return 0.0
    means = np.bincount(groups, values) / counts
    between = float(counts @ (means - values.mean()) ** 2)
    within = (total - between) / (pages - len(counts))
    # Where most pages are of one group, there is little to compare it with.
    diversity = 1.0 - float(((counts / pages) ** 2).sum())
    return diversity * max(0.0, (between - (len(counts) - 1) * within) / total)


def _chances(log_odds: Floats) -> Floats:
    return sigmoid(np.clip(TRUST * log_odds, -MAX_LOG_ODDS, MAX_LOG_ODDS))


def _tilt(log_odds: Floats, labels: Integers) -> tuple[float, float]:
    """Factor and shift of the log odds that fit the labels best, not far from 1 and 0."""
    factor = 1.0
    shift = 0.0
    for _ in range(20):
        chances = sigmoid(factor * log_odds + shift)
        errors = chances - labels
        slopes = np.maximum(chances * (1.0 - chances), 1e-3)
        # Newton's step on the log loss with a ridge towards 1 and 0.
        gradient = np.array([errors @ log_odds, errors.sum()]) + LABEL_RIDGE * np.array([factor - 1.0, shift])
        curvature = np.array([[slopes @ log_odds**2, slopes @ log_odds], [slopes @ log_odds, slopes.sum()]]) + np.diag(
            LABEL_RIDGE
        )
        step = np.linalg.solve(curvature, gradient)
        factor = min(max(factor - float(step[0]), 0.2), 3.0)
        shift = min(max(shift - float(step[1]), -4.0), 4.0)
    return factor, shift
