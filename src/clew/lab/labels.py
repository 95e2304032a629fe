"""What the pages of a world are about, as its makers say: topics in a tree, and pages nobody has labelled."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from clew.errors import ConfigError

Find = Callable[[str], int | None]


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
    """

    pages: Mapping[str, list[int]] = field(default_factory=dict)
    unlabelled: list[int] = field(default_factory=list)  # in truth they may be on any topic
    names: Mapping[str, str] = field(default_factory=dict)  # of topics, for people
    parents: Mapping[str, str] = field(default_factory=dict)
    starts: Mapping[str, list[str]] = field(default_factory=dict)  # sets of start pages that come with the data

    @classmethod
    def of(cls, data: Mapping[str, Any], find: Find) -> Self:
        """From the content of a topics.json; `find` knows the pages that are there."""
        nodes = dict(_nodes(data.get("taxonomy", {}).get("children", ()), ""))
        own = {topic: _pages(urls, find) for topic, urls in data.get("topics", {}).items()}
        parents = {topic: parent for topic, (_, parent) in nodes.items() if parent}
        found: dict[str, set[int]] = {topic: set() for topic in (*nodes, *own)}
        for topic, pages in own.items():
            for above in _line(topic, parents):
                found[above].update(pages)
        return cls(
            pages={topic: sorted(pages) for topic, pages in found.items() if pages},
            unlabelled=_pages(data.get("unlabelled_pages", ()), find),
            names={topic: name for topic, (name, _) in nodes.items()},
            parents=parents,
            starts={start["name"]: start["urls"] for start in data.get("seeds", ())},
        )


def read(path: Path) -> dict[str, Any]:
    """The content of a topics.json."""
    try:
        data = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise ConfigError(f"cannot read the topics in {path}: {error}") from error
    if not isinstance(data, dict) or not isinstance(data.get("topics", {}), dict):
        raise ConfigError(f'{path} should hold {{"topics": {{"NAME": ["URL", …], …}}}}')
    return data


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


def _pages(urls: Iterable[str], find: Find) -> list[int]:
    return sorted({page for url in urls if (page := find(url)) is not None})
