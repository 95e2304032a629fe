"""From the text of a formula and the user's topics to an interest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from clew import config
from clew.config import unknown
from clew.errors import InterestError
from clew.interests.formula import UNSET, Formula
from clew.interests.hierarchy import Classed, branches
from clew.interests.keywords import Keywords, compiled
from clew.interests.lessons import Lesson
from clew.interests.ontology import measure as concepts
from clew.interests.parser import Parsed, parsed
from clew.interests.predicates import Read, make
from clew.interests.reading import Measure, Reading
from clew.interests.semantics import SEMANTICS
from clew.interests.syntax import ANY, And, Compare, Node, Not, Or, Predicate, Topic, atoms
from clew.interests.taxonomy import Taxonomy
from clew.interests.vocabulary import Group, learnt
from clew.types import Doc


def build(
    formula: str,
    topics: Mapping[str, config.Topic] | None = None,
    *,
    read: Read | None = None,
    threshold: float | None = None,
    semantics: str = "possibilistic",
    judge: str = "linear",
    taught: Mapping[str, Lesson] | None = None,
) -> Formula:
    """An interest; `read` turns the path or URL of an example into documents.

    `taught` holds further documents for topics that have examples.

    >>> build("sailing AND sports", {"sports": config.Topic(keywords=("ball", "team"))}).wider("drop").node
    Topic(name='sailing')
    """
    tree = Taxonomy(topics or {})
    return _Builder(formula, tree, TopicExamples(read), semantics, judge, taught or {}).interest(threshold)


class TopicExamples:
    """The example documents, each read once.

    >>> TopicExamples(lambda path: [Doc(url=path, terms={"sail": 1})]).docs(["a.html", "a.html"])[0].url
    'a.html'
    """

    def __init__(self, read: Read | None) -> None:
        self._read = read
        self._seen: dict[str, list[Doc]] = {}

    def read(self, source: str) -> list[Doc]:
        """The documents of one path, folder or URL."""
        if self._read is None:
            raise InterestError(f"there is nothing to read the example {source!r} with")
        if source not in self._seen:
            self._seen[source] = [doc for doc in self._read(source) if doc.terms]
        return self._seen[source]

    def docs(self, sources: Iterable[str]) -> list[Doc]:
        """The documents of all sources in order, each source once."""
        return [doc for source in dict.fromkeys(sources) for doc in self.read(source)]

    def language(self) -> str:
        """The one most of the examples are in."""
        found = Counter(doc.language for docs in self._seen.values() for doc in docs if doc.language)
        return found.most_common(1)[0][0] if found else "en"


def measure(name: str, tree: Taxonomy, examples: TopicExamples, judge: str, taught: Mapping[str, Lesson]) -> Measure:
    """What stands behind a topic: its keywords, its examples, the better of both; or its ontology."""
    keywords, sources = tree.keywords(name), tree.examples(name)
    if name in tree.topics and tree.topics[name].ontology:
        return concepts(tree.topics[name].ontology, tree.topics[name].keywords or (name,), examples.docs(sources))
    if not sources:
        return Keywords(keywords)
    docs = examples.docs(sources)
    if not docs:
        raise InterestError(f"there is no text in the examples of topic {name!r}")
    if judge == "vocabulary":
        return _with(keywords, learnt(domains(name, tree, examples, taught)))
    # scikit-learn takes a second to import, which a crawl without examples should not pay.
    from clew.interests.classifiers import train

    against = [e for other in tree.others(name) for e in tree.topics[other].examples]
    if double := [e for e in against if e in sources]:
        raise InterestError(f"{double[0]!r} is an example of {name!r} and of a topic beside it; choose one")
    more, fewer = further(tree.subtree(name), tree.upwards(name), taught)
    trained = train([*docs, *more], [*examples.docs(against), *fewer], judge)
    return _with(keywords, trained)


def further(below: Iterable[str], above: Iterable[str], taught: Mapping[str, Lesson]) -> Lesson:
    """What belongs to a topic belongs to the more general ones; what does not, not to the more special ones either."""
    yes = [doc for name in below if name in taught for doc in taught[name].yes]
    return Lesson(yes, [doc for name in above if name in taught for doc in taught[name].no])


def domains(name: str, tree: Taxonomy, examples: TopicExamples, taught: Mapping[str, Lesson]) -> list[Group]:
    """The examples of a topic by the topics below it; what was taught comes first, as not all are read."""
    own = further([name], tree.upwards(name), taught)
    found = [Group([*own.yes, *examples.docs(tree.topics[name].examples)], own.no)]
    for each in tree.topics:
        if tree.parent(each) == name:
            lesson = further(tree.subtree(each), tree.upwards(each), taught)
            found.append(Group([*lesson.yes, *examples.docs(tree.examples(each))], lesson.no))
    return [group for group in found if group.docs]


def _with(keywords: tuple[str, ...], trained: Measure) -> Measure:
    return Best((Keywords(keywords), trained)) if keywords else trained


@dataclass(frozen=True, slots=True)
class Best:
    """The highest of several measures."""

    measures: tuple[Measure, ...]

    def __call__(self, text: Reading) -> float:
        return max(measure(text) for measure in self.measures)


@dataclass(frozen=True, slots=True)
class _Builder:
    formula: str
    tree: Taxonomy
    examples: TopicExamples
    semantics: str
    judge: str
    taught: Mapping[str, Lesson]

    def interest(self, threshold: float | None) -> Formula:
        for kind, name, valid in (
            ("semantics", self.semantics, list(SEMANTICS)),
            ("judge", self.judge, ["linear", "bayes", "hierarchy", "vocabulary"]),
        ):
            if name not in valid:
                raise InterestError(unknown(kind, name, valid))
        if threshold is not None and not 0.0 <= threshold <= 1.0:
            raise InterestError(f"the threshold must lie between 0 and 1, but is {threshold}")
        found = parsed(self.formula)
        measures = self.measures(found)
        return (Classed if self.judge == "hierarchy" else Formula)(
            node=self.resolved(found.node),
            measures=measures,
            taxonomy=self.tree,
            semantics=self.semantics,
            threshold=UNSET if threshold is None else threshold,
            language=self.examples.language(),
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
        return found | (self.branches() if self.judge == "hierarchy" else {})

    def check(self, written: str, formula: str, at: int) -> None:
        name = self.tree.name(written)
        if name != ANY and not self.says(name):
            message = f'{written!r} holds no word that counts; name keywords, or use phrase("…")'
            raise InterestError(message, formula, at)

    def upwards(self, name: str, known: Mapping[str, Measure]) -> dict[str, Measure]:
        """The topic with all more general ones, so that a wider formula can be evaluated later."""
        names = [each for each in self.tree.upwards(name) if each not in known and not self.branched(each)]
        return {each: measure(each, self.tree, self.examples, self.judge, self.taught) for each in names}

    def says(self, name: str) -> bool:
        """Whether something stands behind a topic."""
        ontology = name in self.tree.topics and self.tree.topics[name].ontology
        return bool(ontology or compiled(self.tree.keywords(name), "en") or self.tree.examples(name))

    def branched(self, name: str) -> bool:
        """Whether the topic is measured with all others."""
        return name == ANY or (self.judge == "hierarchy" and bool(self.tree.examples(name)))

    def branches(self) -> dict[str, Measure]:
        """All topics with examples, wanted or not: what is likelier than all others shows only beside them."""
        topics = self.tree.topics
        examples = {name: self.examples.docs(topic.examples) for name, topic in topics.items()}
        if empty := [name for name, docs in examples.items() if topics[name].examples and not docs]:
            raise InterestError(f"there is no text in the examples of topic {empty[0]!r}")
        taught = {name: lesson for name, lesson in self.taught.items() if self.tree.examples(name)}
        for name, lesson in taught.items():
            examples[name] += lesson.yes
        found = branches(self.tree, examples, {name: lesson.no for name, lesson in taught.items()})
        words = {name: tuple(w for each in self.tree.subtree(name) for w in topics[each].keywords) for name in found}
        return {name: _with(words[name], branch) for name, branch in found.items()}

    def resolved(self, node: Node) -> Node:
        """Names as the taxonomy spells them; where no weight is written, those of the topics count."""
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
        topics = self.tree.topics
        given = [topics[p.name].weight if isinstance(p, Topic) and p.name in topics else 1.0 for p in parts]
        return tuple(given) if any(given) and min(given) != max(given) else ()
