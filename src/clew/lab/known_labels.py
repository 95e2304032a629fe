"""What the pages of a world are about, as its makers say: topics in a tree, and pages nobody has labelled."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Final, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from clew.config import Topic, unknown
from clew.errors import ConfigError, InterestError
from clew.interests import Taxonomy, parse
from clew.interests.semantics import evaluate
from clew.interests.syntax import ANY, Node, Predicate, atoms
from clew.interests.syntax import Topic as Name

Find = Callable[[str], int | None]

REMAINDER: Final = "other"  # a class of this name holds what fits no topic: labelled pages that nobody looks for
CERTAIN: Final = 0.5  # value of a formula from which a page is relevant


@dataclass(frozen=True)
class Labels:
    """Pages by topic, those of subtopics included.

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

    pages: Mapping[str, list[int]] = field(default_factory=dict)
    unlabelled: list[int] = field(default_factory=list)  # in truth they may be on any topic
    names: Mapping[str, str] = field(default_factory=dict)  # of topics, for people
    parents: Mapping[str, str] = field(default_factory=dict)
    starts: Mapping[str, list[str]] = field(default_factory=dict)  # sets of start pages that come with the data
    missing: tuple[str, ...] = ()  # labelled URLs that are no pages

    @classmethod
    def of(cls, data: Mapping[str, Any], find: Find, exclude: Iterable[str] = ()) -> Self:
        """From the content of a topics.json; `find` knows the pages, and those under `exclude` are missed by nobody."""
        nodes = dict(_nodes(data.get("taxonomy", {}).get("children", ()), ""))
        labelled: dict[str, list[str]] = {**data.get("topics", {}), "": data.get("unlabelled_pages", [])}
        places = {url: find(url) for urls in labelled.values() for url in urls}
        own = {topic: _inside(urls, places) for topic, urls in labelled.items()}
        unlabelled = own.pop("")
        parents = {topic: parent for topic, (_, parent) in nodes.items() if parent}
        found: dict[str, set[int]] = {topic: set() for topic in (*nodes, *own)}
        for topic, pages in own.items():
            for above in _line(topic, parents):
                found[above].update(pages)
        return cls(
            pages={topic: sorted(pages) for topic, pages in found.items() if pages and topic != REMAINDER},
            unlabelled=unlabelled,
            names={topic: name for topic, (name, _) in nodes.items()},
            parents=parents,
            starts={start["name"]: start["urls"] for start in data.get("seeds", ())},
            missing=tuple(u for u, page in places.items() if page is None and not u.startswith(tuple(exclude))),
        )

    @cached_property
    def taxonomy(self) -> Taxonomy:
        """The topics that have pages, as interests know them."""
        above = {topic: self.parents.get(topic, ANY) for topic in self.pages}
        return Taxonomy({topic: Topic(parent if parent in self.pages else ANY) for topic, parent in above.items()})

    def formula(self, wanted: str) -> Node:
        """A topic as it is, or a formula over topics, names with signs in quotes."""
        if wanted in self.pages:
            return Name(wanted)
        try:
            node = parse(wanted)
        except InterestError as error:
            raise ConfigError(f"{unknown('topic', wanted, list(self.pages))}; nor is it a formula: {error}") from error
        for atom in atoms(node):
            if isinstance(atom, Predicate):
                raise ConfigError(f"{atom} in {wanted!r}: labels know topics only")
            if atom.name not in self.pages:
                raise ConfigError(unknown("topic", atom.name, list(self.pages)))
        return node

    def truth(self, wanted: str, n: int) -> NDArray[np.int8]:
        """For each of n pages: 1 relevant, 0 not, -1 when nobody has labelled it."""
        node = self.formula(wanted)
        names = [str(getattr(atom, "name", "")) for atom in atoms(node)]
        member = np.zeros((n, len(names)), bool)
        for column, name in enumerate(names):
            member[self.pages[name], column] = True
        kinds, which = np.unique(member, axis=0, return_inverse=True)  # few, however many pages there are
        relevant = [evaluate(node, dict(zip(names, kind, strict=True))) >= CERTAIN for kind in kinds.astype(float)]
        truth = np.array(relevant, np.int8)[which.reshape(-1)]
        unlabelled = np.zeros(n, bool)
        unlabelled[self.unlabelled] = True
        truth[unlabelled & ~member.any(axis=1)] = -1
        return truth

    def without(self, gone: ArrayLike) -> Labels:
        """The same when these pages are gone; they are on no topic."""
        lost = set(np.flatnonzero(gone).tolist())
        pages = {topic: [page for page in pages if page not in lost] for topic, pages in self.pages.items()}
        unlabelled = [page for page in self.unlabelled if page not in lost]
        return replace(self, pages={topic: left for topic, left in pages.items() if left}, unlabelled=unlabelled)


def _nodes(nodes: Iterable[Mapping[str, Any]], parent: str) -> Iterator[tuple[str, tuple[str, str]]]:
    """Every topic of the tree with its name and its parent; the root is no topic."""
    for node in nodes:
        yield node["id"], (node.get("name", node["id"]), parent)
        yield from _nodes(node.get("children", ()), node["id"])


def _line(topic: str, parents: Mapping[str, str]) -> Iterator[str]:
    """A topic and all above it."""
    while topic:
        yield topic
        topic = parents.get(topic, "")


def _inside(urls: Sequence[str], places: Mapping[str, int | None]) -> list[int]:
    return sorted({page for url in urls if (page := places[url]) is not None})
