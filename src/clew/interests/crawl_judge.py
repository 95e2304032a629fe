"""A judge that learns from the crawl's own pages; the user's words, examples and labels keep it from drifting."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

import numpy as np

from clew.interests import saved_model
from clew.interests._base import Interest
from clew.interests.crawl_model import CrawlModel, Lessons, fitted, memberships_of, seed_odds, values
from clew.interests.evidence import Hits, KeywordEvidence
from clew.interests.guidance import guided
from clew.interests.learning_interest import LEARNED, LearningInterest, is_choice, positive_topics
from clew.interests.page_table import WORD_COLUMNS, Columns, Measured, PageTable, Values, word_columns, word_row
from clew.interests.semantics import evaluate
from clew.interests.syntax import ANY, Topic, atoms
from clew.interests.topic_words import TopicWords, heaviest, words_of_stems
from clew.learning.sparse import Floats, Integers, SparseRows
from clew.parse import host
from clew.types import Doc, Judgement, Page

FIRST_FIT_PAGES: Final = 30
MIN_PAGES_BETWEEN_FITS: Final = 30
GROWTH_BETWEEN_FITS: Final = 4  # the crawl grows by a quarter before the next fit
EVIDENCE: Final = (
    "evidence of all its words, as the crawl has learned them",
    "evidence of your keywords and examples",
    "evidence of the pages that it is linked with",
    "evidence of other pages of its host",
)
LIMIT: Final = "limit that predicates, comparisons and NOT set"
RELATED: Final = "words that go with it in this crawl"
ROWS_PER_STEP: Final = 500  # pages that are judged again at once


class Rejudged(NamedTuple):
    """The new relevance of a page that was judged before."""

    slot: int
    relevance: float
    relevant: bool


class Evidence(NamedTuple):
    """What the relevance of one page was made of."""

    row: Mapping[str, Any]
    model: CrawlModel
    own: float  # of the page itself
    by_links: Floats
    by_hosts: Floats
    limit: float
    relevance: float  # without the limit

    def parts(self, words: float) -> dict[str, float]:
        """By name, each in standard deviations of all pages; `words` is the part that was learned from words."""
        model = self.model
        nothing = np.zeros(1)
        links = model.nearby.evidence(model.scales["links"](self.by_links), nothing)
        hosts = model.nearby.evidence(nothing, model.scales["hosts"](self.by_hosts))
        values = (words, self.own - words, float(links[0]), float(hosts[0]))
        found = dict(zip(EVIDENCE, values, strict=True))
        return found | ({LIMIT: self.limit} if self.limit < self.relevance else {})


class CrawlJudge:
    """Remembers the pages of a crawl, learns from them, and judges."""

    def __init__(self, interest: LearningInterest) -> None:
        formula = interest.formula
        self.threshold = interest.threshold
        self.positive = positive_topics(formula.node)
        topics = [atom.name for atom in atoms(formula.node) if isinstance(atom, Topic) and atom.name != ANY]
        examples = [example for example in formula.examples if example.topic in topics]
        self.lessons = Lessons(
            node=formula.node,
            semantics=formula.semantics,
            topics=topics,
            evidence=KeywordEvidence(formula),
            examples=examples,
            are_positive=bool(examples) and is_choice(guided(formula.node)),
        )
        self.table = PageTable(len(self.lessons.evidence.words), len(topics))
        self.hosts: dict[str, int] = {}
        self.host_drafts: dict[
            int, tuple[float, int]
        ] = {}  # by host: the sum of the drafts of its pages, and their number
        self.model: CrawlModel | None = None
        self.due = FIRST_FIT_PAGES
        # After a fit all pages are judged again, step by step: first their drafts, then what their surroundings add.
        self.next_draft: int | None = None  # rows; None: all are done
        self.next_verdict: int | None = None
        self._latest_row: tuple[tuple[str, int], dict[str, Any]] = (("", -1), {})
        self._latest_draft: tuple[Mapping[str, Any], CrawlModel | None, tuple[Floats, Floats]] | None = None
        self._latest_words = 0.0  # the part of it that was learned from words
        self._latest_evidence: Evidence | None = None

    @classmethod
    def of(cls, interest: Interest) -> CrawlJudge | None:
        """The judge of an interest that learns; None for any other, and where there is nothing to learn from."""
        if not isinstance(interest, LearningInterest) or not positive_topics(interest.formula.node):
            return None
        return cls(interest)

    def judge(self, page: Page, linked: Iterable[int] = ()) -> Judgement:
        """The verdict on a page, which is linked with the pages in these slots."""
        if self.model is None:
            return Judgement(page.relevance, page.relevant, page.topics)
        return self.verdict(page.topics, self._judged_row(self.model, self._row(page), linked))

    def verdict(self, topics: Mapping[str, float], relevance: float) -> Judgement:
        """A judgement with this relevance."""
        return Judgement(relevance, relevance >= self.threshold, {**topics, LEARNED: relevance})

    def add(self, slot: int, page: Page, linked: Iterable[int], is_start: bool, may_count: bool) -> None:
        """Remember a page."""
        if slot in self.table.row_of:
            return
        row = self._row(page)
        neighbours = self.table.link(slot, linked)
        draft = 0.0 if self.model is None else float(self._drafted_row(self.model, row)[1][0])
        more = {"neighbours": neighbours, "is_start": is_start, "may_count": may_count, "drafts": draft}
        has_forgotten = self.table.add(slot, row | more)
        if has_forgotten and self.is_behind:
            # The rows have other numbers now.
            self._begin_again()
        total, pages = self.host_drafts.get(row["hosts"], (0.0, 0))
        self.host_drafts[row["hosts"]] = (total + draft, pages + 1)

    def label(self, slot: int, relevant: bool) -> None:
        """Take in what the user says of a page; the next fit is due."""
        if slot in self.table.row_of:
            self.table.labels[self.table.row_of[slot]] = int(relevant)
            self.due = min(self.due, self.table.seen)

    @property
    def is_due(self) -> bool:
        """Whether there is enough news for another fit."""
        return self.table.seen >= self.due and len(self.table) >= FIRST_FIT_PAGES

    def fit(self) -> None:
        """Learn from the pages so far; `step` judges them again."""
        self.due = self.table.seen + max(MIN_PAGES_BETWEEN_FITS, self.table.seen // GROWTH_BETWEEN_FITS)
        model = fitted(self.table, self.lessons)
        if model is None:
            return
        self.model = model
        self._begin_again()

    @property
    def is_behind(self) -> bool:
        """Whether there are pages that the latest model has not judged yet."""
        return self.next_draft is not None or self.next_verdict is not None

    def step(self) -> list[Rejudged]:
        """Judge some more pages by the latest model; their new verdicts, if there are any yet."""
        if self.next_draft is not None:
            self._draft_some(self.next_draft)
        if self.next_draft is not None or self.next_verdict is None:
            return []
        return self._judge_some(self.next_verdict)

    def refit(self) -> list[Rejudged]:
        """Learn, and judge all pages again at once."""
        self.fit()
        found: list[Rejudged] = []
        while self.is_behind:
            found += self.step()
        return found

    def telling_words(self, doc: Doc) -> list[TopicWords]:
        """The words of a page that speak most for it, beyond those that the user named."""
        if self.model is None:
            return []
        columns = {word_columns[stem]: stem for stem in doc.terms}
        names, numbers = self._words(doc.terms, doc.language)
        row = self.table.weighted(SparseRows.of([names], [numbers], WORD_COLUMNS))
        weights = row.values * self.model.text.weights[row.columns]
        shares = {
            columns[column]: weight for column, weight in zip(row.columns.tolist(), weights.tolist(), strict=True)
        }
        return [TopicWords(RELATED, float(sum(shares.values())), words_of_stems(heaviest(shares), doc))]

    def save(self) -> dict[str, Any]:
        """Arrays and plain values for a checkpoint."""
        model = None if self.model is None else saved_model.plain(self.model)
        plain = {
            "hosts": list(self.hosts),
            "drafts": self.host_drafts,
            "due": self.due,
            "steps": (self.next_draft, self.next_verdict),
            "model": model,
        }
        return {"table": self.table.save(), "plain": plain}

    def load(self, saved: Mapping[str, Any]) -> None:
        """Take over what `save` returned."""
        self.table.load(saved["table"])
        self._latest_row = (("", -1), {})
        plain = saved["plain"]
        self.hosts = {name: number for number, name in enumerate(plain["hosts"])}
        self.host_drafts = dict(plain["drafts"])
        self.due = plain["due"]
        self.next_draft, self.next_verdict = plain["steps"]
        self.model = None if plain["model"] is None else saved_model.model_of(plain["model"])

    def _row(self, page: Page) -> dict[str, Any]:
        """What the judge keeps of a page; it is asked for twice in a row, to judge the page and to remember it."""
        if self._latest_row[0] != (page.url, self.table.seen):
            self._latest_row = ((page.url, self.table.seen), self._measured(page))
        return self._latest_row[1]

    def _measured(self, page: Page) -> dict[str, Any]:
        columns, numbers = self._words(page.terms, page.language)
        topics = [page.topics.get(topic, 0.0) for topic in self.lessons.topics]
        return {
            "columns": columns,
            "values": numbers,
            "hits": self.lessons.evidence.hits(page),
            "lengths": sum(page.terms.values()),
            "memberships": np.array(topics),
            "limits": self._limit(page.topics),
            "hosts": self.hosts.setdefault(host(page.url), len(self.hosts)),
        }

    def _words(self, terms: Mapping[str, int], language: str) -> tuple[Columns, Values]:
        """The words of a page without the keywords: what goes with them shows only where they do not stand for it."""
        named = self.lessons.evidence.stems(language)
        return word_row({stem: count for stem, count in terms.items() if stem not in named}, self.table.frequency)

    def _limit(self, topics: Mapping[str, float]) -> float:
        """What predicates, comparisons and negated parts of the formula allow, whatever the judge learns."""
        return evaluate(self.lessons.node, {**topics, **dict.fromkeys(self.positive, 1.0)}, self.lessons.semantics)

    def _judged_row(self, model: CrawlModel, row: Mapping[str, Any], linked: Iterable[int]) -> float:
        """The final relevance of one page."""
        evidence, _ = self._drafted_row(model, row)
        near = [self.table.drafts[self.table.row_of[slot]] for slot in linked if slot in self.table.row_of]
        by_links = model.nearby.by_links(np.array([sum(near)]), np.array([float(len(near))]))
        total, pages = self.host_drafts.get(row["hosts"], (0.0, 0))
        by_hosts = model.nearby.by_hosts(np.array([total]), np.array([float(pages)]))
        limit: float = row["limits"]
        relevance = float(model.relevance(evidence, by_links, by_hosts)[0])
        self._latest_evidence = Evidence(row, model, float(evidence[0]), by_links, by_hosts, limit, relevance)
        return min(relevance, limit)

    def evidence(self, page: Page) -> dict[str, float]:
        """What the relevance of the page that was judged last is made of, by name; {} for any other page."""
        latest = self._latest_evidence
        if latest is None or self._latest_row[0][0] != page.url or latest.row is not self._latest_row[1]:
            return {}
        return latest.parts(self._latest_words)

    def _drafted_row(self, model: CrawlModel, row: Mapping[str, Any]) -> tuple[Floats, Floats]:
        """The evidence and the draft of one page; asked for twice in a row, as the row is."""
        # A row is made anew when the table has changed, so only the model can be another one.
        latest = self._latest_draft
        if latest is None or latest[0] is not row or latest[1] is not model:
            texts = self.table.weighted(SparseRows.of([row["columns"]], [row["values"]], WORD_COLUMNS))
            hits = Hits(*(part[None] for part in row["hits"]))
            measured = Measured(hits, np.array([float(row["lengths"])]), row["memberships"][None])
            seeds = values(self.lessons, memberships_of(measured, self.lessons, model.rarity))
            margins = model.text.margins(texts)
            self._latest_words = float(model.scales["text"](margins)[0])
            latest = row, model, model.drafts(margins, seed_odds(seeds))
            self._latest_draft = latest
        return latest[2]

    def _begin_again(self) -> None:
        self.next_draft = 0
        self.next_verdict = 0

    def _draft_some(self, first: int) -> None:
        """Make the next drafts anew; when all are made, the sums by host, too."""
        table = self.table
        rows = np.arange(first, min(first + ROWS_PER_STEP, len(table)))
        table.drafts[first : first + len(rows)] = self._evidence(rows)[1].tolist()
        self.next_draft = first + len(rows)
        if self.next_draft < len(table):
            return
        self.next_draft = None
        hosts = np.array(table.hosts, np.int64)
        sums = np.bincount(hosts, np.array(table.drafts))
        counts = np.bincount(hosts)
        present = np.flatnonzero(counts).tolist()
        self.host_drafts = {number: (float(sums[number]), int(counts[number])) for number in present}

    def _judge_some(self, first: int) -> list[Rejudged]:
        """The verdicts on the next pages, but for those that are labelled."""
        table = self.table
        rows = np.arange(first, min(first + ROWS_PER_STEP, len(table)))
        self.next_verdict = first + len(rows) if first + len(rows) < len(table) else None
        found: list[Rejudged] = []
        for row, relevance in zip(rows.tolist(), self._relevances(rows).tolist(), strict=True):
            if table.labels[row] < 0:
                counts = relevance >= self.threshold and table.may_count[row]
                found.append(Rejudged(table.slots[row], relevance, counts))
        return found

    def _evidence(self, rows: Integers) -> tuple[Floats, Floats]:
        """The evidence of pages by their words, and the drafts that follow from it."""
        model = self._known_model
        seeds = values(self.lessons, memberships_of(self.table.measured(rows), self.lessons, model.rarity))
        return model.drafts(model.text.margins(self.table.texts(rows)), seed_odds(seeds))

    def _relevances(self, rows: Integers) -> Floats:
        """The relevance of pages whose drafts are made."""
        table = self.table
        model = self._known_model
        drafts = np.array(table.drafts)
        by_links = model.nearby.by_links(*table.link_sums(drafts, rows))
        totals = [self.host_drafts[table.hosts[row]] for row in rows.tolist()]
        sums = np.array([total for total, _ in totals]) - drafts[rows]
        counts = np.array([float(pages) for _, pages in totals]) - 1.0
        relevances = model.relevance(self._evidence(rows)[0], by_links, model.nearby.by_hosts(sums, counts))
        return np.asarray(np.minimum(relevances, np.array(table.limits)[rows]), np.float64)

    @property
    def _known_model(self) -> CrawlModel:
        if self.model is None:
            raise LookupError("nothing was learned yet")
        return self.model
