"""adaptive: learns during the crawl which links lead to relevant pages."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from clew.base import codec
from clew.config import unknown
from clew.errors import StrategyError
from clew.strategies._adaptive import hashed_features as hashing
from clew.strategies._adaptive.calibration import Calibration
from clew.strategies._adaptive.counts import Counts, Slots
from clew.strategies._adaptive.embedding_model import EmbeddingModel
from clew.strategies._adaptive.features import COLUMN, Features, Places
from clew.strategies._adaptive.grading import Grades, soft_find
from clew.strategies._adaptive.hubs import Hubs
from clew.strategies._adaptive.lessons import Lessons, Taught
from clew.strategies._adaptive.memory import Links, Matrix
from clew.strategies._adaptive.model import LEARNERS, Model, prior
from clew.strategies._adaptive.reasons import reasons
from clew.strategies._base import ALL, Crawl, Stale, Strategy
from clew.strategies._optional import Labels, NewVerdict
from clew.types import Candidate, Link, Page

NO_DROUGHT: Final = 1e-3  # a drought below this counts as none
VERDICT_SLICES: Final = 10  # of 500 pages each: as many as the judge remembers
LABEL_WEIGHT_VISITS: Final = 5  # visits that a label counts as
MAX_REMEMBERED: Final = 500  # candidates of one call; in a larger one the chosen candidate is rarely found
START_SCORE: Final = 9.0  # of a URL that is named without a link: before everything else
PARTS: Final = {
    "ratings": ("rate_",),
    "counts": ("odds_", "seen_"),
    "words": ("word_",),
    "sources": ("source_relevance", "handed", "run", "best_source", "mean_source", "worse_sources"),
    "inlink_votes": ("inlink_votes", "inlink_excess"),
    "names": ("odds_called",),
    "embeddings": ("embedding_", "interest_"),
    "structure": ("same_host", "path_depth", "position", "anchor_words", "out_links", "source_depth", "in_links"),
}  # clues that belong together, by how their names begin


class Scored(NamedTuple):
    """Candidates that were scored together, with their rows."""

    candidates: Sequence[Candidate]
    rows: Matrix
    owners: Places
    slots: Slots

    def of(self, candidate: Candidate) -> tuple[Matrix, Slots] | None:
        """The rows of a candidate; None if it is not among them, or has another link since."""
        for place, scored in enumerate(self.candidates):
            if scored.found == candidate.found and len(scored.links) == len(candidate.links):
                mine = self.owners == place
                return self.rows[mine], self.slots[mine]
        return None


@dataclass
class Adaptive(Strategy):
    """Visits the link most likely to lead to a relevant page, as estimated by a model that learns during the crawl.

    For each link, the strategy compares the words of the anchor, of the text around it and of the URL, the host, the
    folder, the position on the page and the page that contains the link with those of the links followed so far, and
    counts how often such links led to relevant pages. A linear model and a forest of decision trees combine these
    counts with the interest's ratings of the same texts and with the relevance of the pages on the way. The mean of
    the two models is the probability that the link leads to a relevant page. If several links lead to the same
    page, the best one counts.

    `prior` names the weights that the linear model starts with: "trained" weights come from crawls of other webs,
    "hand" weights were set by hand. The models are fitted again after `every` visits, less often in long crawls.

    When relevant pages become rare, the score is no longer the probability alone. `hubs` is the weight of links that
    resemble links to hubs, pages from which relevant pages were reached. `novelty` is the weight of hosts that were
    never visited and of links near the start pages. With 0 for both, only the probability counts.

    `without` switches parts off, for experiments: a list of names separated by spaces or commas, out of "ratings",
    "counts", "words", "sources", "inlink_votes", "names", "embeddings", "structure", "linear" and "forest".

    >>> from clew.testing.tiny_web import order
    >>> order("adaptive", "s .8 -> a [about us] b [.9 boats]; a -> c")
    ['s', 'b', 'a', 'c']

    Based on Chakrabarti, Punera and Subramanyam, Accelerated focused crawling through online relevance feedback,
    WWW 2002.
    """

    shards = True
    rescore_top = 16
    inlinks_only = True
    transferable = ("experience",)
    waits = "by score"

    prior: str = "trained"
    hubs: float = 0.4
    novelty: float = 0.2
    every: int = 20  # visits between two refits, more in long crawls
    without: str = ""
    due: int = field(default=0, init=False, repr=False)  # visits at the next refit
    features: Features = field(default_factory=Features, init=False, repr=False, compare=False)
    grades: Grades = field(default_factory=Grades, init=False, repr=False, compare=False)
    calibration: Calibration = field(default_factory=Calibration, init=False, repr=False, compare=False)
    labels: dict[str, bool] = field(default_factory=dict, init=False, repr=False, compare=False)  # by page
    model: Model = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        left_out = set(self.without.replace(",", " ").split())
        if strange := sorted(left_out - {*PARTS, *LEARNERS}):
            raise StrategyError(unknown("part", strange[0], [*PARTS, *LEARNERS]))
        if self.every < 1 or not (0 <= self.hubs < math.inf and 0 <= self.novelty < math.inf):
            raise StrategyError("adaptive: every must be at least 1, hubs and novelty must not be negative or infinite")
        self.model = self._new_model(left_out)
        self._dropped = _columns_of(left_out)
        self.lessons = Lessons()
        self._latest: Taught | None = None

    def start(self, crawl: Crawl) -> None:
        """Bind; what is remembered of links is read again."""
        super().start(crawl)
        self._links = Links(crawl.interest.rate)
        self._scored: list[Scored] = []  # since the last visit: one of them is chosen and explained next
        self._decided: tuple[str, Link] | None = None  # the candidate that was explained last, and its best link

    def learn(self, page: Page) -> Stale:
        """First note what was known before the visit, then count it."""
        self._scored = []
        interest = self._crawl.interest
        relevance = self._crawl.relevance(page.url) if page.ok else 0.0
        # Grades follow the judge's own verdict: a label is always 0 or 1 and would distort them.
        judged = interest.value(page.topics) if page.ok else 0.0
        self.grades.see(judged, interest.threshold)
        found = self._found(relevance)
        rows, slots = self._known(page)
        if len(rows):
            expected = float(_chance(self.model.margin(rows))[0])
            self.calibration.note(expected, float(relevance > 0 and relevance >= interest.threshold))
            self.model.note(hashing.hashed("source", page.url), rows[0], found)
        counted = self.features.visit(page, slots, relevance, found)
        self._latest = Taught(*counted, hashing.hashed("source", page.url), rows[0] if len(rows) else None)
        voted = self._vote(page, found) if found else []
        if self.features.visits < max(self.due, self.every):
            return voted
        return self._refit()

    def note(self, page: Page) -> Any:
        """What this page is like as a source of links, for the shards that it links to."""
        pages = self.features.pages
        place = pages.place(page.url)
        found = self.features.inlink_votes.given.get(self._number(page.url), 0.0)
        return (pages.facts[place].tolist(), pages.words[place].tolist(), found) if place >= 0 else None

    def meet(self, url: str, links: Sequence[Link], relevance: float, note: Any) -> Stale:
        """A page of another shard links here: know it as a source, and count its vote."""
        if note is None:
            return ()
        facts, words, found = note
        self.features.meet(url, facts, np.array(words, np.int32))
        numbers = {link.url: self._crawl.number(link.url) for link in links}
        known = {target: number for target, number in numbers.items() if number is not None}
        if found:
            self.features.inlink_votes.set(self._number(url), known.values(), found)
        return list(known) if found else ()

    def lesson(self) -> Any:
        """The latest visit."""
        visit, self._latest = self._latest, None
        if visit is None:
            return None
        self.lessons.own += 1
        return {"visit": visit, "best": self.grades.best}

    def study_lesson(self, lesson: Any) -> Stale:
        """Count a visit of another shard, and learn from it."""
        self.grades.best = max(self.grades.best, lesson["best"])
        visit = Taught.of(lesson["visit"])
        self.features.study(visit.counted)
        if visit.row is not None:
            self.model.note(visit.page, visit.row, visit.found)
        self.lessons.studied += 1
        return self._refit() if self.features.visits >= max(self.due, self.every) else ()

    def score(self, candidates: Sequence[Candidate]) -> list[float]:
        """The probability of each by its best link, plus in a drought what may lie behind it."""
        rows, owners, slots = self._rows(candidates)
        if len(candidates) <= MAX_REMEMBERED:
            self._scored.append(Scored(candidates, rows, owners, slots))
        scores = np.full(len(candidates), -1.0)
        np.maximum.at(scores, owners, _chance(self.model.margin(rows)) + self._beyond(rows, slots))
        return [float(score) for score in np.where(scores < 0, START_SCORE, scores)]

    def chances(self, candidates: Sequence[Candidate]) -> list[float]:
        """The probability of each to be relevant, corrected by how such estimates turned out so far."""
        rows, owners, _ = self._rows(candidates)
        chances = np.zeros(len(candidates))
        np.maximum.at(chances, owners, _chance(self.model.margin(rows)))
        return [float(chance) for chance in self.calibration.corrected(chances)]

    def explain(self, candidate: Candidate) -> dict[str, float]:
        """The probability, what may lie behind the page, and the five features with the most weight.

        For a page that was visited, the features are those from before the visit, as they are weighed now.
        """
        rows, slots = self._rows_of(candidate)
        if not len(rows):
            return {"start page": START_SCORE}
        margins = self.model.margin(rows)
        beyond = self._beyond(rows, slots)
        best = int((_chance(margins) + beyond).argmax())
        self._decided = candidate.url, candidate.links[best]
        row, margin = rows[best], margins[best]
        before = self._before_visit(candidate.url)
        if before is not None:
            row, margin = before, self.model.margin(before[None])[0]
        parts = {"chance": float(_chance(margin))}
        if before is None:
            parts |= self._explain_beyond(rows, beyond, best)
        link = candidate.links[best]
        return parts | reasons(row, float(margin), link, self.features, self.model, self._crawl.interest.rate)

    def deciding_link(self, candidate: Candidate) -> Link:
        """The link by which the candidate has its score; whoever explains a candidate asks for it right after."""
        if self._decided and self._decided[0] == candidate.url:
            return self._decided[1]
        rows, slots = self._rows_of(candidate)
        return candidate.links[int((_chance(self.model.margin(rows)) + self._beyond(rows, slots)).argmax())]

    def learn_label(self, page: Page, relevant: bool) -> Stale:
        """What the user says counts as much as five visits; the last label of a page replaces those before."""
        return self.learn_labels([(page, relevant)])

    def learn_labels(self, labels: Labels) -> Stale:
        """Take in all labels, then refit once: a refit costs as much as many visits."""
        self._scored = []
        for page, relevant in labels:
            self._note_label(page, relevant)
        self.model.refit()
        return ALL

    def learn_verdicts(self, verdicts: Sequence[NewVerdict]) -> Stale:
        """Count the visits whose pages the judge sees otherwise now under their new outcome; a refit follows soon."""
        numbers = {verdict.url: hashing.hashed("source", verdict.url) for verdict in verdicts}
        outcomes = {numbers[verdict.url]: self._found(verdict.relevance) for verdict in verdicts}
        earlier = self.model.change(outcomes)
        for url, inlinks, relevance in verdicts:
            number = numbers[url]
            if number in earlier:
                self.features.correct(url, inlinks, relevance, outcomes[number], earlier[number])
        # New verdicts come in slices, one after each visit: one refit serves them all.
        self.due = min(self.due, self.features.visits + VERDICT_SLICES)
        return ()

    def learn_change(self, page: Page, new_links: Sequence[str]) -> Stale:
        """See the page as the source of its links anew; the visit stays what it was."""
        relevance = self._crawl.relevance(page.url)
        found = self._found(relevance)
        self.features.change(page, relevance, found)
        return self._vote(page, found)

    def inherit(self, state: Any) -> None:
        """Half of the counts of an earlier crawl, and the visits that its models learned from."""
        if not (earlier := state.get("experience")):
            return
        features = self.features
        features.links = Counts.load(earlier["links"])
        features.words = Counts.load(earlier["words"])
        # What paid elsewhere is a hint here, not knowledge: this crawl's own visits soon outweigh it.
        features.links.fade(0.5)
        features.words.fade(0.5)
        features.hubs = Hubs.load(earlier["hubs"]).faded(0.5)
        features.embedding_model = EmbeddingModel.load(earlier["embedding_model"]).faded(0.5)
        features.finds = earlier["finds"] / 2
        features.visits = earlier["visits"] // 2
        self.due = features.visits + self.every
        self.model.load(earlier["model"])

    def save(self) -> bytes:
        """The counts, the models and what is remembered of pages."""
        plain = {name: getattr(self, name) for name in self._saved()}
        experience = self.features.save() | {
            "table": (self.calibration.seen, self.calibration.came),
            "best": self.grades.best,
            "model": self.model.save(),
            "prior": self.prior,
            "labels": self.labels,
        }
        # A crawl on its own has no lessons.
        shared = {"lessons": self.lessons.save()} if self.lessons.own or self.lessons.studied else {}
        return codec.dumps(plain | {"experience": experience} | shared)

    def load(self, data: bytes) -> None:
        """What this strategy saved; its parameters stay as they are."""
        state = codec.loads(data)
        self.lessons = Lessons(*state.pop("lessons", ()))
        codec.same_tags("adaptive", state, [*self._saved(), "experience"])
        experience = state["experience"]
        self.due = state["due"]
        self.features = Features.load(experience)
        self.calibration = Calibration(*experience["table"])
        self.grades = Grades(experience["best"])
        self.labels = dict(experience["labels"])
        self.model = self._new_model(set(self.without.replace(",", " ").split()))
        self.model.load(experience["model"])
        if experience["prior"] != self.prior:
            # The models were fitted around the weights of another prior.
            self.model.refit()

    def _saved(self) -> list[str]:
        """The plain fields; what was learned is saved as `experience`."""
        return [*(each.name for each in fields(self) if each.init), "due"]

    def _refit(self) -> Stale:
        """Fit the models anew; in a long crawl on shards all of them together as often as one process would."""
        self.model.refit()
        visits = self.features.visits
        # The first fits are cheap and change most. A shard that visits little still fits when all visits have doubled.
        self.due = visits + max(self.every, min(visits, self.lessons.shards * visits // 20))
        return ALL

    def _new_model(self, left_out: set[str]) -> Model:
        return Model(prior(self.prior), frozenset(LEARNERS) - left_out)

    def _found(self, relevance: float) -> float:
        """How much a page of that relevance counts as a find."""
        interest = self._crawl.interest
        if getattr(interest, "calibrated", False):
            return soft_find(relevance)
        return self.grades.of(relevance, interest.threshold)

    def _note_label(self, page: Page, relevant: bool) -> None:
        rows, slots = self._known(page)
        number = hashing.hashed("source", page.url)
        if page.url in self.labels:
            earlier = float(self.labels[page.url])
            self.features.add(page, slots, earlier, earlier, -LABEL_WEIGHT_VISITS)
            self.model.unsay(number)
        # What is known now was learnt from this very page, so the features of before the visit are the honest ones.
        before = self.model.recall(number)
        examples = list(rows) if before is None else [before]
        for row in examples * LABEL_WEIGHT_VISITS:
            self.model.note(number, row, float(relevant), by_user=True)
        self.features.add(page, slots, float(relevant), float(relevant), LABEL_WEIGHT_VISITS)
        self._vote(page, float(relevant))
        self.labels[page.url] = relevant

    def _explain_beyond(self, rows: Matrix, beyond: NDArray[np.float64], best: int) -> dict[str, float]:
        novelty = 0.0
        if beyond[best]:
            novelty = self.features.drought * self.novelty * float(self.features.newness(rows)[best])
        return {
            "what pages like it led to": float(beyond[best]) - novelty,
            "what is new about its host and place": novelty,
        }

    def _vote(self, page: Page, found: float) -> list[str]:
        """What a page links to is worth another look when it counts more, or less, than before: the URLs."""
        numbers = {link.url: self._crawl.number(link.url) for link in page.links}
        known = {url: number for url, number in numbers.items() if number is not None}
        self.features.inlink_votes.set(self._number(page.url), known.values(), found)
        return list(known)

    def _rows(self, candidates: Sequence[Candidate]) -> tuple[Matrix, Places, Slots]:
        rows, owners, slots = self.features.rows(candidates, self._links)
        rows[:, self._dropped] = 0
        return rows, owners, slots

    def _rows_of(self, candidate: Candidate) -> tuple[Matrix, Slots]:
        """The rows of one candidate: those by which it was scored, if that was just now."""
        for scored in reversed(self._scored):
            if known := scored.of(candidate):
                return known
        rows, _, slots = self._rows([candidate])
        return rows, slots

    def _before_visit(self, url: str) -> Matrix | None:
        """The features of a page before its visit; None for a candidate, and if that was too long ago."""
        if self.features.pages.place(url) < 0:
            return None
        return self.model.recall(hashing.hashed("source", url))

    def _beyond(self, rows: Matrix, slots: Slots) -> NDArray[np.float64]:
        """In plenty nothing; in a drought up to about one find."""
        features, drought = self.features, self.features.drought
        if drought < NO_DROUGHT:
            return np.zeros(len(rows))
        behind = self.hubs * features.age * features.hubs.expected_finds(slots)
        return drought * (behind + self.novelty * features.newness(rows)).astype(np.float64)

    def _number(self, url: str) -> int:
        number = self._crawl.number(url)
        return -1 if number is None else number

    def _known(self, page: Page) -> tuple[Matrix, Slots]:
        """What speaks for a page, before its visit all that is known: its loudest link, and where all are counted."""
        links = self._crawl.links_to(page.url)
        seen = Candidate(page.url, self._number(page.url), page.depth, page.inlinks, links)
        rows, _, slots = self._rows([seen])
        self._links.forget(seen.found)
        return rows[np.argsort(-self.model.margin(rows), kind="stable")[:1]], slots


def _columns_of(left_out: set[str]) -> list[int]:
    """The columns of the features to do without."""
    prefixes: tuple[str, ...] = ()
    for part in left_out & PARTS.keys():
        prefixes += PARTS[part]
    # str.startswith is true of no name when there are no prefixes.
    return [place for name, place in COLUMN.items() if name.startswith(prefixes)]


def _chance(margin: NDArray[np.float64]) -> NDArray[np.float64]:
    return 1 / (1 + np.exp(-margin))
