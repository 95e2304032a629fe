"""The interest that a user types: a formula over topics and predicates."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from clew.errors import StartError
from clew.interests.guidance import guided
from clew.interests.keywords import Keywords
from clew.interests.predicates import SHORT
from clew.interests.reading import Measure, Reading
from clew.interests.semantics import evaluate
from clew.interests.syntax import ANY, Atom, Node, Predicate, Topic, atoms
from clew.interests.taxonomy import Taxonomy
from clew.interests.widening import frequency, widened
from clew.text.terms import mentions
from clew.types import Doc, Judgement

UNSET: Final = 0.5  # the threshold until one is given or taken from the start pages
MEMO: Final = 20_000  # short texts whose rating is remembered: menus repeat on every page of a site


@dataclass(frozen=True, slots=True)
class Formula:
    """An immutable interest; every change gives a new one.

    >>> from clew.interests import build
    >>> interest = build("sailing AND NOT golf", {})
    >>> interest.judge(Doc(url="", terms={"sail": 3, "wind": 2})).relevant
    True
    >>> print(interest, "|", interest.guide(), "|", round(interest.rate("Sailing school"), 2))
    sailing AND NOT golf | sailing | 0.8
    """

    node: Node
    measures: Mapping[str, Measure]  # by printed name: those of the formula and of all wider ones
    taxonomy: Taxonomy = field(default_factory=Taxonomy)
    semantics: str = "possibilistic"
    threshold: float = UNSET
    language: str = "en"  # of short texts, which are too short to tell
    ceiling: int = 1  # how far below ANY widening along the taxonomy ends
    rated: tuple[Atom, ...] | None = None  # what short texts are measured by; None: every positive part
    _rates: dict[str, float] = field(default_factory=dict, init=False, repr=False, compare=False)
    _short: tuple[Measure, ...] = field(init=False, repr=False, compare=False)
    _words: frozenset[str] | None = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        names = [_name(atom) for atom in self._rateable()]
        short = tuple(self.measures[name] for name in names if name != ANY)
        object.__setattr__(self, "_short", short)
        object.__setattr__(self, "_words", _vocabulary(short, self.language))

    def __str__(self) -> str:
        return str(self.node)

    def judge(self, doc: Doc) -> Judgement:
        """The relevance of a page, with every membership that this or a wider formula asks for."""
        text = Reading(doc)
        topics = {name: measure(text) for name, measure in self.measures.items()}
        relevance = self.value(topics)
        return Judgement(relevance, relevance >= self.threshold, topics)

    def value(self, topics: Mapping[str, float]) -> float:
        """The formula on stored memberships."""
        return evaluate(self.node, topics, self.semantics)

    def rate(self, text: str) -> float:
        """The best of the positive topics: in so few words not all of them can be expected."""
        rates = self._rates
        found = rates.get(text)
        if found is None:
            if len(rates) >= MEMO:
                rates.clear()
            found = rates[text] = self._rate(text)
        return found

    def guide(self) -> Formula:
        """The same without its negated parts: what strategies follow."""
        return self._as(guided(self.node))

    def rarest(self, counts: Mapping[str, float]) -> Formula:
        """The same, but short texts are rated by the rarest topic alone, the paper's other way."""
        found = self._rateable()
        return replace(self, rated=(min(found, key=lambda atom: frequency(atom, counts)),) if found else ())

    def wider(self, method: str = "taxonomy", counts: Mapping[str, float] | None = None) -> Formula | None:
        """The next more general interest without negated parts, or None at the ceiling."""
        node = widened(guided(self.node), method, counts or {}, self.taxonomy, self.ceiling)
        return None if node is None else self._as(node)

    def at(self, threshold: float) -> Formula:
        """The same with another threshold."""
        return replace(self, threshold=threshold)

    def starting_from(self, relevances: Iterable[float]) -> Formula:
        """The same with the least strictly positive relevance of the start pages as its threshold.

        Ester, Gross and Kriegel, Focused Web Crawling, 2001.
        """
        scores = list(relevances)
        positive = [score for score in scores if score > 0.0]
        if not positive:
            raise StartError(_no_start(str(self), len(scores)))
        return self.at(min(positive))

    def _rate(self, text: str) -> float:
        if self._words is not None and not mentions(text, self._words, self.language):
            return 0.0  # most links: there are a hundred a page, so a look at the words must do
        reading = Reading.of_words(text, self.language)
        return max([measure(reading) for measure in self._short], default=0.0)

    def _as(self, node: Node) -> Formula:
        return self if node == self.node else replace(self, node=node, rated=None)

    def _rateable(self) -> tuple[Atom, ...]:
        if self.rated is not None:
            return self.rated
        found = atoms(guided(self.node))
        return tuple(atom for atom in found if isinstance(atom, Topic) or atom.name in SHORT)


def _vocabulary(measures: Iterable[Measure], language: str) -> frozenset[str] | None:
    """The words without which nothing can be found; None if that cannot be said."""
    found: set[str] = set()
    for measure in measures:
        if not isinstance(measure, Keywords):
            return None
        found |= measure.vocabulary(language)
    return frozenset(found)


def _name(atom: Atom) -> str:
    return str(atom) if isinstance(atom, Predicate) else atom.name


def _no_start(formula: str, count: int) -> str:
    if not count:
        return "there is no start page that could be judged, so there is no threshold; give --threshold"
    return (
        f"none of the {count} start pages that were judged is relevant: each scores 0 under {formula!r}; "
        "give other start pages, other words, or a --threshold of your own"
    )
