"""The interest that users write: a formula over topics and predicates."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from clew.config import unknown
from clew.errors import InterestError, StartError
from clew.interests.guidance import guided
from clew.interests.keywords import Keywords
from clew.interests.lessons import Example
from clew.interests.parser import parse
from clew.interests.predicates import FOR_SHORT_TEXTS
from clew.interests.reading import Measure, Reading
from clew.interests.semantics import evaluate
from clew.interests.syntax import ANY, Atom, Node, Predicate, Topic, atoms
from clew.interests.taxonomy import Taxonomy
from clew.interests.topic_words import TopicStems, TopicWords, topic_stems, topic_words
from clew.interests.widening import frequency, narrowed, widened
from clew.text.terms import mentions
from clew.types import Doc, Judgement

DEFAULT_THRESHOLD: Final = 0.5  # threshold until one is set or derived from the start pages
MAX_CACHED_RATES: Final = 20_000  # cached ratings of short texts: menus repeat on every page of a site


@dataclass(frozen=True, slots=True)
class Formula:
    """An immutable interest; every change returns a new one.

    >>> from clew.interests import build
    >>> interest = build("sailing AND NOT golf", {})
    >>> interest.judge(Doc(url="", terms={"sail": 3, "wind": 2})).relevant
    True
    >>> print(interest, "|", interest.guide(), "|", round(interest.rate("Sailing school"), 2))
    sailing AND NOT golf | sailing | 0.8
    """

    node: Node
    measures: Mapping[str, Measure]  # by printed name, for this formula and all wider ones
    taxonomy: Taxonomy = field(default_factory=Taxonomy)
    semantics: str = "possibilistic"
    threshold: float = DEFAULT_THRESHOLD
    language: str = ""  # of short texts, which are too short to detect it; "" counts as English
    ceiling: int = 1  # level below ANY at which widening along the taxonomy ends
    rated: tuple[Atom, ...] | None = None  # what short texts are rated by; None: every positive part
    examples: tuple[Example, ...] = ()  # documents that the user gave for its topics
    _rates: dict[str, float] = field(default_factory=dict, init=False, repr=False, compare=False)
    _short: tuple[Measure, ...] = field(init=False, repr=False, compare=False)
    _words: frozenset[str] | None = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        names = [_name(atom) for atom in self._rateable()]
        short = tuple(self.measures[name] for name in names if name != ANY)
        # The dataclass is frozen, so derived fields are set behind its back.
        object.__setattr__(self, "_short", short)
        object.__setattr__(self, "_words", _vocabulary(short, self.language))

    def __str__(self) -> str:
        return str(self.node)

    def judge(self, doc: Doc) -> Judgement:
        """The relevance of a page, with its membership in every topic of this formula and of wider ones."""
        text = Reading(doc)
        topics = {name: measure(text) for name, measure in self.measures.items()}
        relevance = self.value(topics)
        return Judgement(relevance, relevance >= self.threshold, topics)

    def value(self, topics: Mapping[str, float]) -> float:
        """The value of the formula for stored memberships."""
        return evaluate(self.node, topics, self.semantics)

    def rate(self, text: str) -> float:
        """The highest membership in a positive topic: so few words cannot be expected to mention all of them."""
        rates = self._rates
        found = rates.get(text)
        if found is None:
            if len(rates) >= MAX_CACHED_RATES:
                rates.clear()
            found = rates[text] = self._rate(text)
        return found

    def topic_words(self, doc: Doc) -> list[TopicWords]:
        """The words behind the judgement of a page, for each topic and predicate of the formula."""
        return topic_words(atoms(self.node), self.measures, doc)

    def topic_stems(self, doc: Doc, memberships: Mapping[str, float]) -> list[TopicStems]:
        """The stems behind the judgement of a page, whose memberships are known; cheap enough for every visit."""
        return topic_stems(atoms(self.node), self.measures, doc, memberships)

    def guide(self) -> Formula:
        """The same interest without negated parts, as strategies follow it."""
        return self._as(guided(self.node))

    def rarest(self, counts: Mapping[str, float]) -> Formula:
        """The same interest, but short texts are rated by the rarest topic alone (the paper's alternative)."""
        found = self._rateable()
        if not found:
            return replace(self, rated=())
        rarest = min(found, key=lambda atom: frequency(atom, counts))
        return replace(self, rated=(rarest,))

    def wider(self, method: str = "taxonomy", counts: Mapping[str, float] | None = None) -> Formula | None:
        """The next more general interest without negated parts, or None at the ceiling."""
        node = widened(guided(self.node), method, counts or {}, self.taxonomy, self.ceiling)
        return None if node is None else self._as(node)

    def refocused(self, text: str) -> Formula:
        """Another formula over the topics of this one and those above them, without negated parts.

        >>> from clew.interests import build
        >>> print(build("sailing AND ruegen", {}).refocused("sailing OR ruegen"))
        sailing OR ruegen
        """
        node = guided(parse(text))
        known = {ANY, *self.measures}
        for atom in atoms(node):
            if _name(atom) not in known:
                raise InterestError(unknown("topic", _name(atom), sorted(known)) + " (in the interest of this crawl)")
        return self._as(node)

    def narrower(self, goal: Formula, counts: Mapping[str, float] | None = None) -> Formula | None:
        """The same with its most frequent topic one step nearer to the goal along the taxonomy; None if there is none.

        >>> from clew.config import Topic
        >>> from clew.interests import build
        >>> goal = build("sailing AND ruegen", {"sports": Topic(), "sailing": Topic("sports")})
        >>> print(goal.wider().narrower(goal))
        sailing AND ruegen
        """
        node = narrowed(self.node, guided(goal.node), counts or {}, self.taxonomy)
        return None if node is None else self._as(node)

    def at(self, threshold: float) -> Formula:
        """The same interest with another threshold."""
        return replace(self, threshold=threshold)

    def in_language(self, language: str) -> Formula:
        """The same interest for short texts in this language, unless its examples have told another one.

        >>> from clew.interests import build
        >>> german = build("Segelboote", {}).in_language("de")
        >>> german.rate("Ein Segelboot") == german.rate("Segelboote") > 0.7
        True
        """
        return self if self.language or not language else replace(self, language=language)

    def starting_from(self, relevances: Iterable[float]) -> Formula:
        """The same interest with the lowest positive relevance of the start pages as its threshold.

        Ester, Gross and Kriegel, Focused Web Crawling, 2001.
        """
        scores = list(relevances)
        positive = [score for score in scores if score > 0.0]
        if not positive:
            raise StartError(_no_start(str(self), len(scores)))
        return self.at(min(positive))

    def _rate(self, text: str) -> float:
        # Most of the hundred links of a page mention nothing: looking for the words spares them a Reading.
        if self._words is not None and not mentions(text, self._words, self.language):
            return 0.0
        reading = Reading.of_words(text, self.language)
        return max([measure(reading) for measure in self._short], default=0.0)

    def _as(self, node: Node) -> Formula:
        return self if node == self.node else replace(self, node=node, rated=None)

    def _rateable(self) -> tuple[Atom, ...]:
        if self.rated is not None:
            return self.rated
        found = atoms(guided(self.node))
        return tuple(atom for atom in found if isinstance(atom, Topic) or atom.name in FOR_SHORT_TEXTS)


def _vocabulary(measures: Iterable[Measure], language: str) -> frozenset[str] | None:
    """The words without which every measure is 0; None if there is no such set."""
    found: set[str] = set()
    for measure in measures:
        # Only keywords are known to score 0 without their words; other measures may react to any word.
        if not isinstance(measure, Keywords):
            return None
        found |= measure.vocabulary(language)
    return frozenset(found)


def _name(atom: Atom) -> str:
    return str(atom) if isinstance(atom, Predicate) else atom.name


def _no_start(formula: str, count: int) -> str:
    if not count:
        return "no start page could be judged, so no threshold can be derived; set threshold (--threshold 0.5)"
    pages = "the start page is not" if count == 1 else f"none of the {count} start pages is"
    return (
        f"{pages} about {formula} (relevance 0), so no threshold can be derived from {'it' if count == 1 else 'them'}. "
        "Start from a page on the topic, or set threshold (--threshold 0.5) to crawl from here."
    )
