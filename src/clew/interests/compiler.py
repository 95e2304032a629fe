"""The compiler: turns the text of a formula and the user's topics into an interest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from clew import config
from clew.config import unknown
from clew.errors import InterestError
from clew.interests.classifiers import train
from clew.interests.disjoint import check_disjoint
from clew.interests.formula import DEFAULT_THRESHOLD, Formula
from clew.interests.hierarchy import Classed, branches
from clew.interests.keywords import Keywords, compiled
from clew.interests.lessons import Example, Lesson
from clew.interests.ontology import measure as concepts
from clew.interests.parser import Parsed, parsed
from clew.interests.predicates import Read, make
from clew.interests.reading import Measure, Reading
from clew.interests.semantics import SEMANTICS
from clew.interests.syntax import ANY, And, Compare, Node, Not, Or, Predicate, Topic, atoms
from clew.interests.taxonomy import Taxonomy
from clew.interests.topic_models import TopicModel
from clew.interests.topic_words import HasTellingStems
from clew.interests.vocabulary import Group
from clew.types import Doc


def build(
    formula: str,
    topics: Mapping[str, config.Topic] | None = None,
    *,
    read: Read | None = None,
    threshold: float | None = None,
    semantics: str = "possibilistic",
    topic_model: str = "linear",
    taught: Mapping[str, Lesson] | None = None,
) -> Formula:
    """Build an interest; `read` turns the path or URL of an example into documents.

    `taught` holds further examples and counter-examples, for topics that have examples already.

    >>> build("sailing AND sports", {"sports": config.Topic(keywords=("ball", "team"))}).wider("drop").node
    Topic(name='sailing')
    """
    tree = Taxonomy(topics or {})
    return _Builder(formula, tree, TopicExamples(read), semantics, TopicModel.of(topic_model), taught or {}).interest(
        threshold
    )


class TopicExamples:
    """The example documents of all topics; each source is read once.

    >>> TopicExamples(lambda path: [Doc(url=path, terms={"sail": 1})]).docs(["a.html", "a.html"])[0].url
    'a.html'
    """

    def __init__(self, read: Read | None) -> None:
        self._read = read
        self._seen: dict[str, list[Doc]] = {}

    def read(self, source: str) -> list[Doc]:
        """The documents of one path, folder or URL."""
        if self._read is None:
            raise InterestError(
                f"cannot read the example {source!r}: pass read=, a function from a path or URL to documents"
            )
        if source not in self._seen:
            self._seen[source] = [doc for doc in self._read(source) if doc.terms]
        return self._seen[source]

    def docs(self, sources: Iterable[str]) -> list[Doc]:
        """The documents of all sources in order, each source once."""
        found: list[Doc] = []
        for source in dict.fromkeys(sources):
            found += self.read(source)
        return found

    def known(self, sources: Iterable[str]) -> list[Doc]:
        """The documents of those of the sources that have been read."""
        return self.docs(source for source in sources if source in self._seen)

    def language(self) -> str:
        """The most common language of the examples; "" without examples."""
        found: Counter[str] = Counter()
        for docs in self._seen.values():
            found.update(doc.language for doc in docs if doc.language)
        return found.most_common(1)[0][0] if found else ""


def measure(
    name: str, tree: Taxonomy, examples: TopicExamples, model: TopicModel, taught: Mapping[str, Lesson]
) -> Measure:
    """The measure of a topic: its ontology if it has one, else the better of its keywords and its examples."""
    keywords = tree.keywords(name)
    sources = tree.examples(name)
    topic = tree.topics.get(name)
    if topic is not None and topic.ontology:
        return concepts(topic.ontology, topic.keywords or (name,), examples.docs(sources))
    if not sources:
        return Keywords(keywords)
    docs = examples.docs(sources)
    if not docs:
        raise InterestError(_no_text(name))
    if model.is_vocabulary:
        return _with_keywords(keywords, model.vocabulary.learnt(domains(name, tree, examples, taught)))
    against = [source for other in tree.others(name) for source in tree.topics[other].examples]
    more, fewer = further(tree.subtree(name), tree.upwards(name), taught)
    trained = train([*docs, *more], [*examples.docs(against), *fewer], model.name)
    return _with_keywords(keywords, trained)


def further(below: Iterable[str], above: Iterable[str], taught: Mapping[str, Lesson]) -> Lesson:
    """The lessons for a topic, from the topics `below` and `above` it (the topic itself is in both)."""
    lesson = Lesson([], [])
    # An example of a subtopic is an example of the topic.
    for name in below:
        if name in taught:
            lesson.yes.extend(taught[name].yes)
    # A page outside a more general topic is outside this one too.
    for name in above:
        if name in taught:
            lesson.no.extend(taught[name].no)
    return lesson


def domains(name: str, tree: Taxonomy, examples: TopicExamples, taught: Mapping[str, Lesson]) -> list[Group]:
    """The examples of a topic, grouped by the topics below it."""
    # Lessons come first: of a large group only a sample is read, and it begins at the front.
    own = further([name], tree.upwards(name), taught)
    found = [Group([*own.yes, *examples.docs(tree.topics[name].examples)], own.no)]
    for each in tree.topics:
        if tree.parent(each) == name:
            lesson = further(tree.subtree(each), tree.upwards(each), taught)
            found.append(Group([*lesson.yes, *examples.docs(tree.examples(each))], lesson.no))
    return [group for group in found if group.docs]


def _no_text(name: str) -> str:
    return f"the examples of topic {name!r} contain no text; use other examples"


def _with_keywords(keywords: tuple[str, ...], trained: Measure) -> Measure:
    return Best((Keywords(keywords), trained)) if keywords else trained


@dataclass(frozen=True, slots=True)
class Best:
    """The highest of several measures."""

    measures: tuple[Measure, ...]

    def __call__(self, text: Reading) -> float:
        return max(measure(text) for measure in self.measures)

    def telling_stems(self, text: Reading) -> list[str]:
        """Those of all measures."""
        found: dict[str, None] = {}
        for measure in self.measures:
            if isinstance(measure, HasTellingStems):
                found |= dict.fromkeys(measure.telling_stems(text))
        return list(found)


@dataclass(frozen=True, slots=True)
class _Builder:
    formula: str
    tree: Taxonomy
    examples: TopicExamples
    semantics: str
    model: TopicModel
    taught: Mapping[str, Lesson]

    def interest(self, threshold: float | None) -> Formula:
        if self.semantics not in SEMANTICS:
            raise InterestError(unknown("semantics", self.semantics, list(SEMANTICS)))
        if threshold is not None and not 0.0 <= threshold <= 1.0:
            raise InterestError(f"the threshold must be between 0 and 1, not {threshold}")
        found = parsed(self.formula)
        # Before the call: reading the examples is what makes their language known.
        measures = self.measures(found)
        # A hierarchy decides between all topics, whether the formula mentions them or not.
        check_disjoint(self.tree.topics if self.model.is_hierarchy else measures, self.tree, self.examples)
        kind = Classed if self.model.is_hierarchy else Formula
        return kind(
            node=self.resolved(found.node),
            measures=measures,
            taxonomy=self.tree,
            semantics=self.semantics,
            threshold=DEFAULT_THRESHOLD if threshold is None else threshold,
            language=self.examples.language(),
            examples=tuple(self.all_examples(found.node)),
        )

    def measures(self, source: Parsed) -> dict[str, Measure]:
        found: dict[str, Measure] = {}
        for atom in atoms(source.node):
            at = source.places[atom]
            if isinstance(atom, Predicate):
                found[str(atom)] = make(atom.name, atom.argument, self.examples.read, source.formula, at)
            else:
                self.check(atom.name, source.formula, at)
                found |= self.upwards(self.tree.name(atom.name), found)
        if self.model.is_hierarchy:
            found |= self.branches()
        return found

    def all_examples(self, node: Node) -> list[Example]:
        """The examples of the topics in the formula, and those of other topics as counter-examples."""
        found: list[Example] = []
        for atom in atoms(node):
            if isinstance(atom, Predicate):
                continue
            name = self.tree.name(atom.name)
            if name == ANY or not self.tree.examples(name):
                continue
            found += [Example(name, doc) for doc in self.examples.docs(self.tree.examples(name))]
            for other in self.tree.others(name):
                against = self.examples.docs(self.tree.topics[other].examples)
                found += [Example(name, doc, counts=False) for doc in against]
        return found

    def check(self, written: str, formula: str, at: int) -> None:
        name = self.tree.name(written)
        if name != ANY and not self.has_content(name):
            reason = "stop words and single letters are ignored"
            message = f'{written!r} has no searchable word: {reason}; add keywords, or use phrase("…")'
            raise InterestError(message, formula, at)

    def upwards(self, name: str, known: Mapping[str, Measure]) -> dict[str, Measure]:
        """The measures of a topic and its ancestors, so that a wider formula can be evaluated later."""
        names = [each for each in self.tree.upwards(name) if each not in known and not self.branched(each)]
        return {each: measure(each, self.tree, self.examples, self.model, self.taught) for each in names}

    def has_content(self, name: str) -> bool:
        """Whether a topic has anything to measure a page by."""
        ontology = name in self.tree.topics and self.tree.topics[name].ontology
        return bool(ontology or compiled(self.tree.keywords(name), "en") or self.tree.examples(name))

    def branched(self, name: str) -> bool:
        """Whether the topic is measured by the hierarchy, together with all others."""
        return name == ANY or (self.model.is_hierarchy and bool(self.tree.examples(name)))

    def branches(self) -> dict[str, Measure]:
        """The measures of all topics with examples."""
        # Also of topics that the formula does not mention: the hierarchy compares a topic with its siblings.
        topics = self.tree.topics
        examples = {name: self.examples.docs(topic.examples) for name, topic in topics.items()}
        if empty := [name for name, docs in examples.items() if topics[name].examples and not docs]:
            raise InterestError(_no_text(empty[0]))
        taught = {name: lesson for name, lesson in self.taught.items() if self.tree.examples(name)}
        for name, lesson in taught.items():
            examples[name] += lesson.yes
        found = branches(self.tree, examples, {name: lesson.no for name, lesson in taught.items()})
        return {name: _with_keywords(self.written_keywords(name), branch) for name, branch in found.items()}

    def written_keywords(self, name: str) -> tuple[str, ...]:
        """The keywords of a topic and those below it, without names that stand in for missing keywords."""
        words: list[str] = []
        for each in self.tree.subtree(name):
            words += self.tree.topics[each].keywords
        return tuple(words)

    def resolved(self, node: Node) -> Node:
        """The formula with names as the taxonomy spells them and with the weights of topics where it has none."""
        match node:
            case Topic(name):
                return Topic(self.tree.name(name))
            case Not(part):
                return Not(self.resolved(part))
            case Compare(part, sign, number):
                return Compare(self.resolved(part), sign, number)
            case And(parts, weights) | Or(parts, weights):
                inner = tuple(map(self.resolved, parts))
                return type(node)(inner, weights or self.weights(inner))
            case _:
                return node

    def weights(self, parts: tuple[Node, ...]) -> tuple[float, ...]:
        """The weights of the topics among these parts, or () if they make no difference."""
        weights = tuple(map(self.weight, parts))
        return weights if any(weights) and min(weights) != max(weights) else ()

    def weight(self, part: Node) -> float:
        if isinstance(part, Topic) and part.name in self.tree.topics:
            return self.tree.topics[part.name].weight
        return 1.0
