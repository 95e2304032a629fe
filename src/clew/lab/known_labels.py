"""The labels of a world: the pages of each topic in a taxonomy, and the pages without a label."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product
from typing import Any, Final, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from clew.config import Topic, unknown
from clew.errors import ConfigError, InterestError
from clew.interests import Taxonomy, parse
from clew.interests.semantics import evaluate
from clew.interests.syntax import ANY, Atom, Node, Predicate, atoms
from clew.interests.syntax import Topic as Name

Find = Callable[[str], int | None]
Memberships = NDArray[np.float64]  # of a page in a row, in topics and predicates
Test = Callable[[Predicate], NDArray[np.float64]]
"""How far each page passes a predicate, from 0 to 1."""
Truth = NDArray[np.int8]

REMAINDER: Final = "other"  # the class of labelled pages that fit no topic
RELEVANT_FROM: Final = 0.5  # value of a formula from which a page is relevant


@dataclass(frozen=True)
class Labels:
    """Pages by topic, including those of subtopics.

    >>> data = {"topics": {"boats.sail": ["http://a.org/"], "cars": ["http://b.org/"]}, "taxonomy":
    ...     {"id": "all", "children": [{"id": "boats", "children": [{"id": "boats.sail", "name": "Sailing"}]}]}}
    >>> labels = Labels.of(data, {"http://a.org/": 0, "http://b.org/": 1}.get)
    >>> labels.pages
    {'boats': [0], 'boats.sail': [0], 'cars': [1]}
    >>> labels.names["boats.sail"], labels.parents["boats.sail"]
    ('Sailing', 'boats')
    >>> labels.truth("boats OR cars", 3).tolist(), labels.truth("boats AND NOT boats.sail", 3).tolist()
    ([1, 1, 0], [0, 0, 0])
    """

    # The repr of labels is part of a world's digest, so a renamed field would invalidate every cached result.
    pages: Mapping[str, list[int]] = field(default_factory=dict)
    unlabelled: list[int] = field(default_factory=list)  # they may be on any topic
    names: Mapping[str, str] = field(default_factory=dict)  # titles of topics
    parents: Mapping[str, str] = field(default_factory=dict)
    starts: Mapping[str, list[str]] = field(default_factory=dict)  # sets of start pages that come with the data
    missing: tuple[str, ...] = ()  # labelled URLs that are not pages of the world
    # The words that texts on a topic use, where they are known; not in the repr, for pages are made of them.
    keywords: Mapping[str, tuple[str, ...]] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, data: Mapping[str, Any], find: Find, exclude: Iterable[str] = ()) -> Self:
        """Labels from the content of a topics.json; `find` returns the id of a page.

        Labelled URLs that begin with a prefix in `exclude` are not reported as missing.
        """
        nodes = dict(_nodes(data.get("taxonomy", {}).get("children", ()), ""))
        labelled: dict[str, list[str]] = {**data.get("topics", {}), "": data.get("unlabelled_pages", [])}
        ids: dict[str, int | None] = {}
        for urls in labelled.values():
            ids |= {url: find(url) for url in urls}
        own = {topic: _found(urls, ids) for topic, urls in labelled.items()}
        unlabelled = own.pop("")
        parents = {topic: parent for topic, (_, parent) in nodes.items() if parent}
        pages: dict[str, set[int]] = {topic: set() for topic in (*nodes, *own)}
        for topic, members in own.items():
            for ancestor in _line(topic, parents):
                pages[ancestor].update(members)
        return cls(
            pages={topic: sorted(members) for topic, members in pages.items() if members and topic != REMAINDER},
            unlabelled=unlabelled,
            names={topic: name for topic, (name, _) in nodes.items()},
            parents=parents,
            starts={start["name"]: start["urls"] for start in data.get("seeds", ())},
            missing=tuple(u for u, page in ids.items() if page is None and not u.startswith(tuple(exclude))),
        )

    @cached_property
    def taxonomy(self) -> Taxonomy:
        """The topics that have pages, in the form that interests use."""
        above = {topic: self.parents.get(topic, ANY) for topic in self.pages}
        return Taxonomy({topic: Topic(parent if parent in self.pages else ANY) for topic, parent in above.items()})

    def formula(self, wanted: str) -> Node:
        """A topic, or a formula over topics, in which names with special characters are quoted."""
        # Names come first: a topic may be called "arts & crafts" without being a formula.
        if wanted in self.pages:
            return Name(wanted)
        try:
            node = parse(wanted)
        except InterestError as error:
            raise ConfigError(f"{unknown('topic', wanted, list(self.pages))}; nor is it a formula: {error}") from error
        for name in topic_names(node):
            if name not in self.pages:
                raise ConfigError(unknown("topic", name, list(self.pages)))
        return node

    def truth(self, wanted: str, n: int, test: Test | None = None) -> Truth:
        """For each of n pages: 1 if it is relevant, 0 if not, -1 if that depends on a label that it has not.

        `test` says how far each page passes a predicate of the formula, such as `word("sail")`.
        """
        node = self.formula(wanted)
        columns = _columns(node)
        member = np.zeros((n, len(columns)))
        for column, atom in enumerate(columns):
            if isinstance(atom, Name):
                member[self.pages[atom.name], column] = 1.0
            elif test is None:
                raise ConfigError(f"{atom} in {wanted!r}: these labels come without pages that it could test")
            else:
                member[:, column] = test(atom)
        truth = _satisfied(node, member).astype(np.int8)
        truth[self._undecided(node, member)] = -1
        return truth

    def _undecided(self, node: Node, member: Memberships) -> NDArray[np.bool_]:
        """Which pages would satisfy a formula with some labels, but not with others, and have none."""
        topics = len(topic_names(node))
        undecided = np.zeros(len(member), bool)
        undecided[self.unlabelled] = True
        # A page may be listed as unlabelled and still have a topic of the formula; then its label counts.
        undecided &= ~member[:, :topics].any(axis=1)
        # A predicate may decide alone: without the word, no label makes a page satisfy `boats AND word("sail")`.
        pages = np.flatnonzero(undecided)
        possible = []
        for labels in product((0.0, 1.0), repeat=topics):
            labelled = member[pages]
            labelled[:, :topics] = labels
            possible.append(_satisfied(node, labelled))
        undecided[pages] = np.any(possible, axis=0) & ~np.all(possible, axis=0)
        return undecided

    def without(self, gone: ArrayLike) -> Labels:
        """The labels after these pages were removed; topics that have no page left are dropped."""
        removed = set(np.flatnonzero(gone).tolist())
        pages = {}
        for topic, members in self.pages.items():
            if left := [page for page in members if page not in removed]:
                pages[topic] = left
        unlabelled = [page for page in self.unlabelled if page not in removed]
        return replace(self, pages=pages, unlabelled=unlabelled)


def topic_names(node: Node) -> list[str]:
    """The topics of a formula, each once.

    >>> topic_names(parse('boats AND NOT word("sail")'))
    ['boats']
    """
    return [atom.name for atom in atoms(node) if isinstance(atom, Name)]


def _columns(node: Node) -> list[Atom]:
    """The topics of a formula, then its predicates."""
    return sorted(atoms(node), key=lambda atom: isinstance(atom, Predicate))


def _satisfied(node: Node, member: Memberships) -> NDArray[np.bool_]:
    """Whether the memberships of each page satisfy a formula."""
    # Pages with the same memberships have the same value: there are few combinations, however many pages there are.
    combinations, which = np.unique(member, axis=0, return_inverse=True)
    names = [atom.name if isinstance(atom, Name) else str(atom) for atom in _columns(node)]
    satisfied = []
    for combination in combinations.tolist():
        memberships = dict(zip(names, combination, strict=True))
        satisfied.append(evaluate(node, memberships) >= RELEVANT_FROM)
    return np.array(satisfied, bool)[which.reshape(-1)]


def _nodes(nodes: Iterable[Mapping[str, Any]], parent: str) -> Iterator[tuple[str, tuple[str, str]]]:
    """Every topic of the tree with its title and its parent; the root is not a topic."""
    for node in nodes:
        yield node["id"], (node.get("name", node["id"]), parent)
        yield from _nodes(node.get("children", ()), node["id"])


def _line(topic: str, parents: Mapping[str, str]) -> Iterator[str]:
    """A topic and all its ancestors."""
    while topic:
        yield topic
        topic = parents.get(topic, "")


def _found(urls: Sequence[str], ids: Mapping[str, int | None]) -> list[int]:
    return sorted({page for url in urls if (page := ids[url]) is not None})
