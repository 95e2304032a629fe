"""The taxonomy: topics in a tree with the root ANY."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from clew.config import Topic, unknown
from clew.errors import InterestError
from clew.interests.syntax import ANY


@dataclass(frozen=True, slots=True)
class Taxonomy:
    """Which topic is more general than which.

    >>> tree = Taxonomy({"sports": Topic(), "sailing": Topic("sports"), "golf": Topic("sports")})
    >>> list(tree.ancestors("sailing")), list(tree.subtree("sports")), list(tree.others("golf"))
    (['sports'], ['sports', 'sailing', 'golf'], ['sailing'])
    """

    topics: Mapping[str, Topic] = field(default_factory=dict)
    _names: dict[str, str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        for name, topic in self.topics.items():
            if name == ANY:
                raise InterestError(f"{ANY} is the root of all topics; choose another name")
            if topic.parent not in self.topics and topic.parent != ANY:
                raise InterestError(f"topic {name!r}: {self._unknown_parent(name, topic.parent)}")
        for name in self.topics:
            self._check_for_cycle(name)
        # The dataclass is frozen, so a derived field is set behind its back.
        object.__setattr__(self, "_names", {_plain(name): name for name in [*self.topics, ANY]})

    def name(self, written: str) -> str:
        """The topic with this name, ignoring case and spacing; other words are returned unchanged."""
        return written if written in self.topics else self._names.get(_plain(written), written)

    def parent(self, name: str) -> str:
        """The next more general topic; ANY for words that are not a topic."""
        return self.topics[name].parent if name in self.topics else ANY

    def ancestors(self, name: str) -> Iterator[str]:
        """All more general topics except ANY, the nearest first."""
        while (name := self.parent(name)) != ANY:
            yield name

    def upwards(self, name: str) -> Iterator[str]:
        """The topic itself, then its ancestors."""
        yield name
        yield from self.ancestors(name)

    def level(self, name: str) -> int:
        """The number of steps from ANY down to the topic."""
        return 0 if name == ANY else 1 + sum(1 for _ in self.ancestors(name))

    def subtree(self, name: str) -> Iterator[str]:
        """The topic and everything below it, in the order of the settings."""
        return (other for other in self.topics if other == name or name in self.ancestors(other))

    def others(self, name: str) -> Iterator[str]:
        """The topics neither above nor below this one: their examples are its counter-examples."""
        near = {name, *self.ancestors(name), *self.subtree(name)}
        return (other for other in self.topics if other not in near)

    def keywords(self, name: str) -> tuple[str, ...]:
        """The keywords of the subtree; a topic with neither keywords nor examples contributes its name."""
        if name not in self.topics:
            return (name,)
        found: dict[str, None] = {}
        for each in self.subtree(name):
            topic = self.topics[each]
            if topic.keywords:
                found |= dict.fromkeys(topic.keywords)
            elif not topic.examples:
                found[each] = None
        return tuple(found)

    def examples(self, name: str) -> tuple[str, ...]:
        """The example documents of the subtree, exi(A) in the Ariadne paper."""
        found: dict[str, None] = {}
        for each in self.subtree(name):
            found |= dict.fromkeys(self.topics[each].examples)
        return tuple(found)

    def _unknown_parent(self, name: str, parent: str) -> str:
        # A topic cannot be its own parent, and ANY is what it has if it names none.
        others = [other for other in self.topics if other != name]
        if others:
            return unknown("parent", parent, others)
        return f"there is no parent {parent!r}; define it as a topic, too"

    def _check_for_cycle(self, name: str) -> None:
        path = [name]
        while (name := self.topics[name].parent) != ANY:
            if name in path:
                cycle = " -> ".join([*path[path.index(name) :], name])
                raise InterestError(f"the topics form a cycle: {cycle}; give one of them another parent")
            path.append(name)


def _plain(name: str) -> str:
    return " ".join(name.casefold().split())
